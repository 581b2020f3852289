//! What the protocols say, as data: the folder `spec/`, embedded.

mod role;

use std::sync::LazyLock;

use foldhash::HashMap;
pub use role::FieldRole;
use serde::Deserialize;

/// The specification that `operator.getInterfaceSpec` serves.
pub const OPERATOR: &str = include_str!("../../../spec/operator.md");

/// What there is to say about structures and the operations on them.
pub const STRUCTURE: &str = include_str!("../../../spec/structure.md");

/// How bad a problem is. An error makes a block `invalid` or a plan `blocked`; the rest does not.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, serde::Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The block or the plan cannot be used.
    Error,
    /// It can be used, and is probably not meant so.
    Warning,
    /// Worth knowing.
    Information,
    /// A remark that editors show faintly.
    Hint,
}

/// What a command does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It looks at files.
    Read,
    /// It changes files.
    Write,
    /// It concerns the protocol itself.
    Meta,
    /// It runs a program.
    Exec,
}

/// What the value of a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldType {
    /// Any text.
    Text,
    /// A path in the workspace.
    Path,
    /// A whole number.
    Integer,
    /// Base64 of UTF-8 text (RFC 4648, section 4).
    Base64,
    /// Base64 of a unified diff.
    Base64Patch,
    /// Base64 of the JSON of `fs.applyEdits`.
    Base64Edits,
    /// Base64 of the target of a structure.
    Base64Target,
    /// The target of a structure, one line for each level.
    Target,
    /// A fingerprint.
    Fingerprint,
    /// A path from the system's root on.
    AbsolutePath,
    /// Such a path, and after it the headers of structures, each after `@@`.
    StructurePath,
    /// Such paths, one a line.
    Paths,
    /// `true` or `false`.
    Boolean,
    /// One of the field's values.
    Enum,
    /// A glob over paths.
    Glob,
}

impl FieldType {
    /// Whether the value is base64 of something.
    pub fn is_base64(self) -> bool {
        use FieldType::{Base64, Base64Edits, Base64Patch, Base64Target};
        matches!(self, Base64 | Base64Edits | Base64Patch | Base64Target)
    }

    /// Whether the value is the target of a structure.
    pub fn is_target(self) -> bool {
        matches!(self, FieldType::Target | FieldType::Base64Target)
    }

    /// Whether the value names files or directories.
    pub fn is_path(self) -> bool {
        self == FieldType::Path || self.is_absolute()
    }

    /// Whether the value names files or directories from the system's root on.
    pub fn is_absolute(self) -> bool {
        use FieldType::{AbsolutePath, Paths, StructurePath};
        matches!(self, AbsolutePath | StructurePath | Paths)
    }
}

/// One field of an action.
#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The key.
    pub name: String,
    /// What its value is.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// What it is to the command: as stated or, where nothing is, as its name says.
    #[serde(default)]
    pub role: Option<FieldRole>,
    /// Whether the action cannot do without it.
    #[serde(default)]
    pub required: bool,
    /// Fields of the same number are alternatives: exactly one of them is required.
    #[serde(default)]
    pub one_of: Option<u8>,
    /// Whether the value usually takes several lines.
    #[serde(default)]
    pub long: bool,
    /// The values that an `enum` has.
    #[serde(default)]
    pub values: Vec<String>,
    /// The least value of an integer.
    #[serde(default)]
    pub min: Option<u64>,
    /// The greatest value of an integer.
    #[serde(default)]
    pub max: Option<u64>,
    /// The value where the field is left out.
    #[serde(default)]
    pub default: Option<u64>,
    /// One line of help.
    pub help: String,
}

/// One action of one dialect.
#[derive(Debug, Clone, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The name, `fs.read`.
    pub name: String,
    /// The dialect that it belongs to.
    pub dialect: String,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether the original protocol lacks it.
    #[serde(default)]
    pub extension: bool,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The operation on structures that it calls, by its name in `operator/structure`.
    #[serde(default)]
    pub structure: Option<String>,
    /// Whether no transcript may ask for it.
    #[serde(default)]
    pub user_only: bool,
    /// One line of help.
    pub help: String,
    /// What its result holds.
    pub result: String,
    /// Its fields besides those that every command of the dialect has.
    #[serde(default)]
    pub fields: Vec<Field>,
}

impl Action {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Its name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

/// What `spec/problems.toml` says about one code.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemEntry {
    /// The code.
    pub code: String,
    /// The severity that it has unless something makes it milder.
    pub severity: Severity,
    /// A few words.
    pub title: String,
    /// What it means and why it is one.
    pub explanation: String,
    /// Text that shows it; may be empty.
    #[serde(default)]
    pub example: String,
    /// What to do, or what the quick fix does.
    pub fix: String,
}

