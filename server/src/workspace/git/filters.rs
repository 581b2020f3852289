//! Filters: programs that git has file contents go through, and that may be ones of the workspace.

use std::collections::BTreeMap;
use std::path::Path;

use super::program::{Hooks, line};
use super::{GitCode, GitError, Repository};

/// Filters that are programs of their own and read nothing but the content and their keys.
const KNOWN: [&str; 2] = ["git-lfs", "git-crypt"];

/// The filters that may run a program of the workspace: their commands by their names.
type Filters = BTreeMap<String, String>;

impl Repository {
    /// The repository with every filter off that may run a program of the workspace: what a
    /// transcript has just written there is not run. Unchanged where hooks may run.
    ///
    /// A file that goes through such a filter is not committed, see [`Repository::refuse_filtered`].
    pub(super) fn guarded(&self) -> Result<Repository, GitError> {
        let filters = self.filters()?;
        let off = |name: &String| {
            let values = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];
            values.map(|(key, value)| format!("filter.{name}.{key}={value}"))
        };
        let settings: Vec<String> = filters.keys().flat_map(off).collect();
        if filters.keys().any(|name| name.contains('=')) {
            let message = "the name of a git filter contains `=`, so the filter cannot \
                 be switched off: rename the filter, or commit by hand";
            return Err(GitError::new(GitCode::Filtered, message));
        }
        Ok(Repository { git: self.git.with(settings), ..self.clone() })
    }

    /// Refuses to commit where commits are signed by a program of the workspace.
    pub(super) fn refuse_signing(&self) -> Result<(), GitError> {
        let signs = ["config", "--type=bool", "commit.gpgSign"];
        if self.git.hooks() == Hooks::Run || self.git.ask(&signs)?.as_deref() != Some("true") {
            return Ok(());
        }
        let programs = self.configured(r"^gpg\.(.*\.)?(program|defaultkeycommand)$")?;
        let own = programs.into_iter().find(|(_, command)| is_of_workspace(command, &self.top));
        let Some((key, command)) = own else { return Ok(()) };
        let message = format!(
            "commits are signed by `{command}` (`{key}`), which is a program of the workspace: \
             commit by hand, or let git run programs (--hooks, or the setting git.hooks)"
        );
        Err(GitError::new(GitCode::Filtered, message))
    }

    /// Refuses to commit files whose content goes through a filter that may run a program of the
    /// workspace; `paths` are below the top, each with a NUL after it.
    pub(super) fn refuse_filtered(&self, paths: &[u8]) -> Result<(), GitError> {
        let filters = self.filters()?;
        if filters.is_empty() {
            return Ok(());
        }
        let arguments = ["check-attr", "-z", "--stdin", "filter"];
        let printed = self.git.run_on(&arguments, Some(paths))?;
        let mut fields = printed.split(|byte| *byte == 0);
        while let (Some(path), Some(_), Some(value)) = (fields.next(), fields.next(), fields.next())
        {
            let name = String::from_utf8_lossy(value).into_owned();
            let path = String::from_utf8_lossy(path);
            // What is gone goes through nothing.
            let there = self.top.join(&*path).symlink_metadata().is_ok();
            if let Some(command) = filters.get(&name).filter(|_| there) {
                return Err(GitError::new(
                    GitCode::Filtered,
                    format!(
                        "{path} goes through the git filter `{name}`, and `{command}` may be a \
                         program of the workspace: commit it by hand, or let git run programs \
                         (--hooks, or the setting git.hooks)"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The filters that may run a program of the workspace; none where hooks may run.
    fn filters(&self) -> Result<Filters, GitError> {
        if self.git.hooks() == Hooks::Run {
            return Ok(Filters::new());
        }
        let all = self.configured(r"^filter\..*\.(clean|smudge|process)$")?;
        let entries = all.into_iter().filter_map(|(key, command)| {
            let (name, _) = key.strip_prefix("filter.")?.rsplit_once('.')?;
            let unknown = !command.is_empty() && !is_known(&command, &self.top);
            unknown.then(|| (name.to_owned(), command))
        });
        Ok(entries.collect())
    }

    /// The settings whose names fit a pattern, with their values.
    fn configured(&self, pattern: &str) -> Result<Vec<(String, String)>, GitError> {
        let arguments = ["config", "-z", "--get-regexp", pattern];
        let output = self.git.output(&arguments, None)?;
        // It ends with 1 where there is none.
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(super::program::failed(&arguments, &output));
        }
        let entries = output.stdout.split(|byte| *byte == 0).filter_map(|entry| {
            let entry = line(entry);
            let (key, value) = entry.split_once('\n')?;
            Some((key.to_owned(), value.to_owned()))
        });
        Ok(entries.collect())
    }
}

/// Whether a command names a file of the work tree.
fn is_of_workspace(command: &str, top: &Path) -> bool {
    let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    // A name alone is searched for on the search path, where the work tree is not.
    words.map(Path::new).any(|word| match word.is_absolute() {
        true => word.starts_with(top),
        false => word.components().count() > 1 || command.contains(' ') && top.join(word).exists(),
    })
}

/// Whether a filter's command is a known program, outside of the work tree.
fn is_known(command: &str, top: &Path) -> bool {
    // What a shell would make more of than words is not looked through.
    if command.contains(['\n', ';', '&', '|', '<', '>', '$', '`', '(', ')', '\\']) {
        return false;
    }
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let program = match (words.next(), words.next()) {
        // `git lfs` is `git-lfs`.
        (Some("git"), Some(word)) => format!("git-{word}"),
        (Some(program), _) => program.to_owned(),
        (None, _) => return true,
    };
    let path = Path::new(&program);
    let elsewhere = path.is_absolute() && !path.starts_with(top) || !program.contains(['/', '\\']);
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    elsewhere && KNOWN.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn programs_of_the_workspace_are_seen() {
        let top = std::env::current_dir().unwrap();
        let own = |command: &str| is_of_workspace(command, &top);
        assert!(own("tools/sign.sh") && own("./sign") && own("sh Cargo.toml"));
        assert!(own(&format!("{}/x", top.display())));
        assert!(!own("gpg") && !own("/usr/bin/gpg2") && !own("ssh-keygen -Y"));
    }

    #[test]
    fn only_known_programs_run_unasked() {
        let known = |command: &str| is_known(command, Path::new("/w"));
        for command in ["git-lfs clean -- %f", "git lfs filter-process", "\"git-crypt\" clean", ""]
        {
            assert!(known(command), "{command}");
        }
        #[cfg(unix)]
        assert!(known("\"/usr/bin/git-crypt\" clean"));
        for command in [
            "./git-lfs clean",
            "/w/bin/git-lfs clean",
            "sh tools/clean.sh",
            "python3 -m nbstripout",
            "git-lfs clean; sh x",
            "git-lfs clean $(sh x)",
            "git -c alias.lfs=!x lfs",
            "X=1 git-lfs",
        ] {
            assert!(!known(command), "{command}");
        }
    }
}
