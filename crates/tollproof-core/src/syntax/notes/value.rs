//! The part of what people write after a label that is the value of a field.

use std::ops::Range;

use tollproof_data::provider::written::{
    ADDRESS_PARTS, AGE, CONTACT_PARTS, EDIT_REASON, NUMBERS, RESELLER, WrittenValue, written_as,
};
use tollproof_data::tables::address_line::AddressLine;

use super::line::{NoteChar, text_of, trimmed};

/// The longest value of a field that is not a text.
const MAX_SHORT: usize = 140;

/// The most words of a sentence that can be a name.
const MAX_WORDS: usize = 8;

/// The shortest text below a label that may mean something else.
const LEAST_TEXT: usize = 16;

/// The longest remark about where a text is.
const MAX_REMARK: usize = 80;

/// Answers that give no value.
const NONE: &str = "no|none|n/a|na|-|–|—|?|tbd|todo|empty|leave empty|leave blank|blank|same|ninguno|ninguna|aucun\
    |aucune|néant|no hay|unknown|not needed|optional|(optional)|x|tba|pending|done|ok|yes|above|below\
    |draft|missing|coming soon";

/// Words of answers that a reviewer would get: `see attached`.
const ATTACHED: [&str; 4] = ["attach", "dropbox", "screenshot sent", "by mail"];

/// Beginnings of what points elsewhere.
const ELSEWHERE: &str = "the paragraph|see |same as|as above|there is no|leave empty|leave it|to be |ask |the one |what the \
    |voir |ver |igual |comme |a file|whatever";

/// Whether a value of a field may go on in the next lines.
pub(super) fn is_long(role: &str) -> bool {
    written_as(role) == WrittenValue::Text
}

/// The values of a field in what follows its label; more than one only for a list of addresses. What follows a label that is
/// certainly one of a text is the text, even if it is too short to be one.
pub(super) fn values<'c>(role: &str, chars: &'c [NoteChar], is_certain: bool) -> Vec<&'c [NoteChar]> {
    let chars = unquoted(unmarked(trimmed(chars)));
    let said = text_of(chars);
    let lower = said.trim_end_matches(['.', '!']).to_lowercase();
    let kind = written_as(role);
    let is_attached =
        is_certain && ATTACHED.iter().any(|word| lower.contains(word)) && lower.len() < MAX_REMARK;
    if is_attached && matches!(kind, WrittenValue::Text | WrittenValue::Urls) && urls(chars, kind).is_empty()
    {
        return vec![chars];
    }
    let is_none =
        NONE.split('|').any(|none| none == lower) && role != AGE && !(role == RESELLER && lower == "no");
    if chars.is_empty()
        || is_none
        || kind != WrittenValue::Text && ELSEWHERE.split('|').any(|begin| lower.starts_with(begin))
    {
        return if matches!(kind, WrittenValue::Url | WrittenValue::Urls) {
            urls(chars, kind)
        } else {
            Vec::new()
        };
    }
    if ELSEWHERE.split('|').any(|begin| lower.starts_with(begin)) && said.chars().count() < MAX_REMARK {
        return Vec::new();
    }
    let one = |value: Option<&'c [NoteChar]>| value.into_iter().filter(|value| !value.is_empty()).collect();
    match kind {
        WrittenValue::Url | WrittenValue::Urls => urls(chars, kind),
        WrittenValue::Email => one(email(chars)),
        WrittenValue::Phone if role == NUMBERS => phones(chars).take(10).collect(),
        WrittenValue::Phone => one(phones(chars).next()),
        WrittenValue::Registration => one(words(chars)
            .into_iter()
            .map(bare_word)
            .find(|word| word.iter().filter(|char| char.character.is_ascii_digit()).count() >= 5)),
        WrittenValue::Volume => one(volume(chars)),
        WrittenValue::Choice | WrittenValue::Name => {
            let has_number = chars.iter().any(|char| char.character.is_ascii_digit());
            let needs_number = role == ADDRESS_PARTS[0] || role == ADDRESS_PARTS[3];
            let fits = |value: &&[NoteChar]| value.len() <= MAX_SHORT && (has_number || !needs_number);
            // A sentence is not a name.
            let is_sentence = |value: &&[NoteChar]| said.ends_with('.') && is_sentence(&text_of(value));
            one(short(chars, kind).filter(fits).filter(|value| !is_sentence(value)))
        }
        // A remark in a few words is not a text of a submission.
        WrittenValue::Text if chars.len() < LEAST_TEXT && !is_certain && role != EDIT_REASON => Vec::new(),
        WrittenValue::Text => {
            one(Some(marked(chars).filter(|marked| 2 * marked.len() > chars.len()).unwrap_or(chars)))
        }
    }
}

