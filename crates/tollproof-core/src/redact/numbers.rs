//! Finds phone numbers and e-mail addresses in a text, in any notation.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::letters::Letters;
use crate::validators::format::is_uuid;

/// The fewest digits of a phone number, or of another number that identifies a person.
pub(super) const DIGITS: usize = 7;

/// The most characters between two digits of a number, as in `) - `.
const APART: usize = 4;

/// The most characters between two digits of a known number, as in ` then `.
const KNOWN_APART: usize = 8;

/// Finds digit sequences with any separators that are long enough to identify a person.
pub(super) fn numbers(text: &str, letters: &Letters) -> Vec<Range<usize>> {
    let chars = &letters.chars;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = (at..chars.len()).find(|&it| chars[it].is_ascii_digit()) {
        if let Some(end) = amount(chars, start) {
            at = end;
            continue;
        }
        let (mut end, mut digits, mut between) = (start, 0, 0);
        for (offset, &c) in chars[start..].iter().enumerate() {
            if c.is_ascii_digit() {
                (end, digits, between) = (start + offset + 1, digits + 1, 0);
            } else if between < APART && !c.is_alphanumeric() && c != '\n' && !ends(chars, start + offset) {
                between += 1;
            } else {
                break;
            }
        }
        let place = letters.place(start..end);
        if digits >= DIGITS && !is_in_uuid(text, place.start) {
            found.push(place);
        }
        at = end;
    }
    found
}

/// Whether a punctuation mark ends the number, because whitespace follows it.
fn ends(chars: &[char], at: usize) -> bool {
    ",;.:!?".contains(chars[at]) && chars.get(at + 1).is_none_or(|it| it.is_whitespace())
}

/// The end of an amount with thousands separators (`1,000`), if one starts here.
fn amount(chars: &[char], start: usize) -> Option<usize> {
    let digits = |at: usize| chars[at.min(chars.len())..].iter().take_while(|it| it.is_ascii_digit()).count();
    let mut end = start + digits(start);
    let mut groups = 0;
    while chars.get(end) == Some(&',') && digits(end + 1) > 0 {
        if digits(end + 1) != 3 || end - start > 3 && groups == 0 {
            return None;
        }
        (end, groups) = (end + 4, groups + 1);
    }
    (groups > 0).then_some(end)
}

/// Known numbers by their length in digits.
pub(super) type Known = BTreeMap<usize, HashSet<Vec<char>>>;

/// Finds known numbers, with other characters between their digits.
pub(super) fn known(letters: &Letters, numbers: &Known) -> Vec<Range<usize>> {
    let chars = &letters.chars;
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let at: Vec<usize> = (0..chars.len()).filter(|&at| is_digit(at)).collect();
    let digits: Vec<char> = at.iter().map(|&at| chars[at]).collect();
    let mut found = Vec::new();
    for (&length, numbers) in numbers {
        let is_long = length >= DIGITS;
        for (first, window) in digits.windows(length).enumerate().filter(|(_, it)| numbers.contains(*it)) {
            let at = &at[first..first + window.len()];
            let is_near = |pair: &[usize]| {
                let between = &chars[pair[0] + 1..pair[1]];
                between.len() <= KNOWN_APART && (is_long || !between.iter().any(|it| it.is_alphanumeric()))
            };
            let (start, end) = (at[0], at[length - 1] + 1);
            // A short number must not be part of a longer one.
            let is_whole = is_long || !start.checked_sub(1).is_some_and(is_digit) && !is_digit(end);
            if is_whole && at.windows(2).all(is_near) {
                found.push(letters.place(start..end));
            }
        }
    }
    found
}

/// Finds anything like an e-mail address: `ana@x.com`, `"ana v"@x.com`, `ana@[192.0.2.1]`.
pub(super) fn mails(letters: &Letters) -> Vec<Range<usize>> {
    let chars = &letters.chars;
    let mail = |at: usize| {
        let start = match chars[..at].last() {
            Some('"') => chars[..at - 1].iter().rposition(|&c| c == '"').unwrap_or(at - 1),
            _ => chars[..at].iter().rposition(|&c| !is_of_local(c)).map_or(0, |it| it + 1),
        };
        let end = match chars.get(at + 1) {
            Some('[') => {
                let length = chars[at + 1..].iter().position(|&c| c == ']' || c.is_whitespace());
                length.map_or(chars.len(), |length| at + 2 + length)
            }
            _ => {
                let host = chars[at + 1..].iter().take_while(|&&c| c.is_alphanumeric() || ".-_".contains(c));
                let host: String = host.collect();
                at + 1 + host.trim_end_matches(['.', '-', '_']).chars().count()
            }
        };
        (start < at && end > at + 1).then(|| letters.place(start..end.min(chars.len())))
    };
    (0..chars.len()).filter(|&at| chars[at] == '@').filter_map(mail).collect()
}

fn is_of_local(c: char) -> bool {
    c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c)
}

/// Whether a position is inside a UUID, whose digits do not identify a person.
fn is_in_uuid(text: &str, at: usize) -> bool {
    let is_of_uuid = |c: char| c.is_ascii_hexdigit() || c == '-';
    let start = text[..at].trim_end_matches(is_of_uuid).len();
    is_uuid(text[start..].split(|c| !is_of_uuid(c)).next().unwrap_or_default())
}
