//! A list of short strings in one allocation: the built-in rules contain hundreds, which are decoded at every start.

use std::sync::OnceLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Strings without line breaks. Rule files write them as a list.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transparent))]
pub struct Texts(
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))] String,
    #[cfg_attr(feature = "schema", schemars(skip))] OnceLock<Box<TextFilter>>,
);

/// Bits for the strings, so that most words need no comparison. Made on first use.
#[derive(Clone, Debug, Default)]
struct TextFilter {
    /// A bit for each string by its length and its ends.
    whole: [u64; 4],
    /// A bit for each string by its first two bytes.
    starts: [u64; 4],
    /// A bit for each string by its last two bytes, ignoring the case of ASCII letters.
    ends: [u64; 4],
    /// Whether a string is shorter than two bytes.
    has_short: bool,
}

impl TextFilter {
    fn of<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Self {
        let mut filter = Self::default();
        let set = |bits: &mut [u64; 4], bit: usize| bits[bit / 64] |= 1 << (bit % 64);
        for text in texts {
            bit_of(text).into_iter().for_each(|bit| set(&mut filter.whole, bit));
            match (text, text) {
                ([first, second, ..], [.., before, last]) => {
                    set(&mut filter.starts, bit_of_pair(*first, *second));
                    set(
                        &mut filter.ends,
                        bit_of_pair(before.to_ascii_lowercase(), last.to_ascii_lowercase()),
                    );
                }
                _ => filter.has_short = true,
            }
        }
        filter
    }
}

fn has_bit(bits: &[u64; 4], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

/// The bit of two bytes in a row.
fn bit_of_pair(first: u8, second: u8) -> usize {
    (usize::from(first) * 5 + usize::from(second) * 11) % 256
}

/// The bit of a string; `None` if it is empty.
fn bit_of(text: &[u8]) -> Option<usize> {
    let (first, last) = (text.first()?.to_ascii_lowercase(), text.last()?.to_ascii_lowercase());
    Some((text.len() * 37 + usize::from(first) * 5 + usize::from(last) * 11) % 256)
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Texts {}

impl Texts {
    /// The lines of a text.
    fn of(lines: String) -> Self {
        Self(lines, OnceLock::new())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The strings, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.lines()
    }

    /// Whether one of the strings is this one, ignoring the case of ASCII letters.
    pub fn contain(&self, text: &str) -> bool {
        let Some(bit) = bit_of(text.as_bytes()) else { return false };
        has_bit(&self.filter().whole, bit) && self.bytes().any(|it| it.eq_ignore_ascii_case(text.as_bytes()))
    }

    /// Whether a text ends in one of the strings behind a hyphen or underscore, ignoring the case of ASCII letters.
    pub fn end_part_of(&self, text: &str) -> bool {
        let [.., before, last] = text.as_bytes() else { return false };
        let filter = self.filter();
        let bit = bit_of_pair(before.to_ascii_lowercase(), last.to_ascii_lowercase());
        let ends = |part: &[u8]| {
            let (before, end) = text.as_bytes().split_at(text.len().saturating_sub(part.len()));
            matches!(before.last(), Some(b'-' | b'_')) && end.eq_ignore_ascii_case(part)
        };
        (filter.has_short || has_bit(&filter.ends, bit)) && self.bytes().any(ends)
    }

    /// Whether one of the strings may be a prefix of a text, by its first two bytes.
    pub fn may_begin(&self, text: &str) -> bool {
        let [first, second, ..] = text.as_bytes() else { return true };
        let filter = self.filter();
        filter.has_short || has_bit(&filter.starts, bit_of_pair(*first, *second))
    }

    fn filter(&self) -> &TextFilter {
        self.1.get_or_init(|| Box::new(TextFilter::of(self.bytes())))
    }

    /// The first of the strings that is a prefix of a text.
    pub fn prefix_of(&self, text: &str) -> Option<&str> {
        let at = self.bytes().position(|it| text.as_bytes().starts_with(it))?;
        self.iter().nth(at)
    }

    /// The strings as bytes, because splitting bytes is faster than splitting a `str`.
    fn bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.0.as_bytes().split(|&byte| byte == b'\n').filter(|it| !it.is_empty())
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return String::deserialize(deserializer).map(Self::of);
        }
        let texts = Vec::<String>::deserialize(deserializer)?;
        match texts.iter().find(|text| text.is_empty() || text.contains(['\n', '\r'])) {
            Some(text) => {
                Err(D::Error::custom(format!("{text:?} must not be empty or contain a line break")))
            }
            None => Ok(Self::of(texts.join("\n"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_a_list_in_files_and_one_text_in_prepared_rules() {
        let texts: Texts = serde_json::from_str(r#"["a b", "é"]"#).expect("it is a list");
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a b", "é"]);
        assert!(texts.contain("A B") && texts.contain("é") && !texts.contain("") && !texts.contain("a"));
        assert_eq!(
            (texts.prefix_of("éa"), texts.prefix_of("b"), texts.prefix_of("")),
            (Some("é"), None, None)
        );
        assert!(texts.may_begin("a bc") && texts.may_begin("a") && !texts.may_begin("bc"));
        assert!(texts.end_part_of("x-A B") && texts.end_part_of("_é"));
        assert!(!texts.end_part_of("a b") && !texts.end_part_of("xé") && !texts.end_part_of("-"));
        assert!(!Texts::default().contain("") && Texts::default().prefix_of("a").is_none());
        assert_eq!(serde_json::to_string(&texts).expect("it has JSON"), r#"["a b","é"]"#);
        let bytes = postcard::to_allocvec(&texts).expect("it can be written");
        assert_eq!(postcard::from_bytes::<Texts>(&bytes).expect("it can be read"), texts);
        assert!(serde_json::from_str::<Texts>("[]").expect("it is a list").is_empty());
        for wrong in [r#"["a\nb"]"#, r#"["a", ""]"#] {
            assert!(serde_json::from_str::<Texts>(wrong).is_err(), "{wrong}");
        }
    }
}
