//! A list of short strings in one allocation: the built-in rules contain hundreds, which are decoded at every start.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Strings without line breaks. Rule files write them as a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transparent))]
pub struct Texts(#[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))] String);

impl Texts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The strings, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.lines()
    }

    /// Whether one of the strings is this one, ignoring the case of ASCII letters.
    pub fn contain(&self, text: &str) -> bool {
        self.bytes().any(|known| known.eq_ignore_ascii_case(text.as_bytes()))
    }

    /// Whether a text ends in one of the strings after a hyphen or underscore, ignoring the case of ASCII letters.
    pub fn end_part_of(&self, text: &str) -> bool {
        self.bytes().any(|part| {
            let (before, end) = text.as_bytes().split_at(text.len().saturating_sub(part.len()));
            matches!(before.last(), Some(b'-' | b'_')) && end.eq_ignore_ascii_case(part)
        })
    }

    /// The first of the strings that is a prefix of a text.
    pub fn prefix_of(&self, text: &str) -> Option<&str> {
        let at = self.bytes().position(|prefix| text.as_bytes().starts_with(prefix))?;
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
            return String::deserialize(deserializer).map(Self);
        }
        let texts = Vec::<String>::deserialize(deserializer)?;
        match texts.iter().find(|text| text.is_empty() || text.contains(['\n', '\r'])) {
            Some(text) => {
                Err(D::Error::custom(format!("{text:?} must not be empty or contain a line break")))
            }
            None => Ok(Self(texts.join("\n"))),
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
