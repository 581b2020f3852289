//! What a scan finds in a text, at once and edit by edit.

use std::fmt::Write;

mod blocks;
mod chunks;
mod cost;
mod edits;
mod properties;
mod questions;

use super::*;
use crate::dialect::{
    Answers, BlockEnd, Candidate, Dialect, LineKind, Opening, Parsed, Read, Reader, Recognise,
    Reply, ReplyStyle, Role, Rules, Source,
};
use crate::review::{Proposal, Reviewer};
use crate::snapshot::{MemorySnapshot, PathStyle};

/// A dialect that only the tests have: it proves that a dialect is one thing in one place, and it
/// carries raw text, which `operator` does not. `BEGIN id` … `TEXT word` raw lines `word` … `FINISH`.
struct Testing;

static TESTING: Testing = Testing;

#[derive(Default)]
struct TestingReader {
    raw: Option<String>,
}

impl Reader for TestingReader {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        match &self.raw {
            Some(word) if word == line => {
                self.raw = None;
                LineKind::Fits
            }
            Some(_) => LineKind::Other,
            None if line == "FINISH" => LineKind::Ends,
            None if line.starts_with("BEGIN ") => LineKind::Breaks(BlockEnd::Nested),
            None => {
                self.raw = line.strip_prefix("TEXT ").map(str::to_owned);
                if self.raw.is_some() { LineKind::Fits } else { LineKind::Other }
            }
        }
    }

    fn raw(&self) -> bool {
        self.raw.is_some()
    }

    fn closes(&self, line: &str) -> bool {
        line == "FINISH"
    }
}

static RULES: Rules = Rules {
    name: "testing",
    help: "a dialect of tests",
    family: "testing",
    needles: &["BEGIN ", "FINISH"],
    needles_any_case: &[],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Relative,
    reply: ReplyStyle::PerBlock,
    ids_are_unique: true,
    reads_first: true,
    in_json: false,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: None,
    specification: "",
};

impl Dialect for Testing {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Testing {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        match candidate.line {
            "FINISH" => Opening::Stray(Problem::new(
                problem::OPERATOR_UNEXPECTED_END,
                0.."FINISH".len(),
                "no block to finish",
            )),
            line if line.starts_with("BEGIN ") => Opening::Starts,
            _ => Opening::Nothing,
        }
    }
    fn reader(&self, _: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(TestingReader::default())
    }
}

impl Read for Testing {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        let id = source.text.lines().next().and_then(|line| line.strip_prefix("BEGIN "));
        Parsed { id: id.map(str::to_owned), ..Parsed::new(Role::Command, "\n") }
    }
}

impl Reply for Testing {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        to.answers.iter().map(|it| it.placed.block.parsed.id.clone().unwrap_or_default()).collect()
    }
}

/// The dialects of the product, and the one that only the tests have.
pub fn both() -> Dialects {
    let all: Vec<&'static dyn Dialect> =
        crate::dialect::ALL.iter().copied().chain([&TESTING as &dyn Dialect]).collect();
    Dialects::new(&all).at_home(Some("/work"))
}

/// What a scan found, as text: one line a block, reply or stray problem.
fn shown(scan: &Scan) -> String {
    let mut out = String::new();
    for placed in scan.blocks() {
        let Placed { index, span, block, inside, is_draft } = placed;
        let name = block.dialect.name();
        let id = block.parsed.id.as_deref().unwrap_or("-");
        let _ = write!(out, "{index} {name} {id} {span:?} {:?} inside {inside:?}", block.end);
        out.push_str(if is_draft { " draft" } else { "" });
        for problem in &block.parsed.problems {
            let _ = write!(out, " {}@{:?}", problem.code, problem.span);
        }
        if let Some(path) = &block.parsed.path {
            let _ = write!(out, " in {path}");
        }
        out.push('\n');
    }
    for (span, block) in scan.reply_blocks() {
        let id = block.parsed.id.as_deref().unwrap_or("-");
        let claims = block.parsed.says.iter().map(|said| (said.claim.ok, said.claim.refused));
        let _ = writeln!(out, "{id} {span:?} {:?}", claims.collect::<Vec<_>>());
    }
    for problem in scan.problems() {
        let _ = writeln!(out, "{} {:?}", problem.code, problem.span);
    }
    out
}

