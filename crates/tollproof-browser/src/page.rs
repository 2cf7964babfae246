//! A page as the browser returns it: as HTML, or as a picture.

use url::Url;

/// A page as a browser shows it.
#[derive(Debug)]
pub struct RenderedPage {
    /// The page with its frames, as HTML that says what the page is now.
    pub html: String,
    /// The address after redirects and scripts.
    pub url: Url,
    /// The number of times that redirects and scripts led the page elsewhere.
    pub redirects: u8,
    /// Whether every frame could be read.
    pub is_complete: bool,
}

/// A picture of a page.
#[derive(Debug)]
pub struct PageView {
    /// The PNG file.
    pub png: Vec<u8>,
    /// The address after redirects and scripts.
    pub url: Url,
    /// Whether a form that asks for a phone number is in view.
    pub shows_form: bool,
}
