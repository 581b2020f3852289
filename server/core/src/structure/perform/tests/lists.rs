//! Members of lists in JSON, and keys after markers in YAML.

use super::*;
use crate::structure::perform::insertion::Side::{After, Before};

#[test]
fn members_share_lines_or_have_their_own() {
    let short = "{\"a\": 1, \"b\": [1,2]}\n";
    let check = |before, request, after| check_in("a.json", before, request, after);
    check(short, insert(After, "b", "\"c\": 3"), "{\"a\": 1, \"b\": [1,2], \"c\": 3}\n");
    check(short, insert(Before, "a", "\"c\": 3,"), "{\"c\": 3, \"a\": 1, \"b\": [1,2]}\n");
    check(short, delete("a"), "{\"b\": [1,2]}\n");
    let long = "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n";
    check(
        long,
        insert(After, "b", "\"d\": {\n    \"e\": 3\n}"),
        "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  },\n  \"d\": {\n    \"e\": 3\n  }\n}\n",
    );
    check(long, replace("c", "\"c\": 4,"), "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 4\n  }\n}\n");
    check(long, delete("b"), "{\n  \"a\": 1\n}\n");
    check("[\n\t{ \"a\": 1 }\n]\n", delete("a"), "[\n\t{ }\n]\n");
}

#[test]
fn what_stands_behind_a_marker_is_as_deep_as_its_column() {
    let check = |before, request, after| check_in("a.yaml", before, request, after);
    let steps = "steps:\n- name: a\n  run:\n    x: 1\n- run: b\n";
    check(
        steps,
        replace("name", "name:\n  long: c"),
        "steps:\n- name:\n    long: c\n  run:\n    x: 1\n- run: b\n",
    );
    check(
        steps,
        insert(After, "name", "id: 1"),
        "steps:\n- name: a\n  id: 1\n  run:\n    x: 1\n- run: b\n",
    );
    check(
        steps,
        insert(Before, "name", "id: 1"),
        "steps:\n- id: 1\n  name: a\n  run:\n    x: 1\n- run: b\n",
    );
    check(steps, delete("name"), "steps:\n- run:\n    x: 1\n- run: b\n");
}

#[test]
fn a_list_keeps_the_separator_that_it_has() {
    let table = |fields: &str| format!("local u = {{\n{fields}}}\n");
    let [f, g] = ["  f = function() end", "  g = function() end"];
    for (before, after) in [
        (format!("{f};\n{g};\n"), format!("{f};\n")),
        (format!("{f};\n{g}\n"), format!("{f}\n")),
        (format!("{f},\n{g};\n"), format!("{f},\n")),
    ] {
        check_in("a.lua", &table(&before), delete("g"), &table(&after));
    }
    for (before, after) in [
        (format!("{f};\n{g};\n"), format!("{f};\n{g};\n  h = 2;\n")),
        (format!("{f};\n{g}\n"), format!("{f};\n{g};\n  h = 2\n")),
        (format!("{f},\n{g};\n"), format!("{f},\n{g};\n  h = 2;\n")),
        (format!("{g},\n{f};\n"), format!("{g},\n  h = 2,\n{f};\n")),
    ] {
        for content in ["h = 2", "h = 2,", "h = 2;"] {
            check_in("a.lua", &table(&before), insert(After, "g", content), &table(&after));
        }
    }
    let line = "local u = { f = function() end; g = function() end }\n";
    check_in("a.lua", line, delete("g"), "local u = { f = function() end }\n");
    let more = "local u = { f = function() end; h = 2; g = function() end }\n";
    check_in("a.lua", line, insert(After, "f", "h = 2"), more);
    check_in("a.lua", line, insert(Before, "g", "h = 2"), more);
}
