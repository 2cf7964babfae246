//! Texts that the caller of a run has in memory, in place of files.

use tollproof_core::{Batch, Format, Source};

/// A text that a run checks in place of a file.
#[derive(Debug)]
pub struct GivenText {
    /// The text. Its name is that of its findings.
    pub source: Source<'static>,
    /// The format; `None` if the name or the content decides it.
    pub format: Option<Format>,
    /// The numbers of drafts that come before it, if the text is checked apart from the others of the run: then theirs are
    /// not compared with its own.
    pub earlier: Option<Batch>,
}

/// Texts in the order in which they are checked. One thread checks the texts of an item; an empty item ends the run.
pub(super) type GivenTexts = Box<dyn Iterator<Item = Vec<GivenText>> + Send>;
