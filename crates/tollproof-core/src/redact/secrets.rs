//! Finds and masks passwords in URLs and connection strings, and in settings that contain them.

use std::ops::Range;
use std::path::Path;

use percent_encoding::percent_decode_str;

use super::pii::joined;
use super::stars_at;
use crate::syntax::document::Node;
use crate::syntax::field_names::is_secret as is_secret_name;
use crate::syntax::source::Source;
use crate::syntax::{Format, MAX_WRITTEN, Parsed, string_map};

/// Names of secret parameters, in addition to names that end with `password`.
const SECRET: [&str; 7] = ["passwd", "pwd", "pass", "passphrase", "secret", "token", "apikey"];

/// Finds passwords in URLs (`scheme://user:password@host`) and parameters (`?password=…`, `host=… password=…`,
/// `password: …`). Names may be in any case and percent-encoded. The ranges are sorted and do not overlap.
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, mark) in text.match_indices("://") {
        found.extend(in_address(text, at, at + mark.len()));
    }
    let mut start = 0;
    for chunk in text.split_inclusive(ends_user) {
        found.extend(before_host(chunk).map(|it| start + it.start..start + it.end));
        start += chunk.len();
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        found.extend(of_parameters(line).into_iter().map(|it| start + it.start..start + it.end));
        start += line.len();
    }
    joined(found)
}

/// Finds passwords in a single value, which may contain whitespace and quotes.
pub(super) fn secrets_of_value(value: &str) -> Vec<Range<usize>> {
    let quoted = secrets(&format!("`{value}`"));
    quoted.into_iter().map(|range| range.start.max(1) - 1..(range.end - 1).min(value.len())).collect()
}

/// Masks passwords. All other characters keep their position.
pub fn without_secrets(text: &str) -> String {
    stars_at(text, secrets(text))
}

/// Masks passwords, and the keys and tokens of providers' accounts that stand beside a draft in notes and programs.
fn without_keys(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.len() > 24);
    let place = |word: &str| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    };
    let keys = words.filter(|word| is_key(word)).map(place);
    let mut named = Vec::new();
    let is_encoded = text.contains("-Encoding: base64");
    for line in text.lines() {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        // Keys may be in a mail in letters that do not show them.
        let is_code =
            is_encoded && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        named.extend(is_code.then_some(start..start + line.len()));
        let mut at = 0;
        while let Some(range) = line.get(at..).and_then(|rest| named_key(rest, at)) {
            at = range.end + 1;
            named.push(start + range.start..start + range.end);
        }
    }
    stars_at(text, joined(secrets(text).into_iter().chain(keys).chain(named).collect()))
}

/// The value after the name of a password, a token or a key in a part of a line that begins `at` there: a literal, or else
/// the rest of the line.
fn named_key(line: &str, at: usize) -> Option<Range<usize>> {
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    let start = words.filter(|word| !word.is_empty()).find_map(|word| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        let rest = &line[end..];
        if matches!(word, "-u" | "--user" | "Bearer") {
            return rest.starts_with([' ', '=']).then_some(end + 1);
        }
        let value = rest.trim_start_matches(['"', '\'', '`', '*', ']', ' ']);
        let is_quoted = rest.starts_with(['"', '\'', '`']) && value.starts_with(',');
        let is_before = rest.starts_with('(') || is_quoted || value.starts_with([':', '=', '|']);
        (is_before && is_secret_name(word)).then_some(line.len() - value.len() + 1)
    })?;
    let value = line[start..].trim_start();
    let literal = value.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`')).and_then(|quote| {
        let end = value[1..].find(quote)? + 1;
        // What is joined with it may be secret too.
        let is_whole =
            !value[..end].contains('\\') && !value[end + 1..].trim_start().starts_with(['+', '.', '|', '?']);
        is_whole.then_some(line.len() - value.len() + end)
    });
    Some(at + start..at + literal.unwrap_or(line.len()))
}

impl Source<'_> {
    /// The source as it may be shown, if it is notes or a program: with masked passwords, keys and tokens. All other characters
    /// keep their position. `None` for data.
    pub fn without_keys(&self) -> Option<Source<'static>> {
        let is_data = Format::detect(Path::new(self.name()), self.text()).is_data();
        let masked = match self.text() {
            _ if is_data => return None,
            text if text.len() <= MAX_WRITTEN => without_keys(text),
            // What is too large to be read is not shown either.
            text => text.bytes().map(|byte| if byte == b'\n' { '\n' } else { '*' }).collect(),
        };
        Some(Source::new(self.name(), masked).known_as(Some(self.identity().to_owned())))
    }
}

/// Whether a word is an account, a key or a token of a provider; a number or a submission has other beginnings.
fn is_key(word: &str) -> bool {
    let is_hex = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let account = word.strip_prefix("AC").or_else(|| word.strip_prefix("SK"));
    is_hex(word) || account.is_some_and(is_hex) || word.starts_with("KEY0") || word.starts_with("eyJ")
}

/// Masks passwords in a YAML configuration, including values with escapes, nested quotes or line breaks.
pub fn settings_without_secrets(text: &str) -> String {
    let source = Source::new("", text);
    let mut found = secrets(text);
    for document in Parsed::of(&source, Some(Format::Yaml)).whole().documents() {
        document.root.iter().for_each(|root| in_values(text, root, &mut found));
    }
    stars_at(text, joined(found))
}

/// The most passwords that are looked up in the source of one value, each from its beginning. A value with more is masked
/// completely.
const MAX_SECRETS: usize = 16;

/// Adds the passwords in all values below a node.
fn in_values(text: &str, node: &Node<'_>, found: &mut Vec<Range<usize>>) {
    node.members().iter().for_each(|member| in_values(text, &member.value, found));
    node.items().iter().for_each(|item| in_values(text, item, found));
    let secrets = node.as_str().map(secrets_of_value).unwrap_or_default();
    if secrets.len() > MAX_SECRETS {
        found.push(node.span.range());
        return;
    }
    found.extend(secrets.into_iter().map(|range| string_map::inner_span(text, node, range).range()));
}

/// Finds the password in a URL whose scheme ends at `mark`. A password may contain `@`, so it ends at the last one.
fn in_address(text: &str, mark: usize, start: usize) -> Option<Range<usize>> {
    let begins = text[..mark].rfind(|c: char| !c.is_alphanumeric() && !"+-.%".contains(c));
    let quote = begins.and_then(|at| text[at..].chars().next()).filter(|c| matches!(c, '"' | '\'' | '`'));
    let rest = &text[start..];
    // Another URL may follow without whitespace.
    let rest = &rest[..rest.find("://").unwrap_or(rest.len())];
    let rest = match quote {
        Some(quote) => rest.split([quote, '\n', '\r']).next(),
        None => rest.split(char::is_whitespace).next(),
    };
    let rest = rest.unwrap_or_default();
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

