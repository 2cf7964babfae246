//! The table `reasons.yaml`: what reviewers' answers are about, and the rules that check for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tollproof_data::code_table::CodeEntry;
use tollproof_data::text::words::word::Words;

use super::heard::{Heard, STEM};
use super::saying::Saying;
use super::sending::sending_of;
use super::{codes, resemblance};
use crate::checks::Check;
use crate::facts::Facts;
use crate::finding::Severity;
use crate::lint::Linter;
use crate::provider::role;
use crate::rule::Rule;

/// The table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Words for the same thing, separated by spaces, which rows name as `$name`.
    groups: BTreeMap<String, String>,
    reasons: Vec<Reason>,
}

/// Everything that tells reasons by their words: the table, and the rules that find the same words in drafts.
#[derive(Clone, Debug)]
pub(super) struct Wordings<'l> {
    table: Vec<Reason>,
    /// The reasons of the known sentences, by their meaning.
    known: BTreeMap<&'static str, Reason>,
    /// The long words of the table.
    spellings: BTreeSet<String>,
    /// Words with which a sentence is about how people agree.
    agreeing: String,
    linter: &'l Linter,
}

/// A reason, the words that identify it, and the rules that check for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    /// Sets of alternatives, separated by spaces. The answer must contain one of each set.
    pub(super) words: Vec<String>,
    /// Alternatives that the answer must not contain.
    #[serde(default)]
    unless: String,
    /// The role of the field that the reason is about, unless the answer names another field. If empty, those of the code.
    #[serde(default)]
    field: String,
    /// The code or short text with the same meaning.
    pub(super) code: Option<String>,
    /// The one of providers that have nothing with the meaning of `code`.
    or: Option<String>,
    /// The rules that check for it, the most likely first. If empty, those of the code.
    #[serde(default)]
    pub(super) rules: Vec<String>,
    /// Steps to take, for reasons without a code.
    pub(super) advice: Option<String>,
    /// Whether the words only say that something is wrong, so that a code beside them says more.
    #[serde(default)]
    pub(super) vague: bool,
    /// The content of a row that is not a reason.
    #[serde(default)]
    pub(super) says: Saying,
    /// Whether a sentence has it that resembles known ones.
    #[serde(skip)]
    pub(super) is_resembled: bool,
}

impl Reason {
    /// Whether a code or a title says more than these words.
    pub(super) fn is_vague(&self) -> bool {
        self.vague || self.is_no_reason() || self.words.len() == 1
    }

    /// Whether a line with these words is left out where others are reasons.
    pub(super) fn is_no_reason(&self) -> bool {
        self.says == Saying::Nothing
    }

    /// The roles of the field that it is about, the first that a provider has counts.
    pub(super) fn roles(&self) -> impl Iterator<Item = &str> {
        let of_code = self.code.as_deref().filter(|_| self.field.is_empty());
        let of_code = of_code.and_then(|code| codes::by_code(None, code)).map(|entry| entry.roles.as_slice());
        let own = (!self.field.is_empty()).then_some(self.field.as_str());
        own.into_iter().chain(of_code.unwrap_or_default().iter().map(String::as_str))
    }

    /// Whether a role is one of its own, or it has none.
    pub(super) fn is_about(&self, role: &str) -> bool {
        let mut roles = self.roles().peekable();
        roles.peek().is_none() || roles.any(|own| own == role)
    }

    /// The entry of its code, that of a provider if it has one.
    pub(super) fn entry(&self, provider: Option<&str>) -> Option<&'static CodeEntry> {
        let of_code =
            |code: &String| codes::by_code(provider, code).map(|entry| codes::at_provider(provider, entry));
        let mut entries = self.code.iter().chain(&self.or).filter_map(of_code);
        let first = entries.next()?;
        let is_own = |entry: &&CodeEntry| Some(entry.provider.as_str()) == provider;
        std::iter::once(first).chain(entries).find(is_own).or(Some(first))
    }

    fn is_in(&self, heard: &Heard<'_>) -> bool {
        self.words.iter().all(|set| heard.has(set)) && !heard.has(&self.unless)
    }
}

/// A longer sentence is not read by rules, in bytes.
const LONGEST_SENTENCE: usize = 600;

/// Words with which a sentence does not say that all is well.
const NOT_WELL: &str = "not doesnt isnt arent dont didnt wasnt no never nothing nowhere none nobody but however except cannot \
    still missing lack lacks without must once if unless until pas ne rien aucun aucune jamais mais sauf manque sans nada \
    ningun ninguna pero salvo nunca aun falta sin";

/// The same words, where they deny what is not well.
const NO_FAULT: &str = "trouble problem problems issue issues concern concerns fault complaint complaints wrong change \
    objection objections else probleme problemes changer redire cambiar problema problemas";

