//! Proposals from first sight to applied, and back.

mod at_once;
mod came_in;
mod offers;
mod properties;
mod rivals;
mod toy;

use super::*;
use crate::dialect::operator::encode;
use crate::ledger::{Answer, Door, Event};
use crate::limits::Limits;
use crate::path::FilePath;
use crate::scan::Scan;
use crate::scan::tests::both;
use crate::snapshot::MemorySnapshot;
use crate::text::Text;

/// A transcript, a workspace, and a reviewer that remembers.
struct Desk {
    text: Text,
    scan: Scan,
    files: MemorySnapshot,
    reviewer: Reviewer,
    limits: Limits,
}

impl Desk {
    fn new(transcript: &str, files: &[(&str, &str)]) -> Desk {
        Desk::limited(transcript, files, Limits::default())
    }

    fn limited(transcript: &str, files: &[(&str, &str)], limits: Limits) -> Desk {
        let text = Text::new(transcript);
        let scan = Scan::new(&text, &both(), &limits);
        let files = MemorySnapshot::of(files.iter().copied());
        Desk { text, scan, files, reviewer: Reviewer::default(), limits }
    }

    fn review(&mut self) -> Review {
        self.reviewer.review(&self.scan, &self.files, &self.limits)
    }

    /// One line a proposal: its status, the block that it waits for, its problems' codes.
    fn shown(&mut self) -> Vec<String> {
        let line = |proposal: &Proposal| {
            let mut line = proposal.status.as_str().to_owned();
            if let Some(after) = &proposal.ready_after {
                line += &format!(" after {}", after.index);
            }
            let problems: Vec<_> = proposal.problems().collect();
            problems.iter().for_each(|problem| line += &format!(" {}", problem.code));
            line
        };
        self.review().proposals().map(|proposal| line(&proposal)).collect()
    }

    fn write(&mut self, path: &str, text: &str) {
        self.files.files.insert(path.to_owned(), text.into());
        self.reviewer.forget(Some(&FilePath::new(0, path)));
    }

    fn edit(&mut self, span: Span, text: &str) {
        self.text.replace(span.clone(), text);
        self.scan.edit(&self.text, span, text.len(), &both(), &self.limits);
    }

    fn append(&mut self, text: &str) {
        let end = self.text.len();
        self.edit(end..end, text);
    }

    /// Applies one block as a shell does, and tells the ledger.
    fn apply(&mut self, index: usize) {
        let shown = self.review().proposal(index).unwrap();
        let checked = self.reviewer.book().check(&shown, &self.files, &self.limits);
        let (plan, work) = (checked.plan.clone(), checked.work());
        self.files.apply(&plan.expect("the block can be applied").changes);
        let work = work.unwrap();
        work.transitions.iter().for_each(|it| self.reviewer.forget(Some(&it.path)));
        self.reviewer.book_mut().made(Door::Lsp, vec![work]);
    }

    /// Plans everything that can be applied.
    fn plan_all(&mut self) -> Planned {
        let review = self.review();
        let book = self.reviewer.book();
        book.plan_all(&review, &self.files, &self.limits, |_| true).unwrap()
    }

    /// Applies everything that can be, in one step.
    fn apply_all(&mut self) {
        let planned = self.plan_all();
        self.files.apply(&planned.changes);
        let works = planned.done.iter().filter_map(Proposal::work).collect();
        self.reviewer.book_mut().made(Door::Lsp, works);
        self.reviewer.forget(None);
    }

    /// Notes that the user has refused a block.
    fn refuse(&mut self, index: usize) {
        let block = self.review().proposal(index).unwrap().id();
        let answer = Answer { refused: true, ..Answer::default() };
        let book = self.reviewer.book_mut();
        let transcript = book.transcript.clone();
        book.ledger.apply(&Event::Answered { transcript, block, answer });
        self.reviewer.forget(None);
    }

    fn statuses(&mut self) -> Vec<Status> {
        self.review().proposals().map(|proposal| proposal.status).collect()
    }
}

fn block(id: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let fields: String = fields.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
    format!("OPERATOR_CMD\nversion: 1\nid: {id}\naction: {action}\n{fields}END_OPERATOR_CMD\n")
}

fn write(id: &str, path: &str, content: &str) -> String {
    block(id, "fs.write", &[("path", path), ("content_b64", &encode(content))])
}

