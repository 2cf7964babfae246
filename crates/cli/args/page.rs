//! The arguments of `page`.

use std::path::PathBuf;

use super::examples;

// The arguments of `page`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("page"))]
pub(crate) struct PageArgs {
    /// The file to write, or `-` for standard output.
    #[arg(value_name = "FILE", default_value = "tollproof.html")]
    pub(crate) file: PathBuf,

    /// The same as FILE, as other commands name it.
    #[arg(short, long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) output: Option<PathBuf>,

    /// Do not open the page in a browser.
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Overwrite a file that is not a page of tollproof.
    #[arg(long)]
    pub(crate) force: bool,
}