/// Whether all of a text is the value of a field: an address of the web, an e-mail address, a phone number, or a registration number.
pub(super) fn is_whole(role: &str, chars: &[NoteChar]) -> bool {
    use WrittenValue::{Email, Phone, Registration, Url, Urls};
    let has_form = matches!(written_as(role), Url | Urls | Email | Phone | Registration);
    let is_all = |value: &[NoteChar]| value.len() == trimmed(chars).len();
    has_form && matches!(values(role, chars, false).as_slice(), [value] if is_all(value))
}

/// Whether a text begins with a sentence.
fn is_sentence(said: &str) -> bool {
    let first = said.split(". ").next().unwrap_or_default();
    first.split_whitespace().count() > MAX_WORDS
}

fn has(chars: &[NoteChar], character: char) -> bool {
    chars.iter().any(|char| char.character == character)
}

/// The words between whitespace.
fn words(chars: &[NoteChar]) -> Vec<&[NoteChar]> {
    chars.split(|char| char.character.is_whitespace()).filter(|word| !word.is_empty()).collect()
}

/// A word without punctuation around it.
fn bare_word(word: &[NoteChar]) -> &[NoteChar] {
    let is_said = |char: &NoteChar| !",;.()<>[]\"'“”«»".contains(char.character) || char.character == '/';
    let Some(first) = word.iter().position(is_said) else { return &[] };
    let last = word.iter().rposition(is_said).unwrap_or(first);
    &word[first..=last]
}

/// A text without the marks of emphasis and of code around it: `=value=`, `''value''`.
fn unmarked(chars: &[NoteChar]) -> &[NoteChar] {
    match chars {
        [first, inside @ .., last]
            if first.character == last.character
                && "=~*_'+`".contains(first.character)
                && !inside.is_empty() =>
        {
            unmarked(inside)
        }
        _ => chars,
    }
}

/// A text without quotation marks around it.
fn unquoted(chars: &[NoteChar]) -> &[NoteChar] {
    match chars {
        [first, inside @ .., last]
            if matches!(
                (first.character, last.character),
                ('"', '"') | ('“', '”') | ('«', '»') | ('\'', '\'')
            ) && !has(inside, first.character) =>
        {
            trimmed(inside)
        }
        _ => chars,
    }
}

/// The first run of code or of bold letters, if not all is written so.
fn marked(chars: &[NoteChar]) -> Option<&[NoteChar]> {
    let run = |is: fn(&NoteChar) -> bool| {
        let first = chars.iter().position(is)?;
        let length = chars[first..].iter().position(|char| !is(char)).unwrap_or(chars.len() - first);
        Some(trimmed(&chars[first..first + length]))
    };
    run(|char| char.is_code).or_else(|| run(|char| char.is_strong)).filter(|run| !run.is_empty())
}

fn urls(chars: &[NoteChar], kind: WrittenValue) -> Vec<&[NoteChar]> {
    let is_url = |word: &&[NoteChar]| {
        let text = text_of(word).to_lowercase();
        let (host, _) = text
            .trim_start_matches("https://")
            .trim_start_matches("http://")
            .split_once('/')
            .unwrap_or((&text, ""));
        let ends =
            host.rsplit('.').next().is_some_and(|end| end.len() >= 2 && end.chars().all(char::is_alphabetic));
        text.contains("://") || host.contains('.') && ends && !text.contains('@') && !host.starts_with('.')
    };
    let found = words(chars).into_iter().map(bare_word).filter(is_url);
    found.take(if kind == WrittenValue::Urls { 10 } else { 1 }).collect()
}

