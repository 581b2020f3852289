//! Running a program text: in a process group or job of its own, which ends with it, within limits
//! of time and output.

mod group;
pub(super) mod orphans;

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use operator_core::command::Program;
use operator_core::dialect::Failure;
use operator_core::plan::{Fact, Outcome, ProgramResult};
use operator_core::problem::{SHAM_EXEC_FAILED, SHAM_INVALID_ENUM};
use serde_json::{Map, json};

use super::environment::Environment;
use group::Group;
use orphans::Adopted;

/// How long a program may run, and how much it may print.
#[derive(Debug, Clone, Copy)]
pub struct ExecLimits {
    /// From its start to its end.
    pub time: Duration,
    /// Bytes on each of the two outputs.
    pub output: usize,
}

impl Default for ExecLimits {
    fn default() -> ExecLimits {
        ExecLimits { time: Duration::from_secs(120), output: 1 << 20 }
    }
}

/// How long outputs may stay open once the program itself has ended: what it left running in the
/// background may hold them.
const GRACE: Duration = Duration::from_millis(200);
/// How often a running program is looked at.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program in a directory, in this environment.
///
/// # Errors
/// What went wrong: it cannot be started, is not of the version asked for, ended with another exit
/// code than 0, or was ended at a limit. What it printed until then is in the details.
pub fn run(
    program: &Program,
    directory: &Path,
    environment: &Environment,
    limits: ExecLimits,
) -> Result<Outcome, Failure> {
    run_until(program, directory, environment, limits, &|| false)
}

/// Runs a program in a directory, and ends it as soon as `stop` says so, which is asked every few
/// milliseconds.
///
/// # Errors
/// As for [`run`], and where it was ended.
pub fn run_until(
    program: &Program,
    directory: &Path,
    environment: &Environment,
    limits: ExecLimits,
    stop: &dyn Fn() -> bool,
) -> Result<Outcome, Failure> {
    let interpreter = Interpreter::of(program, environment)?;
    let mut command = interpreter.command()?;
    let adopted = Adopted::by(&mut command);
    let mut group = Group::start(command.current_dir(directory)).map_err(|error| {
        let name = interpreter.name;
        failed(format!("exec: `{name}` cannot be started: {error}"), None)
    })?;
    let mut input = group.child.stdin.take();
    let code = program.code.clone();
    // A program that does not read to its end must not keep anybody waiting.
    let write = move || input.as_mut().map(|it| it.write_all(code.as_bytes()));
    let too_much = Arc::new(AtomicBool::new(false));
    let (stdout, stderr) = (group.child.stdout.take(), group.child.stderr.take());
    let followed = Builder::new().spawn(write).and_then(|writer| {
        let out = Output::follow(stdout, limits.output, too_much.clone())?;
        let err = Output::follow(stderr, limits.output, too_much.clone())?;
        Ok((writer, out, err))
    });
    let (writer, out, err) = followed.map_err(|error| {
        group.end();
        failed(format!("exec: the program cannot be followed: {error}"), None)
    })?;
    let end = wait(&mut group, limits.time, &too_much, stop);
    if end.is_err() {
        adopted.end();
    }
    let deadline = Instant::now() + GRACE;
    out.wait_until(deadline);
    err.wait_until(deadline);
    group.end();
    adopted.end();
    let (stdout, stderr) = (out.text(), err.text());
    drop(writer);

    let exit = end.as_ref().ok().and_then(ExitStatus::code);
    let wanted = |text: String| program.returns_output.then_some(text);
    let (stdout, stderr) = (wanted(stdout), wanted(stderr));
    let result = ProgramResult { stdout, stderr, exit_code: exit };
    let why = match end {
        Ok(status) if status.success() => {
            let language = program.language.clone();
            return Ok(Outcome::Done(vec![Fact::Ran { language, result }]));
        }
        Ok(status) => ended(status),
        Err(Limit::Time) => {
            let seconds = limits.time.as_secs_f64();
            format!("ended after {seconds} s, the time limit")
        }
        Err(Limit::Output) => format!("ended, it printed more than {} bytes", limits.output),
        Err(Limit::Stopped) => "ended, it was cancelled".to_owned(),
        Err(Limit::Lost(error)) => format!("lost sight of it: {error}"),
    };
    Err(failed(format!("exec: {why}"), Some(&result)))
}

