//! What single bytes tell about a value: most values have nothing that certain checks look for.

#[cfg(engine)]
use crate::syntax::document::{Node, Style, Value};

/// A set of marks: bytes that a text has, and how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueMarks(u8);

impl ValueMarks {
    /// A digit.
    pub(crate) const DIGIT: Self = Self(1);
    /// What may begin a template field.
    pub(crate) const SLOT: Self = Self(1 << 1);
    /// A control character, or a character that is not ASCII and may be invisible.
    pub(crate) const HIDDEN: Self = Self(1 << 2);
    /// The first byte of the characters that a wrong encoding leaves.
    pub(crate) const GARBLED: Self = Self(1 << 3);
    /// A first or last byte that may be whitespace.
    pub(crate) const SPACE_AROUND: Self = Self(1 << 4);
    /// Written in YAML without quotes.
    pub(crate) const UNQUOTED: Self = Self(1 << 5);
    /// Not an address with `https://`.
    pub(crate) const NOT_HTTPS: Self = Self(1 << 6);
    /// What begins the parameters of an address.
    pub(crate) const QUERY: Self = Self(1 << 7);
    #[cfg(engine)]
    const ALL: Self = Self(u8::MAX);

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether two sets have a mark in common.
    #[cfg(engine)]
    pub(crate) fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The marks of a value, or of all items of a list.
    #[cfg(engine)]
    pub(crate) fn of(node: &Node<'_>) -> Self {
        match &node.value {
            Value::String(text) => {
                let style = if node.style == Style::Plain { Self::UNQUOTED } else { Self::default() };
                Self::of_text(text).or(style)
            }
            Value::Array(items) => items.iter().map(Self::of).fold(Self::default(), Self::or),
            Value::Object(_) => Self::ALL,
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::default(),
        }
    }

    #[cfg(engine)]
    fn of_text(text: &str) -> Self {
        let bytes = text.as_bytes();
        // Most blocks have only bytes without a mark; without branches, all bytes of a block are compared at once.
        let (blocks, rest) = bytes.as_chunks::<16>();
        let of = |bytes: &[u8]| {
            bytes.iter().fold(Self::default(), |all, byte| all.or(OF_BYTES[usize::from(*byte)]))
        };
        let mut of_bytes = of(rest);
        for block in blocks {
            if !block.iter().fold(true, |plain, byte| plain & is_plain(*byte)) {
                of_bytes = of_bytes.or(of(block));
            }
        }
        let may_be_space = |byte: &u8| *byte <= b' ' || !byte.is_ascii();
        let has_space = [bytes.first(), bytes.last()].into_iter().flatten().any(may_be_space);
        let around = if has_space { Self::SPACE_AROUND } else { Self::default() };
        let scheme = if text.starts_with("https://") { Self::default() } else { Self::NOT_HTTPS };
        of_bytes.or(around).or(scheme)
    }
}

/// Whether a byte is a letter, a space or common punctuation, none of which has a mark.
#[cfg(engine)]
fn is_plain(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte == b' ') | (byte.wrapping_sub(b',') < 3)
}

/// The marks of a text that has a byte.
#[cfg(engine)]
static OF_BYTES: [ValueMarks; 256] = {
    let mut table = [ValueMarks(0); 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => ValueMarks::DIGIT,
            b'{' | b'[' | b'<' | b'$' | b'%' | b'(' | b'*' | b'_' => ValueMarks::SLOT,
            b'?' => ValueMarks::QUERY,
            b'\t' | b'\n' | b'\r' => ValueMarks(0),
            0..b' ' | 0x7f => ValueMarks::HIDDEN,
            0xc3 | 0xef => ValueMarks::HIDDEN.or(ValueMarks::GARBLED),
            0x80.. => ValueMarks::HIDDEN,
            _ => ValueMarks(0),
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_bytes_have_no_mark() {
        let plain = (0..=u8::MAX).filter(|byte| is_plain(*byte));
        assert!(plain.clone().all(|byte| OF_BYTES[usize::from(byte)] == ValueMarks::default()));
        assert_eq!(plain.count(), 2 * 26 + 4);
        let marks = ValueMarks::of_text("Only letters, until a block has a digit: 5 and so on.");
        assert_eq!(marks, ValueMarks::DIGIT.or(ValueMarks::NOT_HTTPS));
    }
}
