//! The scan against itself: in pieces, and after edits, against a fresh one.

use proptest::prelude::*;

use super::*;
use crate::dialect::Above;

/// Lines from which transcripts are put together, with all that matters to a scan.
fn piece() -> impl Strategy<Value = String> {
    let lines = [
        "OPERATOR_CMD",
        "END_OPERATOR_CMD",
        " OPERATOR_CMD",
        "END_OPERATOR_CMD.",
        "version: 1",
        "id: a",
        "id: b",
        "action: fs.list",
        "path: .",
        "prose",
        "",
        "OPERATOR_RESULT",
        "END_OPERATOR_RESULT",
        "BEGIN a",
        "BEGIN b",
        "TEXT e",
        "e",
        "FINISH",
        "é😀",
        "OPERATOR_CMD x",
        "#!SHAM [@three-char-SHA-256: abc]",
        "#!SHAM [@three-char-SHA-256: xyz]",
        " #!SHAM [@three-char-SHA-256: abc]",
        "#!SHAM [@three-char-SHA-256: abc] write it",
        "# SHAM [@three-char-SHA-256: xyz]",
        "#!SHAM abc",
        "#!SHAM [@id: abc]",
        "#!nesl [@three-char-SHA-256: abc]",
        "action = \"file_read\"",
        "path = \"a.txt\"",
        "content = <<'EOT_SHAM_abc'",
        "content = <<'EOT_abc'",
        "content = <<'EOT'",
        "content == <<'EOT_SHAM_abc'",
        "content =\u{a0}<<'EOT_SHAM_abc'",
        "EOT_SHAM_abc",
        " EOT_SHAM_abc",
        "text EOT_abc",
        "EOT",
        "#!END_SHAM_abc",
        "#!END_SHAM_xyz'",
        "#!end_abc",
        "<<<EXPLANATION>>>",
        "<<<FILE>>>",
        " <<<FILE>>>",
        "<<<FILE>>> a.txt",
        "b.txt",
        "<<<SEARCH>>>",
        "**<<<SEARCH>>>**",
        "<<<SEARCH>>> e",
        "<<<REPLACE>>>",
        "<<< replace >>>",
        "<<<OVERWRITE>>>",
        "<<<END>>>",
        "<<<END>>",
        "text <<<END>>>",
        "<<SEARCH>>",
        "\\<\\<\\<FILE\\>\\>\\>",
        "\\<\\<\\<END\\>\\>\\>",
        "&lt;&lt;&lt;OVERWRITE&gt;&gt;&gt;",
        "<<<FILE>>>\na.txt",
        "<<<FILE>>>\nb.txt",
        "<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>",
        "<<<SEARCH>>>\nb\n<<<REPLACE>>>\n<<<END>>>",
        "<<<OVERWRITE>>>\na\n<<<END>>>",
        "a.txt",
        "<<<<<<< SEARCH",
        "> <<<<<<< SEARCH",
        "<<<<< SEARCH> a.txt",
        "------- SEARCH",
        "<<<<<<< search",
        "&lt;&lt;&lt;&lt; SEARCH",
        ">>>>>>> replace",
        "=======:",
        "## Assistant",
        "<path>b.txt</path>",
        "some words",
        ":start_line:2",
        "=======",
        "===",
        ">>>>>>> REPLACE",
        "+++++++ REPLACE",
        "a.txt\n```\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```",
        "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE",
        "*** Begin Patch",
        " *** Begin Patch",
        "*** begin patch",
        "\\*\\*\\* Begin Patch",
        "*** END PATCH",
        "*** Update File: a.txt",
        "*** Add File: b.txt",
        "*** Move to: b.txt",
        "@@",
        "@@ one",
        " one",
        "-one",
        "+two",
        "*** End of File",
        "*** End Patch",
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch",
        "```diff",
        "~~~~ patch a.txt",
        "   ```diff",
        "diff --git a/a.txt b/a.txt",
        "--- a/a.txt",
        "--- a/a.txt\n+++ b/a.txt",
        "@@ -1,2 +1,2 @@",
        "@@ -1 +1 @@ f",
        "\\ No newline at end of file",
        "rename to b.txt",
        "deleted file mode 100644",
        "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```",
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two",
        "New file: a.md\n```markdown",
        "a.txt\n````",
        "```python a.py\n# ...\n```",
        "```\n# a.py",
        "a.py\n```python\none\n```",
        "```\n--- a/a.txt\n+++ b/a.txt",
        "Output:\n```",
        "    ```",
        "```sh",
        "cat > a.txt <<'EOF'",
        "cat <<EOF | tee b.txt && cd sub",
        "cat <<-EOF > a.txt\none\n\tEOF",
        "```sh\ncat > a.txt <<'EOF'\none\nEOF",
        "cat >> a.txt <<'EOF'",
        "python - <<'EOF'",
        "cd sub",
        "costs $x",
        "EOF",
        "<write_to_file>",
        "with:",
        "sed -i 's/one/two/' a.txt",
        "> <boltAction type=\"file\" filePath=\"a.txt\">",
        "<replace_in_file>\n<path>a.txt</path>\n<diff>",
        "\"old_str\": \"one\",",
        "{\"old_string\": \"one\", \"new_string\": \"two\"}",
        "canmore.update_textdoc",
        "Delete `a.txt`",
        "### Rename `a.txt` to `b.txt`",
        "operator-lsp applied 1 of 1 block.",
        "1. `a.txt` (00000000): applied.",
        "   what is below an item",
        "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.",
        "```",
        "```json",
        "```python",
        "~~~",
        "~~~~ edit-ops",
        "{",
        "{\"ops\": [",
        "]}",
        "}",
        "{}",
        "\"text that goes",
        "on\",",
        "\"enabled\": true,",
        "{\"enabled\": true, \"ops\": []}",
        "{\"applied\": true, \"results\": []}",
        "```json\n{\"ops\": [], \"enabled\": false}\n```",
        "{\"success\": true, \"totalBlocks\": 0,",
        "\"success\": true, \"totalBlocks\": 0,",
        "\"executedActions\": 0, \"results\": [], \"parseErrors\": []}",
        "```json\n{\"success\": true, \"totalBlocks\": 0,",
        "action = \"file_read\"\n#!END_SHAM_abc\n{",
        "\u{feff}",
        "<!-- operator-lsp: off -->",
        "<think>",
        "So be it. </think>",
        "</think>",
        " <!--operator-lsp: on-->",
        "<!-- operator-lsp: o",
    ];
    let ending = prop_oneof![8 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("")];
    (prop::sample::select(lines.to_vec()), ending)
        .prop_map(|(line, ending)| format!("{line}{ending}"))
}

