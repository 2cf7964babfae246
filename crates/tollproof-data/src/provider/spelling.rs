//! Spellings of a provider's keys: in its SDKs, its forms and its sheets.

use serde::Deserialize;

/// A way to write the words of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spelling {
    /// `BusinessName`
    Pascal,
    /// `businessName`
    Camel,
    /// `business_name`
    Snake,
    /// `business_name` at the root, and below it as in the schema
    SnakeRoot,
    /// `Business_Name`
    Title,
    /// `Business Name`
    Spaced,
}

impl Spelling {
    /// The key in this spelling.
    pub fn of(self, key: &str) -> String {
        let words = words(key);
        let capital = |word: &str| {
            let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
            first.to_ascii_uppercase() + rest
        };
        match self {
            Self::Pascal => words.iter().map(|word| capital(word)).collect(),
            Self::Camel => words
                .iter()
                .enumerate()
                .map(|(at, word)| if at == 0 { word.to_ascii_lowercase() } else { capital(word) })
                .collect(),
            Self::Snake | Self::SnakeRoot => words.join("_").to_ascii_lowercase(),
            Self::Title => words.join("_"),
            Self::Spaced => words.join(" "),
        }
    }
}

/// The words of a key. A word starts after a separator, at a capital letter after a small one or a digit, and at the last
/// of several capital letters before a small one.
fn words(key: &str) -> Vec<&str> {
    let bytes = key.as_bytes();
    let is = |at: usize, fits: fn(&u8) -> bool| bytes.get(at).is_some_and(fits);
    let (mut words, mut start) = (Vec::new(), 0);
    // The small letter of `URLs` starts nothing.
    let is_plural = |at: usize| is(at, |it| *it == b's') && !is(at + 1, u8::is_ascii_lowercase);
    for at in 1..=bytes.len() {
        let is_separator = |at: usize| is(at, |it| matches!(it, b'_' | b' '));
        let starts = at == bytes.len()
            || is_separator(at)
            || is(at, u8::is_ascii_uppercase)
                && (is(at - 1, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
                    || is(at - 1, u8::is_ascii_uppercase)
                        && is(at + 1, u8::is_ascii_lowercase)
                        && !is_plural(at + 1));
        if starts {
            let word = key[start..at].trim_matches(['_', ' ']);
            words.extend((!word.is_empty()).then_some(word));
            start = at;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::Spelling::{Camel, Pascal, Snake, Spaced, Title};

    #[test]
    fn a_key_keeps_its_words_in_every_spelling() {
        for (key, pascal, camel, snake) in [
            ("BusinessName", "BusinessName", "businessName", "business_name"),
            ("OptInImageUrls", "OptInImageUrls", "optInImageUrls", "opt_in_image_urls"),
            (
                "BusinessStreetAddress2",
                "BusinessStreetAddress2",
                "businessStreetAddress2",
                "business_street_address2",
            ),
            (
                "optInWorkflowImageURLs",
                "OptInWorkflowImageURLs",
                "optInWorkflowImageURLs",
                "opt_in_workflow_image_urls",
            ),
            ("status", "Status", "status", "status"),
        ] {
            assert_eq!(
                (Pascal.of(key), Camel.of(key), Snake.of(key)),
                (pascal.into(), camel.into(), snake.into())
            );
        }
        assert_eq!(
            (Title.of("Business_Addr1"), Spaced.of("Business_Addr1")),
            ("Business_Addr1".into(), "Business Addr1".into())
        );
        assert_eq!(Snake.of("Opt_In_Image_URLs"), "opt_in_image_urls");
    }
}
