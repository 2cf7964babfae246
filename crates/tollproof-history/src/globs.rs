//! Compiles globs of users, with limits on length and nesting so that matching stays cheap.

use globset::{Glob, GlobBuilder};

/// The maximum length in bytes. Matching time grows with the length of the glob times the length of the path.
const MAX_LENGTH: usize = 1_024;

/// The maximum nesting of braces. Very deep nesting breaks the glob compiler.
const MAX_DEPTH: usize = 10;

/// Compiles a glob in which `*` does not match `/`.
///
/// # Errors
///
/// A message for users: the syntax is invalid, or the glob is too long or nested too deep.
pub fn glob(text: &str) -> Result<Glob, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!(
            "a glob can have at most {MAX_LENGTH} bytes, but this one has {}; split it into several",
            text.len()
        ));
    }
    if depth(text) > MAX_DEPTH {
        return Err(format!(
            "the braces of this glob are nested more than {MAX_DEPTH} levels deep; use fewer levels"
        ));
    }
    GlobBuilder::new(text).literal_separator(true).build().map_err(|error| error.kind().to_string())
}

/// The deepest nesting of braces.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
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

    /// The largest accepted globs compile, and match in reasonable time.
    #[test]
    fn accepted_globs_can_be_used() {
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
    fn long_deep_and_invalid_globs_are_refused() {
        for text in
            ["{".repeat(125) + "a" + &"}".repeat(125), filled("a") + "aaaaa", "{a".into(), "[z-a]".into()]
        {
            glob(&text).expect_err(&text);
        }
        assert_eq!(depth("{a,{b}}{c}"), 2);
        assert_eq!(depth("\\{\\{"), 0);
    }
}
