//! The Python standard library of the machine, as far as `python3` is there.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A function or class as CPython sees it.
pub struct Definition {
    /// Its first line, decorators included, from 1.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// Whether it is a class.
    pub class: bool,
    /// Its name.
    pub name: String,
}

/// The library's Python files; none, and a word about it, without `python3`.
pub fn files() -> Vec<PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let Ok(output) = Command::new("python3").args(["-c", script]).output() else {
        println!("python3 is not there: nothing is compared");
        return Vec::new();
    };
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    files
}

/// One in so many of the files, of each size; all of them with `STRUCTURES=all` in the environment.
pub fn some(every: usize) -> Vec<PathBuf> {
    let every = if std::env::var("STRUCTURES").is_ok_and(|it| it == "all") { 1 } else { every };
    let mut files = files();
    files.sort_by_key(|path| std::fs::metadata(path).map_or(0, |it| it.len()));
    files.into_iter().step_by(every).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_symlink() || path.ends_with("site-packages") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
}

/// What CPython sees in those of the files that it can parse.
pub fn definitions(files: &[PathBuf]) -> Vec<(PathBuf, Vec<Definition>)> {
    let script =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/bench/structures/definitions.py");
    let mut child = Command::new("python3")
        .args(["-W", "ignore", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 was there a moment ago");
    let mut input = child.stdin.take().expect("its input is a pipe");
    let names: Vec<&str> = files.iter().filter_map(|path| path.to_str()).collect();
    let names = names.join("\n");
    let writer = std::thread::spawn(move || input.write_all(names.as_bytes()));
    let output = child.wait_with_output().expect("the script ends");
    writer.join().expect("the writer ends").expect("the script reads all names");
    assert!(output.status.success(), "the script ran through");
    let mut seen: Vec<(PathBuf, Vec<Definition>)> = Vec::new();
    for line in String::from_utf8(output.stdout).expect("it prints UTF-8").lines() {
        match line.strip_prefix('\t') {
            None => seen.push((line.into(), Vec::new())),
            Some(line) => {
                let words: Vec<&str> = line.split(' ').collect();
                let number = |word: &str| word.parse().expect("a line number");
                let definition = Definition {
                    first: number(words[0]),
                    last: number(words[1]),
                    class: words[2] == "class",
                    name: words[3].to_owned(),
                };
                seen.last_mut().expect("a path comes first").1.push(definition);
            }
        }
    }
    seen
}
