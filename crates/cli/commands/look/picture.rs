//! `tollproof look --picture`: makes the picture of an opt-in page.

use std::io::{self, Write};
use std::path::Path;

use tollproof_history::{name_of, reason};
use tollproof_online::{OptInPicture, PictureError};
use tollproof_project::{AtomicFile, STDIN};

use super::super::online::Interrupt;
use super::opening::open;
use super::print;
use crate::args::LookArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr::say;
use crate::terminal::one_line;

/// AWS's limit in bytes. Others allow more.
const MAX_BYTES: usize = 400_000;

/// Writes a picture to a file, or to standard output.
pub(super) fn run(args: &LookArgs, address: &str, file: &Path, out: &mut dyn Write) -> Result<Exit> {
    let name = one_line(&name_of(file));
    let is_printed = file.as_os_str() == STDIN;
    if !is_printed && !args.force && file.symlink_metadata().is_ok() {
        return Err(failure!("`{name}` exists already and is not changed; use another name, or `--force`"));
    }
    let interrupt = Interrupt::without_waiting()?;
    let picture = open(args)?.picture(address, MAX_BYTES, &|| interrupt.is_set());
    if interrupt.is_set() {
        return Ok(Exit::Interrupted);
    }
    let picture = picture.map_err(|error| failure(address, &error))?;
    if is_printed {
        out.write_all(&picture.png).map_err(Failure::stdout)?;
    } else {
        write(file, &picture.png).map_err(|error| failure!("cannot write `{name}`: {}", reason(&error)))?;
        let (width, height, size) =
            (picture.seen.width, picture.seen.height, picture.png.len().div_ceil(1000));
        say!("Wrote `{name}`: {width} x {height} pixels, {size} KB.");
    }
    if let Some(warning) = warning(&picture) {
        say!("warning: {warning}");
    }
    Ok(Exit::Clean)
}

fn failure(address: &str, error: &PictureError) -> Failure {
    let address = one_line(address);
    match error {
        PictureError::NotSeen("not-opened") => {
            failure!("`{address}` did not open in the browser; open it yourself, and look at what it shows")
        }
        PictureError::NotSeen(why) => {
            failure!("cannot open `{address}`: {}", print::reason(why))
        }
        PictureError::TooLarge(most) => {
            failure!("the picture of `{address}` is larger than {most} bytes, however small it is made")
        }
        other => Failure::new(other),
    }
}

/// Finds what reviewers would miss in the picture.
fn warning(picture: &OptInPicture) -> Option<&'static str> {
    match picture {
        it if it.seen.is_blank => {
            Some("the picture is blank; open the page in a browser, and look at what it shows")
        }
        it if !it.shows_form => {
            Some("no form for a phone number was found; the picture shows the top of the page")
        }
        _ => None,
    }
}

fn write(path: &Path, png: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(png)?;
    file.prepare(false)?.commit()
}
