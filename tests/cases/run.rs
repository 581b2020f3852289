//! Runs one case and says what differs, and how its sections would be right.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::apply::{Applied, apply, apply_atomic, apply_whole};
use crate::check::{Checked, check};
use crate::editor::{self, Reply, Shown};
use crate::parse::{Case, Section};
use crate::problems::Found;
use crate::report::Difference;
use crate::tree::{Marks, Node, Tree};
use crate::world::World;
use crate::{escape, fixes, macros, problems};

/// The word for a reply of `apply --atomic`.
const ATOMIC: &str = "atomic";
/// The word for a transcript of which an editor says something else than the command line.
const TERMINAL: &str = "terminal";

/// The outcome of one case.
#[derive(Default)]
pub struct Outcome {
    pub differences: Vec<Difference>,
    /// Whether the case could be run to its end.
    pub complete: bool,
    /// The expected sections as they would be right.
    pub right: Vec<Section>,
    pub codes: BTreeSet<String>,
    pub actions: BTreeSet<String>,
    /// The codes of problems that offered a fix, and of those whose fix the case shows.
    pub offered: BTreeSet<String>,
    pub shown: BTreeSet<String>,
    /// The codes of errors that the case shows with the reply and a text that applies afterwards.
    pub corrected: BTreeSet<String>,
}

/// Runs the case through the binary and compares every section.
pub fn run(case: &Case) -> Outcome {
    let mut outcome = Outcome::default();
    let bytes = case.transcript();
    if let Err(complaint) = outcome.all(case, &bytes) {
        outcome.differences.push(Difference::complaint(complaint));
    }
    outcome
}

impl Outcome {
    fn all(&mut self, case: &Case, bytes: &[u8]) -> Result<(), String> {
        let world = World::new(case);
        let bytes = &world.fill(bytes)[..];
        let transcript = world.transcript(bytes);
        let Ok(text) = std::str::from_utf8(bytes) else { return self.refused(&world, &transcript) };
        let shown = catch_unwind(AssertUnwindSafe(|| editor::show(case, &world, text)));
        let mut shown = shown.map_err(|_| "the editor gave up, see the panic".to_owned())?;
        self.differences.extend(shown.complaints.iter().cloned().map(Difference::complaint));
        if case.first("client").is_some() {
            self.problems(case, &shown.problems);
            self.blocks(case, &shown.blocks);
            self.complete = true;
            return Ok(());
        }
        let checked = check(&world, &transcript, text)?;
        self.problems(case, &checked.problems);
        self.blocks(case, &checked.blocks);
        if !case.first("transcript").is_some_and(|it| it.has(TERMINAL)) {
            self.in_the_editor(&checked, &shown);
        }
        self.fixes(case, &world, text)?;
        let transcript = world.transcript(bytes);
        self.reply_atomic(case, &world, &transcript)?;
        let applied = apply(&world, &transcript)?;
        self.reply(case, &world, &applied);
        let hidden = |tree: &Tree| tree.hidden(&world);
        self.tree(case, &hidden(&applied.before), &hidden(&applied.after));
        self.all_at_once(case, &world, &mut shown, &applied);
        self.corrected(case, &world, &checked.problems, &applied)?;
        let complaints = checked.complaints.into_iter().chain(applied.complaints);
        self.differences.extend(complaints.map(Difference::complaint));
        self.actions.extend(checked.actions);
        self.complete = true;
        Ok(())
    }

    /// A transcript that is not UTF-8 stops the command with exit code 2 and a word on where.
    fn refused(&mut self, world: &World, transcript: &Path) -> Result<(), String> {
        for arguments in [&["check"][..], &["apply", "--yes"]] {
            let output = world.run(arguments, Some(transcript));
            let errors = String::from_utf8_lossy(&output.stderr);
            if output.status.code() != Some(2) || !errors.contains("UTF-8") {
                return Err(format!("{arguments:?}: {}: {errors}", output.status));
            }
        }
        Ok(())
    }

    /// Notes the section as it would be right, and a difference where it is not.
    pub fn compare(&mut self, old: Option<&Section>, new: Section, same: bool) {
        if !same {
            let expected = old.map_or("", |section| &section.body);
            self.differences.push(Difference::new(new.title(), expected, &new.body));
        }
        self.right.push(if same { old.cloned().unwrap_or(new) } else { new });
    }

