//! Processes that a program leaves running outside its process group: on Linux they are adopted,
//! so that they can be found and ended.
//!
//! While a program runs, this process is the subreaper of everything below it: a process whose
//! parent has ended becomes its child, whatever group or session it has put itself into. Which
//! program it belongs to its environment says; where that was cleared, it belongs to the last
//! program that runs, unless it is in this process's own group, as its other children are.

use std::env;
use std::process::Command;

#[cfg(target_os = "linux")]
pub use linux::Adopted;

/// The variable that tells whose process one is: the programs that it runs below, outermost first.
const MARK: &str = "OPERATOR_LSP_RUN";

/// Marks a child process as this process's own, which is not to be ended with any program.
pub fn mark_as_own(command: &mut Command) {
    command.env(MARK, below("own"));
}

/// A mark below that of this process, which a program may have started itself.
fn below(name: &str) -> String {
    let own = env::var(MARK).map(|own| own + "/").unwrap_or_default();
    format!("{own}{name}")
}

/// Elsewhere what leaves the process group is not found.
#[cfg(not(target_os = "linux"))]
pub struct Adopted;

#[cfg(not(target_os = "linux"))]
impl Adopted {
    pub fn by(_: &mut Command) -> Adopted {
        Adopted
    }

    pub fn end(&self) {}
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::{MARK, below};
    use crate::workspace::names;
    use rustix::process::{
        Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitpid,
    };

    /// How long the end of what a program has left is waited for.
    const PATIENCE: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(5);

    /// The programs that run, and what were children before the first of them.
    static RUNNING: Mutex<Running> =
        Mutex::new(Running { programs: 0, started: 0, before: BTreeSet::new() });

    struct Running {
        programs: usize,
        /// How many have run, those that run included.
        started: u64,
        before: BTreeSet<i32>,
    }

    /// The processes of one program, until it is dropped.
    pub struct Adopted {
        mark: String,
    }

    impl Adopted {
        /// Adopts what the program of that command will leave.
        pub fn by(command: &mut Command) -> Adopted {
            let mut running = running();
            running.started += 1;
            let mark = below(&format!("{}-{}", std::process::id(), running.started));
            command.env(MARK, &mark);
            if running.programs == 0 {
                running.before = children(&processes());
                // Where the system does not know it, the process group must be enough.
                let _ = set_child_subreaper(Some(getpid()));
            }
            running.programs += 1;
            Adopted { mark }
        }

        /// Ends everything that the program has left.
        pub fn end(&self) {
            let deadline = Instant::now() + PATIENCE;
            loop {
                let left = self.left();
                if left.is_empty() || Instant::now() > deadline {
                    return;
                }
                for pid in left.into_iter().filter_map(Pid::from_raw) {
                    let _ = kill_process(pid, Signal::KILL);
                    let _ = waitpid(Some(pid), WaitOptions::NOHANG);
                }
                thread::sleep(PAUSE);
            }
        }

        /// Whether a mark is that of this program or of one below it.
        fn is_of(&self, mark: &str) -> bool {
            let rest = mark.strip_prefix(&self.mark);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }

        /// The adopted processes that are this program's, and everything below them.
        fn left(&self) -> BTreeSet<i32> {
            let running = running();
            let all = processes();
            let mut left: BTreeSet<i32> = children(&all)
                .into_iter()
                .filter(|pid| !running.before.contains(pid))
                .filter(|pid| match mark(*pid) {
                    Some(mark) => self.is_of(&mark),
                    None => running.programs == 1 && !is_of_own_group(*pid),
                })
                .collect();
            loop {
                let is_below = |(pid, parent): (&i32, &i32)| {
                    (left.contains(parent) && !left.contains(pid)).then_some(*pid)
                };
                let below: Vec<i32> = all.iter().filter_map(is_below).collect();
                if below.is_empty() {
                    return left;
                }
                left.extend(below);
            }
        }
    }

    impl Drop for Adopted {
        fn drop(&mut self) {
            let mut running = running();
            running.programs -= 1;
            if running.programs == 0 {
                let _ = set_child_subreaper(None);
            }
        }
    }

    fn running() -> MutexGuard<'static, Running> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every process with its parent.
    fn processes() -> BTreeMap<i32, i32> {
        let names = names::of(Path::new("/proc")).unwrap_or_default();
        let numbers = names.iter().filter_map(|name| name.to_str()?.parse().ok());
        numbers.filter_map(|pid: i32| Some((pid, parent(pid)?))).collect()
    }

    fn parent(pid: i32) -> Option<i32> {
        stat(pid, 1)
    }

    /// Whether a process is in this one's group, where no program is put.
    fn is_of_own_group(pid: i32) -> bool {
        stat(pid, 2) == Some(getpgrp().as_raw_nonzero().get())
    }

    /// A number among what the system says of a process, counted after the name in parentheses,
    /// which may hold any character.
    fn stat(pid: i32, field: usize) -> Option<i32> {
        let stat = fs::read_to_string(of(pid, "stat")).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        fields.split_whitespace().nth(field)?.parse().ok()
    }

    fn children(all: &BTreeMap<i32, i32>) -> BTreeSet<i32> {
        let own = getpid().as_raw_nonzero().get();
        all.iter().filter(|(_, parent)| **parent == own).map(|(pid, _)| *pid).collect()
    }

    /// What the environment of a process says of the program that it belongs to.
    fn mark(pid: i32) -> Option<String> {
        let environment = fs::read(of(pid, "environ")).ok()?;
        let mut variables = environment.split(|byte| *byte == 0);
        let value = variables.find_map(|it| it.strip_prefix(MARK.as_bytes())?.strip_prefix(b"="));
        value.map(|value| String::from_utf8_lossy(value).into_owned())
    }

    fn of(pid: i32, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{pid}/{name}"))
    }
}
