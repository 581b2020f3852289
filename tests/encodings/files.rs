//! Random files, and edits of them.

use std::ops::Range;

use super::Edit;

/// Numbers that look random and are the same in each run.
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed | 1)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A file of some encoding.
pub struct File {
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file of these bytes.
    pub fn new(bytes: Vec<u8>) -> File {
        File { bytes }
    }

    /// Its lines with their endings. No byte of a longer character is one that ends a line.
    pub fn lines(&self) -> Vec<Range<usize>> {
        let ends = |at: &usize| match self.bytes[*at] {
            b'\n' => true,
            b'\r' => self.bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let mut starts: Vec<usize> =
            std::iter::once(0).chain((0..self.bytes.len()).filter(ends).map(|at| at + 1)).collect();
        if starts.last() != Some(&self.bytes.len()) {
            starts.push(self.bytes.len());
        }
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// A line without its ending.
    pub fn text_of(&self, line: &Range<usize>) -> &[u8] {
        let mut text = &self.bytes[line.clone()];
        while let [rest @ .., b'\n' | b'\r'] = text {
            text = rest;
        }
        text
    }
}

/// Characters that an encoding has; what it lacks of them `iconv` leaves out.
fn letters(encoding: &str) -> &'static [Range<u32>] {
    match encoding {
        "WINDOWS-1251" | "KOI8-R" => &[0x0410..0x0450, 0xA0..0xC0, 0x2500..0x2560],
        "CP932" | "EUC-JP" => &[0x3041..0x3094, 0x30A1..0x30F7, 0x4E00..0x9FA0, 0x2010..0x2030],
        "GB18030" => &[0x4E00..0x9FA0, 0xA1..0x500, 0x1F600..0x1F640, 0x3400..0x4DB0],
        "BIG5" => &[0x4E00..0x9FA0, 0x3105..0x312A],
        "EUC-KR" => &[0xAC00..0xD7A4, 0x4E00..0x9FA0, 0x3131..0x318F],
        _ => &[0xA0..0x100, 0x2010..0x2040, 0x20AC..0x20AD, 0x150..0x180],
    }
}

const WORDS: [&str; 12] = [
    "one", "two", "def f():", "return x", "", "    pass", "}", "a\\b", "~/x", "# note", "|",
    "x = 1",
];

/// A text whose lines are ASCII, other characters, or both.
pub fn text(encoding: &str, numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let ending = numbers.pick(&["\n", "\n", "\r\n", "\r"]);
    for _ in 0..numbers.below(12) {
        match numbers.below(3) {
            0 => text.push_str(numbers.pick(&WORDS)),
            1 => text.push_str(&format!("line {}", numbers.below(20))),
            _ => {
                for _ in 0..numbers.below(6) {
                    text.push_str(numbers.pick(&["", "", "a", "one", " "]));
                    let range = numbers.pick(&[0, 1, 2, 3]) % letters(encoding).len();
                    let range = &letters(encoding)[range];
                    let length = usize::try_from(range.end - range.start).unwrap();
                    let code = range.start + u32::try_from(numbers.below(length)).unwrap();
                    text.extend(char::from_u32(code));
                }
            }
        }
        text.push_str(match numbers.below(12) {
            0 => numbers.pick(&["\n", "\r\n", "\r"]),
            _ => ending,
        });
    }
    if numbers.below(4) == 0 {
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
    }
    text
}

/// An edit of one or two ASCII lines of a file, where it has some.
pub fn edit(file: &File, numbers: &mut Numbers) -> Option<Edit> {
    let lines = file.lines();
    let is_ascii = |line: &Range<usize>| {
        let text = file.text_of(line);
        text.is_ascii() && !text.is_empty()
    };
    let starts: Vec<usize> = (0..lines.len()).filter(|at| is_ascii(&lines[*at])).collect();
    if starts.is_empty() {
        return None;
    }
    let first = numbers.pick(&starts);
    let count = 1 + numbers.below(2);
    let own = lines[first..].iter().take(count).take_while(|line| is_ascii(line));
    let text = |line| String::from_utf8(file.text_of(line).to_vec()).unwrap();
    let old: Vec<String> = own.map(text).collect();
    let new = (0..numbers.below(4)).map(|_| format!("new {}", numbers.below(1_000))).collect();
    Some(Edit { old, new })
}
