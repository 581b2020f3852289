//! HTML.

use crate::{Bound, Language};

/// HTML.
pub const HTML: Language = Language {
    name: "html",
    title: "HTML",
    extensions: &["html", "htm", "xhtml"],
    grammar: || tree_sitter_html::LANGUAGE,
    items: include_str!("items.scm"),
    comments: &["comment"],
    name_quotes: &['"', '\''],
    indent_unit: "  ",
    verbatim_starts: &[("element", "<pre"), ("element", "<textarea")],
    enclosing: &["start_tag", "end_tag"],
    joining: &["text"],
    prologue: &["doctype"],
    // Each token costs as much time as elements are open; pages have some dozens.
    bounds: &[Bound::Elements { unclosed: UNCLOSED, limit: 2000 }],
    ..Language::PLAIN
};

/// Elements that have no end tag, or may leave it out.
const UNCLOSED: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead",
    "tbody", "tfoot", "colgroup", "rt", "rp", "html", "head", "body",
];
