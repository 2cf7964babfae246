//! Texts made of the examples of the built-in rules, of marks that change how words are read, and of anything.

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use serde_json::Value;
use tollproof_core::{RuleFile, builtin_rules, decode};

/// A text as its parts: the fuzzer changes which parts, instead of single letters of long sentences.
#[derive(Arbitrary, Debug)]
pub struct TextRecipe(Vec<TextPiece>);

#[derive(Arbitrary, Debug)]
enum TextPiece {
    /// An example.
    Example(u16),
    /// A word of an example.
    Word(u16),
    Mark(u8),
    Written(String),
    /// The last bytes of the text so far, again and again.
    Again {
        bytes: u8,
        times: u16,
    },
}

/// Characters and words that begin, end or join something when a text is read.
const MARKS: [&str; 64] = [
    " ", " ", " ", ".", ". ", ",", ", ", ";", ": ", ":", "!", "?", "\n", "\r\n", "\t", "(", ")", "[", "]",
    "{", "}", "[ ]", "[x]", "( )", "☐", "✓", "\"", ": \"", "“", "”", "«", "»", "'", "’", "`", "d'", " not ",
    " cannot ", " never ", " but ", " unless ", " & ", "$5", "5%", "€", "://", "https://", "www.", ".com",
    "@", "/", "#", " #", "-", " - ", "\u{2011}", "\u{200b}", "\u{feff}", "\u{301}", "\u{fe0f}", "ﷺ", "İ",
    "ß", "\0",
];

impl TextRecipe {
    /// The text, cut at a number of bytes.
    pub fn text(&self, most: usize) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                TextPiece::Example(at) => text.push_str(of(&snippets().examples, *at)),
                TextPiece::Word(at) => text.extend([word(*at), " "]),
                TextPiece::Mark(at) => text.push_str(MARKS[usize::from(*at) % MARKS.len()]),
                TextPiece::Written(written) => text.push_str(written),
                TextPiece::Again { bytes, times } => {
                    let start = text.floor_char_boundary(text.len().saturating_sub(usize::from(*bytes)));
                    let last = text[start..].to_owned();
                    let fitting = most.saturating_sub(text.len()) / last.len().max(1) + 1;
                    text.push_str(&last.repeat(usize::from(*times).min(fitting)));
                }
            }
            if text.len() > most {
                text.truncate(text.floor_char_boundary(most));
                break;
            }
        }
        text
    }
}

/// All examples.
pub(crate) fn examples() -> &'static [String] {
    &snippets().examples
}

/// A word of the examples.
pub(crate) fn word(at: u16) -> &'static str {
    of(&snippets().words, at)
}

struct Snippets {
    examples: Vec<String>,
    words: Vec<String>,
}

/// The texts in the examples of the built-in rules, and their words.
fn snippets() -> &'static Snippets {
    static SNIPPETS: OnceLock<Snippets> = OnceLock::new();
    SNIPPETS.get_or_init(|| {
        let mut examples = Vec::new();
        for (id, text) in builtin_rules() {
            let rule = decode::<RuleFile>(id, text).expect("built-in rules can be read");
            for example in rule.examples.pass.iter().chain(&rule.examples.fail) {
                collect(example, &mut examples);
            }
        }
        let words = examples.iter().flat_map(|it| it.split_whitespace());
        let mut words: Vec<String> =
            words.map(|word| word.trim_matches(|it: char| !it.is_alphanumeric()).to_owned()).collect();
        for all in [&mut examples, &mut words] {
            all.sort();
            all.dedup();
        }
        words.retain(|it| !it.is_empty());
        Snippets { examples, words }
    })
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|it| collect(it, texts)),
        Value::Object(members) => members.values().for_each(|it| collect(it, texts)),
        _ => {}
    }
}

fn of(all: &[String], at: u16) -> &str {
    &all[usize::from(at) % all.len()]
}
