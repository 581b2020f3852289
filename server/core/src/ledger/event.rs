//! What happens to the ledger, in the form in which it is kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Base;
use super::form::{file_path, kept, short, states};
use super::identity::{BlockId, OperationId, Transcript};
use super::kept::Kept;
use super::operation::Operation;
use super::timeline::Timeline;
use crate::dialect::{self, Failure, Told};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::plan::Fact;
use crate::problem::SHAM_EXEC_FAILED;
use crate::scan::Placed;

/// One thing that happened. The same events in the same order make the same ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A block was first complete.
    Proposed {
        /// The transcript that it is in.
        transcript: Transcript,
        /// The block.
        block: BlockId,
        /// What was at each of its paths then.
        #[serde(with = "states")]
        at: Arc<[(FilePath, State)]>,
        /// Whether it had several places in them then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ambiguous: bool,
    },
    /// An edit was given to a client, or the command line is about to write.
    HandedOut(#[serde(with = "kept")] Operation),
    /// The edit was made, as whoever got it says.
    Claimed {
        /// The operation.
        operation: OperationId,
    },
    /// The edit was not made.
    Withdrawn {
        /// The operation.
        operation: OperationId,
    },
    /// A read was answered, a program has run, or the user has refused a block.
    Answered {
        /// The transcript that the block is in.
        transcript: Transcript,
        /// The block.
        block: BlockId,
        /// The answer that was given.
        answer: Answer,
    },
    /// The model was told of blocks what is not in the transcript, as far as anybody knows.
    Told {
        /// The transcript that the blocks are in.
        transcript: Transcript,
        /// What was told of each.
        blocks: Vec<(BlockId, Kept)>,
    },
    /// A file was seen as handed-out transitions leave it.
    Made {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// The transitions, each as operation, block and number.
        owners: Vec<(OperationId, usize, usize)>,
        /// What is there.
        #[serde(with = "short")]
        to: State,
    },
    /// A file was seen as it was before some of its changes.
    Back {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What was there then, and is on record.
        #[serde(with = "short")]
        to: State,
        /// What was typed on that and is there; `None` where that is what is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        typed: Option<Fingerprint>,
    },
    /// A file was seen as changes left it that had been undone.
    Forth {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What they left.
        #[serde(with = "short")]
        to: State,
        /// What was typed on that and is there; `None` where that is what is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        typed: Option<Fingerprint>,
    },
    /// A file was seen in a state that no block leads to.
    Changed {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What is there.
        #[serde(with = "short")]
        to: State,
    },
    /// A file was seen in the state that was claimed.
    Seen {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What is there.
        #[serde(with = "short")]
        to: State,
    },
    /// A file was so, and may be so again: it is so on disk, while an editor shows another text of it
    /// that an edit is about to change, or somebody had typed it before all was undone.
    Saved {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What it was.
        #[serde(with = "short")]
        to: State,
        /// What is on record before that; where it is not said, what blocks have led to last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on: Option<Fingerprint>,
    },
    /// An operation was handed out and made, and its files are on the disk as it left them.
    Applied(#[serde(with = "kept")] Operation),
    /// Somebody made the whole change of a block by hand.
    ByHand(#[serde(with = "kept")] Operation),
    /// The changes of an operation were undone.
    Undone {
        /// The operation.
        operation: OperationId,
    },
    /// The changes of an operation were made once more.
    Redone {
        /// The operation.
        operation: OperationId,
    },
    /// An operation is too old to be kept.
    Forgotten {
        /// The operation.
        operation: OperationId,
    },
    /// The events up to here are left out. What follows says what they have led to.
    Shortened {
        /// The highest number that an operation has had.
        highest: OperationId,
        /// The operations that were made, for a while at least.
        made: Vec<OperationId>,
        /// Those that were undone by a program and not redone, the last one last.
        undone: Vec<OperationId>,
        /// Those of them that can be redone.
        redoable: Vec<OperationId>,
    },
    /// An operation, whatever became of it.
    Known {
        /// The operation.
        #[serde(with = "kept")]
        operation: Operation,
        /// How many steps of each of its blocks are still made; `None` for one of which none was made.
        standing: Vec<Option<usize>>,
        /// The transitions that are expected, each as block, number, and whether no chain led to it any
        /// more.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        in_flight: Vec<(usize, usize, bool)>,
    },
    /// The changes of a file.
    Timeline {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// The changes.
        timeline: Box<Timeline>,
    },
}

/// The answer to a block that is not a change of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the command was done.
    pub ok: bool,
    /// Whether the user refused it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// Whether its program was run, however that ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ran: bool,
    /// One line.
    pub summary: String,
}

impl Answer {
    /// The answer that tells this of a block.
    pub fn new(placed: &Placed, told: &Told) -> Answer {
        let (ok, refused) = (told.is_ok(), *told == Err(Failure::Refused));
        Answer { ok, refused, ran: has_run(told), summary: dialect::summary(placed, told) }
    }
}

/// Whether a command has run its program; of one that did not start nothing is known.
fn has_run(told: &Told) -> bool {
    match told {
        Ok(outcome) => matches!(outcome.facts(), [Fact::Ran { .. }]),
        Err(Failure::Problem { fault, .. }) => {
            let is_exec = fault.code == SHAM_EXEC_FAILED.as_str();
            is_exec && fault.details.get("data").is_some_and(|it| !it.is_null())
        }
        Err(_) => false,
    }
}

impl Event {
    /// The event that tells of the base of a block.
    pub fn proposed(transcript: Transcript, block: BlockId, base: Base) -> Event {
        let Base { at, ambiguous } = base;
        Event::Proposed { transcript, block, at, ambiguous }
    }

    /// What a line of the ledger's file says, with or without its line ending; `None` where it cannot be
    /// understood.
    pub fn from_line(line: &[u8]) -> Option<Event> {
        serde_json::from_slice(line).ok()
    }

    /// Adds the line that says it, with its line ending; nothing where it cannot be written down.
    pub fn add_line(&self, text: &mut Vec<u8>) {
        let start = text.len();
        match serde_json::to_writer(&mut *text, self) {
            Ok(()) => text.push(b'\n'),
            Err(_) => text.truncate(start),
        }
    }

    /// Whether the event must be kept. What is only seen is seen again after a restart.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Event::Changed { .. })
    }

    /// What was found at a path, if it tells of that.
    pub fn found(&self) -> Option<(&FilePath, State)> {
        match self {
            Event::Back { path, to, typed } | Event::Forth { path, to, typed } => {
                Some((path, typed.map_or(*to, State::File)))
            }
            Event::Made { path, to, .. }
            | Event::Changed { path, to }
            | Event::Seen { path, to } => Some((path, *to)),
            _ => None,
        }
    }

    /// The files that were found to be as it says.
    pub fn paths(&self) -> Vec<&FilePath> {
        match self {
            Event::Applied(operation) | Event::ByHand(operation) => operation.paths(),
            event => event.found().into_iter().map(|(path, _)| path).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::edit::Hunk;
    use crate::fingerprint::Fingerprint;
    use crate::ledger::{Door, Transition, Work};
    use crate::plan::{Outcome, ProgramResult};
    use crate::problem::PLAN_FILE_NOT_FOUND;

    fn events() -> Vec<Event> {
        let path = FilePath::new(1, "src/ä \"b\".rs");
        let text = Fingerprint::of(b"x");
        let file = State::File(text);
        let modified = Some(std::time::UNIX_EPOCH + std::time::Duration::from_nanos(7));
        let large = State::Large { size: 9, modified };
        let mut transitions = vec![
            Transition::new(path.clone(), State::Missing, file),
            Transition::new(path.clone(), State::Directory, large),
        ];
        transitions[0].ended = vec![Fingerprint::of(b"x\n")];
        let work = Work {
            block: BlockId { text, nth: 3 },
            name: "block 1".to_owned(),
            title: "fs.write".to_owned(),
            transitions,
            part: None,
        };
        let id = OperationId(7);
        let transcript = Transcript::new("chat.md");
        let works = vec![work];
        let operation = Operation { id, time: 8, door: Door::Lsp, transcript, works };
        vec![
            Event::HandedOut(operation.clone()),
            Event::ByHand(operation),
            Event::Seen { path: path.clone(), to: file },
            Event::Back { path, to: State::Missing, typed: None },
        ]
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let mut all = events();
        if let Event::HandedOut(operation) = &mut all[0] {
            operation.works[0].transitions[0].lines = Some(Hunk { first: 1, removed: 2, added: 3 });
            let (applied, rejected) = (vec![0, 2], vec![1]);
            operation.works[0].part =
                Some(crate::plan::Part { applied, rejected, edited: false, files: true });
        }
        for event in all {
            let text = serde_json::to_string(&event).unwrap();
            assert!(!text.contains("sha256:") && !text.contains("missing"), "{text}");
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }

    #[test]
    fn the_base_of_a_block_is_read_again() {
        let block = BlockId { text: Fingerprint::of(b"x"), nth: 0 };
        for (ambiguous, word) in [(false, ""), (true, r#","ambiguous":true"#)] {
            let at = [(FilePath::new(0, "a"), State::Missing)].into();
            let event = Event::proposed(Transcript::new("c"), block, Base { at, ambiguous });
            let text = serde_json::to_string(&event).unwrap();
            let end = format!(r#""at":[[[0,"a"],"-"]]{word}}}}}"#);
            assert!(text.ends_with(&end), "{text}");
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }

    #[test]
    fn what_is_only_seen_is_not_kept() {
        let changed = Event::Changed { path: FilePath::new(0, "a"), to: State::Missing };
        assert!(!changed.is_lasting() && events().iter().all(Event::is_lasting));
    }

    #[test]
    fn what_is_found_is_what_was_typed_where_it_says_so() {
        let (path, file) = (FilePath::new(0, "a"), State::File(Fingerprint::of(b"x")));
        for typed in [None, Some(Fingerprint::of(b"x"))] {
            let (path, to) = (path.clone(), State::Missing);
            let found = Some((path.clone(), if typed.is_some() { file } else { to }));
            let back = Event::Back { path: path.clone(), to, typed };
            for event in [back, Event::Forth { path, to, typed }] {
                assert_eq!(event.found().map(|(path, state)| (path.clone(), state)), found);
            }
        }
    }

    #[test]
    fn a_program_has_run_that_has_ended_in_some_way() {
        let failed = |code, details: Value| {
            let details = details.as_object().cloned().unwrap_or_default();
            Err(Failure::new(code, "exec", details))
        };
        let result = ProgramResult { stdout: None, stderr: None, exit_code: Some(0) };
        let ran = Fact::Ran { language: "sh".to_owned(), result };
        let with_data = || json!({"data": {"exit_code": 3}});
        for (told, expected) in [
            (Ok(Outcome::Done(vec![ran])), true),
            (failed(SHAM_EXEC_FAILED, with_data()), true),
            (failed(SHAM_EXEC_FAILED, json!({"data": null})), false),
            (failed(SHAM_EXEC_FAILED, json!({})), false),
            (failed(PLAN_FILE_NOT_FOUND, with_data()), false),
            (Err(Failure::Refused), false),
            (Ok(Outcome::Done(vec![Fact::LeftOut])), false),
        ] {
            assert_eq!(has_run(&told), expected, "{told:?}");
        }
    }

    #[test]
    fn what_an_earlier_program_has_kept_is_read() {
        let x = Fingerprint::of(b"x");
        let ended = Fingerprint::of(b"x\n");
        let path = r#"[1,"src/ä \"b\".rs"]"#;
        let operation = format!(
            r#"{{"id":7,"time":8,"door":"lsp","transcript":"chat.md","works":[{{"block":"{x}#3","name":"block 1","title":"fs.write","transitions":[{{"path":{path},"before":"missing","after":"{x}","ended":["{ended}"]}},{{"path":{path},"before":"directory","after":"large:9:7"}}]}}]}}"#
        );
        let lines = [
            format!(r#"{{"handed_out":{operation}}}"#),
            format!(r#"{{"by_hand":{operation}}}"#),
            format!(r#"{{"seen":{{"path":{path},"to":"{x}"}}}}"#),
            format!(r#"{{"back":{{"path":{path},"to":"missing"}}}}"#),
        ];
        for (line, event) in lines.iter().zip(events()) {
            assert_eq!(serde_json::from_str::<Event>(line).unwrap(), event, "{line}");
        }
    }
}
