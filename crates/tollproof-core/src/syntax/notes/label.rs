//! Labels that people write before a value, and the fields that they mean.

use std::collections::HashMap;
use std::sync::LazyLock;

use tollproof_data::provider::kind_role::KindRole;

use crate::prepared::PREPARED;
use crate::syntax::label_words::{likest, words_of};

/// The longest label.
const MAX_LABEL: usize = 90;

/// The share of words that a label has in common with a known one.
const LIKE: f64 = 0.6;

/// Labels of what is not a field by itself: the answer to the heading above.
const ANSWERS: &str = "answer|value|valeur|reponse|respuesta|valor|enter|text|texte|texto|content|copy|final|response|paste\
    |what enter|what write|contenu|contenido|input|put|draft";

/// Words in a heading of what is not today's draft.
const OLD: &str = "old comment previou former formerly rejected refused denied withdrawn archive archived deprecated obsolete \
    superseded declined outdated ancien ancienne refuse refusee rejete rejetee ecarte retire precedent precedente \
    viejo vieja anterior rechazado rechazada descartado retirado antiguo 10dlc a2p newsletter payment payout map \
    listing stripe paypal vendor cancelled canceled unused never history historique historial abandoned dropped \
    reference example template mistake pitfall voice shortcode tcr infolettre boletin paiement pago";

/// All known labels, by their words, each with a role.
static LABELS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut labels: HashMap<String, &'static str> = HashMap::new();
    let mut add = |text: &str, role: &'static str| {
        labels.entry(words_of(text).concat()).or_insert(role);
    };
    for (role, texts) in PREPARED.roles.headings.iter() {
        texts.iter().for_each(|text| add(text, role));
    }
    let roles = PREPARED.roles.submission.iter().chain(&PREPARED.roles.asked);
    roles.for_each(|role| add(role, role));
    let submit = |provider: usize| {
        let data = &PREPARED.providers.get(provider)?.1;
        data.kinds.iter().find(|kind| kind.role == KindRole::Submit)
    };
    for (_, heading) in &PREPARED.columns.headings {
        for field in &heading.fields {
            let pointer: Vec<_> = field.path.split('/').map(|key| (key != "*").then_some(key)).collect();
            let paths = submit(field.provider).and_then(|kind| kind.roles.as_deref()).into_iter().flatten();
            let is_it = |steps: &[tollproof_data::provider::path::Step]| {
                steps.len() == pointer.len()
                    && steps.iter().zip(&pointer).all(|(one, other)| one.as_deref() == *other)
            };
            let role = paths.clone().find(|(_, path)| is_it(&path.steps)).map(|(role, _)| *role);
            if let Some(role) = role {
                add(heading.text, role);
            }
        }
    }
    labels
});

/// The meaning of a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Role(&'static str),
    /// A field by its name at a provider; objects are separated by dots.
    Field(String),
    /// The answer to what is above.
    Answer,
    /// No field.
    Unknown,
}

/// The meaning of a label; `is_likely` where those beside it are labels as well, so that similar ones count.
pub(super) fn meaning(label: &str, is_likely: bool) -> Option<Meaning> {
    let label = label.trim().trim_matches(|c: char| "*_`:：=#>•·-–—\"“”?".contains(c) || c.is_whitespace());
    if label.is_empty() || label.len() > MAX_LABEL {
        return None;
    }
    if is_field(label) {
        return Some(Meaning::Field(label.to_owned()));
    }
    // Answers to questions: `A: …`, `R : …`.
    if matches!(label, "A" | "R") {
        return Some(Meaning::Answer);
    }
    // What is in brackets explains, and a number counts.
    let plain = without_brackets(label);
    let plain = plain.trim().trim_end_matches(|c: char| c.is_ascii_digit() || " #*.:".contains(c));
    let plain =
        plain.trim_start_matches(|c: char| c.is_ascii_digit() || ". )#".contains(c) || !c.is_alphanumeric());
    let known = |text: &str| {
        let words = words_of(text);
        if words.is_empty() {
            return None;
        }
        let name = words.concat();
        if ANSWERS.split('|').any(|answer| answer == words.join(" ")) {
            return Some(Meaning::Answer);
        }
        LABELS.get(name.as_str()).map(|role| Meaning::Role(role))
    };
    let inner =
        || label.split_once('(').and_then(|(_, rest)| known(rest.split(')').next().unwrap_or_default()));
    let quoted = || label.split('"').skip(1).step_by(2).filter_map(known).last();
    known(&without_brackets(label))
        .or_else(|| known(plain))
        .or_else(inner)
        .or_else(quoted)
        .or_else(|| is_likely.then(|| like(plain))?)
}

