//! The forms of business registration numbers, with their check digits.

use super::ein;

/// The form of a registration number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberForm {
    /// Australian Business Number.
    Abn,
    /// Australian Company Number.
    Acn,
    /// Business number of Canada, with or without the suffix of a program account: `RC0001`.
    Cbn,
    /// Register of legal entities of Brazil. Since July 2026, new numbers may contain letters.
    Cnpj,
    /// Companies House of the United Kingdom.
    Crn,
    Ein,
    /// Enterprise number of Québec.
    Neq,
    /// New Zealand Business Number, which is a Global Location Number.
    Nzbn,
    /// A company in France.
    Siren,
    /// An establishment of a company in France.
    Siret,
}

impl NumberForm {
    /// Returns why a number does not have this form, as a part of a sentence. Spaces, dots, dashes and slashes are
    /// ignored where people write them.
    pub(super) fn fault(self, number: &str) -> Option<&'static str> {
        let number = number.trim();
        let plain: String = number.chars().filter(|it| !" .-/\u{a0}".contains(*it)).collect();
        let plain = plain.to_ascii_uppercase();
        let bytes = plain.as_bytes();
        let digits = || -> Vec<u32> { bytes.iter().map(|byte| u32::from(byte.wrapping_sub(b'0'))).collect() };
        let are_digits = |count: usize| bytes.len() == count && bytes.iter().all(u8::is_ascii_digit);
        let (has_form, form, is_checked) = match self {
            Self::Ein => return ein::fault(number),
            Self::Abn => (are_digits(11), "it must be 11 digits", abn as CheckDigits),
            Self::Acn => (are_digits(9), "it must be nine digits", acn as CheckDigits),
            Self::Cbn => return cbn(&plain),
            Self::Cnpj => {
                (is_cnpj(bytes), "it must be 14 characters, the last two of them digits", cnpj as CheckDigits)
            }
            Self::Crn => {
                return (!is_crn(bytes))
                    .then_some("it must be eight characters, the last six of them digits");
            }
            Self::Neq => return (!are_digits(10)).then_some("it must be ten digits"),
            Self::Nzbn => (are_digits(13), "it must be 13 digits", gs1 as CheckDigits),
            Self::Siren => (are_digits(9), "it must be nine digits", luhn as CheckDigits),
            Self::Siret => (are_digits(14), "it must be 14 digits", siret as CheckDigits),
        };
        if has_form { (!is_checked(&digits())).then_some(WRONG_DIGIT) } else { Some(form) }
    }
}

/// Whether the check digits of a number are right.
type CheckDigits = fn(&[u32]) -> bool;

/// The reason for a number with wrong check digits.
const WRONG_DIGIT: &str = "its check digit does not match, so at least one digit is wrong";

/// Nine digits, and perhaps a program account of two letters and four digits.
fn cbn(number: &str) -> Option<&'static str> {
    let (business, account) = number.split_at_checked(9).unwrap_or((number, ""));
    let account = account.as_bytes();
    let is_account = account.is_empty()
        || account.len() == 6
            && account[..2].iter().all(u8::is_ascii_uppercase)
            && account[2..].iter().all(u8::is_ascii_digit);
    if business.len() != 9 || !business.bytes().all(|it| it.is_ascii_digit()) || !is_account {
        return Some("it must be nine digits, with or without a suffix such as RC0001");
    }
    let digits: Vec<u32> = business.bytes().map(|it| u32::from(it - b'0')).collect();
    (!luhn(&digits)).then_some(WRONG_DIGIT)
}

/// Two letters or digits, and six digits.
fn is_crn(number: &[u8]) -> bool {
    number.len() == 8
        && number[..2].iter().all(u8::is_ascii_alphanumeric)
        && number[2..].iter().all(u8::is_ascii_digit)
}

/// Twelve letters or digits, and two digits.
fn is_cnpj(number: &[u8]) -> bool {
    number.len() == 14
        && number[..12].iter().all(u8::is_ascii_alphanumeric)
        && number[12..].iter().all(u8::is_ascii_digit)
}

/// The check of ISO/IEC 7812-1 (Luhn): from the last digit, every second one is doubled.
fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|it| *it > 0)
}

