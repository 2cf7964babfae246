//! Finds the reasons in pasted text: an e-mail, or what a console shows.

use std::ops::Range;

use super::advice::ReasonMeaning;
use super::answer_reason::{AnswerReason, MAX_REASONS, without_bullet};
use super::clauses::{is_explained, reasons_of};
use super::codes::{CodeFound, by_code, codes_in, content_words};
use super::deadline::Deadline;
use super::own_text::{FEW_WORDS, own_text};
use super::reasons::{Reason, Wordings};
use super::saying::Saying;
use super::sentences::{AnswerUnit, WRAPPED, adds, asks, sentences, status_of, units};
use super::step::{asks_for_another, is_step};
use crate::syntax::source::Span;

/// The reasons in a text, and as asides what else it says, so that nothing is lost but greetings and the like. If nothing
/// is recognized in a short text, it is one reason. An earlier mail that the text quotes is not read.
pub(super) fn reasons_in(provider: Option<&str>, text: &str, wordings: &Wordings<'_>) -> Vec<AnswerReason> {
    let text = &own_text_of(text, wordings);
    let mut reading = AnswerScan { provider, text, wordings, known: Vec::new(), found: Vec::new(), lead: "" };
    for unit in units(text) {
        if reading.found.len() >= MAX_REASONS {
            break;
        }
        reading.unit(&unit);
    }
    let mut found = reading.found;
    let is_one = found.len() < 2 && text.len() <= SHORT_ANSWER;
    found.sort_by_key(|reason| reason.at.start);
    let is_heading = |pair: &[AnswerReason]| {
        pair[0].text.ends_with(':') && is_explained(provider, &pair[0].text, &pair[1].text, wordings)
    };
    let mut is_left_out: Vec<bool> = found.windows(2).map(is_heading).collect();
    is_left_out.push(false);
    let mut left_out = is_left_out.into_iter();
    found.retain(|_| left_out.next() != Some(true));
    let is_unknown = found.iter().all(|reason| reason.is_aside) && (is_one || found.is_empty());
    let is_answered = || {
        says(text, wordings, Saying::InReview)
            || found.is_empty() && sentences(text).into_iter().all(|it| is_about_sending(&text[it], wordings))
    };
    if is_unknown && !is_answered() {
        let start = text.len() - text.trim_start().len();
        found = vec![AnswerReason::of(text, start..start + text.trim().len())];
    }
    found.truncate(MAX_REASONS);
    found
}

fn own_text_of(text: &str, wordings: &Wordings<'_>) -> String {
    let is_reason = |line: &str| wordings.by_words(line, None).is_some_and(|row| !row.is_no_reason());
    own_text(text, |line| !codes_in(None, line).is_empty() || is_reason(line))
}

/// Whether a sentence only says whether or until when the submission may be sent again.
fn is_about_sending(sentence: &str, wordings: &Wordings<'_>) -> bool {
    Saying::OF_SENDING.into_iter().any(|saying| wordings.says(sentence, saying)) || Deadline::is_in(sentence)
}

/// The longest text that is one reason if nothing is recognized in it, in bytes.
const SHORT_ANSWER: usize = 300;

/// A text that is being read.
struct AnswerScan<'t> {
    provider: Option<&'t str>,
    text: &'t str,
    wordings: &'t Wordings<'t>,
    /// The meanings of the reasons so far.
    known: Vec<String>,
    found: Vec<AnswerReason>,
    /// The line before a list, such as "Please provide:".
    lead: &'t str,
}

