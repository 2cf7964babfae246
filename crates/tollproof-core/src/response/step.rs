//! Sentences of an answer that say what to do with a submission, which tollproof repeats where it does not understand them.

use tollproof_data::text::words::word::{Break, Words};

use super::sending::Said;
use super::sentences::sentences;

/// Verbs that ask to do something.
const ACTS: &str = "open create write reply respond contact call submit choose select delete start register file send \
    ouvrez ouvrir creez creer ecrivez ecrire repondez repondre contactez contacter appelez appeler soumettez choisissez supprimez \
    abra abrir cree crear hacer haga radicar radique enviar envie escriba escribir responda responder contacte comuniquese llame llamar someta elija borre";
/// Words right before such a verb, if it does not begin a part of the sentence.
const BEFORE: &str = "please and then or to must should can may kindly veuillez de devez pouvez et ou puis debe puede favor que y o luego";
/// Names of things that people open, write to or make.
const OBJECTS: &str = "registration request submission verification campaign ticket case version mail email support us console \
    portal demande soumission dossier inscription campagne courriel soutien solicitud registro caso campana correo soporte nueva \
    nouveau nouvelle new";
/// Words of an offer, or of a reason.
const OFFERS: &str = "if when questions question learn view details why si quand preguntas pregunta dudas";

/// Words for another submission.
const NEW: &str = "new nouveau nouvelle nueva nuevo";
/// Words of an appeal, for which an answer gives an address.
const ADDRESSED: &str = "appeal appealing contest dispute contester apelar impugnar";

/// Whether a sentence of a text asks for another submission.
pub(super) fn asks_for_another(text: &str) -> bool {
    sentences(text).into_iter().any(|sentence| is_new_submission(&text[sentence]))
}

/// Whether a sentence asks for another submission in place of the one that was refused.
fn is_new_submission(sentence: &str) -> bool {
    let words = Words::of(sentence);
    let said = Said(&words);
    let is_new = |at: usize| {
        let beside = [at.wrapping_sub(1), at + 1];
        said.is(at, NEW) && beside.iter().any(|by| *by < words.len() && said.is(*by, OBJECTS))
    };
    (0..words.len()).any(is_new) && is_step(sentence)
}

/// Whether a sentence asks to do something with the submission, or to write to somebody about it.
pub(super) fn is_step(sentence: &str) -> bool {
    let words = Words::of(sentence);
    let said = Said(&words);
    let has = |known| said.has(0..words.len(), known);
    let begins = |at: usize| {
        let is_first = words.get(at).is_some_and(|word| word.before != Break::None);
        at == 0 || is_first || said.is(at - 1, BEFORE)
    };
    if sentence.contains('@') && has(ADDRESSED) {
        return true;
    }
    // Names of buttons are often in brackets.
    !sentence.starts_with('[')
        && has(OBJECTS)
        && !has(OFFERS)
        && (0..words.len()).any(|at| said.is(at, ACTS) && begins(at))
}

#[cfg(test)]
mod tests {
    use super::{is_new_submission, is_step};

    #[test]
    fn a_step_asks_for_something_that_is_done_with_the_submission() {
        for text in [
            "To continue, open the registration in the console, correct the fields listed above and choose Submit.",
            "Create a new verification, the denied one can't be reused.",
            "Please open a ticket with Twilio Support.",
            "Cree una nueva versión de este registro y envíela.",
            "Veuillez écrire au soutien.",
            "If you want to appeal, write to appeals@telnyx.example.",
        ] {
            assert!(is_step(text), "{text}");
        }
        assert!(is_new_submission("Then create a brand new submission."));
        assert!(is_new_submission("Tiene que radicar una solicitud nueva."));
        assert!(!is_new_submission("Please do not create a new request."));
        for text in [
            "We'd need to look at a different channel (email?)",
            "If you have questions, contact support.",
            "Open the console to view the details.",
            "Your customers open the page of your registration.",
            "We create a case for each submission.",
            "Thank you for your request.",
            "[Edit verification] [Contact support]",
        ] {
            assert!(!is_step(text), "{text}");
        }
    }
}
