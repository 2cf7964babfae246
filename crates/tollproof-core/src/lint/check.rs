//! Checks texts: the one place that runs rules, applies levels and ignores, and sorts what they find.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use serde_json::Value;
use tollproof_data::pointer::unescaped;
use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};
use tollproof_data::suggest::bare;

use crate::checks::context::Environment;
use crate::checks::{self, Place, Trail};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::lint::ignores::Ignores;
use crate::lint::judge::is_cut;
use crate::lint::left_unsaid::is_assumed;
use crate::lint::linter::{CheckInput, Linter};
use crate::lint::report::{Report, allowed};
use crate::lint::{render, trial};
use crate::provider::convert::Conversion;
use crate::provider::detect::{Detection, KindHint, Unknown, detect, kind_of_keys, mentions_a_submission};
use crate::provider::kind::Kind;
use crate::provider::schema;
use crate::syntax::document::{Node, Style, SyntaxError, SyntaxErrorKind, Value as NodeValue};
use crate::syntax::message::message;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed, SourceDocument};

impl Linter {
    /// Checks one text; `hint` says what is known about the kind of its documents, `facts` what is known beyond them.
    pub fn check(&self, parsed: &Parsed<'_>, hint: KindHint, facts: &Facts) -> Report {
        let input = CheckInput { parsed, hint, facts };
        let mut report = self.check_some(input, None);
        trial::withhold(self, &mut report, input);
        report
    }

