//! `template-slot` and `template-variable`: template fields that were not filled: `[Company Name]`, `{{first_name}}`, `Dear ____`.

use std::ops::Range;

use tollproof_data::tables::slots::{BUSINESS, INSTRUCTIONS, PEN, ROUND};

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};

/// Opening and closing brackets of template fields; longer ones come first.
#[rustfmt::skip]
const BRACKETS: [(&str, &str); 8] = [
    ("{{", "}}"), ("${", "}"), ("<%", "%>"), ("*|", "|*"), ("[", "]"), ("{", "}"), ("<", ">"), ("%", "%"),
];

/// The purpose of a template field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// Something about the business, or an instruction to the writer.
    Business,
    /// A value that differs in each message.
    Variable,
}

/// Template fields of one kind in a text.
pub(super) fn template(wanted: SlotKind, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    marked(slots_of(wanted, text, &context.slots(text)), text, node, context)
}

/// The template fields of one kind among all of a text.
fn slots_of(wanted: SlotKind, text: &str, slots: &[Range<usize>]) -> Vec<Range<usize>> {
    slots.iter().filter(|slot| kind(&text[(*slot).clone()]) == wanted).cloned().collect()
}

fn kind(slot: &str) -> SlotKind {
    // Round brackets can also contain a remark, so they never count as a field for the business.
    if slot.starts_with('(') {
        return SlotKind::Variable;
    }
    let lower = slot.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic());
    let mut camel = slot.split(|it: char| !it.is_ascii_lowercase()).filter(|it| it.len() > 3);
    let business =
        words.into_iter().any(|word| BUSINESS.contains(&word)) || camel.any(|part| BUSINESS.contains(&part));
    if business { SlotKind::Business } else { SlotKind::Variable }
}

/// All template fields: in brackets, underscores to fill in, and names in capitals joined by underscores.
pub(super) fn slots(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let may_open = |byte: u8| matches!(byte, b'{' | b'[' | b'<' | b'$' | b'%' | b'(' | b'*' | b'_');
    // Without an early end, many bytes are compared at once.
    if !text.bytes().fold(false, |any, byte| any | may_open(byte)) {
        return found;
    }
    let joins_names = text.contains('_');
    let begins = |byte: &u8| may_open(*byte) || joins_names && byte.is_ascii_uppercase();
    let mut at = 0;
    while let Some(next) = text.as_bytes()[at..].iter().position(begins) {
        let start = at + next;
        let rest = &text[start..];
        let bracketed = BRACKETS.iter().find_map(|(open, close)| {
            let inside = rest.strip_prefix(open)?;
            let is_slot = |inside: &str| match *open {
                // Percentages and comparisons have these signs too.
                "%" => {
                    is_name(inside) && !inside.contains(char::is_whitespace) && !ends_in_digit(&text[..start])
                }
                "<" => {
                    inside.trim() == inside
                        && !inside.starts_with(|it: char| it.is_ascii_digit())
                        && is_slot(inside)
                }
                _ => is_slot(inside),
            };
            let end = beginning(inside).find(close).filter(|end| is_slot(&inside[..*end]))?;
            Some(open.len() + end + close.len())
        });
        let length = bracketed
            .or_else(|| round(rest))
            .or_else(|| blank(text, start))
            .or_else(|| constant(text, start));
        found.extend(length.map(|length| start..start + length));
        let step = rest.chars().next().map_or(1, char::len_utf8);
        at = start + length.unwrap_or(step);
    }
    found
}

/// The maximum length in bytes of what is in the brackets of a template field, with spaces. A text can have thousands of
/// brackets that nothing closes.
const MAX_INSIDE: usize = 100;

/// The part of a text in which a bracket at its beginning can close.
fn beginning(inside: &str) -> &str {
    let end = (0..=MAX_INSIDE.min(inside.len())).rev().find(|&end| inside.is_char_boundary(end));
    &inside[..end.unwrap_or_default()]
}

fn is_slot(inside: &str) -> bool {
    is_name(inside) || is_instruction(inside)
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|it: char| it.is_ascii_digit())
}

