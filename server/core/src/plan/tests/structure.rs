//! Operations on structures: what their plans ask the workspace.

use std::sync::Mutex;

use super::*;
use crate::snapshot::{Denied, Layer};
use crate::structure::{Arguments, Request};
use crate::text::Content;

/// A snapshot that notes what is resolved and read.
struct Noting(MemorySnapshot, Mutex<Vec<String>>);

impl Layer for Noting {
    fn inner(&self) -> &dyn Snapshot {
        &self.0
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.1.lock().unwrap().push(format!("resolve {path}"));
        Snapshot::resolve(&self.0, path)
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.1.lock().unwrap().push(format!("read {path}"));
        Snapshot::read(&self.0, path)
    }
}

#[test]
fn a_file_is_resolved_and_read_once_for_each_field_that_names_it() {
    let files = [("a.rs", "fn a() {}\n\nfn b() {}\n"), ("c.rs", "fn c() {}\n")];
    let asked = |name: &str, dest_path: &str, dest_target: &str| {
        let arguments = Arguments {
            path: "a.rs".into(),
            target: "fn a()".into(),
            dest_path: dest_path.into(),
            dest_target: dest_target.into(),
            content: "fn d() {}\n".into(),
            ..Arguments::default()
        };
        let noting = Noting(MemorySnapshot::of(files), Mutex::default());
        let request = Request::new(name, arguments).unwrap();
        plan(&command(request.into()), &noting, &Limits::default()).unwrap();
        noting.1.into_inner().unwrap()
    };
    let once = ["resolve a.rs", "read a.rs"];
    for name in ["outline", "read_structure", "replace_structure", "delete_structure"] {
        assert_eq!(asked(name, "", ""), once, "{name}");
    }
    let both = [once[0], once[1], "resolve c.rs", "read c.rs"];
    for name in ["move_structure_to_before", "move_structure_to_after"] {
        assert_eq!(asked(name, "a.rs", "fn b()"), [once[0], once[1], "resolve a.rs"], "{name}");
        assert_eq!(asked(name, "c.rs", "fn c()"), both, "{name}");
    }
    assert_eq!(asked("move_structure_to_file_end", "c.rs", ""), both);
}
