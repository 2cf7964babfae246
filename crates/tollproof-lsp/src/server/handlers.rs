//! Server capabilities and reactions when documents, files and settings change.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProvider, CompletionOptions, Diagnostic,
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandOptions, HoverProvider, InitializeResult, MessageType,
    PublishDiagnosticsParams, Registration, RegistrationParams, ServerCapabilities, ServerInfo,
    ShowMessageParams, TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use lsp_server::{ErrorCode, Notification, Request};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tollproof_core::Batch;
use tollproof_project::FileReport;

use super::LanguageServer;
use super::requests::{CHECK_COMMAND, request};
use crate::actions::FIX_ALL;
use crate::checker::CheckedDocument;
use crate::diagnostics::DiagnosticOptions;
use crate::documents::{DocumentFindings, OpenDocument};
use crate::project::{FileRole, ProjectProblem, Result};
use crate::uri::{path_of, uri_of};

/// After settings changed, open documents wait so long for further changes.
const SETTINGS_DELAY: Duration = Duration::from_millis(100);

/// With more changed files than this, all files are read again.
const MAX_SINGLE_FILES: usize = 100;

/// Server capabilities.
pub(super) fn capabilities(server: &LanguageServer<'_>) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        ..TextDocumentSyncOptions::default()
    };
    let kinds = vec![CodeActionKind::QuickFix, CodeActionKind::Custom(FIX_ALL.into())];
    let actions = CodeActionOptions {
        code_action_kinds: Some(kinds),
        resolve_provider: Some(true),
        ..Default::default()
    };
    let triggers = ["\"", ":", " ", "#", "[", "/", "="].map(str::to_owned).to_vec();
    let commands = vec![CHECK_COMMAND.to_owned()];
    let workspace = json!({ "workspaceFolders": { "supported": true, "changeNotifications": true } });
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(server.client.encoding.kind()),
            text_document_sync: Some(TextDocumentSync::Options(sync)),
            hover_provider: Some(HoverProvider::Bool(true)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(triggers),
                ..CompletionOptions::default()
            }),
            code_action_provider: Some(CodeActionProvider::CodeActionOptions(actions)),
            execute_command_provider: Some(ExecuteCommandOptions { commands, ..Default::default() }),
            workspace: serde_json::from_value(workspace).ok(),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "tollproof".to_owned(),
            version: Some(server.options.version.to_owned()),
        }),
    }
}

/// Takes a notification. What cannot be read, or is about a document that is not open, has no effect.
pub(super) fn notification(server: &mut LanguageServer<'_>, notification: Notification) -> io::Result<()> {
    let Notification { method, params } = notification;
    match method.as_str() {
        "initialized" => initialized(server),
        "textDocument/didOpen" => taken(params, |it| opened(server, it)),
        "textDocument/didChange" => taken(params, |it| changed(server, it)),
        "textDocument/didClose" => taken(params, |it| closed(server, it)),
        "workspace/didChangeWatchedFiles" => taken(params, |it| files_changed(server, &it)),
        "workspace/didChangeConfiguration" => reload(server, Duration::ZERO),
        "workspace/didChangeWorkspaceFolders" => {
            let paths = |list: &Value| -> Vec<PathBuf> {
                let uris = list.as_array().into_iter().flatten().filter_map(|it| it["uri"].as_str());
                uris.filter_map(|uri| path_of(&Uri(uri.to_owned())))
                    .filter(|path| path.is_absolute())
                    .collect()
            };
            let (added, removed) = (paths(&params["event"]["added"]), paths(&params["event"]["removed"]));
            server.client.folders.retain(|it| !removed.contains(it));
            server.client.folders.extend(added);
            server.start_scan();
            Ok(())
        }
        _ => Ok(()),
    }
}

fn taken<T: DeserializeOwned>(params: Value, take: impl FnOnce(T) -> io::Result<()>) -> io::Result<()> {
    serde_json::from_value(params).map_or(Ok(()), take)
}

fn initialized(server: &mut LanguageServer<'_>) -> io::Result<()> {
    server.start_scan();
    if !server.client.watches_files {
        return Ok(());
    }
    let globs = ["**/*.{json,yaml,yml,ndjson,jsonl,csv,tsv,txt}", "**/.gitignore"];
    let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
    let registration = Registration {
        id: "tollproof-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(json!({ "watchers": watchers })),
    };
    server.ask("client/registerCapability", RegistrationParams { registrations: vec![registration] })
}

