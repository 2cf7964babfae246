//! The one place that runs rules, levels and sorts what they find.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use crate::builtin;
use crate::checks::{self, Defect, Place};
use crate::config::{Config, Misfit, Parameters};
use crate::context::{Beyond, Context};
use crate::document::{Document, Fault, Node, Problem, Value as NodeValue};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::ignores::Ignores;
use crate::input::{Format, read};
use crate::kind::Kind;
use crate::lists::Lists;
use crate::message::message;
use crate::parameters;
use crate::report::Report;
use crate::rule::Rule;
use crate::rule::check::{Check, Violation};
use crate::schema::{self, Complaint};
use crate::selection::{Selection, UnknownRule, is_named};
use crate::source::{Source, Span};
use crate::strict::StrictError;
use crate::telling::{KindSource, Told, mentions_a_submission, tell};
use crate::text::lexicon::{Lexicon, SetId};
use crate::user_rules::{self, UserRule};
use crate::walk::{place_of, walk};
use crate::words;

/// Rules, settings and facts, ready to judge any number of texts.
#[derive(Debug)]
pub struct Linter {
    rules: Vec<Rule>,
    selection: Selection,
    config: Config,
    facts: Facts,
    lists: Lists,
    lexicons: Vec<Lexicon<'static>>,
    next_set: SetId,
}

/// How to read the documents of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The notation.
    pub format: Format,
    /// Where the kind of each document comes from.
    pub kind: KindSource,
}

/// A text with more findings than this, and one more for so many bytes, is no draft any more.
const MAX_FINDINGS: usize = 2_000;
const BYTES_A_FINDING: usize = 256;

impl Linter {
    /// All built-in rules at their own levels.
    ///
    /// # Errors
    ///
    /// None today: the rules were checked when tollproof was built.
    pub fn builtin() -> Result<Self, Box<StrictError>> {
        let builtin::Builtin { rules, lexicon, titles, next_set } = builtin::load();
        let selection = Selection::default_of(&rules);
        let lists = Lists::new(titles);
        let (config, facts, lexicons) = (Config::default(), Facts::default(), vec![lexicon]);
        Ok(Self { rules, selection, config, facts, lists, lexicons, next_set })
    }

    /// Adds rules of the user's own.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files, at most one error each; an id that exists already is one.
    pub fn with_rules(mut self, files: &[UserRule]) -> Result<Self, Vec<StrictError>> {
        let loaded = user_rules::load(files, &self.rules, self.next_set)?;
        self.rules.extend(loaded.rules);
        self.rules.sort_by(|a, b| a.id.cmp(&b.id));
        self.lexicons.push(loaded.lexicon);
        self.lists.titles.extend(loaded.titles);
        self.next_set = loaded.next_set;
        self.selection = Selection::default_of(&self.rules);
        Ok(self)
    }

    /// Sets parameters of rules; call it after [`Linter::with_rules`], with the same files.
    ///
    /// # Errors
    ///
    /// Everything that does not fit its rule, at most one error a rule.
    pub fn with_parameters(
        mut self,
        parameters: &[Parameters],
        own: &[UserRule],
    ) -> Result<Self, Vec<Misfit>> {
        let loaded = parameters::load(parameters, own, &self.rules, self.next_set)?;
        for rule in loaded.rules {
            let at =
                self.rules.binary_search_by(|it| it.id.cmp(&rule.id)).expect("it was made from one of them");
            self.rules[at] = rule;
        }
        self.lexicons.push(loaded.lexicon);
        self.lists.titles.extend(loaded.titles);
        self.next_set = loaded.next_set;
        Ok(self)
    }

    /// Applies settings; call it after [`Linter::with_rules`].
    ///
    /// # Errors
    ///
    /// A name in `select` or `ignore` that is neither a rule nor a group.
    pub fn with_config(self, config: Config) -> Result<Self, UnknownRule> {
        let selection = Selection::of(&self.rules, &config)?;
        Ok(Self { config, selection, ..self })
    }

    /// Hands in what is known beyond the documents.
    #[must_use]
    pub fn with_facts(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }

    /// What is known beyond the documents.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The settings.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Whether a rule runs.
    pub(crate) fn runs(&self, rule: &Rule) -> bool {
        self.selection.has(rule)
    }

