//! The values of `--color`.

use clap::ValueEnum;

/// Use of color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// In any case.
    Always,
    /// In no case.
    Never,
}
