//! What a language is, as data: its grammar, its names, and what the grammar's nodes mean.

use tree_sitter_language::LanguageFn;

/// What says which parts of a text are structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// The language's query, over the grammar's tree.
    Query,
    /// The CommonMark specification, whose blocks no grammar finds without errors.
    CommonMark,
}

/// One language, as data. [`Language::PLAIN`] holds what most languages leave empty.
///
/// Every list of node kinds holds names of the grammar's nodes; a test fails where one is not.
#[derive(Debug, Clone, Copy)]
pub struct Language {
    /// The name that Markdown fences and LSP language ids use, `python`.
    pub name: &'static str,
    /// What people call it, `Python`.
    pub title: &'static str,
    /// File extensions, without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names, `Makefile`.
    pub file_names: &'static [&'static str],
    /// Programs that a first line `#!` names, without version numbers: `python`.
    pub interpreters: &'static [&'static str],
    /// Other LSP language ids for it, `javascriptreact`.
    pub language_ids: &'static [&'static str],
    /// The grammar.
    pub grammar: fn() -> LanguageFn,
    /// What says which parts are structures.
    pub blocks: Blocks,
    /// The query that finds the structures; the README of this crate tells its vocabulary.
    pub items: &'static str,
    /// Nodes that hold structures only where their text has one of `openers`: statements without a
    /// body. They are not looked into otherwise, which is what makes large files fast.
    pub opaque: &'static [&'static str],
    /// The words that open a structure inside an opaque node: `lambda`.
    pub openers: &'static [&'static str],
    /// Nodes that can be variables or constants and nothing else, and that say nothing of what is
    /// beside them. They are not asked about in functions, where most statements are.
    pub declares: &'static [&'static str],
    /// Nodes that only wrap a structure, whose extent they widen: `decorated_definition`.
    pub wrappers: &'static [&'static str],
    /// Nodes that the `;` directly after them belongs to, though it is their sibling in the
    /// grammar: `struct_specifier`.
    pub terminated: &'static [&'static str],
    /// Whether a statement may end without a `;`. A `;` that is first on a line then belongs to that
    /// line, and not to the statement above.
    pub leading_semicolons: bool,
    /// Nodes that are comments.
    pub comments: &'static [&'static str],
    /// What begins a comment that ends with its line; `None` where the language has none.
    pub line_comment: Option<&'static str>,
    /// What comments begin with that document what they are in, and not what comes next: `//!`.
    pub inner_comments: &'static [&'static str],
    /// What lines of comments begin with that say something of the whole file, and not of what comes
    /// next: `eslint-disable`.
    pub file_comments: &'static [&'static str],
    /// Sibling nodes before a structure that belong to it whatever is between, and are no
    /// part of its header: `attribute_item`.
    pub attributes: &'static [&'static str],
    /// Nodes inside a structure that are no part of its header: `decorator`, `annotation`.
    pub decorations: &'static [&'static str],
    /// The node that names a here document and the one of its text, where the text is after the
    /// line and not inside of what it belongs to.
    pub heredoc: Option<(&'static str, &'static str)>,
    /// Words before a keyword that a target may leave out: `async`, `pub`, `static`.
    pub modifiers: &'static [&'static str],
    /// What tells structures of one kind and name apart. What else is in a header may change.
    pub apart: &'static [Apart],
    /// What is cut from the end of a header: `=`, `;`.
    pub header_ends: &'static [&'static str],
    /// Words at the end of a header that a target may leave out: `then`, `do`.
    pub header_words: &'static [&'static str],
    /// What is cut from both ends of a name: quotes, mostly.
    pub name_quotes: &'static [char],
    /// Whether the blank lines and indentation are syntax: a body is what is indented.
    pub indented: bool,
    /// How deep one level is indented where a file does not say: `"    "`.
    pub indent_unit: &'static str,
    /// Nodes whose text may span lines and must keep its bytes: strings, heredocs, `<pre>`.
    pub verbatim: &'static [&'static str],
    /// The same for nodes whose text begins so, in whatever case: `("element", "<pre")`.
    pub verbatim_starts: &'static [(&'static str, &'static str)],
    /// Nodes that keep the bytes of the line that they are first on: the text of a here document,
    /// its end marker, the text of a page.
    pub verbatim_lines: &'static [&'static str],
    /// Parents under which a verbatim node moves with the code all the same: docstrings.
    pub moving: &'static [&'static str],
    /// Named nodes that open or close what is around their siblings: `start_tag`.
    pub enclosing: &'static [&'static str],
    /// What closes something, and is an error where nothing is open: `}`, `end`.
    pub closers: &'static [&'static str],
    /// Nodes whose children are set apart by a separator: `("object", ",")`. Where there are several
    /// for one, the first is written where nothing shows another.
    pub separated: &'static [(&'static str, &'static str)],
    /// What may be before a structure on its line as if it were indentation: `-` in YAML.
    pub markers: &'static [&'static str],
    /// Structures that stand without blank lines between them where a file does not say: `case`.
    pub tight: &'static [&'static str],
    /// Nodes at the start of a file before which nothing may be put; comments among them stay.
    pub prologue: &'static [&'static str],
    /// What is around each document of a file that may hold several.
    pub documents: Option<Documents>,
    /// Nodes that may be around all of a file so that it is read only once, with a name that the
    /// first thing in them defines: the file starts and ends inside of them. `preproc_ifdef`.
    pub guards: &'static [&'static str],
    /// Nodes that need one of several parts, which a parser may not ask for: a `try` without
    /// anything that catches. `("try_statement", &["except_clause", "finally_clause"])`.
    pub required: &'static [(&'static str, &'static [&'static str])],
    /// Nodes of which two are one where nothing is between them: `text`.
    pub joining: &'static [&'static str],
    /// Kinds of nodes that a parser takes for one another by what is beside them.
    pub alike: &'static [&'static [&'static str]],
    /// Nodes that a parser lets hold what they cannot, directly or in a body that is a node by itself,
    /// and what that is: `("interface_body", &["export_statement"])`.
    pub excluded: &'static [(&'static str, &'static [&'static str])],
    /// Nodes that end with one of several marks, which only the last of them may lack, and those
    /// marks; the first is written where one is missing. `("case_item", &[";;", ";&"])`.
    pub ended: &'static [(&'static str, &'static [&'static str])],
    /// Nodes that stay sound without their value, and say something else then: `return_statement`.
    pub values: &'static [&'static str],
    /// Nodes that have a field of the one before them where they have none of their own, and that
    /// field: `("const_spec", "value")`.
    pub inherits: &'static [(&'static str, &'static str)],
    /// What values begin with to which the blank lines after them belong: `|+`.
    pub keeping: &'static [&'static str],
    /// Names that values are given, and that stand for them elsewhere.
    pub aliases: Option<Aliases>,
    /// What a structure begins with of which there may be several under one name, and what parts
    /// that name from the rest of the name of what belongs to the last of them: `("[[", ".")`.
    pub repeated: Option<(&'static str, &'static str)>,
    /// The node that `{}` is where it is a body that is one statement and has no end of its own.
    pub empty_body: Option<&'static str>,
    /// What must be before a piece of code so that it parses by itself: `<?php`.
    pub fragment_prefix: &'static str,
    /// What the grammar cannot bear more of. Past it a text is not parsed at all.
    pub bounds: &'static [Bound],
}

