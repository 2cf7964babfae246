//! Whether a sentence of an answer says that a submission may be sent again, or must not be.

use tollproof_data::text::words::language::contractions;
use tollproof_data::text::words::word::{Break, Words};

use super::saying::Saying;

/// Verbs for sending a submission, beside a word of [`AGAIN`].
const SENDS: &str = "send submit file register apply try envoyer envoyez envoie envoies soumettre soumettez soumets \
    deposer deposez transmettez enviar envie envia enviarla enviarlo enviela envielo mandar mande manda mandarla mandarlo \
    mandela mandelo presentar presente presentarla presentela sending submitting filing";
/// Their participles, after a word of [`IS`].
const SENT: &str = "sent submitted filed appealed envoye envoyee soumis soumise depose deposee enviado enviada presentado presentada";
const IS: &str = "be etre ser";
/// Words before such a verb with which the writer of the answer sends it.
const WRITER: &str = "moi_qui i ill we well lets team je nous equipe yo nosotros equipo";
/// Verbs with which only the writer does.
const WRITER_SENDS: &str = "renverrai renverrons relancerai relancerons resoumettrai resoumettrons reenvio reenviare \
    reenviaremos reenviamos";
/// Words with which the reader is asked.
const READER: &str = "you your please vous votre veuillez merci usted su favor";
/// Verbs and participles that say "again" themselves.
const SENDS_AGAIN: &str = "resubmit resend refile reapply renvoyer renvoyez renvoie renvoies resoumettre resoumettez \
    redeposer redeposez reenviar reenviarse reenvie reenvia reenviela reenvielo resending resubmitting refiling resubmittable";
const SENT_AGAIN: &str = "resubmitted resent refiled renvoye renvoyee resoumis resoumise reenviado reenviada";
/// Nouns that say so too, beside one of [`POSSIBLE`].
const RESUBMISSION: &str = "resubmission resubmissions another_submission new_submission renvoi resoumission nouvelle_soumission \
    reenvio nueva_solicitud";
const POSSIBLE: &str = "eligible allow allowed possible permit permitted accept accepted permis permise autorise accepte admissible elegible permite \
    permitido posible acepta";
const AGAIN: &str = "re again anew back once_more second_time nouveau encore nuevo nuevamente otra_vez volver vuelva \
    vuelve vuelvan anymore";
/// Other things that may be sent again.
const OTHERS: &str = "code codes sample samples text texts message messages picture image screenshot photo document \
    documents proof keyword word link file reply stop image capture foto captura";
/// Words with which a sentence is about the recipients of messages.
const RECIPIENTS: &str = "people customers customer subscribers recipients clients clientes personas";
/// Verbs and objects of "you can edit it", or "you cannot edit it", after which only the writer of the answer can.
const EDITS: &str = "edit change modify update correct modifier corriger changer editar modificar corregir cambiar editarla \
    editarlo modificarla modificarlo corregirla corregirlo cambiarla cambiarlo";
const SUBMISSION: &str = "it this that one request submission registration campaign verification demande soumission solicitud \
    campana la le lo";
const ANOTHER: &str = "new another nouveau nouvelle autre nueva nuevo otra otro";
/// Beside the contractions of "not".
const NOT: &str = "not never no ne n pas inutile nunca sin without";
/// Words with which "not" forbids nothing, or only until something is done.
const ONLY: &str = "if unless until till before without unchanged same identical yet only need have just si sauf avant \
    sans hasta antes sin tant_que mientras while pendant mismo le_meme la_meme les_memes";
/// Words with which a submission is to be sent as it is.
const AS_IT_IS: &str = "unchanged same_content same_request exactly_the_same as_it_is as_is without_changes without_change \
    sans_changement telle_quelle tel_quel sin_cambios tal_cual";

/// The most words between a "not" and its verb, and between a verb and its "again".
const NEAR: usize = 6;

