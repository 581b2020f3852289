//! What the model was told of a block, as it is kept: a text, so that a program which does not know
//! all of it still reads the rest of the ledger.

use serde::{Deserialize, Serialize};

use crate::dialect::{Failure, Told};

/// What the model was told of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(String);

/// What is longer in bytes is not kept.
const LONGEST: usize = 64 << 10;

impl Kept {
    /// Keeps it, unless it is too long.
    pub fn new(told: &Told) -> Option<Kept> {
        // Most of what is too long is not written down first.
        let is_long = told.as_ref().is_ok_and(|outcome| outcome.size() > LONGEST);
        let text = (!is_long).then(|| serde_json::to_string(told).ok()).flatten()?;
        (text.len() <= LONGEST).then_some(Kept(text))
    }

    /// What was told; `None` where this program does not know all of it.
    pub fn told(&self) -> Option<Told> {
        serde_json::from_str(&self.0).ok()
    }

    /// Whether it says that the user has refused the block.
    pub fn is_refusal(&self) -> bool {
        self.told() == Some(Err(Failure::Refused))
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::fingerprint::Fingerprint;
    use crate::ledger::{BlockId, Event, Transcript};
    use crate::path::{FilePath, State};
    use crate::plan::{Ends, Fact, Outcome, StructureFact, Wrote};
    use crate::problem::SHAM_EXEC_FAILED;
    use crate::structure::Output;

    #[test]
    fn what_was_told_is_read_again() {
        let (path, fingerprint) = (FilePath::new(1, "src/ä.rs"), Fingerprint::of(b"x"));
        let ends = Ends {
            from: path.clone(),
            to: FilePath::new(0, "b"),
            state: State::File(fingerprint),
            files: 1,
        };
        let structure = |output| {
            let (path, lines) = (path.clone(), 3);
            Fact::Structure(StructureFact { path, output, lines, fingerprint })
        };
        let replacements = Some(2);
        let facts = vec![
            Fact::Wrote {
                how: Wrote::Edited,
                path: path.clone(),
                lines: 1,
                fingerprint,
                replacements,
            },
            Fact::Moved { ends, overwrote: true },
            Fact::Nothing { reason: "there are no ops".into() },
            structure(Output::Replaced { lines: [1, 2] }),
            structure(Output::Deleted { lines: [1, 2] }),
            structure(Output::TextReplaced { total: None, lines: [1, 2] }),
            structure(Output::Inserted { at: 1, target_at: None }),
            structure(Output::Moved { from: [1, 2], to: [3, 4] }),
        ];
        let details = Map::from_iter([("data".to_owned(), json!({"exit_code": 3}))]);
        for told in [
            Ok(Outcome::Done(facts)),
            Err(Failure::Refused),
            Err(Failure::new(SHAM_EXEC_FAILED, "exec: ended", details)),
        ] {
            let kept = Kept::new(&told).unwrap();
            assert_eq!(kept.is_refusal(), told == Err(Failure::Refused));
            assert_eq!(kept.size(), serde_json::to_string(&told).unwrap().len());
            assert_eq!(kept.told(), Some(told));
        }
    }

    #[test]
    fn what_is_too_long_is_not_kept() {
        let noted = |length| Ok(Outcome::noted("x".repeat(length)));
        assert!(Kept::new(&noted(LONGEST - 100)).is_some());
        assert!(Kept::new(&noted(LONGEST)).is_none());
    }

    #[test]
    fn a_text_that_another_program_has_written_keeps_the_event() {
        let block = BlockId { text: Fingerprint::of(b"x"), nth: 0 };
        let told = Kept(r#"{"Ok":{"Done":["Later"]}}"#.to_owned());
        let event =
            Event::Told { transcript: Transcript::new("chat.md"), blocks: vec![(block, told)] };
        let read: Event = serde_json::from_str(&serde_json::to_string(&event).unwrap()).unwrap();
        assert_eq!(read, event);
        let Event::Told { blocks, .. } = read else { panic!() };
        assert!(blocks[0].1.told().is_none() && !blocks[0].1.is_refusal());
    }
}
