//! `rules/vocabulary/`: one term a line, sorted.

use std::fs;

use super::{at, generated, read};

const FOLDER: &str = "rules/vocabulary";

#[test]
fn terms_are_sorted_one_a_line() {
    for entry in fs::read_dir(at(FOLDER)).expect("the folder is there") {
        let name = entry.expect("it can be read").file_name().into_string().expect("names are ASCII");
        let path = format!("{FOLDER}/{name}");
        let text = read(&path);
        let (unsorted, sorted) = (one_a_line(&path, &text), sorted(&one_a_line(&path, &text)));
        if std::env::var_os("UPDATE").is_none() {
            let line = (1..).zip(unsorted.lines().zip(sorted.lines())).find(|(_, (is, should))| is != should);
            if let Some((line, (is, should))) = line {
                let (is, should) = (is.trim(), should.trim());
                panic!(
                    "{path}:{line}: `{should}` belongs before `{is}`: run `UPDATE=1 cargo test --test main generated`"
                );
            }
        }
        generated(&path, &sorted);
    }
}

/// The text with each list in brackets as lines.
fn one_a_line(path: &str, text: &str) -> String {
    let mut lines = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        match line.split_once(": [") {
            Some((key, list))
                if key.trim_start().chars().all(|it| it.is_ascii_lowercase()) && !key.contains("means") =>
            {
                let terms = serde_yaml::from_str::<Vec<serde_yaml::Value>>(&format!("[{list}"));
                let terms =
                    terms.unwrap_or_else(|_| panic!("{path}:{number}: write one term a line, after `- `"));
                let indent = " ".repeat(key.len() - key.trim_start().len() + 2);
                lines += &format!("{key}:\n");
                for term in terms {
                    let term = serde_yaml::to_string(&term).expect("a term can be written");
                    lines += &format!("{indent}- {}\n", term.trim());
                }
            }
            _ => lines += &format!("{line}\n"),
        }
    }
    lines
}

/// The text with the terms of each list in order. Comments above a term stay above it.
fn sorted(text: &str) -> String {
    let (mut sorted, mut list, mut comments) = (String::new(), Vec::new(), String::new());
    let mut is_list = false;
    for line in text.lines() {
        let is_term = line.trim_start().starts_with("- ");
        if is_term || is_list && line.trim_start().starts_with('#') {
            comments += &format!("{line}\n");
            if is_term {
                list.push((key(line), std::mem::take(&mut comments)));
            }
            continue;
        }
        list.sort();
        sorted.extend(list.drain(..).map(|(_, lines)| lines));
        sorted += &std::mem::take(&mut comments);
        sorted += &format!("{line}\n");
        // A list has the name of a language, which is a code of two letters.
        let name = line.trim().strip_suffix(':');
        is_list = name.is_some_and(|name| name == "any" || name.len() == 2);
    }
    list.sort();
    sorted.extend(list.into_iter().map(|(_, lines)| lines));
    sorted + &comments
}

/// By what terms are sorted: their words without case, accents and signs.
fn key(line: &str) -> (String, String) {
    let plain = |letter: char| match letter {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        'œ' => 'o',
        letter if letter.is_alphanumeric() => letter,
        _ => ' ',
    };
    let term = line.trim_start().trim_start_matches("- ").trim_matches('"');
    let words: String = term.to_lowercase().chars().map(plain).collect();
    (words.split_whitespace().collect::<Vec<_>>().join(" "), term.to_owned())
}

#[test]
fn comments_move_with_their_term() {
    let text = "a:\n  # b\n  en:\n    # t\n    - tick\n    # why\n    - box|boxes\n    - \"été #\"\n  # end\n  fr:\n    - y\n";
    let expected = "a:\n  # b\n  en:\n    # why\n    - box|boxes\n    - \"été #\"\n    # t\n    - tick\n  # end\n  fr:\n    - y\n";
    assert_eq!(sorted(text), expected);
    assert_eq!(
        sorted(&one_a_line("a", "a:\n  en: [b, a, \"# c\"]\n")),
        "a:\n  en:\n    - a\n    - b\n    - '# c'\n"
    );
}
