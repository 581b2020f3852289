//! What a child process is given of the server's own environment: no secrets, and a `PATH` that
//! leads to nobody else's programs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::real::real_or_same;

/// A variable whose name holds one of these, in whatever case, is taken for a secret.
const SECRETS: [&str; 7] =
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"];
/// So is one whose name has one of these between `_`, as in `SSH_AUTH_SOCK`; they are parts of
/// harmless names, too (`GIT_AUTHOR_NAME`).
const SECRET_WORDS: [&str; 5] = ["AUTH", "OAUTH", "PASS", "PAT", "PWD"];
/// Names that are no secrets though they look like one: directories, and git's settings.
const HARMLESS: [&str; 2] = ["PWD", "OLDPWD"];
/// How git's settings in the environment begin; they may hold headers with passwords.
const GIT_SETTINGS: &str = "GIT_CONFIG_";

/// The environment of child processes.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
    path: Vec<PathBuf>,
    /// The Bash of git, on Windows: the one that the system has there runs in another system.
    bash: Option<PathBuf>,
}

impl Environment {
    /// What a program of a transcript gets: no secrets but those that are `allowed` by name, and no
    /// directory in its `PATH` that is relative or lies in one of the workspace's `folders`.
    pub fn of_program(allowed: &[String], folders: &[PathBuf]) -> Environment {
        let is_withheld = |name: &str, value: &OsStr| is_withheld(allowed, name, value);
        Environment::new(env::vars_os(), &is_withheld, folders)
    }

    /// What git gets: no secrets, but its own settings and the agent that signs commits.
    pub fn of_git(folder: &Path) -> Environment {
        let is_secret = |name: &str, value: &OsStr| {
            name != "SSH_AUTH_SOCK" && !name.starts_with("GIT_") && is_secret(name, value)
        };
        Environment::new(env::vars_os(), &is_secret, &[folder.to_owned()])
    }

    fn new(
        variables: impl Iterator<Item = (OsString, OsString)>,
        is_secret: &dyn Fn(&str, &OsStr) -> bool,
        folders: &[PathBuf],
    ) -> Environment {
        let mut environment = Environment::default();
        for (name, value) in variables {
            if name.eq_ignore_ascii_case("PATH") {
                environment.path = search_path(&value, folders);
                if cfg!(windows) {
                    environment.bash = bash_of_git(&environment.path, folders);
                }
                continue;
            }
            // A name that is not Unicode holds these letters all the same.
            if !is_secret(&name.to_string_lossy(), &value) {
                environment.variables.push((name, value));
            }
        }
        environment
    }

    /// The command of a program that is on the `PATH`, with this environment.
    pub fn command(&self, name: &str) -> Option<Command> {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let mut found = self.path.iter().map(|directory| directory.join(&file));
        let own = self.bash.clone().filter(|_| name == "bash");
        let program = own.or_else(|| found.find(|file| is_executable(file)))?;
        let mut command = Command::new(program);
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        // What was taken for a directory of the list can be put into one again.
        command.env("PATH", env::join_paths(&self.path).unwrap_or_default());
        Some(command)
    }
}

/// Whether a program does not get a variable.
fn is_withheld(allowed: &[String], name: &str, value: &OsStr) -> bool {
    let is_allowed = allowed.iter().any(|allowed| is_same(allowed, name));
    let is_git_s = name.to_ascii_uppercase().starts_with(GIT_SETTINGS);
    !is_allowed && (is_secret(name, value) || is_git_s)
}

/// Whether two names are those of one variable: Windows has it in any case.
fn is_same(one: &str, other: &str) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}

fn is_secret(name: &str, value: &OsStr) -> bool {
    let upper = name.to_ascii_uppercase();
    let named = SECRETS.iter().any(|part| upper.contains(part))
        || upper.split('_').any(|word| SECRET_WORDS.contains(&word));
    named && !HARMLESS.contains(&upper.as_str()) || has_password(&value.to_string_lossy())
}

/// Whether a value holds a URL with a password: `postgres://me:secret@host/`.
fn has_password(value: &str) -> bool {
    value.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        host.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
    })
}

/// The directories of a `PATH` that may be looked in.
fn search_path(value: &OsStr, folders: &[PathBuf]) -> Vec<PathBuf> {
    let may = |directory: &PathBuf| directory.is_absolute() && !is_in(directory, folders);
    env::split_paths(value).filter(may).collect()
}

