//! Employer identification numbers (EIN) of the United States.

use crate::tables::ein_prefixes::UNASSIGNED;

/// A number as an EIN is written, if it has nine digits and nothing else but blanks and dashes.
pub fn written(number: &str) -> Option<String> {
    let is_between = |character: char| character == '-' || character.is_whitespace();
    let digits = number.split(is_between).collect::<String>();
    let is_whole = digits.len() == 9 && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_whole.then(|| format!("{}-{}", &digits[..2], &digits[2..]))
}

/// Returns why a number is not an EIN, as a part of a sentence. The dash is optional.
pub fn fault(number: &str) -> Option<&'static str> {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let dash = number.find('-');
    let has_others = number.chars().any(|character| !character.is_ascii_digit() && character != '-');
    if has_others || digits.len() != 9 || dash.is_some_and(|at| at != 2) || number.matches('-').count() > 1 {
        return Some("it must be two digits, a dash and seven digits");
    }
    if UNASSIGNED.contains(&&digits[..2]) {
        return Some("no number begins with these two digits");
    }
    (digits == "123456789" || digits[2..].bytes().all(|it| it == digits.as_bytes()[2]))
        .then_some("it is a made-up number")
}
