//! The values of `--color`.

use clap::ValueEnum;

/// Use of color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Also when the output is not a terminal.
    Always,
    /// No color.
    Never,
}