/// All that somebody can learn from a scan: for each block its place and everything it says, its
/// problems with their ranges, messages, details, related places and fixes; and every stray one.
fn everything(scan: &Scan) -> Vec<String> {
    let of = |block: &Block| {
        let Parsed {
            role,
            id,
            action,
            path,
            path_above,
            effect,
            eol,
            fields,
            problems,
            command,
            unnamed,
            leaves,
            asked,
            is_printed,
            call,
            says,
        } = &block.parsed;
        let commands = [command.as_ref(), unnamed.as_deref()];
        let asks = commands.map(|it| it.map(|command| (&command.name, &command.steps)));
        format!(
            "{} {} {} {:?} {:?} | {role:?} {id:?} {action:?} {path:?} {path_above:?} {effect:?} \
             {eol:?} {leaves:?} {asked:?} {is_printed} {call:?} {says:?} {fields:?} {problems:?} {asks:?} {}",
            block.dialect.name(),
            block.len,
            block.whole,
            block.end,
            block.raw_until,
            block.digest,
        )
    };
    let blocks = scan.blocks().map(|Placed { index, span, block, inside, is_draft }| {
        let shown = scan.is_shown(&block);
        format!("{index} {span:?} inside {inside:?} draft {is_draft} {shown} {}", of(&block))
    });
    let replies = scan.reply_blocks().map(|(span, block)| format!("{span:?} {}", of(block)));
    let problems: Vec<Problem> = scan.problems().collect();
    assert_eq!(problems.len(), scan.problem_count());
    blocks.chain(replies).chain(problems.iter().map(|problem| format!("{problem:?}"))).collect()
}

/// A scan that was edited from text to text, held against fresh ones.
struct Edited {
    text: Text,
    scan: Scan,
    dialects: Dialects,
    limits: Limits,
}

impl Edited {
    fn new(text: &str, limits: Limits) -> Edited {
        Edited::with(text, both(), limits)
    }

    fn with(text: &str, dialects: Dialects, limits: Limits) -> Edited {
        let text = Text::new(text);
        let scan = Scan::new(&text, &dialects, &limits);
        Edited { text, scan, dialects, limits }
    }

    fn replace(&mut self, span: Span, new: &str) {
        self.text.replace(span.clone(), new);
        self.scan.edit(&self.text, span, new.len(), &self.dialects, &self.limits);
    }

    /// What differs from a fresh scan, if anything does.
    fn differs(&self) -> Option<String> {
        self.scan.items.check();
        let fresh = Scan::new(&self.text, &self.dialects, &self.limits);
        let (is, wanted) = (everything(&self.scan), everything(&fresh));
        (is != wanted).then(|| format!("{:?}\n{is:#?}\n{wanted:#?}", self.text.to_string()))
    }
}

fn fresh(text: &str) -> Scan {
    Scan::new(&Text::new(text), &both(), &Limits::default())
}

fn check(text: &str, expected: &[&str]) {
    let shown = shown(&fresh(text));
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines, expected, "\n{text}");
}

#[test]
fn blocks_of_every_dialect_come_in_document_order() {
    check(
        "hi\nOPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: .\nEND_OPERATOR_CMD\n\
         BEGIN b\nTEXT e\nOPERATOR_CMD\ne\nFINISH\n",
        &["0 operator a 3..73 Closed inside None in .", "1 testing b 74..110 Closed inside None"],
    );
}

#[test]
fn another_dialects_start_ends_an_operator_block() {
    check(
        "OPERATOR_CMD\nid: a\nnot a field\nBEGIN b\nFINISH\n",
        &[
            "0 operator a 0..18 Unterminated inside None operator/missing-end@0..12 \
             operator/missing-field@0..12 operator/missing-field@0..12",
            "1 testing b 31..45 Closed inside None",
        ],
    );
}

