//! Drafts for benchmarks: invented, without findings, and the same in every run.

// Not every benchmark needs faulty drafts.
#![allow(dead_code)]

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, clean_document};

/// Business, domain, what it texts about and its use case.
const BUSINESSES: [[&str; 4]; 6] = [
    ["Harbor Street Dental LLC", "harborstreetdental.com", "appointments", "Appointments"],
    ["Larkfield Outfitters Inc.", "larkfieldoutfitters.com", "orders", "Order Notifications"],
    ["Ironbridge Credit Union", "ironbridgecu.org", "accounts", "Billing"],
    ["Maple Hollow Veterinary Care LLC", "maplehollowvet.com", "pets", "Appointments"],
    ["Quayside Auto Repair Co.", "quaysideautorepair.com", "repairs", "Auto Repair Services"],
    ["Tern Bay Freight Ltd.", "ternbayfreight.com", "deliveries", "Courier Services & Deliveries"],
];

/// Sentences about who is written to, for `useCaseSummary`.
const SUMMARIES: [&str; 5] = [
    "{name} texts its customers about their {topic}: what happens next, when, and whom to call with a question.",
    "Only customers who asked for these texts get them, between two and six messages a month and never at night.",
    "Numbers come from our own forms; we do not share them with anyone for marketing.",
    "Every message begins with our name and links only to pages of {site}.",
    "A customer who replies STOP gets no further message, and HELP is answered by our office.",
];

/// Messages, for `productionMessageContent`.
const MESSAGES: [&str; 3] = [
    "{name}: your {topic} update {n} is ready. See https://{site}/u/{n}. Msg & data rates may apply. Reply STOP to opt out, HELP for help.",
    "{name}: thank you, we have your request {n} about {topic}. We write again when it is done. Reply STOP to cancel.",
    "{name}: reminder about your {topic}, reference {n}. Questions? Reply HELP. Reply STOP to end messages.",
];

/// Sentences about how customers agree, for `optInWorkflowDescription`.
const CONSENTS: [&str; 5] = [
    "Customers enter their mobile number at https://{site}/texts and tick a box that is empty at first.",
    "Beside the box they read: \"I agree to receive recurring text messages about my {topic} from {name}. Consent is not a condition of purchase. Message frequency varies. Message and data rates may apply. Reply STOP to cancel, HELP for help.\"",
    "The box is optional, and the form can be sent without it.",
    "Links to https://{site}/privacy and https://{site}/terms are right below.",
    "We keep the time, the page and the wording of every consent in our customer records.",
];

/// A clean draft; each index gives another one.
pub(crate) fn draft(index: usize) -> Value {
    let [name, site, topic, use_case] = BUSINESSES[index % BUSINESSES.len()];
    let number = (100_000 + index).to_string();
    let fill = |text: &str| {
        let text = text.replace("{name}", name).replace("{site}", site);
        text.replace("{topic}", topic).replace("{n}", &number)
    };
    let join = |sentences: &[&str]| sentences.iter().map(|it| fill(it)).collect::<Vec<_>>().join(" ");
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    for (field, value) in [
        ("businessName", json!(name)),
        ("corporateWebsite", json!(format!("https://{site}"))),
        ("businessContactEmail", json!(format!("office@{site}"))),
        ("useCase", json!(use_case)),
        ("useCaseSummary", json!(join(&SUMMARIES[..3 + index % 3]))),
        ("productionMessageContent", json!(fill(MESSAGES[index % MESSAGES.len()]))),
        ("optInWorkflowDescription", json!(join(&CONSENTS[..3 + index / 2 % 3]))),
        ("optInWorkflowImageURLs", json!([format!("https://{site}/img/opt-in-{number}.png")])),
        ("phoneNumbers", json!([format!("9a1b2c3d-4e5f-4061-8273-{index:012x}")])),
    ] {
        draft[field] = value;
    }
    draft
}

/// The draft of an index with faults of its structure, a value and its texts.
pub(crate) fn faulty_draft(index: usize) -> Value {
    let mut draft = draft(index);
    draft.as_object_mut().expect("a draft is an object").remove("businessCity");
    draft["businessContactEmail"] = json!("someone@gmail.com");
    draft["productionMessageContent"] = json!("Your trip is on! Details: bit.ly/3xQkayak");
    draft
}