impl<'t> AnswerScan<'t> {
    fn unit(&mut self, unit: &AnswerUnit) {
        let part = &self.text[unit.range.clone()];
        let codes = codes_in(self.provider, part);
        if !codes.is_empty() {
            return self.codes(part, unit.range.start, &codes);
        }
        if part.ends_with(':') || !unit.is_item {
            self.lead = part.strip_suffix(':').map_or("", |_| part);
        }
        // After a semicolon, a sentence may go on, unless that is a reason. The cells of a row are about one field.
        let is_reason = |part: &str| {
            content_words(part).len() > 1
                && self.wordings.by_words(part, None).is_some_and(|row| !row.is_no_reason())
        };
        let marks: Vec<usize> =
            part.match_indices([';', '|']).map(|(at, _)| at).chain([part.len()]).collect();
        let (mut ends, mut is_list) = (Vec::new(), unit.is_item);
        for pair in marks.windows(2) {
            let (at, after) = (pair[0], &part[pair[0] + 1..pair[1]]);
            let is_cell = part[at..].starts_with('|');
            let goes_on = !is_cell && after.trim_start().starts_with(char::is_lowercase);
            if if is_cell { !part.starts_with('|') } else { !goes_on || is_reason(after) } {
                is_list |= !goes_on;
                ends.push(at);
            }
        }
        // Of cells in one line, some are names and numbers.
        is_list &= !ends.iter().any(|at| part[*at..].starts_with('|'));
        let mut start = 0;
        for end in ends.into_iter().chain([part.len()]) {
            let item = without_bullet(part[start..end].trim());
            let at = unit.range.start + start + part[start..end].find(item).unwrap_or_default();
            start = (end + 1).min(part.len());
            if !item.is_empty() {
                self.words(at..at + item.len(), is_list);
            }
        }
    }

    /// The codes of a unit, each with the words that belong to it.
    fn codes(&mut self, part: &str, start: usize, codes: &[CodeFound<'_>]) {
        let end = |code: &CodeFound<'_>| code.at + code.code.len();
        let says = |code: &CodeFound<'_>| {
            let after = part[end(code)..].trim_start();
            after.starts_with([':', '-', '\u{2013}'])
        };
        let leads = codes.iter().any(says)
            || codes.last().is_some_and(|last| !content_words(&part[end(last)..]).is_empty());
        for (at, code) in codes.iter().enumerate() {
            let entry = by_code(self.provider, code.code);
            let meaning = entry.and_then(|entry| entry.equals.last()).map_or(code.code, String::as_str);
            let is_well = || {
                let mut sentences = sentences(part).into_iter();
                let said = sentences.find(|sentence| sentence.contains(&code.at));
                said.is_some_and(|said| self.wordings.says(&part[said], Saying::Well))
            };
            if self.known.iter().any(|known| known == meaning) || is_well() {
                continue;
            }
            self.known.push(meaning.to_owned());
            let own = match (codes.len(), leads) {
                (1, _) => 0..part.len(),
                (_, true) => code.at..codes.get(at + 1).map_or(part.len(), |next| next.at),
                (_, false) => at.checked_sub(1).map_or(0, |at| end(&codes[at]))..end(code),
            };
            let (core, others) = self.parted(part, &own, code);
            let around = around(part, &core, code.at);
            let words = bare(&part[around.clone()]);
            let ends = [" code", " error", " and"];
            let words = ends.iter().fold(words, |words, end| bare(words.strip_suffix(end).unwrap_or(words)));
            let begin = start + around.start + part[around].find(words).unwrap_or_default();
            let code = Some(code.code.to_owned());
            self.found.push(AnswerReason { code, ..AnswerReason::of(self.text, begin..begin + words.len()) });
            for other in others {
                self.words(start + other.start..start + other.end, false);
            }
        }
    }

    /// The words of a code, and the sentences beside it that are about something else.
    fn parted(
        &self,
        part: &str,
        own: &Range<usize>,
        code: &CodeFound<'_>,
    ) -> (Range<usize>, Vec<Range<usize>>) {
        let entry = by_code(self.provider, code.code);
        let is_other = |sentence: &Range<usize>| {
            if is_step(&part[sentence.clone()]) {
                return true;
            }
            let reason = AnswerReason::text(part[sentence.clone()].to_owned(), Span::new(0, 0));
            let meaning = ReasonMeaning::of(&reason, self.provider, None, self.wordings);
            let is_clear = meaning.entry.is_some() || meaning.reason.is_some();
            let is_vague = meaning.reason.is_some_and(Reason::is_vague);
            let is_same = entry.is_some_and(|entry| entry.equals.last() == Some(&meaning.key()));
            let is_there = |role| entry.is_some_and(|entry| entry.roles.iter().any(|other| other == role));
            is_clear && !is_vague && !is_same && (adds(&reason.text) || !meaning.roles().any(is_there))
        };
        let mut core = own.clone();
        let mut others: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(&part[own.clone()]) {
            let sentence = own.start + sentence.start..own.start + sentence.end;
            match sentence {
                _ if core.end < own.end => others.push(sentence),
                _ if sentence.contains(&code.at) || !is_other(&sentence) => {}
                _ if sentence.end <= code.at => {
                    core.start = sentence.end;
                    others.push(sentence);
                }
                _ if content_words(&part[core.start..sentence.start]).is_empty() => {}
                _ => {
                    core.end = sentence.start;
                    others.push(sentence);
                }
            }
        }
        (core, others)
    }

