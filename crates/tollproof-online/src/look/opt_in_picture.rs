//! Pictures of opt-in pages, as providers ask for them.

use tollproof_browser::BrowserProblem;
use tollproof_core::seen::PictureSeen;

/// A picture of an opt-in page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptInPicture {
    /// The PNG file.
    pub png: Vec<u8>,
    /// Its size in pixels, and whether it is blank.
    pub seen: PictureSeen,
    /// Whether a form that asks for a phone number is in view.
    pub shows_form: bool,
    /// The address of the page after redirects.
    pub final_address: String,
}

/// Reason for no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// No browser makes it.
    #[error(transparent)]
    Browser(#[from] BrowserProblem),
    /// The page could not be seen: why, as facts have it.
    #[error("the page could not be opened ({0})")]
    NotSeen(&'static str),
    /// No picture in which the form can be read is small enough.
    #[error("the picture is larger than {0} bytes; allow a larger one")]
    TooLarge(usize),
}
