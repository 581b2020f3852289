//! The path that the lines around a block name, for blocks that do not name their file themselves.

use super::between::{is_about_file, is_heading, may_name, paths_in};
use super::path_line::{Listed, listed, path_of_info, path_of_line};
use super::turns::is_role;
use super::{Above, PathAbove, Source};
use crate::text::fence::{Fence, OpenFence};

/// How many lines above a block's first line are looked at.
pub const LINES: usize = 24;
/// How many lines that are not blank may come between the path and the block, or its fence.
const NEAR: usize = 3;

/// What the lines around a block say of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// The path, and where it is.
    Path(String, PathAbove),
    /// None of them is the path for certain. The paths are those that they mention, the nearest
    /// first.
    Unsure(Doubt, Vec<String>),
    /// Nothing at all, up to the block before.
    Nothing,
}

/// Why the file of the block before may not be that of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// This line between them may name another one.
    Line(String),
    /// With this line another message begins.
    Message(String),
    /// With this heading another part begins.
    Heading(String),
    /// There are more lines between them than are looked at.
    Far,
}

/// What is known of the fence that a block is in.
#[derive(Clone, Copy)]
enum Around {
    /// That one, or none.
    Known(Option<OpenFence>),
    /// The dialects that are searched for do not need fences.
    Unknown,
}

/// The path above a block: inside its fence, after the fence's marker, or in one of the three
/// lines above that.
pub fn named(source: &Source<'_>) -> Named {
    let around = match source.follows_fences {
        true => Around::Known(source.fence),
        false => Around::Unknown,
    };
    named_in(source.above, around, source.carried.map(|path| &**path))
}

fn named_in(above: Above<'_>, around: Around, carried: Option<&str>) -> Named {
    let lines: Vec<Line> = above.lines().map(|(before, text)| Line::new(before, &text)).collect();
    let comes_after = above.is_below_block() && lines.len() < LINES;
    let opening = opening(&lines, around, comes_after);
    if let Some(named) = path(&lines, opening) {
        return named;
    }
    let filled = || lines.iter().filter(|line| line.is_filled());
    // In the fence around the block such a line is a comment.
    let inside = match around {
        Around::Known(Some(_)) => opening.unwrap_or(lines.len()),
        _ => opening.unwrap_or(0),
    };
    // Where it is named again below the heading, the part is about it, too.
    let same = carried.map(|path| format!("`{path}`"));
    let mut is_named = false;
    let mut doubt = |(index, line): (usize, &Line)| {
        is_named |= same.as_ref().is_some_and(|same| line.text.contains(same));
        let heading = index >= inside && !is_named && is_heading(&line.text);
        let heading = heading.then(|| Doubt::Heading(line.text.trim().to_owned()));
        line.doubt(carried).or(heading)
    };
    let mut numbered = lines.iter().enumerate().filter(|(_, line)| line.is_filled());
    match numbered.find_map(|it| Some((doubt(it)?, it.1))) {
        Some((doubt, line)) => {
            let mut mentioned: Vec<String> = Vec::new();
            for path in filled().take(NEAR).chain([line]).flat_map(|it| paths_in(&it.text)) {
                if !mentioned.contains(&path) {
                    mentioned.push(path);
                }
            }
            Named::Unsure(doubt, mentioned)
        }
        None if lines.len() >= LINES => Named::Unsure(Doubt::Far, Vec::new()),
        None => Named::Nothing,
    }
}

/// The path that some lines name, the nearest of which is the first; the line of that index opens the
/// fence around the block.
fn path(lines: &[Line], opening: Option<usize>) -> Option<Named> {
    let filled = |line: &&Line| line.is_filled();
    // Between a fence and its block there is at most the path.
    let fence = opening.filter(|at| lines[..*at].iter().filter(filled).count() <= 1);
    let mut rest = &lines[..opening.unwrap_or(lines.len())];
    if let Some(at) = fence {
        let inside = lines[..at].iter().find(filled);
        let named = inside.and_then(|line| line.names(path_of_line));
        let info = || lines[at].names(|line| path_of_info(Fence::of(line)?.info));
        if let Some(named) = named.or_else(info) {
            return Some(named);
        }
        let may_name = lines[at].fence().is_some_and(|fence| may_name(fence.info, false));
        if may_name || inside.is_some_and(|line| is_about_file(&line.text)) {
            return None;
        }
        rest = &lines[at + 1..];
    }
    let mut looked_at = 0;
    let mut near = rest.iter().enumerate().filter(|(_, line)| line.is_filled());
    while let Some((at, line)) = near.next().filter(|_| looked_at < NEAR) {
        looked_at += 1;
        // Another block's fence: what is above it is about that.
        if line.fence().is_some() {
            return None;
        }
        if path_of_line(&line.text).is_some() {
            // One of several paths in a list is not that of the block.
            let above = near.next();
            let is_next = above.is_some_and(|(other, _)| other == at + 1);
            let above = above.map_or("", |(_, line)| &line.text);
            let is_alone = listed(&line.text, above, is_next) == Listed::No;
            return line.names(path_of_line).filter(|_| is_alone);
        }
        if is_about_file(&line.text) {
            return None;
        }
    }
    None
}

