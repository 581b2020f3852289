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

/// A file and blocks for it in a chat.
fn desk(lines: &[char], blocks: &[Numbered]) -> Desk {
    let chat: String = blocks.iter().map(Numbered::text).collect();
    let mut desk = Desk::new("", &[("f.txt", &made(lines, &[]))]);
    desk.text = Text::new(&chat);
    desk.scan = Scan::new(&desk.text, Dialects::all(), &desk.limits);
    desk
}

#[test]
fn a_line_is_not_the_one_of_its_number_where_blocks_have_led_back_to_the_same_text() {
    let now = |desk: &Desk| String::from_utf8_lossy(&desk.files.files["f.txt"]).into_owned();
    let blocks = [
        Numbered { at: 2, old: vec!['c'], new: vec![] },
        Numbered { at: 0, old: vec!['a'], new: vec!['a', 'c'] },
        Numbered { at: 1, old: vec!['c'], new: vec!['b', 'c'] },
    ];
    let mut one_by_one = desk(&['a', 'c', 'c'], &blocks);
    one_by_one.shown();
    one_by_one.apply(0);
    one_by_one.apply(1);
    assert_eq!(one_by_one.shown(), ["applied", "applied", "blocked plan/text-ambiguous"]);
    assert_eq!(now(&one_by_one), "a\nc\nc\n");
    let blocks = [
        Numbered { at: 0, old: vec!['a', 'a'], new: vec!['a'] },
        Numbered { at: 3, old: vec!['b'], new: vec!['a', 'b'] },
        Numbered { at: 2, old: vec!['a'], new: vec!['e', 'a'] },
    ];
    let mut at_once = desk(&['a', 'a', 'a', 'b'], &blocks);
    at_once.shown();
    at_once.apply_all();
    assert_eq!(at_once.shown(), ["applied", "applied", "blocked plan/text-ambiguous"]);
    assert_eq!(now(&at_once), "a\na\na\nb\n");
}

proptest! {
    #[test]
    fn what_is_applied_is_at_the_lines_that_it_names(
        (lines, blocks) in script(), steps in prop::collection::vec(0usize..6, 1..6),
    ) {
        let mut desk = desk(&lines, &blocks);
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
