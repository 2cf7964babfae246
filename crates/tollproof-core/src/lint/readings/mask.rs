//! Personal data replaced by placeholders before a text leaves, and put back in quotes.

use crate::redact::Redaction;

/// The placeholders of a request, and what each replaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Placeholders(Vec<(String, String)>);

impl Placeholders {
    /// A text without personal data.
    pub(super) fn mask(&mut self, text: &str, redaction: &Redaction) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut at = 0;
        for range in redaction.personal_in(text) {
            masked.push_str(&text[at..range.start]);
            masked.push_str(self.placeholder(&text[range.clone()], text));
            at = range.end;
        }
        masked.push_str(&text[at..]);
        masked
    }

    /// A quote with what its placeholders replace.
    pub(super) fn unmask(&self, quote: &str) -> String {
        self.0
            .iter()
            .fold(quote.to_owned(), |quote, (placeholder, original)| quote.replace(placeholder, original))
    }

    /// The placeholder of a value. The text in which it is used does not have it already.
    fn placeholder(&mut self, value: &str, text: &str) -> &str {
        let known = self.0.iter().position(|(_, original)| original == value);
        let at = known.unwrap_or_else(|| {
            let kind = kind(value);
            let names = (1..).map(|number| format!("[{kind} {number}]"));
            let is_free = |name: &String| !text.contains(name) && self.0.iter().all(|(it, _)| it != name);
            let name = names.into_iter().find(is_free).expect("there are more numbers than names");
            self.0.push((name, value.to_owned()));
            self.0.len() - 1
        });
        &self.0[at].0
    }
}

/// What a reader may know of a value.
fn kind(value: &str) -> &'static str {
    match (
        value.contains('@'),
        value.contains(char::is_alphabetic),
        value.contains(|it: char| it.is_ascii_digit()),
    ) {
        (true, _, _) => "EMAIL",
        (_, true, true) => "ADDRESS",
        (_, true, false) => "NAME",
        _ => "NUMBER",
    }
}