/// The line that opens the fence around a block, by its index. The lines may begin right below another
/// block.
fn opening(lines: &[Line], around: Around, comes_after: bool) -> Option<usize> {
    let nearest = lines.iter().position(|line| line.fence().is_some())?;
    let open = match around {
        Around::Unknown => return Some(nearest),
        // A fence in a quotation is not followed.
        Around::Known(None) if !lines[nearest].is_quoted => return None,
        Around::Known(open) => open,
    };
    let opens =
        |line: &Line| open.zip(line.fence()).is_some_and(|(open, fence)| open.is_opened_by(&fence));
    let outer = lines.iter().position(opens);
    // A fence in a fence: the lines of the inner one are followed.
    let mut inner: Option<(usize, OpenFence)> = None;
    let mut is_first = comes_after && outer.is_none();
    for (index, line) in lines.iter().enumerate().take(outer.unwrap_or(lines.len())).rev() {
        if let Some(fence) = line.fence() {
            inner = match inner {
                Some((_, open)) if open.is_closed_by(&fence) => None,
                Some(inner) => Some(inner),
                // The end of the fence of the block before.
                None if is_first && fence.info.is_empty() => None,
                None => OpenFence::after(None, &line.text).map(|open| (index, open)),
            };
        }
        is_first &= !line.is_filled();
    }
    inner.map(|(index, _)| index).or(outer)
}

/// A line above a block, without what quotes it.
struct Line {
    text: String,
    /// How many bytes before the block it begins.
    before: usize,
    is_quoted: bool,
}

impl Line {
    fn new(before: usize, line: &str) -> Line {
        // A byte order mark is at the start of the text.
        let inner = line.trim_start_matches('\u{feff}');
        let text = inner.strip_prefix("> ").unwrap_or(inner);
        let before = before - (line.len() - text.len());
        Line { text: text.to_owned(), before, is_quoted: text.len() < inner.len() }
    }

    fn is_filled(&self) -> bool {
        !self.text.trim().is_empty()
    }

    fn fence(&self) -> Option<Fence<'_>> {
        Fence::of(&self.text)
    }

    /// Why the block below it may be for another file than this one.
    fn doubt(&self, carried: Option<&str>) -> Option<Doubt> {
        if is_role(&self.text) {
            return Some(Doubt::Message(self.text.trim().to_owned()));
        }
        let may_name = match self.fence() {
            Some(fence) => may_name(fence.info, false),
            None => {
                let same = carried.map(|path| format!("`{path}`"));
                let other = same.map(|same| self.text.replace(&same, ""));
                may_name(other.as_ref().unwrap_or(&self.text), true)
            }
        };
        may_name.then(|| Doubt::Line(self.text.trim().to_owned()))
    }

    /// The path that is found in the line, with its place.
    fn names(&self, found: impl Fn(&str) -> Option<String>) -> Option<Named> {
        let path = found(&self.text)?;
        let before = self.before - self.text.find(&path)?;
        let place = PathAbove { before, len: path.len() };
        Some(Named::Path(path, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn the_nearest_line_that_is_a_path_counts() {
        let named = |text: &str| {
            let text = Text::new(text);
            let lines = (0..text.line_count()).map(|line| text.line(line).into_owned());
            let fence = lines.fold(None, |open, line| OpenFence::after(open, &line));
            named_in(Above::new(&text, text.len(), 0, LINES), Around::Known(fence), None)
        };
        let path = |path: &str, before: usize| {
            Named::Path(path.to_owned(), PathAbove { before, len: path.len() })
        };
        let unsure = |line: &str, paths: &[&str]| {
            let paths = paths.iter().map(|path| (*path).to_owned()).collect();
            Named::Unsure(Doubt::Line(line.to_owned()), paths)
        };
        assert_eq!(named("a.py\n```\n"), path("a.py", 9));
        assert_eq!(named("\u{feff}a.py\n```\n"), path("a.py", 9));
        assert_eq!(named("Node.js\n\na.py\n"), path("a.py", 5));
        assert_eq!(named("Node.js\na.py\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("- b.py\n\n- a.py\n"), unsure("- a.py", &["a.py", "b.py"]));
        assert_eq!(named("b.py\n```python\na.py\n"), path("a.py", 5));
        assert_eq!(named("b.py\n```python a.py\n"), path("a.py", 5));
        assert_eq!(named("**a.py**\n\nThis is why.\n\n```python\n"), path("a.py", 32));
        assert_eq!(named("> `a.py`\n"), path("a.py", 6));
        assert_eq!(named("\u{feff}a.py\n"), path("a.py", 5));
        assert_eq!(named("a.py\n1\n2\n3\n```\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("a.py\n"), path("a.py", 5));
        assert_eq!(named("a.py\n```\nsome code\n```\n\n```\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("```\na.py\n```\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("````\n```\na.py\n```\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("````\n```\nx y\n```\na.py\n```\n"), path("a.py", 9));
        assert_eq!(named("> ```\n> a.py\n> ```\n"), unsure("a.py", &["a.py"]));
        assert_eq!(named("- a.py\n- b.py\n```\n"), unsure("- b.py", &["b.py", "a.py"]));
        assert_eq!(named("a.py\n/b c.py\n```\n"), unsure("/b c.py", &["c.py", "a.py"]));
        assert_eq!(named("x y\n"), Named::Nothing);
        assert_eq!(
            named("a.py\n## User\n"),
            Named::Unsure(Doubt::Message("## User".into()), vec!["a.py".into()])
        );
        assert_eq!(named(&"x y\n".repeat(LINES)), Named::Unsure(Doubt::Far, vec![]));
        let wrapped = "<replace_in_file>\n<path>a.py</path>\n<diff>\n";
        assert_eq!(named(wrapped), path("a.py", 19));
        assert_eq!(
            named("Now `b.py` and `c.py`.\n```\n"),
            unsure("Now `b.py` and `c.py`.", &["b.py", "c.py"])
        );
        assert_eq!(named("a.py\nLike `b.py`.\n```\n"), path("a.py", 22));
    }
}
