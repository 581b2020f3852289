//! Replies: what the model is told of the blocks of a transcript, the same whoever asks.

use std::collections::{HashMap, HashSet};

use super::{Book, Proposal, Review, Status, WorkingSet};
use crate::dialect::{self, ALL, Answer, Answers, Dialect, Failure, ReplyStyle, Told};
use crate::fingerprint::Fingerprint;
use crate::ledger::BlockId;
use crate::limits::Limits;
use crate::plan::Outcome;
use crate::scan::Scan;
use crate::snapshot::Snapshot;
use crate::spec::Effect;
use crate::text::Text;

/// What replies are made from.
#[derive(Clone, Copy)]
pub struct Replies<'a> {
    /// The transcript.
    pub text: &'a Text,
    /// Its blocks, with what holds for each.
    pub review: &'a Review,
    /// What was done.
    pub book: &'a Book,
    /// The workspace as it is now.
    pub snapshot: &'a dyn Snapshot,
    /// How much is too much.
    pub limits: &'a Limits,
}

/// One reply in its dialect.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Reply {
    /// The name of the dialect, or of the family that is answered together.
    pub dialect: &'static str,
    /// The text, with its last newline.
    pub text: String,
}

/// What the model was told of a block: where that changes it is told again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Telling {
    /// The status of the block; `None` of one that was looked up.
    status: Option<Status>,
    /// Stands for the outcome.
    outcome: Fingerprint,
}

/// What there is to tell of a transcript.
pub struct News {
    /// The replies, those of a dialect in order, the dialects as the product lists them.
    pub replies: Vec<Reply>,
    /// What they tell of blocks.
    pub told: Vec<(BlockId, Telling)>,
}

/// The replies to some commands of a transcript, which come in its order. One that waits for the
/// user has a reply only together with all others of the transcript.
pub fn compose(transcript: &Text, scan: &Scan, answers: &[Answer]) -> Vec<Reply> {
    let of_dialect = |dialect: &&'static dyn Dialect| {
        let name = dialect.name();
        let is_own = |it: &&Answer| {
            let rules = it.placed.block.dialect.rules();
            let is_all = matches!(rules.reply, ReplyStyle::PerTranscript { .. });
            rules.family == name && (is_all || it.result != Err(Failure::Pending))
        };
        let own: Vec<Answer> = answers.iter().filter(is_own).cloned().collect();
        let texts = own.last().map_or_else(Vec::new, |last| {
            let strays = scan.strays_with(&last.placed);
            dialect.replies(&Answers { transcript, answers: &own, strays: &strays })
        });
        texts.into_iter().map(move |text| Reply { dialect: name, text })
    };
    let replies = ALL.iter().flat_map(of_dialect);
    replies.chain(answers.iter().filter_map(|answer| in_markdown(transcript, answer))).collect()
}

/// The reply to a block that has none in its own dialect, since it lacks an id: it must be
/// corrected all the same.
fn in_markdown(transcript: &Text, answer: &Answer) -> Option<Reply> {
    let is_decided = answer.result.is_err() && answer.result != Err(Failure::Pending);
    let to = Answers { transcript, answers: std::slice::from_ref(answer), strays: &[] };
    let has_none = || answer.placed.block.dialect.replies(&to).is_empty();
    let dialect = dialect::fallback();
    let reply = || Reply { dialect: dialect.name(), text: dialect.replies(&to).concat() };
    (is_decided && has_none()).then(reply)
}