/// Something in a header by which structures of one kind and name are others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// A word before the name: `static`, `get`.
    Word(&'static str),
    /// The type of what is in parentheses before the name: `(s *Server)`.
    Receiver,
    /// The parameters of what runs: functions are overloaded.
    Parameters,
    /// Whether what runs has a body, or is a signature.
    Body,
}

/// What is around each document of a file that may hold several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documents {
    /// The node of a document.
    pub node: &'static str,
    /// What is before its content, on a line that nothing goes above: `---`.
    pub opens: &'static str,
    /// What is after its content, on a line that nothing goes below: `...`.
    pub closes: &'static str,
}

/// How values are given names that stand for them elsewhere, after them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aliases {
    /// The node that gives a name.
    pub anchor: &'static str,
    /// The node that stands for the value.
    pub alias: &'static str,
    /// The node in which a name is known.
    pub scope: &'static str,
    /// What is before the name in both.
    pub marks: &'static [char],
}

/// What is counted before a parse, because a grammar keeps room for so many and ends the whole
/// process past that, or takes time by the square of their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Different widths of white space that lines begin with.
    Indentations(usize),
    /// Blocks around one another that are told apart by their columns.
    Columns {
        /// Characters that, with white space after them, begin a block in the middle of a line.
        markers: &'static [u8],
        /// How many.
        limit: usize,
    },
    /// Here documents, that begin with `<<`.
    Heredocs {
        /// Bytes of the word that ends one.
        word: usize,
        /// Bytes of the words of all that are open at once, four more for each of them.
        open: usize,
        /// Interpolations `#{` around one another, in a file with here documents.
        interpolations: usize,
    },
    /// NUL bytes: where a scanner takes them for the end, it looks at all of them again and again.
    Nuls(usize),
    /// How many `<` may be open in a statement. Where each may begin type arguments or compare, a
    /// parser keeps both, and as many ways through all of them take gigabytes.
    Angles(usize),
    /// Elements around one another.
    Elements {
        /// Elements that need no end tag and are not counted.
        unclosed: &'static [&'static str],
        /// How many.
        limit: usize,
    },
}

