//! The one place that runs rules, levels and sorts what they find.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::checks::context::{Context, Environment};
use crate::checks::wordlists::Lists;
use crate::checks::{self, Place};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::lint::builder::LinterBuilder;
use crate::lint::ignores::Ignores;
use crate::lint::judge::is_cut;
use crate::lint::render;
use crate::lint::report::Report;
use crate::lint::trial;
use crate::provider::detect::Unknown;
use crate::provider::detect::{Detection, KindHint, detect, mentions_a_submission};
use crate::provider::foreign;
use crate::provider::kind::{Kind, Provider};
use crate::provider::schema::house::HouseSchema;
use crate::provider::schema::{self, SchemaError, SchemaErrorKind};
use crate::rule::Rule;
use crate::rule::builtin;
use crate::rule::config::{Config, ParameterError, Parameters};
use crate::rule::errors::StrictError;
use crate::rule::old_names;
use crate::rule::parameters;
use crate::rule::selection::{Selection, UnknownRule};
use crate::rule::user_rules::{self, UserRule};
use crate::syntax::document::{Node, SyntaxError, SyntaxErrorKind, Value as NodeValue};
use crate::syntax::message::message;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed, SourceDocument};
use crate::text::lexicon::{Lexicon, SetId};

/// Rules and settings, ready to check any number of texts.
#[derive(Debug)]
pub struct Linter {
    rules: Vec<Rule>,
    selection: Selection,
    config: Config,
    /// All parameters that were set, in their order.
    parameters: Vec<Parameters>,
    house_schemas: Vec<Arc<dyn HouseSchema>>,
    lists: Lists,
    lexicons: Vec<Lexicon<'static>>,
    next_set: SetId,
    /// Those that are not built in.
    providers: Vec<Provider>,
}

/// A text with more findings than this, and one more for so many bytes, is no draft any more.
const MAX_FINDINGS: usize = 2_000;
const BYTES_A_FINDING: usize = 256;

impl Linter {
    /// All built-in rules with their own levels.
    #[must_use]
    pub fn builtin() -> Self {
        let builtin::Builtin { rules, lexicon, titles, next_set } = builtin::load();
        let selection = Selection::default_of(&rules);
        Self {
            rules,
            selection,
            config: Config::default(),
            parameters: Vec::new(),
            house_schemas: Vec::new(),
            lists: Lists::new(titles),
            lexicons: vec![lexicon],
            next_set,
            providers: Vec::new(),
        }
    }

    /// A linter with rules, settings, providers or schemas of your own.
    #[must_use]
    pub fn builder() -> LinterBuilder {
        LinterBuilder::default()
    }

    /// Adds rules of the user's own; settings and parameters from before stay.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files, at most one error each; an id that exists already is one.
    pub(crate) fn with_rules(mut self, files: &[UserRule]) -> Result<Self, Vec<StrictError>> {
        let loaded = user_rules::load(files, &self.rules, self.next_set)?;
        self.rules.extend(loaded.rules);
        self.rules.sort_by(|a, b| a.id.cmp(&b.id));
        self.lexicons.push(loaded.lexicon);
        self.lists.titles.extend(loaded.titles);
        self.next_set = loaded.next_set;
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
        let loaded = parameters::load((&self.parameters, parameters), own, &self.rules, self.next_set)?;
        for rule in loaded.rules {
            let at =
                self.rules.binary_search_by(|it| it.id.cmp(&rule.id)).expect("it was made from one of them");
            self.rules[at] = rule;
        }
        self.lexicons.push(loaded.lexicon);
        self.lists.titles.extend(loaded.titles);
        self.next_set = loaded.next_set;
        self.parameters.extend_from_slice(parameters);
        Ok(self)
    }

    /// The parameters that were set by names that are deprecated, each as an error that is only a warning.
    #[must_use]
    pub fn old_parameters(&self) -> Vec<ParameterError> {
        let of = |it: &Parameters| old_names::old_parameters(it, self.rule(&it.rule)?.check.name());
        self.parameters.iter().filter_map(of).collect()
    }

