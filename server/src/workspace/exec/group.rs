//! A program and everything that it starts, which ends with it: a process group, or a job of
//! Windows.

use std::io;
use std::process::{Child, Command};

/// A program that runs.
pub struct Group {
    /// The program itself.
    pub child: Child,
    #[cfg(windows)]
    job: Option<win32job::Job>,
}

#[cfg(unix)]
impl Group {
    /// Starts a program as the first of its group.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Group { child: command.spawn()? })
    }

    /// Ends the program and everything that it has started and that stayed in its group; what did
    /// not is adopted.
    pub fn end(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // Nobody left in it is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

#[cfg(windows)]
impl Group {
    /// Starts a program in a job of its own. An interpreter is given what it runs after that, so
    /// that all it starts is in the job, too.
    pub fn start(command: &mut Command) -> io::Result<Group> {
        use std::os::windows::io::AsRawHandle;
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        let mut child = command.spawn()?;
        if let Err(error) = job.assign_process(child.as_raw_handle() as isize) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(io::Error::other(error));
        }
        Ok(Group { child, job: Some(job) })
    }

    /// Ends the program and everything that it has started.
    pub fn end(&mut self) {
        // Its last handle ends what is in it.
        drop(self.job.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::Stdio;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A shell that leaves another one waiting in the background, which keeps the output open.
    fn shell() -> Command {
        let mut command;
        if cfg!(windows) {
            command = Command::new("cmd.exe");
            command.args(["/c", "start /b cmd.exe /c pause & pause"]);
        } else {
            command = Command::new("sh");
            command.args(["-c", "sleep 1000 & sleep 1000"]);
        }
        command
    }

    #[test]
    fn everything_that_was_started_ends() {
        let mut command = shell();
        // Its input stays open, so that nobody goes on.
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::start(&mut command).unwrap();
        let mut output = group.child.stdout.take().unwrap();
        let (closed, is_closed) = mpsc::channel();
        thread::spawn(move || {
            let mut all = Vec::new();
            let _ = output.read_to_end(&mut all);
            let _ = closed.send(());
        });
        assert!(is_closed.recv_timeout(Duration::from_millis(500)).is_err(), "it ended by itself");
        let input = group.child.stdin.take();
        group.end();
        is_closed.recv_timeout(Duration::from_secs(20)).expect("what it started still runs");
        drop(input);
    }
}
