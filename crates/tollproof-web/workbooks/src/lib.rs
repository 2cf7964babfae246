//! Workbooks read in WebAssembly: a module of its own, because few people open one.

use serde::Serialize;
use tollproof_sheets::Workbook;
use wasm_bindgen::prelude::wasm_bindgen;

/// A sheet, as the engine takes it: `SheetText`.
#[derive(Debug, Serialize)]
struct WrittenSheet {
    name: String,
    csv: String,
    rows: Vec<u32>,
}

/// The sheets of a workbook that have rows, as JSON.
#[wasm_bindgen]
pub fn sheets(bytes: Vec<u8>) -> Result<String, String> {
    let mut workbook = Workbook::open(bytes).map_err(|error| error.to_string())?;
    let mut sheets = Vec::new();
    while let Some(table) = workbook.next_table().map_err(|error| error.to_string())? {
        let csv = String::from_utf8(table.csv).expect("cells are strings");
        sheets.push(WrittenSheet { name: table.sheet, csv, rows: table.rows });
    }
    Ok(serde_json::to_string(&sheets).expect("its keys are strings"))
}
