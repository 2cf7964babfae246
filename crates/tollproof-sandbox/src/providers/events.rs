//! Parts that several providers' events share: receivers, bodies and subscriptions.

use rusqlite::Result;
use serde_json::{Value, json};

use crate::ids;
use crate::store::{EndedReview, StateTables};

/// The receiver of an event.
#[derive(Clone, Debug, Default)]
pub(super) struct WebhookReceiver {
    pub(super) url: String,
    /// The method, if it is not POST.
    pub(super) method: Option<String>,
    /// The secret for the signature, in place of the key of the sandbox. `Some` without text: none.
    pub(super) secret: Option<String>,
    /// The name and the password that it wants.
    pub(super) login: Option<(String, String)>,
}

/// The body of an event.
pub(super) enum EventBody {
    Json(Value),
    Form(Vec<(&'static str, String)>),
}

/// The titles of the reasons of a rejection, in one text.
pub(super) fn titles(review: &EndedReview) -> String {
    let titles: Vec<&str> = review.filing.reasons.iter().map(|it| it.title.as_str()).collect();
    titles.join("; ")
}

/// The id of an event.
pub(super) fn event_id(review: &EndedReview) -> String {
    ids::uuid(&[&review.provider, "event", &review.filing.id, &review.sequence.to_string()])
}

/// The subscriptions of an account, in the order of their ids, each with its id.
pub(super) fn subscriptions(tables: &StateTables<'_>, provider: &str, account: &str) -> Result<Vec<Value>> {
    let all = tables.settings(&format!("webhook:{provider}:{account}:"))?;
    Ok(all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

/// Stores a subscription, and returns the id that it has from now on.
pub(super) fn subscribe(
    tables: &StateTables<'_>,
    provider: &str,
    account: &str,
    body: &Value,
) -> Result<String> {
    let nth = tables.count(&format!("webhook:{provider}:{account}"))?;
    let id = ids::uuid(&[provider, "webhook", account, &nth.to_string()]);
    resubscribe(tables, provider, account, &id, body)?;
    Ok(id)
}

/// Ends the subscription with an id.
pub(super) fn unsubscribe(tables: &StateTables<'_>, provider: &str, account: &str, id: &str) -> Result<()> {
    tables.unset(&format!("webhook:{provider}:{account}:{id}"))
}

/// Stores the subscription with an id.
pub(super) fn resubscribe(
    tables: &StateTables<'_>,
    provider: &str,
    account: &str,
    id: &str,
    body: &Value,
) -> Result<()> {
    let mut stored = body.clone();
    stored["id"] = json!(id);
    tables.set(&format!("webhook:{provider}:{account}:{id}"), &stored.to_string())
}
