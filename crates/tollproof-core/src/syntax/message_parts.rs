//! Shortens quoted input in messages, so that the size of a report does not depend on it.

/// The longest value that a message quotes, in characters.
const QUOTED: usize = 240;

/// A value shortened to one line for a message. Every message that quotes input uses it.
#[must_use]
pub fn quoted(value: &str) -> String {
    // Only whitespace makes the line shorter than the value, so a part of the value is enough to fill it.
    let (value, is_cut) = match value.char_indices().nth(QUOTED * 8) {
        Some((end, _)) => (&value[..end], true),
        None => (value, false),
    };
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = if value.ends_with(' ') { line + " " } else { line };
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None if is_cut => line + "…",
        None => line,
    }
}

/// The longest message, in bytes.
const LONGEST: usize = 4_000;

/// Shortens the message of a library, which may quote all of the input: first each part in backticks or double quotes,
/// then the message itself.
#[must_use]
pub fn bounded(message: String) -> String {
    if message.len() <= LONGEST {
        return message;
    }
    let mut short = String::new();
    for (at, part) in message.split_inclusive(['`', '"']).enumerate() {
        match part.strip_suffix(['`', '"']).filter(|_| at % 2 == 1) {
            Some(quote) => short = short + &quoted(quote) + &part[quote.len()..],
            None => short += part,
        }
        if short.len() > LONGEST {
            break;
        }
    }
    match short.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &short[..end]),
        None => short,
    }
}

/// The text with every character masked except whitespace.
pub(crate) fn masked(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { c } else { mask_of(c) }).collect()
}

/// The mask for a character: it has the same length in UTF-8 and in UTF-16.
pub(crate) fn mask_of(c: char) -> char {
    match c.len_utf8() {
        1 => '*',
        2 => '·',
        3 => '•',
        _ => '\u{1f7b6}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_cut_at_a_character() {
        assert_eq!(quoted("a  b\nc "), "a b c ");
        let long = quoted(&"é".repeat(1_000_000));
        assert_eq!(long, "é".repeat(QUOTED) + "…");
        assert_eq!(quoted(&(" ".repeat(5_000) + "a")), " …");
    }

    #[test]
    fn a_message_keeps_its_words_around_a_long_quote() {
        let message = format!("`{}` is not known; did you mean `x`?", "a".repeat(1_000_000));
        assert_eq!(bounded(message), format!("`{}…` is not known; did you mean `x`?", "a".repeat(QUOTED)));
        assert_eq!(bounded("é".repeat(1_000_000)), "é".repeat(LONGEST) + "…");
        assert_eq!(bounded("short `quote`".to_owned()), "short `quote`");
    }
}