    /// The start of a reason that follows the verdict in its sentence.
    fn cause_in(&self, sentence: &str) -> Option<usize> {
        const BECAUSE: [&str; 14] = [
            " because ",
            " since ",
            " as the ",
            " as your ",
            " as we ",
            " as it ",
            " as there ",
            " due to ",
            " car ",
            " parce que ",
            " parce qu'",
            " porque ",
            " ya que ",
            " debido a ",
        ];
        // The reason begins after "as", and after others with all of them.
        let length = |word: &str| if word.starts_with(" as ") { 4 } else { word.len() };
        let starts = BECAUSE.iter().filter_map(|word| Some((sentence.find(word)?, length(word))));
        let (at, len) = starts.min()?;
        let verdict = self.wordings.by_words(&sentence[..at], None)?;
        verdict.is_no_reason().then_some(at + len)
    }

    /// The reasons in words: each sentence that is about one, or each clause if they are about several fields.
    fn words(&mut self, range: Range<usize>, is_item: bool) {
        let before = self.found.len();
        // What several sentences of one paragraph say is one reason.
        let mut known: Vec<String> = Vec::new();
        let mut rest = Vec::new();
        let mut sentences = sentences(&self.text[range.clone()]).into_iter().enumerate().peekable();
        while let Some((at, sentence)) = sentences.next() {
            // Only the first sentence may be a heading.
            let next =
                sentences.peek().filter(|_| at == 0).map(|(_, next)| &self.text[range.clone()][next.clone()]);
            let sentence = range.start + sentence.start..range.start + sentence.end;
            let said = &self.text[sentence.clone()];
            let is_explained = |next| is_explained(self.provider, said, next, self.wordings);
            if self.is_no_reason(said) || self.is_status(said) || next.is_some_and(is_explained) {
                continue;
            }
            if self.wordings.says(said, Saying::Remark) {
                self.found.push(AnswerReason { is_aside: true, ..AnswerReason::of(self.text, sentence) });
                continue;
            }
            let cause = self.cause_in(said);
            let sentence = sentence.start + cause.unwrap_or_default()..sentence.end;
            let messages = self.messages_of(&sentence).into_iter();
            let parts = messages.flat_map(|part| reasons_of(self.provider, self.text, part, self.wordings));
            for part in parts.collect::<Vec<_>>() {
                let reason = self.led(part, is_item);
                let meaning = ReasonMeaning::of(&reason, self.provider, None, self.wordings);
                match meaning.is_known() && !meaning.is_no_reason() {
                    _ if meaning.is_no_reason()
                        && is_step(&reason.text)
                        && !is_about_sending(&reason.text, self.wordings) =>
                    {
                        self.found.push(AnswerReason { is_aside: true, ..reason });
                    }
                    // In a list of reasons, what resembles thanks may be one, and so may what has a "not".
                    _ if meaning.is_no_reason()
                        && !(is_item && (meaning.is_resembled() || Wordings::is_denied(&reason.text))) => {}
                    is_known
                        if (!is_known || meaning.is_resembled())
                            && is_about_sending(&reason.text, self.wordings) => {}
                    true if known.contains(&meaning.key()) => {}
                    true => {
                        known.push(meaning.key());
                        self.found.push(reason);
                    }
                    false if cause.is_some() => self.found.push(reason),
                    false => rest.push(reason),
                }
            }
        }
        let is_alone = is_item && self.found.len() == before;
        if is_alone && rest.len() == 1 {
            self.found.append(&mut rest);
        } else {
            let says_something = |reason: &AnswerReason| {
                let words = content_words(&reason.text);
                let words = words.iter().filter(|word| !OF_LETTERS.contains(&word.as_str()));
                words.count() >= FEW_WORDS && !reason.text.ends_with([':', ','])
            };
            let asides = rest.into_iter().filter(says_something);
            self.found.extend(asides.map(|reason| AnswerReason { is_aside: !is_alone, ..reason }));
        }
    }

