//! A language's grammar with its query compiled, made once and kept.

use std::sync::{LazyLock, OnceLock};

use operator_grammars::{LANGUAGES, Language};
use tree_sitter::Query;

use crate::structure::Kind;

/// A grammar with its query compiled.
pub struct Grammar {
    /// The language as data.
    pub language: &'static Language,
    pub(super) parser: tree_sitter::Language,
    pub(super) query: Query,
    /// What each capture of the query means, by its index.
    pub(super) roles: Vec<Role>,
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
    /// The structure ends where it ends.
    End,
    /// The header is its text and nothing else.
    Header,
    /// It only wraps a structure, whose extent it widens.
    Wrapper,
    /// A comment.
    Comment,
    /// A sibling before a structure that belongs to it.
    Attribute,
    /// A part of a structure that is no part of its header.
    Decoration,
    /// A syntax error, or something that the parser missed.
    Error,
}

impl Role {
    /// The role that a capture's name stands for.
    pub fn of(name: &str) -> Option<Role> {
        Some(match name {
            "skip" => Role::Skip,
            "name" => Role::Name,
            "body" => Role::Body,
            "end" => Role::End,
            "header" => Role::Header,
            "_wrapper" => Role::Wrapper,
            "_comment" => Role::Comment,
            "_attribute" => Role::Attribute,
            "_decoration" => Role::Decoration,
            "_error" => Role::Error,
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
        let query = Query::new(&parser, &source(language)).map_err(|error| error.to_string())?;
        let role =
            |name: &&str| Role::of(name).ok_or_else(|| format!("no capture is called @{name}"));
        let roles = query.capture_names().iter().map(role).collect::<Result<_, _>>()?;
        Ok(Grammar { language, parser, query, roles })
    }
}

/// The query with what the lists of node kinds add to it.
fn source(language: &Language) -> String {
    let mut source = language.items.to_owned();
    let lists = [
        (language.wrappers, "_wrapper"),
        (language.comments, "_comment"),
        (language.attributes, "_attribute"),
        (language.decorations, "_decoration"),
    ];
    for (kinds, capture) in lists {
        for kind in kinds {
            source.push_str(&format!("\n({kind}) @{capture}"));
        }
    }
    source.push_str("\n(ERROR) @_error (MISSING) @_error");
    source
}
