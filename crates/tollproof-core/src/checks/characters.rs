//! `characters`: characters and capitals that do not belong in a text.

use super::{Violation, labelled};
use crate::checks::context::Context;
use crate::finding::Safety;
use crate::rule::check::{CharacterProblem, Characters};
use crate::syntax::document::Node;

/// What UTF-8 looks like after it was read as Windows-1252: letters of which none stands before such a sign in a word.
const MOJIBAKE: [&str; 4] = ["â€", "ðŸ", "ï¸", "\u{fffd}"];

/// More capital words in a row than this shout.
const CAPITALS: usize = 4;

pub(super) fn check(check: &Characters, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let ranges = match check.problem {
        CharacterProblem::OuterBlanks => {
            let trimmed = text.trim();
            if trimmed.len() == text.len() || trimmed.is_empty() {
                return None;
            }
            return Some(Violation::default().fill("value", trimmed).rewrite(
                context,
                node,
                trimmed,
                Safety::Safe,
            ));
        }
        CharacterProblem::Garbled => garbled(text),
        CharacterProblem::Invisible => invisible(text),
        CharacterProblem::Shouting => shouting(text),
    };
    let first = text.get(ranges.first()?.clone()).unwrap_or_default().to_owned();
    let spans = ranges.into_iter().map(|range| context.inner(node, range)).collect();
    let violation = labelled(spans)?;
    Some(violation.fill("match", first).fill("value", text))
}

fn garbled(text: &str) -> Vec<std::ops::Range<usize>> {
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

fn invisible(text: &str) -> Vec<std::ops::Range<usize>> {
    let hidden = |it: char| {
        matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{feff}')
            || it.is_control() && !matches!(it, '\n' | '\r' | '\t')
    };
    // A joiner inside an emoji is no mistake, so a zero-width joiner (U+200D) counts between letters alone.
    let joins_emoji = |at: usize| !text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    let odd = text.match_indices(hidden).filter(|(at, it)| *it != "\u{200d}" || !joins_emoji(*at));
    odd.map(|(at, it)| at..at + it.len()).collect()
}

fn shouting(text: &str) -> Vec<std::ops::Range<usize>> {
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
        let letters = bare.chars().filter(|it| it.is_alphabetic()).count();
        let capital = letters >= 2 && !bare.chars().any(char::is_lowercase);
        run = match (capital, run) {
            (true, None) => Some((at, at + bare.len(), 1)),
            (true, Some((start, _, count))) => Some((start, at + bare.len(), count + 1)),
            (false, Some((start, end, count))) if letters > 0 => {
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