    /// Whether a sentence has no words, or says only what is well or in review, or what letters say, and none of its lines a reason.
    fn is_no_reason(&self, sentence: &str) -> bool {
        let says = |said: &str| {
            let all = [Saying::Well, Saying::InReview, Saying::Letter];
            all.into_iter().any(|saying| self.wordings.says(said, saying))
        };
        let is_reason = |line: &str| {
            let row = self.wordings.by_words(line, None);
            row.is_some_and(|row| !row.is_vague()) && !says(line)
        };
        !sentence.contains(char::is_alphabetic)
            || says(sentence) && !(sentence.contains('\n') && sentence.lines().any(is_reason))
    }

    /// Whether a line only tells the status of the submission.
    fn is_status(&self, line: &str) -> bool {
        let is_reason = |value| self.wordings.by_words(value, None).is_some_and(|row| !row.is_no_reason());
        status_of(line).is_some_and(|value| codes_in(None, value).is_empty() && !is_reason(value))
    }

    /// The parts of a sentence that was put together from short lines that say different things, as those of a chat may.
    fn messages_of(&self, sentence: &Range<usize>) -> Vec<Range<usize>> {
        if !self.text[sentence.clone()].contains('\n') {
            return vec![sentence.clone()];
        }
        let (mut found, mut start, mut before) = (Vec::new(), sentence.start, None);
        let mut at = sentence.start;
        for line in self.text[sentence.clone()].split_inclusive('\n') {
            let reason = AnswerReason::of(self.text, at..at + line.trim_end().len());
            let meaning = ReasonMeaning::of(&reason, self.provider, None, self.wordings);
            let is_reason = meaning.is_known() && !meaning.is_no_reason() && line.len() < WRAPPED;
            let key = is_reason.then(|| meaning.key());
            if key.is_some() && before.is_some() && key != before {
                found.push(start..at - 1);
                start = at;
            }
            (at, before) = (at + line.len(), key);
        }
        found.push(start..sentence.end);
        found
    }

    /// An item, with the line before its list if only both together are understood.
    fn led(&self, item: AnswerReason, is_item: bool) -> AnswerReason {
        let is_known = |reason: &AnswerReason| {
            let meaning = ReasonMeaning::of(reason, self.provider, None, self.wordings);
            meaning.is_known() && !meaning.is_no_reason()
        };
        let lead = AnswerReason { text: self.lead.to_owned(), ..item.clone() };
        if !is_item || !asks(self.lead) || is_known(&item) || is_known(&lead) {
            return item;
        }
        let both = AnswerReason { text: format!("{} {}", self.lead, item.text), ..item.clone() };
        if is_known(&both) { both } else { item }
    }
}

/// Beginnings of words in greetings, headings and names of services, as [`content_words`] shortens them.
const OF_LETTERS: [&str; 32] = [
    "hi",
    "hello",
    "dear",
    "from",
    "subjec",
    "statu",
    "re",
    "toll",
    "free",
    "tollfr",
    "verifi",
    "number",
    "reject",
    "twilio",
    "telnix",
    "bandwi",
    "aw",
    "amazon",
    "plivo",
    "infobi",
    "bird",
    "messag",
    "team",
    "\u{e9}quipe",
    "equipo",
    "compli",
    "confor",
    "trust",
    "safeti",
    "suppor",
    "end",
    "user",
];

/// A text without spaces and the punctuation of lists around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || ",;:-".contains(letter))
}

/// The longest text around a code, in bytes on each side.
const AROUND: usize = 300;

/// The part of a text around a code. Most sentences are shorter.
fn around(text: &str, part: &Range<usize>, at: usize) -> Range<usize> {
    let boundary = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    boundary(at.saturating_sub(AROUND).max(part.start))..boundary((at + AROUND).min(part.end))
}

