//! The server's answers to requests.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use gen_lsp_types::{CodeAction, CodeActionParams, TextDocumentPositionParams, Uri};
use lsp_server::{ErrorCode, Request};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::LanguageServer;
use crate::actions::{ActionRequest, resolved};
use crate::completion::CompletionRequest;
use crate::hover::hover;
use crate::project::{MAX_TEXT, Result, Subject};

/// The command that checks a document as a draft, whatever its keys are.
pub(super) const CHECK_COMMAND: &str = "tollproof.checkAsDraft";

/// Answers a request, or keeps it until its document is checked.
pub(super) fn request(server: &mut LanguageServer<'_>, request: Request) -> io::Result<()> {
    let known = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/codeAction",
        "codeAction/resolve",
        "workspace/executeCommand",
    ];
    if !known.contains(&request.method.as_str()) {
        let why = format!("unknown method `{}`", request.method);
        return server.fail(request.id, ErrorCode::MethodNotFound, &why);
    }
    if let Some(uri) = request.params["textDocument"]["uri"].as_str().map(|uri| Uri(uri.to_owned())) {
        if server.is_stale(&uri) {
            return server.fail(request.id, ErrorCode::ContentModified, "the document has changed");
        }
        let waits = request.method == "textDocument/codeAction"
            && server.documents.get(&uri).is_some_and(|it| !it.is_checked());
        if waits {
            server.parked.push((uri, request));
            return Ok(());
        }
    }
    let id = request.id.clone();
    let result = match request.method.as_str() {
        "textDocument/hover" => hover_at(server, request.params),
        "textDocument/completion" => completions(server, request.params),
        "textDocument/codeAction" => actions(server, request.params),
        "codeAction/resolve" => resolve(server, request.params),
        _ => command(server, request.params),
    };
    match result {
        Ok(result) => server.answer(id, result),
        Err((code, why)) => server.fail(id, code, &why),
    }
}

type RequestResult = Result<Value, (ErrorCode, String)>;

fn params<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn value(result: impl serde::Serialize) -> RequestResult {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

/// A problem of settings or rules has its own diagnostics, so a request about a draft has no result.
fn or_nothing<T>(result: Result<T>) -> Option<T> {
    result.ok()
}

/// The document and the offset of a request.
fn at(
    server: &LanguageServer<'_>,
    position: &TextDocumentPositionParams,
) -> Option<(Subject, usize, Vec<String>)> {
    let document = server.documents.get(&position.text_document.uri)?;
    if document.text.len() > MAX_TEXT {
        return None;
    }
    let offset = server.client.encoding.offset(&document.text, position.position);
    Some((document.subject(), offset, document.rules()))
}

fn hover_at(server: &LanguageServer<'_>, given: Value) -> RequestResult {
    let Some((subject, offset, _)) = at(server, &params(given)?) else { return Ok(Value::Null) };
    let (encoding, rule_url) = (server.client.encoding, server.options.rule_url);
    value(or_nothing(hover(&server.project, &subject, offset, encoding, &rule_url)).flatten())
}

fn completions(server: &LanguageServer<'_>, given: Value) -> RequestResult {
    let Some((subject, offset, found)) = at(server, &params(given)?) else { return Ok(Value::Null) };
    let request = CompletionRequest {
        project: &server.project,
        subject: &subject,
        offset,
        encoding: server.client.encoding,
        has_snippets: server.client.has_snippets,
        found: &found,
    };
    value(or_nothing(request.list()))
}

fn with_actions<T>(
    server: &LanguageServer<'_>,
    uri: &Uri,
    take: impl FnOnce(&ActionRequest<'_>) -> T,
) -> Option<T> {
    let document = server.documents.get(uri)?;
    let (report, diagnostics) = document.checked.as_ref()?.found.as_ref()?;
    let path = document.path();
    let folder =
        server.client.folders.iter().find(|folder| path.is_some_and(|path| path.starts_with(folder)));
    let subject = document.subject();
    Some(take(&ActionRequest {
        project: &server.project,
        subject: &subject,
        uri,
        version: document.version,
        encoding: server.client.encoding,
        support: server.client.actions,
        report,
        diagnostics,
        folder: folder.map(PathBuf::as_path),
    }))
}

fn actions(server: &LanguageServer<'_>, given: Value) -> RequestResult {
    let CodeActionParams { text_document, range, context, .. } = params(given)?;
    let actions =
        with_actions(server, &text_document.uri, |actions| actions.list(range, context.only.as_deref()));
    value(actions.and_then(or_nothing).unwrap_or_default())
}

fn resolve(server: &LanguageServer<'_>, given: Value) -> RequestResult {
    let mut action: CodeAction = params(given)?;
    let Some((uri, version, reach)) = action.data.as_ref().and_then(resolved) else { return value(action) };
    let is_current = server
        .documents
        .get(&uri)
        .is_some_and(|document| document.version == version && document.is_checked());
    if !is_current {
        return Err((ErrorCode::ContentModified, "the document has changed".to_owned()));
    }
    let edit = with_actions(server, &uri, |it| it.edit_of_all(reach));
    action.edit = edit.and_then(or_nothing).flatten();
    value(action)
}

fn command(server: &mut LanguageServer<'_>, given: Value) -> RequestResult {
    if given["command"] != CHECK_COMMAND {
        return Err((ErrorCode::InvalidParams, format!("unknown command {}", given["command"])));
    }
    let uri = Uri(given["arguments"][0].as_str().unwrap_or_default().to_owned());
    let Some(document) = server.documents.get_mut(&uri) else {
        return Err((
            ErrorCode::InvalidParams,
            "the argument must be the URI of an open document".to_owned(),
        ));
    };
    document.is_named = true;
    server.checker.schedule(uri, document.job(server.client.encoding), Duration::ZERO);
    Ok(Value::Null)
}
