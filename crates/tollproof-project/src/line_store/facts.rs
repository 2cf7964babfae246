//! The store of facts about pages: what `tollproof look` saw, one line for each address.

use jiff::Timestamp;
use tollproof_core::{SeenFact, SeenFacts};

use super::LineStore;
use super::line::StoredLine;

/// The store's path, relative to the folder of the configuration, unless a setting says otherwise.
pub const FACTS_NAME: &str = ".tollproof/facts.ndjson";

/// A file of facts seen at the addresses of drafts.
pub type FactsStore = LineStore<SeenFact>;

impl StoredLine for SeenFact {
    const WHAT: &str = "facts";
    const VERSION: u32 = Self::VERSION;

    fn key(&self) -> String {
        self.address.clone()
    }

    fn at(&self) -> Timestamp {
        self.at
    }

    fn within_limits(self) -> Self {
        Self::within_limits(self)
    }
}

impl FactsStore {
    /// All facts, for checks.
    pub fn facts(&self) -> SeenFacts {
        SeenFacts::new(self.iter().cloned())
    }
}
