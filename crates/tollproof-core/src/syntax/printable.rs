//! Text that cannot control a terminal, an editor or a page.

/// A printable form of a character: control characters become visible symbols.
pub fn printable(c: char) -> char {
    match c {
        '\t' => '\t',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{61c}'
        | '\u{2028}'
        | '\u{2029}'
        // Noncharacters, which XML does not allow.
        | '\u{fffe}'
        | '\u{ffff}' => '\u{fffd}',
        c => c,
    }
}

/// Whether a character shows nothing by itself and controls a terminal, hides text, or changes how others are shown.
pub(crate) fn is_mark(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{61c}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text in printable characters on one line.
pub fn one_line(text: &str) -> String {
    // Most texts are such a line already.
    if text.bytes().fold(true, |is_plain, byte| is_plain & (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { printable(c) }).collect()
}
