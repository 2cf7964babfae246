//! Texts as values of a format.

use tollproof_core::Format;

/// A text as a value of a format.
pub(crate) fn written(value: &str, format: Format) -> String {
    match format {
        Format::Notes => value.to_owned(),
        Format::Yaml if is_plain(value) => value.to_owned(),
        Format::Csv if !value.contains([',', '"', '\n', ';', '\t']) => value.to_owned(),
        Format::Csv => format!("\"{}\"", value.replace('"', "\"\"")),
        _ => serde_json::json!(value).to_string(),
    }
}

/// Whether YAML reads a text as this string without quotes. What may be a number, a boolean or a date to other readers gets
/// quotes.
fn is_plain(value: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || " _-/&().+".contains(character);
    let has_letters = value.chars().filter(|it| it.is_alphabetic()).count() > 1;
    let reserved = ["true", "false", "null", "yes", "no", "on", "off"];
    value.starts_with(char::is_alphanumeric)
        && !value.ends_with(' ')
        && value.chars().all(is_word)
        && has_letters
        && !reserved.contains(&value.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_so_that_it_stays_text() {
        for (value, yaml) in [
            ("Appointments", "Appointments"),
            ("Courier Services & Deliveries", "Courier Services & Deliveries"),
            ("2FA", "2FA"),
            ("10,000", "\"10,000\""),
            ("10", "\"10\""),
            ("1e3", "\"1e3\""),
            ("No", "\"No\""),
            ("a: b", "\"a: b\""),
            ("", "\"\""),
        ] {
            assert_eq!(written(value, Format::Yaml), yaml);
            assert_eq!(written(value, Format::Json), format!("\"{value}\""));
        }
        assert_eq!(written("10,000", Format::Csv), "\"10,000\"");
    }
}
