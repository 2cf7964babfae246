//! What `--statistics` counts findings by.

/// What `--statistics` counts findings by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StatisticsBy {
    /// The rule and its severity.
    Rule,
    /// The severity.
    Severity,
    /// The use case of the draft.
    UseCase,
    /// The file.
    File,
}

impl StatisticsBy {
    pub(crate) const ALL: [Self; 4] = [Self::Rule, Self::Severity, Self::UseCase, Self::File];
}

/// Which statistics are shown, by their position in [`StatisticsBy::ALL`].
pub(crate) type Statistics = [bool; 4];
