//! Reviews from edit to edit against fresh ones, and against ones that check everything again.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::limits::Cancel;
use crate::parts::Parts;
use crate::scan::Block;

/// Pieces of transcripts whose blocks concern one another: the same ids, the same files and
/// directories around them, replies, raw text that hides what comes after it.
pub(super) fn piece() -> impl Strategy<Value = String> {
    let reply = |id: &str, ok: &str, says: &str| {
        format!("OPERATOR_RESULT\nid: {id}\nok: {ok}\nsummary: {says}\nEND_OPERATOR_RESULT\n")
    };
    let on = |id: &str, action: &str, path: &str| block(id, action, &[("path", path)]);
    let moved = |id: &str, action: &str, from: &str, to: &str| {
        block(id, action, &[("path", from), ("path_to", to)])
    };
    let search =
        |id: &str, path: &str| block(id, "fs.searchTree", &[("path", path), ("query", "x")]);
    let whole = |file: &str, text: &str| {
        format!(
            "```json\n{{\"assistant_message\": \"\", \"ops\": [{{\"op\": \"replace\", \"target_file\": \
             \"{file}\", \"target\": {{\"kind\": \"document\"}}, \"content\": \"{text}\"}}]}}\n```\n"
        )
    };
    let answered = |applied: bool, error: &str| {
        format!(
            "```json\n{{\"applied\": {applied}, \"results\": [{{\"op\": 0, \"error\": \"{error}\"}}]}}\n```\n"
        )
    };
    let sham = |content: &str| {
        format!(
            "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"/a.txt\"\n\
             content = \"{content}\"\n#!END_SHAM_abc\n"
        )
    };
    let result = |content: &str, success: bool, error: &str| {
        format!(
            "{{\n  \"success\": true, \"totalBlocks\": 1, \"executedActions\": 1,\n  \"results\": [\
             {{\"seq\": 1, \"blockId\": \"abc\", \"action\": \"file_write\", \"params\": {{\"path\": \
             \"/a.txt\", \"content\": \"{content}\"}}, \"success\": {success}, \"error\": \"{error}\", \
             \"data\": {{}}}}],\n  \"parseErrors\": []\n}}\n"
        )
    };
    let pair = |path: &str, from: &str, to: &str| {
        format!("{path}```\n<<<<<<< SEARCH\n{from}=======\n{to}>>>>>>> REPLACE\n```\n")
    };
    let patch = |files: &str| format!("*** Begin Patch\n{files}*** End Patch\n");
    let diff =
        |path: &str, lines: &str| format!("```diff\n--- a/{path}\n+++ b/{path}\n@@\n{lines}```\n");
    let update = |path: &str, lines: &str| format!("*** Update File: {path}\n@@\n{lines}");
    // A reply to a block of a chat, which it names by its digest.
    let item = |block: &str, says: &str| {
        let scan = Scan::new(&Text::new(block), &both(), &Limits::default());
        let block = scan.blocks().next().expect("a block").block;
        let name = block.answered_as().expect("a name");
        format!("operator-lsp applied 1 of 1 block.\n\n1. `a.txt` ({name}): {says}.\n")
    };
    let fix = pair("a.txt\n", "one\n", "two\n");
    let patch_a = patch(&update("a.txt", "-one\n+two\n"));
    let often = vec![
        fix.clone(),
        pair("a.txt\n", "one\n", "three\n"),
        pair("other.txt\n", "two\n", "three\n"),
        pair("", "two\n", "one\n"),
        pair("`new/b.txt`\n", "", "one\n"),
        patch_a.clone(),
        patch(&update("sub/c.txt", " one\n+two\n")),
        diff("a.txt", "-one\n+two\n"),
        diff("sub/c.txt", " one\n+two\n"),
        "--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+one\n\n".to_owned(),
        "a.txt\n```\none\ntwo\n```\n".to_owned(),
        "New file: new/b.md\n```\none\n```\n".to_owned(),
        "```sh\ncat > a.txt <<'EOF'\ntwo\nEOF\ncat > new/b.txt <<EOF\none\nEOF\n```\n".to_owned(),
        patch("*** Add File: new/b.txt\n+one\n"),
        patch(&(update("a.txt", "-two\n+three\n") + "*** Delete File: sub/c.txt\n")),
        sham("one"),
        sham("two"),
        result("one", true, ""),
        "```json\n".to_owned() + &result("two", false, "refused by the user") + "```\n",
        whole("tool.py", "new"),
        whole("entrypoint.txt", "run"),
        write("t", "tool.py", "one\n"),
        "prose\n".to_owned(),
        write("w", "a.txt", "new\n"),
        write("n", "new/b.txt", "one\n"),
        write("sub", "sub/c.txt", "new\n"),
        replace("e", "a.txt", "one", "two"),
        replace("e", "new/b.txt", "one", "two"),
        replace("f", "a.txt", "two", "three"),
        replace("g", "sub/c.txt", "one", "two"),
        replace("h", "sub/deep/d.txt", "one", "two"),
        replace("i", "moved/c.txt", "one", "two"),
        replace("j", "other.txt", "two", "three"),
        on("d", "fs.delete", "a.txt"),
        on("sub", "fs.delete", "sub"),
        on("r", "fs.read", "a.txt"),
        on("r", "fs.read", "other.txt"),
        on("r", "fs.read", "sub/c.txt"),
        on("l", "fs.list", "sub"),
        moved("c", "fs.copy", "a.txt", "other.txt"),
        moved("m", "fs.move", "sub", "moved"),
        search("s", "sub"),
        search("s", "."),
    ];
    let seldom = vec![
        "\n".to_owned(),
        "END_OPERATOR_CMD\n".to_owned(),
        "OPERATOR_CMD\nversion: 1\n".to_owned(),
        "BEGIN a\nTEXT e\n".to_owned(),
        "e\nFINISH\n".to_owned(),
        "BEGIN b\nFINISH\n".to_owned(),
        block("", "fs.list", &[("path", ".")]),
        reply("w", "true", "done"),
        reply("w", "false", "refused by the user"),
        reply("e", "false", "refused by the user"),
        reply("r", "true", "read"),
        reply("sub", "true", "done"),
        answered(true, ""),
        answered(false, "refused by the user"),
        result("two", true, ""),
        result("one", false, "no"),
        item(&fix, "applied"),
        item(&fix, "rejected by the user"),
        item(&fix, "not applied (plan/text-not-found): it is not there"),
        item(&patch_a, "applied"),
        "a.txt\n".to_owned(),
        "<<<<<<< SEARCH\n".to_owned(),
        "=======\n".to_owned(),
        ">>>>>>> REPLACE\n".to_owned(),
        "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n".to_owned(),
        "*** Begin Patch\n".to_owned(),
        "*** Update File: a.txt\n@@\n one\n".to_owned(),
        "*** End Patch\n".to_owned(),
        "```diff\n".to_owned(),
        "```sh\ncd sub\n".to_owned(),
        "cat > a.txt <<'EOF'\ntwo\n".to_owned(),
        "EOF\n".to_owned(),
        "New file: new/b.md\n```\n".to_owned(),
        "--- a/a.txt\n+++ b/a.txt\n".to_owned(),
        "operator-lsp applied 1 of 1 block.\n".to_owned(),
        "```json\n".to_owned(),
        "```\n".to_owned(),
        "{\"ops\": [\n".to_owned(),
    ];
    prop_oneof![3 => prop::sample::select(often), 1 => prop::sample::select(seldom)]
}