#[test]
fn what_stands_in_unended_raw_text_is_found_and_marked() {
    check(
        "BEGIN a\nTEXT e\nBEGIN b\nFINISH\nBEGIN c\nFINISH\n",
        &[
            "0 testing a 0..14 Unterminated inside None",
            "1 testing b 15..29 Closed inside Some(0)",
            "2 testing c 30..44 Closed inside None",
        ],
    );
}

#[test]
fn what_follows_unended_raw_text_is_not_inside() {
    let short = "```diff\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n a\n-b\n";
    let scan = fresh(&format!("{short}diff --git a/c b/c\n--- a/c\n+++ b/c\n@@\n-x\n+y\n```\n"));
    let found: Vec<_> = scan.blocks().map(|it| (it.span.start, it.inside)).collect();
    assert_eq!(found, [(0, None), (short.len(), None)]);
    assert!(scan.blocks().next().is_some_and(|it| it.block.raw_until == Some(short.len())));
}

#[test]
fn a_block_in_a_turn_of_the_person_who_asks_is_shown() {
    let block = "a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    let shown = |text: &str| -> Vec<bool> {
        let scan = fresh(text);
        scan.blocks().map(|it| scan.is_shown(&it.block)).collect()
    };
    let chat = format!("## User\n{block}Why?\n{block}## Assistant\nSo.\n{block}");
    assert_eq!(shown(&chat), [true, true, false]);
    assert_eq!(
        shown(&format!("User: x\n{block}Bot: y\n{block}User: z\n{block}")),
        [true, false, true]
    );
    assert_eq!(shown(&format!("## User\n```python\n{block}```\n## Bot\n{block}")), [true, false]);
    // Nobody answers, or the head of the answer is written otherwise.
    assert_eq!(shown(&format!("## User\n{block}{block}")), [false, false]);
    assert_eq!(shown(&format!("## Bot\n### User\n{block}## Bot\n")), [false]);
    assert_eq!(shown(&format!("## User\n{block}```\n## Bot\n```\n")), [false]);
    assert_eq!(shown(&format!("## User\n{}{block}## Bot\n", "x\n".repeat(30))), [false]);
}

#[test]
fn what_is_above_the_end_of_a_thought_is_a_draft() {
    let block = "BEGIN a\nFINISH\n";
    let drafts = |text: &str| -> Vec<bool> { fresh(text).blocks().map(|it| it.is_draft).collect() };
    assert_eq!(drafts(&format!("{block}</think>\n{block}")), [true, false]);
    assert_eq!(drafts(&format!("{block}x\n{block}  </thinking>\n")), [true, true]);
    assert_eq!(drafts(&format!("{block}## Bot\n{block}</think>\n{block}")), [false, true, false]);
    let reply = "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.\n\n";
    assert_eq!(drafts(&format!("{block}{reply}{block}</think>\n")), [false, true]);
    for above in ["<think>\n", "A line `<think>` begins it.\n", "```html\n<think>\n```\n"] {
        let text = format!("{above}x </think>\n{block}</think>\n{block}");
        assert_eq!(drafts(&text), [false, false], "{above}");
    }
    assert_eq!(drafts(&format!("{block}```\n</think>\n```\n")), [false]);
    assert_eq!(drafts(&format!("{block}It ends with </think>\n")), [false]);
    assert_eq!(drafts(&format!("{block}```\nUser: x\n```\n</think>\n{block}")), [true, false]);
}

#[test]
fn a_reply_parts_two_answers() {
    let edit = "a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n";
    let reply = "operator-lsp applied 2 of 2 blocks.\n\n1. `a.txt` (00000000): applied.\n\n";
    let scan =
        fresh(&format!("{edit}BEGIN a\nFINISH\n\n{edit}{reply}{edit}{edit}BEGIN b\nFINISH\n"));
    let together =
        |placed: Placed| scan.answered_with(&placed).iter().map(|it| it.index).collect::<Vec<_>>();
    let together: Vec<_> = scan.blocks().map(together).collect();
    let own = |of: [usize; 2]| of.to_vec();
    let (first, second, testing) = (own([0, 2]), own([3, 4]), own([1, 5]));
    assert_eq!(together, [&first, &testing, &first, &second, &second, &testing].map(Clone::clone));
    assert_eq!(scan.last_of("chat").map(|it| it.index), Some(4));
    assert_eq!(scan.last_of("nothing").map(|it| it.index), None);
}

