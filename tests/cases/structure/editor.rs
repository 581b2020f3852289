//! The same calls through `operator/structure`, in an editor that has every file of the case open.

use std::path::PathBuf;

use operator_lsp::workspace::with_slashes;
use serde_json::{Value, json};

use super::call::Call;
use crate::client::{Capabilities, Client, Options, path_of, uri_of};
use crate::parse::Case;
use crate::tree::{Node, Tree};
use crate::world::World;

const BOM: &str = "\u{feff}";

/// An editor in a world of its own.
pub struct Editor {
    // Before the world: the server still looks at its folder.
    client: Client,
    world: World,
    root: PathBuf,
}

impl Editor {
    /// An editor that has the files of the case open, as far as they are text.
    pub fn new(case: &Case) -> Editor {
        let world = World::new(case);
        let root = world.root();
        let options = Options::new(&[uri_of(&root)]);
        let capabilities = Capabilities::everything();
        let mut client = Client::start(Options { capabilities, ..options });
        for (path, bytes) in case.files() {
            if let Ok(text) = String::from_utf8(bytes) {
                let uri = uri_of(&root.join(path));
                client.open(&uri, "code", text.strip_prefix(BOM).unwrap_or(&text));
            }
        }
        Editor { client, world, root }
    }

    /// Asks for the operation and makes the edit; gives the answer without it.
    pub fn run(&mut self, call: &Call) -> Result<Value, String> {
        let answer = self.client.request("operator/structure", call.params());
        let mut answer = answer.map_err(|error| format!("operator/structure: {error:?}"))?;
        let edit = answer.as_object_mut().and_then(|answer| answer.remove("edit"));
        match edit {
            None => Err("operator/structure: no `edit`".to_owned()),
            Some(Value::Null) => Ok(answer),
            Some(edit) if answer["ok"] == json!(true) => {
                self.client.apply(&edit)?;
                Ok(answer)
            }
            Some(edit) => Err(format!("operator/structure failed, with an edit: {edit}")),
        }
    }

    /// The paths at which the editor's files are other than those of a tree.
    pub fn differences(&self, tree: &Tree) -> Vec<String> {
        let mut own = self.world.tree();
        for (uri, document) in &self.client.documents {
            let path = path_of(uri);
            let path =
                with_slashes(path.strip_prefix(&self.root).unwrap().to_str().unwrap()).into_owned();
            // Directories that a link leads through have no file of that name.
            if let Some(Node::File { bytes, .. }) = own.0.get_mut(&path) {
                let mark = if bytes.starts_with(BOM.as_bytes()) { BOM } else { "" };
                *bytes = format!("{mark}{}", document.text).into_bytes();
            }
        }
        own.differences(tree)
    }
}
