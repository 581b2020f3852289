//! The project's Markdown pages: their links lead somewhere, and the files that they name are there.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use operator_lsp::workspace::with_slashes;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file of the repository, as git lists them.
fn tracked() -> BTreeSet<String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(project()).output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    listed.split_terminator('\0').map(str::to_owned).collect()
}

/// The pages with their texts, but for those that only show something.
fn pages(tracked: &BTreeSet<String>) -> BTreeMap<&str, String> {
    let is_shown = |path: &str| path.contains("/cases/") && !path.ends_with("README.md");
    let pages = tracked.iter().filter(|path| path.ends_with(".md") && !is_shown(path));
    let pages = pages.filter(|path| !path.starts_with("spec/examples/"));
    pages.map(|path| (path.as_str(), fs::read_to_string(project().join(path)).unwrap())).collect()
}

/// The lines of a page that are not in a fence.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fence = None;
    page.lines().filter(move |line| {
        let signs = line.trim_start();
        let count = |sign: char| signs.len() - signs.trim_start_matches(sign).len();
        let here = ['`', '~'].map(|sign| (sign, count(sign))).into_iter().find(|it| it.1 >= 3);
        match (fence, here) {
            (None, Some(opening)) => fence = Some(opening),
            (None, None) => return true,
            (Some((sign, least)), Some((same, length))) if same == sign && length >= least => {
                fence = None;
            }
            _ => {}
        }
        false
    })
}

/// A line as its texts and its code, in turn.
fn spans(line: &str) -> (String, Vec<&str>) {
    let pieces: Vec<&str> = line.split('`').collect();
    let text = pieces.iter().step_by(2).copied().collect::<Vec<_>>().join("`");
    (text, pieces.into_iter().skip(1).step_by(2).collect())
}

/// The targets of the links of a page.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(page) {
        let (text, _) = spans(line);
        for rest in text.split("](").skip(1) {
            links.extend(rest.split_once(')').map(|(target, _)| target.to_owned()));
        }
    }
    links
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let headings = prose(page).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        let anchor: String = kept.map(|it| if it == ' ' { '-' } else { it }).collect();
        let count = counts.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    };
    headings.map(anchor).collect()
}

/// A path from the project's root, where `to` is relative to a file's directory; `None` outside.
fn from_root(file: &str, to: &str) -> Option<String> {
    let mut path = PathBuf::from(file);
    path.pop();
    for part in Path::new(to).components() {
        match part {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path.to_str().map(|path| with_slashes(path).into_owned())
}

#[test]
fn every_link_of_the_pages_leads_to_a_file_and_an_anchor() {
    let tracked = tracked();
    let pages = pages(&tracked);
    assert!(pages.contains_key("README.md") && pages.len() > 20, "{:?}", pages.keys());
    let is_there = |path: &str| {
        tracked.contains(path) || tracked.iter().any(|it| Path::new(it).starts_with(path))
    };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, page) in &pages {
        for link in links(page) {
            if link.contains(':') {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match path {
                "" => Some((*file).to_owned()),
                path => from_root(file, path),
            };
            let Some(target) = target.filter(|target| is_there(target)) else {
                wrong.push(format!("{file}: {link} leads nowhere"));
                continue;
            };
            let page = pages.get(target.as_str());
            if !anchor.is_empty() && !page.is_some_and(|page| anchors(page).contains(anchor)) {
                wrong.push(format!("{file}: {link} has no such heading"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(count > 50, "only {count} links were found");
}

/// What a page says of the code goes stale unseen: at least the files that it names are there.
#[test]
fn every_file_that_the_pages_for_developers_name_is_there() {
    let tracked = tracked();
    let pages = pages(&tracked);
    let names = ["ARCHITECTURE.md", "CONTRIBUTING.md"];
    let is_file = |code: &&str| {
        let ends = [".rs", ".toml", ".md", ".ts", ".mjs", ".lua", ".scm", ".txt", ".json"];
        ends.iter().any(|end| code.ends_with(end)) && !code.contains(['<', '*', ' '])
    };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for name in names {
        for line in prose(&pages[name]) {
            for code in spans(line).1.into_iter().filter(is_file) {
                count += 1;
                let end = format!("/{code}");
                if !tracked.contains(code) && !tracked.iter().any(|path| path.ends_with(&end)) {
                    wrong.push(format!("{name}: {code}"));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(count > 100, "only {count} names were found");
}

/// Whoever is new reads it to the end, and finds the command that `.ci/run` tests with.
#[test]
fn the_readme_is_short_and_says_how_to_test() {
    let read = |path: &str| fs::read_to_string(project().join(path)).unwrap();
    let readme = read("README.md");
    assert!(readme.lines().count() <= 90, "{} lines", readme.lines().count());
    let command = "cargo test --workspace";
    assert!(readme.lines().any(|line| line == command));
    assert!(read(".ci/run").lines().any(|line| line == command));
}
