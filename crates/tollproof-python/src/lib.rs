//! tollproof for Python: what `python/tollproof/` calls.
//!
//! Values cross as JSON text, from which the package makes typed objects when they are asked for; tables cross as Arrow.

mod convert;
mod drafts;
mod engine;
mod errors;
mod excerpt;
mod fix;
mod json_text;
mod many;
mod measure;
mod report;
mod rules;
mod settings;
mod table;

use pyo3::prelude::*;

/// The engine of the package `tollproof`. Use the package, not this module: its names may change.
#[pymodule]
mod _tollproof {
    #[pymodule_export]
    use crate::engine::LinterEngine;
    #[pymodule_export]
    use crate::fix::FixedDraft;
    #[pymodule_export]
    use crate::many::DraftChecks;
    #[pymodule_export]
    use crate::measure::VerdictMeter;
    #[pymodule_export]
    use crate::report::ReportedDrafts;
    #[pymodule_export]
    use crate::rules::{providers, rules};
    #[pymodule_export]
    use crate::table::{ResultTable, TableChecks};

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
