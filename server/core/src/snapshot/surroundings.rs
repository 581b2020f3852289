//! What a proposal does not say itself: where its virtual files are, and what it answers.

use std::collections::{BTreeMap, VecDeque};

use super::{CursorContext, Denied, FileId, Snapshot};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, Kind, is_absolute};

/// How many answers are remembered.
const MOST: usize = 32;

/// What there is around a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The absolute path of the transcript, where it is a file.
    pub transcript: Option<String>,
    /// The absolute path of the directory that the transcript is in, where it is in one.
    pub directory: Option<String>,
    /// Where virtual files are whose place is given: paths from the workspace on, or absolute.
    pub files: BTreeMap<FileId, String>,
    /// The answers that were given last.
    pub answers: Answers,
    /// The request that a person says a proposal answers.
    pub request: Option<Given>,
}

/// A request that is given together with a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The files that it was about.
    pub files: BTreeMap<FileId, Fingerprint>,
    /// Where the person was.
    pub asked: CursorContext,
}

/// The last answers, and what was asked each time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers(VecDeque<(String, CursorContext)>);

impl Answers {
    /// Remembers what a proposal with this digest (`Proposal::digest`) answers, and forgets the
    /// oldest where there are too many.
    pub fn remember(&mut self, digest: String, asked: CursorContext) {
        self.0.retain(|(known, _)| *known != digest);
        self.0.push_back((digest, asked));
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// What a proposal with this digest answers.
    pub fn asked(&self, digest: &str) -> Option<&CursorContext> {
        self.0.iter().find(|(known, _)| known == digest).map(|(_, asked)| asked)
    }
}

impl Surroundings {
    /// Where the person was in the request that a proposal answers, by its digest and the files
    /// that it states. A request that is given counts for a proposal that states the very files
    /// of it.
    pub fn asked(
        &self,
        digest: &str,
        files: &BTreeMap<FileId, Fingerprint>,
    ) -> Option<&CursorContext> {
        let given = self.request.as_ref().filter(|given| given.files == *files);
        given.map(|given| &given.asked).or_else(|| self.answers.asked(digest))
    }

    /// The file that an id means: the one that is given for it, else the one of that name beside
    /// the transcript, else the one in the workspace's folder, there or not.
    ///
    /// # Errors
    /// As those of [`Snapshot::resolve`].
    pub fn resolve(&self, id: &str, snapshot: &dyn Snapshot) -> Result<FilePath, Denied> {
        if let Some(path) = FileId::of(id).and_then(|id| self.files.get(&id)) {
            return match is_absolute(path) {
                true => snapshot.resolve_absolute(path),
                false => snapshot.resolve(path),
            };
        }
        if let Some(beside) = self.beside(id, snapshot)
            && !matches!(snapshot.kind(&beside), Ok(None | Some(Kind::Directory)))
        {
            return Ok(beside);
        }
        snapshot.resolve(id)
    }

    /// Every path whose coming or going can make an id mean another file, that file first.
    pub fn looked_at(&self, id: &str, snapshot: &dyn Snapshot) -> Vec<FilePath> {
        let given = FileId::of(id).is_some_and(|id| self.files.contains_key(&id));
        let beside = self.beside(id, snapshot).filter(|_| !given);
        let mut paths: Vec<FilePath> =
            self.resolve(id, snapshot).into_iter().chain(beside).collect();
        paths.dedup();
        paths
    }

    fn beside(&self, id: &str, snapshot: &dyn Snapshot) -> Option<FilePath> {
        let directory = self.directory.as_ref()?;
        // What is beside a transcript outside of the workspace is none of its files.
        snapshot.resolve_absolute(&format!("{directory}/{id}")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn the_last_answers_are_known() {
        let asked = |at| CursorContext { file: FileId::Tool, selection: None, cursor: Some(at) };
        let mut answers = Answers::default();
        (0..40).for_each(|number| answers.remember(number.to_string(), asked(number)));
        assert_eq!((answers.asked("7"), answers.asked("8")), (None, Some(&asked(8))));
        answers.remember("8".to_owned(), asked(99));
        answers.remember("new".to_owned(), asked(0));
        assert_eq!(answers.asked("8"), Some(&asked(99)), "an answer that comes again is new");
        assert_eq!(answers.asked("9"), None);
    }

    #[test]
    fn an_id_means_the_file_that_is_given_else_the_one_beside_else_the_one_at_home() {
        let snapshot = MemorySnapshot {
            home: "/work".to_owned(),
            ..MemorySnapshot::of([("chats/tool.py", ""), ("entrypoint.txt", "")])
        };
        let resolve = |directory: Option<&str>, given: Option<&str>, id: &str| {
            let files = given.map(|path| (FileId::Tool, path.to_owned()));
            let directory = directory.map(str::to_owned);
            let files = files.into_iter().collect();
            let around = Surroundings { directory, files, ..Surroundings::default() };
            around.resolve(id, &snapshot).map(|path| path.path)
        };
        let found = |path: &str| Ok(path.into());
        assert_eq!(resolve(None, None, "tool.py"), found("tool.py"));
        assert_eq!(resolve(Some("/work/chats"), None, "tool.py"), found("chats/tool.py"));
        assert_eq!(resolve(Some("/work/chats"), None, "entrypoint.txt"), found("entrypoint.txt"));
        assert_eq!(resolve(Some("/elsewhere"), None, "tool.py"), found("tool.py"));
        assert_eq!(resolve(Some("/work/chats"), Some("src/a.py"), "tool.py"), found("src/a.py"));
        assert_eq!(resolve(None, Some("/work/src/a.py"), "tool.py"), found("src/a.py"));
        assert_eq!(resolve(None, Some("/etc/a.py"), "tool.py"), Err(Denied::Outside));
    }
}
