//! The fences of Markdown (CommonMark, section 4.5).

/// A line that opens or closes fenced code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence<'a> {
    /// `` ` `` or `~`.
    pub sign: char,
    /// How often it is there.
    pub length: usize,
    /// What comes after it, without blanks around.
    pub info: &'a str,
}

impl Fence<'_> {
    /// The fence that a line is, without its ending; `None` for any other line.
    pub fn of(line: &str) -> Option<Fence<'_>> {
        let text = line.trim_start_matches(' ');
        let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
        let rest = text.trim_start_matches(sign);
        let length = text.len() - rest.len();
        let indented = line.len() - text.len() >= 4;
        let code = sign == '`' && rest.contains('`');
        (!indented && !code && length >= 3).then(|| Fence { sign, length, info: rest.trim() })
    }

    /// Whether it closes what another opens.
    pub fn closes(&self, opening: &Fence<'_>) -> bool {
        self.sign == opening.sign && self.length >= opening.length && self.info.is_empty()
    }
}

/// The lines inside a fence that is around a whole text; `None` for any other text.
pub fn inside(text: &str) -> Option<&str> {
    let trimmed = text.trim_end();
    let (first, rest) = trimmed.split_once('\n')?;
    let (inner, last) = rest.rsplit_once('\n')?;
    let (opening, closing) = (Fence::of(first.trim_end())?, Fence::of(last)?);
    closing.closes(&opening).then_some(inner)
}

/// A fence that is open: its sign and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenFence {
    sign: char,
    length: usize,
}

impl OpenFence {
    /// The fence that is open after a line, where this one is open before it.
    pub fn after(open: Option<OpenFence>, line: &str) -> Option<OpenFence> {
        let Some(fence) = Fence::of(line) else { return open };
        match open {
            Some(open) if open.is_closed_by(&fence) => None,
            Some(open) => Some(open),
            None => Some(OpenFence { sign: fence.sign, length: fence.length }),
        }
    }

    /// The signs that open it.
    pub fn line(self) -> String {
        self.sign.to_string().repeat(self.length)
    }

    /// Whether a line may be the one that opens it.
    pub fn is_opened_by(self, line: &Fence<'_>) -> bool {
        (line.sign, line.length) == (self.sign, self.length)
    }

    /// Whether a line closes it.
    pub fn is_closed_by(self, line: &Fence<'_>) -> bool {
        line.closes(&Fence { sign: self.sign, length: self.length, info: "" })
    }
}

/// Follows the lines of a text that may be in a fence, to tell the end of that fence from those
/// of the fences that the text holds itself.
#[derive(Debug, Default)]
pub struct Fences {
    /// The sign and the length of the fence that the text has opened.
    inner: Option<(char, usize)>,
}

impl Fences {
    /// Whether the next line ends the fence around the text.
    pub fn is_outer_end(&mut self, line: &str) -> bool {
        let Some(fence) = Fence::of(line) else { return false };
        if let Some((sign, length)) = self.inner {
            if fence.closes(&Fence { sign, length, info: "" }) {
                self.inner = None;
            }
            return false;
        }
        if !fence.info.is_empty() {
            self.inner = Some((fence.sign, fence.length));
            return false;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_told_from_code_and_prose() {
        let info = |line| Fence::of(line).map(|fence| fence.info);
        assert_eq!(info("``` json "), Some("json"));
        assert_eq!(info("   ~~~~"), Some(""));
        for line in ["    ```", "``", "```a```", "text ```", ""] {
            assert_eq!(info(line), None, "{line}");
        }
    }

    #[test]
    fn what_closes_is_as_long_and_bare() {
        let closes = |line, opening| Fence::of(line).unwrap().closes(&Fence::of(opening).unwrap());
        assert!(closes("```", "```json") && closes("````", "```json"));
        assert!(!closes("```", "````json") && !closes("~~~", "```") && !closes("```x", "```x"));
    }
}
