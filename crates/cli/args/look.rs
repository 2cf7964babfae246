//! The arguments of `look`.

use std::path::PathBuf;

use clap::value_parser;

use super::examples;
use super::online::KindArgs;
use super::shared::{PrintArgs, SizeArgs};

// The arguments of `look`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("look"), after_long_help = examples("look, long"))]
pub(crate) struct LookArgs {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The file in which to store what was seen.
    ///
    /// Without it, `facts:` in tollproof.yaml applies, or else `.tollproof/facts.ndjson` beside it.
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,

    /// Look at all addresses again, however new the stored facts are.
    #[arg(long)]
    pub(crate) again: bool,

    /// List the addresses, and open none.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Addresses to look at in parallel, from 1 to 64. At most two requests at a time go to one host.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,

    /// Also open addresses of this machine and private ones, on any port.
    ///
    /// For tests and intranets. Use it only with drafts that you trust: an address in a draft can then reach servers that only
    /// this machine can.
    #[arg(long)]
    pub(crate) allow_private: bool,

    /// The browser that renders pages: Chromium, Chrome or Edge. Without it, an installed one is used.
    #[arg(long, value_name = "PROGRAM", help_heading = "Browser")]
    pub(crate) browser: Option<PathBuf>,

    /// Render no page. Pages that are empty without scripts are not checked.
    #[arg(long, conflicts_with_all = ["browser", "picture"], help_heading = "Browser")]
    pub(crate) no_browser: bool,

    /// Allow the browser to run without its sandbox.
    ///
    /// Chromium has no sandbox for root, and some containers give it none. A page that breaks out of the browser can then do
    /// what this user can: use it in a container that has nothing else.
    #[arg(long, conflicts_with = "no_browser", help_heading = "Browser")]
    pub(crate) no_sandbox: bool,

    /// The program that reads the words of opt-in pictures. Without it, an installed Tesseract is used.
    #[arg(long, value_name = "PROGRAM", help_heading = "Pictures")]
    pub(crate) tesseract: Option<PathBuf>,

    /// Do not read the words in pictures.
    #[arg(long, conflicts_with = "tesseract", help_heading = "Pictures")]
    pub(crate) no_tesseract: bool,

    /// Make a picture of an opt-in page: a PNG file of at most 400,000 bytes with the form for a phone number in view.
    #[arg(
        long,
        value_name = "URL",
        requires = "output",
        conflicts_with_all = ["paths", "facts", "again", "dry_run", "kind", "provider", "config", "no_config", "output_format"],
        help_heading = "Browser"
    )]
    pub(crate) picture: Option<String>,

    /// The file of the picture, or `-` for standard output.
    #[arg(short, long, value_name = "FILE", requires = "picture", help_heading = "Browser")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite the file of the picture if it exists.
    #[arg(long, requires = "output", help_heading = "Browser")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// The settings file to use, instead of the nearest tollproof.yaml.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Input")]
    #[arg(hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,

    /// Use no settings file.
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub(crate) no_config: bool,

    #[command(flatten)]
    pub(crate) size: SizeArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}
