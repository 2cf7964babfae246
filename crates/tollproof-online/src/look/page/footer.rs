//! Names and postal addresses in the foot of a page.

use std::sync::OnceLock;

use regex::Regex;

use super::super::words::{folded, words};

/// The longest name and postal address, in characters.
pub(super) const LONGEST_NAME: usize = 120;
pub(super) const LONGEST_ADDRESS: usize = 200;

/// The longest line with a copyright, in characters.
const LONGEST_LINE: usize = 400;

/// The longest line of an address, and how many lines are before the one with the postal code.
const LINE: usize = 60;
const LINES_BEFORE: usize = 3;

/// Words before `by` or `of` and the name of the owner.
const OWNERS: [&str; 8] =
    ["owned", "operated", "managed", "d/b/a", "dba", "trade name", "exploité", "operado"];

/// The name in a line such as `© 2019-2026 Acme LLC. All rights reserved.`
pub(super) fn copyright_holder(text: &str) -> Option<String> {
    if text.chars().count() > LONGEST_LINE {
        return None;
    }
    static MARK: OnceLock<Regex> = OnceLock::new();
    static YEARS: OnceLock<Regex> = OnceLock::new();
    let mark = MARK.get_or_init(|| {
        Regex::new(r"(?i)(?:©|\(c\)|\bcopyright\b)[\s:,.]*(?:©|\(c\)|copyright)?").expect("it is tested")
    });
    let years = YEARS.get_or_init(|| {
        Regex::new(r"(?i)\b(?:19|20)\d\d\b(?:\s*[-–—]\s*(?:(?:19|20)?\d\d\b|present|now|today))?")
            .expect("it is tested")
    });
    let found = mark.find(text)?;
    // Without the sign, it may be a word or a clause of a sentence.
    if !found.as_str().contains('©') && !years.is_match(text) {
        return None;
    }
    let after = text.get(found.end()..)?;
    let after = years.replace_all(after, " ");
    let line = after.split(['|', '•', '·', '\n', '©']).map(str::trim).find(|it| !it.is_empty())?;
    // Case and accents have the length of what they replace only in ASCII, so the line is cut word by word.
    let mut name = String::new();
    for word in line.split_whitespace() {
        name.push_str(word);
        if let Some(at) = words().rights.find(&folded(&name)) {
            name = folded_prefix(&name, at);
            break;
        }
        name.push(' ');
    }
    let name =
        name.trim().trim_matches(|character: char| character.is_whitespace() || ",;:-–—".contains(character));
    let name = ["by ", "par ", "por "].into_iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    // A sentence follows the name.
    let end = name.find(". ").filter(|at| name[..*at].contains(' ') && !is_initial(&name[..*at]));
    let name = end.map_or(name, |at| &name[..at]).trim().trim_end_matches('.').trim();
    let has_letters = name.chars().filter(|it| it.is_alphabetic()).count() >= 2;
    (has_letters && name.chars().count() <= LONGEST_NAME).then(|| name.to_owned())
}

/// The beginning of a text up to a place in its folded form.
fn folded_prefix(text: &str, at: usize) -> String {
    let mut prefix = String::new();
    for it in text.chars() {
        if folded(&prefix).len() >= at {
            break;
        }
        prefix.push(it);
    }
    prefix
}

/// Whether a text ends in an initial or a short form, such as `Acme Inc` or `J`.
fn is_initial(text: &str) -> bool {
    text.rsplit(' ').next().is_some_and(|word| word.chars().count() <= 3)
}

/// Names with a legal form, such as `Acme Diner LLC`.
pub(super) fn companies(text: &str) -> Vec<String> {
    static COMPANY: OnceLock<Regex> = OnceLock::new();
    let company = COMPANY.get_or_init(|| {
        Regex::new(concat!(
            r"(?:\b(by|through|via|of|with|from|par|por)\s+)?",
            r"((?:\p{Lu}\p{L}?\.|\p{Lu}[\p{L}\p{N}'’&-]*|\d+)",
            r"(?:\s+(?:\p{Lu}\p{L}?\.|Co\.|[\p{Lu}\p{N}][\p{L}\p{N}'’&-]*|&|\+|and|of|the|for|at|in|de|des|du|la|le|les|et|y|del|los)){0,8},?\s+",
            r"(?:(?:LLC|PLLC|LLP|L3C|[Ii]nc|INC|Incorporated|Corp|Corporation|Ltd|Limited|Ltée|ltée|enr)\b|L\.L\.C\.|P\.A\.|P\.C\.|S\.A\.))",
        ))
        .expect("it is tested")
    });
    // What is made or shown by another business is not its own.
    let is_owner = |before: &str| OWNERS.iter().any(|ending| folded(before).trim_end().ends_with(ending));
    let all = company.captures_iter(text);
    let all = all.filter(|captures| captures.get(1).is_none_or(|word| is_owner(&text[..word.start()])));
    // A year is before a name and not a part of it.
    let start = |name: &str| {
        name.find(|character: char| !character.is_ascii_digit() && !character.is_whitespace())
            .filter(|_| year().is_match(name))
    };
    let names = all
        .filter_map(|it| it.get(2))
        .map(|group| group.as_str())
        .map(|name| &name[start(name).unwrap_or_default()..]);
    names.filter(|name| name.chars().count() <= LONGEST_NAME).map(str::to_owned).collect()
}

