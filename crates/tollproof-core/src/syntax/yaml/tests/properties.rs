//! Property tests: JSON gives the same tree when read as YAML, and arbitrary input causes no panic.

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{assert_sound, json_of, read, tree};
use crate::syntax::yaml::read_events;

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (-1e9..1e9).prop_map(|it: f64| json!(it)),
        ".{0,12}".prop_map(Json::from),
        "[ -~\\n\\t]{0,30}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            proptest::collection::btree_map(".{0,8}", inner, 0..6)
                .prop_map(|it| it.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// Escapes control and non-ASCII characters: YAML requires this for some of them, JSON does not.
fn ascii(json: &str) -> String {
    let mut units = [0; 2];
    json.chars().fold(String::new(), |mut text, it| {
        if it.is_ascii() && it != '\u{7f}' {
            text.push(it);
        } else {
            for unit in it.encode_utf16(&mut units) {
                write!(text, "\\u{unit:04x}").expect("text takes text");
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn json_is_yaml(value in any_json()) {
        let value = json!({ "value": value });
        let text = ascii(&value.to_string());
        prop_assert_eq!(&tree(&text), &value);
        let pretty = ascii(&serde_json::to_string_pretty(&value).expect("a value is written"));
        prop_assert_eq!(&tree(&pretty), &value);
    }

    #[test]
    fn block_yaml_of_another_writer_is_read_alike(value in any_json()) {
        let value = json!({ "value": value });
        let text = serde_yaml::to_string(&value).expect("a value is written");
        // The writer folds lines at these, which end lines only in YAML 1.1.
        prop_assume!(!text.contains(['\u{85}', '\u{2028}', '\u{2029}']));
        let documents = read(&text);
        assert_sound(&text, &documents);
        if documents[0].syntax_errors.is_empty() {
            prop_assert_eq!(documents[0].root.as_ref().map(json_of), Some(value));
        }
    }

    #[test]
    fn any_text_is_read_without_harm(text in any::<String>()) {
        assert_sound(&text, &read(&text));
    }

    #[test]
    fn any_marks_are_read_without_harm(
        parts in proptest::collection::vec(
            prop::sample::select(vec![
                "a", "b: ", "é", " ", "  ", "\n", "\r\n", "\r", "\t", "- ", "-", "? ", ": ", ":", ",", "[", "]",
                "{", "}", "#", " # tollproof: kind=x", "&x ", "*x ", "*y", "!", "!!int ", "!<", "|", ">", "|2-", "'",
                "\"", "\\", "\\u00", "%YAML 1.2", "---", "...", "\n---\n", "\u{feff}", "\0", "\u{85}", "~",
                "null", "1", "\n  ", "\n- ", "\na: ", "\u{1F600}",
            ]),
            0..40,
        )
    ) {
        let text = parts.concat();
        assert_sound(&text, &read(&text));
    }

    #[test]
    fn comments_change_nothing_else(
        parts in proptest::collection::vec(
            prop::sample::select(vec![
                "a", "b: ", " ", "  ", "\n", "\n  ", "- ", "\n- ", "? ", ": ", ",", "[", "]", "{", "}", "#", " # c\n",
                "\n# c\n", "\n  # c\n", "# c", "&x ", "*x", "!!str ", "|\n", ">-\n", "'", "\"", "---\n", "\n...\n", "\na: ",
                "%YAML 1.2\n",
            ]),
            0..24,
        )
    ) {
        let text = parts.concat();
        let read = |has_comments| read_events(&text, has_comments, &mut Vec::new());
        prop_assert_eq!(format!("{:?}", read(false)), format!("{:?}", read(true)), "{}", text);
    }
}