fn replace(id: &str, path: &str, find: &str, text: &str) -> String {
    let edits = serde_json::json!({"version": 1, "edits": [{"op": "replaceFirst", "find": find, "text": text}]});
    block(id, "fs.applyEdits", &[("path", path), ("edits_b64", &encode(&edits.to_string()))])
}

#[test]
fn an_observed_base_makes_an_overwrite_stale_and_an_edit_planned_anew() {
    let transcript = write("w", "a.txt", "new\n") + &replace("e", "b.txt", "one", "two");
    let mut desk = Desk::new(&transcript, &[("a.txt", "old\n"), ("b.txt", "one\n")]);
    assert_eq!(desk.shown(), ["ready operator/unread-target", "ready operator/unread-target"]);
    desk.write("a.txt", "newer\n");
    desk.write("b.txt", "one\nmore\n");
    assert_eq!(
        desk.shown(),
        ["stale operator/unread-target plan/stale", "ready operator/unread-target plan/stale"]
    );
    desk.write("a.txt", "old\n");
    assert_eq!(desk.shown()[0], "ready operator/unread-target", "content decides");
}

#[test]
fn what_came_with_a_directory_is_looked_at_before_it_is_held_against_an_earlier_base() {
    let moved = block("m", "fs.move", &[("path", "sub"), ("path_to", "moved")]);
    let edit = replace("e", "moved/c.txt", "one", "two");
    let mut desk = Desk::new(&(moved.clone() + &edit), &[("sub/c.txt", "one\n")]);
    desk.shown();
    desk.edit(moved.len()..desk.text.len(), "");
    desk.apply(0);
    desk.append(&edit);
    assert_eq!(desk.shown(), ["applied", "ready operator/unread-target"]);
}

#[test]
fn a_proposal_is_applied_when_its_targets_say_so_and_ready_when_they_are_as_before() {
    let mut desk = Desk::new(&replace("e", "a.txt", "one", "two"), &[("a.txt", "one\n")]);
    assert_eq!(desk.shown(), ["ready operator/unread-target"]);
    desk.write("a.txt", "two\n");
    assert_eq!(desk.shown(), ["applied"]);
    desk.write("a.txt", "one\n");
    assert_eq!(desk.shown(), ["ready operator/unread-target"]);
}

#[test]
fn a_file_that_a_comment_in_a_fence_may_name_counts_once_it_is_there() {
    let transcript = "```python\n# a.py\nx = 2\n\n# b.py\ny = 2\n```\n";
    let mut desk = Desk::new(transcript, &[("a.py", "x = 1\n")]);
    assert_eq!(desk.shown(), ["ready"]);
    desk.write("b.py", "y = 1\n");
    assert_eq!(desk.shown(), ["blocked files/not-a-file"]);
}

#[test]
fn a_change_that_is_typed_is_made_by_hand_however_often_it_is_looked_at() {
    let insert = |text: &str| {
        let edits = serde_json::json!({"version": 1, "edits": [{"op": "insertAfter", "anchor": "one\n", "text": text}]});
        let fields = [("path", "a.txt"), ("edits_b64", &*encode(&edits.to_string()))];
        block("i", "fs.applyEdits", &fields)
    };
    let blocks = [insert("two\n"), replace("r", "a.txt", "one\n", "one\ntwo\n")];
    for (transcript, often) in blocks.iter().flat_map(|it| [(it, true), (it, false)]) {
        let mut desk = Desk::new(transcript, &[("a.txt", "one\nthree\n")]);
        assert_eq!(desk.statuses(), [Status::Ready]);
        let states = (1..=4).map(|typed| format!("one\n{}three\n", &"two\n"[..typed]));
        for state in std::iter::once("one\nx\n".to_owned()).chain(states) {
            desk.write("a.txt", &state);
            if often {
                desk.review();
            }
        }
        assert_eq!(desk.statuses(), [Status::Applied], "{transcript} {often}");
        // That is cut where the file is as it was.
        desk.write("a.txt", "one\nthree\n");
        assert_eq!(desk.statuses(), [Status::Ready]);
    }
}

#[test]
fn what_was_applied_stays_so_when_a_later_block_changes_the_file_again() {
    let transcript = replace("e1", "a.txt", "one", "two") + &replace("e2", "a.txt", "two", "three");
    let mut desk = Desk::new(&transcript, &[("a.txt", "one\n")]);
    assert_eq!(
        desk.shown(),
        ["ready operator/unread-target", "blocked after 0 plan/text-not-found"]
    );
    desk.apply(0);
    assert_eq!(desk.shown()[1], "ready");
    desk.apply(1);
    assert_eq!(desk.statuses(), [Status::Applied, Status::Applied]);
}

