//! Tests of drafts written as YAML: what is written is read again.

use proptest::prelude::*;
use tollproof_core::{Format, Parsed, Source};

use super::tree::DraftTree;
use super::yaml::yaml;

fn values() -> impl Strategy<Value = DraftTree> {
    let text = prop_oneof![
        "[a-zA-Z0-9 :#'\"\\-+%@&*!|>{}\\[\\],?.]{0,30}",
        "([a-z\"#:'é漢]{1,12} ){8,30}end",
        "\\PC{0,20}|[\\x00-\\x1f\\x7f-\\x9f\u{2028}\u{feff}\u{fffe} a]{0,12}",
    ];
    let leaf = prop_oneof![
        Just(DraftTree::Null),
        text.prop_map(DraftTree::Text),
        any::<bool>().prop_map(DraftTree::Bool),
        any::<i64>().prop_map(|it| DraftTree::Number(it.into())),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(DraftTree::List),
            proptest::collection::btree_map("[a-zA-Z.]{1,9}|\\PC{1,4}", inner, 1..4)
                .prop_map(|it| DraftTree::Object(it.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(first in values(), second in values()) {
        let draft = DraftTree::Object(vec![("a".to_owned(), first), ("b.c".to_owned(), second)]);
        let text = yaml(&draft, &|_| String::new());
        let source = Source::new("draft.yaml", text.as_str());
        let parsed = Parsed::of(&source, Some(Format::Yaml));
        let document = parsed.only().expect("it is one document");
        prop_assert!(document.syntax_errors.is_empty(), "{:?}\n{text}", document.syntax_errors);
        let read = DraftTree::of(document.root.as_ref().expect("it was read"));
        prop_assert_eq!(&read, &draft, "{}", text);
    }
}
