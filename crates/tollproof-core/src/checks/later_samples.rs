//! `later-samples`: several messages in one text, of which one lacks what each needs.

use std::ops::Range;

use tollproof_data::checks::LaterSamples;

use super::require::enumerate;
use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};

/// Words after which a message has ended, if more lines follow.
const ENDS: [&str; 6] = ["STOP", "ARRET", "ARRÊT", "ALTO", "BAJA", "UNSUBSCRIBE"];

/// Words of a line that goes on with the message before it: how to get help, and what it costs.
const GOES_ON: [&str; 6] = ["HELP", "AIDE", "AYUDA", "INFO", "rates", "tarifas"];

/// The fewest words of a message.
const SHORTEST: usize = 4;

pub(super) fn check(check: &LaterSamples, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let brand = context.brand();
    messages(text).into_iter().find_map(|range| {
        let message = &text[range.clone()];
        let scan = context.scan(message);
        let no_name = !brand.is_unknown() && !brand.is_in(message, &scan);
        let no_end = !scan.has(&check.opt_out);
        let missing = [(no_name, "who writes"), (no_end, "how to stop (STOP)")];
        let missing: Vec<&'static str> =
            missing.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
        let violation = (!missing.is_empty()).then(|| marked(vec![range], text, node, context))??;
        Some(violation.fill("missing", enumerate(missing.into_iter())))
    })
}

/// The places of the messages in a text that has several: numbered ones, and those that a line with a way to stop ends.
fn messages(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut has_ended = false;
    let mut next = 0;
    for whole in text.split_inclusive('\n') {
        let start = next + whole.len() - whole.trim_start().len();
        next += whole.len();
        let line = whole.trim();
        let end = start + line.len();
        if line.is_empty() {
            continue;
        }
        let has = |words: &[&str]| {
            line.split(|letter: char| !letter.is_alphanumeric()).any(|word| words.contains(&word))
        };
        let goes_on = line.split_whitespace().count() < SHORTEST || has(&GOES_ON) && !has(&ENDS);
        let is_new = is_numbered(line) || has_ended && !goes_on;
        match found.last_mut().filter(|_| !is_new) {
            Some(last) => last.end = end,
            None => found.push(start..end),
        }
        has_ended = has(&ENDS) || has_ended && !is_new;
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Whether a line begins with its number: `2.` or `(2)`.
fn is_numbered(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let digits = first.trim_start_matches(['(', '[']).trim_end_matches(['.', ')', ':', ']']);
    digits.len() < first.len() && digits.len() == 1 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::messages;

    #[test]
    fn messages_are_numbered_or_end_with_a_way_to_stop() {
        for (text, expected) in [
            ("Fern: late, sorry!\nReply STOP to opt out.", 0),
            (
                "Fern: your table is ready.\nReply STOP to opt out.\nReply HELP for help.\nMsg & data rates may apply.",
                0,
            ),
            ("Fern: your table is ready. Reply STOP to opt out.\nSpring special! $5 off any cake", 2),
            ("Fern: ready. Reply STOP.\r\n\r\nFern: sale today, come and see. Reply STOP.\nThank you!", 2),
            ("1. Fern: your table is ready.\n2. Fern: your order is on its way.", 2),
            ("(1) Fern: ready. STOP ends.\n(2) See you!", 2),
            ("10. Fern: at 9.\nBring 2. Reply STOP.", 0),
        ] {
            assert_eq!(messages(text).len(), expected, "{text}");
        }
        let text = "Fern: ready. Reply STOP.\n  Spring special today, come in!\n";
        assert_eq!(&text[messages(text)[1].clone()], "Spring special today, come in!");
    }
}
