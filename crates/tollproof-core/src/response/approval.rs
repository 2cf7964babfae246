//! Whether a pasted text says that a number is verified.

use std::ops::Range;

use super::codes::codes_in;
use super::own_text::own_text;
use super::sentences::sentences;

/// Whether a text says that a number is verified, and nothing against it.
pub(super) fn is_approval(text: &str) -> bool {
    let text = &own_text(text, |_| true);
    let has = |part: &str, known: &[&str]| {
        let lower = part.to_lowercase();
        lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| known.contains(&word))
    };
    let approves = |part: &Range<usize>| {
        let part = &text[part.clone()];
        has(part, &APPROVED) && has(part, &SUBJECT) && !has(part, &NOT_YET)
    };
    sentences(text).iter().any(approves) && !has(text, &REJECTED) && codes_in(None, text).is_empty()
}

/// Words of an approval in three languages.
const APPROVED: [&str; 10] = [
    "verified",
    "approved",
    "approuvé",
    "approuvée",
    "vérifié",
    "vérifiée",
    "aprobado",
    "aprobada",
    "verificado",
    "verificada",
];

/// Names of what is approved.
const SUBJECT: [&str; 22] = [
    "number",
    "numbers",
    "toll",
    "tollfree",
    "tfn",
    "submission",
    "request",
    "verification",
    "registration",
    "campaign",
    "application",
    "status",
    "it",
    "numéro",
    "numéros",
    "demande",
    "dossier",
    "inscription",
    "número",
    "números",
    "solicitud",
    "campaña",
];

/// Words with which such a sentence denies the approval, or names a later one.
const NOT_YET: [&str; 29] = [
    "not", "cannot", "couldn", "wasn", "isn", "unable", "must", "before", "until", "unless", "once", "if",
    "when", "pending", "never", "pas", "avant", "si", "no", "antes", "cuando", "to", "tax", "ein", "else",
    "another", "other", "autre", "otra",
];

/// Words of a rejection.
const REJECTED: [&str; 12] = [
    "rejected",
    "rejection",
    "denied",
    "declined",
    "refused",
    "failed",
    "refusé",
    "refusée",
    "rejeté",
    "rejetée",
    "rechazado",
    "rechazada",
];
