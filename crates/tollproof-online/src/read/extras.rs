//! The parts of a request that some servers refuse.

/// The optional parts of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extras {
    /// The schema of the answer.
    pub(super) schema: bool,
    /// Always the most likely answer.
    pub(super) temperature: bool,
    /// The name of the limit of tokens.
    pub(super) limit: Option<&'static str>,
    /// No thinking before the answer.
    pub(super) no_thinking: bool,
    /// The probability of each token, and of others in its place.
    pub(super) log_probabilities: bool,
}

/// The older name of the limit, which most servers know.
const LIMIT: &str = "max_tokens";

/// The name that newer models of OpenAI want.
const NEWER_LIMIT: &str = "max_completion_tokens";

impl Extras {
    /// All that a server may take.
    pub(super) const ALL: Self = Self {
        schema: true,
        temperature: true,
        limit: Some(LIMIT),
        no_thinking: true,
        log_probabilities: true,
    };

    /// Without what a server refused, by its own words. What is not named is what servers lack most. `None` if nothing is left
    /// that it may have meant.
    pub(super) fn without_refused(self, message: &str) -> Option<Self> {
        let message = message.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| message.contains(word));
        let less = if self.no_thinking && names(&["reasoning", "chat_template", "thinking"]) {
            Self { no_thinking: false, ..self }
        } else if self.log_probabilities && names(&["logprob"]) {
            Self { log_probabilities: false, ..self }
        } else if self.schema && names(&["schema", "format"]) {
            Self { schema: false, ..self }
        } else if self.temperature && names(&["temperature"]) {
            Self { temperature: false, ..self }
        } else if self.limit == Some(LIMIT) && names(&[NEWER_LIMIT]) {
            Self { limit: Some(NEWER_LIMIT), ..self }
        } else if self.limit.is_some() && names(&[LIMIT, NEWER_LIMIT]) {
            Self { limit: None, ..self }
        } else {
            Self { schema: false, no_thinking: false, log_probabilities: false, ..self }
        };
        (less != self).then_some(less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_left_out() {
        let all = Extras::ALL;
        let without = |message: &str| all.without_refused(message);
        let plain = Extras { schema: false, no_thinking: false, log_probabilities: false, ..all };
        for message in ["", "invalid request"] {
            assert_eq!(without(message), Some(plain), "{message}");
        }
        for message in ["'response_format.type' must be text", "Unknown field JSON_SCHEMA"] {
            assert_eq!(without(message), Some(Extras { schema: false, ..all }), "{message}");
        }
        let hot = "Unsupported value: 'temperature' does not support 0 with this model.";
        let mixed = "the schema is fine, the temperature is not";
        assert_eq!(plain.without_refused(mixed), Some(Extras { temperature: false, ..plain }));
        assert_eq!(without(hot), Some(Extras { temperature: false, ..all }));
        let long = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let newer = Extras { limit: Some(NEWER_LIMIT), ..all };
        assert_eq!(without(long), Some(newer));
        assert_eq!(newer.without_refused(long), Some(Extras { limit: None, ..all }));
        for message in ["Unrecognized argument: reasoning_effort", "chat_template_kwargs: unknown"] {
            assert_eq!(without(message), Some(Extras { no_thinking: false, ..all }), "{message}");
        }
        let told = "logprobs is not supported with this model";
        assert_eq!(without(told), Some(Extras { log_probabilities: false, ..all }));
        let none = Extras { temperature: false, limit: None, ..plain };
        for message in ["", hot, long, told, "response_format"] {
            assert_eq!(none.without_refused(message), None, "{message}");
        }
    }
}