/// Why a program did not end by itself.
enum Limit {
    Time,
    Output,
    Stopped,
    Lost(io::Error),
}

fn failed(message: String, result: Option<&ProgramResult>) -> Failure {
    let details = Map::from_iter([("data".to_owned(), json!(result))]);
    Failure::new(SHAM_EXEC_FAILED, message, details)
}

#[cfg(unix)]
fn ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, signal) => format!("ended by signal {}", signal.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> String {
    format!("ended with exit code {}", status.code().unwrap_or(-1))
}

fn wait(
    group: &mut Group,
    time: Duration,
    too_much: &AtomicBool,
    stop: &dyn Fn() -> bool,
) -> Result<ExitStatus, Limit> {
    let deadline = Instant::now() + time;
    loop {
        if let Some(status) = group.child.try_wait().map_err(Limit::Lost)? {
            return Ok(status);
        }
        let limit = match () {
            () if too_much.load(Ordering::Relaxed) => Some(Limit::Output),
            () if stop() => Some(Limit::Stopped),
            () if Instant::now() >= deadline => Some(Limit::Time),
            () => None,
        };
        if let Some(limit) = limit {
            group.end();
            return Err(limit);
        }
        thread::sleep(PAUSE);
    }
}

/// What one output brought so far.
struct Output {
    bytes: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

impl Output {
    /// Reads a pipe to its end; beyond `limit` bytes it says that it is too much.
    fn follow(
        pipe: Option<impl Read + Send + 'static>,
        limit: usize,
        too_much: Arc<AtomicBool>,
    ) -> io::Result<Output> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::channel();
        let kept = bytes.clone();
        Builder::new().spawn(move || {
            let mut buffer = [0; 8192];
            let mut pipe = pipe;
            while let Some(count) = pipe.as_mut().and_then(|pipe| pipe.read(&mut buffer).ok())
                && count > 0
            {
                let Ok(mut kept) = kept.lock() else { break };
                let room = limit.saturating_sub(kept.len());
                kept.extend_from_slice(&buffer[..count.min(room)]);
                if count > room {
                    too_much.store(true, Ordering::Relaxed);
                }
            }
            let _ = close.send(());
        })?;
        Ok(Output { bytes, closed })
    }

    fn wait_until(&self, deadline: Instant) {
        let _ = self.closed.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }

    fn text(&self) -> String {
        let bytes = self.bytes.lock().map(|bytes| bytes.clone()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// What runs a language; it takes the program from its standard input.
struct Interpreter<'a> {
    name: String,
    arguments: &'static [&'static str],
    environment: &'a Environment,
}

/// What Python is called: on Windows it has no number where only one is installed.
fn python(environment: &Environment) -> &'static str {
    let unnumbered = cfg!(windows) && environment.command("python3").is_none();
    if unnumbered { "python" } else { "python3" }
}

impl Interpreter<'_> {
    fn of<'a>(program: &Program, environment: &'a Environment) -> Result<Interpreter<'a>, Failure> {
        let (name, arguments): (&str, &[&str]) = match program.language.as_str() {
            "python" => (python(environment), &["-"]),
            "javascript" => ("node", &["-"]),
            "bash" => ("bash", &["-s"]),
            other => {
                let message = format!("exec: unknown language `{other}`");
                return Err(Failure::new(SHAM_INVALID_ENUM, message, Map::new()));
            }
        };
        let interpreter = Interpreter { name: name.to_owned(), arguments, environment };
        if let Some(wanted) = &program.version {
            interpreter.check_version(wanted)?;
        }
        Ok(interpreter)
    }

    fn command(&self) -> Result<Command, Failure> {
        let mut command = self.environment.command(&self.name).ok_or_else(|| {
            let says = format!(
                "exec: `{}` is not on the PATH (relative directories and those of the workspace \
                 are left out)",
                self.name
            );
            failed(says, None)
        })?;
        command.args(self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }

    /// Whether the installed version is the one that is wanted, as far as that goes: 3.12 is 3.
    fn check_version(&self, wanted: &str) -> Result<(), Failure> {
        let said = self.environment.command(&self.name);
        let said = said.and_then(|mut command| {
            orphans::mark_as_own(&mut command);
            command.arg("--version").output().ok()
        });
        let said = said.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        let words = said.iter().flat_map(|said| said.split_whitespace());
        let number = words.map(|word| word.trim_start_matches('v'));
        let number = number.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let found: Option<&str> = number.into_iter().next();
        let wanted_number = wanted.trim_start_matches('v');
        let fits = |found: &str| {
            found
                .strip_prefix(wanted_number)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        if found.is_some_and(fits) {
            return Ok(());
        }
        let found = found.unwrap_or("none");
        let message =
            format!("exec: version {wanted} of {} is wanted, {found} is there", self.name);
        Err(failed(message, None))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn environment() -> Environment {
        Environment::of_program(&[], &[])
    }

    fn bash(code: &str, limits: ExecLimits) -> Result<Outcome, Failure> {
        let program = Program {
            code: code.to_owned(),
            language: "bash".to_owned(),
            version: None,
            directory: None,
            returns_output: true,
        };
        run(&program, Path::new("/"), &environment(), limits)
    }

    /// What a program printed, and its exit code.
    fn data(done: &Outcome) -> Value {
        match done.facts() {
            [Fact::Ran { result, .. }] => json!(result),
            other => panic!("{other:?}"),
        }
    }

    fn message(result: Result<Outcome, Failure>) -> (String, Value) {
        match result {
            Err(Failure::Problem { mut fault, .. }) => {
                (fault.message, fault.details.remove("data").unwrap_or_default())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_outputs_and_the_exit_code() {
        let limits = ExecLimits::default();
        let done = bash("echo hi; echo no >&2; pwd", limits).unwrap();
        assert_eq!(data(&done), json!({"stdout": "hi\n/\n", "stderr": "no\n", "exit_code": 0}));
        let (says, data) = message(bash("echo x; exit 3", limits));
        assert_eq!(says, "exec: ended with exit code 3");
        assert_eq!(data, json!({"stdout": "x\n", "stderr": "", "exit_code": 3}));
        let (says, _) = message(bash("kill -9 $$", limits));
        assert_eq!(says, "exec: ended by signal 9");
    }

    #[test]
    fn the_whole_group_is_ended_at_the_limit() {
        let time = Duration::from_millis(300);
        let limits = ExecLimits { time, ..ExecLimits::default() };
        let (says, data) = message(bash("sleep 1000 & echo $!; wait", limits));
        assert_eq!(says, "exec: ended after 0.3 s, the time limit");
        let child = data["stdout"].as_str().unwrap().trim().to_owned();
        let gone = || !Path::new("/proc").join(&child).exists();
        let deadline = Instant::now() + Duration::from_secs(5);
        while !gone() && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
        assert!(gone() || !Path::new("/proc").exists(), "{child} is still there");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_leaves_the_group_is_ended_too() {
        let gone = |process: &str| {
            let deadline = Instant::now() + Duration::from_secs(5);
            while Path::new("/proc").join(process).exists() && Instant::now() < deadline {
                thread::sleep(PAUSE);
            }
            assert!(!Path::new("/proc").join(process).exists(), "{process} is still there");
        };
        // In a session of its own, and its parent gone; the last one with nothing in its
        // environment that says whose it is.
        let leave = "setsid sleep 1001 & echo $!; (setsid bash -c 'sleep 1002 & echo $!; wait' &) \n\
                     env -i setsid sleep 1003 & echo $!; sleep 0.2";
        let quick = bash(leave, ExecLimits::default()).unwrap();
        let lines = |data: &Value| -> Vec<String> {
            data["stdout"].as_str().unwrap().lines().map(str::to_owned).collect()
        };
        let left = lines(&data(&quick));
        assert_eq!(left.len(), 3, "{left:?}");
        left.iter().for_each(|process| gone(process));
        let limits = ExecLimits { time: Duration::from_millis(500), ..ExecLimits::default() };
        let (says, data) = message(bash(&format!("{leave}; sleep 1000"), limits));
        assert_eq!(says, "exec: ended after 0.5 s, the time limit");
        let left = lines(&data);
        assert_eq!(left.len(), 3, "{left:?}");
        left.iter().for_each(|process| gone(process));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn other_children_of_this_process_are_left_alone() {
        let sleep = |seconds: &str| Command::new("sleep").arg(seconds).spawn().unwrap();
        let mut before = sleep("1004");
        let started = std::sync::OnceLock::new();
        let start = Instant::now();
        let stop = || {
            started.get_or_init(|| Mutex::new(sleep("1005")));
            start.elapsed() > Duration::from_millis(100)
        };
        let program = Program {
            code: "sleep 1006".to_owned(),
            language: "bash".to_owned(),
            version: None,
            directory: None,
            returns_output: true,
        };
        let limits = ExecLimits::default();
        let ended = run_until(&program, Path::new("/"), &environment(), limits, &stop);
        assert_eq!(message(ended).0, "exec: ended, it was cancelled");
        let mut meanwhile = started.into_inner().unwrap().into_inner().unwrap();
        for child in [&mut before, &mut meanwhile] {
            assert!(child.try_wait().unwrap().is_none(), "it was ended");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn it_is_ended_as_soon_as_it_is_to_stop() {
        let program = Program {
            code: "echo up; sleep 1000".to_owned(),
            language: "bash".to_owned(),
            version: None,
            directory: None,
            returns_output: true,
        };
        let start = Instant::now();
        let stop = || start.elapsed() > Duration::from_millis(300);
        let ended =
            run_until(&program, Path::new("/"), &environment(), ExecLimits::default(), &stop);
        let (says, data) = message(ended);
        assert_eq!(says, "exec: ended, it was cancelled");
        assert_eq!(data["stdout"], "up\n");
        assert!(start.elapsed() < ExecLimits::default().time / 2);
    }

    #[test]
    fn what_stays_in_the_background_keeps_nobody_waiting() {
        let start = Instant::now();
        bash("sleep 1000 &", ExecLimits::default()).unwrap();
        assert!(start.elapsed() < ExecLimits::default().time / 2);
    }

    #[test]
    fn too_much_output_ends_it() {
        let limits = ExecLimits { output: 1000, ..ExecLimits::default() };
        let (says, data) = message(bash("yes", limits));
        assert_eq!(says, "exec: ended, it printed more than 1000 bytes");
        assert_eq!(data["stdout"].as_str().unwrap().len(), 1000);
    }

    #[test]
    fn other_languages_where_they_are_installed() {
        for (language, name, code) in
            [("python", "python3", "print(1 + 1)"), ("javascript", "node", "console.log(1 + 1)")]
        {
            if Command::new(name).arg("--version").output().is_err() {
                continue;
            }
            let program = Program {
                code: code.to_owned(),
                language: language.to_owned(),
                version: None,
                directory: None,
                returns_output: true,
            };
            let done =
                run(&program, Path::new("/"), &environment(), ExecLimits::default()).unwrap();
            assert_eq!(
                data(&done),
                json!({"stdout": "2\n", "stderr": "", "exit_code": 0}),
                "{name}"
            );
        }
    }

    #[test]
    fn a_version_that_is_not_there() {
        let program = Program {
            code: String::new(),
            language: "bash".to_owned(),
            version: Some("1.0".to_owned()),
            directory: None,
            returns_output: false,
        };
        let (says, _) =
            message(run(&program, Path::new("/"), &environment(), ExecLimits::default()));
        assert!(says.starts_with("exec: version 1.0 of bash is wanted, "), "{says}");
    }
}
