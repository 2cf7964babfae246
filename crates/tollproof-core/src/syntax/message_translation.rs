//! A message in another language.

use std::ops::Range;

use crate::syntax::message::Message;
use crate::syntax::message_template::{English, FilledTemplate, placeholders};

impl Message {
    /// The same message in another language. `translation` has the other language's template for an English one; what it
    /// does not have stays English.
    pub(crate) fn translated(&self, translation: &dyn Fn(&English, &str) -> Option<String>) -> Self {
        let mut message = Self::default();
        translate(self, self.templates(), 0..self.len(), translation, &mut message);
        message
    }
}

/// Appends a range of a message to `translated`, with its templates in another language.
pub(super) fn translate(
    message: &Message,
    templates: &[FilledTemplate],
    range: Range<usize>,
    translation: &dyn Fn(&English, &str) -> Option<String>,
    translated: &mut Message,
) {
    let (mut at, mut rest) = (range.start, templates);
    while let Some((first, others)) = rest.split_first() {
        let inner = others.iter().take_while(|it| it.at.end <= first.at.end).count();
        translated.push_range(message, at..first.at.start);
        let english = match &first.english {
            English::Words => &message[first.at.clone()],
            English::Template(template) => template,
            English::Rule(template) => template,
        };
        match translation(&first.english, english) {
            Some(template) => {
                let part = |position: usize, translated: &mut Message| {
                    let Some((_, hole)) = first.holes.iter().find(|(it, _)| *it == position) else { return };
                    let is_inside = |it: &&FilledTemplate| hole.start <= it.at.start && it.at.end <= hole.end;
                    let inside: Vec<_> = others[..inner].iter().filter(is_inside).cloned().collect();
                    translate(message, &inside, hole.clone(), translation, translated);
                };
                fill(&template, english, part, translated);
            }
            None => translate(message, &others[..inner], first.at.clone(), translation, translated),
        }
        at = first.at.end;
        rest = &others[inner..];
    }
    translated.push_range(message, at..range.end);
}

/// Appends a translated template. Its placeholders have the names of those in the English template; `{}` is the next one,
/// and `{1}` is that at position 1.
fn fill(template: &str, english: &str, part: impl Fn(usize, &mut Message), translated: &mut Message) {
    let mut unnamed = 0..;
    for (at, text) in template.split('{').enumerate() {
        let (name, words) = match text.split_once('}').filter(|_| at > 0) {
            Some((name, words)) => (Some(name), words),
            None => (None, text),
        };
        match name {
            Some("") => part(unnamed.next().unwrap_or_default(), translated),
            Some(name) => {
                let named = placeholders(english).position(|it| it == name);
                if let Some(position) = named.or_else(|| name.parse().ok()) {
                    part(position, translated);
                }
            }
            None => {}
        }
        translated.push_own(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::message::message;

    /// Translates a few templates, and all words that it does not know to `?`.
    fn spanish(english: &English, text: &str) -> Option<String> {
        let known = match text {
            "`{}` is not {}{}" => "{1} no es «{0}»{2}",
            " (did you mean `{}`?)" => " (¿quiso decir `{}`?)",
            "a day" => "un día",
            "{value} is wrong. Write {other}." => "Escriba {other}, no {value}.",
            _ => return None,
        };
        assert_eq!(*english == English::Words, text == "a day");
        Some(known.to_owned())
    }

    #[test]
    fn parts_keep_their_places_and_values() {
        let near = message!(" (did you mean `{}`?)", "US");
        let message = message!("`{}` is not {}{}", "Ana", Message::own("a day"), near);
        let translated = message.translated(&spanish);
        assert_eq!(translated, "un día no es «Ana» (¿quiso decir `US`?)");
        let values: Vec<&str> = translated.values().iter().map(|it| &translated[it.clone()]).collect();
        assert_eq!(values, ["Ana", "US"]);
        // What is not known stays, and what is in it is translated.
        let unknown = message!("see {}: {}", message, Message::own("a day"));
        assert_eq!(unknown.translated(&spanish), format!("see {translated}: un día"));
        // Masked values move what follows them.
        let masked = unknown.with_values(|value| "*".repeat(value.len() + 3));
        assert_eq!(masked.translated(&spanish), "see un día no es «******» (¿quiso decir `*****`?): un día");
    }

    #[test]
    fn placeholders_of_rules_have_names() {
        let mut message = Message::default();
        message.begin(English::Rule("{value} is wrong. Write {other}.".into()), 2);
        message.push_hole(0, "Ana");
        message.push_own(" is wrong. Write ");
        message.push_hole(1, &Message::own("a day"));
        message.push_own(".");
        message.end();
        assert_eq!(message.translated(&spanish), "Escriba un día, no Ana.");
        assert!(Message::from("").translated(&spanish).is_empty());
    }
}