pub(super) const FILES: [(&str, &str); 3] =
    [("a.txt", "one\n"), ("sub/c.txt", "one\n"), ("sub/deep/d.txt", "one\n")];

/// Everything that a review says.
fn all(review: &Review) -> Vec<String> {
    let shown = |proposal: &Proposal| {
        let Proposal { placed, status, ready_after, answered, by, nth, undone, .. } = proposal;
        let by = by.as_ref().map(|by| by.door);
        let (index, span, inside) = (placed.index, &placed.span, placed.inside);
        let problems: Vec<Problem> = proposal.problems().collect();
        assert_eq!(problems.len(), proposal.problem_count());
        format!(
            "{index} {span:?} inside {inside:?} {} {status:?} after {ready_after:?} \
             {answered} {by:?} {nth} {undone} {} {:?} {problems:?}",
            proposal.title(),
            proposal.check_result().summary(&placed.block),
            proposal.said(),
        )
    };
    let mut lines: Vec<String> = review.proposals().map(|proposal| shown(&proposal)).collect();
    for index in 0..=review.len() {
        let one = review.proposal(index);
        assert_eq!(one.as_ref().map(shown).as_ref(), lines.get(index));
        let Some(span) = one.map(|proposal| proposal.placed.span) else { continue };
        let near: Vec<usize> =
            review.near(&(span.start..span.start)).map(|p| p.placed.index).collect();
        assert_eq!(near, [index]);
    }
    let counts = Status::ALL.map(|status| review.count(status));
    for (status, count) in Status::ALL.into_iter().zip(counts) {
        assert_eq!(review.proposals().filter(|p| p.status == status).count(), count);
    }
    let problems: Vec<_> = review.problems().collect();
    assert_eq!(problems.len(), review.problem_count());
    lines.push(format!("{counts:?} {} {problems:?}", review.applicable()));
    lines
}