#[derive(Deserialize)]
struct Actions {
    action: Vec<Action>,
}

#[derive(Deserialize)]
struct Problems {
    problem: Vec<ProblemEntry>,
}

static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let mut parsed: Actions =
        serde_json::from_str(ACTIONS_JSON).expect("it is spec/actions.toml, and a test parses it");
    for field in parsed.action.iter_mut().flat_map(|action| &mut action.fields) {
        field.role = field.role.or_else(|| FieldRole::of_name(&field.name));
    }
    parsed.action
});

static PROBLEMS: LazyLock<Vec<ProblemEntry>> = LazyLock::new(|| {
    let json = include_str!(concat!(env!("OUT_DIR"), "/problems.json"));
    let parsed: Problems =
        serde_json::from_str(json).expect("it is spec/problems.toml, and a test parses it");
    parsed.problem
});

static PROBLEM_BY_CODE: LazyLock<HashMap<&'static str, &'static ProblemEntry>> =
    LazyLock::new(|| PROBLEMS.iter().map(|entry| (entry.code.as_str(), entry)).collect());

/// What `spec/actions.toml` says; see `build.rs`.
const ACTIONS_JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/actions.json"));

/// The page of problems as people read it.
const PAGE: &str = include_str!("../../../spec/problems.toml");

/// The line of each code on the page, from 1.
static LINE_BY_CODE: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let code = |line: &'static str| line.strip_prefix("code = \"")?.strip_suffix('"');
    let lines = PAGE.lines().zip(1..);
    let known = |code: &&str| PROBLEM_BY_CODE.contains_key(code);
    let line = |(line, number)| Some((code(line).filter(known)?, number));
    lines.filter_map(line).collect()
});

/// The actions of a dialect, in the order of the specification.
pub fn actions(dialect: &str) -> impl Iterator<Item = &'static Action> {
    ACTIONS.iter().filter(move |action| action.dialect == dialect)
}

/// The action of that name, its own or another, in a dialect.
pub fn action(dialect: &str, name: &str) -> Option<&'static Action> {
    ACTION_BY_NAME.get(&(dialect, name)).copied()
}

/// The actions by their dialect and each of their names.
static ACTION_BY_NAME: LazyLock<HashMap<(&str, &str), &'static Action>> = LazyLock::new(|| {
    let named = |action: &'static Action| {
        action.names().map(move |name| ((action.dialect.as_str(), name), action))
    };
    // Of two with one name the first counts.
    ACTIONS.iter().rev().flat_map(named).collect()
});

/// What there is to say about every problem code, in the order of the page.
pub fn problems() -> &'static [ProblemEntry] {
    &PROBLEMS
}

/// What there is to say about one problem code.
pub fn problem(code: &str) -> Option<&'static ProblemEntry> {
    PROBLEM_BY_CODE.get(code).copied()
}

/// The line of `spec/problems.toml` that names a problem code, from 1.
pub fn problem_line(code: &str) -> Option<usize> {
    LINE_BY_CODE.get(code).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Code;

    #[test]
    fn the_page_and_the_code_name_the_same_problems() {
        let mut page: Vec<_> = problems().iter().map(|entry| entry.code.as_str()).collect();
        let mut code: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        page.sort_unstable();
        code.sort_unstable();
        assert_eq!(page, code);
    }

    #[test]
    fn a_role_is_stated_only_where_the_name_does_not_say_it() {
        let page: Actions = serde_json::from_str(ACTIONS_JSON).unwrap();
        for field in page.action.iter().flat_map(|action| &action.fields) {
            assert!(
                field.role.is_none() || FieldRole::of_name(&field.name).is_none(),
                "{}",
                field.name
            );
        }
    }

    #[test]
    fn paths_targets_and_fingerprints_have_roles_of_their_kind() {
        use FieldRole::{
            BaseFingerprint, Cwd, DestPath, DestTarget, Path, Paths, SourcePath, SourceTarget,
            Target,
        };
        for action in ACTIONS.iter() {
            for field in &action.fields {
                let is = |roles: &[FieldRole]| field.role.is_some_and(|it| roles.contains(&it));
                let fits = match field.kind {
                    FieldType::Fingerprint => is(&[BaseFingerprint]),
                    kind if kind.is_target() => is(&[Target, SourceTarget, DestTarget]),
                    kind if kind.is_path() => is(&[Path, Paths, SourcePath, DestPath, Cwd]),
                    _ => true,
                };
                assert!(fits, "{}: {}", action.name, field.name);
            }
        }
    }

    #[test]
    fn every_code_has_its_line() {
        assert_eq!(LINE_BY_CODE.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| problem_line(code.as_str()).is_some()));
    }
}
