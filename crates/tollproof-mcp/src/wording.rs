//! Words of the command line in texts, as those of the tools: an assistant has no command line.

use serde_json::Value;

/// The names of values that rules, findings and answers have for people.
const TEXTS: [&str; 5] = ["message", "help", "docs", "advice", "notChecked"];

/// Commands and options, and the tool or the argument in their place.
const WORDS: [(&str, &str); 8] = [
    ("`tollproof look --again`", "`tollproof look`"),
    ("`tollproof read`", "`questions`"),
    ("`tollproof rule`", "`rule`"),
    ("`tollproof rule ", "`rule "),
    ("`tollproof check`", "`check`"),
    ("`tollproof explain`", "`explain`"),
    ("`--kind", "`kind"),
    ("`--provider", "`provider"),
];

/// Rewrites the texts for people in a tool's output; those of drafts stay as they are.
pub(crate) fn for_assistant(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(for_assistant),
        Value::Object(members) => {
            for (name, member) in members {
                if TEXTS.contains(&name.as_str()) { rewrite(member) } else { for_assistant(member) }
            }
        }
        _ => {}
    }
}

fn rewrite(value: &mut Value) {
    match value {
        Value::String(text) => *text = reworded(text),
        Value::Array(items) => items.iter_mut().for_each(rewrite),
        other => for_assistant(other),
    }
}

/// A text without options of the command line: those that tools have are arguments, and a sentence about another one is left
/// out.
pub(crate) fn reworded(text: &str) -> String {
    let text = WORDS.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
    let is_option = |sentence: &str| sentence.contains("`--") || sentence.contains(" --");
    if !is_option(&text) {
        return text;
    }
    let is_end = |letters: [char; 2]| matches!(letters, ['.' | ';' | ':', ' ' | '\n']);
    let mut kept = String::with_capacity(text.len());
    let mut sentence = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        sentence.push(letter);
        if letters.peek().is_none_or(|next| is_end([letter, *next])) {
            if !is_option(&sentence) {
                kept.push_str(&sentence);
            }
            sentence.clear();
        }
    }
    match kept.trim().trim_end_matches([';', ':']) {
        "" => text.replace("`--", "`"),
        kept if kept.ends_with('.') => kept.to_owned(),
        kept => format!("{kept}."),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{for_assistant, reworded};

    #[test]
    fn no_rule_names_an_option_of_the_command_line() {
        let mut rules = serde_json::to_value(tollproof_project::described_rules(None, None, &[]));
        let rules = rules.as_mut().expect("rules have JSON");
        for_assistant(rules);
        for rule in rules.as_array().expect("it is a list") {
            for text in ["help", "message", "docs"].map(|name| rule[name].as_str().unwrap_or_default()) {
                assert!(!text.contains("`--") && !text.contains(" --"), "{}: {text}", rule["id"]);
                assert!(!text.contains("`tollproof read"), "{}: {text}", rule["id"]);
            }
        }
    }

    #[test]
    fn a_sentence_about_another_option_is_left_out_and_a_draft_stays() {
        let text = "A draft is judged by today's date; `--now` judges it by another. Write the number.";
        assert_eq!(reworded(text), "A draft is judged by today's date; Write the number.");
        assert_eq!(reworded("Run `tollproof read`, then check again."), "Run `questions`, then check again.");
        let mut value = json!({ "draft": { "useCaseSummary": "run `tollproof read` --now" } });
        let before = value.clone();
        for_assistant(&mut value);
        assert_eq!(value, before);
    }
}