/// As Luhn; the establishments of La Poste have numbers whose digits add up to a multiple of five instead.
fn siret(digits: &[u32]) -> bool {
    const LA_POSTE: [u32; 9] = [3, 5, 6, 0, 0, 0, 0, 0, 0];
    luhn(digits) || digits.starts_with(&LA_POSTE) && digits.iter().sum::<u32>() % 5 == 0
}

/// The check of GS1 numbers: from the last digit, every second one is tripled.
fn gs1(digits: &[u32]) -> bool {
    let weighted = |(at, digit): (usize, &u32)| if at % 2 == 1 { 3 * digit } else { *digit };
    // Numbers of New Zealand begin with 94.
    digits.starts_with(&[9, 4]) && digits.iter().rev().enumerate().map(weighted).sum::<u32>() % 10 == 0
}

fn abn(digits: &[u32]) -> bool {
    const WEIGHTS: [u32; 11] = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
    // The first digit counts one less than it says.
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    digits.first().is_some_and(|it| *it > 0) && (sum - WEIGHTS[0]).is_multiple_of(89)
}

fn acn(digits: &[u32]) -> bool {
    let Some((check, digits)) = digits.split_last() else { return false };
    let sum: u32 = digits.iter().zip((1..=8).rev()).map(|(digit, weight)| digit * weight).sum();
    (10 - sum % 10) % 10 == *check && digits.iter().any(|it| *it > 0)
}

/// A letter counts as its ASCII code less that of `0`, as `digits` has it already.
fn cnpj(digits: &[u32]) -> bool {
    let check = |digits: &[u32]| {
        let weights = (2..=9).cycle();
        let sum: u32 = digits.iter().rev().zip(weights).map(|(digit, weight)| digit * weight).sum();
        match sum % 11 {
            0 | 1 => 0,
            rest => 11 - rest,
        }
    };
    check(&digits[..12]) == digits[12]
        && check(&digits[..13]) == digits[13]
        && digits.iter().any(|it| *it > 0)
}

#[cfg(test)]
mod tests {
    use super::NumberForm::{self, *};

    #[test]
    fn published_numbers_are_right() {
        let right: [(NumberForm, &[&str]); 10] = [
            (Ein, &["01-4472910", "014472910"]),
            (Cbn, &["123456782", "123456782RC0001", "123456782 RC 0001"]),
            (Abn, &["51 824 753 556", "53004085616"]),
            (Acn, &["004 085 616", "000000019", "010499966"]),
            (Neq, &["1143920115", "33 4392 0115", "1143-920-115"]),
            (Nzbn, &["9429041535110"]),
            (Siren, &["732 829 320", "552100554"]),
            (Siret, &["732 829 320 00074", "35600000000048"]),
            (Cnpj, &["11.222.333/0001-81", "12.ABC.345/01DE-35"]),
            (Crn, &["00445790", "SC095237"]),
        ];
        for (form, numbers) in right {
            for number in numbers {
                assert_eq!(form.fault(number), None, "{form:?} {number}");
            }
        }
    }

    #[test]
    fn a_changed_digit_is_found() {
        let wrong: [(NumberForm, &[&str]); 10] = [
            (Ein, &["07-4472910", "1-44729101", "12-3456789", "01 4472910"]),
            (Cbn, &["123456783", "12345678", "123456782XX1", "000000000"]),
            (Abn, &["51 824 753 557", "5182475355", "00000000000"]),
            (Acn, &["004085617", "00408561", "000000000"]),
            (Neq, &["12345", "11439201155", "NEQ114392011"]),
            (Nzbn, &["9429041535111", "5901234123457"]),
            (Siren, &["732829321", "73282932", "73282932A", "000000000"]),
            (Siret, &["73282932000075", "732829320"]),
            (Cnpj, &["11.222.333/0001-82", "00.000.000/0000-00", "1122233300018"]),
            (Crn, &["445790", "SC95237", "0044579A"]),
        ];
        for (form, numbers) in wrong {
            for number in numbers {
                assert!(form.fault(number).is_some(), "{form:?} {number}");
            }
        }
    }
}
