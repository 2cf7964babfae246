//! `invisible-characters`: invisible and control characters.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// Invisible and control characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct InvisibleCharacters {}

impl CheckSpec for InvisibleCharacters {
    const FILLS: &'static [&'static str] = &["value", "match"];
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
            let may_be_hidden = |byte: &u8| !byte.is_ascii() | byte.is_ascii_control();
            // Without a branch for each byte.
            let any = |block: &[u8]| block.iter().fold(false, |any, byte| any | may_be_hidden(byte));
            if !text.as_bytes().chunks(64).any(any) {
                return None;
            }
            marked(invisible(text), text, node, context)
        }
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
}
