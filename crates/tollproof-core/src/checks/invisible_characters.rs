//! `invisible-characters`: invisible and control characters.

use serde::{Deserialize, Serialize};

use crate::checks::marks::ValueMarks;
use crate::checks::spec::CheckSpec;

/// Invisible and control characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct InvisibleCharacters {}

impl CheckSpec for InvisibleCharacters {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn needs(&self) -> Option<ValueMarks> {
        Some(ValueMarks::HIDDEN)
    }
}

#[cfg(engine)]
mod engine {
    use super::InvisibleCharacters;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use std::ops::Range;

    impl RunCheck for InvisibleCharacters {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            may_have_hidden(text.as_bytes()).then(|| marked(invisible(text), text, node, context)).flatten()
        }
    }

    /// Whether a text has the bytes of an invisible or control character.
    fn may_have_hidden(text: &[u8]) -> bool {
        let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t');
        let is_hidden = |at: usize| {
            matches!(
                text[at..],
                [0xc2, 0x80..=0x9f, ..]
                    | [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..]
                    | [0xe2, 0x81, 0xa0, ..]
                    | [0xef, 0xbb, 0xbf, ..]
            )
        };
        text.iter().any(is_control) || memchr::memchr3_iter(0xc2, 0xe2, 0xef, text).any(is_hidden)
    }

    fn invisible(text: &str) -> Vec<Range<usize>> {
        let hidden = |it: char| {
            matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
                || it.is_control() && !matches!(it, '\n' | '\r' | '\t')
        };
        // A zero-width joiner (U+200D) is part of many emoji, so it is reported only after a letter or digit.
        let joins_emoji = |at: usize| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let odd = text.match_indices(hidden).filter(|(at, it)| *it != "\u{200d}" || !joins_emoji(*at));
        odd.map(|(at, it)| at..at + it.len()).collect()
    }

    #[cfg(test)]
    mod tests {
        use super::{invisible, may_have_hidden};

        #[test]
        fn every_invisible_character_is_found() {
            for character in ('\0'..=char::MAX).filter(|it| *it != '\u{200d}') {
                let text = format!("a{character}");
                let is_hidden = may_have_hidden(text.as_bytes());
                assert_eq!(is_hidden, !invisible(&text).is_empty(), "{character:?}");
            }
            assert!(may_have_hidden("a\u{200d}".as_bytes()) && invisible("a\u{200d}").len() == 1);
            assert!(invisible("☂\u{200d}").is_empty());
        }
    }
}
