//! Providers that are not built in: loaded from files like those in `schemas/`, and as strictly.

use std::collections::BTreeMap;

use serde_yaml::Value;
use tollproof_data::prepared::RoleNames;
use tollproof_data::provider::file::{EntryKeys, ProviderFile};
use tollproof_data::provider::roles::Roles;

use crate::prepared::PREPARED;
use crate::provider::kind::Provider;
use crate::rule::errors::{StrictError, decode};

/// The files of a provider of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnProvider {
    /// The name that settings and reports use.
    pub name: String,
    /// The name of its `provider.yaml`, for errors.
    pub file: String,
    /// The text of that file.
    pub text: String,
    /// The schema of each kind, by the name of the kind: its file, for errors, and its text.
    pub schemas: BTreeMap<String, (String, String)>,
}

impl Provider {
    /// Loads a provider, for [`LinterBuilder::provider`](crate::LinterBuilder::provider). It lasts as long as the program.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with one of the files, with its place.
    pub fn load(own: &OwnProvider) -> Result<Self, Box<StrictError>> {
        let file: ProviderFile = decode(&own.file, &own.text)?;
        let mut schemas = BTreeMap::new();
        for (kind, (file, text)) in &own.schemas {
            // A schema in which a key is repeated has an error as well, at its place.
            let _: BTreeMap<String, Value> = decode(file, text)?;
            let schema = serde_json::from_str(text);
            let schema = schema.map_err(|error| StrictError::at(file, text, "", error.to_string()))?;
            schemas.insert(kind.clone(), schema);
        }
        let EntryKeys { names, values } = &file.entries;
        for (key, is_empty) in [
            ("entries", names.is_empty() && values.is_empty()),
            ("resources", file.resources.is_empty()),
            ("lists", file.lists.is_empty()),
        ] {
            if !is_empty {
                let message = "only built-in providers can have this, because it changes how files are read";
                return Err(StrictError::at(&own.file, &own.text, &format!("/{key}"), message.to_owned()));
            }
        }
        let RoleNames { all, submission, lists, .. } = &*PREPARED.roles;
        let roles = Roles { all, submission, lists };
        let data = file.prepare(&own.name, &schemas, roles).map_err(|error| {
            let schema = error.schema.and_then(|kind| own.schemas.get(kind.name()));
            let (file, text) = schema.map_or((&own.file, &own.text), |(file, text)| (file, text));
            StrictError::at(file, text, &error.pointer, error.message)
        })?;
        Ok(Self::of(data))
    }
}