fn opened(server: &mut LanguageServer<'_>, params: DidOpenTextDocumentParams) -> io::Result<()> {
    let uri = params.text_document.uri.clone();
    let document = OpenDocument::new(params.text_document);
    server.documents.insert(uri.clone(), document);
    text_changed(server, &uri, true)
}

fn changed(server: &mut LanguageServer<'_>, params: DidChangeTextDocumentParams) -> io::Result<()> {
    let identifier = params.text_document;
    let uri = identifier.text_document_identifier.uri;
    let Some(document) = server.documents.get_mut(&uri) else { return Ok(()) };
    document.change(identifier.version, params.content_changes, server.client.encoding);
    // The text is copied for its check: only after the last change that has arrived.
    if server.is_stale(&uri) { Ok(()) } else { text_changed(server, &uri, false) }
}

/// Checks the new text of a document; settings and rules are read again, and all documents are checked.
fn text_changed(server: &mut LanguageServer<'_>, uri: &Uri, is_new: bool) -> io::Result<()> {
    let Some(document) = server.documents.get(uri) else { return Ok(()) };
    let mut is_own = false;
    if let Some(path) = document.path() {
        server.project.overlay.open(path, document.text.as_str());
        is_own = matches!(server.project.role(path), Ok(FileRole::Own));
    }
    if is_own {
        return reload(server, SETTINGS_DELAY);
    }
    let delay = if is_new { Duration::ZERO } else { document.delay() };
    server.checker.schedule(uri.clone(), document.job(server.client.encoding), delay);
    Ok(())
}

fn closed(server: &mut LanguageServer<'_>, params: DidCloseTextDocumentParams) -> io::Result<()> {
    let uri = params.text_document.uri;
    let Some(document) = server.documents.remove(&uri) else { return Ok(()) };
    server.checker.forget(&uri);
    publish(server, uri.clone(), None, Vec::new())?;
    if let Some(path) = document.path() {
        server.project.overlay.close(path);
        if matches!(server.project.role(path), Ok(FileRole::Own)) {
            reload(server, SETTINGS_DELAY)?;
        } else {
            let changed = server.project.scan_file(path);
            check_naming(server, &changed, &uri);
        }
    }
    let (waiting, others) = std::mem::take(&mut server.parked).into_iter().partition(|(it, _)| *it == uri);
    server.parked = others;
    let waiting: Vec<(Uri, Request)> = waiting;
    waiting
        .into_iter()
        .try_for_each(|(_, it)| server.fail(it.id, ErrorCode::ContentModified, "the document was closed"))
}

fn files_changed(server: &mut LanguageServer<'_>, params: &DidChangeWatchedFilesParams) -> io::Result<()> {
    let paths = params.changes.iter().filter_map(|it| path_of(&it.uri)).filter(|it| it.is_absolute());
    let is_open = |path: &PathBuf| server.documents.values().any(|document| document.path() == Some(path));
    let paths: Vec<PathBuf> = paths.filter(|path| !is_open(path)).collect();
    if paths.is_empty() {
        return Ok(());
    }
    let is_own = |path: &PathBuf| !matches!(server.project.role(path), Ok(FileRole::Draft(_)));
    let rescan = paths.len() > MAX_SINGLE_FILES || paths.iter().any(is_own);
    // A file may also be a record of the history, so all of it is read again.
    reload(server, SETTINGS_DELAY)?;
    if rescan {
        server.start_scan();
    } else {
        for path in &paths {
            server.project.scan_file(path);
        }
    }
    Ok(())
}

/// Reads settings, rules and histories again, and checks all open documents.
fn reload(server: &mut LanguageServer<'_>, delay: Duration) -> io::Result<()> {
    server.project.reload();
    server.shown.clear();
    for uri in std::mem::take(&mut server.problem_files) {
        if !server.documents.contains_key(&uri) {
            publish(server, uri, None, Vec::new())?;
        }
    }
    for (uri, document) in &server.documents {
        server.checker.schedule(uri.clone(), document.job(server.client.encoding), delay);
    }
    Ok(())
}