fn transcript(pieces: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), pieces).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn edits_lead_where_a_fresh_scan_starts(
        start in transcript(0..40),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..30, transcript(0..4)), 1..6),
        blocks in prop_oneof![4 => Just(10_000usize), 1 => 0usize..12],
        is_chat in any::<bool>(),
    ) {
        let dialects = if is_chat { both() } else { both().in_any_document() };
        let mut edited = Edited::with(&start, dialects, Limits { blocks, ..Limits::default() });
        for (at, len, new) in edits {
            let text = &edited.text;
            let from = text.floor(at.index(text.len() + 1));
            let to = text.floor((from + len).min(text.len()));
            edited.replace(from..to, &new);
            prop_assert_eq!(edited.differs(), None);
        }
    }

    #[test]
    fn a_text_that_comes_in_pieces_is_found_as_at_once(
        text in transcript(0..40),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        blocks in prop_oneof![4 => Just(10_000usize), 1 => 0usize..12],
    ) {
        let whole = Text::new(&text);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| whole.floor(cut.index(text.len() + 1))).collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut edited = Edited::new("", Limits { blocks, ..Limits::default() });
        for cut in cuts {
            let at = edited.text.len();
            edited.replace(at..at, &text[at..cut]);
            prop_assert_eq!(edited.differs(), None);
        }
    }

    #[test]
    fn a_text_that_is_scanned_in_parts_is_found_as_at_once(
        text in transcript(0..60),
        most in 2usize..5,
        least in 1usize..200,
        blocks in prop_oneof![4 => Just(10_000usize), 1 => 0usize..12],
        (at, new) in (any::<prop::sample::Index>(), transcript(0..4)),
    ) {
        let (text, dialects) = (Text::whole(text), both());
        let limits = Limits { blocks, ..Limits::default() };
        let scan = Scan::in_parts(&text, &dialects, &limits, Parts { most, least });
        let mut edited = Edited { text, scan, dialects, limits };
        prop_assert_eq!(edited.differs(), None);
        let at = edited.text.floor(at.index(edited.text.len() + 1));
        edited.replace(at..at, &new);
        prop_assert_eq!(edited.differs(), None);
    }

    #[test]
    fn a_line_that_opens_a_block_holds_a_needle(line in transcript(1..4), next in piece()) {
        let dialects = both();
        let line = line.replace(['\n', '\r'], " ");
        let above = Above::default();
        let candidate = Candidate { line: &line, next: next.trim_end(), above, fence: None };
        let asked: Vec<_> = dialects.with_needle_in(&line).map(|it| it.name()).collect();
        for dialect in dialects.iter().filter(|it| !asked.contains(&it.name())) {
            prop_assert_eq!(dialect.opens(&candidate), Opening::Nothing, "{}: {}", dialect.name(), line);
        }
    }
}