    /// Gives findings the weight that the user gives their rules.
    fn weigh(&self, findings: &mut [Finding]) {
        if self.selection.is_plain() {
            return;
        }
        for finding in findings {
            if let Some(rule) = self.rule(&finding.rule) {
                finding.severity = self.selection.weigh(rule, finding.severity);
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
        beyond: Beyond<'a>,
    ) -> Context<'a> {
        Context::new(source.text(), root, kind, (&self.config, beyond, &self.lists), &self.lexicons)
    }

    /// The rules, in the order of their ids.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Checks one text.
    #[must_use]
    pub fn check_source(&self, source: &Source<'_>, reading: Reading) -> Report {
        self.check_source_with(source, reading, &self.facts)
    }

    /// Checks one text by facts of its own, not those of [`Linter::with_facts`].
    #[must_use]
    pub fn check_source_with(&self, source: &Source<'_>, reading: Reading, facts: &Facts) -> Report {
        let mut report = Report::default();
        let allowed = allowed(source);
        let is_meant = LazyCell::new(|| mentions_a_submission(source.text()));
        let mut ignores = Ignores::of(source, reading.format, !self.config.no_ignores);
        for mut document in read(source, reading.format) {
            ignores.see(&document);
            if document.index == 0 {
                document.faults.splice(0..0, source.faults().iter().cloned());
            }
            self.take((source, &document), reading.kind, facts, &|| *is_meant, &mut report);
            if report.findings.len() > allowed {
                report.findings.truncate(allowed);
                let at = document.root.map_or_else(Default::default, |root| root.span);
                let message = message!("this file has more than {} findings", allowed);
                let fault = Fault::new(Problem::Limit, at, message);
                let fault =
                    fault.help("Nothing behind this place was checked. Mend the first ones and check again.");
                report.findings.extend(self.fault(source, document.index, None, &fault));
                break;
            }
        }
        self.weigh(&mut report.findings);
        ignores.apply(self, source, facts, &mut report);
        words::tell_apart(&mut report.findings);
        report
    }

    /// Checks a document that [`documents`](crate::documents) has read from a source already.
    ///
    /// What was wrong with the bytes of the source is left out, and nothing is ignored.
    #[must_use]
    pub fn check_document(&self, source: &Source<'_>, document: &Document<'_>, kind: KindSource) -> Report {
        let mut report = Report::default();
        let is_meant = || mentions_a_submission(source.text());
        self.take((source, document), kind, &self.facts, &is_meant, &mut report);
        self.weigh(&mut report.findings);
        report
    }

    /// Checks JSON text: one document or a list.
    #[must_use]
    pub fn check_json(&self, text: &str) -> Report {
        self.check_source(
            &Source::new("draft", text),
            Reading { format: Format::Json, kind: KindSource::Named },
        )
    }

    /// Checks a JSON value; findings have pointers and no spans.
    #[must_use]
    pub fn check_value(&self, value: &Value) -> Report {
        let mut report = self.check_json(&value.to_string());
        for finding in &mut report.findings {
            finding.span = None;
            finding.related.iter_mut().for_each(|related| related.span = None);
            finding.fix = None;
        }
        report
    }

    /// Checks anything that serializes to the interface's JSON; findings have pointers and no spans.
    ///
    /// # Errors
    ///
    /// What `serde_json` says of a value that has no JSON.
    pub fn check(&self, draft: &impl Serialize) -> Result<Report, serde_json::Error> {
        Ok(self.check_value(&serde_json::to_value(draft)?))
    }

    fn take(
        &self,
        (source, document): (&Source<'_>, &Document<'_>),
        kind: KindSource,
        facts: &Facts,
        is_meant: &dyn Fn() -> bool,
        report: &mut Report,
    ) {
        if !source.is_exact() || document.faults.iter().any(Fault::damages) {
            report.damaged.insert(document.index);
        }
        match tell(document, kind, is_meant) {
            Told::Draft(kind) => self.lint((source, document), kind, facts, report),
            Told::Unknown(complaint) => self.unknown(source, document, complaint, report),
            Told::NoDraft => report.skipped += 1,
        }
    }

    /// A document whose kind cannot be told: what is wrong with its text, and that.
    fn unknown(
        &self,
        source: &Source<'_>,
        document: &Document<'_>,
        told: checks::kind::Unknown,
        report: &mut Report,
    ) {
        report.documents += 1;
        let faults = document.faults.iter();
        report.findings.extend(faults.filter_map(|fault| self.fault(source, document.index, None, fault)));
        let Some(root) = &document.root else { return };
        if is_cut(document) && !told.is_declared() {
            return;
        }
        let place = Place { node: Some(root), pointer: String::new(), field: "" };
        let (rule, defect) = if matches!(root.value, NodeValue::Object(_)) || told.is_declared() {
            (self.rules.iter().find(|rule| matches!(rule.check, Check::Kind(_))), told.defect(root))
        } else {
            (
                self.schema_rule(None, &Complaint { violation: Violation::Type, pointer: String::new() }),
                checks::schema::no_object(root, source.text()),
            )
        };
        if let Some(rule) = rule.filter(|rule| self.selection.has_for_document(rule)) {
            report.findings.push(words::finding(rule, defect, &place, (source, document), None));
        }
    }

    fn lint(
        &self,
        (source, document): (&Source<'_>, &Document<'_>),
        kind: Kind,
        facts: &Facts,
        report: &mut Report,
    ) {
        report.documents += 1;
        let fault = |fault| self.fault(source, document.index, Some(kind), fault);
        let mut findings: Vec<Finding> = document.faults.iter().filter_map(fault).collect();
        // Of a document that crossed a budget only a part was read, and that part is large.
        let spent = document.cut && document.faults.iter().any(|fault| fault.problem == Problem::Limit);
        if let Some(root) = document.root.as_ref().filter(|_| !spent) {
            let declared_record = document.declared.record.map(|(id, _)| id);
            let beyond = Beyond { facts, earlier: &report.numbers, file: source.name(), declared_record };
            let context = self.context(source, root, kind, beyond);
            self.judge(source, document, &context, &mut findings);
            report.without_record += usize::from(kind == Kind::UpdateRequest && beyond.record().is_none());
            if kind == Kind::SubmitRequest {
                report.numbers.add_all(root, source);
            }
        }
        let place = |finding: &Finding| finding.span.map(|span| span.start);
        findings.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.rule.cmp(&b.rule)));
        report.findings.append(&mut findings);
    }

    /// Structure first, then values by the rules that refuse them, then everything else on what is left.
    fn judge(
        &self,
        source: &Source<'_>,
        document: &Document<'_>,
        context: &Context<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let mut refused = unreadable(&document.faults);
        let complaints = schema::complaints(context.kind, context.root);
        if complaints.len() > schema::MAX_COMPLAINTS {
            let most = schema::MAX_COMPLAINTS;
            let message = message!("the schema refuses more than {} things in this document", most);
            let start = Span { end: context.root.span.start, ..context.root.span };
            let fault = Fault::new(Problem::Limit, start, message);
            let fault = fault.help("The others are not listed. Mend the first ones and check again.");
            findings.extend(self.fault(source, document.index, Some(context.kind), &fault));
        }
        for complaint in complaints.into_iter().take(schema::MAX_COMPLAINTS) {
            let of_the_rest = complaint.violation == Violation::Missing || complaint.pointer.is_empty();
            if is_refused(&refused, &complaint.pointer) || of_the_rest && is_cut(document) {
                continue;
            }
            let rule = self.schema_rule(Some(context.kind), &complaint);
            let defect = rule.and_then(|rule| Some((rule, checks::schema::defect(&complaint, context)?)));
            if let Some((rule, defect)) = defect {
                let place = place_of(context.root, &complaint.pointer);
                let is_document = complaint.pointer.is_empty();
                if self.selection.has(rule) || is_document && self.selection.has_for_document(rule) {
                    findings.push(words::finding(rule, defect, &place, (source, document), Some(context)));
                }
                refused.insert(complaint.pointer);
            }
        }
        let allowed = allowed(source);
        for refusing in [true, false] {
            let runs = |rule: &&Rule| rule.kinds.contains(&context.kind) && refuses(rule) == refusing;
            for rule in self.rules.iter().filter(runs) {
                let selected = self.selection.has(rule);
                if !(selected || refusing) || findings.len() > allowed || !context.holds(&rule.when) {
                    continue;
                }
                let mut refuses = Vec::new();
                look(rule, context, &refused, &mut |place, defect| {
                    if selected && (place.node.is_some() || !document.cut) {
                        let of = (source, document);
                        findings.push(words::finding(rule, defect, &place, of, Some(context)));
                    }
                    refuses.extend(refusing.then_some(place.pointer));
                    findings.len() <= allowed
                });
                refused.extend(refuses);
            }
        }
        self.yield_to_specific(findings);
    }

    /// Takes out each finding whose rule leaves the value to a rule that also spoke.
    fn yield_to_specific(&self, findings: &mut Vec<Finding>) {
        let yields_to =
            |finding: &Finding| self.rule(&finding.rule).map_or(Vec::new(), |rule| rule.said().yields_to);
        if findings.iter().all(|finding| yields_to(finding).is_empty()) {
            return;
        }
        let spoken: BTreeSet<(String, String)> =
            findings.iter().map(|it| (it.pointer.clone(), it.rule.to_string())).collect();
        findings.retain(|finding| {
            let yields_to = yields_to(finding);
            let same_place = || {
                let from = (finding.pointer.clone(), String::new());
                spoken.range(from..).take_while(|(pointer, _)| *pointer == finding.pointer)
            };
            yields_to.is_empty()
                || !same_place().any(|(_, other)| yields_to.iter().any(|name| is_named(name, other)))
        });
    }

    /// The finding of a fault of the text, if its rule is selected.
    fn fault(&self, source: &Source<'_>, index: usize, kind: Option<Kind>, fault: &Fault) -> Option<Finding> {
        let handles = |rule: &&Rule| matches!(&rule.check, Check::Input(input) if input.problems.contains(&fault.problem));
        let rule = self.rules.iter().filter(|rule| self.selection.has(rule)).find(handles)?;
        Some(words::fault(rule, fault, source, index, kind))
    }

    /// The rule that says what a schema complains of: one for the field before one for the document.
    fn schema_rule(&self, kind: Option<Kind>, complaint: &Complaint) -> Option<&Rule> {
        let field = complaint.pointer.split('/').nth(1);
        let fits = |rule: &&Rule| {
            let Check::Schema(check) = &rule.check else { return false };
            kind.is_none_or(|kind| rule.kinds.contains(&kind))
                && check.violations.contains(&complaint.violation)
        };
        let at_field = |rule: &&Rule| rule.at.iter().any(|at| at.field().is_some() && at.field() == field);
        let for_all = |rule: &&Rule| rule.at.iter().any(|at| at.steps.is_empty());
        let rules = || self.rules.iter().filter(fits);
        rules().find(at_field).or_else(|| rules().find(for_all))
    }
}

