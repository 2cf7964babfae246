//! Asks for the value of one field.

use serde_json::{Value, json};
use tollproof_core::Message;
use tollproof_core::schema::{FieldType, FormField, Need, show};

use super::prompt::{Reply, choose, choose_several, text};
use crate::errors::Result;
use crate::terminal::{Look, one_line, wrap};

/// A field that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'f>(pub(super) &'f FormField<'f>);

/// The keys while a text is typed.
const KEYS: &str = "Enter: go on, or skip if empty. Esc: go back. Ctrl-C: save and end.";

/// The keys in a list of options.
const LIST_KEYS: &str = "Type to search. Enter: choose. Esc: go back. Ctrl-C: save and end.";

/// The keys in a list of which several can be chosen.
const SEVERAL_KEYS: &str = "Type to search. Space: mark. Enter: go on. Esc: go back. Ctrl-C: save and end.";

const SKIP: &str = "(skip)";

const OTHER: &str = "(another value)";

/// The fields with values, in the order of the form.
pub(super) fn questions<'f>(form: &'f [FormField<'f>]) -> Vec<Question<'f>> {
    let mut found = Vec::new();
    for field in form {
        match field.type_of() {
            FieldType::Object | FieldType::Objects => found.extend(questions(&field.below)),
            _ => found.push(Question(field)),
        }
    }
    found
}

impl Question<'_> {
    /// The place of the field in a draft.
    pub(super) fn place(&self) -> &str {
        &self.0.info.pointer
    }

    /// The RFC 6901 pointer of the field. Of a list of objects, the first is asked for.
    pub(super) fn pointer(&self) -> String {
        self.place().replace("/*", "/0")
    }

    /// The name of the field in a sentence.
    pub(super) fn title(&self, look: Look) -> String {
        match self.0.info.title() {
            "" => self.0.key.to_owned(),
            title => look.message(&Message::own(title)),
        }
    }

    /// Returns the text before the prompt: the title, and what the field is about.
    pub(super) fn heading(&self, number: usize, of: usize, look: Look) -> String {
        let info = &self.0.info;
        let title = look.heading(&one_line(&self.title(look)));
        let template = match (self.0.is_needed, self.0.need) {
            (true, _) | (false, Need::Required) => "(required field, {number} of {all})",
            (false, Need::UnlessSoleProprietor) => {
                "(required, except for sole proprietors, {number} of {all})"
            }
            (false, Need::ByReviewers) => "(required by reviewers, {number} of {all})",
            (false, Need::Optional) => "(optional field, {number} of {all})",
        };
        let need = look.with(template, &[("number", number.into()), ("all", of.into())]);
        let mut text = format!("\n{title}  {} {need}\n", one_line(&info.path));
        let about =
            [info.description(), info.entries()].map(|text| look.message(&Message::own(text))).join(" ");
        let mut lines = vec![about];
        let example = info.examples().first().map(|example| match example {
            Value::Array(items) => items.iter().map(show).collect::<Vec<_>>().join(", "),
            other => show(other),
        });
        let is_closed = !info.choice().values.is_empty() || info.schema["items"]["enum"].is_array();
        let example = example.filter(|_| !is_closed);
        lines.extend(example.map(|example| look.with("Example: {text}", &[("text", example.into())])));
        for line in lines {
            for line in wrap(&line, look.width.saturating_sub(2)).lines() {
                text += &format!("  {}\n", one_line(line));
            }
        }
        text
    }

    /// Asks, with the present value; `None` leaves the field empty.
    pub(super) fn ask(&self, present: Option<&Value>, look: Look) -> Result<Reply<Option<Value>>> {
        let texts = |under: Option<&str>| self.ask_texts(present, under, look);
        match self.0.type_of() {
            FieldType::Boolean => self.ask_boolean(present, look),
            FieldType::Texts => texts(None),
            FieldType::TextsUnder(key) => texts(Some(key)),
            _ => self.ask_text(present, look),
        }
    }

    fn label(&self) -> String {
        format!("{}:", one_line(self.0.key))
    }

    fn ask_text(&self, present: Option<&Value>, look: Look) -> Result<Reply<Option<Value>>> {
        let present = present.map(shown).unwrap_or_default();
        let choice = self.0.info.choice();
        if choice.values.is_empty() {
            return Ok(text(&self.label(), look.say(KEYS), &present)?.map(|answer| self.value(&answer)));
        }
        let mut options = vec![look.say(SKIP).to_owned()];
        options.extend(choice.values.iter().cloned());
        let is_open = !choice.others.is_empty();
        options.extend(is_open.then(|| look.say(OTHER).to_owned()));
        let at = options.iter().position(|it| *it == present).unwrap_or(match present.as_str() {
            "" => usize::from(self.0.is_needed),
            _ if is_open => options.len() - 1,
            _ => 1,
        });
        let chosen = choose(&self.label(), look.say(LIST_KEYS), &options, at)?;
        if is_open && chosen == Reply::Answer(options.len() - 1) {
            return Ok(text(&self.label(), look.say(KEYS), &present)?.map(|answer| self.value(&answer)));
        }
        Ok(chosen.map(|at| if at == 0 { None } else { self.value(&options[at]) }))
    }

    fn ask_boolean(&self, present: Option<&Value>, look: Look) -> Result<Reply<Option<Value>>> {
        let options = [SKIP, "yes", "no"].map(|word| look.say(word).to_owned());
        let at = match present {
            Some(Value::Bool(true)) => 1,
            Some(Value::Bool(false)) => 2,
            _ => 0,
        };
        let chosen = choose(&self.label(), look.say(LIST_KEYS), &options, at)?;
        Ok(chosen.map(|at| (at > 0).then_some(Value::Bool(at == 1))))
    }

    /// Asks for a list: several values of a closed list, or one text after the other.
    fn ask_texts(
        &self,
        present: Option<&Value>,
        under: Option<&str>,
        look: Look,
    ) -> Result<Reply<Option<Value>>> {
        let item = |value: &Value| match under {
            Some(key) => value.get(key).map(shown).unwrap_or_default(),
            None => shown(value),
        };
        let present: Vec<String> = match present {
            Some(Value::Array(items)) => items.iter().map(item).collect(),
            Some(other) => vec![shown(other)],
            None => Vec::new(),
        };
        let list = |texts: Vec<String>| {
            let item = |text: String| match under {
                Some(key) => json!({ key: text }),
                None => Value::String(text),
            };
            let items: Vec<Value> = texts.into_iter().map(item).collect();
            (!items.is_empty()).then_some(Value::Array(items))
        };
        let values: Vec<String> = match self.0.info.schema["items"]["enum"].as_array() {
            Some(values) => values.iter().map(show).collect(),
            None => return Ok(self.ask_rows(&present, look)?.map(list)),
        };
        let chosen: Vec<usize> = (0..values.len()).filter(|at| present.contains(&values[*at])).collect();
        let chosen = choose_several(&self.label(), look.say(SEVERAL_KEYS), &values, &chosen)?;
        Ok(chosen.map(|chosen| list(chosen.into_iter().map(|at| values[at].clone()).collect())))
    }

    /// Asks for one text after the other until one is empty.
    fn ask_rows(&self, present: &[String], look: Look) -> Result<Reply<Vec<String>>> {
        let mut rows: Vec<String> = Vec::new();
        loop {
            let at = rows.len();
            let label = format!("{} {}:", one_line(self.0.key), at + 1);
            let initial = present.get(at).map_or("", String::as_str);
            let help =
                if at == 0 { KEYS } else { "Enter: go on; an empty line ends the list. Esc: go back." };
            match text(&label, look.say(help), initial)? {
                Reply::Answer(answer) if answer.trim().is_empty() => return Ok(Reply::Answer(rows)),
                // Several lines that were pasted are several rows.
                Reply::Answer(answer) => {
                    rows.extend(
                        answer.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()),
                    );
                }
                Reply::Back if rows.pop().is_some() => {}
                Reply::Back => return Ok(Reply::Back),
                Reply::Stop => return Ok(Reply::Stop),
            }
        }
    }

    /// The value of an answer; `None` if it is empty.
    fn value(&self, answer: &str) -> Option<Value> {
        let text = answer.trim();
        if text.is_empty() {
            return None;
        }
        if self.0.type_of() == FieldType::Integer
            && let Ok(number) = text.parse::<i64>()
        {
            return Some(number.into());
        }
        // What is pasted into a field of one line may come with line breaks.
        let is_long = self.0.info.takes_sentences();
        let text =
            if is_long { text.to_owned() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") };
        Some(Value::String(text))
    }
}

/// A value as it is typed.
fn shown(value: &Value) -> String {
    if value.is_null() { String::new() } else { show(value) }
}