/// Whether the user of `user:password@host` cannot have this character.
fn ends_user(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '[' | ',')
}

/// Finds the password in a part of a text that may be `user:password@host`, a URL without a scheme. A password may
/// contain `@`.
fn before_host(chunk: &str) -> Option<Range<usize>> {
    let at = chunk.rfind('@')?;
    let (user, password) = chunk[..at].split_once(':')?;
    // `sqlite:a@b.db` and `C:\a@b` are paths.
    let is_path = user.len() < 2 || user == "sqlite" || password.starts_with("//");
    (!is_path).then_some(user.len() + 1..at)
}

/// Finds the values after `=` and `:` in a line if the names before them are secret.
fn of_parameters(line: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // Escapes differ between notations, so a value in quotes ends at the last such quote of the line.
    let line = line.trim_end_matches(['\n', '\r']);
    let last = [line.rfind('"'), line.rfind('\'')];
    let mut quotes = OpenQuotes::default();
    let (mut read, mut bare_end) = (0, 0);
    for (at, mark) in line.match_indices(['=', ':']) {
        quotes.read(&line[read..at]);
        read = at;
        // What begins inside a value without quotes is part of this value.
        if at < bare_end {
            continue;
        }
        let before = line[..at].trim_end_matches([' ', '"', '\'']);
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '%');
        if !is_secret(&before[before.trim_end_matches(is_of_name).len()..]) {
            continue;
        }
        let is_parameter = mark == "=";
        let value = line[at + 1..].trim_start_matches(' ');
        let start = line.len() - value.len();
        if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let end = last[usize::from(quote == '\'')].filter(|end| *end > start).unwrap_or(line.len());
            // Characters directly after the closing quote are part of an incorrectly quoted value.
            let rest = line.get(end + 1..).unwrap_or_default();
            let length =
                rest.find(|c: char| c.is_whitespace() || "]},;&`\"'".contains(c)).unwrap_or(rest.len());
            found.push(start + 1..if length == 0 { end } else { end + 1 + length });
            continue;
        }
        let ends = |c: char| c.is_whitespace() || c == '&' && is_parameter || quotes.closes(c);
        let value = &value[..value.find(ends).unwrap_or(value.len())];
        bare_end = start + value.len();
        // Closing brackets and commas of YAML lists and objects.
        let value = if is_parameter { value } else { value.trim_end_matches([']', '}', ',']) };
        found.push(start..start + value.len());
    }
    found
}

/// The quotes that are open at a place in a line.
#[derive(Default)]
struct OpenQuotes([bool; 3]);

impl OpenQuotes {
    const QUOTES: [char; 3] = ['"', '\'', '`'];

    fn read(&mut self, text: &str) {
        for (open, quote) in self.0.iter_mut().zip(Self::QUOTES) {
            *open ^= text.matches(quote).count() % 2 == 1;
        }
    }

    /// Whether a character is a quote that was opened before.
    fn closes(&self, c: char) -> bool {
        Self::QUOTES.iter().zip(self.0).any(|(quote, is_open)| *quote == c && is_open)
    }
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
    // A generous limit shows that the time is not quadratic.
    #[allow(clippy::disallowed_methods, clippy::disallowed_types)]
    fn the_time_grows_with_the_size_of_the_text() {
        let parts = [
            "@",
            "a:b@",
            "a:b@c ",
            "://",
            "x://",
            "a://b:c@",
            "=",
            ":",
            "password=",
            "password=\"",
            "password:'a'",
            "\"",
            "password= ",
            "x: 'password=a' ",
        ];
        for part in parts {
            for line in [part.to_owned(), format!("{part}\n")] {
                let text = format!("history: {}", line.repeat(400_000 / line.len()));
                let began = std::time::Instant::now();
                let masked = settings_without_secrets(&text);
                assert_eq!(masked.len(), text.len());
                // Milliseconds where the time is linear, minutes where it is not.
                assert!(began.elapsed().as_secs() < 5, "{part}");
            }
        }
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