/// Words with which people ask for a field.
const ASKING: &str = "what which who where how many much do doe is are can could will would should you we i they it thi that \
    please me any have has an in on to at for from with per or there right exactly roughly about link answer \
    quel quelle est ce qu que vous nous cual es cuanto cuanta en por al par";

/// Words of questions about how people agree.
const AGREE: &str = "agree consent opt subscribe enroll permission acceptent consentent aceptan autorizan";

/// The words of a label or a question without those with which people ask, in one order.
fn words_asked(text: &str) -> Vec<String> {
    let mut words = words_of(text);
    words.retain(|word| !ASKING.split_whitespace().any(|asking| asking == word));
    words.sort();
    words
}

/// The label that a question means: `What is the legal name of the business?`, `street address`. A text that does not ask must
/// begin with one of several words.
pub(super) fn asked(question: &str) -> Option<String> {
    static NAMES: LazyLock<Vec<(Vec<String>, &'static str)>> = LazyLock::new(|| {
        let texts = PREPARED.roles.headings.iter();
        texts.flat_map(|(role, texts)| texts.iter().map(|text| (words_asked(text), *role))).collect()
    });
    let plain = without_brackets(question);
    let is_question = plain.contains('?');
    let is_known = |text: &str| {
        let is_long = is_question || words_of(text).len() > 1;
        is_long && matches!(meaning(text, false), Some(Meaning::Role(_)))
    };
    for sentence in plain.split(['?', ':', '=']).flat_map(|part| part.split(". ")) {
        let parts: Vec<&str> = sentence.split(',').map(str::trim).collect();
        if let Some(known) = Some(&sentence).into_iter().chain(parts.first()).find(|part| is_known(part)) {
            return Some((*known).to_owned());
        }
        // `legal name first`
        let words: Vec<&str> = parts[0].split_whitespace().filter(|word| !word.contains("://")).collect();
        let least = words.len().saturating_sub(2).max(2);
        let begins = (least..=words.len()).rev().map(|length| words[..length].join(" "));
        if let Some(known) = begins.into_iter().find(|begin| is_known(begin)) {
            return Some(known);
        }
        let words = words_asked(parts[0]);
        let is_how = |word: &String| AGREE.split(' ').any(|agree| agree == word);
        let first = words_of(sentence).into_iter().next().unwrap_or_default();
        if ["how", "comment", "como"].contains(&first.as_str()) && words.iter().any(is_how) {
            return Some("opt in workflow description".to_owned());
        }
        let role = likest(&words, NAMES.iter(), LIKE).filter(|_| is_question);
        let texts = PREPARED.roles.headings.iter().find(|(name, _)| Some(*name) == role);
        let means = |text: &&&str| meaning(text, false) == role.map(Meaning::Role);
        let known = texts.and_then(|(_, texts)| texts.iter().find(means)).map(|text| (*text).to_owned());
        if let Some(known) = known.or_else(|| Some(words.join(" ")).filter(|word| is_known(word))) {
            return Some(known);
        }
    }
    None
}

/// Whether a text is the name of a field of a provider, as its API has it.
fn is_field(label: &str) -> bool {
    let is_name = label.chars().all(|c| c.is_ascii_alphanumeric() || "_./".contains(c));
    let root = label.split(['.', '/']).next().unwrap_or(label);
    let known = |name: &str| crate::syntax::field_names::named(name).iter().any(|field| field.key == name);
    is_name && crate::syntax::field_names::has_words(label) && (known(label) || known(root))
}

/// The meaning of the known label that has most words in common with this one, if that is clear.
fn like(label: &str) -> Option<Meaning> {
    static WORDS: LazyLock<Vec<(Vec<String>, &'static str)>> = LazyLock::new(|| {
        let texts = PREPARED.roles.headings.iter();
        texts.flat_map(|(role, texts)| texts.iter().map(|text| (words_of(text), *role))).collect()
    });
    likest(&words_of(label), WORDS.iter(), LIKE).map(Meaning::Role)
}

/// Whether a heading says that what is below is not today's draft, or not one of this kind.
pub(super) fn is_old(heading: &str) -> bool {
    let words = words_of(heading);
    let has = |word: &str| words.iter().any(|own| own == word);
    let is_mail = (has("mail") || has("email")) && !words.iter().any(|word| word == "text" || word == "sms");
    let is_not = ["not part", "do not", "don t", "no poner", "no usar", "ne pas", "other", "otro", "autre"];
    let joined = words.join(" ");
    OLD.split(' ').any(has) || is_mail || is_not.iter().any(|words| joined.contains(words))
}

/// A label without what is in brackets.
fn without_brackets(label: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for character in label.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(character),
            _ => {}
        }
    }
    kept
}
