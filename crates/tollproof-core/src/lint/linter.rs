//! A linter: rules, settings and vocabulary, ready to check texts.

use std::sync::Arc;

use tollproof_data::text::table::lexicon::Lexicon;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::words::hit::SetId;

use crate::checks::context::{Context, Environment};
use crate::checks::wordlists::Lists;
use crate::facts::Facts;
use crate::lint::plan::KindPlans;
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, Provider};
use crate::provider::schema::house::HouseSchema;
use crate::rule::config::{Config, ParameterError, Parameters};
use crate::rule::errors::StrictError;
use crate::rule::selection::{Selection, UnknownRule};
use crate::rule::user_rules::{self, Loaded, UserRule};
use crate::rule::{Rule, builtin, parameters};
use crate::syntax::Parsed;
use crate::syntax::document::Node;
use crate::syntax::source::Source;
use crate::text::asked::reading::TextReading;
use crate::text::terms::text_rules::TextRules;

/// Rules and settings, ready to check any number of texts.
#[derive(Debug)]
pub struct Linter {
    rules: Vec<Rule>,
    pub(super) selection: Selection,
    pub(super) config: Config,
    /// All parameters that were set, in their order.
    parameters: Vec<Parameters>,
    house_schemas: Vec<Arc<dyn HouseSchema>>,
    lists: Lists,
    lexicons: Vec<Lexicon<'static>>,
    vocabulary: Vocabulary<'static>,
    /// The user's vocabulary files.
    own_vocabulary: Vec<UserRule>,
    pub(super) plans: KindPlans,
    next_set: SetId,
    /// Those that are not built in.
    pub(super) providers: Vec<Provider>,
}

/// A text, what is known about the kind of its documents, and what is known from outside of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckInput<'c> {
    pub(crate) parsed: &'c Parsed<'c>,
    pub(crate) hint: KindHint,
    pub(crate) facts: &'c Facts,
}

impl Linter {
    /// All built-in rules with their own levels.
    #[must_use]
    pub fn builtin() -> Self {
        Self::of(builtin::load())
    }

    /// The rules of a set with their own levels.
    pub(crate) fn of(builtin: builtin::Builtin) -> Self {
        let builtin::Builtin { rules, lexicon, titles, vocabulary, next_set } = builtin;
        let selection = Selection::default_of(&rules);
        Self {
            rules,
            selection,
            config: Config::default(),
            parameters: Vec::new(),
            house_schemas: Vec::new(),
            lists: Lists::new(titles),
            lexicons: vec![lexicon],
            vocabulary,
            own_vocabulary: Vec::new(),
            plans: KindPlans::default(),
            next_set,
            providers: Vec::new(),
        }
    }

    /// All built-in rules with settings. Unlike [`Linter::builder`], it needs none of the code that reads rules of users.
    ///
    /// # Errors
    ///
    /// A name in the settings that is neither a rule nor a group.
    pub fn configured(config: Config) -> Result<Self, UnknownRule> {
        Self::builtin().with_config(config)
    }

    /// Adds rules of the user's own; settings and parameters from before stay.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the vocabulary files, else with the rule files; an id that exists already is an
    /// error.
    pub(crate) fn with_rules(mut self, files: &[UserRule]) -> Result<Self, Vec<StrictError>> {
        let loaded = user_rules::load(files, &self.rules, (&self.vocabulary, self.next_set))?;
        self.take(loaded);
        self.own_vocabulary.extend(files.iter().filter(|file| file.is_vocabulary()).cloned());
        self.selection =
            Selection::of(&self.rules, &self.config).expect("the rules that it names were there before");
        Ok(self)
    }

    /// Sets parameters of rules, beside those that were set before; `own` are the files of [`LinterBuilder::rules`].
    ///
    /// # Errors
    ///
    /// Everything that does not fit its rule, at most one error a rule; a rule that the linter does not have yet.
    pub(crate) fn with_parameters(
        mut self,
        parameters: &[Parameters],
        own: &[UserRule],
    ) -> Result<Self, Vec<ParameterError>> {
        let loaded = parameters::load(
            (&self.parameters, parameters),
            own,
            &self.rules,
            (&self.vocabulary, self.next_set),
        )?;
        self.take(loaded);
        self.parameters.extend_from_slice(parameters);
        Ok(self)
    }

