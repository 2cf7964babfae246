//! The events of the DevTools protocol that matter, with the parts of them that do.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Something happened in a page.
pub(super) enum PageEvent {
    Attached(Attached),
    Detached {
        session: String,
    },
    /// A request waits for our word.
    Paused(Paused),
    /// A server or the proxy wants a password.
    AuthRequired(AuthRequired),
    Dialog,
    Loaded,
    Asked(RequestSent),
    Answered(ResponseReceived),
    /// A request has ended, with a whole answer or without.
    Ended {
        request: String,
        is_failed: bool,
    },
    Crashed,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attached {
    pub(super) session_id: String,
    pub(super) target_info: TargetInfo,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub(super) target_id: String,
    pub(super) r#type: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Paused {
    pub(super) request_id: String,
    pub(super) request: RequestInfo,
}

#[derive(Debug, Deserialize)]
pub(super) struct RequestInfo {
    pub(super) url: String,
    pub(super) method: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuthRequired {
    pub(super) request_id: String,
    pub(super) auth_challenge: Challenge,
}

#[derive(Debug, Deserialize)]
pub(super) struct Challenge {
    pub(super) source: Option<String>,
}

/// A frame.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameInfo {
    pub(super) id: String,
    pub(super) parent_id: Option<String>,
    pub(super) url: String,
    #[serde(default)]
    pub(super) url_fragment: String,
    /// The address that did not open, in whose place is an error.
    pub(super) unreachable_url: Option<String>,
}

/// Frames, each with those in it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTree {
    pub(super) frame: FrameInfo,
    #[serde(default)]
    pub(super) child_frames: Vec<FrameTree>,
}

/// A request is sent; once more with the same id after a redirect.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestSent {
    pub(super) request_id: String,
    pub(super) r#type: Option<String>,
    pub(super) frame_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseReceived {
    pub(super) r#type: String,
    pub(super) frame_id: Option<String>,
    pub(super) response: ResponseInfo,
}

#[derive(Debug, Deserialize)]
pub(super) struct ResponseInfo {
    pub(super) status: u16,
}

/// Reads an event, if it matters.
pub(super) fn event(method: &str, params: Value) -> Option<PageEvent> {
    fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
        serde_json::from_value(params).ok()
    }
    let text = |name: &str| params[name].as_str().map(str::to_owned);
    Some(match method {
        "Target.attachedToTarget" => PageEvent::Attached(read(params)?),
        "Target.detachedFromTarget" => PageEvent::Detached { session: text("sessionId")? },
        "Fetch.requestPaused" => PageEvent::Paused(read(params)?),
        "Fetch.authRequired" => PageEvent::AuthRequired(read(params)?),
        "Page.javascriptDialogOpening" => PageEvent::Dialog,
        "Page.loadEventFired" => PageEvent::Loaded,
        "Network.requestWillBeSent" => PageEvent::Asked(read(params)?),
        "Network.responseReceived" => PageEvent::Answered(read(params)?),
        "Network.loadingFinished" => PageEvent::Ended { request: text("requestId")?, is_failed: false },
        "Network.loadingFailed" => PageEvent::Ended { request: text("requestId")?, is_failed: true },
        "Inspector.targetCrashed" => PageEvent::Crashed,
        _ => return None,
    })
}