impl<'l> Wordings<'l> {
    pub(super) fn new(linter: &'l Linter) -> Self {
        let Table { groups, reasons: table } = Table::read();
        let agreeing = ["consent", "box", "texts"].map(|group| groups[group].as_str()).join(" ");
        let words = table.iter().flat_map(|row| &row.words).flat_map(|set| set.split([' ', '_']));
        let spellings = words.filter(|word| word.len() > STEM + 1).map(str::to_owned).collect();
        let of_row = |meaning: &str| {
            let is_meant =
                |row: &&Reason| row.code.is_none() && row.rules.first().is_some_and(|rule| rule == meaning);
            table.iter().find(is_meant).cloned().unwrap_or_default()
        };
        let reason_of = |meaning: &str| match codes::by_code(None, meaning) {
            Some(_) => Reason { code: Some(meaning.to_owned()), ..Reason::default() },
            None if meaning == resemblance::NOTHING => Reason { says: Saying::Nothing, ..Reason::default() },
            None => of_row(meaning),
        };
        let resembled = |meaning: &str| Reason { is_resembled: true, ..reason_of(meaning) };
        let known = resemblance::meanings().map(|meaning| (meaning, resembled(meaning))).collect();
        Self { table, known, spellings, agreeing, linter }
    }

    /// The rule that finds in a sentence about how people agree what it finds in a description: reviewers tell a defect as
    /// applicants do.
    pub(super) fn rule_for(&self, sentence: &str) -> Option<&'l Rule> {
        let words = Words::of(sentence);
        if sentence.len() > LONGEST_SENTENCE || !Heard::of(&words, words.len()).has(&self.agreeing) {
            return None;
        }
        let draft = serde_json::json!({ role::OPT_IN_DESCRIPTION: sentence });
        let report = self.linter.check_json(&draft.to_string(), &Facts::default());
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.filter_map(|finding| self.linter.rule(&finding.rule)).find(|rule| {
            matches!(rule.check.content(), Some(Check::Frames(_))) && rule.text().codes().next().is_some()
        })
    }

    /// Whether a sentence says something other than a reason. That something is well is said in whole words, and so are lines
    /// of letters.
    pub(super) fn says(&self, sentence: &str, saying: Saying) -> bool {
        let words = Words::of(sentence);
        let is_well = saying == Saying::Well;
        let is_whole = is_well || saying == Saying::Letter;
        let heard = if is_whole { Heard::whole(&words) } else { Heard::of(&words, words.len()) };
        let is_about_sending = Saying::OF_SENDING.contains(&saying);
        (is_about_sending && sentence.len() <= LONGEST_SENTENCE && sending_of(&words) == Some(saying))
            || self.table.iter().any(|row| row.says == saying && row.is_in(&heard))
                && !(is_well && is_denied(&words))
    }

    /// Whether a text has a word with which not all is well.
    pub(super) fn is_denied(text: &str) -> bool {
        is_denied(&Words::of(text))
    }

    /// The reason that best matches a text, with its misspelled words corrected if it matches none. If the field is known,
    /// only reasons for this field are considered.
    pub(super) fn by_words(&self, text: &str, field: Option<&str>) -> Option<&Reason> {
        let text = apart(text);
        self.best(&text, field).or_else(|| self.best(&self.corrected(&text)?, field))
    }

    /// A text with words of the table in place of those that lack a letter, have one too many, or have two swapped. `None` if it
    /// has none, or is longer than sentences are.
    fn corrected(&self, text: &str) -> Option<String> {
        if text.len() > LONGEST_SENTENCE {
            return None;
        }
        let is_near = |word: &str, other: &str| {
            let is_swapped = || word.len() != other.len() || letters_of(word) == letters_of(other);
            word.len().abs_diff(other.len()) < 2
                && strsim::damerau_levenshtein(word, other) == 1
                && is_swapped()
        };
        let begins = |letter: char| {
            self.spellings.range(letter.to_string()..).take_while(move |word| word.starts_with(letter))
        };
        let correct = |word: &str| {
            let mut near = begins(word.chars().next()?).filter(|other| is_near(word, other));
            near.next().filter(|_| !self.spellings.contains(word))
        };
        let lower = text.to_lowercase();
        let words = lower.split(|letter: char| !letter.is_alphanumeric());
        let found: Vec<(&str, &String)> =
            words.filter(|word| word.len() > STEM).filter_map(|word| Some((word, correct(word)?))).collect();
        let replace = |text: String, (word, other): &(&str, &String)| text.replace(word, other);
        (!found.is_empty()).then(|| found.iter().fold(lower.clone(), replace))
    }

    /// The reason of the known sentences that a text resembles. `hint` is the meaning of its words, or else of its
    /// code. A text says nothing only if it has neither a hint nor a "not".
    pub(super) fn by_resemblance(&self, text: &str, hint: Option<(&str, u8)>) -> Option<&Reason> {
        let reason = self.known.get(resemblance::meaning_of(text, hint)?)?;
        // What one word names, such as gambling, is called by it.
        let rows = || self.table.iter().filter(|row| row.code.is_some() && row.code == reason.code);
        let words = Words::of(text);
        let heard = Heard::of(&words, words.len());
        let is_content = |row: &Reason| row.words.len() == 1 && row.or.is_some();
        if rows().any(is_content) && !rows().any(|row| row.is_in(&heard)) {
            return None;
        }
        let is_doubtful = || hint.is_some() || is_denied(&Words::of(text));
        (!reason.is_no_reason() || !is_doubtful()).then_some(reason)
    }

    fn best(&self, text: &str, field: Option<&str>) -> Option<&Reason> {
        // A message under the name of a field may not repeat it.
        let words = Words::of(&format!("{text} {}", apart(field.unwrap_or_default())));
        let all = Heard::of(&words, words.len());
        // At least one set must match the text itself: the name of the field is not a reason.
        let own = Heard::of(&words, Words::of(text).len());
        let is_given = |reason: &&Reason| reason.is_in(&all) && reason.words.iter().any(|set| own.has(set));
        let lies_there =
            |reason: &&Reason| field.is_none_or(|field| reason.roles().any(|role| role == field));
        let is_reason = |row: &&Reason| matches!(row.says, Saying::Reason | Saying::Nothing);
        let given = self.table.iter().filter(is_reason).filter(lies_there).filter(is_given);
        // Rows that say more than that something is wrong win, then those with more sets, then the first row. `max_by_key`
        // returns the last maximum, so the order is reversed.
        given.rev().max_by_key(|reason| (!reason.is_no_reason(), !reason.vague, reason.words.len()))
    }
}