fn phones(chars: &[NoteChar]) -> impl Iterator<Item = &[NoteChar]> {
    let is_part =
        |char: &NoteChar| char.character.is_ascii_digit() || " +()-.\u{a0}".contains(char.character);
    let numbers = chars.chunk_by(move |one, next| is_part(one) == is_part(next) && next.character != '+');
    let runs = numbers.map(|run| {
        let run = trimmed(run);
        let last = run.iter().rposition(|char| char.character.is_ascii_digit()).map_or(0, |last| last + 1);
        &run[..last]
    });
    let digits = |run: &&[NoteChar]| run.iter().filter(|char| char.character.is_ascii_digit()).count();
    runs.filter(move |run| (7..=15).contains(&digits(run)))
}

fn email(chars: &[NoteChar]) -> Option<&[NoteChar]> {
    let word = words(chars).into_iter().map(bare_word).find(|word| has(word, '@'))?;
    Some(&word[if text_of(word).starts_with("mailto:") { 7 } else { 0 }..])
}

/// Words that make a number more or less.
const MORE: &str = "max maximum entre between jusqu'à jusqu’à hasta about around approx approximately under over below up to less more than environ moins plus de unos unas menos \
    aproximadamente";

/// Words that follow the number of messages.
const UNITS: &str = "message messages text texts sms msg msgs segments per a an each mo month monthly day daily week weekly to or and \
    à et ou y o hasta at max maximum k m mensajes textos par al por mois mes textes";

/// A number of messages with what makes it more or less.
fn volume(chars: &[NoteChar]) -> Option<&[NoteChar]> {
    if let Some(marked) =
        marked(chars).filter(|marked| marked.iter().any(|char| char.character.is_ascii_digit()))
    {
        return Some(marked);
    }
    let digit = chars.iter().position(|char| char.character.is_ascii_digit())?;
    // Words before the number that make it more or less belong to it.
    let mut start = digit;
    for word in words(&chars[..digit]).into_iter().rev() {
        let said = text_of(word).to_lowercase();
        if !MORE.split(' ').any(|more| more == said.trim_end_matches('.'))
            && !said.chars().all(|c| "<>~≤≥±".contains(c))
        {
            break;
        }
        start = chars.iter().position(|char| char.start == word[0].start).unwrap_or(start);
    }
    let rest = &chars[digit..];
    let ends = |at: &usize| {
        let next = rest.get(at + 1).map(|next| next.character);
        let is_number = next.is_some_and(|next| next.is_ascii_digit());
        matches!(rest[*at].character, '(' | ';' | '.' | ',' | '—' | '–' | '\n') && !is_number
    };
    let end = (0..rest.len()).find(ends).unwrap_or(rest.len());
    let number =
        rest.iter().position(|char| char.character.is_alphabetic() || char.character == '$').unwrap_or(end);
    let unit: String = rest[number.min(end)..end]
        .iter()
        .map(|char| char.character)
        .take_while(|c| c.is_alphabetic() || *c == '$')
        .collect();
    // Pages and dollars are none.
    (unit.is_empty() || UNITS.split(' ').any(|known| known == unit.to_lowercase()))
        .then(|| trimmed(&chars[start..digit + end]))
}

/// A name or a choice without what explains it.
fn short(chars: &[NoteChar], kind: WrittenValue) -> Option<&[NoteChar]> {
    if let Some(marked) = marked(chars).filter(|marked| marked.len() < chars.len()) {
        return Some(marked);
    }
    let lower: Vec<char> = chars.iter().map(|char| char.character.to_ascii_lowercase()).collect();
    let find = |mark: &str| {
        let mark: Vec<char> = mark.chars().collect();
        lower.windows(mark.len()).position(|window| window == mark.as_slice())
    };
    let mut ends: Vec<usize> =
        [" (", " unless ", "; ", " – ", " — ", " <- ", " ← "].iter().filter_map(|mark| find(mark)).collect();
    if kind == WrittenValue::Choice {
        ends.extend([". ", " - ", " / or ", " or \""].iter().filter_map(|mark| find(mark)));
    }
    let end = ends.into_iter().filter(|end| *end > 0).min().unwrap_or(chars.len());
    let mut value = trimmed(&chars[..end]);
    if kind == WrittenValue::Choice {
        while let [rest @ .., last] = value {
            if !".,;".contains(last.character) {
                break;
            }
            value = rest;
        }
    }
    Some(value)
}

/// The most words of the name of a person.
const NAMES: usize = 4;

