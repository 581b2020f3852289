//! Whether what is written after a fence is the language of its file.

/// Languages without a grammar, each with the words that fences and extensions have for it.
const OTHERS: &[&[&str]] = &[
    &["sql", "mysql", "postgresql", "sqlite", "plsql"],
    &["kotlin", "kt", "kts"],
    &["swift"],
    &["scala", "sc"],
    &["dart"],
    &["perl", "pl", "pm"],
    &["haskell", "hs"],
    &["elixir", "ex", "exs"],
    &["erlang", "erl"],
    &["clojure", "clj", "cljs"],
    &["julia", "jl"],
    &["zig"],
    &["xml", "xsd", "xsl"],
    &["svg"],
    &["vue"],
    &["svelte"],
    &["astro"],
    &["scss"],
    &["sass"],
    &["less"],
    &["graphql", "gql"],
    &["proto", "protobuf"],
    &["dockerfile", "docker"],
    &["makefile", "make"],
    &["cmake"],
    &["latex", "tex"],
    &["terraform", "tf", "hcl"],
    &["json5"],
    &["mdx"],
];

/// Words of fences for languages that have a grammar, besides their names and extensions.
const WORDS: &[(&str, &str)] = &[
    ("py3", "python"),
    ("python3", "python"),
    ("node", "javascript"),
    ("ecmascript", "javascript"),
    ("golang", "go"),
    ("rustlang", "rust"),
];

/// Languages that people do not tell apart in what they write after a fence.
const ALIKE: &[&[&str]] = &[
    &["javascript", "typescript", "tsx", "json", "json5", "vue", "svelte", "astro"],
    &["html", "xml", "svg", "vue", "svelte", "astro", "php"],
    &["css", "scss", "sass", "less"],
    &["c", "cpp"],
    &["markdown", "mdx"],
];

/// The first word after a fence.
pub fn word(info: &str) -> &str {
    info.split([' ', '\t', ':', ',', '{']).next().unwrap_or_default()
}

/// Whether a fence with this info is of another language than the file at a path; where either is not
/// known, it is not.
pub fn is_other(info: &str, path: &str) -> bool {
    let Some((fence, file)) = of_word(&word(info).to_lowercase()).zip(of_path(path)) else {
        return false;
    };
    let are_alike = |alike: &&[&str]| alike.contains(&fence) && alike.contains(&file);
    fence != file && !ALIKE.iter().any(are_alike)
}

fn of_word(word: &str) -> Option<&'static str> {
    let by_id = || operator_grammars::by_language_id(word).map(|it| it.name);
    let by_extension = || operator_grammars::of_file(&format!("x.{word}"), "").map(|it| it.name);
    let by_word = || WORDS.iter().find(|(it, _)| *it == word).map(|(_, name)| *name);
    if word.is_empty() {
        return None;
    }
    by_id().or_else(by_extension).or_else(by_word).or_else(|| of_others(word))
}

fn of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let extension = name.rsplit_once('.').map_or(&*name, |(_, extension)| extension);
    let known = operator_grammars::of_file(path, "").map(|it| it.name);
    known.or_else(|| of_others(extension))
}

fn of_others(word: &str) -> Option<&'static str> {
    OTHERS.iter().find(|words| words.contains(&word)).map(|words| words[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_of_another_language() {
        for (info, path) in [
            ("python", "u.js"),
            ("js", "a/b.py"),
            ("sql", "b.py"),
            ("html", "u.js"),
            ("python", "schema.sql"),
            ("Dockerfile", "a.py"),
            ("rust,ignore", "a.go"),
            ("md", "a.py"),
            ("python3 u.js", "u.js"),
        ] {
            assert!(is_other(info, path), "{info} {path}");
        }
    }

    #[test]
    fn words_for_the_same_language_and_those_that_are_not_known() {
        for (info, path) in [
            ("", "u.js"),
            ("python", "b.py"),
            ("py", "b.pyi"),
            ("Python", "b.py"),
            ("js", "a.tsx"),
            ("jsx", "a.ts"),
            ("typescript", "a.mjs"),
            ("js", "App.vue"),
            ("html", "App.vue"),
            ("xml", "a.html"),
            ("html", "icon.svg"),
            ("php", "a.html"),
            ("html", "a.php"),
            ("c++", "a.h"),
            ("c", "a.hpp"),
            ("jsonc", "tsconfig.json"),
            ("js", "package.json"),
            ("yml", "a.yaml"),
            ("bash", "a.sh"),
            ("sh", ".bashrc"),
            ("scss", "a.css"),
            ("dockerfile", "Dockerfile"),
            ("docker", "build/Dockerfile"),
            ("makefile", "Makefile"),
            ("cs", "a.cs"),
            ("rust,ignore", "a.rs"),
            ("toml", "Cargo.lock"),
            ("ini", "setup.cfg"),
            ("text", "a.py"),
            ("mdx", "a.md"),
            ("jinja", "a.html"),
            ("python", "SConstruct"),
        ] {
            assert!(!is_other(info, path), "{info} {path}");
        }
    }
}