#[test]
fn an_overwrite_is_not_made_stale_by_the_block_before_it() {
    let transcript = replace("e", "a.txt", "one", "two") + &write("w", "a.txt", "new\n");
    let mut desk = Desk::new(&transcript, &[("a.txt", "one\n")]);
    desk.shown();
    desk.apply(0);
    assert_eq!(desk.shown()[1], "ready");
    let planned = Desk::new(&transcript, &[("a.txt", "one\n")]).plan_all();
    assert_eq!((planned.done.len(), planned.failed.len()), (2, 0));
}

#[test]
fn what_a_file_happens_to_hold_is_written_again_after_a_block_that_changes_it() {
    let transcript = write("w1", "a.txt", "new\n") + &write("w2", "a.txt", "old\n");
    let mut desk = Desk::new(&transcript, &[("a.txt", "old\n")]);
    assert_eq!(desk.statuses(), [Status::Ready, Status::Satisfied]);
    let planned = desk.plan_all();
    assert_eq!((planned.done.len(), planned.failed.len()), (2, 0));
    desk.files.apply(&planned.changes);
    assert_eq!(desk.files.files["a.txt"], b"old\n");
    // One by one it is the same, and what was done is not done again.
    desk.apply(0);
    assert_eq!(desk.statuses(), [Status::Applied, Status::Ready]);
    desk.apply(1);
    assert_eq!(desk.statuses(), [Status::Applied, Status::Applied]);
    assert!(desk.plan_all().done.is_empty());
    // Undone step by step.
    desk.write("a.txt", "new\n");
    assert_eq!(desk.statuses(), [Status::Applied, Status::Ready]);
    desk.write("a.txt", "old\n");
    assert_eq!(desk.statuses()[0], Status::Ready);
}

#[test]
fn a_file_that_is_put_back_from_outside_makes_what_was_applied_first_ready_again() {
    let transcript = write("w1", "a.txt", "one\n") + &write("w2", "a.txt", "two\n");
    let mut desk = Desk::new(&transcript, &[("a.txt", "old\n")]);
    desk.shown();
    desk.apply(0);
    desk.shown();
    desk.apply(1);
    assert_eq!(desk.shown()[0], "applied");
    desk.write("a.txt", "old\n");
    assert_eq!(desk.shown()[0], "ready operator/unread-target");
}

#[test]
fn what_a_later_block_deletes_with_its_directory_was_done() {
    let transcript = write("w", "d/e/a.txt", "one\n")
        + &block("m", "fs.move", &[("path", "d"), ("path_to", "f")]);
    let mut desk = Desk::new(&transcript, &[]);
    desk.shown();
    desk.apply(0);
    desk.shown();
    desk.apply(1);
    desk.reviewer.forget(None);
    assert_eq!(desk.shown(), ["applied", "applied"]);
}

#[test]
fn what_a_reply_says_is_done_is_not_done_again_after_a_block_that_changes_its_file() {
    let one = crate::fingerprint::Fingerprint::of(b"one\n");
    let reply = format!(
        "OPERATOR_RESULT\nid: w1\nok: true\nsummary: wrote a.txt, {one}\nEND_OPERATOR_RESULT\n"
    );
    let transcript = write("w0", "a.txt", "two\n") + &write("w1", "a.txt", "one\n") + &reply;
    let mut desk = Desk::new(&transcript, &[("a.txt", "one\n")]);
    let planned = desk.plan_all();
    desk.files.apply(&planned.changes);
    assert_eq!(desk.files.files["a.txt"], b"two\n");
}

#[test]
fn what_was_undone_is_ready_again() {
    let mut desk = Desk::new(&replace("e", "a.txt", "one", "two"), &[("a.txt", "one\n")]);
    desk.shown();
    desk.apply(0);
    assert_eq!(desk.shown(), ["applied"]);
    desk.write("a.txt", "one\n");
    assert_eq!(desk.shown(), ["ready operator/unread-target"]);
}

