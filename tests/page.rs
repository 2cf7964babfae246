//! Tests of `tollproof page`.

use std::fs;

use crate::support::Folder;

#[test]
fn the_page_is_written_and_other_files_stay() {
    let folder = Folder::new("page").file("notes.html", "<p>notes</p>");
    let page = |args: &[&str]| folder.run(&[&["page", "--no-open"], args].concat());
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap_or_default();
    let ran = page(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "Wrote `tollproof.html`.\n"));
    let written = read("tollproof.html");
    assert!(written.starts_with("<!doctype html>") && written.len() > 1_000_000, "{}", written.len());
    assert!(!written.contains(" src=\"http") && !written.contains("@import"), "it needs nothing else");
    assert_eq!(folder.run(&["page", "-"]).out, written);
    // The name may be given as to other commands.
    assert_eq!(page(&["--output", "share.html"]).code, Some(0));
    assert_eq!(read("share.html"), written);
    fs::write(folder.0.join("tollproof.html"), &written[..2_000]).expect("writable");
    assert_eq!(page(&[]).code, Some(0));
    assert_eq!(read("tollproof.html"), written, "an older page is replaced");

    let ran = page(&["notes.html"]);
    assert_eq!((ran.code, read("notes.html").as_str()), (Some(2), "<p>notes</p>"));
    assert_eq!(page(&["--force", "notes.html"]).code, Some(0));
    assert_eq!(read("notes.html"), written);
    let ran = page(&["notes.html", "-o", "share.html"]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot be used with"), "{}", ran.err);
    let ran = page(&["no/such/folder/page.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot write `no/such/folder/page.html`: "), "{}", ran.err);
}
