//! What a file holds once a change is made, by which the change is seen without any hashing.

use super::{Observation, Transition};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::snapshot::Snapshot;
use crate::text::{Content, Text};

/// What a file holds once a transition is made.
#[derive(Debug, Clone)]
pub struct Expected {
    /// The file.
    pub path: FilePath,
    content: Content,
    /// The fingerprints with a final line ending, where it has none.
    ended: Vec<Fingerprint>,
}

impl Expected {
    /// What a transition leaves, as a snapshot says that has it; `None` where that is not text.
    pub fn new(transition: &Transition, after: &dyn Snapshot) -> Option<Expected> {
        let Transition { path, after: state, ended, .. } = transition.clone();
        let State::File(fingerprint) = state else { return None };
        let content = after.read(&path).ok().filter(|it| it.fingerprint() == fingerprint)?;
        Some(Expected { path, content, ended })
    }

    /// What is found where an editor shows the file with a text; `None` for another text than is
    /// expected.
    pub fn shown_by(&self, text: &Text) -> Option<Observation> {
        let whole = [("", self.content.fingerprint())];
        // In the order of `Transition::of_plan`.
        let ended = ["\n", "\r\n"].into_iter().zip(self.ended.iter().copied());
        let mut known = whole.into_iter().chain(ended);
        let (_, found) = known.find(|(ending, _)| text.is(&self.content.text, ending))?;
        Some(Observation { path: self.path.clone(), state: State::File(found), closed: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn an_expected_text_is_found_as_its_fingerprint_says() {
        let path = FilePath::new(0, "a");
        for planned in ["", "a", "a\n", "ä😀\r\nb", "\u{feff}a"] {
            let after = MemorySnapshot::of([("a", planned)]);
            let content = after.read(&path).unwrap();
            let ended = crate::ledger::operation::ended(&content);
            let state = State::File(content.fingerprint());
            let transition = Transition::new(path.clone(), State::Missing, state);
            let transition = Transition { ended, ..transition };
            let expected = Expected::new(&transition, &after).unwrap();
            for shown in ["", "\n", "a", "b", "a\n", "a\r\n", "a\n\n", "ä😀\r\nb", "ä😀\r\nb\n"]
            {
                let now = State::File(Content::new(content.bom, shown).fingerprint());
                let found = expected.shown_by(&Text::new(shown)).map(|it| it.state);
                assert_eq!(found, transition.leads_to(now).then_some(now), "{planned:?} {shown:?}");
            }
        }
    }

    #[test]
    fn what_is_not_there_as_planned_is_not_expected() {
        let path = FilePath::new(0, "a");
        let after = MemorySnapshot::of([("a", "other")]);
        let state = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
        let expected = |to| Expected::new(&Transition::new(path.clone(), state("x"), to), &after);
        assert!(expected(State::Missing).is_none() && expected(state("text")).is_none());
        assert!(expected(state("other")).is_some());
    }
}