/// Shows what was found in a document, and answers the requests that waited for it.
pub(super) fn checked(server: &mut LanguageServer<'_>, checked: CheckedDocument) -> io::Result<()> {
    let CheckedDocument { uri, version, path, report, took } = checked;
    let Some(document) = server.documents.get_mut(&uri) else { return Ok(()) };
    document.took = took;
    if document.version != version {
        return Ok(());
    }
    match report {
        Ok(Some(found)) => show(server, &uri, version, path.as_deref(), found)?,
        Ok(None) => {
            document.checked = Some(DocumentFindings { version, found: None });
            publish(server, uri.clone(), Some(version), Vec::new())?;
        }
        Err(problem) => {
            document.checked = Some(DocumentFindings { version, found: None });
            show_problem(server, &uri, version, problem)?;
        }
    }
    let (ready, others) = std::mem::take(&mut server.parked).into_iter().partition(|(it, _)| *it == uri);
    server.parked = others;
    let ready: Vec<(Uri, Request)> = ready;
    ready.into_iter().try_for_each(|(_, it)| request(server, it))
}

fn show(
    server: &mut LanguageServer<'_>,
    uri: &Uri,
    version: i32,
    path: Option<&Path>,
    (report, diagnostics): (FileReport, Vec<Diagnostic>),
) -> io::Result<()> {
    let numbers: Batch = report.report.numbers.clone();
    if let Some(document) = server.documents.get_mut(uri) {
        document.checked = Some(DocumentFindings { version, found: Some((report, diagnostics.clone())) });
    }
    publish(server, uri.clone(), Some(version), diagnostics)?;
    if let Some(path) = path {
        let changed = server.project.set_numbers(path, &numbers);
        check_naming(server, &changed, uri);
    }
    Ok(())
}

/// Checks the other documents that name one of some numbers.
fn check_naming(server: &LanguageServer<'_>, numbers: &BTreeSet<String>, but: &Uri) {
    if numbers.is_empty() {
        return;
    }
    for (uri, document) in server.documents.iter().filter(|(uri, _)| *uri != but) {
        if document.path().is_some_and(|path| server.project.names_any(path, numbers)) {
            server.checker.schedule(uri.clone(), document.job(server.client.encoding), Duration::ZERO);
        }
    }
}

/// The folders were read.
pub(super) fn scanned(server: &mut LanguageServer<'_>, changed: Result<BTreeSet<String>>) -> io::Result<()> {
    match changed {
        Ok(changed) => check_naming(server, &changed, &Uri(String::new())),
        // The documents that need these settings show what is wrong with them.
        Err(ProjectProblem::Invalid(_)) => {}
        Err(ProjectProblem::Failure(why)) => say(server, why)?,
    }
    Ok(())
}

/// Shows problems where they are; the findings of drafts stay until they can be checked again.
fn show_problem(
    server: &mut LanguageServer<'_>,
    uri: &Uri,
    version: i32,
    problem: ProjectProblem,
) -> io::Result<()> {
    let errors = match problem {
        ProjectProblem::Failure(why) => return say(server, why),
        ProjectProblem::Invalid(errors) => errors,
    };
    let mut is_shown = false;
    let rule_url = server.options.rule_url;
    let options = DiagnosticOptions {
        encoding: server.client.encoding,
        files: &*server.project.overlay,
        rule_url: &rule_url,
    };
    for (path, diagnostics) in options.of_errors(&errors) {
        let file = uri_of(&path);
        is_shown |= file == *uri;
        let version = (file == *uri).then_some(version);
        server.problem_files.insert(file.clone());
        publish(server, file, version, diagnostics)?;
    }
    let is_own = |path: &PathBuf| matches!(server.project.role(path), Ok(FileRole::Own));
    if !is_shown && server.documents.get(uri).and_then(OpenDocument::path).is_some_and(is_own) {
        publish(server, uri.clone(), Some(version), Vec::new())?;
    }
    Ok(())
}

/// Shows a message once.
fn say(server: &mut LanguageServer<'_>, why: String) -> io::Result<()> {
    if !server.shown.insert(why.clone()) {
        return Ok(());
    }
    server.notify("window/showMessage", ShowMessageParams { kind: MessageType::Error, message: why })
}

/// Publishes diagnostics; for a document that had none and has none, nothing.
fn publish(
    server: &mut LanguageServer<'_>,
    uri: Uri,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
) -> io::Result<()> {
    if let Some(document) = server.documents.get_mut(&uri) {
        document.has_diagnostics = !diagnostics.is_empty();
    }
    server.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, version, diagnostics })
}
