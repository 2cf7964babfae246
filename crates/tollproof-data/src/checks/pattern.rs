//! Regular expressions, which only users' rules have.

#[cfg(feature = "patterns")]
pub use regex::Regex;

#[cfg(not(feature = "patterns"))]
pub use self::absent::Regex;

#[cfg(not(feature = "patterns"))]
mod absent {
    use std::iter;
    use std::ops::Range;

    /// No regular expression exists in a build without them.
    #[derive(Debug)]
    pub enum Regex {}

    /// No match exists either.
    #[derive(Debug)]
    pub enum Match {}

    impl Regex {
        pub fn new(_: &str) -> Result<Self, &'static str> {
            Err("this build of tollproof has no regular expressions")
        }

        pub fn is_match(&self, _: &str) -> bool {
            match *self {}
        }

        pub fn find_iter(&self, _: &str) -> iter::Empty<Match> {
            match *self {}
        }
    }

    impl Match {
        pub fn is_empty(&self) -> bool {
            match *self {}
        }

        pub fn range(&self) -> Range<usize> {
            match *self {}
        }
    }
}
