//! Drafts in notes and programs that a folder has: which of its files may have one, and which are sure to.

use std::path::{Component, Path};

use tollproof_core::{Format, KindHint, Parsed, Source, kind_of};

use crate::files::Files;

/// Larger files are not looked at.
const MAX_BYTES: u64 = 1 << 20;

/// Folders of tests and of what others wrote.
const FOLDERS: [&str; 12] = [
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "fixtures",
    "testdata",
    "node_modules",
    "vendor",
    "third_party",
    "mocks",
    "__mocks__",
];

/// Parts of the names of tests, of what is generated, and of what repositories say about themselves.
const NAMES: [&str; 8] = [".test.", ".spec.", "_test.", ".min.", ".d.ts", "changelog", "license", "licence"];

/// Whether a file in a folder is notes or a program, by its name.
pub(crate) fn is_form(path: &Path) -> bool {
    let is_other =
        |part: Component<'_>| FOLDERS.iter().any(|folder| part.as_os_str().eq_ignore_ascii_case(folder));
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is_meant = !NAMES.iter().any(|part| name.contains(part)) && !name.starts_with("test_");
    let format = Format::of_any_path(path).filter(|format| !format.is_data());
    format.is_some() && is_meant && !path.components().any(is_other)
}

/// Whether notes or a program have a draft; `None` if they have too few fields to be sure.
pub(crate) fn has_draft(files: &dyn Files, path: &Path) -> Option<bool> {
    let Some(format) = Format::of_any_path(path) else { return Some(false) };
    if files.size(path).is_none_or(|size| size > MAX_BYTES) {
        return Some(false);
    }
    let bytes = files.read(path).ok().filter(|bytes| format.may_have_draft(bytes));
    let Some(bytes) = bytes else { return Some(false) };
    let source = Source::from_bytes(path.to_string_lossy(), bytes);
    let parsed = Parsed::of(&source, Some(format));
    let is = |hint| parsed.whole().documents().any(|document| kind_of(document.document(), hint).is_some());
    if is(KindHint::Discovered) { Some(true) } else { (!is(KindHint::Explicit)).then_some(false) }
}
