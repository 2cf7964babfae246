//! The parts of a request that some servers refuse.

/// Which optional parts a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extras {
    /// The schema of the answer.
    pub(super) schema: bool,
    /// Always the most likely answer.
    pub(super) temperature: bool,
    /// The limit of tokens.
    pub(super) max_tokens: bool,
}

impl Extras {
    /// Without what a server refused, by its own words. The schema is what servers lack most. `None` if nothing is left
    /// that it may have meant.
    pub(super) fn without_refused(self, message: &str) -> Option<Self> {
        let message = message.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|it| message.contains(it));
        let less = if self.schema && names(&["schema", "format"]) {
            Self { schema: false, ..self }
        } else if self.temperature && names(&["temperature"]) {
            Self { temperature: false, ..self }
        } else if self.max_tokens && names(&["max_tokens", "max_completion_tokens"]) {
            Self { max_tokens: false, ..self }
        } else {
            Self { schema: false, ..self }
        };
        (less != self).then_some(less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_left_out() {
        let all = Extras { schema: true, temperature: true, max_tokens: true };
        let without = |message: &str| all.without_refused(message);
        for message in
            ["", "invalid request", "'response_format.type' must be text", "Unknown field JSON_SCHEMA"]
        {
            assert_eq!(without(message), Some(Extras { schema: false, ..all }), "{message}");
        }
        let hot = "Unsupported value: 'temperature' does not support 0 with this model.";
        let mixed = "the schema is fine, the temperature is not";
        let rest = Extras { schema: false, ..all };
        assert_eq!(rest.without_refused(mixed), Some(Extras { temperature: false, ..rest }));
        assert_eq!(without(hot), Some(Extras { temperature: false, ..all }));
        let long = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        assert_eq!(without(long), Some(Extras { max_tokens: false, ..all }));
        let none = Extras { schema: false, temperature: false, max_tokens: false };
        for message in ["", hot, long, "response_format"] {
            assert_eq!(none.without_refused(message), None, "{message}");
        }
    }
}
