//! A rough look at a JSON object, line by line: where it ends, and which keys it has.

/// What is known of an object after some of its lines.
#[derive(Debug, Default)]
pub struct Outline {
    depth: usize,
    complete: bool,
    /// Whether a text goes on on the next line, as models write it where they forget to escape.
    in_text: bool,
    /// Brackets have gone wrong, and do not tell where the object ends any more.
    broken: bool,
    /// What may come next, and which brackets are open.
    next: Next,
    open: Vec<Bracket>,
    /// Something has come that JSON does not have there.
    damaged: bool,
    /// The key that a colon would make of the last string.
    last: Option<Key>,
    top: Keys,
    anywhere: Keys,
}

/// What may come next in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Next {
    /// A value.
    #[default]
    Value,
    /// A value, or the end of the array.
    ValueOrEnd,
    /// A key.
    Key,
    /// A key, or the end of the object.
    KeyOrEnd,
    /// The colon after a key.
    Colon,
    /// A comma, or the end of what is open.
    CommaOrEnd,
}

/// What a bracket opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Object,
    Array,
}

/// The keys that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Ops,
    /// What is beside the operations in a proposal.
    Beside,
    TargetFile,
    Applied,
    Results,
}

/// Some keys, by their numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Keys(u8);

impl Keys {
    fn has(self, key: Key) -> bool {
        self.0 & (1 << key as u8) != 0
    }

    fn add(&mut self, key: Key) {
        self.0 |= 1 << key as u8;
    }
}

impl Key {
    fn of(text: &str) -> Option<Key> {
        match text {
            "ops" => Some(Key::Ops),
            "assistant_message" | "base_fingerprints" | "enabled" => Some(Key::Beside),
            "target_file" => Some(Key::TargetFile),
            "applied" => Some(Key::Applied),
            "results" => Some(Key::Results),
            _ => None,
        }
    }
}

impl Outline {
    /// Whether the object has come to its end.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether it answers a proposal.
    pub fn is_reply(&self) -> bool {
        self.complete && self.top.has(Key::Applied) && self.top.has(Key::Results)
    }

    /// Whether it is meant for a proposal. Other objects have a key `ops`, too; one that is not JSON
    /// or was cut off need not show more than that.
    pub fn is_proposal(&self) -> bool {
        let more = self.anywhere.has(Key::TargetFile);
        match self.complete {
            true => self.top.has(Key::Ops) && (more || self.top.has(Key::Beside) || self.damaged),
            false => {
                let more = more || self.anywhere.has(Key::Beside);
                self.top.has(Key::Ops) || more && self.anywhere.has(Key::Ops)
            }
        }
    }

    /// Looks at the next line, without its ending; gives whether it can be one of JSON.
    pub fn take(&mut self, line: &str) -> bool {
        let bytes = line.as_bytes();
        let (mut at, mut fits) = (0, !self.in_text);
        if self.in_text {
            let Some(end) = end_of_text(bytes, 0) else { return false };
            self.in_text = false;
            at = end + 1;
        }
        while let Some(byte) = bytes.get(at) {
            at += 1;
            match byte {
                b' ' | b'\t' => {}
                b'"' => {
                    self.string();
                    let Some(end) = end_of_text(bytes, at) else {
                        // A text is one line in JSON.
                        self.damaged = true;
                        self.in_text = true;
                        return fits;
                    };
                    self.last = Key::of(&line[at..end]);
                    at = end + 1;
                }
                b':' => {
                    self.expect(Next::Colon, Next::Value);
                    if let Some(key) = self.last.take() {
                        self.anywhere.add(key);
                        if self.depth == 1 {
                            self.top.add(key);
                        }
                    }
                }
                b'{' => self.open(Bracket::Object, Next::KeyOrEnd),
                b'[' => self.open(Bracket::Array, Next::ValueOrEnd),
                b'}' => self.close(Bracket::Object, Next::KeyOrEnd),
                b']' => self.close(Bracket::Array, Next::ValueOrEnd),
                b',' => {
                    let is_object = self.open.last() == Some(&Bracket::Object);
                    self.expect(Next::CommaOrEnd, if is_object { Next::Key } else { Next::Value });
                    self.last = None;
                }
                _ => {
                    let end = end_of_word(bytes, at);
                    let literal = is_literal(&bytes[at - 1..end]);
                    self.damaged |= !literal;
                    self.value();
                    fits &= literal;
                    at = end;
                }
            }
        }
        fits
    }

