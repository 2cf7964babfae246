//! `ein`: employer identification numbers in a text.

use serde::{Deserialize, Serialize};

use crate::checks::marks::ValueMarks;
use crate::checks::spec::CheckSpec;

/// Employer identification numbers in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Ein {}

impl CheckSpec for Ein {
    const FILLS: &'static [&'static str] = &["match", "reason"];

    fn needs(&self) -> Option<ValueMarks> {
        Some(ValueMarks::DIGIT)
    }
}

#[cfg(engine)]
mod engine {
    use super::Ein;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;
    use crate::validators::ein;

    /// Words before an employer identification number.
    const NAMES: [&str; 4] = ["ein", "fein", "tax id", "employer identification number"];

    /// Words that may be between such a word and its number.
    const BETWEEN: [&str; 4] = ["is", "no", "number", "the"];

    /// The fewest digits of a number that is meant to be complete: fewer are a year, or the last digits of one.
    const FEWEST: usize = 5;

    /// The maximum number of bytes between such a word and the number.
    const MAX_GAP: usize = 12;

    /// Whether a number in a text has one of these words before it, as few numbers have.
    fn may_have_number(text: &[u8]) -> bool {
        const BLOCK: usize = 16;
        let has_digit = |block: &[u8]| block.iter().fold(false, |has, byte| has | byte.is_ascii_digit());
        // Most letters end none of the words.
        let may_end = |part: &[u8]| part.last().is_some_and(|it| matches!(it | 0x20, b'n' | b'd' | b'r'));
        let ends_in = |part: &[u8], name: &str| {
            let start = part.len().checked_sub(name.len());
            start.is_some_and(|start| part[start..].eq_ignore_ascii_case(name.as_bytes()))
        };
        let is_behind_name = |at: usize| {
            let mut parts = (at.saturating_sub(MAX_GAP)..=at).map(|end| &text[..end]);
            parts.any(|part| may_end(part) && NAMES.iter().any(|name| ends_in(part, name)))
        };
        let is_start = |at: usize| text[at].is_ascii_digit() && at > 0 && !text[at - 1].is_ascii_digit();
        let mut blocks = text.chunks(BLOCK).enumerate().filter(|(_, block)| has_digit(block));
        blocks.any(|(at, block)| {
            let start = at * BLOCK;
            (start..start + block.len()).any(|at| is_start(at) && is_behind_name(at))
        })
    }

    impl RunCheck for Ein {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            if !may_have_number(text.as_bytes()) {
                return None;
            }
            let lower = text.to_ascii_lowercase();
            NAMES.iter().flat_map(|name| lower.match_indices(name)).find_map(|(at, name)| {
                let before = text[..at].chars().next_back();
                let rest = &lower[at + name.len()..];
                let apart =
                    before.is_none_or(|it| !it.is_alphanumeric()) && !rest.starts_with(char::is_alphanumeric);
                let gap = rest.find(|it: char| it.is_ascii_digit()).filter(|gap| apart && *gap <= MAX_GAP)?;
                let mut between =
                    rest[..gap].split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
                if !between.all(|word| BETWEEN.contains(&word)) {
                    return None;
                }
                let number = number_at(&rest[gap..]);
                let start = at + name.len() + gap;
                let is_date = number.parse::<jiff::civil::Date>().is_ok();
                let digits = number.bytes().filter(u8::is_ascii_digit).count();
                if is_date || digits < FEWEST {
                    return None;
                }
                let reason = ein::fault(&number.replace(' ', "-"))?;
                let span = context.inner(node, start..start + number.len());
                Some(Violation::at(span).fill("match", number).fill("reason", Message::own(reason)))
            })
        }
    }

    /// The digits at the beginning of a text, which single dashes and spaces may separate.
    fn number_at(text: &str) -> &str {
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let goes_on = |at: &usize| is_digit(*at) || matches!(bytes[*at], b'-' | b' ') && is_digit(at + 1);
        &text[..(0..bytes.len()).take_while(goes_on).count()]
    }

    #[cfg(test)]
    mod tests {
        use super::{NAMES, may_have_number};

        #[test]
        fn numbers_behind_one_of_the_words_are_looked_at() {
            for name in NAMES {
                let name = name.to_ascii_uppercase();
                for text in [format!("{name}12"), format!("{}{name}: {}1", "a".repeat(70), " ".repeat(10))] {
                    assert!(may_have_number(text.as_bytes()), "{text}");
                }
            }
            for text in ["", "1", "EIN", "call 614-256-8437 or 12-3456789", "number 5", "ein             1"] {
                assert!(!may_have_number(text.as_bytes()), "{text}");
            }
        }
    }
}