/// How many findings a text may have.
fn allowed(source: &Source<'_>) -> usize {
    MAX_FINDINGS + source.text().len() / BYTES_A_FINDING
}

/// Hands over what a rule finds in a document, place by place, until `take` has enough.
fn look<'a>(
    rule: &'a Rule,
    context: &'a Context<'a>,
    refused: &BTreeSet<String>,
    take: &mut dyn FnMut(Place<'a>, Defect) -> bool,
) {
    for target in &rule.at {
        let field = target.field().unwrap_or_default();
        let root = Place { node: Some(context.root), pointer: String::new(), field };
        walk(&target.steps, root, &mut |place| {
            if is_refused(refused, &place.pointer) {
                return true;
            }
            let defect = checks::look(&rule.check, &place, context);
            defect.is_none_or(|defect| take(place, defect))
        });
    }
}

/// Whether part of a document was not read, so that its kind and what it lacks cannot be told.
fn is_cut(document: &Document<'_>) -> bool {
    document.cut || document.faults.iter().any(|fault| fault.problem == Problem::Limit)
}

/// Values that could not be read as they are written.
fn unreadable(faults: &[Fault]) -> BTreeSet<String> {
    let spoilt = |fault: &&Fault| {
        matches!(fault.problem, Problem::Syntax | Problem::Limit) && !fault.pointer.is_empty()
    };
    faults.iter().filter(spoilt).map(|fault| fault.pointer.clone()).collect()
}

/// Whether the value, or one that holds it, is refused.
fn is_refused(refused: &BTreeSet<String>, pointer: &str) -> bool {
    let mut above = pointer.match_indices('/').map(|(end, _)| &pointer[..end]);
    !refused.is_empty() && (refused.contains(pointer) || above.any(|it| refused.contains(it)))
}

/// Rules whose finding leaves nothing to say of the value.
fn refuses(rule: &Rule) -> bool {
    let name = rule.id.split('/').nth(1).unwrap_or_default();
    name.starts_with("malformed-") || matches!(rule.check, Check::ClosedList(_))
}
