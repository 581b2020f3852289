//! A block in the person's editor, as `e` of `git add -p` has it.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::plan::Plan;
use operator_core::review::{Book, Proposal};
use operator_core::scan::{Placed, Scan};
use operator_core::snapshot::Snapshot;
use operator_core::text::Text;

use super::watch;
use crate::cli::input::Transcript;

/// What an edited block is checked with.
#[derive(Clone, Copy)]
pub struct Editing<'a> {
    /// The transcript.
    pub transcript: &'a Transcript,
    /// The dialects to search for in it.
    pub dialects: &'a Dialects,
    /// How much is too much.
    pub limits: &'a Limits,
}

/// A block as the person has edited it.
pub struct Edited {
    /// The transcript with it in the place of the block that it was.
    pub transcript: Transcript,
    /// The block.
    pub proposal: Proposal,
    /// Its plan.
    pub plan: Arc<Plan>,
}

impl Editing<'_> {
    /// The text of a block.
    pub fn text(&self, proposal: &Proposal) -> String {
        self.transcript.text.slice(proposal.placed.span.clone()).into_owned()
    }

    /// The transcript with another text in the place of a block, and the block there.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn edited(
        &self,
        proposal: &Proposal,
        text: &str,
        now: &dyn Snapshot,
    ) -> Result<Edited, String> {
        let (own, whole) = (&proposal.placed, &self.transcript.text);
        let before = whole.slice(0..own.span.start);
        let after = whole.slice(own.span.end..whole.len());
        let transcript = Transcript {
            name: format!("{} (edited)", self.transcript.name),
            path: self.transcript.path.clone(),
            text: Text::new(&format!("{before}{text}{after}")),
        };
        let count = |scan: &Scan| scan.blocks().count();
        let old = Scan::new(whole, self.dialects, self.limits);
        let scan = Scan::new(&transcript.text, self.dialects, self.limits);
        let placed = scan.blocks().nth(own.index);
        let same = |placed: &Placed| {
            placed.span.start == own.span.start
                && placed.block.dialect.name() == own.block.dialect.name()
        };
        let placed = placed.filter(|placed| same(placed) && count(&scan) == count(&old));
        let Some(placed) = placed else {
            return Err("what was edited is not one block in the place of this one".to_owned());
        };
        let edited = proposal.replaced_by(&placed);
        let edited = Book::default().check(&edited, now, self.limits);
        if let Some(problem) = edited.problems().find(|it| it.is_error()) {
            return Err(watch::place(&transcript, &problem));
        }
        match edited.plan.clone().filter(|_| proposal.as_edited(&edited).is_some()) {
            Some(plan) => Ok(Edited { transcript, proposal: edited, plan }),
            None => Err("an edited block must change the files that it changed before".to_owned()),
        }
    }
}

/// Has the person edit a text.
///
/// # Errors
/// Why it was not edited, for people.
pub fn in_editor(text: &str) -> Result<String, String> {
    let editor = editor().ok_or("no editor: set VISUAL or EDITOR")?;
    let failed = |error: io::Error| format!("the block cannot be edited: {error}");
    let mut file =
        tempfile::Builder::new().prefix("block-").suffix(".txt").tempfile().map_err(failed)?;
    let ends = text.ends_with('\n');
    let end = if ends { "" } else { "\n" };
    file.write_all(format!("{text}{end}").as_bytes()).map_err(failed)?;
    // An editor may put another file in its place.
    let path = file.into_temp_path();
    let status = start(editor, &path).and_then(|mut it| it.status()).map_err(failed)?;
    if !status.success() {
        return Err(format!("the editor failed: {status}"));
    }
    let mut edited = fs::read_to_string(&path).map_err(failed)?;
    if !ends && edited.ends_with('\n') {
        edited.pop();
        edited.truncate(edited.trim_end_matches('\r').len());
    }
    Ok(edited)
}

fn editor() -> Option<OsString> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    set("VISUAL").or_else(|| set("EDITOR"))
}

/// The editor as the shell starts it, so that it may have arguments; it has the terminal, whatever
/// this program reads and writes.
#[cfg(unix)]
fn start(editor: OsString, path: &Path) -> io::Result<Command> {
    let terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let mut line = editor.clone();
    line.push(" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).arg(editor).arg(path);
    command.stdin(Stdio::from(terminal.try_clone()?)).stdout(Stdio::from(terminal));
    Ok(command)
}

#[cfg(windows)]
fn start(editor: OsString, path: &Path) -> io::Result<Command> {
    let input = File::options().read(true).write(true).open("CONIN$")?;
    let output = File::options().read(true).write(true).open("CONOUT$")?;
    let mut command = Command::new("cmd");
    command.arg("/C").arg(editor).arg(path);
    command.stdin(Stdio::from(input)).stdout(Stdio::from(output));
    Ok(command)
}