/// The parts of a contact in one line: names, e-mail address, phone number.
pub(super) fn contact(chars: &[NoteChar]) -> FieldParts<'_> {
    let mut found = Vec::new();
    found.extend(email(chars).map(|email| (CONTACT_PARTS[0], email)));
    found.extend(phones(chars).next().map(|phone| (CONTACT_PARTS[1], phone)));
    let name =
        chars.split(|char| ",(<;·|–—".contains(char.character)).next().map(trimmed).unwrap_or_default();
    let names = words(name);
    let is_name = |word: &&[NoteChar]| {
        word.first().is_some_and(|char| char.character.is_uppercase())
            && word.iter().all(|char| char.character.is_alphabetic() || ".-'’".contains(char.character))
    };
    // Many people have two last names.
    if let [first, second, ..] = names.as_slice()
        && names.len() <= NAMES
        && names.iter().all(is_name)
    {
        found.push((CONTACT_PARTS[2], *first));
        let start = name.iter().position(|char| char.start == second[0].start).unwrap_or_default();
        found.push((CONTACT_PARTS[3], &name[start..]));
    }
    found
}

/// Whether the value of a field is an address of the web.
pub(super) fn takes_address(role: &str) -> bool {
    matches!(written_as(role), WrittenValue::Url | WrittenValue::Urls)
}

/// The parts of a text, each with the role of its field.
pub(super) type FieldParts<'c> = Vec<(&'static str, &'c [NoteChar])>;

/// A state and a ZIP code in one line, as in the US.
pub(super) fn state_and_zip(chars: &[NoteChar]) -> Option<FieldParts<'_>> {
    // A postal code of Canada has a space in it.
    let spaces = (0..chars.len()).rev().filter(|at| chars[*at].character.is_whitespace());
    spaces.take(2).find_map(|zip| of_state_and_zip(trimmed(&chars[..zip]), trimmed(&chars[zip..])))
}

fn of_state_and_zip<'c>(state: &'c [NoteChar], zip: &'c [NoteChar]) -> Option<FieldParts<'c>> {
    let form = |char: &NoteChar| if char.character.is_ascii_digit() { '9' } else { char.character };
    let form: String = zip.iter().map(form).collect();
    let is_canadian = || {
        let letters = form.replace(|c: char| c.is_ascii_uppercase(), "A");
        letters == "A9A 9A9" || letters == "A9A9A9"
    };
    let is_zip = form.len() >= 5 && form.chars().all(|c| "9-".contains(c)) || is_canadian();
    // Two letters, or a name such as `West Virginia`.
    let is_word = |word: &&[NoteChar]| {
        word[0].character.is_uppercase() && word.iter().all(|char| char.character.is_alphabetic())
    };
    let is_state = (1..=3).contains(&words(state).len()) && words(state).iter().all(is_word);
    (is_zip && is_state).then(|| vec![(ADDRESS_PARTS[2], state), (ADDRESS_PARTS[3], zip)])
}

/// A city, its state and a ZIP code in one line, as in the US.
pub(super) fn city_and_state(chars: &[NoteChar]) -> Option<FieldParts<'_>> {
    let chars = trimmed(chars);
    let comma = chars.iter().position(|char| char.character == ',')?;
    let city = Some((ADDRESS_PARTS[1], trimmed(&chars[..comma])));
    Some(city.into_iter().chain(state_and_zip(trimmed(&chars[comma + 1..]))?).collect())
}

/// The parts of an address in one line: street, city, state and ZIP code, perhaps with the country.
pub(super) fn address(chars: &[NoteChar]) -> Option<FieldParts<'_>> {
    let text = text_of(chars);
    let line = AddressLine::of(&text)?;
    let part = |range: Range<usize>| {
        let place = |at: usize| text[..at].chars().count();
        &chars[place(range.start)..place(range.end)]
    };
    let AddressLine { street, city, state, zip, country, .. } = line;
    let [of_street, of_city, of_state, of_zip, of_country] = ADDRESS_PARTS;
    let parts = [
        (of_street, Some(street)),
        (of_city, Some(city)),
        (of_state, state),
        (of_zip, Some(zip)),
        (of_country, country),
    ];
    Some(parts.into_iter().filter_map(|(role, range)| Some((role, part(range?)))).collect())
}
