//! `tollproof page`: writes the page for browsers, and opens it.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use flate2::read::GzDecoder;
use tollproof_history::{name_of, reason};
use tollproof_project::{AtomicFile, STDIN};

use crate::args::PageArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr::say;
use crate::terminal::one_line;

/// The compressed page; empty if it was not built before this program.
static PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.html.gz"));

/// What the head of the page contains, and of no other file.
const MARK: &[u8] = br#"<meta name="generator" content="tollproof">"#;

/// How much of a file is read to see whether it is the page.
const HEAD: u64 = 4 << 10;

/// Writes the page, and opens it unless it goes to standard output.
pub(super) fn run(args: &PageArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let page = page(PAGE)?;
    let file = args.output.as_deref().unwrap_or(&args.file);
    if file.as_os_str() == STDIN {
        out.write_all(&page).map_err(Failure::stdout)?;
        return Ok(Exit::Clean);
    }
    let name = one_line(&name_of(file));
    if !args.force && !is_replaceable(file) {
        return Err(Failure::new(format_args!(
            "`{name}` exists and is not a page of tollproof; choose another name, or use `--force`"
        )));
    }
    write(file, &page)
        .map_err(|error| Failure::new(format_args!("cannot write `{name}`: {}", reason(&error))))?;
    say(&format!("Wrote `{name}`."));
    if !args.no_open && open::that_detached(file).is_err() {
        say(&format!("No browser could be opened. Open `{name}` in one."));
    }
    Ok(Exit::Clean)
}

/// The page as HTML.
fn page(packed: &[u8]) -> Result<Vec<u8>, Failure> {
    if packed.is_empty() {
        return Err(Failure::new(
            "this build of tollproof does not contain the page; in a clone, run `crates/tollproof-web/build`, and \
             then build tollproof again",
        ));
    }
    let mut html = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut html).expect("build.rs compressed it");
    Ok(html)
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
    fn a_build_without_the_page_says_how_to_get_it() {
        let error = page(&[]).expect_err("it has none");
        assert!(format!("{error:?}").contains("does not contain the page"), "{error:?}");
    }

    #[test]
    fn the_page_can_be_recognized_when_it_is_written_again() {
        if !PAGE.is_empty() {
            let page = page(PAGE).expect("it has one");
            let head = &page[..page.len().min(4 << 10)];
            assert!(head.windows(MARK.len()).any(|it| it == MARK));
        }
    }
}
