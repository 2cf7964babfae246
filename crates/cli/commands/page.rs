//! `tollproof page`: writes the page for browsers, and opens it.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use tollproof_history::{name_of, reason};
use tollproof_project::{AtomicFile, STDIN};

use crate::args::PageArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr::say;
use crate::terminal::one_line;

/// The page with empty elements for what it loads. `crates/tollproof-web/build` makes it, as the files with WebAssembly.
const FRAME: &str = include_str!(concat!(env!("TOLLPROOF_PAGE"), "/page.html"));

/// The identifiers of these elements in their order, with their content. The page works when the rules have arrived.
const LOADED: [(&str, &[u8]); 5] = [
    ("engine", include_bytes!(concat!(env!("TOLLPROOF_PAGE"), "/engine.xz"))),
    ("rules", include_bytes!(concat!(env!("OUT_DIR"), "/rules.xz"))),
    ("es", include_bytes!(concat!(env!("OUT_DIR"), "/es.xz"))),
    ("fr", include_bytes!(concat!(env!("OUT_DIR"), "/fr.xz"))),
    ("workbooks", include_bytes!(concat!(env!("TOLLPROOF_PAGE"), "/workbooks.xz"))),
];

/// A tag in the head of the page, and of no other file.
const MARK: &[u8] = br#"<meta name="generator" content="tollproof">"#;

/// The bytes read of a file to see whether it is the page.
const HEAD: u64 = 4 << 10;

/// Writes the page, and opens it unless it goes to standard output.
pub(super) fn run(args: &PageArgs, out: &mut dyn Write) -> Result<Exit> {
    let page = page();
    let file = args.output.as_deref().unwrap_or(&args.file);
    if file.as_os_str() == STDIN {
        out.write_all(page.as_bytes()).map_err(Failure::stdout)?;
        return Ok(Exit::Clean);
    }
    let name = one_line(&name_of(file));
    if !args.force && !is_replaceable(file) {
        return Err(failure!(
            "`{name}` exists and is not a page of tollproof; choose another name, or use `--force`"
        ));
    }
    write(file, page.as_bytes()).map_err(|error| failure!("cannot write `{name}`: {}", reason(&error)))?;
    say!("Wrote `{name}`.");
    if !args.no_open && open::that_detached(file).is_err() {
        say!("No browser could be opened. Open `{name}` in one.");
    }
    Ok(Exit::Clean)
}

/// The page as HTML.
fn page() -> String {
    let mut page = String::new();
    let mut rest = FRAME;
    for (id, packed) in LOADED {
        let (before, after) = rest
            .split_once(&format!("id=\"{id}\"></script>"))
            .expect("the frame has all elements in this order");
        page += &format!("{before}id=\"{id}\">{}</script>", BASE64.encode(packed));
        rest = after;
    }
    page + rest
}

/// Whether nothing is lost: the file does not exist, is empty, or is a page.
fn is_replaceable(path: &Path) -> bool {
    let head = |mut head: Vec<u8>| {
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        io::Result::Ok(head)
    };
    match head(Vec::new()) {
        Ok(head) => head.is_empty() || head.windows(MARK.len()).any(|it| it == MARK),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

fn write(path: &Path, page: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(page)?;
    file.prepare(false)?.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_be_recognized_when_it_is_written_again() {
        let page = page();
        let head = &page.as_bytes()[..4 << 10];
        assert!(head.windows(MARK.len()).any(|it| it == MARK));
    }
}
