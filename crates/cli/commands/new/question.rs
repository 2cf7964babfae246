//! Asks for the value of one field.

use super::form::{DraftField, FieldType};
use super::prompt::{Reply, choose, choose_several, text};
use super::tree::DraftTree;
use crate::errors::Failure;
use crate::terminal::{Look, one_line, wrap};
use tollproof_core::schema::show;

/// A field that is asked for.
#[derive(Debug)]
pub(super) struct Question<'f> {
    pub(super) field: &'f DraftField<'f>,
    /// Whether the draft needs the field.
    pub(super) required: bool,
}

/// The keys while a text is typed.
const KEYS: &str = "Enter: go on, or skip if empty. Esc: go back. Ctrl-C: save and end.";

/// The keys in a list of options.
const LIST_KEYS: &str = "Type to search. Enter: choose. Esc: go back. Ctrl-C: save and end.";

/// The keys in a list of which several can be chosen.
const SEVERAL_KEYS: &str = "Type to search. Space: mark. Enter: go on. Esc: go back. Ctrl-C: save and end.";

const SKIP: &str = "(skip)";

const OTHER: &str = "(another value)";

/// The fields with values, in the order of the form.
pub(super) fn questions<'f>(form: &'f [DraftField<'f>]) -> Vec<Question<'f>> {
    let mut found = Vec::new();
    add(form, true, &mut found);
    found
}

fn add<'f>(fields: &'f [DraftField<'f>], is_needed: bool, found: &mut Vec<Question<'f>>) {
    for field in fields {
        let required = is_needed && field.info.required;
        match field.type_of() {
            FieldType::Object | FieldType::Objects => add(&field.below, required, found),
            _ => found.push(Question { field, required }),
        }
    }
}

impl Question<'_> {
    /// The RFC 6901 pointer of the field.
    pub(super) fn pointer(&self) -> String {
        // Of a list of objects, the first is asked for.
        self.field.info.pointer.replace("/*", "/0")
    }

    /// The name of the field in a sentence.
    pub(super) fn title(&self) -> &str {
        match self.field.info.title() {
            "" => self.field.key(),
            title => title,
        }
    }

    /// What is printed before the prompt: the title, and what the field is about.
    pub(super) fn heading(&self, number: usize, of: usize, look: Look) -> String {
        let need = if self.required { "required" } else { "optional" };
        let info = &self.field.info;
        let title = look.heading(&one_line(self.title()));
        let mut text = format!("\n{title}  {} ({need}, {number} of {of})\n", one_line(&info.path));
        let about = format!("{} {}", info.description(), info.entries());
        let mut lines = vec![about];
        let example = info.examples().first().map(|it| match it {
            serde_json::Value::Array(items) => items.iter().map(show).collect::<Vec<_>>().join(", "),
            other => show(other),
        });
        let is_closed =
            !info.choice().values.is_empty() || self.field.info.schema["items"]["enum"].is_array();
        lines.extend(example.filter(|_| !is_closed).map(|it| format!("Example: {it}")));
        for line in lines {
            for line in wrap(&line, look.width.saturating_sub(2)).lines() {
                text += &format!("  {}\n", one_line(line));
            }
        }
        text
    }

    /// Asks, with the present value; `None` leaves the field empty.
    pub(super) fn ask(&self, present: Option<&DraftTree>) -> Result<Reply<Option<DraftTree>>, Failure> {
        let texts = |under: Option<&str>| self.ask_texts(present, under);
        match self.field.type_of() {
            FieldType::Boolean => self.ask_boolean(present),
            FieldType::Texts => texts(None),
            FieldType::TextsUnder(key) => texts(Some(key)),
            _ => self.ask_text(present),
        }
    }

    fn label(&self) -> String {
        format!("{}:", one_line(self.field.key()))
    }

    fn ask_text(&self, present: Option<&DraftTree>) -> Result<Reply<Option<DraftTree>>, Failure> {
        let present = present.map(shown).unwrap_or_default();
        let choice = self.field.info.choice();
        if choice.values.is_empty() {
            return Ok(map(text(&self.label(), KEYS, &present)?, |answer| self.value(&answer)));
        }
        let mut options = vec![SKIP.to_owned()];
        options.extend(choice.values.iter().cloned());
        let is_open = !choice.others.is_empty();
        options.extend(is_open.then(|| OTHER.to_owned()));
        let at = options.iter().position(|it| *it == present).unwrap_or(match present.as_str() {
            "" => usize::from(self.required),
            _ if is_open => options.len() - 1,
            _ => 1,
        });
        Ok(match choose(&self.label(), LIST_KEYS, &options, at)? {
            Reply::Answer(0) => Reply::Answer(None),
            Reply::Answer(at) if is_open && at == options.len() - 1 => {
                map(text(&self.label(), KEYS, &present)?, |answer| self.value(&answer))
            }
            Reply::Answer(at) => Reply::Answer(self.value(&options[at])),
            Reply::Back => Reply::Back,
            Reply::Stop => Reply::Stop,
        })
    }

    fn ask_boolean(&self, present: Option<&DraftTree>) -> Result<Reply<Option<DraftTree>>, Failure> {
        let options = [SKIP, "yes", "no"].map(str::to_owned);
        let at = match present {
            Some(DraftTree::Bool(true)) => 1,
            Some(DraftTree::Bool(false)) => 2,
            _ => 0,
        };
        Ok(map(choose(&self.label(), LIST_KEYS, &options, at)?, |at| match at {
            1 => Some(DraftTree::Bool(true)),
            2 => Some(DraftTree::Bool(false)),
            _ => None,
        }))
    }

    /// Asks for a list: several values of a closed list, or one text after the other.
    fn ask_texts(
        &self,
        present: Option<&DraftTree>,
        under: Option<&str>,
    ) -> Result<Reply<Option<DraftTree>>, Failure> {
        let item = |value: &DraftTree| match under {
            Some(key) => value.get(&[key.to_owned()]).map(shown).unwrap_or_default(),
            None => shown(value),
        };
        let present: Vec<String> = match present {
            Some(DraftTree::List(items)) => items.iter().map(item).collect(),
            Some(other) => vec![shown(other)],
            None => Vec::new(),
        };
        let list = |texts: Vec<String>| {
            let item = |text: String| match under {
                Some(key) => DraftTree::Object(vec![(key.to_owned(), DraftTree::Text(text))]),
                None => DraftTree::Text(text),
            };
            let items: Vec<DraftTree> = texts.into_iter().map(item).collect();
            (!items.is_empty()).then_some(DraftTree::List(items))
        };
        let values: Vec<String> = match self.field.info.schema["items"]["enum"].as_array() {
            Some(values) => values.iter().map(show).collect(),
            None => return Ok(map(self.ask_rows(&present)?, list)),
        };
        let chosen: Vec<usize> = (0..values.len()).filter(|at| present.contains(&values[*at])).collect();
        Ok(map(choose_several(&self.label(), SEVERAL_KEYS, &values, &chosen)?, |chosen| {
            list(chosen.into_iter().map(|at| values[at].clone()).collect())
        }))
    }

    /// Asks for one text after the other until one is empty.
    fn ask_rows(&self, present: &[String]) -> Result<Reply<Vec<String>>, Failure> {
        let mut rows: Vec<String> = Vec::new();
        loop {
            let at = rows.len();
            let label = format!("{} {}:", one_line(self.field.key()), at + 1);
            let initial = present.get(at).map_or("", String::as_str);
            let help =
                if at == 0 { KEYS } else { "Enter: go on; an empty line ends the list. Esc: go back." };
            match text(&label, help, initial)? {
                Reply::Answer(answer) if answer.trim().is_empty() => return Ok(Reply::Answer(rows)),
                // Several lines that were pasted are several rows.
                Reply::Answer(answer) => {
                    rows.extend(answer.lines().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()));
                }
                Reply::Back if rows.pop().is_some() => {}
                Reply::Back => return Ok(Reply::Back),
                Reply::Stop => return Ok(Reply::Stop),
            }
        }
    }

    /// The value of an answer; `None` if it is empty.
    fn value(&self, answer: &str) -> Option<DraftTree> {
        let text = answer.trim();
        if text.is_empty() {
            return None;
        }
        if self.field.type_of() == FieldType::Integer
            && let Ok(number) = text.parse::<i64>()
        {
            return Some(DraftTree::Number(number.into()));
        }
        // What is pasted into a field of one line may come with line breaks.
        let is_long = self.field.info.takes_sentences();
        let text =
            if is_long { text.to_owned() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") };
        Some(DraftTree::Text(text))
    }
}

/// A value as it is typed.
fn shown(value: &DraftTree) -> String {
    match value {
        DraftTree::Text(text) => text.clone(),
        DraftTree::Null => String::new(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

fn map<T, U>(reply: Reply<T>, with: impl FnOnce(T) -> U) -> Reply<U> {
    match reply {
        Reply::Answer(answer) => Reply::Answer(with(answer)),
        Reply::Back => Reply::Back,
        Reply::Stop => Reply::Stop,
    }
}
