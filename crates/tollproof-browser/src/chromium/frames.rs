//! Reads a page with its frames.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::events::{FrameInfo, FrameTree};
use super::tab::Tab;
use crate::problem::{RenderError, Result};

/// Writes a document as HTML, with what it is now as attributes.
const SERIALIZE: &str = include_str!("serialize.js");

/// Finds boxes without which a form cannot be sent, as only its scripts know.
const UNLOCK: &str = include_str!("unlock.js");

/// Notes for an element which frame it has.
const NOTE: &str = "function (frame) {
  if (!(globalThis.framesByElement instanceof Map)) globalThis.framesByElement = new Map();
  globalThis.framesByElement.set(this, frame);
}";

/// The name of the world in which our scripts run: they and those of the page do not see each other.
const WORLD: &str = "tollproof";

/// The most frames that are read, and how deep they may be.
const MAX_FRAMES: usize = 40;
const MAX_DEPTH: usize = 8;

/// A page with its frames.
pub(super) struct FramesRead {
    /// The main frame.
    pub(super) frame: FrameInfo,
    pub(super) html: String,
    pub(super) is_complete: bool,
}

/// A part of a document.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum DocumentPart {
    Html(String),
    Frame { frame: String },
}

/// The result of the script.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Serialized {
    parts: Vec<DocumentPart>,
    is_full: bool,
}

/// A frame with the world in which it is read.
pub(super) struct FrameWorld {
    pub(super) frame: FrameInfo,
    pub(super) session: String,
    pub(super) context: Value,
}

/// Reads the page and its frames, up to a number of bytes.
pub(super) fn read(tab: &mut Tab<'_>, skips_frame: fn(&str) -> bool, max: usize) -> Result<FramesRead> {
    let (worlds, mut is_complete) = worlds(tab, skips_frame)?;
    let frame = main_frame(&worlds)?;
    let main = frame.id.clone();
    let mut left = max;
    let mut all = HashMap::new();
    for it in &worlds {
        let is_main = it.frame.id == main;
        let params =
            json!({ "expression": format!("({UNLOCK})()"), "contextId": it.context, "awaitPromise": true });
        may_fail(tab.call(&it.session, "Runtime.evaluate", &params))?;
        let expression = format!("({SERIALIZE})({left}, {is_main})");
        let params = json!({ "expression": expression, "contextId": it.context, "returnByValue": true });
        let found = may_fail(tab.call(&it.session, "Runtime.evaluate", &params))?;
        let found = found.and_then(|mut response| {
            serde_json::from_value::<Serialized>(response["result"]["value"].take()).ok()
        });
        match found {
            Some(found) if found.is_full => return Err(RenderError::TooLarge),
            Some(found) => {
                let size: usize = found
                    .parts
                    .iter()
                    .map(|part| if let DocumentPart::Html(part) = part { part.len() } else { 0 })
                    .sum();
                left = left.checked_sub(size).ok_or(RenderError::TooLarge)?;
                all.insert(it.frame.id.clone(), found.parts);
            }
            None if is_main => return Err(RenderError::Failed),
            None => is_complete = false,
        }
    }
    let mut html = String::new();
    is_complete &= push(&mut html, &main, &mut all, 0);
    // What is left has no place, as frames in closed shadow roots.
    is_complete &= all.is_empty() && !tab.has_more_frames && !tab.has_crashed();
    Ok(FramesRead { frame, html, is_complete })
}

/// The main frame of a page.
pub(super) fn main_frame(worlds: &[FrameWorld]) -> Result<FrameInfo> {
    worlds.first().map(|it| it.frame.clone()).ok_or(RenderError::Failed)
}

/// Adds a frame with those in it. Returns whether all were there.
fn push(html: &mut String, frame: &str, all: &mut HashMap<String, Vec<DocumentPart>>, depth: usize) -> bool {
    let Some(parts) = all.remove(frame).filter(|_| depth < MAX_DEPTH) else { return false };
    let mut is_complete = true;
    for part in parts {
        match part {
            DocumentPart::Html(text) => html.push_str(&text),
            DocumentPart::Frame { frame } => is_complete &= push(html, &frame, all, depth + 1),
        }
    }
    is_complete
}

/// The frames that are not skipped, those around others first. Returns whether these are all.
pub(super) fn worlds(tab: &mut Tab<'_>, skips_frame: fn(&str) -> bool) -> Result<(Vec<FrameWorld>, bool)> {
    let sessions: Vec<String> = [&tab.main].into_iter().chain(&tab.frames).cloned().collect();
    let mut worlds: Vec<FrameWorld> = Vec::new();
    let mut is_complete = true;
    for session in sessions {
        let tree = may_fail(tab.call(&session, "Page.getFrameTree", &json!({})))?;
        let tree = tree
            .and_then(|mut response| serde_json::from_value::<FrameTree>(response["frameTree"].take()).ok());
        let mut open: Vec<FrameTree> = tree.into_iter().collect();
        is_complete &= !open.is_empty();
        while let Some(FrameTree { frame, child_frames }) = open.pop() {
            if skips_frame(&frame.url.to_ascii_lowercase()) && !worlds.is_empty() {
                continue;
            }
            open.extend(child_frames.into_iter().rev());
            if worlds.len() >= MAX_FRAMES {
                is_complete = false;
                break;
            }
            let params = json!({ "frameId": frame.id, "worldName": WORLD });
            let world = may_fail(tab.call(&session, "Page.createIsolatedWorld", &params))?;
            let Some(context) = world.map(|it| it["executionContextId"].clone()).filter(Value::is_number)
            else {
                is_complete = false;
                continue;
            };
            let world = FrameWorld { frame, session: session.clone(), context };
            note(tab, &world, &worlds)?;
            worlds.push(world);
        }
    }
    Ok((worlds, is_complete))
}

/// Notes in the world around a frame which element has it.
fn note(tab: &mut Tab<'_>, of: &FrameWorld, worlds: &[FrameWorld]) -> Result<()> {
    let Some(around) = worlds.iter().find(|world| Some(&world.frame.id) == of.frame.parent_id.as_ref())
    else {
        return Ok(());
    };
    let session = &around.session;
    let owner = may_fail(tab.call(session, "DOM.getFrameOwner", &json!({ "frameId": of.frame.id })))?;
    let Some(owner) = owner else { return Ok(()) };
    let params = json!({ "backendNodeId": owner["backendNodeId"], "executionContextId": around.context });
    let Some(node) = may_fail(tab.call(session, "DOM.resolveNode", &params))? else { return Ok(()) };
    let (object, frame) = (&node["object"]["objectId"], &of.frame.id);
    let params =
        json!({ "objectId": object, "functionDeclaration": NOTE, "arguments": [{ "value": frame }] });
    may_fail(tab.call(session, "Runtime.callFunctionOn", &params)).map(drop)
}

/// The answer to a command about a frame, which may have gone meanwhile.
pub(super) fn may_fail(answer: Result<Value>) -> Result<Option<Value>> {
    match answer {
        Err(RenderError::Failed) => Ok(None),
        other => other.map(Some),
    }
}