impl Language {
    /// Whether a comment documents what it is in, and not what comes next.
    pub fn documents_around(&self, comment: &str) -> bool {
        self.inner_comments.iter().any(|start| comment.starts_with(start))
    }

    /// Whether a comment says something of the whole file.
    pub fn is_of_file(&self, comment: &str) -> bool {
        let marks = |char: char| char.is_whitespace() || matches!(char, '/' | '*' | '#' | '!');
        let goes_on = |char: char| char.is_alphanumeric() || char == '-';
        let is_one = |line: &str, start: &str| {
            let rest = line.strip_prefix(start);
            rest.is_some_and(|rest| start.ends_with(':') || !rest.starts_with(goes_on))
        };
        let mut lines = comment.lines().map(|line| line.trim_start_matches(marks));
        !self.file_comments.is_empty()
            && lines.any(|line| self.file_comments.iter().any(|start| is_one(line, start)))
    }

    /// A language without anything, for `..Language::PLAIN`.
    pub const PLAIN: Language = Language {
        name: "",
        title: "",
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        language_ids: &[],
        grammar: || unreachable!("every language names its grammar"),
        blocks: Blocks::Query,
        items: "",
        opaque: &[],
        declares: &[],
        openers: &[],
        wrappers: &[],
        terminated: &[],
        leading_semicolons: false,
        comments: &[],
        line_comment: None,
        inner_comments: &[],
        file_comments: &[],
        attributes: &[],
        decorations: &[],
        heredoc: None,
        modifiers: &[],
        apart: &[],
        header_ends: &["="],
        header_words: &[],
        name_quotes: &[],
        indented: false,
        indent_unit: "    ",
        verbatim: &[],
        verbatim_starts: &[],
        verbatim_lines: &[],
        moving: &[],
        enclosing: &[],
        closers: &["}", ")", "]"],
        separated: &[],
        markers: &[],
        tight: &[],
        prologue: &[],
        documents: None,
        guards: &[],
        required: &[],
        joining: &[],
        alike: &[],
        excluded: &[],
        aliases: None,
        ended: &[],
        keeping: &[],
        values: &[],
        inherits: &[],
        repeated: None,
        empty_body: None,
        fragment_prefix: "",
        bounds: &[],
    };
}
