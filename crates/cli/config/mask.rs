//! Passwords in what is said of a configuration.

use tollproof_core::StrictError;

/// The same error without passwords: those of addresses in the text are starred, letter by letter.
pub(super) fn masked(mut error: Box<StrictError>) -> Box<StrictError> {
    error.text = starred(&error.text);
    error.message = starred(&error.message);
    error
}

/// A text with the passwords of its addresses (`scheme://user:password@host`) made of stars, as long as it was.
fn starred(text: &str) -> String {
    let mut starred = String::with_capacity(text.len());
    for word in text.split_inclusive(|it: char| it.is_whitespace() || matches!(it, ',' | '"' | '\'')) {
        let secret = word.find("://").and_then(|start| {
            let end = word.rfind('@')?;
            let colon = start + 3 + word.get(start + 3..end)?.find(':')?;
            Some(colon + 1..end)
        });
        match secret {
            Some(secret) => {
                starred.push_str(&word[..secret.start]);
                starred.extend(secret.clone().map(|_| '*'));
                starred.push_str(&word[secret.end..]);
            }
            None => starred.push_str(word),
        }
    }
    starred
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_starred() {
        let text = "history: [\"postgres://ana:s3@cret@db/past\", sqlite:a.db] # a@b: c";
        assert_eq!(starred(text), "history: [\"postgres://ana:*******@db/past\", sqlite:a.db] # a@b: c");
    }
}