    /// Checks one text; of some documents `only`, where those are given. Fixes are not tried.
    pub(crate) fn check_some(&self, input: CheckInput<'_>, only: Option<&BTreeSet<usize>>) -> Report {
        let CheckInput { parsed, hint, facts } = input;
        let mut report = Report::default();
        let source = parsed.source();
        let allowed = allowed(source);
        let is_meant = LazyCell::new(|| mentions_a_submission(source.text()));
        let mut ignores = Ignores::of(parsed, !self.config.no_ignores);
        let mut columns = BTreeSet::new();
        'text: for block in parsed.blocks() {
            for document in block.documents() {
                ignores.see(&document);
                if only.is_some_and(|only| !only.contains(&document.index)) {
                    trial::pass_by(document, hint, &self.providers, &|| *is_meant, &mut report);
                    continue;
                }
                let before = report.findings.len();
                self.check_into(document, (hint, facts), &|| *is_meant, &mut report);
                if parsed.format() == Format::Csv {
                    keep_once(document, &mut report.findings, before, &mut columns);
                    report.findings[before..].iter_mut().for_each(|finding| name_column(document, finding));
                }
                if report.findings.len() > allowed {
                    report.is_cut = true;
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
        report.findings.iter_mut().for_each(|finding| finding.format = Some(parsed.format()));
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
    pub fn check_document(&self, document: SourceDocument<'_>, hint: KindHint, facts: &Facts) -> Report {
        let mut report = Report::default();
        let is_meant = || mentions_a_submission(document.source().text());
        self.check_into(document, (hint, facts), &is_meant, &mut report);
        self.apply_levels(&mut report.findings);
        self.keep_deepest(&mut report.findings);
        self.leave_refused_values(&mut report.findings);
        report
    }

    /// Checks JSON text: one document or a list.
    pub fn check_json(&self, text: &str, facts: &Facts) -> Report {
        let source = Source::new("draft", text);
        self.check(&Parsed::of(&source, Some(Format::Json)), KindHint::Explicit, facts)
    }

    /// Checks a JSON value. Findings have pointers but not spans, because a value has no text.
    pub fn check_value(&self, value: &Value, facts: &Facts) -> Report {
        let mut report = self.check_json(&value.to_string(), facts);
        for finding in &mut report.findings {
            finding.span = None;
            finding.related.iter_mut().for_each(|related| related.span = None);
            finding.fix = None;
        }
        report
    }

    /// Checks one document and adds what was found.
    fn check_into(
        &self,
        document: SourceDocument<'_>,
        (hint, facts): (KindHint, &Facts),
        is_meant: &dyn Fn() -> bool,
        report: &mut Report,
    ) {
        if !document.source().is_exact() || document.syntax_errors.iter().any(SyntaxError::damages) {
            report.damaged.insert(document.index);
        }
        if document.source().is_unreadable() {
            return self.unknown(document, Unknown::Keys, report);
        }
        match detect(&document, hint, &self.providers, is_meant) {
            Detection::Draft(kind) => {
                let filled = document.root.as_ref().and_then(|root| schema::without_empty_cells(kind, root));
                match filled {
                    None => self.draft(document, (kind, None), facts, report),
                    Some(root) => {
                        let filled = document.document().with_root(root);
                        self.draft(document.with(&filled), (kind, None), facts, report);
                    }
                }
            }
            Detection::Unknown(unknown) => self.unknown(document, unknown, report),
            Detection::NoDraft => report.skipped += 1,
        }
    }

    /// A document whose kind cannot be told: what is wrong with its text, and that.
    fn unknown(&self, document: SourceDocument<'_>, unknown: Unknown, report: &mut Report) {
        let is_row = document.root.as_ref().is_some_and(|root| root.style == Style::Cell);
        // The first row of a table represents all of them, and none is read.
        let is_known = is_row && (report.seen() > 0 || !document.source().start().is_first());
        let count = if is_row { &mut report.skipped } else { &mut report.documents };
        *count += 1;
        let syntax_errors = document.syntax_errors.iter();
        report
            .findings
            .extend(syntax_errors.filter_map(|syntax_error| self.syntax_error(document, None, syntax_error)));
        let Some(root) = document.document().root.as_ref().filter(|_| !is_known) else { return };
        if is_cut(&document) && !unknown.is_declared() {
            return;
        }
        let place = Place { node: Some(root), trail: Trail::ROOT, field: "", role: "" };
        let (rule, violation) = if matches!(root.value, NodeValue::Object(_)) || unknown.is_declared() {
            (self.rule_of_unknown_kind(), unknown.violation(root))
        } else {
            let error = SchemaError { kind: SchemaErrorKind::Type, pointer: String::new() };
            (
                self.rule_of_schema_error(None, &error),
                checks::schema::no_object(root, document.source().text()),
            )
        };
        if let Some(rule) = rule {
            report.findings.push(render::finding(rule, violation, &place, document, None));
        }
    }

    /// A draft, or another document of a kind, with the one that it was converted from: what is wrong with its text, its structure and its values.
    fn draft(
        &self,
        document: SourceDocument<'_>,
        (kind, original): (Kind, Option<&Node<'_>>),
        facts: &Facts,
        report: &mut Report,
    ) {
        let judge = self.config.judged_by.filter(|judge| *judge != kind.provider() && kind.is_request());
        let converted = judge.zip(document.document().root.as_ref());
        let converted = converted.and_then(|(judge, root)| kind.convert_all(root, judge, true));
        if let Some(Conversion { kind, root, .. }) = converted {
            let whole = document.document().with_root(root);
            let first = report.findings.len();
            let original = document.document().root.as_ref();
            self.draft(document.with(&whole), (kind, original), facts, report);
            // The fixes would write the other provider's notation into the draft.
            report.findings[first..].iter_mut().for_each(|finding| finding.fix = None);
            return;
        }
        // Of a document that crossed a budget only a part was read, and that part is large.
        let spent = document.cut
            && document
                .syntax_errors
                .iter()
                .any(|syntax_error| syntax_error.problem == SyntaxErrorKind::Limit);
        let root = document.document().root.as_ref().filter(|_| !spent);
        report.documents += 1;
        if !kind.is_default_provider() {
            *report.providers.entry(kind.provider().title()).or_default() += 1;
        }
        let errors = root.map(|root| (root, schema::errors(kind, root)));
        let syntax_error = |syntax_error| self.syntax_error(document, Some(kind), syntax_error);
        let mut findings: Vec<Finding> = document.syntax_errors.iter().filter_map(syntax_error).collect();
        if let Some((root, errors)) = errors {
            let declared_record = document.declared().record.map(|(id, _)| id);
            let vendor = self.config.vendor.as_deref();
            let environment =
                Environment { vendor, facts, earlier: &report.numbers, declared_record, original };
            let context = self.context(document.source(), root, kind, environment);
            let read = self.judge(document, errors, &context, &mut findings);
            report.read.add(&read);
            if !facts.seen.is_empty() && kind.is_request() {
                let draft = (document.source().name(), document.document().index);
                report.seen.note(&facts.seen, context.named_addresses(), draft);
            }
            let too_costly = context.incomplete().map(too_many_phrases);
            findings.extend(too_costly.and_then(|error| self.syntax_error(document, Some(kind), &error)));
            report.without_record += usize::from(kind.is_update() && environment.record().is_none());
            if kind.is_submit() {
                report.numbers.add_document(document, kind);
            }
        }
        if let Some(root) = root.filter(|root| !root.style.is_data()) {
            report.assumed += usize::from(is_assumed(document, root));
            self.leave_unsaid(document, (root, kind), &mut findings, report);
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

    /// Applies the levels that the user sets to findings.
    fn apply_levels(&self, findings: &mut [Finding]) {
        if self.selection.is_plain() {
            return;
        }
        for finding in findings {
            if let Some(rule) = self.rule(&finding.rule) {
                let given = self.selection.apply_level(rule, finding.severity);
                // A setting can lower what a reader found, and not raise it.
                let given = if finding.read_by.is_some() { given.min(finding.severity) } else { given };
                // Nothing lowers what could not be read; a byte order mark is less than that.
                let is_held = finding.severity >= rule.severity && finding.always_counts();
                finding.severity = if is_held { given.max(finding.severity) } else { given };
            }
        }
    }
}

/// Keeps findings about the column of a table only in the first row that has them: the names of columns are above all rows.
/// So are those that are missing there.
fn keep_once(
    document: SourceDocument<'_>,
    findings: &mut Vec<Finding>,
    from: usize,
    columns: &mut BTreeSet<(String, String)>,
) {
    let Some(root) = &document.document().root else { return };
    let is_first = document.source().start().is_first();
    let own = LazyCell::new(|| kind_of_keys(root, false));
    let head = root.members().first().map(|member| member.key_span).filter(|span| !span.is_empty());
    let new = findings.split_off(from);
    findings.extend(new.into_iter().filter_map(|mut finding| {
        if let Some(span) = finding.span.filter(|span| render::is_of_column(Some(root), Some(*span))) {
            let key = (finding.rule.to_string(), span.start.to_string());
            return (is_first && columns.insert(key)).then_some(finding);
        }
        if head.is_some() && lacks_column(root, &finding, || *own) {
            (finding.span, finding.fingerprint) = (head, render::column_fingerprint(&finding));
            return columns
                .insert((finding.rule.to_string(), finding.pointer.to_string()))
                .then_some(finding);
        }
        Some(finding)
    }));
}

/// Names the column of a finding as its heading does, where settings or a title say which field it is.
fn name_column(document: SourceDocument<'_>, finding: &mut Finding) {
    let mut node = document.document().root.as_ref();
    let (mut field, mut heading) = (String::new(), None);
    for token in finding.pointer.split('/').skip(1) {
        let key = unescaped(token);
        let Some(member) = node.and_then(|node| node.member(&key)) else { break };
        field = if field.is_empty() { key.into_owned() } else { format!("{field}.{key}") };
        (node, heading) = (Some(&member.value), Some(member.key_span));
    }
    let Some(heading) = heading.map(|span| document.source().slice(span).trim().trim_matches('"').trim())
    else {
        return;
    };
    let key = field.rsplit('.').next().unwrap_or_default();
    if heading.is_empty() || bare(heading).starts_with(&bare(key)) {
        return;
    }
    finding.message = finding.message.renamed(&field, heading);
    finding.help = finding.help.as_ref().map(|help| help.renamed(&field, heading));
}

/// Whether a row lacks the field of a finding because the table has no column for it. A finding about a draft as another
/// provider takes it has that one's names, and `own` is the kind of the row.
fn lacks_column(root: &Node<'_>, finding: &Finding, own: impl Fn() -> Option<Kind>) -> bool {
    let has = |pointer: &str| {
        let key = pointer.split('/').nth(1).map(unescaped);
        key.is_none_or(|key| root.member(&key).is_some())
    };
    if has(&finding.pointer) || finding.span.is_some_and(|span| span.start > root.span.start) {
        return false;
    }
    let kind = own().filter(|own| finding.kind.is_some_and(|kind| kind.provider() != own.provider()));
    kind.zip(finding.kind).is_none_or(|(own, kind)| {
        kind.role_of(&finding.pointer).is_none_or(|role| !own.has(role) || !has(&own.pointer_of(role)))
    })
}

/// The error for a text in which too many phrases of rules begin or match.
fn too_many_phrases(node: &Node<'_>) -> SyntaxError {
    let message = message!("this text contains too many phrases of the rules; not all were searched for");
    SyntaxError::new(SyntaxErrorKind::Limit, node.span, message)
        .help("Shorten the text, or remove phrases and groups from your own rules.")
}