    /// An editor shows what `check` says, to the letter.
    fn in_the_editor(&mut self, checked: &Checked, shown: &Shown) {
        let lines = |problems: &[Found]| -> String {
            let line = |it: &Found| format!("{}\n  says {}\n", it.line(true, true), it.message);
            problems.iter().map(line).collect()
        };
        let (expected, found) = (lines(&checked.problems), lines(&shown.problems));
        if expected != found {
            self.differences.push(Difference::new("problems in an editor", &expected, &found));
        }
        if checked.blocks != shown.blocks {
            let difference = Difference::new("blocks in an editor", &checked.blocks, &shown.blocks);
            self.differences.push(difference);
        }
    }

    fn problems(&mut self, case: &Case, all_found: &[Found]) {
        let old = case.first("problems");
        let args = old.map_or(Vec::new(), |section| section.args.clone());
        let found = problems::relevant(all_found, &args);
        self.codes.extend(found.iter().map(|it| it.code.clone()));
        let (same, body) = problems::compare(old.map_or("", |section| &section.body), &found);
        let is_given = old.is_some() || !body.is_empty();
        if is_given {
            // Even where it holds: positions that were left out are filled in.
            let new = Section::plain("problems", args, body);
            self.compare(old.filter(|_| !same), new, same);
        }
    }

    fn blocks(&mut self, case: &Case, blocks: &str) {
        if let Some(old) = case.first("blocks") {
            let new = Section::plain("blocks", Vec::new(), blocks.to_owned());
            self.compare(Some(old), new, old.body == blocks);
        }
    }

    fn fixes(&mut self, case: &Case, world: &World, text: &str) -> Result<(), String> {
        let problems = fixes::problems(text, &case.files(), &world.home());
        let with_fix = problems.iter().filter(|problem| !problem.fixes.is_empty());
        self.offered.extend(with_fix.map(|problem| problem.code.to_string()));
        let complaints = fixes::complaints(text, &problems, &case.files(), &world.home());
        self.differences.extend(complaints.into_iter().map(Difference::complaint));
        for old in case.of("fixed") {
            let code = old.path();
            let number = old.args.get(1).map_or(1, |number| number.parse().expect("a number"));
            self.shown.insert(code.to_owned());
            match fixes::fixed(text, &problems, code, number - 1) {
                Ok(fixed) => self.fix(case, world, old, text, &fixed)?,
                Err(complaint) => self.differences.push(Difference::complaint(complaint)),
            }
        }
        Ok(())
    }

    /// Compares a fixed transcript, and asks the binary whether the problem is gone.
    fn fix(
        &mut self,
        case: &Case,
        world: &World,
        old: &Section,
        before: &str,
        fixed: &str,
    ) -> Result<(), String> {
        let code = old.path();
        let count = |text: &str| -> Result<usize, String> {
            let checked = check(world, &world.transcript(text.as_bytes()), text)?;
            Ok(checked.problems.iter().filter(|problem| problem.code == code).count())
        };
        if count(fixed)? >= count(before)? {
            self.differences
                .push(Difference::complaint(format!("{code} is still there when fixed")));
        }
        let expected = world.fill(&case.expand(old));
        let same = expected == fixed.as_bytes();
        let body = macros::readable(&world.hide(fixed), &case.files(), &[]);
        self.compare(Some(old), Section::of("fixed", old.args.clone(), body.as_bytes()), same);
        Ok(())
    }

    /// What a model sends after the reply applies whole, and so may what a fix leaves.
    fn corrected(
        &mut self,
        case: &Case,
        world: &World,
        found: &[Found],
        applied: &Applied,
    ) -> Result<(), String> {
        let mut applies = false;
        for section in case.sections.iter().filter(|it| ["corrected", "fixed"].contains(&&*it.kind))
        {
            let transcript = world.transcript(&world.fill(&case.expand(section)));
            let wrong = apply_whole(world, &transcript)?;
            applies |= wrong.is_none();
            if let Some(wrong) = wrong.filter(|_| section.kind == "corrected") {
                let complaint =
                    format!("the corrected text does not apply: {}", world.hide(&wrong));
                self.differences.push(Difference::complaint(complaint));
            }
        }
        if applies && case.first("reply").is_some() {
            let errors = found.iter().filter(|problem| problem.severity == "error");
            self.corrected.extend(errors.map(|problem| problem.code.clone()));
            self.corrected.extend(applied.codes.iter().cloned());
        }
        Ok(())
    }

    fn reply(&mut self, case: &Case, world: &World, applied: &Applied) {
        let Some(old) = case.of("reply").find(|section| !section.has(ATOMIC)) else { return };
        let reply: String = applied.replies.iter().map(|(_, text)| world.hide(text)).collect();
        let found = macros::readable(&reply, &applied.before.files(), &applied.after.files());
        let expected = String::from_utf8_lossy(&old.bytes()).into_owned();
        let same = macros::matches(&expected, &found);
        self.compare(Some(old), Section::of("reply", Vec::new(), found.as_bytes()), same);
    }

