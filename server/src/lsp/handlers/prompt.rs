//! `operator.prompt`: the first message to a model, of the files as the editor has them.

use operator_core::dialect::recommended;
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use crate::lsp::context::request_failed;
use crate::lsp::proto;
use crate::lsp::sites::Site;
use crate::prompt::{self, Asked};
use crate::workspace::View;

/// The argument of the command, which may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Argument {
    paths: Vec<String>,
    dialect: Option<String>,
    tree: bool,
    outline: bool,
    ask: Option<String>,
    budget: Option<usize>,
}

/// What a command asks for.
///
/// # Errors
/// Invalid parameters that say what the argument must be.
pub fn asked(arguments: &[Value]) -> Result<Asked> {
    let argument = match arguments.first() {
        None | Some(Value::Null) => Argument::default(),
        Some(given) => serde_json::from_value(given.clone()).map_err(|_| {
            let form =
                "{paths, dialect, tree, outline, ask, budget}, each of which may be left out";
            Error::invalid_params(format!("the one argument is {form}"))
        })?,
    };
    let Argument { paths, dialect, tree, outline, ask, budget } = argument;
    let rules = match dialect {
        Some(name) => prompt::dialect(&name)
            .ok_or_else(|| Error::invalid_params(format!("`{name}` is not a dialect")))?,
        None => recommended(),
    };
    let paths = paths.into_iter().map(path).collect();
    Ok(Asked { paths, rules, tree, outline, ask, budget })
}

/// The path that a file URI means; any other text is a path already.
fn path(text: String) -> String {
    let uri = text.parse::<Uri>().ok();
    let path = uri.and_then(|uri| Some(proto::path_of(&uri)?.to_str()?.to_owned()));
    path.unwrap_or(text)
}

/// The message, and what is in it, of the files as `view` shows them.
///
/// # Errors
/// Where a path or a glob fits nothing.
pub fn prompt(site: &Site, view: &View, asked: &Asked) -> Result<Value> {
    let made = prompt::make(asked, view, site.workspace());
    made.map(|made| made.to_json()).map_err(|messages| request_failed(messages.join("; ")))
}
