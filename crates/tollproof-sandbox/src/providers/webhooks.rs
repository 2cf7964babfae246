//! The webhooks of all providers: who gets one when a review ends, and what is in it.

use std::time::Duration;

use base64::Engine as _;
use rusqlite::Result;

use super::events::{EventBody, WebhookReceiver};
use super::{BASE64, bandwidth, bird, infobip, plivo, telnyx, twilio};
use crate::assumptions::Assumption;
use crate::fault::WebhookFault;
use crate::ids;
use crate::options::SandboxOptions;
use crate::store::{Arrival, EndedReview, StateTables};
use crate::webhook::{SignatureScheme, Webhook};

/// The webhooks of one provider.
pub(super) struct WebhookSource {
    provider: &'static str,
    /// Its event for a review that ended.
    event: fn(&EndedReview, &[String]) -> EventBody,
    /// Receivers without `--webhook`.
    receivers: fn(&StateTables<'_>, &EndedReview) -> Result<Vec<WebhookReceiver>>,
    scheme: SignatureScheme,
    assumption: Assumption,
}

/// The providers that send webhooks. No source shows an event of the others.
#[rustfmt::skip]
static SOURCES: [WebhookSource; 6] = [
    WebhookSource { provider: "bird",      event: bird::event,      receivers: bird::receivers,      scheme: SignatureScheme::Bird,     assumption: Assumption::BirdEvents },
    WebhookSource { provider: "twilio",    event: twilio::event,    receivers: unknown,              scheme: SignatureScheme::Twilio,   assumption: Assumption::TwilioEvents },
    WebhookSource { provider: "telnyx",    event: telnyx::event,    receivers: telnyx::receivers,    scheme: SignatureScheme::Telnyx,   assumption: Assumption::TelnyxEvents },
    WebhookSource { provider: "bandwidth", event: bandwidth::event, receivers: bandwidth::receivers, scheme: SignatureScheme::Unsigned, assumption: Assumption::BandwidthEvents },
    WebhookSource { provider: "infobip",   event: infobip::event,   receivers: unknown,              scheme: SignatureScheme::Unsigned, assumption: Assumption::InfobipEvents },
    WebhookSource { provider: "plivo",     event: plivo::event,     receivers: plivo::receivers,     scheme: SignatureScheme::Plivo,    assumption: Assumption::PlivoEvents },
];

/// Client receivers are not known: only `--webhook` names one.
fn unknown(_: &StateTables<'_>, _: &EndedReview) -> Result<Vec<WebhookReceiver>> {
    Ok(Vec::new())
}

/// The longest that an event waits for the next one that overtakes it.
const HOLD: Duration = Duration::from_secs(10);

/// Makes the webhooks of the reviews that ended just now, and says whether there are any.
pub(crate) fn prepare(tables: &StateTables<'_>, options: &SandboxOptions) -> Result<bool> {
    let ended = tables.take_ended()?;
    for review in &ended {
        let Some(source) = SOURCES.iter().find(|it| it.provider == review.provider) else { continue };
        let receivers = match &options.webhook {
            Some(url) => vec![WebhookReceiver { url: url.clone(), ..WebhookReceiver::default() }],
            None => (source.receivers)(tables, review)?,
        };
        for receiver in receivers {
            let webhook =
                webhook(source, review, &tables.numbers_of(&review.filing)?, receiver, &options.key);
            // Another machine that reaches the sandbox must not reach the services of this one through it.
            let is_own_choice = options.webhook.is_some() || !options.expose;
            if webhook.destination().is_none() || !is_own_choice {
                note(tables, source.provider, &webhook, 0, "not-loopback")?;
                continue;
            }
            send_with_fault(tables, source.provider, &webhook)?;
        }
    }
    Ok(!ended.is_empty())
}

fn send_with_fault(tables: &StateTables<'_>, provider: &str, webhook: &Webhook) -> Result<()> {
    let fault = tables.take_webhook_fault(provider)?.unwrap_or_default();
    let send = |wait| tables.deliver(provider, webhook, &fault, wait);
    let now = (Duration::ZERO, false);
    match WebhookFault::named(&fault) {
        None => send(now),
        Some(WebhookFault::Duplicate) => {
            send(now)?;
            send(now)
        }
        Some(WebhookFault::Late(time)) => send((time, false)),
        Some(WebhookFault::OutOfOrder) => send((HOLD, true)),
        Some(WebhookFault::Lost) => note(tables, provider, webhook, 0, &fault),
    }
}

fn webhook(
    source: &WebhookSource,
    review: &EndedReview,
    numbers: &[String],
    receiver: WebhookReceiver,
    key: &str,
) -> Webhook {
    let (content_type, body) = match (source.event)(review, numbers) {
        EventBody::Json(body) => ("application/json", body.to_string()),
        EventBody::Form(fields) => {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(fields);
            ("application/x-www-form-urlencoded", form.finish())
        }
    };
    let secret = receiver.secret.unwrap_or_else(|| key.to_owned());
    let login =
        receiver.login.map(|(name, word)| format!("Basic {}", BASE64.encode(format!("{name}:{word}"))));
    Webhook {
        method: receiver.method.unwrap_or_else(|| "POST".to_owned()),
        url: receiver.url,
        content_type: content_type.to_owned(),
        body,
        scheme: if secret.is_empty() { SignatureScheme::Unsigned } else { source.scheme },
        secret,
        login,
        assumed: vec![source.assumption.fact().id.to_owned()],
    }
}

/// Writes a webhook into the ledger. Without a status it was not sent, or not answered.
pub(crate) fn note(
    tables: &StateTables<'_>,
    provider: &str,
    webhook: &Webhook,
    status: u16,
    fault: &str,
) -> Result<()> {
    tables.note(&Arrival {
        at: String::new(),
        provider: provider.to_owned(),
        operation: "webhook".to_owned(),
        method: webhook.method.clone(),
        path: webhook.shown_url(),
        key: String::new(),
        body: ids::hash(webhook.body.as_bytes()),
        status,
        fault: fault.to_owned(),
        times: 0,
    })
}
