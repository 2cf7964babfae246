//! Keys by which `--statistics` counts findings.

/// Keys by which `--statistics` counts findings.
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

/// The shown statistics, by their position in [`StatisticsBy::ALL`].
pub(crate) type Statistics = [bool; 4];