#[test]
fn a_character_that_is_typed_and_deleted_again_changes_nothing() {
    let transcript = write("w", "a.txt", "new\n") + &replace("e", "b.txt", "one", "two");
    let mut desk = Desk::new(&transcript, &[("a.txt", "old\n"), ("b.txt", "one\n")]);
    desk.shown();
    desk.apply_all();
    assert_eq!(desk.shown(), ["applied", "applied"]);
    let at = desk.text.to_string().find("b.txt").unwrap();
    desk.edit(at..at, "x");
    assert_eq!(desk.statuses()[1], Status::Blocked);
    desk.edit(at..at + 1, "");
    assert_eq!(desk.shown(), ["applied", "applied"]);
}

#[test]
fn a_block_that_was_edited_after_it_was_applied_needs_a_look() {
    let insert = |text: &str| {
        let edit = serde_json::json!({"op": "insertAfter", "anchor": "one\n", "text": text});
        encode(&serde_json::json!({"version": 1, "edits": [edit]}).to_string())
    };
    let fields = [("path", "a.txt"), ("edits_b64", &insert("two\n"))];
    let mut desk = Desk::new(&block("e", "fs.applyEdits", &fields), &[("a.txt", "one\n")]);
    desk.shown();
    desk.apply(0);
    assert_eq!(desk.statuses(), [Status::Applied]);
    let at = desk.text.to_string().find(&insert("two\n")).unwrap();
    desk.edit(at..at + insert("two\n").len(), &insert("2\n"));
    let edited = desk.review().proposal(0).unwrap();
    assert_eq!(edited.reasons_to_look(), "this block was edited after it was applied");
    assert_eq!((desk.plan_all().done.len(), desk.plan_all().left.len()), (0, 1));
    desk.reviewer.forget(None);
    assert_eq!(desk.review().proposal(0).unwrap().cautions().len(), 1);
    desk.edit(at..at + insert("2\n").len(), &insert("two\n"));
    assert_eq!(desk.statuses(), [Status::Applied]);
    // It is the one that was applied.
    desk.write("a.txt", "one\n");
    assert_eq!(desk.statuses(), [Status::Ready]);
    assert_eq!(desk.review().proposal(0).unwrap().cautions(), []);
}

