//! `declared-method`: a declared way to agree that the description does not tell of.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;
use crate::text::terms::groups::Groups;

/// A declared way to agree, where the description tells of other ways and not of this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeclaredMethod {
    /// The field with the description.
    pub description: String,
    /// The ways to agree.
    pub methods: Vec<DeclaredWay>,
}

/// A way to agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeclaredWay {
    /// The values that declare it.
    pub values: Texts,
    /// Groups that tell of it; nothing is reported if the description has one of them.
    pub fits: Groups,
    /// Groups that tell of other ways.
    pub others: Groups,
}

impl CheckSpec for DeclaredMethod {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn groups(&mut self) -> Vec<&mut Groups> {
        self.methods.iter_mut().flat_map(|it| [&mut it.fits, &mut it.others]).collect()
    }
}