/// Years at the start of a text.
fn year() -> &'static Regex {
    static YEAR: OnceLock<Regex> = OnceLock::new();
    YEAR.get_or_init(|| Regex::new(r"^(?:(?:19|20)\d\d\s+)+").expect("it is tested"))
}

/// The postal address in the last of some lines, with the lines before it where it is on several.
pub(super) fn postal_address(lines: &[&str]) -> Option<String> {
    if !postal_code().is_match(lines.last()?) {
        return None;
    }
    let parts: Vec<&str> = lines
        .iter()
        .flat_map(|it| it.split(['|', '•', '·']))
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .collect();
    let at = parts.iter().rposition(|part| postal_code().is_match(part))?;
    let last = parts[at];
    let code = postal_code().find(last)?;
    let is_street = |line: &str| {
        line.starts_with(|it: char| it.is_ascii_digit())
            || line.starts_with("PO ")
            || line.starts_with("P.O.")
    };
    let mut first = at;
    if !last[..code.start()].contains(|it: char| it.is_ascii_digit()) {
        let before =
            (0..at).rev().take(LINES_BEFORE).take_while(|index| parts[*index].chars().count() <= LINE);
        first = before.into_iter().find(|it| is_street(parts[*it])).unwrap_or(at);
    }
    Some(parts[first..=at].join(", ")).filter(|address| address.chars().count() <= LONGEST_ADDRESS)
}

/// A postal code of the US after a state, or of Canada.
fn postal_code() -> &'static Regex {
    static CODE: OnceLock<Regex> = OnceLock::new();
    CODE.get_or_init(|| {
        Regex::new(r"(?:\b[A-Z]{2}\.?,?|,\s+[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s+\d{5}(?:-\d{4})?\b|\b[A-Z]\d[A-Z]\s?\d[A-Z]\d\b").expect("it is tested")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copyright_lines_have_names() {
        for (line, expected) in [
            ("© 2026 Acme LLC. All rights reserved.", Some("Acme LLC")),
            ("Copyright © 2019-2026 Acme, Inc. All Rights Reserved", Some("Acme, Inc")),
            ("© 2019 – present by Casco Bay Kayak", Some("Casco Bay Kayak")),
            ("(c) Acme Diner 2026 | Privacy | TermPattern", Some("Acme Diner")),
            ("© Café Délices 2026. Tous droits réservés.", Some("Café Délices")),
            ("© 2026 Panadería Sol - Todos los derechos reservados", Some("Panadería Sol")),
            ("© 2026", None),
            ("© 2026 All rights reserved", None),
            ("Our copyright lawyers help artists.", None),
            ("(c) to the extent that the law allows", None),
            ("Call us today", None),
        ] {
            assert_eq!(copyright_holder(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn companies_have_a_legal_form() {
        for (line, expected) in [
            ("Visit us. Marsh & Bell Realty, Inc. Licensed in Maine.", &["Marsh & Bell Realty, Inc"][..]),
            ("Acme Diner LLC, 1 Main Street", &["Acme Diner LLC"]),
            ("Vélo Bleu de Magog inc. et ses amis", &["Vélo Bleu de Magog inc"]),
            ("© 2026 Acme Diner LLC", &["Acme Diner LLC"]),
            ("Website by Pixel Barn LLC", &[]),
            ("the limited offer of an included drink", &[]),
        ] {
            assert_eq!(companies(line), expected, "{line}");
        }
    }

    #[test]
    fn addresses_may_have_lines() {
        let address = |lines: &[&str]| postal_address(lines);
        assert_eq!(
            address(&["Visit", "12 Mill St", "Suite 3", "Lincoln, NE 68502"]).as_deref(),
            Some("12 Mill St, Suite 3, Lincoln, NE 68502")
        );
        assert_eq!(
            address(&["Call 402 555 0100", "Lincoln, NE 68502"]).as_deref(),
            Some("Lincoln, NE 68502")
        );
        assert_eq!(address(&["12 Mill St", "Order 68502"]), None);
    }
}