    /// An editor that applies everything at once answers what `apply --yes` answers.
    fn all_at_once(&mut self, case: &Case, world: &World, shown: &mut Shown, applied: &Applied) {
        let transcript = case.first("transcript");
        if world.allows_exec
            || world.allows_caution
            || transcript.is_some_and(|it| it.has(TERMINAL))
        {
            return;
        }
        let replies = catch_unwind(AssertUnwindSafe(|| shown.apply_all(&applied.replies)));
        let Ok(replies) = replies else {
            let complaint = "the editor gave up when all was applied, see the panic".to_owned();
            self.differences.push(Difference::complaint(complaint));
            return;
        };
        if replies != applied.replies {
            let text = |replies: &[Reply]| -> String {
                replies.iter().map(|(_, text)| world.hide(text)).collect()
            };
            let (expected, found) = (text(&applied.replies), text(&replies));
            let difference = Difference::new("replies in an editor", &expected, &found);
            self.differences.push(difference);
        }
    }

    fn reply_atomic(
        &mut self,
        case: &Case,
        world: &World,
        transcript: &Path,
    ) -> Result<(), String> {
        let Some(old) = case.of("reply").find(|section| section.has(ATOMIC)) else { return Ok(()) };
        let (reply, codes) = apply_atomic(world, transcript)?;
        self.codes.extend(codes);
        let found = macros::readable(&world.hide(&reply), &case.files(), &[]);
        let same = macros::matches(&String::from_utf8_lossy(&old.bytes()), &found);
        self.compare(Some(old), Section::of("reply", old.args.clone(), found.as_bytes()), same);
        Ok(())
    }

    /// Compares the workspace with what it must be in the end.
    pub fn tree(&mut self, case: &Case, before: &Tree, found: &Tree) {
        let expected = expected_tree(case, before);
        let differences = expected.differences(found);
        let changed = before.differences(found);
        let mentioned: BTreeSet<&String> = changed.iter().chain(&differences).collect();
        for path in mentioned {
            let same = !differences.contains(path);
            let old = case.sections.iter().find(|it| it.is_after(path));
            let new = match found.0.get(path) {
                Some(Node::File { bytes, .. }) => Section::of("after", vec![path.clone()], bytes),
                Some(Node::Link(to)) => {
                    Section::plain("after", vec![path.clone(), "link".into()], format!("{to}\n"))
                }
                Some(Node::Directory) if same && old.is_none() => continue,
                Some(Node::Directory) => {
                    Section::plain("after", vec![format!("{path}/")], String::new())
                }
                None if same && old.is_none() => continue,
                None => Section::plain("deleted", vec![path.clone()], String::new()),
            };
            self.compare(old, new, same);
        }
    }
}

fn expected_tree(case: &Case, before: &Tree) -> Tree {
    let mut tree = before.clone();
    case.of("deleted").for_each(|section| tree.remove(section.path()));
    for section in case.of("after") {
        match section.path().strip_suffix('/') {
            Some(directory) => tree.put_directory(directory),
            None if section.has("link") => {
                tree.put_link(section.path(), section.body.trim_end());
            }
            None => {
                let (marks, files) = (Marks::named(section), section.files());
                files.iter().for_each(|(path, bytes)| tree.put(path, bytes, marks));
            }
        }
    }
    tree
}

impl Section {
    fn plain(kind: &str, args: Vec<String>, body: String) -> Section {
        Section { kind: kind.to_owned(), args, escaped: false, call: 0, body, start: 0, end: 0 }
    }

    /// A section that shows these bytes, escaped where it must be.
    pub fn of(kind: &str, args: Vec<String>, bytes: &[u8]) -> Section {
        let escaped = escape::is_needed(bytes);
        let body = match escaped {
            true => escape::encode(bytes),
            false => String::from_utf8_lossy(bytes).into_owned(),
        };
        Section { escaped, ..Section::plain(kind, args, body) }
    }

    fn is_after(&self, path: &str) -> bool {
        let about = || self.path().trim_end_matches('/') == path;
        matches!(self.kind.as_str(), "after" | "deleted") && about()
    }

    /// The info string.
    pub fn title(&self) -> String {
        let escaped = if self.escaped { " escaped" } else { "" };
        let quoted = |arg: &String| match arg.contains(' ') {
            true => format!(" \"{arg}\""),
            false => format!(" {arg}"),
        };
        format!("{}{escaped}{}", self.kind, self.args.iter().map(quoted).collect::<String>())
    }
}
