//! Shortens quoted input in messages, so that the size of a report does not depend on it.

/// The longest value that a message quotes, in characters.
const QUOTED: usize = 240;

/// A value shortened to one line for a message. Every message that quotes input uses it.
pub fn quoted(value: &str) -> String {
    if let Some(line) = plain_line(value) {
        return line;
    }
    // Only whitespace makes the line shorter than the value, so a part of the value is enough to fill it.
    let end = (value.len() > QUOTED * 8).then(|| value.char_indices().nth(QUOTED * 8)).flatten();
    let (value, is_cut) = end.map_or((value, false), |(end, _)| (&value[..end], true));
    let mut line = String::with_capacity(value.len().min(QUOTED * 2));
    for word in value.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some(cut) = cut(&line) {
            return cut;
        }
    }
    if value.ends_with(' ') {
        line.push(' ');
    }
    cut(&line).unwrap_or_else(|| if is_cut { line + "…" } else { line })
}

/// The same for a value of printable ASCII with single spaces, as most are.
fn plain_line(value: &str) -> Option<String> {
    let head = &value.as_bytes()[..value.len().min(QUOTED + 1)];
    let is_plain = head.iter().fold(true, |is_plain, byte| is_plain & (b' '..=b'~').contains(byte));
    let has_pair = || head.windows(2).any(|pair| pair == b"  ");
    if !is_plain || head.first() == Some(&b' ') || has_pair() {
        return None;
    }
    match head.get(QUOTED) {
        None => Some(value.to_owned()),
        // What is after the space decides whether the line ends before it.
        Some(b' ') => None,
        Some(_) => Some(format!("{}…", &value[..QUOTED])),
    }
}

/// A line that is longer than what a message quotes, shortened.
fn cut(line: &str) -> Option<String> {
    let is_longer = line.len() > QUOTED;
    let end = is_longer.then(|| line.char_indices().nth(QUOTED)).flatten();
    end.map(|(end, _)| format!("{}…", &line[..end]))
}

/// The longest message, in bytes.
const LONGEST: usize = 4_000;

/// Shortens the message of a library, which may quote all of the input: first each part in backticks or double quotes,
/// then the message itself.
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
        assert_eq!(quoted(&"a ".repeat(QUOTED / 2)), "a ".repeat(QUOTED / 2));
        assert_eq!(quoted(&("a ".repeat(QUOTED / 2) + "a ")), "a ".repeat(QUOTED / 2) + "…");
        assert_eq!(quoted(&("é".repeat(QUOTED) + " ")), "é".repeat(QUOTED) + "…");
    }

    #[test]
    fn plain_values_are_quoted_as_others_are() {
        for length in [0, 1, QUOTED - 1, QUOTED, QUOTED + 1, QUOTED * 9] {
            for end in ["", " ", "  ", " \n", "a", " a", "\n", " \na"] {
                let value = "ab cd ".repeat(length)[..length].to_owned() + end;
                // A line with an accent is never plain.
                let other = quoted(&value.replace('c', "ç"));
                assert_eq!(quoted(&value), other.replace('ç', "c"), "{value:?}");
            }
        }
    }

    #[test]
    fn a_message_keeps_its_words_around_a_long_quote() {
        let message = format!("`{}` is not known; did you mean `x`?", "a".repeat(1_000_000));
        assert_eq!(bounded(message), format!("`{}…` is not known; did you mean `x`?", "a".repeat(QUOTED)));
        assert_eq!(bounded("é".repeat(1_000_000)), "é".repeat(LONGEST) + "…");
        assert_eq!(bounded("short `quote`".to_owned()), "short `quote`");
    }
}
