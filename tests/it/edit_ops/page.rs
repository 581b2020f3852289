//! The page `spec/edit-ops.md` and the program say the same.

use std::collections::BTreeMap;

use super::rows::ROWS;

const PAGE: &str = include_str!("../../../spec/edit-ops.md");

/// The cells of the tables below a heading, without their heads.
fn cells(heading: &str) -> Vec<Vec<String>> {
    let chapter = PAGE.split("\n### ").find(|text| text.starts_with(heading)).unwrap();
    let rows = chapter.lines().filter(|line| line.starts_with('|')).skip(2);
    let cell = |cell: &str| cell.trim().replace('`', "");
    rows.map(|row| row.trim_matches('|').split('|').map(cell).collect()).collect()
}

/// A test's name for a row of the table.
fn name(row: &str) -> String {
    let letter = |char: char| if char.is_ascii_alphanumeric() { char } else { '_' };
    row.to_ascii_lowercase().chars().map(letter).collect()
}

#[test]
fn every_row_of_the_table_is_a_test_and_has_its_outcome() {
    let cells = cells("Outcome of a request");
    let page: BTreeMap<_, _> = cells.iter().map(|row| (name(&row[0]), row[1].clone())).collect();
    let tests: BTreeMap<_, _> =
        ROWS.iter().map(|(name, outcome)| ((*name).to_owned(), (*outcome).to_owned())).collect();
    assert_eq!(page, tests);
    assert_eq!(cells.len(), ROWS.len(), "a row is there twice");
}