/// Whether the text in brackets names a template field: a few words with at least two letters, not a sentence.
fn is_name(inside: &str) -> bool {
    let inside = inside.trim();
    let plain =
        inside.chars().all(|character| character.is_alphanumeric() || " _-.()/'#|".contains(character));
    let words = inside.split_whitespace().count();
    plain
        && (1..=5).contains(&words)
        && inside.len() <= 40
        && inside.chars().filter(|it| it.is_alphabetic()).count() >= 2
}

/// Whether the text in brackets tells the writer what to put there: "your EIN here, e.g. 12-3456789".
fn is_instruction(inside: &str) -> bool {
    let first = inside.split_whitespace().next().unwrap_or_default().to_lowercase();
    INSTRUCTIONS.contains(&first.as_str()) && inside.len() <= 80 && !inside.contains(['\n', '['])
}

/// The length of a template field in round brackets, which must contain two or three words.
fn round(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('(')?;
    let end = beginning(inside).find(')')?;
    let lower = inside[..end].to_lowercase();
    let mut words = lower.split([' ', '_', '\'']).filter(|word| !word.is_empty() && *word != "s");
    let is_slot = (2..=3).contains(&words.clone().count()) && words.all(|word| ROUND.contains(&word));
    is_slot.then_some(end + 2)
}

/// The length of underscores to fill in: `Dear ____,`, but not a line for a signature or for a number on a quoted form.
fn blank(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    if !rest.starts_with("___") || text[..start].ends_with('_') {
        return None;
    }
    let length = rest.len() - rest.trim_start_matches('_').len();
    let before = text[..start].trim_end();
    let word = before.rsplit(|it: char| !it.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let by_hand =
        before.is_empty() || before.ends_with([':', '_', '☐', ']', '#']) || PEN.contains(&word.as_str());
    (!by_hand).then_some(length)
}

/// The length of a name such as `COMPANY_NAME`: capitals in at least two parts. A part of digits alone is that of a code
/// for a discount, such as `TRIP_2026`.
fn constant(text: &str, start: usize) -> Option<usize> {
    if text[..start]
        .chars()
        .next_back()
        .is_some_and(|character| character.is_alphanumeric() || character == '_')
    {
        return None;
    }
    let rest = &text[start..];
    let length = rest
        .find(|character: char| {
            !character.is_ascii_uppercase() && !character.is_ascii_digit() && character != '_'
        })
        .unwrap_or(rest.len());
    let word = &rest[..length];
    let is_number = |part: &str| part.len() > 1 && part.bytes().all(|it| it.is_ascii_digit());
    let is_name = word.trim_end_matches('_').contains('_') && !word.split('_').any(is_number);
    (is_name && length >= 5).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::slots;

    #[test]
    fn slots_are_told_from_what_people_write_in_brackets() {
        let found =
            |text: &str| slots(text).into_iter().map(|slot| text[slot].to_owned()).collect::<Vec<_>>();
        assert_eq!(
            found("Hi {{first_name}}, ${shopName} [Company Name] <link> %NAME% COMPANY_NAME."),
            ["{{first_name}}", "${shopName}", "[Company Name]", "<link>", "%NAME%", "COMPANY_NAME"]
        );
        assert_eq!(
            found("Hi *|FNAME|*, dear (customer name), parcel ____ of (Client's Name)"),
            ["*|FNAME|*", "(customer name)", "____", "(Client's Name)"]
        );
        assert_eq!(
            found("Phone: ____ Signature ____ (optional) (mobile number) (name)"),
            Vec::<String>::new()
        );
        assert_eq!(
            found("60% book in store and 40% online, 5% to 10%, kids <5 or guests >65, code TRIP_2026"),
            Vec::<String>::new()
        );
        assert_eq!(
            found("%first_name% <your name here> ADDRESS_1"),
            ["%first_name%", "<your name here>", "ADDRESS_1"]
        );
        assert_eq!(
            found("[ ] I agree. 20% off, 30% more. \"[x] yes\" 3 < 4 > 2, MSG & DATA, {}"),
            Vec::<String>::new()
        );
    }
}
