//! The web addresses in a text.

use std::ops::Range;

use smallvec::SmallVec;

use super::url::{Address, Scheme, parse, plain};

/// The web addresses in a text, with their byte ranges; the scheme is optional.
pub(crate) fn in_text(text: &str) -> Vec<(Range<usize>, Address)> {
    let mut found = Vec::new();
    let mut read = 0;
    let mut spaced: SmallVec<[usize; 2]> = SmallVec::new();
    let bytes = text.as_bytes();
    // Every address has a full stop.
    for dot in memchr::memchr_iter(b'.', bytes) {
        if dot > 0 && bytes[dot - 1] == b' ' {
            spaced.push(dot - 1);
        }
        // Most end a sentence.
        if dot < read || bytes.get(dot + 1).is_none_or(u8::is_ascii_whitespace) {
            continue;
        }
        let start = chunk_start(text, read..dot);
        let end = chunk_end(text, dot);
        read = end;
        let chunk = &text[start..end];
        let bare = chunk.trim_end_matches(|it: char| ".:!?'\u{2019}".contains(it));
        // The full stop after the last word of a sentence.
        if start + bare.len() <= dot {
            continue;
        }
        let lead = bare.len() - bare.trim_start_matches(['\'', '*', '\u{2018}']).len();
        let word = &bare[lead..];
        let read = address_in(word).map(|address| (0, address)).or_else(|| behind_sign(word));
        if let Some((skipped, address)) = read {
            found.push((start + lead + skipped..start + bare.len(), address));
        }
    }
    found.extend(spelled_apart(text, &spaced));
    found
}

/// The effect of a byte on a chunk that may be an address: 1 ends it, 2 is part of a character that may end
/// it.
static ENDS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'"' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b',' | b';' => 1,
            b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r' => 1,
            0x80.. => 2,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Finds the start of the chunk that reaches to the end of a range.
fn chunk_start(text: &str, range: Range<usize>) -> usize {
    let bytes = &text.as_bytes()[range.clone()];
    let Some(at) = bytes.iter().rposition(|it| ENDS[usize::from(*it)] != 0) else { return range.start };
    if ENDS[usize::from(bytes[at])] == 1 {
        return range.start + at + 1;
    }
    let ends = text[range.clone()].char_indices().rfind(|(_, it)| ends_chunk(*it));
    ends.map_or(range.start, |(at, character)| range.start + at + character.len_utf8())
}

/// Finds the end of the chunk at a place.
fn chunk_end(text: &str, start: usize) -> usize {
    let bytes = &text.as_bytes()[start..];
    match bytes.iter().position(|it| ENDS[usize::from(*it)] != 0) {
        None => text.len(),
        Some(at) if ENDS[usize::from(bytes[at])] == 1 => start + at,
        Some(at) => text[start + at..].find(ends_chunk).map_or(text.len(), |end| start + at + end),
    }
}

/// Whether a character cannot be part of an address.
fn ends_chunk(character: char) -> bool {
    match character {
        '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';' | '\u{201c}' | '\u{201d}' => {
            true
        }
        _ => character.is_whitespace(),
    }
}

/// Parses a word as an address; without a scheme, its host must be public.
fn address_in(word: &str) -> Option<Address> {
    if let Some(address) = plain(Scheme::Missing, word) {
        return Some(address);
    }
    if word.starts_with("https://") || word.find("://").is_some_and(|at| at > 0 && at < 12) {
        return parse(word).ok();
    }
    let host = word.split(['/', '?', '#']).next().unwrap_or_default();
    let plain =
        host.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | ':'));
    if !plain || word.starts_with('.') {
        return None;
    }
    let mut address = parse(&format!("https://{word}")).ok().filter(Address::is_public)?;
    address.scheme = Scheme::Missing;
    Some(address)
}

