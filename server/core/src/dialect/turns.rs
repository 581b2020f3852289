//! Whose message of a chat a line is in, by the heads of the messages.

use super::{Above, margin};
use crate::text::fence::Fence;

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The person who asks.
    Person,
    /// The person who asks, where the word is alone on its line: others write it, too.
    PersonAlone,
    /// The model.
    Model,
    /// Somebody else, or nobody any more.
    Other,
}

use Speaker::{Model, Other, Person, PersonAlone};

/// Who speaks, by the word at the head of a message.
const ROLES: &[(&str, Speaker)] = &[
    ("user", Person),
    ("human", Person),
    ("you", Person),
    ("me", Person),
    ("用户", Person),
    ("prompt", PersonAlone),
    ("question", PersonAlone),
    ("assistant", Model),
    ("ai", Model),
    ("bot", Model),
    ("model", Model),
    ("chatgpt", Model),
    ("claude", Model),
    ("gemini", Model),
    ("copilot", Model),
    ("grok", Model),
    ("deepseek", Model),
    ("answer", Model),
    ("response", Model),
    ("助手", Model),
    ("system", Other),
];
/// Who asks wherever one of these words is, though no other head says that it is a chat.
const ASKS: &[&str] = &["user", "human", "you"];

/// Ways to write heads, as a set: those of a chat are written in one, as a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Styles(u16);

/// The head of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Whose it is.
    pub speaker: Speaker,
    /// How it is written.
    pub style: Styles,
    /// Whether it is that of a person for sure.
    pub asks: bool,
}

impl Styles {
    /// Every way.
    pub const ANY: Styles = Styles(u16::MAX >> 1);
    /// Every way, and though no head of the model is there.
    pub const SURE: Styles = Styles(u16::MAX);
    const PLAIN: Styles = Styles(1);
    const TAG: Styles = Styles(1 << 7);
    const BOLD: Styles = Styles(1 << 8);
    const BRACKET: Styles = Styles(1 << 9);
    const TIMED: Styles = Styles(1 << 10);
    const SAID: Styles = Styles(1 << 11);

