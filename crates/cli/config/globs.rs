//! Globs of a configuration, seen from its folder.

use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use globset::{Glob, GlobBuilder, GlobMatcher};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

/// A glob for files, or for a folder with all that is in it; `*` stays within a folder and `**` does not.
#[derive(Debug)]
pub(crate) struct Pattern {
    text: String,
    file: Glob,
    below: Glob,
    /// Made when first asked for.
    matchers: OnceCell<[GlobMatcher; 2]>,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, globset::Error> {
        let plain = text.strip_prefix("./").unwrap_or(text);
        let plain = plain.strip_suffix('/').unwrap_or(plain);
        let glob = |pattern: &str| GlobBuilder::new(pattern).literal_separator(true).build();
        let (file, below) = (glob(plain)?, glob(&format!("{plain}/**"))?);
        Ok(Self { text: text.to_owned(), file, below, matchers: OnceCell::new() })
    }

    /// As it is written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it names one path alone.
    pub(crate) fn is_literal(&self) -> bool {
        !self.text.contains(['*', '?', '[', '{', '\\'])
    }

    /// Whether it matches a path, seen from the folder of the configuration.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        let matchers =
            self.matchers.get_or_init(|| [self.file.compile_matcher(), self.below.compile_matcher()]);
        matchers.iter().any(|matcher| matcher.is_match(path))
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Globs and what holds for the files that they match; of several that match, the first counts.
#[derive(Debug)]
pub(crate) struct Globs<T>(Vec<(Pattern, T)>);

impl<T> Default for Globs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Globs<T> {
    /// The glob that counts for a path seen from the folder of the configuration, and what holds there.
    pub(crate) fn of(&self, path: &Path) -> Option<(&Pattern, &T)> {
        self.0.iter().find(|(pattern, _)| pattern.matches(path)).map(|(pattern, it)| (pattern, it))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Globs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Globs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from globs")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Globs<T>, A::Error> {
                let mut globs = Vec::new();
                while let Some((pattern, value)) = map.next_entry::<String, T>()? {
                    globs.push((Pattern::parse(&pattern).map_err(A::Error::custom)?, value));
                }
                Ok(Globs(globs))
            }
        }

        deserializer.deserialize_map(InOrder(PhantomData))
    }
}