const PAIR: &str = "<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>\n";

/// The paths of a transcript's blocks.
fn paths(scan: &Scan) -> Vec<String> {
    let path = |placed: Placed| placed.block.parsed.path.clone().unwrap_or("-".to_owned());
    scan.blocks().map(path).collect()
}

#[test]
fn a_diff_is_an_example_but_in_a_chat() {
    let diff = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@\n-one\n+two\n```\n";
    let found = |text: &str| {
        let scan = Scan::new(&Text::new(text), &both().in_any_document(), &Limits::default());
        scan.blocks().map(|placed| placed.block.dialect.name()).collect::<Vec<_>>()
    };
    assert_eq!(found(diff), <[&str; 0]>::default());
    assert_eq!(found(&format!("{diff}BEGIN b\nFINISH\n")), ["diff", "testing"]);
    let reply = "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.\n";
    assert_eq!(found(&format!("{reply}\n{diff}")), ["diff"]);
    assert_eq!(fresh(diff).blocks().count(), 1);
}

#[test]
fn a_line_of_a_diff_may_lack_what_its_first_line_begins_with() {
    let text = "   ```diff\né😀\n-one\n";
    assert_eq!(shown(&fresh(text)).lines().count(), 1);
    let diff = "```diff\n-one\n+two\n```\n";
    let names = |text: &str| {
        let scan = fresh(text);
        let of = |placed: Placed| placed.block.parsed.problems.iter().map(|it| it.code).collect();
        scan.blocks().map(of).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(names(&format!("\u{feff}{diff}")), names(diff));
}

#[test]
fn a_fence_far_above_says_what_a_line_is() {
    for line in ["Delete `a.txt`\n", "~~~ diff\n-one\n+two\n"] {
        let text = format!("```\n{}{line}", "prose\n".repeat(40));
        let mut edited = Edited::new(&text, Limits::default());
        edited.replace(0..4, "");
        assert_eq!(edited.differs(), None, "{line}");
        edited.replace(0..0, "~~~~\n");
        assert_eq!(edited.differs(), None, "{line}");
    }
}

#[test]
fn a_comment_turns_the_search_off_inside_a_diff() {
    let text = "~~~ diff\n-a\n<!-- operator-lsp: off -->\n-b\nBEGIN b\nFINISH\n";
    let mut edited = Edited::with(text, both().in_any_document(), Limits::default());
    edited.replace(0..0, "BEGIN a\nFINISH\n");
    assert_eq!(edited.differs(), None);
    edited.replace(0..15, "");
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.blocks().count(), 0);
}

#[test]
fn a_draft_makes_a_document_a_chat_whatever_was_there_before() {
    let blocks = "END_OPERATOR_CMD\nOPERATOR_CMD\nSo be it. </think>\n";
    let mut edited = Edited::with(blocks, both().in_any_document(), Limits::default());
    for new in ["```\n<think>\n", "~~~\n", "<think>\n"] {
        edited.replace(0..0, new);
        assert_eq!(edited.differs(), None, "{new}");
    }
}

#[test]
fn a_comment_turns_the_search_off_inside_a_thought() {
    let block = "BEGIN a\nFINISH\n";
    let off = "<!-- operator-lsp: off -->\n";
    let on = "<!-- operator-lsp: on -->\n";
    let count = |text: &str| fresh(text).blocks().count();
    for dialects in [both(), both().in_any_document()] {
        let text = format!("<think>\n{block}{off}So be it. </think>\n{block}");
        let mut edited = Edited::with(&text, dialects, Limits::default());
        assert_eq!(edited.scan.blocks().count(), 0);
        edited.replace(8..8 + block.len(), "");
        assert_eq!(edited.differs(), None);
        assert_eq!(edited.scan.blocks().count(), 0);
    }
    assert_eq!(count(&format!("<think>\n{off}</think>\n{block}{on}{block}{block}")), 2);
    assert_eq!(count(&format!("<think>\n{off}{block}{on}{block}</think>\n{block}")), 1);
    assert_eq!(count(&format!("<think>\n{on}{block}</think>\n{block}")), 1);
}

