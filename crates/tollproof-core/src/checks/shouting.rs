//! `shouting`: repeated exclamation marks, and several words in a row in capitals.

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};
use std::ops::Range;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    marked(shouting(text), text, node, context)
}

/// The minimum number of words in capitals in a row that is reported.
const CAPITALS: usize = 4;

fn shouting(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for (at, marks) in text.match_indices("!!") {
        if !text[..at].ends_with('!') {
            let run = text[at..].len() - text[at..].trim_start_matches('!').len();
            ranges.push(at..at + run.max(marks.len()));
        }
    }
    let mut run: Option<(usize, usize, usize)> = None;
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim();
        let letters = || bare.chars().filter(|letter| letter.is_alphabetic()).count();
        // Letters of many scripts are neither capital nor small.
        let capitals = bare.chars().filter(|it| it.is_uppercase()).count();
        let capital = capitals >= 2 && capitals == letters();
        run = match (capital, run) {
            (true, None) => Some((at, at + bare.len(), 1)),
            (true, Some((start, _, count))) => Some((start, at + bare.len(), count + 1)),
            (false, Some((start, end, count))) if letters() > 0 => {
                ranges.extend((count >= CAPITALS).then_some(start..end));
                None
            }
            (false, run) => run,
        };
        at += word.len();
    }
    ranges.extend(run.filter(|(_, _, count)| *count >= CAPITALS).map(|(start, end, _)| start..end));
    ranges
}

#[cfg(test)]
mod tests {
    use super::shouting;

    #[test]
    fn only_several_words_in_capitals_are_shouted() {
        let shouted =
            |text: &str| shouting(text).into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>();
        assert_eq!(shouted("AA BB CC DD"), ["AA BB CC DD"]);
        assert_eq!(shouted("ok AA BB CC DD ok"), ["AA BB CC DD"]);
        assert_eq!(shouted("Wow!!! ÀÉ 1 BB \u{2013} CC DD é"), ["!!!", "ÀÉ 1 BB \u{2013} CC DD"]);
        assert_eq!(
            shouted("رحلتك غدا في التاسعة صباحا, 明日の ご予約 です ね よ, कल नौ बजे यात्रा है"),
            Vec::<String>::new()
        );
        assert_eq!(shouted("AA BB CC"), Vec::<String>::new());
        assert_eq!(shouted("Reply STOP to cancel, HELP 876292 (614) 256-8437"), Vec::<String>::new());
    }
}
