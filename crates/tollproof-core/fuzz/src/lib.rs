//! Shared parts of the fuzz targets: texts, files of users, and what must be true of every report.

mod files;
mod groups;
mod phrase;
mod report;
mod text;

pub use files::{FileRecipe, roles};
pub use report::{Notation, assert_places, content_fields, draft};
pub use text::TextRecipe;
