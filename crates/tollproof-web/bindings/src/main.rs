//! Makes the JavaScript of a WebAssembly file: `bindings FILE.wasm FOLDER`.

use std::env;

use anyhow::{Context as _, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().context("the first argument is the WebAssembly file")?;
    let folder = arguments.next().context("the second argument is the folder for its JavaScript")?;
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(true).omit_default_module_path(true).out_name("engine");
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.input_path(file).generate(folder)
}
