//! Values in settings: text, or digits as they are written.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

/// Reads values by their names. An account id of digits needs no quotes.
pub(super) fn texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let texts = BTreeMap::<String, DigitsOrText>::deserialize(deserializer)?;
    Ok(texts.into_iter().map(|(name, DigitsOrText(text))| (name, text)).collect())
}

struct DigitsOrText(String);

impl<'de> Deserialize<'de> for DigitsOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl Visitor<'_> for Either {
            type Value = DigitsOrText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<DigitsOrText, E> {
                Ok(DigitsOrText(text.to_owned()))
            }

            fn visit_u64<E: Error>(self, digits: u64) -> Result<DigitsOrText, E> {
                Ok(DigitsOrText(digits.to_string()))
            }
        }

        deserializer.deserialize_any(Either)
    }
}
