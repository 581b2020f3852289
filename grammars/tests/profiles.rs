//! Every query compiles, and every name in a profile is one of its grammar.

use operator_core::syntax::Grammar;
use operator_grammars::{LANGUAGES, Language};

fn each(check: impl Fn(&'static Language) -> Vec<String>) {
    let wrong: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| {
            check(language).into_iter().map(|what| format!("{}: {what}", language.name))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_query_compiles_and_keeps_to_the_vocabulary() {
    each(|language| Grammar::compile(language).err().into_iter().collect());
}

#[test]
fn every_query_finds_something() {
    each(|language| match language.items.trim() {
        "" => vec!["items.scm is empty".to_owned()],
        _ => Vec::new(),
    });
}

#[test]
fn every_grammar_is_of_a_version_that_the_library_reads() {
    each(|language| {
        let abi = tree_sitter::Language::new((language.grammar)()).abi_version();
        let read = tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION;
        let wrong = (!read.contains(&abi)).then(|| format!("version {abi} is not in {read:?}"));
        wrong.into_iter().collect()
    });
}

#[test]
fn every_kind_of_node_in_a_profile_exists() {
    each(|language| {
        let grammar = tree_sitter::Language::new((language.grammar)());
        let pairs = language.separated.iter().chain(language.verbatim_starts);
        let pairs: Vec<&str> = pairs
            .map(|(kind, _)| *kind)
            .chain(language.heredoc.map(|it| it.0))
            .chain(language.heredoc.map(|it| it.1))
            .chain(language.required.iter().chain(language.excluded).map(|(kind, _)| *kind))
            .chain(
                language
                    .required
                    .iter()
                    .chain(language.excluded)
                    .flat_map(|(_, parts)| parts.iter().copied()),
            )
            .chain(language.alike.iter().flat_map(|kinds| kinds.iter().copied()))
            .chain(language.ended.iter().map(|(kind, _)| *kind))
            .chain(language.inherits.iter().map(|(kind, _)| *kind))
            .chain(language.empty_body)
            .chain(language.documents.iter().map(|it| it.node))
            .chain(language.aliases.iter().flat_map(|it| [it.anchor, it.alias, it.scope]))
            .collect();
        let lists = [
            language.opaque,
            language.declares,
            language.wrappers,
            language.terminated,
            language.guards,
            language.values,
            language.comments,
            language.attributes,
            language.decorations,
            language.verbatim,
            language.verbatim_lines,
            language.moving,
            language.tight,
            language.enclosing,
            language.prologue,
            language.joining,
            &pairs,
        ];
        let exists = |kind: &&&str| grammar.id_for_node_kind(kind, true) == 0;
        let missing = lists.iter().flat_map(|list| list.iter()).filter(exists);
        missing.map(|kind| format!("the grammar has no node `{kind}`")).collect()
    });
}

#[test]
fn no_two_languages_claim_the_same_file() {
    let claimed: Vec<(&str, &str)> = LANGUAGES
        .iter()
        .flat_map(|it| it.extensions.iter().chain(it.file_names).map(|name| (*name, it.name)))
        .collect();
    for (name, language) in &claimed {
        let others = claimed.iter().filter(|(other, by)| other == name && by != language);
        assert_eq!(others.count(), 0, "{name}");
    }
}
