//! Tests of drafts written as YAML: what is written is read again.

use proptest::prelude::*;
use serde_json::{Value, json};
use tollproof_core::{Format, Parsed, Source};

use super::yaml::yaml;

fn values() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[a-zA-Z0-9 :#'\"\\-+%@&*!|>{}\\[\\],?.]{0,30}",
        "([a-z\"#:'é漢]{1,12} ){8,30}end",
        "\\PC{0,20}|[\\x00-\\x1f\\x7f-\\x9f\u{2028}\u{feff}\u{fffe} a]{0,12}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        text.prop_map(Value::String),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| Value::Number(number.into())),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(Value::Array),
            proptest::collection::btree_map("[a-zA-Z.]{1,9}|\\PC{1,4}", inner, 1..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(first in values(), second in values()) {
        let draft = json!({ "a": first, "b.c": second });
        let text = yaml(&draft, &|_| String::new());
        let source = Source::new("draft.yaml", text.as_str());
        let parsed = Parsed::of(&source, Some(Format::Yaml));
        let document = parsed.only().expect("it is one document");
        prop_assert!(document.syntax_errors.is_empty(), "{:?}\n{text}", document.syntax_errors);
        let read = serde_json::to_value(document.root.as_ref().expect("it was read")).expect("it is JSON");
        prop_assert_eq!(&read, &draft, "{}", text);
    }
}
