//! Embeds the page that `tollproof page` writes, if it was built before: `crates/tollproof-web/build`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The page as one file, below this folder.
const PAGE: &str = "crates/tollproof-web/page/dist/index.html";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let page = Path::new(PAGE);
    // A file that does not exist would run this script each time; its folder changes when it is made.
    let watched = page.ancestors().find(|it| it.exists()).unwrap_or(Path::new("build.rs"));
    println!("cargo::rerun-if-changed={}", watched.display());
    let html = fs::read(page).unwrap_or_default();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let packed = if html.is_empty() {
        Vec::new()
    } else {
        encoder.write_all(&html).and_then(|()| encoder.finish()).expect("memory takes everything")
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("page.html.gz"), packed).expect("OUT_DIR is writable");
}
