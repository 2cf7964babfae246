//! Regular expressions, which only users' rules have.

#[cfg(feature = "patterns")]
pub(crate) use regex::Regex;

#[cfg(not(feature = "patterns"))]
pub(crate) use self::absent::Regex;

#[cfg(not(feature = "patterns"))]
mod absent {
    use std::iter;
    use std::ops::Range;

    /// No regular expression exists in a build without them.
    #[derive(Debug)]
    pub(crate) enum Regex {}

    /// No match exists either.
    #[derive(Debug)]
    pub(crate) enum Match {}

    impl Regex {
        pub(crate) fn new(_: &str) -> Result<Self, &'static str> {
            Err("this build of tollproof has no regular expressions")
        }

        pub(crate) fn is_match(&self, _: &str) -> bool {
            match *self {}
        }

        pub(crate) fn find_iter(&self, _: &str) -> iter::Empty<Match> {
            match *self {}
        }
    }

    impl Match {
        pub(crate) fn is_empty(&self) -> bool {
            match *self {}
        }

        pub(crate) fn range(&self) -> Range<usize> {
            match *self {}
        }
    }
}