    /// Applies settings in place of those from before.
    ///
    /// # Errors
    ///
    /// A name that is neither a rule nor a group of the linter; a rule of the user's own is one after
    /// [`LinterBuilder::rules`].
    pub(crate) fn with_config(self, config: Config) -> Result<Self, UnknownRule> {
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

    /// Whether any rule is locked.
    pub(crate) fn locks_any(&self) -> bool {
        self.selection.locks_any()
    }

    /// Whether a rule runs.
    pub(crate) fn runs(&self, rule: &Rule) -> bool {
        self.selection.has(rule)
    }

    /// Whether the user gives a rule a level.
    pub(crate) fn has_level(&self, rule: &Rule) -> bool {
        self.selection.has_level(rule)
    }

    /// Applies the levels that the user sets to findings.
    fn apply_levels(&self, findings: &mut [Finding]) {
        if self.selection.is_plain() {
            return;
        }
        for finding in findings {
            if let Some(rule) = self.rule(&finding.rule) {
                let given = self.selection.apply_level(rule, finding.severity);
                // Nothing lowers what could not be read; a byte order mark is less than that.
                let is_held = finding.severity >= rule.severity && finding.always_counts();
                finding.severity = if is_held { given.max(finding.severity) } else { given };
            }
        }
    }

    /// The rule of an id.
    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        let at = self.rules.binary_search_by(|rule| rule.id.as_ref().cmp(id)).ok()?;
        Some(&self.rules[at])
    }

