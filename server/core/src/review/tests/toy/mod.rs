//! What `CONTRIBUTING.md` says of a new dialect is true: one folder and one line in the registry
//! take it from the text of a transcript to a plan and a reply.

mod dialect;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::dialect::{ALL, Answers, Dialect, Dialects, Reply};
use crate::limits::Limits;
use crate::review::{Reviewer, Status};
use crate::scan::Scan;
use crate::snapshot::MemorySnapshot;
use crate::text::Text;
use dialect::Toy;

/// The registry with one line more.
fn dialects() -> Dialects {
    let all: Vec<&'static dyn Dialect> =
        ALL.iter().copied().chain([&Toy as &dyn Dialect]).collect();
    Dialects::new(&all)
}

#[test]
fn a_dialect_is_scanned_parsed_planned_and_answered() {
    let mut files = MemorySnapshot::of([("a.txt", "one\n")]);
    let mut transcript = "The new `a.txt`:\n\n@toy 7\ntwo\n@end\n".to_owned();
    let review = |transcript: &str, files: &MemorySnapshot| {
        let text = Text::new(transcript);
        let scan = Scan::new(&text, &dialects(), &Limits::default());
        let mut reviewer = Reviewer::default();
        let review = reviewer.review(&scan, files, &Limits::default());
        let proposal = review.proposal(0).expect("there is a block");
        let checked = reviewer.book().check(&proposal, files, &Limits::default());
        (proposal, checked, text)
    };

    let (_, ready, text) = review(&transcript, &files);
    assert_eq!((ready.status, ready.title().as_str()), (Status::Ready, "write a.txt"));
    let answers = [ready.answer()];
    let to = Answers { transcript: &text, answers: &answers, strays: &[] };
    let reply = Toy.replies(&to).concat();
    files.apply(&ready.plan.expect("a ready block has a plan").changes);
    assert_eq!(files.files["a.txt"].as_slice(), b"two\n");

    transcript += &reply;
    let (applied, ..) = review(&transcript, &files);
    assert_eq!((applied.status, applied.unverified), (Status::Applied, false));
    let (satisfied, ..) = review(&(transcript + "@failed 7\n"), &files);
    assert_eq!(satisfied.status, Status::Satisfied);
}

/// Lines with paths, blocks without one, and blocks of another dialect between them.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a.txt\n",
        "b.txt\n",
        "prose\n",
        "\n",
        "@toy 1\n",
        "@toy 2\n",
        "@end\n",
        "@toy 3\nx\n@end\n",
        "@done 1\n",
        "a.txt\n@toy 4\nx\n@end\n",
        "OPERATOR_CMD\n",
        "path: c.txt\n",
        "END_OPERATOR_CMD\n",
        "```json\n",
        "{\"success\": true,\n",
    ])
}

/// What a scan says of each block.
fn shown(scan: &Scan) -> Vec<String> {
    let blocks = scan.blocks().map(|it| {
        let parsed = &it.block.parsed;
        format!("{} {:?} {:?} {:?}", it.index, it.span, parsed.id, parsed.path)
    });
    let replies =
        scan.reply_blocks().map(|(span, block)| format!("{span:?} {:?}", block.parsed.says));
    blocks.chain(replies).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_path_above_is_found_again_after_edits(
        start in prop::collection::vec(piece(), 0..30),
        edits in prop::collection::vec((any::<Index>(), 0usize..20, prop::collection::vec(piece(), 0..3)), 1..6),
    ) {
        let (dialects, limits) = (dialects(), Limits::default());
        let mut text = Text::new(&start.concat());
        let mut scan = Scan::new(&text, &dialects, &limits);
        for (at, len, new) in edits {
            let from = at.index(text.len() + 1);
            let (old, new) = (from..(from + len).min(text.len()), new.concat());
            text.replace(old.clone(), &new);
            scan.edit(&text, old, new.len(), &dialects, &limits);
            let fresh = Scan::new(&text, &dialects, &limits);
            prop_assert_eq!(shown(&scan), shown(&fresh), "{:?}", text.to_string());
        }
    }
}