/// One thing that happens at a desk.
#[derive(Debug, Clone)]
enum Step {
    /// So many bytes at a place give way to a text.
    Edit(Index, usize, String),
    /// A character comes and goes.
    Type(Index),
    /// A file gets a text, or is gone.
    Write(&'static str, Option<&'static str>),
    /// A block that can be applied is.
    Apply(Index),
}

/// How new blocks are shared among threads: with so few bytes each, or not.
fn parts() -> impl Strategy<Value = Parts> {
    let least = prop_oneof![1 => Just(usize::MAX), 3 => 1usize..2000];
    (2usize..5, least).prop_map(|(most, least)| Parts { most, least })
}

fn edit() -> impl Strategy<Value = Step> {
    let gone = prop_oneof![4 => 0usize..40, 1 => 0usize..2000];
    prop_oneof![
        4 => (any::<Index>(), gone, piece()).prop_map(|(at, gone, new)| Step::Edit(at, gone, new)),
        2 => any::<Index>().prop_map(Step::Type),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let paths = vec![
        "a.txt",
        "new/b.txt",
        "sub/c.txt",
        "sub/deep/d.txt",
        "other.txt",
        "moved/c.txt",
        "tool.py",
    ];
    let texts = vec![None, Some("one\n"), Some("two\n"), Some("new\n")];
    prop_oneof![
        2 => edit(),
        1 => (prop::sample::select(paths), prop::sample::select(texts))
            .prop_map(|(path, text)| Step::Write(path, text)),
        1 => any::<Index>().prop_map(Step::Apply),
    ]
}

impl Desk {
    fn take(&mut self, step: &Step) {
        match step {
            Step::Edit(at, gone, new) => {
                let from = self.text.floor(at.index(self.text.len() + 1));
                let to = self.text.floor((from + gone).min(self.text.len()));
                self.edit(from..to, new);
            }
            Step::Type(at) => {
                let at = self.text.floor(at.index(self.text.len() + 1));
                self.edit(at..at, "x");
                self.review();
                self.edit(at..at + 1, "");
            }
            Step::Write(path, Some(text)) => self.write(path, text),
            Step::Write(path, None) => {
                self.files.files.remove(*path);
                self.reviewer.forget(Some(&FilePath::new(0, *path)));
            }
            Step::Apply(which) => {
                let review = self.review();
                let writes = review.proposals().filter(|p| p.effect() == Some(Effect::Write));
                let ready = writes.filter(|proposal| proposal.status == Status::Ready);
                let ready: Vec<usize> = ready.map(|proposal| proposal.placed.index).collect();
                if !ready.is_empty() {
                    self.apply(ready[which.index(ready.len())]);
                }
            }
        }
    }
}

impl Desk {
    /// Begins a review that is cancelled at the `nth` block that is ready, or before it begins.
    fn review_in_part(&mut self, nth: usize) {
        let limits = Limits { cancel: Cancel::new(), ..self.limits.clone() };
        let ready = Cell::new(0);
        let bar = |_: &Block, _: &CheckResult| {
            ready.set(ready.get() + 1);
            if ready.get() == nth {
                limits.cancel.cancel();
            }
            None
        };
        if nth == 0 {
            limits.cancel.cancel();
        }
        self.reviewer.review_barring(&self.scan, &self.files, &limits, &bar);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_review_after_edits_is_a_fresh_one(
        start in prop::collection::vec(piece(), 0..60),
        edits in prop::collection::vec(edit(), 1..8),
        blocks in prop_oneof![3 => Just(10_000usize), 1 => 0usize..20],
        parts in parts(),
    ) {
        let limits = Limits { blocks, ..Limits::default() };
        let mut desk = Desk::limited(&start.concat(), &FILES, limits.clone());
        desk.reviewer.parts = parts;
        desk.review();
        for edit in edits {
            desk.take(&edit);
            let mut fresh = Desk::limited(&desk.text.to_string(), &FILES, limits.clone());
            prop_assert_eq!(all(&desk.review()), all(&fresh.review()));
        }
    }

    #[test]
    fn what_is_not_checked_again_would_be_checked_the_same(
        start in prop::collection::vec(piece(), 0..40),
        steps in prop::collection::vec(step(), 1..12),
        parts in parts(),
    ) {
        let mut desk = Desk::new(&start.concat(), &FILES);
        let mut careful = Desk::new(&start.concat(), &FILES);
        desk.reviewer.parts = parts;
        desk.review();
        careful.review();
        for step in steps {
            desk.take(&step);
            careful.take(&step);
            careful.reviewer.forget(None);
            let (is, would) = (all(&desk.review()), all(&careful.review()));
            let differs = is.iter().zip(&would).find(|(is, would)| is != would);
            prop_assert_eq!(differs, None);
            prop_assert_eq!(is.len(), would.len());
        }
    }

    #[test]
    fn without_replies_and_a_ledger_places_are_what_a_review_says_of_them(
        start in prop::collection::vec(piece(), 0..40),
        blocks in prop_oneof![3 => Just(10_000usize), 1 => 0usize..20],
    ) {
        let limits = Limits { blocks, ..Limits::default() };
        let has_replies =
            |text: &str| Desk::new(text, &[]).scan.reply_blocks().next().is_some();
        let start: String = start.into_iter().filter(|piece| !has_replies(piece)).collect();
        if has_replies(&start) {
            return Ok(());
        }
        let mut desk = Desk::limited(&start, &FILES, limits);
        let place = |proposal: Proposal| {
            let Proposal { placed, status, nth, around, .. } = proposal;
            let keeps = [Status::Superseded, Status::Invalid].contains(&status);
            (placed.index, placed.span, placed.inside, nth, keeps.then_some((status, around)))
        };
        let places = Review::of_places(&desk.scan);
        let reviewed = desk.review();
        prop_assert!(places.proposals().map(place).eq(reviewed.proposals().map(place)));
        prop_assert!(places.stray().eq(reviewed.stray()));
    }

    #[test]
    fn a_review_that_was_cancelled_changes_nothing(
        start in prop::collection::vec(piece(), 0..40),
        steps in prop::collection::vec((step(), prop::option::of(0usize..6)), 1..8),
        parts in parts(),
    ) {
        let mut desk = Desk::new(&start.concat(), &FILES);
        desk.reviewer.parts = parts;
        let mut undisturbed = Desk::new(&start.concat(), &FILES);
        desk.review();
        undisturbed.review();
        for (step, cancelled) in steps {
            desk.take(&step);
            undisturbed.take(&step);
            if let Some(nth) = cancelled {
                desk.review_in_part(nth);
            }
            prop_assert_eq!(all(&desk.review()), all(&undisturbed.review()));
        }
    }
}