    /// A document as checks see it.
    pub(crate) fn context<'a>(
        &'a self,
        source: &'a Source<'_>,
        root: &'a Node<'a>,
        kind: Kind,
        beyond: Environment<'a>,
    ) -> Context<'a> {
        let vendor = self.config.vendor.as_deref();
        Context::new(source.text(), root, kind, (vendor, beyond, &self.lists), &self.lexicons)
    }

    /// The rules, in the order of their ids.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Checks one text; `hint` says what is known about the kind of its documents, `facts` what is known beyond them.
    #[must_use]
    pub fn check(&self, parsed: &Parsed<'_>, hint: KindHint, facts: &Facts) -> Report {
        let mut report = self.lint_some(parsed, hint, facts, None);
        trial::withhold(self, &mut report, parsed, &|it, only| self.lint_some(it, hint, facts, only));
        report
    }

    /// Checks one text; of some documents `only`, where those are given.
    fn lint_some(
        &self,
        parsed: &Parsed<'_>,
        kind: KindHint,
        facts: &Facts,
        only: Option<&BTreeSet<usize>>,
    ) -> Report {
        let mut report = Report::default();
        let source = parsed.source();
        let allowed = allowed(source);
        let is_meant = LazyCell::new(|| mentions_a_submission(source.text()));
        let mut ignores = Ignores::of(parsed, !self.config.no_ignores);
        'text: for block in parsed.blocks() {
            for document in block.documents() {
                ignores.see(&document);
                if only.is_some_and(|only| !only.contains(&document.index)) {
                    trial::pass_by(document, kind, &self.providers, &|| *is_meant, &mut report);
                    continue;
                }
                self.take(document, kind, facts, &|| *is_meant, &mut report);
                if report.findings.len() > allowed {
                    report.findings.truncate(allowed);
                    report.findings.extend(self.too_many(document, allowed));
                    break 'text;
                }
            }
        }
        self.apply_levels(&mut report.findings);
        ignores.apply(self, source, facts, &mut report);
        self.keep_deepest(&mut report.findings);
        self.leave_refused_values(&mut report.findings);
        render::distinguish(&mut report.findings);
        report
    }

    /// The finding that ends a text with too many of them.
    fn too_many(&self, document: SourceDocument<'_>, allowed: usize) -> Option<Finding> {
        let at = document.root.as_ref().map_or_else(Default::default, |root| root.span);
        let message = message!("this file has more than {} findings", allowed);
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Limit, at, message)
            .help("Nothing after this place was checked. Fix the first ones and check again.");
        self.syntax_error(document, None, &syntax_error)
    }

    /// Checks one document of a text. Ignores do not apply, and fixes are not tried before they are offered.
    #[must_use]
    pub fn check_document(&self, document: SourceDocument<'_>, hint: KindHint, facts: &Facts) -> Report {
        let mut report = Report::default();
        let is_meant = || mentions_a_submission(document.source().text());
        self.take(document, hint, facts, &is_meant, &mut report);
        self.apply_levels(&mut report.findings);
        self.keep_deepest(&mut report.findings);
        self.leave_refused_values(&mut report.findings);
        report
    }

    /// Checks JSON text: one document or a list.
    #[must_use]
    pub fn check_json(&self, text: &str, facts: &Facts) -> Report {
        let source = Source::new("draft", text);
        self.check(&Parsed::of(&source, Some(Format::Json)), KindHint::Explicit, facts)
    }

    /// Checks a JSON value. Findings have pointers and no spans, since there is no text.
    #[must_use]
    pub fn check_value(&self, value: &Value, facts: &Facts) -> Report {
        let mut report = self.check_json(&value.to_string(), facts);
        for finding in &mut report.findings {
            finding.span = None;
            finding.related.iter_mut().for_each(|related| related.span = None);
            finding.fix = None;
        }
        report
    }

    fn take(
        &self,
        document: SourceDocument<'_>,
        kind: KindHint,
        facts: &Facts,
        is_meant: &dyn Fn() -> bool,
        report: &mut Report,
    ) {
        if !document.source().is_exact() || document.syntax_errors.iter().any(SyntaxError::damages) {
            report.damaged.insert(document.index);
        }
        if document.source().is_unreadable() {
            return self.unknown(document, Unknown::Keys, report);
        }
        match detect(&document, kind, &self.providers, is_meant) {
            Detection::Draft(kind) => self.draft(document, kind, facts, report),
            Detection::Unknown(unknown) => self.unknown(document, unknown, report),
            Detection::NoDraft => report.skipped += 1,
        }
    }

    /// A document whose kind cannot be told: what is wrong with its text, and that.
    fn unknown(&self, document: SourceDocument<'_>, unknown: Unknown, report: &mut Report) {
        report.documents += 1;
        let syntax_errors = document.syntax_errors.iter();
        report
            .findings
            .extend(syntax_errors.filter_map(|syntax_error| self.syntax_error(document, None, syntax_error)));
        let Some(root) = &document.document().root else { return };
        if is_cut(&document) && !unknown.is_declared() {
            return;
        }
        let place = Place { node: Some(root), pointer: String::new(), field: "", role: "" };
        let (rule, violation) = if matches!(root.value, NodeValue::Object(_)) || unknown.is_declared() {
            (self.rule_of_unknown_kind(), unknown.violation(root))
        } else {
            let error = SchemaError { kind: SchemaErrorKind::Type, pointer: String::new() };
            (
                self.rule_of_schema_error(None, &error),
                checks::schema::no_object(root, document.source().text()),
            )
        };
        // A list of names and values is many documents, and one submission.
        let is_said = |it: &Finding| violation.message.as_ref() == Some(&it.message);
        if matches!(unknown, Unknown::Foreign(_)) && report.findings.iter().any(is_said) {
            return;
        }
        if let Some(rule) = rule {
            report.findings.push(render::finding(rule, violation, &place, document, None));
        }
    }

    /// A draft, or another document of a kind: what is wrong with its text, its structure and its values.
    fn draft(&self, document: SourceDocument<'_>, kind: Kind, facts: &Facts, report: &mut Report) {
        // Of a document that crossed a budget only a part was read, and that part is large.
        let spent = document.cut
            && document
                .syntax_errors
                .iter()
                .any(|syntax_error| syntax_error.problem == SyntaxErrorKind::Limit);
        let root = document.document().root.as_ref().filter(|_| !spent);
        let errors = root.map(|root| (root, schema::errors(kind, root)));
        // Some providers share most names with the interface.
        if let Some((root, errors)) = &errors
            && !errors.is_empty()
            && kind.provider() == Provider::default()
            && let Some(provider) = foreign::of(root, true)
        {
            let unknown = Unknown::Foreign(provider);
            return self.unknown(document, unknown, report);
        }
        report.documents += 1;
        let syntax_error = |syntax_error| self.syntax_error(document, Some(kind), syntax_error);
        let mut findings: Vec<Finding> = document.syntax_errors.iter().filter_map(syntax_error).collect();
        if let Some((root, errors)) = errors {
            let declared_record = document.declared.record.map(|(id, _)| id);
            let file = document.source().name();
            let beyond = Environment { facts, earlier: &report.numbers, file, declared_record };
            let context = self.context(document.source(), root, kind, beyond);
            self.judge(document, errors, &context, &mut findings);
            report.without_record += usize::from(kind.is_update() && beyond.record().is_none());
            if kind.is_submit() {
                report.numbers.add_document(document, kind);
            }
        }
        let place = |finding: &Finding| finding.span.map(|span| span.start);
        findings.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.rule.cmp(&b.rule)));
        report.findings.append(&mut findings);
    }

    /// The finding of a fault of the text.
    pub(crate) fn syntax_error(
        &self,
        document: SourceDocument<'_>,
        kind: Option<Kind>,
        syntax_error: &SyntaxError,
    ) -> Option<Finding> {
        Some(render::syntax_error(
            self.rule_of_syntax_error(syntax_error.problem)?,
            syntax_error,
            document,
            kind,
        ))
    }
}

/// How many findings a text may have.
pub(crate) fn allowed(source: &Source<'_>) -> usize {
    MAX_FINDINGS + source.text().len() / BYTES_A_FINDING
}
