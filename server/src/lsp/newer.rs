//! What LSP 3.18 has and the library's types lack: the text of documents that the server makes.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Response;
use tower_lsp::ls_types::{Uri, request};

/// The scheme of the documents that show previews.
pub const SCHEME: &str = "operator-preview";

/// The parameters of `workspace/textDocumentContent` and its refresh.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContentParams {
    /// The document.
    pub uri: Uri,
}

/// The result of `workspace/textDocumentContent`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContentResult {
    /// Its text.
    pub text: String,
}

/// `workspace/textDocumentContent/refresh`
pub struct ContentRefresh;

impl request::Request for ContentRefresh {
    type Params = ContentParams;
    type Result = ();
    const METHOD: &'static str = "workspace/textDocumentContent/refresh";
}

/// Whether a client that sends these parameters of `initialize` asks for the text of documents.
pub fn asks_for_content(params: Option<&Value>) -> bool {
    let declared = params.and_then(|it| it.pointer("/capabilities/workspace/textDocumentContent"));
    declared.is_some_and(Value::is_object)
}

/// The answer to `initialize` for such a client.
pub fn advertise(response: Response) -> Response {
    let (id, result) = response.into_parts();
    let result = result.map(|mut result| {
        let workspace = &mut result["capabilities"]["workspace"];
        workspace["textDocumentContent"] = json!({"schemes": [SCHEME]});
        result
    });
    Response::from_parts(id, result)
}

/// Whether a document shows a preview.
pub fn is_preview(uri: &Uri) -> bool {
    uri.scheme().as_str().eq_ignore_ascii_case(SCHEME)
}
