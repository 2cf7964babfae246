//! Texts of others in messages: cut, so that a report does not grow with what it quotes.

/// The longest value that a message quotes, in characters.
const QUOTED: usize = 240;

/// As much of a value as a message can hold, in one line. Every message that quotes the text of others uses it.
#[must_use]
pub fn quoted(value: &str) -> String {
    // What lies far behind the cut is not looked at, only blanks make the line shorter than the value.
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

/// The longest message, in bytes; what is longer quotes more of a text than anyone reads.
const LONGEST: usize = 4_000;

/// A message of a library, which may quote a text whole: what stands in backticks or double quotes is cut, and then the
/// message itself.
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

/// A text in which every character but white space is masked.
pub(crate) fn masked(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { c } else { mask_of(c) }).collect()
}

/// What masks a character that takes as many bytes in UTF-8, and as many units in UTF-16.
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
