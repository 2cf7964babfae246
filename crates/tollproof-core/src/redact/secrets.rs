//! Finds and masks passwords in URLs and connection strings, and in settings that contain them.

use std::ops::Range;

use percent_encoding::percent_decode_str;

use super::stars_at;
use crate::syntax::document::Node;
use crate::syntax::source::Source;
use crate::syntax::string_map;
use crate::syntax::{Format, Parsed};

/// Names of secret parameters, in addition to names that end with `password`.
const SECRET: [&str; 7] = ["passwd", "pwd", "pass", "passphrase", "secret", "token", "apikey"];

/// Finds passwords in URLs (`scheme://user:password@host`) and parameters (`?password=…`, `host=… password=…`,
/// `password: …`). Names may be in any case and percent-encoded. The ranges are sorted and do not overlap.
#[must_use]
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, mark) in text.match_indices("://") {
        found.extend(in_address(text, at, at + mark.len()));
    }
    for (at, _) in text.match_indices('@') {
        found.extend(before_host(text, at));
    }
    for (at, _) in text.match_indices(['=', ':']) {
        found.extend(of_parameter(text, at));
    }
    joined(found)
}

/// Sorts ranges, removes empty ones, and merges those that touch or overlap.
fn joined(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.retain(|it| !it.is_empty());
    found.sort_by_key(|it| (it.start, it.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for range in found {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Finds passwords in a single value, which may contain whitespace and quotes.
pub(super) fn secrets_of_value(value: &str) -> Vec<Range<usize>> {
    let quoted = secrets(&format!("`{value}`"));
    quoted.into_iter().map(|it| it.start.max(1) - 1..(it.end - 1).min(value.len())).collect()
}

/// Masks passwords. All other characters keep their position.
#[must_use]
pub fn without_secrets(text: &str) -> String {
    stars_at(text, secrets(text))
}

/// Masks passwords in a YAML configuration, including values with escapes, nested quotes or line breaks.
#[must_use]
pub fn settings_without_secrets(text: &str) -> String {
    let source = Source::new("", text);
    let mut found = secrets(text);
    for document in Parsed::of(&source, Some(Format::Yaml)).whole().documents() {
        document.root.iter().for_each(|root| in_values(text, root, &mut found));
    }
    stars_at(text, joined(found))
}

/// Adds the passwords in all values below a node.
fn in_values(text: &str, node: &Node<'_>, found: &mut Vec<Range<usize>>) {
    node.members().iter().for_each(|member| in_values(text, &member.value, found));
    node.items().iter().for_each(|item| in_values(text, item, found));
    let secrets = node.as_str().map(secrets_of_value).unwrap_or_default();
    found.extend(secrets.into_iter().map(|range| string_map::inner_span(text, node, range).range()));
}

/// Finds the password in a URL whose scheme ends at `mark`. A password may contain `@`, so it ends at the last one.
fn in_address(text: &str, mark: usize, start: usize) -> Option<Range<usize>> {
    let begins = text[..mark].rfind(|c: char| !c.is_alphanumeric() && !"+-.%".contains(c));
    let quote = begins.and_then(|at| text[at..].chars().next()).filter(|c| matches!(c, '"' | '\'' | '`'));
    let rest = &text[start..];
    let rest = match quote {
        Some(quote) => rest.split([quote, '\n', '\r']).next(),
        None => rest.split(char::is_whitespace).next(),
    };
    let rest = rest.unwrap_or_default();
    // Another URL may follow without whitespace.
    let rest = &rest[..rest.find("://").unwrap_or(rest.len())];
    let end = match (rest.rfind('@'), rest.rfind("%40")) {
        (Some(end), _) | (None, Some(end)) => end,
        (None, None) => {
            // If the port is not a number, it may be a password in a URL without a host.
            let authority = rest.split(['/', '?', '#', ',']).next().unwrap_or_default();
            let (host, port) = authority.split_once(':')?;
            let is_port = port.bytes().all(|it| it.is_ascii_digit());
            let is_ipv6 = host.starts_with('[');
            let from = start + host.len() + 1;
            return (!is_port && !is_ipv6).then_some(from..from + port.len());
        }
    };
    let user = &rest[..end];
    let colon = user.find(':').map(|at| at + 1);
    let encoded = user.to_ascii_lowercase().find("%3a").map(|at| at + "%3a".len());
    let from = colon.into_iter().chain(encoded).min()?;
    Some(start + from..start + end)
}

/// Finds the password in `user:password@host`, a URL without a scheme.
fn before_host(text: &str, at: usize) -> Option<Range<usize>> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '[' | ',');
    let start =
        text[..at].rfind(ends).map_or(0, |it| it + text[it..].chars().next().map_or(1, char::len_utf8));
    let (user, password) = text[start..at].split_once(':')?;
    // `sqlite:a@b.db` and `C:\a@b` are paths.
    let is_path = user.len() < 2 || user == "sqlite" || password.starts_with("//");
    (!is_path).then_some(start + user.len() + 1..at)
}

/// Finds the value after `=` or `:` if the name before it is secret.
fn of_parameter(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text[..at].trim_end_matches([' ', '"', '\'']);
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '%');
    let name = &before[before.trim_end_matches(is_of_name).len()..];
    if !is_secret(name) {
        return None;
    }
    let is_parameter = text[at..].starts_with('=');
    let behind = text[at + 1..].trim_start_matches(' ');
    let start = text.len() - behind.len();
    if let Some(quote) = behind.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        // Escapes differ between notations, so the value ends at the last such quote of the line.
        let value = behind[1..].split('\n').next().unwrap_or_default();
        let end = value.rfind(quote).unwrap_or(value.len());
        // Characters directly after the closing quote are part of an incorrectly quoted value.
        let rest = value.get(end + 1..).unwrap_or_default();
        let rest =
            &rest[..rest.find(|c: char| c.is_whitespace() || "]},;&`\"'".contains(c)).unwrap_or(rest.len())];
        let end = if rest.is_empty() { end } else { end + 1 + rest.len() };
        return Some(start + 1..start + 1 + end);
    }
    // A quote ends the value if it was opened before the value on the same line.
    let line = &text[text[..at].rfind('\n').map_or(0, |it| it + 1)..at];
    let closes = |c: char| matches!(c, '"' | '\'' | '`') && line.matches(c).count() % 2 == 1;
    let ends = |c: char| c.is_whitespace() || c == '&' && is_parameter || closes(c);
    let value = &behind[..behind.find(ends).unwrap_or(behind.len())];
    // Closing brackets and commas of YAML lists and objects.
    let value = if is_parameter { value } else { value.trim_end_matches([']', '}', ',']) };
    Some(start..start + value.len())
}