/// The part of a sentence that is about sending the submission again: [`Saying::Final`], [`Saying::Unchanged`],
/// [`Saying::ByWriter`] or [`Saying::Editable`].
pub(super) fn sending_of(words: &Words) -> Option<Saying> {
    let said = Said(words);
    if said.has(0..words.len(), RECIPIENTS) {
        return None;
    }
    let mut verbs = (0..words.len()).filter(|at| said.is_of_sending(*at)).peekable();
    if verbs.peek().is_none() {
        if said.has(0..words.len(), WRITER_SENDS) {
            return Some(Saying::ByWriter);
        }
        return said.editing();
    }
    if verbs.any(|verb| said.is_forbidden(verb)) {
        return (!said.has(0..words.len(), ONLY)).then_some(Saying::Final);
    }
    if said.is_by_writer() {
        return Some(Saying::ByWriter);
    }
    let is_same = said.has(0..words.len(), AS_IT_IS);
    Some(if is_same { Saying::Unchanged } else { Saying::Editable })
}

/// The words of a sentence, with lookups of alternatives.
pub(super) struct Said<'w>(pub(super) &'w Words);

impl Said<'_> {
    /// Whether a "not" is about a verb: before it without a break, so not in "not approved, please resubmit", or after
    /// "resubmitting".
    fn is_forbidden(&self, verb: usize) -> bool {
        let is_not = |at: &usize| self.is(*at, NOT) || contractions().any(|not| not == self.0.word(*at));
        let is_subject = self.0.word(verb).ends_with("ing") || self.is(verb, RESUBMISSION);
        if is_subject && (verb + 1..verb + 1 + NEAR).any(|at| is_not(&at)) {
            return true;
        }
        let breaks =
            |at: usize| self.0.get(at).is_some_and(|word| word.before != Break::None) || self.is(at, READER);
        let not = (verb.saturating_sub(NEAR)..verb).rfind(is_not);
        not.is_some_and(|not| !(not + 1..=verb).any(breaks))
    }

    /// Whether the reader may edit it: "you can't edit it on your side" leaves it to the writer.
    fn editing(&self) -> Option<Saying> {
        let all = 0..self.0.len();
        let is_of_editing = |verb: &usize| {
            self.is(*verb, EDITS)
                && self.has(verb.saturating_sub(NEAR)..*verb, READER)
                && (self.has(verb.saturating_sub(2)..(verb + 3).min(all.end), SUBMISSION)
                    || self.0.word(*verb).ends_with("rla")
                    || self.0.word(*verb).ends_with("rlo"))
        };
        let verb = all.clone().find(is_of_editing)?;
        let makes_another = |at: usize| self.is(at, ANOTHER) && self.has(at + 1..at + 2, SUBMISSION);
        if all.clone().any(makes_another) || self.has(all, ONLY) {
            return None;
        }
        Some(if self.is_forbidden(verb) { Saying::ByWriter } else { Saying::Editable })
    }

    /// Whether the writer sends it: "I'll resubmit it", but not "we need you to resubmit it".
    fn is_by_writer(&self) -> bool {
        let is_by_writer = |verb: usize| {
            let before = verb.saturating_sub(3)..verb;
            self.has(before.clone(), WRITER) && !self.has(before, READER)
        };
        (0..self.0.len()).filter(|at| self.is_of_sending(*at)).all(is_by_writer)
    }

    /// Whether a word is the verb of "send it again", and not of "send a picture again".
    fn is_of_sending(&self, at: usize) -> bool {
        let is_passive = || self.has(at.saturating_sub(2)..at, IS);
        if self.is(at, RESUBMISSION) {
            return self.has(at.saturating_sub(NEAR)..(at + NEAR + 2).min(self.0.len()), POSSIBLE);
        }
        if self.is(at, SENDS_AGAIN) || self.is(at, SENT_AGAIN) && is_passive() {
            return !self.has(at + 1..at + 4, OTHERS);
        }
        if !(self.is(at, SENDS) || self.is(at, SENT) && is_passive()) {
            return false;
        }
        let after = (at + 1..at + 1 + NEAR).find(|again| self.is(*again, AGAIN));
        let before = || (at.saturating_sub(3)..at).find(|again| self.is(*again, AGAIN));
        after.or_else(before).is_some_and(|again| !self.has(at + 1..again.max(at + 1), OTHERS))
    }

    /// Whether one of some alternatives begins at a word of a range.
    pub(super) fn has(&self, mut range: std::ops::Range<usize>, known: &str) -> bool {
        range.any(|at| self.is(at, known))
    }

    /// Whether one of some alternatives begins at a word; in `a_b`, the second is the next word.
    pub(super) fn is(&self, at: usize, known: &str) -> bool {
        let is_here = |alternative: &str| {
            alternative
                .split('_')
                .enumerate()
                .all(|(next, part)| at + next < self.0.len() && self.0.word(at + next) == part)
        };
        known.split_whitespace().any(is_here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_sent_again_is_told_by_its_verb() {
        let said = |text: &str| sending_of(&Words::of(text));
        for (saying, texts) in [
            (
                Some(Saying::Final),
                &[
                    "Please do not send this request in again.",
                    "Please do not file it again.",
                    "There is no appeal, so please do not submit it again under another name.",
                    "It cannot be resubmitted.",
                    "You may not resubmit this campaign.",
                    "Resubmitting will not help.",
                    "This submission is not eligible for resubmission.",
                    "The request isn't eligible to be resubmitted.",
                    "Resubmission is not possible.",
                    "No resubmission is allowed.",
                    "We don't accept resubmissions for this use case.",
                    "We can't allow another submission for this business.",
                    "La demande n'est plus admissible à une nouvelle soumission.",
                    "This request is not resubmittable.",
                    "Esta solicitud no es elegible para reenvío.",
                    "Le renvoi de la demande n'est pas possible.",
                    "Esta solicitud no puede reenviarse.",
                    "Esta decisión es definitiva, por favor no la vuelva a enviar.",
                    "Ce refus est définitif, inutile de redéposer le dossier.",
                    "Merci de ne pas la soumettre à nouveau.",
                    "Sending it in once more will change nothing, so please don't resubmit.",
                ][..],
            ),
            (
                Some(Saying::Editable),
                &[
                    "Fix the sample and resubmit.",
                    "Fix and send it in again.",
                    "Change it and hit resubmit.",
                    "Tu changes ça et tu me le renvoies.",
                    "Cámbiela y vuelva a mandarla cuando pueda.",
                    "Corrigez, puis cliquez sur « Soumettre à nouveau ».",
                    "Once you have changed it, please send it back to us.",
                    "The request can be sent again.",
                    "This submission is eligible for resubmission.",
                    "You can edit the request in the portal.",
                    "Please update the verification.",
                    "Vous pouvez modifier la demande.",
                    "Corríjalo y envíelo de nuevo.",
                    "We need you to submit it again.",
                    "Please re-submit with the correct EIN.",
                    "Not approved, please submit it again.",
                    "We could not verify your business, please resubmit with its legal name.",
                    "The sample has no STOP, please add it and resubmit.",
                    "We cannot open the page; fix it, then send the request again.",
                    "Le site n'est pas en ligne, veuillez corriger et renvoyer la demande.",
                    "No pudimos abrir la página, corrija y vuelva a enviar.",
                ],
            ),
            (
                Some(Saying::ByWriter),
                &[
                    "Please send me the updated info by Friday and I'll resubmit on your behalf.",
                    "Merci de nous envoyer les bonnes informations et nous relancerons la demande.",
                    "Mándame la correcta y lo reenvío.",
                    "You can't edit it on your side.",
                    "You cannot edit this request, reply to this mail with the new texts.",
                    "Vous ne pouvez pas la modifier vous-même, envoyez-nous le texte.",
                    "Usted no puede modificarla desde su cuenta.",
                    "Our team will resubmit once you give us a working link.",
                ],
            ),
            (
                Some(Saying::Unchanged),
                &[
                    "Resend it unchanged in one hour.",
                    "Let it sit for an hour and then press Submit again with exactly the same content.",
                    "Renvoyez la demande telle quelle dans une heure.",
                ],
            ),
            (
                None,
                &[
                    "You do not send a code again when people ask for it.",
                    "Please send the screenshot again.",
                    "Customers who reply STOP can send START again.",
                    "You submitted it again yesterday.",
                    "We have put your request back in review.",
                    "You do not need to submit it again.",
                    "Do not submit it again before the website is live.",
                    "Do not send it again unchanged.",
                    "Do not resubmit the same content; change the sample first.",
                    "La demande ne peut pas être renvoyée avant le 5 décembre.",
                    "Ne renvoyez rien tant que les deux ne sont pas réglés.",
                    "The sample does not say who sends it.",
                    "Your resubmission was not complete.",
                    "You cannot change the number.",
                    "You cannot edit it, so create a new one.",
                    "You cannot edit it until the review has ended.",
                    "You must not change this request while it is in review.",
                    "Please update the sample message.",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(said(text), saying, "{text}");
            }
        }
    }
}