    /// One thing has come, and another may come after it.
    fn expect(&mut self, now: Next, then: Next) {
        self.damaged |= self.next != now;
        self.next = then;
    }

    /// A value has come.
    fn value(&mut self) {
        self.damaged |= !matches!(self.next, Next::Value | Next::ValueOrEnd);
        self.next = Next::CommaOrEnd;
    }

    /// A string has come, a key or a value.
    fn string(&mut self) {
        match self.next {
            Next::Key | Next::KeyOrEnd => self.next = Next::Colon,
            _ => self.value(),
        }
    }

    fn open(&mut self, bracket: Bracket, then: Next) {
        self.value();
        self.next = then;
        self.open.push(bracket);
        self.depth += 1;
    }

    fn close(&mut self, bracket: Bracket, empty: Next) {
        let fits = self.next == Next::CommaOrEnd || self.next == empty;
        self.damaged |= !fits || self.open.pop() != Some(bracket);
        self.next = Next::CommaOrEnd;
        self.last = None;
        self.broken |= self.depth == 0;
        self.depth = self.depth.saturating_sub(1);
        self.complete |= self.depth == 0 && !self.broken;
    }
}

/// Where the quote is that ends the text that has begun before `from`.
pub fn end_of_text(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', bytes.get(from..)?)?;
        match bytes[at] {
            b'"' => return Some(at),
            _ => from = at + 2,
        }
    }
}

fn end_of_word(bytes: &[u8], from: usize) -> usize {
    let ends = |byte: &u8| b" \t\"{}[]:,".contains(byte);
    bytes[from..].iter().position(ends).map_or(bytes.len(), |at| from + at)
}

fn is_literal(word: &[u8]) -> bool {
    let number = || word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    matches!(word, b"true" | b"false" | b"null") || number()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Outline {
        let mut outline = Outline::default();
        text.lines().for_each(|line| _ = outline.take(line));
        outline
    }

    #[test]
    fn a_proposal_is_told_from_other_objects() {
        for text in [
            r#"{"ops":[],"enabled":false}"#,
            "{\n  \"ops\"\n  : [],\n  \"assistant_message\": \"\"}",
            r#"{"ops":[{"op":"delete","target_file":"tool.py"}]}"#,
            r#"{"ops":[{"op":"rep"#,
            r#"{"ops": oops}"#,
            r#"{"ops": [],}"#,
            r#"{"ops": [], "a": [1 2]}"#,
            "{\"ops\": [\"a\nb\"]}",
            r#"{"assistant_message":{"a":1,"ops":["#,
        ] {
            assert!(of(text).is_proposal(), "{text}");
        }
        for text in [
            r#"{"ops":[{"insert":"text"}]}"#,
            r#"{"ops":{"a":[],"b":{},"c":[-1.5e3,true,[null]]},"d":"}"}"#,
            r#"{"other": oops}"#,
            r#"{"enabled":true,"target_file":"ops"}"#,
            r#"{"scripts":{"ops":"x","enabled":"y"}}"#,
            r#"{"a":"\"ops\":","enabled":1"#,
            "{",
        ] {
            assert!(!of(text).is_proposal(), "{text}");
        }
        assert!(of(r#"{"applied":true,"results":[],"base_fingerprints":{}}"#).is_reply());
        assert!(!of(r#"{"x":{"applied":true,"results":[]}}"#).is_reply());
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert!(of(r#"{"a":"}\"}","b":[{}]}"#).is_complete());
        assert!(!of(r#"{"a":"}\"}","b":[{}]"#).is_complete());
        assert!(of("{\"a\":\"}\n}\"}").is_complete());
        assert!(!of("{\"a\":\"\n}").is_complete());
        assert!(!of("}{}").is_complete());
    }

    #[test]
    fn prose_does_not_fit() {
        let fits = |line| Outline::default().take(line);
        assert!(fits(r#"  {"a": [true, null, -1.5e3, {}"#) && fits("") && fits("]},"));
        assert!(!fits("Sorry, I was cut off.") && !fits("é"));
        let mut cut = Outline::default();
        assert!(cut.take(r#"{"a": "cut o"#) && !cut.take("And so on."));
    }
}