/// The sentence of a text that is about sending the submission again, the gravest one, with its meaning.
pub(super) fn sending_in(text: &str, wordings: &Wordings<'_>) -> Option<(Range<usize>, Saying)> {
    let text = &own_text_of(text, wordings);
    let sentences = sentences(text);
    Saying::OF_SENDING.into_iter().find_map(|saying| {
        let is_it = |sentence: &&Range<usize>| wordings.says(&text[(*sentence).clone()], saying);
        let found = sentences.iter().find(is_it)?.clone();
        // What cannot be sent again may be replaced.
        (saying != Saying::Final || !asks_for_another(text)).then_some((found, saying))
    })
}

/// Whether a sentence of a text says something other than a reason.
pub(super) fn says(text: &str, wordings: &Wordings<'_>, saying: Saying) -> bool {
    let text = &own_text_of(text, wordings);
    sentences(text).into_iter().any(|sentence| wordings.says(&text[sentence], saying))
}

#[cfg(test)]
mod tests {
    use super::{Wordings, reasons_in};
    use crate::lint::Linter;

    fn codes_and_texts(provider: Option<&str>, text: &str) -> Vec<(Option<String>, String)> {
        let linter = Linter::builtin();
        reasons_in(provider, text, &Wordings::new(&linter))
            .into_iter()
            .map(|reason| (reason.code, reason.text))
            .collect()
    }

    #[test]
    fn codes_and_titles_are_the_reasons_of_an_email() {
        let mail = "Hello Irene,\n\nyour verification was rejected (Atlanta, GA 30499):\n\n  1. 30498 Opt-in workflow must \
                    match submission details\n  - Error code 30510\n  - Opt-in example must be complete, branded and \
                    legible\n  * Website must be established and active\n\nPlease log in to your account to edit it.\n";
        let codes: Vec<Option<String>> = codes_and_texts(None, mail).into_iter().map(|it| it.0).collect();
        assert_eq!(codes, [Some("30498".to_owned()), Some("30510".to_owned()), None]);
    }

    #[test]
    fn short_codes_need_a_provider_or_a_word() {
        let code = |provider, text: &str| codes_and_texts(provider, text).remove(0).0;
        assert_eq!(code(None, "we send 1103 messages a day"), None);
        assert_eq!(code(Some("bandwidth"), "1103"), Some("1103".to_owned()));
        assert_eq!(code(None, "denial code 1103"), Some("1103".to_owned()));
        assert_eq!(code(None, "1103 Business Name Must Match Official Records"), Some("1103".to_owned()));
        assert_eq!(code(None, "code 1000000"), None);
        assert_eq!(code(Some("bandwidth"), "1,000 messages"), None);
    }

    #[test]
    fn a_signature_is_no_reason() {
        let mail = "Votre demande a été refusée.\n\n- La politique de confidentialité est introuvable.\n\nCordialement,\n\n\
                    L’équipe du soutien aux clients\nBandwidth, Raleigh, Caroline du Nord\nThe website does not load";
        let found: Vec<String> = codes_and_texts(None, mail).into_iter().map(|it| it.1).collect();
        let reasons = ["La politique de confidentialité est introuvable.", "The website does not load"];
        assert_eq!(found, reasons);
        let line = "With regards to your page:\nIt shows the seventh house of Saturn";
        assert!(codes_and_texts(None, line)[0].1.contains("seventh house"), "it does not end a letter");
    }

    #[test]
    fn a_sentence_in_two_languages_is_one_reason() {
        let both =
            "Invalid Opt-in: the consent is not clearly optional / el consentimiento debe ser opcional";
        let found = codes_and_texts(Some("telnyx"), both);
        assert_eq!(found, [(None, "Invalid Opt-in: the consent is not clearly optional".to_owned())]);
        let name =
            codes_and_texts(None, "The opt-in / opt-out instructions are missing from the sample message");
        assert_eq!(name.len(), 1, "{name:?}");
    }

    #[test]
    fn sentences_without_codes_are_read_by_meaning() {
        let mail = "Dear customer, thanks for waiting.\nThe reviewer could not open the link to\nthe screenshot of your \
                    opt-in form. Kind regards";
        let found = codes_and_texts(None, mail);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.starts_with("The reviewer"), "{found:?}");
        let whole = codes_and_texts(None, "  Saturn is in the seventh house  ");
        assert_eq!(whole, [(None, "Saturn is in the seventh house".to_owned())]);
    }
}