    /// By what is before the word.
    fn of(before: &str) -> Styles {
        let hashes = before.bytes().filter(|byte| *byte == b'#').count();
        match hashes {
            1..=6 => Styles(1 << hashes),
            _ if before.contains('<') => Styles::TAG,
            _ if before.contains(['*', '_']) => Styles::BOLD,
            _ if before.contains('[') => Styles::BRACKET,
            _ => Styles::PLAIN,
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of both.
    #[must_use]
    pub fn with(self, other: Styles) -> Styles {
        Styles(self.0 | other.0)
    }

    /// Whether all of the others are among them.
    pub fn has_all(self, others: Styles) -> bool {
        others.0 & !self.0 == 0
    }

    /// Whether a head like these is the head of a turn, where the model's are written in these ways.
    pub fn is_of_turn(self, models: Styles) -> bool {
        self == Styles::SURE || self.0 & models.0 != 0
    }
}

/// Whether a line is the head of another message: `## Assistant`, `User: …`, `ChatGPT said:`,
/// `[10:33] Bot: …`.
pub fn is_role(line: &str) -> bool {
    head(line).is_some()
}

/// The head of a message that a line is.
pub fn head(line: &str) -> Option<Head> {
    if let Some(rest) = after_time(line) {
        let inner = plain_head(rest);
        let (speaker, asks) = inner.map_or((Other, false), |it| (it.speaker, it.asks));
        return Some(Head { speaker, style: Styles::TIMED, asks });
    }
    plain_head(line)
}

fn plain_head(line: &str) -> Option<Head> {
    let (before, text) = line.split_at(line.find(char::is_alphanumeric)?);
    let end = text.find(|char: char| !char.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let word = word.to_lowercase();
    let (_, speaker) = ROLES.iter().find(|(known, _)| *known == word)?;
    let (style, said) = match rest.strip_prefix('>') {
        // A tag, or a prompt.
        Some(said) if ["", "<", "</"].contains(&before.trim()) => (Styles::TAG, said),
        _ => said(before, rest)?,
    };
    let is_alone = said.trim_matches(|char: char| "*_ ".contains(char)).is_empty();
    let speaker = match speaker {
        _ if before.ends_with("</") => Other,
        PersonAlone if is_alone => Person,
        PersonAlone => Other,
        speaker => *speaker,
    };
    Some(Head { speaker, style, asks: speaker == Person && ASKS.contains(&word.as_str()) })
}

/// How a head is written, by what is before its word and after it, and what its line says then;
/// `None` where it is not a head.
fn said<'a>(before: &str, rest: &'a str) -> Option<(Styles, &'a str)> {
    let rest = rest.trim_start_matches(['*', '_', ' ', ']', ')']);
    let timed = rest.strip_prefix('(').and_then(|it| it.split_once(')'));
    let rest = timed.filter(|(time, _)| is_clock(time)).map_or(rest, |(_, rest)| rest);
    let verb = ["said", "wrote"].iter().find_map(|verb| rest.strip_prefix(verb));
    let style = if verb.is_some() { Styles::SAID } else { Styles::of(before) };
    let rest = verb.unwrap_or(rest).trim_start_matches(['*', '_', ' ']);
    let said = rest.strip_prefix([':', '：']);
    said.or_else(|| rest.is_empty().then_some(rest)).map(|said| (style, said))
}

/// What comes after a time in brackets with which a line begins, where it names who speaks then.
fn after_time(line: &str) -> Option<&str> {
    let (time, rest) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    (is_clock(time) && rest.contains([':', '：'])).then_some(rest)
}

fn is_clock(time: &str) -> bool {
    let is_time = |char: char| char.is_ascii_digit() || " :./,-TZapmAPM".contains(char);
    let is_clock = time.contains(':') && time.starts_with(|char: char| char.is_ascii_digit());
    is_clock && time.chars().all(is_time)
}

/// The nearest head above a line, which is in a fence or not; `None` where none is in the lines that
/// are looked at.
pub fn nearest(above: Above<'_>, mut in_fence: bool) -> Option<Head> {
    above.lines().find_map(|(_, line)| match Fence::of(&line[margin::of(&line).len()..]) {
        Some(fence) => {
            // One with a language opens what is below it.
            in_fence = !in_fence && fence.info.is_empty();
            None
        }
        None if in_fence => None,
        None => head(&line),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_who_speaks() {
        for line in [
            "## Assistant",
            "**User:**",
            "User: do it",
            "ChatGPT said:",
            "ChatGPT said",
            "[assistant]",
            "[10:33] Bot: sure",
            "[2026-01-02 10:33:20 PM] Jo: thanks",
            "</user>",
            "Question: why?",
        ] {
            assert!(is_role(line), "{line}");
        }
        for line in [
            "You can also do it",
            "You said that it fails",
            "Users",
            "The answer is",
            "",
            "Answering:",
            "[1:2] is a slice",
            "[x: 1] y: 2",
            "Vec<User>",
            "user -> model",
            "user > model",
        ] {
            assert!(!is_role(line), "{line}");
        }
    }

    #[test]
    fn a_person_asks() {
        let speaker = |line: &str| head(line).map(|head| head.speaker);
        for line in [
            "## User",
            "You said:",
            "You wrote:",
            "**You:**",
            "Human: do it",
            "## Prompt",
            "**Question:**",
            "**Me:**",
            "Me: do it",
            "USER>",
            "USER> do it",
            "用户：",
            "<user>",
            "User (10:32):",
            "[10:32] User: do it",
        ] {
            assert_eq!(speaker(line), Some(Person), "{line}");
        }
        for line in [
            "## Assistant",
            "ChatGPT said:",
            "You can",
            "[10:33] Bot: sure",
            "Users:",
            "</user>",
            "Prompt: the text that is sent",
            "**Question:** why?",
        ] {
            assert_ne!(speaker(line), Some(Person), "{line}");
        }
    }

    #[test]
    fn the_heads_of_a_chat_are_alike() {
        let style = |line: &str| head(line).unwrap().style;
        for (one, other) in [
            ("## User", "## Assistant"),
            ("## 🧑 User", "## Claude:"),
            ("**You:** do it", "**ChatGPT:**"),
            ("You said:", "ChatGPT said:"),
            ("<user>", "<assistant>"),
            ("User: do it", "Assistant: sure"),
            ("[10:32] User: do it", "[10:33] Bot: sure"),
        ] {
            assert_eq!(style(one), style(other), "{one}");
        }
        for line in ["### User", "**User**", "User:", "<user>", "[user]", "You said:"] {
            assert_ne!(style(line), style("## Assistant"), "{line}");
        }
    }
}
