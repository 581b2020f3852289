//! Blocks with line numbers, held against the file as it was when they came in.

use proptest::prelude::*;

use super::*;
use crate::dialect::Dialects;

/// A block: the lines that it is for, by the first one's 0-based number, and those in their place.
#[derive(Debug, Clone)]
struct Numbered {
    at: usize,
    old: Vec<char>,
    new: Vec<char>,
}

impl Numbered {
    fn text(&self) -> String {
        let lines = |all: &[char]| all.iter().map(|it| format!("{it}\n")).collect::<String>();
        let (line, old, new) = (self.at + 1, lines(&self.old), lines(&self.new));
        format!(
            "f.txt\n```\n<<<<<<< SEARCH\n:start_line:{line}\n-------\n{old}=======\n{new}>>>>>>> \
             REPLACE\n```\n\n"
        )
    }
}

/// The text once these blocks are made, each at the lines that it names.
fn made(lines: &[char], blocks: &[&Numbered]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < lines.len() {
        let block = blocks.iter().find(|block| block.at == at);
        let new = block.map_or(&lines[at..=at], |block| &block.new);
        new.iter().for_each(|line| text += &format!("{line}\n"));
        at += block.map_or(1, |block| block.old.len());
    }
    text
}

/// Lines of which many are equal, and blocks for some of them, in any order.
fn script() -> impl Strategy<Value = (Vec<char>, Vec<Numbered>)> {
    let line = prop::sample::select(vec!['a', 'b', 'c']);
    let new = prop::collection::vec(prop::sample::select(vec!['a', 'b', 'c', 'd', 'e']), 0..4);
    let block = (0usize..4, 1usize..3, new, any::<bool>());
    let all = (prop::collection::vec(line, 2..12), prop::collection::vec(block, 1..5));
    let blocks = all.prop_map(|(lines, drafts)| {
        let (mut at, mut blocks) = (0, Vec::new());
        for (gap, len, new, keeps) in drafts {
            at += gap;
            let Some(old) = lines.get(at..lines.len().min(at + len)) else { break };
            if old.is_empty() {
                break;
            }
            let kept = if keeps { old.to_vec() } else { Vec::new() };
            let new = if kept.is_empty() && new == old { vec!['e'] } else { [kept, new].concat() };
            blocks.push(Numbered { at, old: old.to_vec(), new });
            at += old.len();
        }
        (lines, blocks)
    });
    blocks.prop_flat_map(|(lines, blocks)| (Just(lines), Just(blocks).prop_shuffle()))
}

proptest! {
    #[test]
    fn what_is_applied_is_at_the_lines_that_it_names(
        (lines, blocks) in script(), steps in prop::collection::vec(0usize..6, 1..6),
    ) {
        let before = made(&lines, &[]);
        let chat: String = blocks.iter().map(Numbered::text).collect();
        let mut desk = Desk::new("", &[("f.txt", &before)]);
        desk.text = Text::new(&chat);
        desk.scan = Scan::new(&desk.text, Dialects::all(), &desk.limits);
        prop_assert_eq!(desk.review().proposals().count(), blocks.len());
        for step in steps {
            match desk.statuses().get(step) {
                Some(Status::Ready) => desk.apply(step),
                Some(_) => {}
                None => desk.apply_all(),
            }
            let statuses = desk.statuses();
            let applied = statuses.iter().zip(&blocks).filter(|(it, _)| **it == Status::Applied);
            let applied: Vec<&Numbered> = applied.map(|(_, block)| block).collect();
            let now = String::from_utf8_lossy(&desk.files.files["f.txt"]).into_owned();
            prop_assert_eq!(now, made(&lines, &applied));
        }
    }
}
