//! A dialect that only the tests have: `@toy id`, the lines of a file, `@end`. The path is in one
//! of the three lines above, and a reply is one line, `@done id fingerprint` or `@failed id`.

use std::sync::LazyLock;

use crate::command::{Command, Step, WriteMode};
use crate::dialect::{
    Above, Answer, Answers, BlockEnd, Candidate, Claim, Dialect, LineKind, Opening, Parsed, Read,
    Reader, Recognise, Reply, ReplyStyle, Role, Rules, Said, Source,
};
use crate::fingerprint::Fingerprint;
use crate::snapshot::PathStyle;
use crate::spec::{Action, Effect};

/// The dialect.
pub struct Toy;

static RULES: Rules = Rules {
    name: "toy",
    help: "a dialect of tests",
    family: "toy",
    needles: &["@toy ", "@done ", "@failed "],
    needles_any_case: &[],
    looks_back: 3,
    in_chats_only: false,
    paths: PathStyle::Relative,
    reply: ReplyStyle::PerBlock,
    ids_are_unique: false,
    reads_first: false,
    in_json: false,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: None,
    specification: "A path, `@toy id`, the lines of the file, `@end`.",
};

static WRITE: LazyLock<Action> = LazyLock::new(|| Action {
    name: "write".to_owned(),
    dialect: "toy".to_owned(),
    effect: Effect::Write,
    extension: false,
    aliases: Vec::new(),
    user_only: false,
    help: "Writes a file.".to_owned(),
    result: "Nothing.".to_owned(),
    structure: None,
    fields: Vec::new(),
});

impl Dialect for Toy {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Toy {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        let is_reply = reply_of(candidate.line).is_some();
        let is_block = candidate.line.starts_with("@toy ") && path(candidate.above).is_some();
        if is_reply || is_block { Opening::Starts } else { Opening::Nothing }
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(Lines { is_reply: reply_of(first.line).is_some() })
    }
}

struct Lines {
    is_reply: bool,
}

impl Reader for Lines {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        match line {
            _ if self.is_reply => LineKind::Breaks(BlockEnd::Closed),
            "@end" => LineKind::Ends,
            _ if line.starts_with("@toy ") => LineKind::Breaks(BlockEnd::Nested),
            _ => LineKind::Fits,
        }
    }
}

/// The first word with a dot in it, from the nearest line on.
fn path(above: Above<'_>) -> Option<String> {
    above.lines().find_map(|(_, line)| {
        let mut words =
            line.split([' ', ':', '`']).filter(|word| word.trim_matches('.').contains('.'));
        words.next().map(str::to_owned)
    })
}

fn reply_of(line: &str) -> Option<(bool, &str)> {
    let done = line.strip_prefix("@done ").map(|id| (true, id));
    done.or_else(|| line.strip_prefix("@failed ").map(|id| (false, id)))
}

impl Read for Toy {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        let (first, rest) = source.text.split_once('\n').unwrap_or((source.text, ""));
        if let Some((ok, said)) = reply_of(first) {
            let of = said.split(' ').next().unwrap_or_default().to_owned();
            let claim =
                Claim { ok, refused: false, again: false, stated: Fingerprint::all_in(said) };
            let says = vec![Said { of, claim, told: None }];
            return Parsed { says, ..Parsed::new(Role::Reply, "\n") };
        }
        let path = path(source.above);
        let content = rest.strip_suffix("@end").unwrap_or(rest).to_owned();
        let command = path.clone().filter(|_| source.end == BlockEnd::Closed).map(|path| {
            let write = Step::Write { path, content, mode: WriteMode::Replace };
            Command::one(&WRITE, write, None, PathStyle::Relative)
        });
        Parsed {
            id: first.strip_prefix("@toy ").map(str::to_owned),
            action: Some("write".to_owned()),
            path,
            effect: Some(Effect::Write),
            command,
            ..Parsed::new(Role::Command, "\n")
        }
    }
}

impl Reply for Toy {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        let reply = |answer: &Answer| {
            let parsed = &answer.placed.block.parsed;
            let id = parsed.id.as_deref().unwrap_or_default();
            match parsed.command.as_ref().and_then(|command| command.steps.first()) {
                Some(Step::Write { content, .. }) if answer.result.is_ok() => {
                    format!("@done {id} {}\n", Fingerprint::of(content.as_bytes()))
                }
                _ => format!("@failed {id}\n"),
            }
        };
        to.answers.iter().map(reply).collect()
    }
}
