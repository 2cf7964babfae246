//! Globs that users write, bounded so that none costs more than its size explains.

use globset::{Glob, GlobBuilder};

/// More bytes than this no glob needs; matching takes the product of the lengths of glob and path.
const MAX_LENGTH: usize = 1_024;

/// Deeper braces no glob needs; very deep ones break the library that compiles them.
const MAX_DEPTH: usize = 10;

/// Reads a glob in which `*` stays within a folder.
///
/// # Errors
///
/// In words, why it is not one: a mistake in its notation, or more bytes or deeper braces than any glob needs.
pub fn glob(text: &str) -> Result<Glob, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!(
            "a glob may have {MAX_LENGTH} bytes, and this one has {}; write several",
            text.len()
        ));
    }
    if depth(text) > MAX_DEPTH {
        return Err(format!("the braces of this glob nest deeper than {MAX_DEPTH} levels"));
    }
    GlobBuilder::new(text).literal_separator(true).build().map_err(|error| error.kind().to_string())
}

/// How deep braces nest.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn filled(part: &str) -> String {
        part.repeat(MAX_LENGTH / part.len())
    }

    /// The largest globs that are taken compile, match and end.
    #[test]
    fn what_is_taken_can_be_used() {
        let nested = |inner: &str| format!("{}{inner}{}", "{".repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
        let listed = |part: &str| format!("{{{}}}", part.repeat((MAX_LENGTH - 2) / part.len()));
        let path = "a".repeat(4_000) + ".json";
        let start = Instant::now();
        for text in [
            filled("?"),
            filled("*a"),
            filled("**/"),
            filled("*"),
            filled("[!a]"),
            filled("[!é-ü]"),
            filled("é"),
            filled("\\{"),
            listed("a,"),
            listed("*?,"),
            nested("a"),
            nested("?*,"),
            nested(&"a,".repeat(500)),
        ] {
            let glob = glob(&text).unwrap_or_else(|why| panic!("{text}: {why}"));
            glob.compile_matcher().is_match(&path);
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    #[test]
    fn what_no_glob_needs_is_refused() {
        for text in
            ["{".repeat(125) + "a" + &"}".repeat(125), filled("a") + "aaaaa", "{a".into(), "[z-a]".into()]
        {
            glob(&text).expect_err(&text);
        }
        assert_eq!(depth("{a,{b}}{c}"), 2);
        assert_eq!(depth("\\{\\{"), 0);
    }
}