    /// Takes in rules that were loaded, in place of those with the same ids, and what they need.
    fn take(&mut self, loaded: Loaded) {
        let Loaded { rules, lexicon, titles, vocabulary, next_set } = loaded;
        for rule in rules {
            match self.rules.binary_search_by(|known| known.id.cmp(&rule.id)) {
                Ok(at) => self.rules[at] = rule,
                Err(at) => self.rules.insert(at, rule),
            }
        }
        self.lexicons.push(lexicon);
        self.vocabulary = vocabulary;
        self.plans = KindPlans::default();
        self.lists.titles.extend(titles);
        self.next_set = next_set;
    }

    /// Applies settings in place of those from before.
    ///
    /// # Errors
    ///
    /// A name that is neither a rule nor a group of the linter; a rule of the user's own is one after
    /// [`LinterBuilder::rules`].
    pub(crate) fn with_config(self, config: Config) -> Result<Self, UnknownRule> {
        if config == self.config {
            return Ok(self);
        }
        let selection = Selection::of(&self.rules, &config)?;
        Ok(Self { config, selection, ..self })
    }

    /// Adds a provider that is not built in: its documents are unknown before those of any other.
    #[must_use]
    pub(crate) fn with_provider(mut self, provider: Provider) -> Self {
        self.providers.push(provider);
        self
    }

    /// Hands in schemas of the user's own, in place of those from before.
    #[must_use]
    pub(crate) fn with_house_schemas(self, house_schemas: Vec<Arc<dyn HouseSchema>>) -> Self {
        Self { house_schemas, ..self }
    }

    /// The schemas of the user's own.
    pub(crate) fn house_schemas(&self) -> &[Arc<dyn HouseSchema>] {
        &self.house_schemas
    }

    /// The settings.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Whether a rule is locked by the settings.
    pub(crate) fn locks(&self, rule: &Rule) -> bool {
        self.selection.locks(rule)
    }

    /// Whether a rule runs.
    pub(crate) fn runs(&self, rule: &Rule) -> bool {
        self.selection.has(rule)
    }

    /// Flags of rules that run, in the order of [`Self::rules`].
    pub(crate) fn running(&self) -> &[bool] {
        self.selection.by_rule()
    }

    /// Whether the user gives a rule a level.
    pub(crate) fn has_level(&self, rule: &Rule) -> bool {
        self.selection.has_level(rule)
    }

    /// The rule of an id.
    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        let at = self.rules.binary_search_by(|rule| rule.id.as_ref().cmp(id)).ok()?;
        Some(&self.rules[at])
    }

    /// The table of the built-in phrases, which a test changes.
    #[cfg(test)]
    pub(crate) fn lexicon_mut(&mut self) -> &mut Lexicon<'static> {
        &mut self.lexicons[0]
    }

    /// The rules' data for reading texts.
    pub(crate) fn text_rules(&self) -> TextRules<'_> {
        TextRules { lexicons: &self.lexicons, vocabulary: &self.vocabulary }
    }

    /// A document as checks see it.
    pub(crate) fn context<'a>(
        &'a self,
        source: &'a Source<'_>,
        root: &'a Node<'a>,
        kind: Kind,
        environment: Environment<'a>,
    ) -> Context<'a> {
        Context::new(source.text(), root, kind, environment, &self.lists, self.text_rules())
    }

    /// Analyzes a text: its language, its sentences, and the terms of the vocabulary in them.
    pub fn read_text(&self, text: &str) -> TextReading {
        let mut files: Vec<(String, &str)> = builtin::vocabulary_files().collect();
        files.extend(self.own_vocabulary.iter().map(|file| (file.file.clone(), &*file.text)));
        TextReading::of(text, self.text_rules(), (&files, self.next_set))
    }

    /// The rules, in the order of their ids.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}
