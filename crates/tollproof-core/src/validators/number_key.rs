//! Names of toll-free numbers in one spelling, so that they can be compared: E.164, UUIDs and providers' ids.

use super::format::{is_toll_free, is_uuid};

/// The name of a number in the spelling in which names are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberKey(String);

/// The fewest characters of an id. A shorter text may be a word.
const SHORTEST_ID: usize = 16;

impl NumberKey {
    /// The key of a name: E.164 for a toll-free number in any usual spelling, such as `833-472-6150`. Any other text is
    /// trimmed and in lower case.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        Self(e164(text).unwrap_or_else(|| text.to_ascii_lowercase()))
    }

    /// The key as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key as an owned string.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether it is a toll-free number in E.164, instead of an id.
    pub fn is_e164(&self) -> bool {
        is_toll_free(&self.0)
    }

    /// Whether the name can only be that of a number: E.164, a UUID, or an id of at least 16 letters and digits.
    pub fn is_exact(&self) -> bool {
        // Some providers write the kind of an object before its id: `pn_01k9x8w7`.
        let id = match self.0.split_once('_') {
            Some((kind, id))
                if (2..=5).contains(&kind.len()) && kind.bytes().all(|it| it.is_ascii_lowercase()) =>
            {
                id
            }
            _ => self.0.as_str(),
        };
        let is_id = id.len() >= SHORTEST_ID
            && id.bytes().all(|it| it.is_ascii_alphanumeric())
            && id.bytes().any(|it| it.is_ascii_digit());
        self.is_e164() || is_uuid(&self.0) || is_id
    }
}

/// A toll-free number in E.164. Ten digits need a toll-free code, eleven start with 1; a `+` needs eleven.
fn e164(text: &str) -> Option<String> {
    let (rest, has_plus) = text.strip_prefix('+').map_or((text, false), |rest| (rest, true));
    // A separator is between digits, except for the bracket in front of an area code.
    if !rest.starts_with(|character: char| character.is_ascii_digit() || character == '(')
        || !rest.ends_with(|it: char| it.is_ascii_digit())
    {
        return None;
    }
    let mut digits = String::with_capacity("+18005550100".len());
    for letter in rest.chars() {
        match letter {
            '0'..='9' if digits.len() < 11 => digits.push(letter),
            ' ' | '-' | '.' | '(' | ')' | '\u{a0}' | '\u{2010}' | '\u{2011}' | '\u{2013}' => {}
            _ => return None,
        }
    }
    let national = match digits.strip_prefix('1') {
        Some(national) if digits.len() == 11 => national,
        _ if digits.len() == 10 && !has_plus => digits.as_str(),
        _ => return None,
    };
    Some(format!("+1{national}")).filter(|it| is_toll_free(it))
}

#[cfg(test)]
mod tests {
    use super::NumberKey;

    #[test]
    fn a_number_has_one_key_in_all_its_spellings() {
        for text in [
            "+18334726150",
            "18334726150",
            "8334726150",
            "833-472-6150",
            " (833) 472-6150 ",
            "+1 833 472 6150",
            "1.833.472.6150",
            "+1 (833) 472\u{2011}6150",
        ] {
            let key = NumberKey::of(text);
            assert_eq!(key.as_str(), "+18334726150", "{text}");
            assert!(key.is_e164() && key.is_exact(), "{text}");
        }
    }

    #[test]
    fn what_may_be_another_number_stays_as_it_is() {
        for text in [
            "+8334726150",
            "+442079460958",
            "2072386417",
            "833472615",
            "83347261500",
            "833-472-6150 x5",
            "833-172-6150",
            "-8334726150",
            "8334726150-",
            "833/472/6150",
        ] {
            let key = NumberKey::of(text);
            assert_eq!(key.as_str(), text, "{text}");
            assert!(!key.is_e164() && !key.is_exact(), "{text}");
        }
    }

    #[test]
    fn ids_are_compared_regardless_of_case() {
        for text in [
            "9A1B2C3D-4E5F-4061-8273-94A5B6C7D8E9",
            "PN4C0F7B2DE91A4863B5FA70D82C16E93B",
            "4F2C9A7E1B8D43E6A05C7D92B31F6E84",
        ] {
            let key = NumberKey::of(text);
            assert_eq!(key, NumberKey::of(&text.to_lowercase()));
            assert!(key.is_exact() && !key.is_e164(), "{text}");
        }
        for text in
            ["", "acme", "harbor lantern dental 1", "harborlanterndental", "PN4c0f\u{200b}7b2de91a4863b5fa"]
        {
            assert!(!NumberKey::of(text).is_exact(), "{text}");
        }
    }
}