#[test]
fn a_pair_belongs_to_the_file_of_the_pair_before() {
    let text = format!("<<<FILE>>>\na.txt\n{PAIR}and\n{PAIR}BEGIN x\nFINISH\n{PAIR}");
    assert_eq!(paths(&fresh(&text)), ["a.txt", "a.txt", "-", "-"]);
    let text = format!("<<<FILE>>>\na\n{PAIR}<<<EXPLANATION>>>\nwhy\n{PAIR}{PAIR}");
    assert_eq!(paths(&fresh(&text)), ["a", "-", "-"]);
}

#[test]
fn another_path_reaches_every_pair_of_its_file() {
    let (dialects, limits) = (both(), Limits::default());
    let mut text = Text::new(&format!("<<<FILE>>>\na\n{}<<<FILE>>>\nc\n{PAIR}", PAIR.repeat(9)));
    let mut scan = Scan::new(&text, &dialects, &limits);
    let before: Vec<Placed> = scan.blocks().collect();
    text.replace(11..12, "bb");
    scan.edit(&text, 11..12, 2, &dialects, &limits);
    assert_eq!(paths(&scan), [&["bb"; 9][..], &["c"]].concat());
    let after: Vec<Placed> = scan.blocks().collect();
    assert!(after[9].block.is(&before[9].block), "another file's blocks stay what they are");
}

/// The operator blocks of a transcript: their status, and where their problems are.
fn checked(text: &str) -> Vec<String> {
    let snapshot = MemorySnapshot::of([("a.txt", "a")]);
    let review = Reviewer::default().review(&fresh(text), &snapshot, &Limits::default());
    let operator = |proposal: &Proposal| proposal.placed.block.dialect.name() == "operator";
    let line = |proposal: Proposal| {
        let problem = |it: Problem| format!(" {} ‹{}›: {}", it.code, &text[it.span], it.message);
        let problems: String = proposal.problems().map(problem).collect();
        format!("{}{problems}", proposal.status.as_str())
    };
    review.proposals().filter(operator).map(line).collect()
}

#[test]
fn what_may_be_raw_text_is_blocked() {
    let delete = |id: &str| {
        format!(
            "OPERATOR_CMD\nversion: 1\nid: {id}\naction: fs.delete\npath: a.txt\nEND_OPERATOR_CMD\n"
        )
    };
    let unended = format!("BEGIN a\nTEXT e\n{}FINISH\n{}", delete("1"), delete("2"));
    assert_eq!(
        checked(&unended),
        [
            "blocked scan/inside-unterminated ‹OPERATOR_CMD›: this may belong to block 1, \
             which has no end, so it is not run; fix that block first",
            "ready",
        ]
    );
    // Once the raw text has its end, what was in it was text.
    let ended = format!("BEGIN a\nTEXT e\n{}e\nFINISH\n", delete("1"));
    assert_eq!(checked(&ended), <[String; 0]>::default());
}

#[test]
fn a_fix_stands_where_the_text_beyond_a_block_has_it() {
    let mut edited = Edited::new("<<<REPLACE>>\nr o\n<<<FILE>>>\n", Limits::default());
    edited.replace(13..edited.text.len(), "RCH>>>>>>\nb.txt");
    assert_eq!(edited.differs(), None);
}

#[test]
fn an_open_block_keeps_its_identity_while_it_says_the_same() {
    let text =
        "#!SHAM [@three-char-SHA-256: abc]\ncontent = <<'EOT_SHAM_abc'\nprose and prose\nmore\n";
    let mut edited = Edited::new(text, Limits::default());
    let before: Vec<Placed> = edited.scan.blocks().collect();
    let at = text.find("and").unwrap();
    edited.replace(at..at + 3, "not");
    let after: Vec<Placed> = edited.scan.blocks().collect();
    assert!(after[0].block.is(&before[0].block));
}

