//! Makes the JavaScript of a WebAssembly file, and compresses it for the page: `bindings FILE.wasm NAME FOLDER PACKED`; or only
//! compresses a file: `bindings FILE PACKED`.

use std::env;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use lzma_rust2::{CheckType, LzmaOptions, XzOptions, XzWriter};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().context("the first argument is the file")?;
    let name = arguments.next().context("the second argument is the name of what is made")?;
    let Some(folder) = arguments.next() else { return pack(&fs::read(file)?, Path::new(&name)) };
    let packed = arguments.next().context("the fourth argument is the folder for the compressed file")?;
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(true).omit_default_module_path(true).out_name(&name);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.input_path(file).generate(&folder)?;
    let wasm = fs::read(Path::new(&folder).join(format!("{name}_bg.wasm")))?;
    pack(&wasm, &Path::new(&packed).join(format!("{name}.xz")))
}

/// Compresses a file as `xz -6e --check=none` does: a check of the sum is a seventh of the time to unpack. The dictionary,
/// 8 MiB, is larger than the engine.
fn pack(bytes: &[u8], path: &Path) -> Result<()> {
    let mut options = XzOptions::with_preset(6);
    options.lzma_options.nice_len = LzmaOptions::NICE_LEN_MAX;
    options.lzma_options.depth_limit = 512;
    options.set_check_sum_type(CheckType::None);
    let mut writer = XzWriter::new(File::create(path)?, options)?;
    writer.write_all(bytes)?;
    writer.finish()?;
    Ok(())
}
