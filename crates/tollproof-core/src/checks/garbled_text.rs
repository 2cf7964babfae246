//! `garbled-text`: text that went through a wrong encoding.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// Text that went through a wrong encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GarbledText {}

impl CheckSpec for GarbledText {
    const FILLS: &'static [&'static str] = &["value", "match"];
}

#[cfg(engine)]
mod engine {
    use super::GarbledText;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use std::ops::Range;

    impl RunCheck for GarbledText {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            marked(garbled(text), text, node, context)
        }
    }

    /// What UTF-8 looks like after it was read as Windows-1252: letters of which none stands before such a sign in a word.
    const MOJIBAKE: [&str; 4] = ["â€", "ðŸ", "ï¸", "\u{fffd}"];

    fn garbled(text: &str) -> Vec<Range<usize>> {
        let marks = MOJIBAKE.iter().flat_map(|mark| text.match_indices(mark));
        let marks = marks.map(|(at, mark)| at..at + mark.len());
        // An accented letter becomes two signs, of which the second is no letter: the e of café is `Ã©`.
        let pairs = text.char_indices().zip(text.chars().skip(1)).filter_map(|((at, first), second)| {
            let torn = matches!(first, 'Ã' | 'Â') && matches!(second, '\u{80}'..='\u{bf}');
            torn.then(|| at..at + first.len_utf8() + second.len_utf8())
        });
        let mut ranges: Vec<_> = marks.chain(pairs).collect();
        ranges.sort_by_key(|range| range.start);
        ranges
    }
}