impl Replies<'_> {
    /// The reply to one block: as it was when the block was applied, run, tried or refused, else as
    /// it would be now.
    pub fn to(&self, shown: &Proposal) -> String {
        let writes = shown.effect() == Some(Effect::Write);
        let answer = match (self.recorded(shown), shown.status) {
            (Some(told), _) => Some(shown.told(told)),
            (None, Status::Ready) if writes => {
                Some(self.check(shown, &WorkingSet::default()).answer())
            }
            _ => None,
        };
        self.written(shown, answer)
    }

    /// The reply to a block that is run: a read whose reply is recorded and not in the transcript
    /// yet is not run again.
    pub fn to_run(&self, shown: &Proposal) -> String {
        if shown.status == Status::Applied && self.recorded(shown).is_some() {
            return self.to(shown);
        }
        self.written(shown, None)
    }

    /// The reply to a block as its dialect writes it: by itself, or with what is known of the other
    /// commands where one reply answers them together.
    ///
    /// Without an answer it is what is known of the block; what only looks is looked at now.
    pub fn written(&self, shown: &Proposal, answer: Option<Answer>) -> String {
        let dialect = shown.placed.block.dialect;
        if !dialect.rules().reply.answers_several() {
            let answer = answer.unwrap_or_else(|| self.current(shown, &WorkingSet::default()));
            if let Some(reply) = in_markdown(self.text, &answer) {
                return reply.text;
            }
            let to = Answers { transcript: self.text, answers: &[answer], strays: &[] };
            return dialect.replies(&to).concat();
        }
        let scan = self.review.scan();
        let together: HashSet<usize> =
            scan.answered_with(&shown.placed).iter().map(|it| it.index).collect();
        let mut working_set = WorkingSet::default();
        let mut answers = Vec::new();
        let index = shown.placed.index;
        // A draft is not a part of the answer.
        let is_part = |it: &Proposal| {
            let is_draft = it.status == Status::Superseded && it.placed.is_draft;
            together.contains(&it.placed.index) && (it.placed.index == index || !is_draft)
        };
        for proposal in self.review.proposals().filter(is_part) {
            let answered = match &answer {
                _ if proposal.placed.index != index => self.known(&proposal, &working_set),
                Some(answer) => answer.clone(),
                None => self.current(&proposal, &working_set),
            };
            if answered.result.is_ok() {
                working_set.follow(&proposal, self.snapshot);
            }
            answers.push(answered);
        }
        let strays = scan.strays_with(&shown.placed);
        dialect
            .replies(&Answers { transcript: self.text, answers: &answers, strays: &strays })
            .concat()
    }

    /// What there is to tell that is not what was told last. A block that waits for the user is left
    /// out, and so is one that a reply in the transcript answers; where one reply answers all blocks
    /// of a transcript, it tells of every one.
    pub fn news(&self, last: &HashMap<BlockId, Telling>) -> News {
        let mut working_set = WorkingSet::default();
        let (mut told, mut answers) = (Vec::new(), Vec::new());
        for proposal in self.review.proposals().filter(|it| it.status != Status::Superseded) {
            let answer = self.known(&proposal, &working_set);
            if answer.result.is_ok() {
                working_set.follow(&proposal, self.snapshot);
            }
            let is_pending =
                answer.result == Err(Failure::Pending) || proposal.ready_after.is_some();
            // A reply that says that it failed, or was refused, need not say so again. One that says
            // that it was done does not say that it is not done any more.
            let says_not_done = || proposal.answer.as_ref().is_some_and(|it| !it.said().claim.ok);
            let is_answered = match answer.result.is_ok() {
                true => proposal.answered,
                false => says_not_done(),
            };
            let last = last.get(&proposal.id());
            let telling = (!is_pending && !is_answered)
                .then(|| self.telling(&proposal, &answer.result))
                .filter(|telling| !last.is_some_and(|last| self.is_told(&proposal, last, telling)));
            let is_new = telling.is_some();
            told.extend(telling.map(|telling| (proposal.id(), telling)));
            answers.push((answer, is_new));
        }
        let rules = |answer: &Answer| answer.placed.block.dialect.rules();
        let news = answers.iter().filter(|(_, is_new)| *is_new);
        let news: HashSet<&str> = news.map(|(answer, _)| rules(answer).family).collect();
        let is_told = |(answer, is_new): &(Answer, bool)| {
            let is_all = matches!(rules(answer).reply, ReplyStyle::PerTranscript { .. });
            *is_new || is_all && news.contains(rules(answer).family)
        };
        let answers: Vec<Answer> =
            answers.into_iter().filter(is_told).map(|(answer, _)| answer).collect();
        News { replies: compose(self.text, self.review.scan(), &answers), told }
    }

    /// What telling the model of a block tells with this result.
    fn telling(&self, shown: &Proposal, result: &Told) -> Telling {
        let looks = matches!(shown.effect(), Some(Effect::Read | Effect::Meta));
        let looked = looks && matches!(shown.status, Status::Ready | Status::Applied);
        let outcome = match (shown.status, result) {
            // What it has left says all, in whatever words.
            (Status::Applied, result) => match self.book.work_of(shown) {
                Some(work) => {
                    let left = work.transitions.iter().map(|it| (&it.path, it.after));
                    format!("{:?} {:?}", shown.part(), left.collect::<Vec<_>>())
                }
                None => format!("{result:?}"),
            },
            // What else is said of these follows the files as they change.
            (Status::Satisfied, _) => String::new(),
            (_, Err(Failure::Problem { fault, .. })) => fault.code.clone(),
            (_, result) => format!("{result:?}"),
        };
        let outcome = Fingerprint::of(outcome.as_bytes());
        Telling { status: (!looked).then_some(shown.status), outcome }
    }

    /// Whether the model was told that `last`. What is looked up now, and not on record, is told once.
    fn is_told(&self, shown: &Proposal, last: &Telling, now: &Telling) -> bool {
        let is_on_record = || self.book.told(shown).is_some();
        let was_looked_up = now.status.is_none() && last.status.is_none();
        last == now || was_looked_up && !is_on_record()
    }

    /// The result of a block as it was recorded, as long as no reply in the transcript says it.
    fn recorded(&self, shown: &Proposal) -> Option<Told> {
        self.book.told(shown).filter(|_| !shown.answered)
    }

    /// Plans a block on what the earlier blocks have put into the working set.
    fn check(&self, shown: &Proposal, working_set: &WorkingSet) -> Proposal {
        self.book.check(shown, &working_set.on(self.snapshot), self.limits)
    }

    /// The answer to a block that is asked for by itself.
    fn current(&self, shown: &Proposal, working_set: &WorkingSet) -> Answer {
        let looks = matches!(shown.effect(), Some(Effect::Read | Effect::Meta));
        if looks && matches!(shown.status, Status::Ready | Status::Applied) {
            return self.check(shown, working_set).answer();
        }
        self.known(shown, working_set)
    }

    /// What is known of a block: its recorded result, else what an earlier reply says, else
    /// how things are.
    fn known(&self, shown: &Proposal, working_set: &WorkingSet) -> Answer {
        // It may have been undone in some files since.
        if let Some(part) = shown.part().filter(|part| part.files) {
            return shown.told(Ok(Outcome::Done(vec![part.fact()])));
        }
        if let Some(result) = self.book.told(shown) {
            return shown.told(result);
        }
        // What was undone since, or was never done, is as it is now.
        if !shown.undone
            && !shown.unverified
            && let Some(result) = shown.said()
        {
            return shown.told(result.clone());
        }
        match (shown.status, shown.effect()) {
            (Status::Ready, Some(Effect::Write | Effect::Exec)) => {
                shown.told(Err(Failure::Pending))
            }
            (Status::Ready, _) => self.check(shown, working_set).answer(),
            (Status::Applied | Status::Satisfied, _) => {
                if let Some(part) = shown.part() {
                    return shown.told(Ok(Outcome::Done(vec![part.fact()])));
                }
                if let Some(left) = self.book.left_by(shown) {
                    return shown.told(Ok(left));
                }
                let plan = self.check(shown, working_set).plan;
                // That a file has the content of a block that was applied says nothing new.
                let is_made =
                    shown.status == Status::Applied && shown.effect() == Some(Effect::Write);
                let plan = plan.filter(|plan| !(is_made && plan.changes.is_empty()));
                let outcome = plan.map(|plan| plan.outcome.clone());
                let summary = || shown.check_result().summary(&shown.placed.block);
                shown.told(Ok(outcome.unwrap_or_else(|| Outcome::noted(summary()))))
            }
            _ => shown.answer(),
        }
    }
}
