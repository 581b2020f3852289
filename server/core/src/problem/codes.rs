//! Every problem code; `spec/problems.toml` says what each means, and a test holds the two together.

use super::Code;

macro_rules! codes {
    ($($name:ident = $text:literal,)*) => {
        $(#[doc = concat!("`", $text, "`, see `spec/problems.toml`.")]
        pub const $name: Code = Code($text);)*

        impl Code {
            /// Every code there is.
            pub const ALL: &[Code] = &[$($name),*];
        }
    };
}

codes! {
    SCAN_BLOCK_TOO_LARGE = "scan/block-too-large",
    SCAN_TOO_MANY_BLOCKS = "scan/too-many-blocks",
    SCAN_TRANSCRIPT_TOO_LARGE = "scan/transcript-too-large",
    SCAN_MORE_PROBLEMS = "scan/more-problems",
    SCAN_INSIDE_UNTERMINATED = "scan/inside-unterminated",

    OPERATOR_MARKER_NOT_ALONE = "operator/marker-not-alone",
    OPERATOR_MISSING_END = "operator/missing-end",
    OPERATOR_NESTED_BLOCK = "operator/nested-block",
    OPERATOR_UNEXPECTED_END = "operator/unexpected-end",
    OPERATOR_NOT_KEY_VALUE = "operator/not-key-value",
    OPERATOR_BLANK_LINE = "operator/blank-line",
    OPERATOR_DUPLICATE_KEY = "operator/duplicate-key",
    OPERATOR_MISSING_FIELD = "operator/missing-field",
    OPERATOR_UNSUPPORTED_VERSION = "operator/unsupported-version",
    OPERATOR_UNKNOWN_ACTION = "operator/unknown-action",
    OPERATOR_UNKNOWN_FIELD = "operator/unknown-field",
    OPERATOR_MISSING_PATH = "operator/missing-path",
    OPERATOR_FORBIDDEN_PATH = "operator/forbidden-path",
    OPERATOR_WORKSPACE_FIELD = "operator/workspace-field",
    OPERATOR_INVALID_BASE64 = "operator/invalid-base64",
    OPERATOR_INVALID_UTF8 = "operator/invalid-utf8",
    OPERATOR_PAYLOAD_CONFLICT = "operator/payload-conflict",
    OPERATOR_INLINE_CONTENT = "operator/inline-content",
    OPERATOR_INVALID_NUMBER = "operator/invalid-number",
    OPERATOR_INVALID_FINGERPRINT = "operator/invalid-fingerprint",
    OPERATOR_INVALID_EDITS = "operator/invalid-edits",
    OPERATOR_INVALID_PATCH = "operator/invalid-patch",
    OPERATOR_DUPLICATE_ID = "operator/duplicate-id",
    OPERATOR_UNREAD_TARGET = "operator/unread-target",

    PLAN_FILE_NOT_FOUND = "plan/file-not-found",
    PLAN_FILE_EXISTS = "plan/file-exists",
    PLAN_NOT_A_FILE = "plan/not-a-file",
    PLAN_NOT_A_DIRECTORY = "plan/not-a-directory",
    PLAN_OUTSIDE_WORKSPACE = "plan/outside-workspace",
    PLAN_NO_WORKSPACE = "plan/no-workspace",
    PLAN_PROTECTED_PATH = "plan/protected-path",
    PLAN_PERMISSION_DENIED = "plan/permission-denied",
    PLAN_IO = "plan/io",
    PLAN_NOT_UTF8 = "plan/not-utf8",
    PLAN_FILE_TOO_LARGE = "plan/file-too-large",
    PLAN_TOO_MANY_FILES = "plan/too-many-files",
    PLAN_CONTENT_TOO_LARGE = "plan/content-too-large",
    PLAN_TEXT_NOT_FOUND = "plan/text-not-found",
    PLAN_TEXT_AMBIGUOUS = "plan/text-ambiguous",
    PLAN_COUNT_MISMATCH = "plan/count-mismatch",
    PLAN_RANGE_OUT_OF_BOUNDS = "plan/range-out-of-bounds",
    PLAN_PATCH_MISMATCH = "plan/patch-mismatch",
    PLAN_STALE = "plan/stale",
    PLAN_NO_CHANGE = "plan/no-change",
    PLAN_PLACEHOLDER = "plan/placeholder",
    PLAN_ALL_OR_NOTHING = "plan/all-or-nothing",
    PLAN_CLIENT_CANNOT = "plan/client-cannot",
    PLAN_UNSYNCED = "plan/unsynced",

    STRUCTURE_TARGET_NOT_FOUND = "structure/target-not-found",
    STRUCTURE_TARGET_AMBIGUOUS = "structure/target-ambiguous",
    STRUCTURE_INVALID_DESTINATION = "structure/invalid-destination",
    STRUCTURE_LANGUAGE_UNSUPPORTED = "structure/language-unsupported",
    STRUCTURE_LANGUAGE_MISMATCH = "structure/language-mismatch",
    STRUCTURE_PARSER_FAILED = "structure/parser-failed",
    STRUCTURE_TEXT_EMPTY = "structure/text-empty",
    STRUCTURE_SYNTAX_BROKEN = "structure/syntax-broken",
    STRUCTURE_EMPTY = "structure/structure-empty",
    STRUCTURE_INDENTATION_INCONSISTENT = "structure/indentation-inconsistent",

    SETTINGS_UNKNOWN_KEY = "settings/unknown-key",
    SETTINGS_INVALID_VALUE = "settings/invalid-value",
}