/// Whether a parameter with this name is secret. `passfile` and `sslkey` are not: they contain paths.
fn is_secret(name: &str) -> bool {
    let name = percent_decode_str(name).decode_utf8_lossy().to_ascii_lowercase();
    name.ends_with("password") || SECRET.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_settings_are_masked_however_they_are_written() {
        for text in [
            r#"history: ["host=h password=\"hunter2\""]"#,
            r#"history: ["host=h password=x\"hunter2"]"#,
            r#"history: ["host=h password=''hunter2"]"#,
            r#"history: "host=h p\u0061ssword=hunter2""#,
            r#"{"history":["host=h passwor\u0064=hunter2 "], "x":1}"#,
            r#"history: ["postgres://ana:hun\"hunter2@h/x",1]"#,
            "history: [\n  postgres://ana:hun\n  ter2hunter2@h/x, 3 ]",
            "history: ['host=h password=''hunter2''']",
        ] {
            let masked = settings_without_secrets(text);
            assert!(!masked.contains("hunter2") && !masked.contains("ter2"), "{masked}");
            assert_eq!((masked.len(), masked.contains("history")), (text.len(), true), "{masked}");
        }
        let plain = "history: [sqlite:past.db, 'postgres://ana@h/x']\nreason: it is right\n";
        assert_eq!(settings_without_secrets(plain), plain);
    }

    #[test]
    fn passwords_are_masked_and_nothing_else() {
        for (text, shown) in [
            (
                "postgres://ana:s3cret@db:5433/past?sslmode=require",
                "postgres://ana:******@db:5433/past?sslmode=require",
            ),
            (
                "history: [\"postgres://ana:s3@cret@db/past\", sqlite:a.db] # a@b: c",
                "history: [\"postgres://ana:*******@db/past\", sqlite:a.db] # a@b: c",
            ),
            ("['postgres://ana:s3 c,ret@db/past', b@c]", "['postgres://ana:** *****@db/past', b@c]"),
            ("postgres://ana:s3%40cret@db", "postgres://ana:*********@db"),
            ("postgres://ana%3As3cret%40db/past", "postgres://ana%3A******%40db/past"),
            ("sqlite:postgres://ana:s3cret@db/past", "sqlite:postgres://ana:******@db/past"),
            ("postgres://host=db password=s3cret user=ana", "postgres://host=db password=****** user=ana"),
            ("host=db PassWord = 's3 cr\\'et' dbname=past", "host=db PassWord = '** ******' dbname=past"),
            (
                "postgres://db/past?user=ana&password=s3cret&sslkey=a.key",
                "postgres://db/past?user=ana&password=******&sslkey=a.key",
            ),
            (
                "postgres://db/past?p%61ssword=s3cret&sslpassword=key",
                "postgres://db/past?p%61ssword=******&sslpassword=***",
            ),
            ("postgres://db?passfile=/home/ana/.pgpass", "postgres://db?passfile=/home/ana/.pgpass"),
            (
                "there is no history `host=db password=s3cret`: no file",
                "there is no history `host=db password=******`: no file",
            ),
            ("history: { password: s3cret }", "history: { password: ****** }"),
            ("postgres://ana:s3cret", "postgres://ana:******"),
            ("history: [ana:s3cret@db]", "history: [ana:******@db]"),
            ("sqlite:a@b.db, C:\\a@b, files: a@b", "sqlite:a@b.db, C:\\a@b, files: a@b"),
            (
                "postgres://[::1]:5432/past, postgres://db:5432",
                "postgres://[::1]:5432/past, postgres://db:5432",
            ),
            (
                "`--config` names no password; see https://example.com/a:b",
                "`--config` names no password; see https://example.com/a:b",
            ),
            ("password=sécrét", "password=*·***·*"),
        ] {
            let masked = without_secrets(text);
            if text.is_ascii() {
                assert_eq!(masked, shown, "{text}");
            }
            assert!(!masked.contains("s3") && !masked.contains("cr"), "{masked}");
            assert_eq!((masked.len(), masked.chars().count()), (text.len(), text.chars().count()));
        }
    }
}