impl Table {
    /// The table, with the words of its groups in the rows that name them.
    fn read() -> Self {
        let mut table: Self = serde_yaml::from_str(include_str!(concat!(env!("OUT_DIR"), "/reasons.yaml")))
            .expect("a test reads the table");
        let groups = &table.groups;
        let whole = |alternative: &str| match alternative.strip_prefix('$') {
            Some(name) => groups[name].clone(),
            None => alternative.to_owned(),
        };
        for set in table.reasons.iter_mut().flat_map(|row| row.words.iter_mut().chain([&mut row.unless])) {
            *set = set.split(' ').map(whole).collect::<Vec<_>>().join(" ");
        }
        table
    }
}

/// Whether one of the words says that all is not well: "no", but not in "no problem" and "nothing to change".
fn is_denied(words: &Words) -> bool {
    let is = |at: usize, known: &str| known.split_whitespace().any(|known| known == words.word(at));
    (0..words.len()).any(|at| is(at, NOT_WELL) && !(at + 1..at + 3).any(|next| is(next, NO_FAULT)))
}

fn letters_of(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// A text in which the words of hosts and of names such as `corporateWebsite` are words of their own. That an address begins with
/// `https` is not said of it.
fn apart(text: &str) -> String {
    let text = text.replace("https://", "").replace("http://", "");
    let mut spaced = String::with_capacity(text.len());
    for letter in text.chars() {
        let begins = letter.is_uppercase() && spaced.ends_with(char::is_lowercase);
        spaced.extend(begins.then_some(' '));
        spaced.push(if letter == '.' { ' ' } else { letter });
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::super::heard::LONGEST;
    use super::super::saying::Saying;
    use super::{Table, Wordings};
    use crate::lint::Linter;

    #[test]
    fn every_rule_field_and_code_of_the_table_exists() {
        let rules: Vec<&str> = crate::rule::builtin::files().map(|(id, _)| id).collect();
        for reason in Table::read().reasons {
            for rule in &reason.rules {
                assert!(rules.contains(&rule.as_str()), "{rule}");
            }
            assert!(
                reason.says != Saying::Reason || reason.code.is_some() != reason.advice.is_some(),
                "{:?} must have a code or advice, not both",
                reason.words
            );
            for role in reason.roles() {
                assert!(crate::prepared::PREPARED.roles.all.contains(&role), "{role}");
            }
            if let Some(code) = &reason.code {
                assert!(codes::by_code(None, code).is_some(), "{code} is not in schemas/codes.yaml");
            }
        }
    }

    #[test]
    fn known_sentences_have_meanings_that_exist() {
        let linter = Linter::builtin();
        for (meaning, reason) in Wordings::new(&linter).known {
            let root = reason.code.as_deref().and_then(|code| codes::by_code(None, code)?.equals.last());
            let is_row = reason.rules.first().is_some_and(|rule| rule == meaning) && reason.advice.is_some();
            assert!(
                root.is_some_and(|root| root == meaning) || is_row || reason.is_no_reason(),
                "{meaning}: {root:?}"
            );
        }
    }

    #[test]
    fn reasons_are_told_by_words_and_fields() {
        let linter = Linter::builtin();
        let wordings = Wordings::new(&linter);
        let code =
            |text: &str, field| wordings.by_words(text, field).and_then(|reason| reason.code.as_deref());
        for (text, known) in [
            ("Your sample does not include opt-out instructions.", "Opt-out language missing in a sample"),
            ("Consent must be optional and cannot be a condition of the service", "30475"),
            ("We were unable to validate the website URL", "30473"),
            ("The legal entity name did not match the register", "30484"),
            ("Public URL shorteners may not be used", "30449"),
            ("Checkbox is pre-selected", "30508"),
            ("What you describe as the opt-in workflow is inconsistent with the page", "30498"),
        ] {
            assert_eq!(code(text, None), Some(known), "{text}");
        }
        assert_eq!(code("is not valid", Some("businessContactEmail")), Some("30452"));
        let image = Some("optInWorkflowImageURLs");
        assert_eq!(code("could not be reached", image), Some("30509"));
        assert_eq!(code("is in the wrong house", image), None);
        assert_eq!(code("The moon is in the wrong house", None), None);
    }
    #[test]
    fn a_very_long_word_is_looked_up_as_fast_as_others() {
        let rows = Table::read().reasons;
        let sets = rows.iter().flat_map(|row| row.words.iter().chain([&row.unless]));
        let longest = sets.flat_map(|set| set.split([' ', '_'])).map(str::len).max();
        assert!(longest.is_some_and(|longest| longest <= LONGEST), "{longest:?}");
        // Each of its beginnings took a pass over it.
        let linter = Linter::builtin();
        assert!(Wordings::new(&linter).by_words(&"a".repeat(1 << 20), None).is_none());
    }

    #[test]
    fn reviewers_tell_a_defect_as_applicants_do() {
        let linter = Linter::builtin();
        let wordings = Wordings::new(&linter);
        let rule = |text: &str| wordings.rule_for(text).map(|rule| rule.id.to_string());
        for (text, known) in [
            ("The tick box is already on when the page opens.", "opt-in/prechecked"),
            (
                "Patients have to say yes to texts before the visit can be booked.",
                "opt-in/required-for-service",
            ),
            ("La casilla viene marcada desde el principio.", "opt-in/prechecked"),
        ] {
            assert_eq!(rule(text).as_deref(), Some(known), "{text}");
        }
        for text in [
            "The box is empty until people tick it.",
            "Please correct this within five days.",
            "Best regards, Dana",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
        assert!(wordings.says("Your address and e-mail checked out, so leave those alone.", Saying::Well));
        assert!(!wordings.says("The address is fine, but the e-mail is not.", Saying::Well));
    }

    #[test]
    fn what_is_to_be_done_with_a_submission_is_told_by_words_beside_each_other() {
        let linter = Linter::builtin();
        let wordings = Wordings::new(&linter);
        let all = [Saying::Final, Saying::Editable, Saying::InReview];
        let said =
            |text: &str| all.into_iter().filter(|saying| wordings.says(text, *saying)).collect::<Vec<_>>();
        for (saying, texts) in [
            (
                Some(Saying::Final),
                [
                    "Please do not send this request in again.",
                    "Do not send it again.",
                    "Another attempt with other wording will not be looked at.",
                    "You may only contest it.",
                    "This is final.",
                ],
            ),
            (
                Some(Saying::Editable),
                [
                    "We could not verify your business, please resubmit with its legal name.",
                    "You may resubmit.",
                    "Fix the sample and resubmit.",
                    "Puede volver a enviarla.",
                    "The request can be sent again.",
                ],
            ),
            (
                Some(Saying::InReview),
                [
                    "Your submission is in review.",
                    "The number is still with the reviewers.",
                    "There is nothing you need to do for now.",
                    "A decision on opt-in and website takes five days.",
                    "The request is with the carrier.",
                ],
            ),
            (
                None,
                [
                    "Your request was not approved because the sample has no STOP.",
                    "The number is already registered with the carrier under another business.",
                    "We received spam complaints about your number.",
                    "The rest of this is good.",
                    "You do not send a code again when people ask for it.",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(said(text), saying.into_iter().collect::<Vec<_>>(), "{text}");
            }
        }
    }
}
