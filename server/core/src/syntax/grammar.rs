//! A language's grammar with its query compiled, made once and kept.

use std::sync::{LazyLock, OnceLock};

use operator_grammars::{LANGUAGES, Language};
use tree_sitter::Query;

use crate::syntax::Kind;

/// A grammar with its query compiled.
pub struct Grammar {
    /// The language as data.
    pub language: &'static Language,
    pub(super) parser: tree_sitter::Language,
    pub(super) query: Query,
    /// What each capture of the query means, by its index.
    pub(super) roles: Vec<Role>,
    /// What the profile says about each kind of node, by its id.
    traits: Vec<Traits>,
}

/// What the profile says about a kind of node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traits {
    /// It only wraps a structure, whose extent it widens.
    pub wrapper: bool,
    /// The `;` directly after it belongs to it.
    pub terminated: bool,
    /// It is a comment.
    pub comment: bool,
    /// It is a sibling before a structure that belongs to it.
    pub attribute: bool,
    /// It is a part of a structure that is not a part of its header.
    pub decoration: bool,
    /// It names a here document, whose text is after the line.
    pub heredoc: bool,
    /// It is the text of a here document.
    pub heredoc_text: bool,
    /// A pattern of the query begins with it.
    pub begins_pattern: bool,
    /// Inside a function it is not a structure, and no other one depends on it.
    pub declares: bool,
    /// It holds structures only where its text has one of the language's openers.
    pub opaque: bool,
}

/// What a capture says about its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is a structure of this kind.
    Item(Kind),
    /// It is none, whatever other patterns say.
    Skip,
    /// It is the structure's name.
    Name,
    /// The header ends where it begins.
    Body,
    /// The body begins with it and ends with the structure.
    Contents,
    /// Such a body ends where it begins: the `end` of a block.
    Close,
    /// The header ends where it begins, and it is not a body.
    Until,
    /// The structure ends where it ends.
    End,
    /// The header is its text and nothing else.
    Header,
    /// Only the query's own conditions name it.
    Unused,
}

impl Role {
    /// The role that a capture's name stands for.
    pub fn of(name: &str) -> Option<Role> {
        Some(match name {
            "skip" => Role::Skip,
            "name" => Role::Name,
            "body" => Role::Body,
            "contents" => Role::Contents,
            "close" => Role::Close,
            "until" => Role::Until,
            "end" => Role::End,
            "header" => Role::Header,
            own if own.starts_with('_') => Role::Unused,
            kind => Role::Item(Kind::ALL.iter().copied().find(|it| it.as_str() == kind)?),
        })
    }
}

impl Grammar {
    /// The grammar of a language of [`LANGUAGES`].
    pub fn of(language: &Language) -> &'static Grammar {
        static GRAMMARS: LazyLock<Vec<OnceLock<Grammar>>> =
            LazyLock::new(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
        let place = LANGUAGES.iter().position(|known| known.name == language.name);
        let place = place.expect("every language is one of the registry");
        GRAMMARS[place].get_or_init(|| {
            Grammar::compile(&LANGUAGES[place])
                .expect("a test compiles the query of every language in the registry")
        })
    }

    /// Compiles a language's query.
    ///
    /// # Errors
    /// What is wrong with the query, for whoever writes it.
    pub fn compile(language: &'static Language) -> Result<Grammar, String> {
        let parser = tree_sitter::Language::new((language.grammar)());
        let query = Query::new(&parser, language.items).map_err(|error| error.to_string())?;
        let role =
            |name: &&str| Role::of(name).ok_or_else(|| format!("no capture is called @{name}"));
        let roles = query.capture_names().iter().map(role).collect::<Result<_, _>>()?;
        let traits = traits(language, &parser, &query)?;
        Ok(Grammar { language, parser, query, roles, traits })
    }

    pub(super) fn traits_of(&self, kind: u16) -> Traits {
        // An error has an id beyond all others.
        self.traits.get(usize::from(kind)).copied().unwrap_or_default()
    }

    /// Whether a text has one of the words without which an opaque node holds no structure.
    pub(super) fn opens(&self, text: &str) -> bool {
        let opens = |word: &&str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        self.language.openers.iter().any(opens)
    }
}

fn traits(
    language: &Language,
    parser: &tree_sitter::Language,
    query: &Query,
) -> Result<Vec<Traits>, String> {
    let mut traits = vec![Traits::default(); parser.node_kind_count()];
    let mut mark = |kinds: &[&str], set: fn(&mut Traits)| {
        for kind in kinds {
            let id = parser.id_for_node_kind(kind, true);
            set(&mut traits[usize::from(id)]);
        }
    };
    mark(language.wrappers, |traits| traits.wrapper = true);
    mark(language.terminated, |traits| traits.terminated = true);
    mark(language.comments, |traits| traits.comment = true);
    mark(language.attributes, |traits| traits.attribute = true);
    mark(language.decorations, |traits| traits.decoration = true);
    if let Some((start, text)) = language.heredoc {
        mark(&[start], |traits| traits.heredoc = true);
        mark(&[text], |traits| traits.heredoc_text = true);
    }
    mark(language.declares, |traits| traits.declares = true);
    mark(language.opaque, |traits| traits.opaque = true);
    for pattern in 0..query.pattern_count() {
        let span = query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern);
        let first = first_kinds(&language.items[span]);
        if first.is_empty() || first.iter().any(|kind| parser.id_for_node_kind(kind, true) == 0) {
            return Err(format!("pattern {pattern} must begin with named nodes: {first:?}"));
        }
        mark(&first, |traits| traits.begins_pattern = true);
    }
    // A kind that is none has the id 0, which is the end of the file.
    traits[0] = Traits::default();
    Ok(traits)
}

/// The kinds of node that a pattern begins with: one, or those of a list of alternatives.
fn first_kinds(pattern: &str) -> Vec<&str> {
    let mut kinds = Vec::new();
    let mut depth = 0;
    let alternatives = pattern.trim_start().starts_with('[');
    let wanted = usize::from(alternatives) + 1;
    let mut rest = pattern;
    while let Some(at) = rest.find(['(', ')', '[', ']', ';', '"']) {
        let bracket = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match bracket {
            b'(' | b'[' => {
                depth += 1;
                if bracket == b'(' && depth == wanted {
                    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                    kinds.push(&rest[..end.unwrap_or(rest.len())]);
                }
            }
            b')' | b']' => depth -= 1,
            b';' => rest = rest.split_once('\n').map_or("", |(_, rest)| rest),
            _ => rest = rest.split_once('"').map_or("", |(_, rest)| rest),
        }
        if depth == 0 {
            break;
        }
    }
    kinds
}
