//! A line of the store of facts.

use serde::Deserialize;
use tollproof_core::SeenFact;

use super::error::FactsProblem;

/// The longest line, in bytes. The longest fact within its own limits is shorter.
const MAX_LINE: usize = 2 << 20;

/// What git writes between two versions of a file.
const CONFLICT_MARKERS: [&[u8]; 4] = [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"];

/// What a line contains.
#[derive(Debug)]
pub(super) enum LineContent {
    Empty,
    Fact(Box<SeenFact>),
    /// A fact in the shape of another version, as it is written.
    Other(u32, String),
    Problem(FactsProblem),
}

/// The part of a fact that all versions have.
#[derive(Deserialize)]
struct FactVersion {
    version: u32,
}

pub(super) fn read_line(line: &[u8]) -> LineContent {
    let line = line.trim_ascii();
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.is_empty() {
        return LineContent::Empty;
    }
    if line.len() > MAX_LINE {
        return LineContent::Problem(FactsProblem::TooLong);
    }
    if CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker)) {
        return LineContent::Problem(FactsProblem::Conflict);
    }
    let Ok(text) = std::str::from_utf8(line) else { return LineContent::Problem(FactsProblem::NotJson) };
    match serde_json::from_str::<FactVersion>(text) {
        Ok(FactVersion { version }) if version != SeenFact::VERSION => {
            LineContent::Other(version, text.to_owned())
        }
        Ok(_) => match serde_json::from_str::<SeenFact>(text) {
            Ok(fact) => LineContent::Fact(Box::new(fact.within_limits())),
            Err(_) => LineContent::Problem(FactsProblem::NotAFact),
        },
        Err(error) if error.is_data() => LineContent::Problem(FactsProblem::NotAFact),
        Err(_) => LineContent::Problem(FactsProblem::NotJson),
    }
}
