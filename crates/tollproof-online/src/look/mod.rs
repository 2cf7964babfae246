//! Looks at pages, pictures and mail domains of drafts, and stores what it saw as facts. It reads, and sends nothing of a draft.

mod asked;
mod directory;
mod fetch;
mod html;
mod looker;
mod names;
mod opt_in_picture;
mod page;
mod pauses;
mod picture;
mod picture_text;
mod queue;
mod reach;
mod seeing;
mod stop;
#[cfg(test)]
mod tests;
mod turns;
mod words;

pub use self::asked::{Asked, needs_look};
pub use self::looker::{LookOptions, LookResult, Looker};
pub use self::names::{NameError, NameService, SystemNames};
pub use self::opt_in_picture::{OptInPicture, PictureError};
pub use self::picture_text::find_tesseract;
pub use self::reach::NetworkScope;
pub use tollproof_browser::{BrowserChoice, BrowserProblem, find_browser};
