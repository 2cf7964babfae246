//! Tests of the YAML reader: trees, spans, syntax errors and arbitrary input.

mod properties;
mod syntax_errors;
mod trees;

use serde_json::{Value as Json, json};

use crate::syntax::document::{Document, Node, Value};

fn read(text: &str) -> Vec<Document<'_>> {
    super::read(text, &mut Vec::new())
}

fn one(text: &str) -> Document<'_> {
    let mut documents = read(text);
    assert_eq!(documents.len(), 1, "{text:?}");
    documents.remove(0)
}

fn root<'s>(document: &Document<'s>) -> Node<'s> {
    assert!(document.syntax_errors.is_empty(), "{:?}", document.syntax_errors);
    document.root.clone().expect("a document without faults has a root")
}

/// The tree as JSON; numbers that JSON cannot represent are strings that start with `#`.
fn json_of(node: &Node<'_>) -> Json {
    match &node.value {
        Value::Null | Value::Computed => Json::Null,
        Value::Bool(it) => json!(it),
        Value::Number(it) => serde_json::from_str(it).unwrap_or_else(|_| json!(format!("#{it}"))),
        Value::String(it) => json!(it),
        Value::Array(items) => items.iter().map(json_of).collect(),
        Value::Object(members) => {
            members.iter().map(|member| (member.key.to_string(), json_of(&member.value))).collect()
        }
    }
}

fn tree(text: &str) -> Json {
    json_of(&root(&one(text)))
}

fn slice<'t>(text: &'t str, node: &Node<'_>) -> &'t str {
    &text[node.span.range()]
}

fn assert_sound(text: &str, documents: &[Document<'_>]) {
    fn check(text: &str, node: &Node<'_>) {
        assert!(text.get(node.span.range()).is_some(), "{:?} of {text:?}", node.span);
        node.items().iter().for_each(|item| check(text, item));
        for member in node.members() {
            assert!(text.get(member.key_span.range()).is_some());
            check(text, &member.value);
        }
    }
    assert!(!documents.is_empty());
    for (index, document) in documents.iter().enumerate() {
        assert_eq!(document.index, index);
        assert!(document.root.is_some() || !document.syntax_errors.is_empty());
        document.root.iter().for_each(|root| check(text, root));
        for syntax_error in &document.syntax_errors {
            assert!(text.get(syntax_error.span.range()).is_some(), "{syntax_error:?} of {text:?}");
            assert!(
                text.is_empty() || text == "\u{feff}" || !syntax_error.span.is_empty(),
                "{syntax_error:?} of {text:?}"
            );
            assert!(!syntax_error.message.is_empty());
        }
    }
}