/// The Bash of Git for Windows: its installer puts only git on the `PATH`, `cmd` beside `bin`.
fn bash_of_git(path: &[PathBuf], folders: &[PathBuf]) -> Option<PathBuf> {
    let git = path.iter().find(|directory| directory.join("git.exe").is_file())?;
    let bash = git.parent()?.join("bin").join("bash.exe");
    (bash.is_file() && !is_in(&bash, folders)).then_some(bash)
}

/// Whether a path leads into one of these folders.
fn is_in(path: &Path, folders: &[PathBuf]) -> bool {
    let real = real_or_same(path);
    folders.iter().any(|folder| real.starts_with(real_or_same(folder)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names_and_passwords_in_urls_by_their_form() {
        let secret = |name: &str, value: &str| is_secret(name, OsStr::new(value));
        for name in [
            "LLM_CHAT_OPS_API_KEY",
            "OPERATOR_HTTP_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "db_password",
            "PASSPHRASE",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "SSH_AUTH_SOCK",
            "MYSQL_PWD",
            "PAT",
        ] {
            assert!(secret(name, "x"), "{name}");
        }
        for name in ["PATH", "HOME", "PWD", "OLDPWD", "GIT_AUTHOR_NAME", "LANG", "COMPASS"] {
            assert!(!secret(name, "x"), "{name}");
        }
        assert!(secret("DATABASE_URL", "postgres://me:secret@host/db"));
        assert!(secret("X", "a http://u:p@h"));
        assert!(!secret("DATABASE_URL", "postgres://me@host:5432/db"));
        assert!(!secret("DOC", "https://host/a:b@c"));
        let withheld = |name: &str| is_withheld(&["A_KEY".to_owned()], name, OsStr::new("x"));
        assert!(withheld("B_KEY") && withheld("GIT_CONFIG_VALUE_0") && !withheld("A_KEY"));
        assert!(withheld("Git_Config_Value_0"));
        assert_eq!(withheld("a_key"), cfg!(unix));
    }

    #[test]
    fn the_search_path_leads_neither_here_nor_into_the_workspace() {
        let place = tempfile::tempdir().unwrap();
        let (workspace, tools) = (place.path().join("ws"), place.path().join("tools"));
        std::fs::create_dir_all(workspace.join("bin")).unwrap();
        std::fs::create_dir_all(&tools).unwrap();
        let mut all = vec![
            PathBuf::from("."),
            PathBuf::new(),
            PathBuf::from("bin"),
            workspace.clone(),
            workspace.join("bin"),
            tools.join("../ws/bin"),
            tools.clone(),
        ];
        let link = place.path().join("link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(workspace.join("bin"), &link).unwrap();
        all.extend(cfg!(unix).then_some(link));
        let value = env::join_paths(&all).unwrap();
        assert_eq!(search_path(&value, &[workspace]), [tools]);
    }

    #[test]
    fn git_brings_its_own_bash() {
        let place = tempfile::tempdir().unwrap();
        let at = |path: &str| real_or_same(place.path()).join(path);
        for directory in ["system", "Git/cmd", "Git/bin"] {
            std::fs::create_dir_all(at(directory)).unwrap();
        }
        let path = [at("system"), at("Git/cmd")];
        for program in ["system/bash.exe", "Git/bin/bash.exe"] {
            std::fs::write(at(program), "").unwrap();
        }
        assert_eq!(bash_of_git(&path, &[]), None, "there is no git");
        std::fs::write(at("Git/cmd/git.exe"), "").unwrap();
        assert_eq!(bash_of_git(&path, &[at("ws")]), Some(at("Git/bin/bash.exe")));
        assert_eq!(bash_of_git(&path, &[at("Git/bin")]), None, "the workspace has it");
        std::fs::remove_file(at("Git/bin/bash.exe")).unwrap();
        assert_eq!(bash_of_git(&path, &[]), None);
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_not_looked_for_in_the_workspace() {
        let check = |path: &str, expected: &str| {
            let found = search_path(OsStr::new(path), &[PathBuf::from("/w")]);
            assert_eq!(env::join_paths(found).unwrap(), OsStr::new(expected));
        };
        check("/usr/bin:.::bin:/w:/w/node_modules/.bin:/wide/bin", "/usr/bin:/wide/bin");
        check("", "");
    }
}
