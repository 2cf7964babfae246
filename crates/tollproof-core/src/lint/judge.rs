//! Runs rules on one document: its structure first, then its values, then what they mean.

use std::collections::BTreeSet;

use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};

use crate::checks::context::Context;
use crate::checks::{self, Place, Violation};
use crate::finding::Finding;
use crate::lint::fixed_values::FixedValues;
use crate::lint::linter::Linter;
use crate::lint::plan::{KeyValue, KindPlan, PlannedDocument, PlannedRule};
use crate::lint::readings::ReadUse;
use crate::lint::render;
use crate::lint::report::allowed;
use crate::provider::schema::MAX_SCHEMA_ERRORS;
use crate::rule::Rule;
use crate::rule::target::place_of;
use crate::syntax::SourceDocument;
use crate::syntax::document::{Document, SyntaxError, SyntaxErrorKind};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

impl Linter {
    /// Structure first, then values by the rules that refuse them, then everything else on what is left.
    pub(crate) fn judge(
        &self,
        document: SourceDocument<'_>,
        errors: Vec<SchemaError>,
        context: &Context<'_>,
        findings: &mut Vec<Finding>,
    ) -> ReadUse {
        let mut judgement = Judgement {
            linter: self,
            document,
            allowed: allowed(document.source()),
            findings,
            refused: unreadable(&document.syntax_errors),
            firmly_refused: BTreeSet::new(),
            fixed: FixedValues::default(),
        };
        judgement.judge_structure(errors, context);
        judgement.judge_by_house_schemas(context);
        let plan = self.plans.of(context.kind, self.rules());
        judgement.with_fixed_values(context, |judgement, context| judgement.refuse_values(&plan, context));
        judgement.with_fixed_values(context, |judgement, context| judgement.judge_the_rest(&plan, context));
        let refused = judgement.refused;
        let mut read = ReadUse::default();
        if context.kind.is_request() {
            let is_refused = |pointer: &str| is_refused(&refused, pointer);
            read = match context.environment.original {
                None => self.judge_by_readings(document, context, is_refused, findings),
                // What is converted has other texts than those that were read.
                Some(_) => ReadUse { unread: 1, ..ReadUse::default() },
            };
        }
        self.yield_to_specific(findings);
        read
    }

    /// The finding that ends a list of errors that is too long.
    fn too_many_errors(
        &self,
        schema: &str,
        document: SourceDocument<'_>,
        context: &Context<'_>,
    ) -> Option<Finding> {
        let message = message!(
            "{} reports more than {} errors in this document",
            Message::name(schema),
            MAX_SCHEMA_ERRORS
        );
        let start = Span { end: context.root.span.start, ..context.root.span };
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Limit, start, message)
            .help("The others are not listed. Fix the first ones and check again.");
        self.syntax_error(document, Some(context.kind), &syntax_error)
    }
}

/// The state of a document while it is judged.
struct Judgement<'j, 's> {
    linter: &'j Linter,
    document: SourceDocument<'s>,
    /// The most findings the text may have; with one more it is cut.
    allowed: usize,
    findings: &'j mut Vec<Finding>,
    /// The values that no further rule looks at, by their pointers.
    refused: BTreeSet<String>,
    /// Those that no locked rule looks at: what other rules refuse it does, or ignoring these would hide what it finds.
    firmly_refused: BTreeSet<String>,
    /// The values that have a safe fix.
    fixed: FixedValues,
}

impl Judgement<'_, '_> {
    /// Compares the document with the schema of its kind.
    fn judge_structure(&mut self, errors: Vec<SchemaError>, context: &Context<'_>) {
        let (linter, document) = (self.linter, self.document);
        let mut wrong_lengths = BTreeSet::new();
        if errors.len() > MAX_SCHEMA_ERRORS {
            self.findings.extend(linter.too_many_errors("the schema", document, context));
        }
        for error in errors.into_iter().take(MAX_SCHEMA_ERRORS) {
            let is_of_the_rest = error.kind == SchemaErrorKind::Missing || error.pointer.is_empty();
            if is_refused(&self.refused, &error.pointer) || is_of_the_rest && is_cut(&document) {
                continue;
            }
            let Some(rule) = linter.rule_of_schema_error(Some(context.kind), &error) else { continue };
            let Some(mut violation) = checks::schema::violation(&error, context) else { continue };
            self.fixed.take(&error.pointer, &mut violation);
            if linter.runs(rule) || error.pointer.is_empty() {
                let place = place_of(context.root, &error.pointer);
                self.findings.push(render::finding(rule, violation, &place, document, Some(context)));
            }
            // Each item of a list that is too long can be wrong by itself, and so can a text that is too long.
            match error.kind {
                SchemaErrorKind::TooLong => false,
                SchemaErrorKind::Count => wrong_lengths.insert(error.pointer),
                _ => self.refused.insert(error.pointer),
            };
        }
        self.refused.append(&mut wrong_lengths);
        self.firmly_refused.clone_from(&self.refused);
    }

