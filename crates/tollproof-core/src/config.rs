//! What a user may set, as plain data.

/// Which rules run and what they need to know of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The brand in the testing use case, `<vendor> Testing`; none refuses every `… Testing`.
    pub vendor: Option<String>,
    /// Rules or groups that replace the default set; empty keeps it. Naming a rule that is off by default turns it on.
    pub select: Vec<String>,
    /// Rules or groups that are taken away from the set.
    pub ignore: Vec<String>,
}
