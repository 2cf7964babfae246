//! The values of a role, and other words by which an editor finds them.

use tollproof_data::provider::values::ValueMeaning;

use super::aliases;
use super::kind::Kind;
use super::role;

impl Kind {
    /// The values of a role that are known, also where the provider takes others.
    pub fn known_values(self, role: &str) -> Vec<&'static str> {
        self.value_map(role).into_iter().flat_map(|map| map.meanings().map(|meaning| meaning.value)).collect()
    }

    /// A use case as the text that translations have: `ORDER_NOTIFICATIONS` and `Order Notifications` are `order notifications`.
    /// `None` for values of other roles.
    #[must_use]
    pub fn text_of_value(role: &str, value: &str) -> Option<String> {
        let words = value.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        (role == role::USE_CASE).then(|| words.collect::<Vec<_>>().join(" ").to_lowercase())
    }

    /// Other words for a value of a role: lower-case letters and digits without spaces, and values of other providers with the
    /// same meaning.
    pub fn words_for(self, role: &str, value: &str) -> Vec<&'static str> {
        let Some(map) = self.value_map(role) else { return aliases::words_for(role, value).to_vec() };
        let own =
            map.aliases.iter().filter(|(it, _)| *it == value).flat_map(|(_, words)| words.iter().copied());
        let meant = map.meaning(value).into_iter();
        let meant = meant.flat_map(|ValueMeaning { exact, near, .. }| exact.iter().chain(near).copied());
        let meant =
            meant.flat_map(|word| [word].into_iter().chain(aliases::words_for(role, word).iter().copied()));
        own.chain(meant).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::provider::kind::{Kind, KindRole, Provider};
    use crate::provider::role;

    #[test]
    fn a_value_is_found_by_other_words_at_every_provider() {
        let words = Kind::of(KindRole::Submit).words_for(role::USE_CASE, "2FA");
        assert!(words.contains(&"otp") && words.contains(&"onetimepassword"), "{words:?}");
        let twilio = Provider::named("twilio").expect("it is built in").kind(KindRole::Submit);
        let words = twilio.expect("it has one").words_for(role::USE_CASE, "TWO_FACTOR_AUTHENTICATION");
        assert!(words.contains(&"otp"), "{words:?}");
        assert!(Kind::of(KindRole::Submit).words_for(role::USE_CASE, "moonwalks").is_empty());
    }
}
