//! Names of sheets: Excel limits their length and characters, and each may occur once.

use std::collections::HashSet;

/// The maximum length of a name, in UTF-16 code units.
const MAX_LENGTH: usize = 31;

/// The names that are taken, in lower case.
pub(super) struct SheetNames {
    taken: HashSet<String>,
}

impl Default for SheetNames {
    fn default() -> Self {
        // Excel reserves the second name.
        Self { taken: ["summary", "history"].map(str::to_owned).into() }
    }
}

impl SheetNames {
    /// A name that no other sheet has.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        let allowed = |c: char| match c {
            '[' | ']' | ':' | '*' | '?' | '/' | '\\' => '-',
            c => crate::terminal::printable(c),
        };
        let plain: String = wanted.chars().map(allowed).collect();
        let plain = plain.trim_matches(|c: char| c == '\'' || c.is_whitespace());
        let plain = if plain.is_empty() { "Sheet" } else { plain };
        for number in 1.. {
            let suffix = if number == 1 { String::new() } else { format!(" ({number})") };
            let name = cut(plain, MAX_LENGTH - suffix.len()).trim_end_matches('\'').to_owned() + &suffix;
            if self.taken.insert(name.to_lowercase()) {
                return name;
            }
        }
        unreachable!("there are more numbers than sheets")
    }
}

/// The beginning of a text, in UTF-16 code units.
fn cut(text: &str, most: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > most {
            return text[..at].trim_end();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_plain_and_different() {
        let mut names = SheetNames::default();
        assert_eq!(names.unique("clients"), "clients");
        assert_eq!(names.unique("Clients"), "Clients (2)");
        assert_eq!(names.unique("a/b:[c]*?\\'"), "a-b--c----");
        assert_eq!(names.unique("''"), "Sheet");
        assert_eq!(names.unique("Summary"), "Summary (2)");
        let long = "😀".repeat(20);
        assert_eq!(names.unique(&long), "😀".repeat(15));
        assert_eq!(names.unique(&long), format!("{} (2)", "😀".repeat(13)));
    }
}