/// The address after a sign without a space, such as `Link:` or an arrow, and its offset in the word.
fn behind_sign(word: &str) -> Option<(usize, Address)> {
    let signs = word.match_indices([':', '=', '>', '\u{2192}', '\u{2022}', '\u{27a1}', '\u{1f449}']);
    let mut rests = signs.map(|(at, sign)| at + sign.len()).filter(|at| !word[*at..].starts_with("//"));
    rests.find_map(|at| address_in(&word[at..]).map(|address| (at, address)))
}

/// Texts written in place of a dot.
const DISGUISED_DOTS: [&str; 5] = ["[.]", "(.)", "[dot]", "(dot)", " . "];

/// Addresses whose dot is disguised to evade filters: `bit[.]ly/x`, `bit(dot)ly/x`, `bit . ly/x`.
///
/// `spaced` has the spaces before full stops.
fn spelled_apart(text: &str, spaced: &[usize]) -> Vec<(Range<usize>, Address)> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let in_brackets = memchr::memchr2_iter(b'[', b'(', bytes);
    for at in in_brackets.chain(spaced.iter().copied()) {
        for dot in DISGUISED_DOTS.iter().filter(|dot| bytes[at..].starts_with(dot.as_bytes())) {
            let after = &text[at + dot.len()..];
            let label = |character: char| !character.is_ascii_alphanumeric() && character != '-';
            let start = text[..at]
                .rfind(label)
                .map_or(0, |index| index + text[index..].chars().next().map_or(1, char::len_utf8));
            let length = after
                .find(|character: char| character.is_whitespace() || ",;\"".contains(character))
                .unwrap_or(after.len());
            let rest = after[..length].trim_end_matches(['.', '!', '?', ')', ']']);
            // A full stop between spaces is only a typing error between two sentences.
            if start == at || *dot == " . " && !rest.contains('/') {
                continue;
            }
            let address = address_in(&format!("{}.{rest}", &text[start..at]));
            found.extend(address.map(|address| (start..at + dot.len() + rest.len(), address)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ENDS, chunk_end, chunk_start, ends_chunk, in_text};

    #[test]
    fn chunks_end_at_whitespace_and_brackets() {
        for byte in 0..=u8::MAX {
            let expected = if byte.is_ascii() { u8::from(ends_chunk(char::from(byte))) } else { 2 };
            assert_eq!(ENDS[usize::from(byte)], expected, "{byte}");
        }
        let parts = |text: &str, dot: usize| (chunk_start(text, 0..dot), chunk_end(text, dot));
        assert_eq!(parts("a b.c d", 3), (2, 5));
        assert_eq!(parts("“é.é” d", 5), (3, 8));
        assert_eq!(parts("é.é", 2), (0, 5));
        assert_eq!(parts("a\u{a0}b.c\u{2003}d", 4), (3, 6));
    }

    #[test]
    fn addresses_are_found_in_texts() {
        let hosts = |text| {
            in_text(text).into_iter().map(|(range, it)| (text[range].to_owned(), it.host)).collect::<Vec<_>>()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(hosts("Deals: bit.ly/abc123!"), [pair("bit.ly/abc123", "bit.ly")]);
        assert_eq!(hosts("Link:bit.ly/a"), [pair("bit.ly/a", "bit.ly")]);
        assert_eq!(hosts("Track:https://acme.com/a"), [pair("https://acme.com/a", "acme.com")]);
        assert_eq!(hosts("pay\u{2192}acme.com/a"), [pair("acme.com/a", "acme.com")]);
        assert_eq!(
            hosts("bit[.]ly/a or bit . ly/b"),
            [pair("bit[.]ly/a", "bit.ly"), pair("bit . ly/b", "bit.ly")]
        );
        assert_eq!(hosts("At 5:30.Reply or call . Me too"), []);
        assert_eq!(hosts("See (https://acme.com/a.)"), [pair("https://acme.com/a", "acme.com")]);
        assert_eq!(hosts("Sent.Reply STOP at 5 p.m. or mail a@acme.com"), []);
    }
}
