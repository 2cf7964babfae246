//! The client's capabilities, stated when it starts the server.

use std::path::PathBuf;

use gen_lsp_types::Uri;
use serde_json::Value;

use crate::actions::ActionSupport;
use crate::text::Encoding;
use crate::uri::path_of;

/// Capabilities of the client, and the folders it has open.
pub(crate) struct EditorClient {
    pub(crate) encoding: Encoding,
    pub(crate) actions: ActionSupport,
    pub(crate) has_snippets: bool,
    /// Whether it watches files that the server names.
    pub(crate) watches_files: bool,
    pub(crate) folders: Vec<PathBuf>,
}

impl EditorClient {
    /// Reads the parameters of `initialize`. What is missing or has another type is not supported.
    pub(crate) fn of(params: &Value) -> Self {
        let capabilities = &params["capabilities"];
        let is = |pointer: &str| capabilities.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        let has = |pointer: &str, name: &str| {
            let list = capabilities.pointer(pointer).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|it| it == name))
        };
        let actions = ActionSupport {
            document_changes: is("/workspace/workspaceEdit/documentChanges"),
            creates_files: has("/workspace/workspaceEdit/resourceOperations", "create"),
            snippet_edits: is("/workspace/workspaceEdit/snippetEditSupport"),
            resolves_edits: has("/textDocument/codeAction/resolveSupport/properties", "edit"),
            asks_for_reason: params["initializationOptions"]["asksForReason"] == true,
        };
        Self {
            encoding: Encoding::negotiated(capabilities),
            actions,
            has_snippets: is("/textDocument/completion/completionItem/snippetSupport"),
            watches_files: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            folders: folders(params),
        }
    }
}

/// The folders that the client has open.
fn folders(params: &Value) -> Vec<PathBuf> {
    let path = |uri: &Value| path_of(&Uri(uri.as_str()?.to_owned())).filter(|it| it.is_absolute());
    let listed = params["workspaceFolders"].as_array();
    let listed: Vec<PathBuf> = listed.into_iter().flatten().filter_map(|it| path(&it["uri"])).collect();
    let root = || path(&params["rootUri"]).or_else(|| params["rootPath"].as_str().map(PathBuf::from));
    if listed.is_empty() { root().filter(|it| it.is_absolute()).into_iter().collect() } else { listed }
}
