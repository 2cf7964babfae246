//! Globs in a configuration, relative to its folder.

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::OnceLock;

use globset::{Glob, GlobMatcher};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use tollproof_core::quoted;

/// A glob for files: `*` stays within a folder, `**` does not. A glob that ends in a plain name also matches a folder
/// of that name with everything in it.
#[derive(Debug)]
pub struct Pattern {
    text: String,
    glob: Glob,
    /// Compiled on first use: most runs need few globs, and compiling one takes as long as checking a field.
    matcher: OnceLock<GlobMatcher>,
}

const WILDCARDS: [char; 5] = ['*', '?', '[', '{', '\\'];

impl Pattern {
    fn parse(text: &str) -> Result<Self, String> {
        let named: Vec<&str> = text.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        let plain = named.join("/");
        let shown = quoted(text);
        let wrong = |why: &str| Err(format!("`{shown}` matches no file: {why}"));
        if plain.is_empty() {
            return wrong("write `'**'` for all files");
        }
        if text.starts_with('/') {
            return wrong(&format!(
                "globs are relative to the folder of this file; write `{}`, without the first `/`",
                quoted(&plain)
            ));
        }
        if text.starts_with('!') {
            return wrong(
                "`!` does not negate a glob; list the files that you mean, or use `exclude` for files to skip",
            );
        }
        if plain.split(['/', '{', ',', '}']).any(|name| name == "..") {
            return wrong(
                "globs cannot leave the folder of this file; write it without `..`, or in a tollproof.yaml above",
            );
        }
        let glob =
            tollproof_history::glob(&plain).map_err(|why| format!("`{shown}` is not a glob: {why}"))?;
        Ok(Self { text: text.to_owned(), glob, matcher: OnceLock::new() })
    }

    /// The glob as it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The path or glob without leading `./` and trailing `/`.
    pub fn path(&self) -> &str {
        self.glob.glob()
    }

    /// Whether it has no wildcards and so names a single path.
    pub fn is_literal(&self) -> bool {
        !self.text.contains(WILDCARDS)
    }

    /// Whether it matches a path that is relative to the folder of the configuration.
    pub fn matches(&self, path: &Path) -> bool {
        let glob = self.glob.glob();
        if self.is_literal() {
            return path.starts_with(glob);
        }
        let matcher = self.matcher.get_or_init(|| self.glob.compile_matcher());
        let may_be_folder = !glob.rsplit('/').next().unwrap_or_default().contains(WILDCARDS);
        let folders = path.ancestors().skip(1).filter(|_| may_be_folder);
        matcher.is_match(path) || folders.into_iter().any(|folder| matcher.is_match(folder))
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Globs with a value for the files that they match. If several match, the first one counts.
#[derive(Debug)]
pub struct Globs<T>(Vec<(Pattern, T)>);

impl<T> Default for Globs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Globs<T> {
    /// Whether it has no globs.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All globs with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(Pattern, T)> {
        self.0.iter()
    }

    /// The glob that counts for a path relative to the folder of the configuration, and its value.
    pub fn of(&self, path: &Path) -> Option<(&Pattern, &T)> {
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
