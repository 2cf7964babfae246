//! Whether a pasted text says that a number is verified.

use std::ops::Range;

use super::codes::codes_in;
use super::own_text::own_text;
use super::sentences::sentences;

/// Whether a text says that a number is verified, and nothing against it.
pub(super) fn is_approval(text: &str) -> bool {
    let text = &own_text(text, |_| true);
    let has = |part: &str, known: &str| {
        let lower = part.to_lowercase();
        let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| known.split(' ').any(|known| known == word))
    };
    let approves = |part: &Range<usize>| {
        let part = &text[part.clone()];
        let is_short = part.split_whitespace().count() <= FEW;
        has(part, APPROVED) && (is_short || has(part, SUBJECT)) && !has(part, NOT_YET)
    };
    sentences(text).iter().any(approves) && !has(text, REJECTED) && codes_in(None, text).is_empty()
}

/// Words of an approval in three languages.
const APPROVED: &str =
    "verified approved approuvé approuvée vérifié vérifiée aprobado aprobada verificado verificada";

/// A sentence of so few words need not say what is approved.
const FEW: usize = 3;

/// Names of what is approved.
const SUBJECT: &str = "number numbers toll tollfree tfn submission request verification registration campaign \
    application status it numéro numéros demande dossier inscription número números solicitud \
    campaña";

/// Words with which such a sentence denies the approval, or names a later one; `t` is that of "can't".
const NOT_YET: &str = "not cannot couldn wasn isn unable must before until unless once if when pending never pas avant \
    si no antes cuando to tax ein else another other autre otra t";

/// Words of a rejection.
const REJECTED: &str = "rejected rejection rejections denied declined refused failed refusé refusée rejeté rejetée \
    rechazado rechazada";

#[cfg(test)]
mod tests {
    use super::is_approval;

    #[test]
    fn only_what_is_approved_now_is_an_approval() {
        for text in [
            "your toll free is approved!",
            "Approved. No further action needed.",
            "Su solicitud fue aprobada.",
        ] {
            assert!(is_approval(text), "{text}");
        }
        for text in [
            "The number can't be verified again, contact support.",
            "Somebody else already verified that tax number.",
            "The number was verified by us, and then denied by the carrier.",
        ] {
            assert!(!is_approval(text), "{text}");
        }
    }
}