#[test]
fn the_same_block_with_other_line_endings_is_parsed_anew_and_known_by_the_same() {
    // As many bytes, with the ending of two bytes at another line.
    let [one, other] = ["BEGIN a\r\nTEXT e\ne\nFINISH\n", "BEGIN a\nTEXT e\r\ne\nFINISH\n"];
    let mut edited = Edited::new(one, Limits::default());
    let before: Vec<Placed> = edited.scan.blocks().collect();
    edited.replace(0..one.len(), other);
    let after: Vec<Placed> = edited.scan.blocks().collect();
    assert!(!after[0].block.is(&before[0].block));
    assert_eq!(after[0].block.digest, before[0].block.digest);
    let unix: Vec<Placed> = fresh(&one.replace('\r', "")).blocks().collect();
    assert_eq!(unix[0].block.digest, before[0].block.digest);
    assert_eq!(edited.differs(), None);
}

#[test]
fn what_the_line_above_a_fence_says_of_its_file_is_followed() {
    let text = "chat\n\nNew file: a.md\n```markdown a.txt\ntext\n```\n";
    let mut edited = Edited::new(text, Limits::default());
    edited.scan.is_chat = true;
    edited.replace(6..9, "Old");
    assert_eq!(edited.differs(), None);
}

#[test]
fn a_section_is_followed_however_long_it_is() {
    let text = format!("<<<FILE>>>\na\n<<<OVERWRITE>>>\n{}<<<END>>>\n", "x\n".repeat(100_000));
    assert_eq!(shown(&fresh(&text)).lines().count(), 1);
    assert!(fresh(&text).blocks().all(|placed| placed.block.end == BlockEnd::Closed));
}

#[test]
fn a_scan_ends_with_the_first_block_beyond_the_limit() {
    let limits = Limits { blocks: 2, ..Limits::default() };
    let block = "BEGIN a\nFINISH\n";
    let mut edited = Edited::new(&format!("{}FINISH\nprose\n", block.repeat(5)), limits);
    assert_eq!((edited.scan.items.len(), edited.scan.problem_count()), (3, 1));
    // A block goes, and the next one is found; all of those beyond the limit go.
    for gone in [0..1, 14..21, 6..9, 20..50] {
        edited.replace(gone.clone(), "");
        assert_eq!(edited.differs(), None, "{gone:?}");
    }
    edited.replace(0..0, &block.repeat(4));
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.items.len(), 3);
}

#[test]
fn a_reply_is_no_block() {
    check(
        "OPERATOR_RESULT\nid: a\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n",
        &["a 0..80 [(false, true)]"],
    );
}

#[test]
fn only_as_many_blocks_as_the_limit_says() {
    let limits = Limits { blocks: 1, ..Limits::default() };
    let scan = Scan::new(&Text::new("BEGIN a\nFINISH\nBEGIN b\nFINISH\n"), &both(), &limits);
    assert_eq!(shown(&scan), "0 testing a 0..14 Closed inside None\nscan/too-many-blocks 15..29\n");
}

#[test]
fn a_block_beyond_the_limit_is_followed_to_its_end() {
    let limits = Limits { block_bytes: 64, ..Limits::default() };
    let text = format!("OPERATOR_CMD\nid: a\ncontent: {}\nEND_OPERATOR_CMD\n", "x".repeat(99));
    let scan = Scan::new(&Text::new(&text), &both(), &limits);
    let shown = shown(&scan);
    assert!(shown.starts_with("0 operator a 0..144 TooLarge"), "{shown}");
    assert!(shown.contains("scan/block-too-large@0..12"), "{shown}");
    assert_eq!(scan.problems().count(), 0);
}

#[test]
fn a_transcript_beyond_the_limit_is_not_scanned() {
    let text = Text::new("OPERATOR_CMD\nversion: 1\n");
    let found = |bytes: usize| {
        let limits = Limits { transcript_bytes: bytes, ..Limits::default() };
        let scan = Scan::new(&text, &both(), &limits);
        let codes: Vec<_> = scan.problems().map(|problem| problem.code).collect();
        (scan.blocks().count(), codes)
    };
    assert_eq!(found(text.len()), (1, vec![]));
    assert_eq!(found(text.len() - 1), (0, vec![problem::SCAN_TRANSCRIPT_TOO_LARGE]));
}
