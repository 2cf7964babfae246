//! Builds a linter from rules, settings, providers and schemas of one's own, whatever the order they are given in.

use std::sync::Arc;

use crate::lint::linter::Linter;
use crate::provider::kind::Provider;
use crate::provider::schema::house::HouseSchema;
use crate::rule::config::{Config, ParameterError, Parameters};
use crate::rule::errors::StrictError;
use crate::rule::selection::UnknownRule;
use crate::rule::user_rules::UserRule;

/// Additions of a linter to the built-in rules. See [`Linter::builder`].
#[derive(Debug, Default)]
pub struct LinterBuilder {
    rules: Vec<UserRule>,
    parameters: Vec<Parameters>,
    config: Config,
    providers: Vec<Provider>,
    house_schemas: Vec<Arc<dyn HouseSchema>>,
}

/// The reason a linter cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinterError {
    /// Vocabulary files that cannot be used, else rule files that cannot be used, at most one error each.
    #[error("{}", lines(.0))]
    Rules(Vec<StrictError>),
    /// Parameters that do not fit their rules, at most one error each.
    #[error("{}", lines(.0))]
    Parameters(Vec<ParameterError>),
    /// A name in the settings that is neither a rule nor a group.
    #[error(transparent)]
    UnknownRule(#[from] UnknownRule),
}

fn lines<E: std::fmt::Display>(errors: &[E]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Linter {
    /// A linter with rules, settings, providers or schemas of your own.
    pub fn builder() -> LinterBuilder {
        LinterBuilder::default()
    }
}

impl LinterBuilder {
    /// Adds rules of the user's own, and vocabularies for them.
    pub fn rules(mut self, files: impl IntoIterator<Item = UserRule>) -> Self {
        self.rules.extend(files);
        self
    }

    /// Sets parameters of rules, built-in ones and the user's own.
    pub fn parameters(mut self, parameters: impl IntoIterator<Item = Parameters>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Selects rules and sets levels, in place of an earlier call.
    pub fn config(self, config: Config) -> Self {
        Self { config, ..self }
    }

    /// Adds a provider that is not built in. Its documents are detected before those of built-in providers.
    pub fn provider(mut self, provider: Provider) -> Self {
        self.providers.push(provider);
        self
    }

    /// Adds schemas of the user's own.
    pub fn house_schemas(mut self, schemas: impl IntoIterator<Item = Arc<dyn HouseSchema>>) -> Self {
        self.house_schemas.extend(schemas);
        self
    }

    /// Builds the linter.
    ///
    /// # Errors
    ///
    /// Rules that cannot be used, else parameters that do not fit, else an unknown rule in the settings.
    pub fn build(self) -> Result<Linter, LinterError> {
        let mut linter = Linter::builtin();
        if !self.rules.is_empty() {
            linter = linter.with_rules(&self.rules).map_err(LinterError::Rules)?;
        }
        if !self.parameters.is_empty() {
            let with_parameters = linter.with_parameters(&self.parameters, &self.rules);
            linter = with_parameters.map_err(LinterError::Parameters)?;
        }
        let linter = self.providers.into_iter().fold(linter, Linter::with_provider);
        Ok(linter.with_config(self.config)?.with_house_schemas(self.house_schemas))
    }
}
