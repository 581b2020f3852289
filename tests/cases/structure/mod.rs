//! Cases about structures: calls of `operator-lsp structure`, one after the other, and what each
//! must give.

mod call;
mod editor;
mod expect;

use operator_core::structure::{ErrorCode, OPERATIONS, WarningKind};
use serde_json::Value;

use crate::macros;
use crate::parse::{Case, Section};
use crate::report::Difference;
use crate::run::Outcome;
use crate::tree::Tree;
use crate::world::World;
use call::Call;
use editor::Editor;

/// What one call gave.
pub struct Given {
    /// The answer; for `outline`, what it prints for programs.
    pub json: Value,
    /// For `outline`, what it prints for people.
    pub shown: String,
}

/// Runs the calls of a case through the binary and compares every section.
pub fn run(case: &Case) -> Outcome {
    let mut outcome = Outcome::default();
    if let Err(complaint) = outcome.structure(case) {
        outcome.differences.push(Difference::complaint(complaint));
    }
    outcome
}

impl Outcome {
    fn structure(&mut self, case: &Case) -> Result<(), String> {
        let world = World::new(case);
        let before = world.tree();
        let mut trees = vec![before.clone()];
        // A link is another name of a file that the editor has open already.
        let mut editor = case.first("link").is_none().then(|| Editor::new(case));
        let calls: Vec<&Section> = case.of("call").collect();
        if calls.is_empty() {
            return Err("a case about structures needs a `call`".to_owned());
        }
        for section in calls {
            let call = Call::of(section, &case.files())?;
            let given = call.run(&world)?;
            self.actions.insert(call.operation.clone());
            let code = given.json["error"]["error"].as_str();
            self.codes.extend(code.map(str::to_owned));
            let own: Vec<&Section> =
                case.sections.iter().filter(|it| it.call == section.call).collect();
            self.expect(&call, &own, &given);
            let after = world.tree();
            if after != trees[trees.len() - 1] {
                if given.json["ok"] != true || call.reads() {
                    let changed = trees[trees.len() - 1].differences(&after).join(", ");
                    return Err(format!(
                        "{} failed or reads, and changed {changed}",
                        call.operation
                    ));
                }
                trees.push(after);
            }
            if let Some(editor) = editor.as_mut().filter(|_| call.operation != "outline") {
                self.call_in_editor(editor, &call, &given, &trees[trees.len() - 1])?;
            }
        }
        self.tree(case, &before, &trees[trees.len() - 1]);
        self.undo(&world, trees)?;
        self.complete = true;
        Ok(())
    }

    /// An editor is answered the same, and its edit leaves the same.
    fn call_in_editor(
        &mut self,
        editor: &mut Editor,
        call: &Call,
        given: &Given,
        tree: &Tree,
    ) -> Result<(), String> {
        let answer = editor.run(call)?;
        if answer != given.json {
            let (expected, found) = (format!("{:#}", given.json), format!("{answer:#}"));
            self.differences.push(Difference::new("the answer in an editor", &expected, &found));
        }
        let paths = editor.differences(tree);
        match paths.is_empty() {
            true => Ok(()),
            false => Err(format!("{} leaves other bytes in an editor: {paths:?}", call.operation)),
        }
    }

    /// Each call that changed something is undone by one `undo`, newest first.
    fn undo(&mut self, world: &World, mut trees: Vec<Tree>) -> Result<(), String> {
        trees.pop();
        while let Some(tree) = trees.pop() {
            let output = world.run(&["undo"], None);
            if !output.status.success() {
                return Err(format!("undo: {}", String::from_utf8_lossy(&output.stderr)));
            }
            let differences = tree.differences(&world.tree());
            if !differences.is_empty() {
                let differences = differences.join(", ");
                return Err(format!("after undo these are not as they were: {differences}"));
            }
        }
        Ok(())
    }
}

/// Fails with the names of every operation, error and warning that no case shows.
pub fn coverage(_: &str, outcomes: &[Outcome]) {
    // The command line's own `outline` stands for the operation.
    let operations = OPERATIONS.iter().map(|operation| operation.command.unwrap_or("outline"));
    let warnings = WarningKind::ALL.iter().map(|kind| kind.as_str());
    let shown = |name: &&str| {
        outcomes
            .iter()
            .any(|it| [&it.actions, &it.codes, &it.offered].iter().any(|set| set.contains(*name)))
    };
    let errors = ErrorCode::ALL.iter().map(|code| code.as_str());
    let all = operations.chain(warnings).chain(errors);
    let missing: Vec<&str> = all.filter(|name| !shown(name)).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

/// Whether a text is a pattern in which `{{any}}` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    macros::matches(pattern, text)
}