    /// Compares the document with the user's own schemas. If it was not read to its end, they do not judge it.
    fn judge_by_house_schemas(&mut self, context: &Context<'_>) {
        let (linter, document) = (self.linter, self.document);
        if linter.house_schemas().is_empty() || is_cut(&document) {
            return;
        }
        let Some(rule) = linter.rule_of_house_schema().filter(|rule| linter.runs(rule)) else { return };
        // The user's schema is for the draft as it is written, whoever judges it otherwise.
        let root = context.environment.original.unwrap_or(context.root);
        for schema in linter.house_schemas() {
            let errors = schema.errors(root);
            if errors.len() > MAX_SCHEMA_ERRORS {
                self.findings.extend(linter.too_many_errors(schema.name(), document, context));
            }
            for error in errors.into_iter().take(MAX_SCHEMA_ERRORS) {
                let Some(violation) = checks::house_schema::violation(&error, schema.name(), root) else {
                    continue;
                };
                let place = place_of(root, &error.pointer);
                self.findings.push(render::finding(rule, violation, &place, document, Some(context)));
            }
        }
    }

    /// Judges values as their safe fixes will leave them, so that the fixes bring up nothing new.
    fn with_fixed_values(&mut self, context: &Context<'_>, judge: impl FnOnce(&mut Self, &Context<'_>)) {
        let fixed = &self.fixed;
        self.refused.retain(|pointer| !fixed.has(pointer));
        self.firmly_refused.retain(|pointer| !fixed.has(pointer));
        match fixed.applied_to(context.root) {
            None => judge(self, context),
            Some(root) => {
                let source = self.document.source();
                judge(self, &self.linter.context(source, &root, context.kind, context.environment));
            }
        }
    }

    /// Runs the rules that refuse values. Those that are switched off refuse them too.
    fn refuse_values(&mut self, plan: &KindPlan, context: &Context<'_>) {
        let values = plan.values(context.root);
        for planned in plan.refusing() {
            let rule = &self.linter.rules()[planned.rule];
            let (runs, is_locked) = (self.linter.runs(rule), self.linter.locks(rule));
            let room = if runs { self.room() } else { usize::MAX };
            for (place, mut violation) in self.violations((rule, planned), (context, &values), room) {
                let pointer = place.trail.pointer();
                self.leave_to_its_fix(&pointer, &mut violation);
                self.fixed.take(&pointer, &mut violation);
                if runs {
                    self.report(rule, violation, &place, context);
                }
                if is_locked {
                    self.firmly_refused.insert(pointer.clone());
                }
                self.refused.insert(pointer);
            }
        }
    }

    /// Runs all other rules.
    fn judge_the_rest(&mut self, plan: &KindPlan, context: &Context<'_>) {
        let running = self.linter.running();
        let values = plan.values(context.root);
        let of_seen = if context.environment.facts.seen.is_empty() { &[] } else { plan.of_seen() };
        for planned in plan.others().iter().chain(of_seen) {
            let rule = &self.linter.rules()[planned.rule];
            if !running[planned.rule] {
                continue;
            }
            for (place, mut violation) in self.violations((rule, planned), (context, &values), self.room()) {
                self.leave_to_its_fix(&place.trail.pointer(), &mut violation);
                self.report(rule, violation, &place, context);
            }
        }
    }

    /// Counts findings that the text may still have, with the one that is too many.
    fn room(&self) -> usize {
        (self.allowed + 1).saturating_sub(self.findings.len())
    }

    /// Finds at most `room` violations of a rule in the values that are not refused.
    fn violations<'a>(
        &self,
        (rule, planned): (&'a Rule, &PlannedRule),
        (context, values): (&'a Context<'a>, &[KeyValue<'a>]),
        room: usize,
    ) -> Vec<(Place<'a>, Violation)> {
        let mut violations = Vec::new();
        // System rules have findings of their own.
        let Some(check) = rule.check.content() else { return violations };
        if self.room() == 0 || !context.holds(&rule.when) {
            return violations;
        }
        let refused = if self.linter.locks(rule) { &self.firmly_refused } else { &self.refused };
        let document = PlannedDocument { kind: context.kind, root: context.root, values };
        planned.visit(rule, document, &mut |place| {
            let may_be_refused = refused.iter().any(|pointer| place.trail.may_be_in(pointer));
            if (!may_be_refused || !is_refused(refused, &place.trail.pointer()))
                && let Some(violation) = checks::check(check, &place, context)
            {
                violations.push((place, violation));
            }
            violations.len() < room
        });
        violations
    }

    /// Takes the fix from a violation of a value that has one already.
    fn leave_to_its_fix(&self, pointer: &str, violation: &mut Violation) {
        if self.fixed.has(pointer) {
            violation.fix = None;
        }
    }

    fn report(&mut self, rule: &Rule, violation: Violation, place: &Place<'_>, context: &Context<'_>) {
        // What is absent may be in the part that was not read.
        if place.node.is_some() || !self.document.cut {
            self.findings.push(render::finding(rule, violation, place, self.document, Some(context)));
        }
    }
}

/// Whether part of a document was not read, so that its kind and what it lacks cannot be told.
pub(crate) fn is_cut(document: &Document<'_>) -> bool {
    document.cut
        || document.syntax_errors.iter().any(|syntax_error| syntax_error.problem == SyntaxErrorKind::Limit)
}

/// Values that could not be read as they are written.
fn unreadable(syntax_errors: &[SyntaxError]) -> BTreeSet<String> {
    let spoilt = |syntax_error: &&SyntaxError| {
        matches!(syntax_error.problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Limit)
            && !syntax_error.pointer.is_empty()
    };
    syntax_errors.iter().filter(spoilt).map(|syntax_error| syntax_error.pointer.clone()).collect()
}

/// Whether the value, or one that holds it, is refused.
fn is_refused(refused: &BTreeSet<String>, pointer: &str) -> bool {
    let mut above = pointer.match_indices('/').map(|(end, _)| &pointer[..end]);
    refused.contains(pointer) || above.any(|it| refused.contains(it))
}
