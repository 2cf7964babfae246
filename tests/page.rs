//! Tests of `tollproof page`, with and without a page in the binary.

use std::fs;

use crate::support::Folder;

/// Whether the tested binary contains the page. CI builds the page first.
fn has_page(folder: &Folder) -> bool {
    let ran = folder.run(&["page", "-"]);
    if ran.code == Some(0) {
        assert!(ran.out.starts_with("<!doctype html>") && ran.err.is_empty(), "{}", ran.err);
        return true;
    }
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert_eq!(
        ran.err,
        "error: this build of tollproof does not contain the page; in a clone, run `crates/tollproof-web/build`, and \
         then build tollproof again\n"
    );
    false
}

#[test]
fn the_page_is_written_and_other_files_stay() {
    let folder = Folder::new("page").file("notes.html", "<p>notes</p>");
    let page = |args: &[&str]| folder.run(&[&["page", "--no-open"], args].concat());
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap_or_default();
    let status = if has_page(&folder) { 0 } else { 2 };
    // Without a page, nothing is written.
    assert_eq!(page(&[]).code, Some(status));
    assert_eq!(folder.0.join("tollproof.html").exists(), status == 0);
    let ran = page(&["notes.html"]);
    assert_eq!((ran.code, read("notes.html").as_str()), (Some(2), "<p>notes</p>"));
    // The name may be given as to other commands.
    assert_eq!(page(&["--output", "share.html"]).code, Some(status));
    assert_eq!(folder.0.join("share.html").exists(), status == 0);
    let ran = page(&["notes.html", "-o", "share.html"]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot be used with"), "{}", ran.err);
    let ran = page(&["no/such/folder/page.html"]);
    assert_eq!(ran.code, Some(2));
    if status == 0 {
        assert!(ran.err.starts_with("error: cannot write `no/such/folder/page.html`: "), "{}", ran.err);
        let written = read("tollproof.html");
        assert!(written.starts_with("<!doctype html>") && written.len() > 100_000, "{}", written.len());
        assert!(!written.contains(" src=\"http") && !written.contains("@import"), "it needs nothing else");
        fs::write(folder.0.join("tollproof.html"), &written[..2_000]).expect("writable");
        let ran = page(&[]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), "Wrote `tollproof.html`.\n"));
        assert_eq!(read("tollproof.html"), written, "an older page is replaced");
        assert_eq!(page(&["--force", "notes.html"]).code, Some(0));
        assert_eq!(read("notes.html"), written);
    }
}