#[test]
fn a_block_of_the_person_who_asks_needs_a_look_once_an_answer_has_its_head() {
    let chat = format!("## User\n{}", replace("r", "a.txt", "one", "two"));
    let mut desk = Desk::new(&chat, &[("a.txt", "one\n")]);
    let looks = |desk: &mut Desk| {
        let proposal = desk.review().proposal(0).unwrap();
        proposal.cautions().iter().map(|it| it.reason.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(looks(&mut desk), [""; 0]);
    let len = desk.text.len();
    desk.append("\n## Assistant\nNo.\n");
    assert_eq!(looks(&mut desk), ["shown"]);
    assert_eq!((desk.plan_all().done.len(), desk.plan_all().left.len()), (0, 1));
    let end = desk.text.len();
    desk.edit(len..end, "");
    assert_eq!(looks(&mut desk), [""; 0]);
    desk.edit(3..7, "Bot");
    desk.append("\n## Assistant\n");
    assert_eq!(looks(&mut desk), [""; 0]);
}

#[test]
fn an_overwrite_does_not_become_fresh_by_an_edit_of_its_block() {
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
    desk.shown();
    desk.write("a.txt", "newer\n");
    assert_eq!(desk.statuses(), [Status::Stale]);
    let at = desk.text.to_string().find("content_b64: ").unwrap() + "content_b64: ".len();
    desk.edit(at..at, "AAAA");
    assert_eq!(desk.statuses(), [Status::Stale]);
}

#[test]
fn an_edit_of_an_id_or_a_longer_one_does_not_make_a_block_another_one() {
    for (of, new) in [("id: w", "x"), ("content_b64: ", &*encode("more than sixteen bytes, ok"))] {
        let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
        desk.shown();
        let at = desk.text.to_string().find(of).unwrap() + of.len();
        desk.write("a.txt", "newer\n");
        assert_eq!(desk.statuses(), [Status::Stale]);
        desk.edit(at..at, new);
        assert_eq!(desk.statuses(), [Status::Stale]);
    }
    let edit = r#"{"version":1,"edits":[{"op":"insertAfter","anchor":"one\n","text":"two\n"}]}"#;
    let text = block("e", "fs.applyEdits", &[("path", "a.txt"), ("edits_b64", &encode(edit))]);
    let mut desk = Desk::new(&text, &[("a.txt", "one\n")]);
    desk.shown();
    desk.apply(0);
    assert_eq!(desk.statuses(), [Status::Applied]);
    let at = text.find("id: e").unwrap() + "id: e".len();
    desk.edit(at..at, "x");
    let edited = desk.review().proposal(0).unwrap();
    assert_eq!(edited.reasons_to_look(), "this block was edited after it was applied");
}

#[test]
fn another_block_in_the_place_of_one_is_a_new_one() {
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
    desk.shown();
    desk.write("a.txt", "newer\n");
    assert_eq!(desk.statuses(), [Status::Stale]);
    let other = write("w2", "a.txt", "a longer text than before\n");
    desk.edit(0..desk.text.len(), &other);
    assert_eq!(desk.statuses(), [Status::Ready]);
}

#[test]
fn a_write_into_a_directory_that_an_earlier_block_deletes_is_not_stale() {
    let transcript =
        block("d", "fs.delete", &[("path", "sub")]) + &write("w", "sub/a.txt", "new\n");
    let mut desk = Desk::new(&transcript, &[("sub/a.txt", "old\n"), ("sub/b.txt", "b\n")]);
    desk.shown();
    desk.apply(0);
    assert_eq!(desk.shown(), ["applied", "ready"]);
}

#[test]
fn a_stated_base_counts_whatever_the_plan_says() {
    let base = crate::fingerprint::Fingerprint::of(b"old\n").to_string();
    let text = write("w", "a.txt", "new\n")
        .replace("END_OPERATOR_CMD", &format!("base_fingerprint: {base}\nEND_OPERATOR_CMD"));
    assert_eq!(Desk::new(&text, &[("a.txt", "old\n")]).shown(), ["ready"]);
    assert_eq!(Desk::new(&text, &[("a.txt", "other\n")]).shown(), ["stale plan/stale"]);
    assert_eq!(Desk::new(&text, &[]).shown(), ["stale plan/stale"]);
    assert_eq!(Desk::new(&text, &[("a.txt", "new\n")]).shown(), ["satisfied plan/no-change"]);
}

#[test]
fn the_current_content_can_be_taken_as_the_base() {
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
    desk.shown();
    desk.write("a.txt", "newer\n");
    let proposal = desk.review().proposal(0).unwrap();
    let stale = proposal.problems().find(Problem::is_error).unwrap();
    let edit = stale.fixes[0].edits[0].clone();
    desk.edit(edit.span, &edit.text);
    assert_eq!(desk.shown(), ["ready"]);
}

#[test]
fn replies_below_a_block_say_what_became_of_it() {
    let refused =
        "OPERATOR_RESULT\nid: w\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n";
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[]);
    assert_eq!(desk.shown(), ["ready"]);
    desk.append(refused);
    assert_eq!(desk.statuses(), [Status::Ready], "the user has refused nothing");
    desk.refuse(0);
    assert_eq!(desk.shown(), ["rejected"]);
    desk.append(&refused.replace("ok: false", "ok: true").replace("refused", "written"));
    assert_eq!(desk.statuses(), [Status::Ready], "nothing was written");
    desk.apply(0);
    assert_eq!(desk.shown(), ["applied"]);
    desk.append(&write("w", "a.txt", "another\n"));
    let shown = ["superseded operator/duplicate-id", "ready operator/unread-target"];
    assert_eq!(desk.shown(), shown);
}

#[test]
fn a_reply_that_names_a_block_twice_does_not_count_once_it_is_gone() {
    let block = "a.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```\n";
    let mut desk = Desk::new(block, &[("a.txt", "one\n")]);
    let name = desk.scan.blocks().next().unwrap().block.answered_as().unwrap().to_owned();
    let item = format!("`a.txt` ({name}): applied.\n");
    desk.append(&format!("operator-lsp applied 2 of 2 blocks.\n\n1. {item}2. {item}"));
    assert_eq!(desk.shown(), ["ready reply/unverified"]);
    desk.edit(block.len()..block.len() + 1, "");
    assert_eq!(desk.shown(), ["ready"]);
}

#[test]
fn a_reply_counts_no_more_once_the_change_is_known_to_be_undone() {
    let mut desk = Desk::new(&replace("e", "a.txt", "one", "two"), &[("a.txt", "one\n")]);
    desk.shown();
    desk.apply(0);
    desk.append("OPERATOR_RESULT\nid: e\nok: true\nsummary: done\nEND_OPERATOR_RESULT\n");
    assert_eq!(desk.shown(), ["applied"]);
    desk.write("a.txt", "one\n");
    assert_eq!(desk.shown(), ["ready operator/unread-target"]);
}

#[test]
fn blocks_wait_for_files_and_directories_of_earlier_ones() {
    let transcript = write("w", "new/a.txt", "one\n")
        + &block("m", "fs.move", &[("path", "new"), ("path_to", "old")])
        + &replace("e", "old/a.txt", "one", "two")
        + &write("o", "other.txt", "x\n")
        + &block("t", "fs.searchTree", &[("path", "."), ("query", "x")])
        + &block("r", "fs.read", &[("path", "old/a.txt")]);
    let mut desk = Desk::new(&transcript, &[]);
    let shown = desk.shown();
    assert_eq!(shown[0], "ready");
    assert!(shown[1].starts_with("blocked after 0"), "{shown:?}");
    assert!(shown[2].starts_with("blocked after 1"), "{shown:?}");
    assert!(shown[5].starts_with("blocked after 2"), "{shown:?}");
    assert!(desk.review().problems().all(|(_, problem)| !problem.is_error()));
    let planned = desk.plan_all();
    assert_eq!((planned.done.len(), planned.failed.len()), (6, 0));
    desk.files.apply(&planned.changes);
    assert_eq!(desk.files.files["old/a.txt"], b"two\n");
}

#[test]
fn an_edit_of_the_transcript_costs_no_memory_of_the_other_blocks() {
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
    desk.shown();
    desk.write("a.txt", "newer\n");
    desk.append("prose\n");
    desk.append(&block("l", "fs.list", &[("path", ".")]));
    assert_eq!(desk.shown(), ["stale operator/unread-target plan/stale", "ready"]);
}

#[test]
fn a_block_that_a_later_one_supersedes_is_planned_anew_once_it_counts_again() {
    let first = write("w", "a.txt", "new\n");
    let mut desk = Desk::new(&first, &[("a.txt", "old\n")]);
    desk.shown();
    desk.append(&write("w", "b.txt", "new\n"));
    assert_eq!(desk.statuses()[0], Status::Superseded);
    assert!(desk.review().looks_at(&FilePath::new(0, "a.txt")));
    desk.write("a.txt", "newer\n");
    desk.shown();
    let end = desk.text.len();
    desk.edit(first.len()..end, "");
    assert_eq!(desk.shown(), ["stale operator/unread-target plan/stale"]);
}

#[test]
fn a_block_in_unended_raw_text_is_planned_anew_once_it_counts_again() {
    let open = "BEGIN a\nTEXT e\n";
    let mut desk = Desk::new(&write("w", "a.txt", "new\n"), &[("a.txt", "old\n")]);
    desk.shown();
    desk.edit(0..0, open);
    assert_eq!(desk.statuses(), [Status::Invalid, Status::Blocked]);
    assert!(desk.review().looks_at(&FilePath::new(0, "a.txt")));
    desk.write("a.txt", "newer\n");
    desk.shown();
    desk.edit(0..open.len(), "");
    assert_eq!(desk.shown(), ["stale operator/unread-target plan/stale"]);
}

#[test]
fn a_read_that_is_superseded_does_not_count_as_read() {
    let read = block("r", "fs.read", &[("path", "a.txt")]);
    let mut desk = Desk::new(&(read + &write("w", "a.txt", "new\n")), &[("a.txt", "old\n")]);
    assert_eq!(desk.shown(), ["ready", "ready"]);
    desk.append(&block("r", "fs.list", &[("path", ".")]));
    assert_eq!(desk.shown()[1], "ready operator/unread-target");
}

#[test]
fn a_block_whose_number_among_equal_ones_changes_is_planned_anew() {
    let equal = write("w", "a.txt", "new\n");
    let mut desk = Desk::new(&equal.repeat(2), &[("a.txt", "old\n")]);
    desk.shown();
    desk.write("a.txt", "newer\n");
    desk.append(&equal);
    desk.shown();
    // The third block is the second now, and that one was made for the file as it was.
    desk.edit(0..equal.len(), "");
    let shown = desk.shown();
    desk.reviewer.forget(None);
    assert_eq!(shown, desk.shown());
}
