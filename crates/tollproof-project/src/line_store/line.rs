//! A line of a store.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::LineProblem;

/// The longest line, in bytes. The longest fact within its own limits is shorter, and so are the answers about a draft.
const MAX_LINE: usize = 2 << 20;

/// Git's markers between two versions of a file.
const CONFLICT_MARKERS: [&[u8]; 4] = [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"];

/// A line of a store.
pub trait StoredLine: Clone + Serialize + DeserializeOwned {
    /// The content, in words: `facts`.
    const WHAT: &str;

    /// The version of the shape.
    const VERSION: u32;

    /// The line's subject: of two lines about the same, the newer one counts.
    fn key(&self) -> String;

    /// Time of storage.
    fn at(&self) -> Timestamp;

    /// The same line with texts that are at most as long as its shape says.
    #[must_use]
    fn within_limits(self) -> Self;
}

/// A line's content.
pub(super) enum LineContent<T> {
    Empty,
    Line(Box<T>),
    /// A line in the shape of another version, as it is written.
    Other(u32, String),
    Problem(LineProblem),
}

/// The part of a line that all versions have.
#[derive(Deserialize)]
struct LineVersion {
    version: u32,
}

pub(super) fn read_line<T: StoredLine>(line: &[u8]) -> LineContent<T> {
    let line = line.trim_ascii();
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.is_empty() {
        return LineContent::Empty;
    }
    if line.len() > MAX_LINE {
        return LineContent::Problem(LineProblem::TooLong);
    }
    if CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker)) {
        return LineContent::Problem(LineProblem::Conflict);
    }
    let Ok(text) = std::str::from_utf8(line) else { return LineContent::Problem(LineProblem::NotJson) };
    match serde_json::from_str::<LineVersion>(text) {
        Ok(LineVersion { version }) if version != T::VERSION => LineContent::Other(version, text.to_owned()),
        Ok(_) => match serde_json::from_str::<T>(text) {
            Ok(line) => LineContent::Line(Box::new(line.within_limits())),
            Err(_) => LineContent::Problem(LineProblem::OtherShape),
        },
        Err(error) if error.is_data() => LineContent::Problem(LineProblem::OtherShape),
        Err(_) => LineContent::Problem(LineProblem::NotJson),
    }
}
