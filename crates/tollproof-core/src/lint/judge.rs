//! What rules find in one document: its structure first, then its values, then what they mean.

use std::collections::BTreeSet;

use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};

use crate::checks::context::Context;
use crate::checks::{self, Place, Violation};
use crate::finding::Finding;
use crate::lint::linter::Linter;
use crate::lint::meant::FixedValues;
use crate::lint::plan::{FoundRules, KeyValue, PlannedRule};
use crate::lint::render;
use crate::lint::report::allowed;
use crate::lint::target::place_of;
use crate::provider::schema::MAX_SCHEMA_ERRORS;
use crate::rule::Rule;
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
    ) {
        let mut refused = unreadable(&document.syntax_errors);
        let (mut meant, mut too_long) = (FixedValues::default(), BTreeSet::new());
        if errors.len() > MAX_SCHEMA_ERRORS {
            findings.extend(self.too_many_errors("the schema", document, context));
        }
        for error in errors.into_iter().take(MAX_SCHEMA_ERRORS) {
            let of_the_rest = error.kind == SchemaErrorKind::Missing || error.pointer.is_empty();
            if is_refused(&refused, &error.pointer) || of_the_rest && is_cut(&document) {
                continue;
            }
            let rule = self.rule_of_schema_error(Some(context.kind), &error);
            let violation = rule.and_then(|rule| Some((rule, checks::schema::violation(&error, context)?)));
            if let Some((rule, mut violation)) = violation {
                meant.take(&error.pointer, &mut violation);
                let place = place_of(context.root, &error.pointer);
                if self.runs(rule) || error.pointer.is_empty() {
                    findings.push(render::finding(rule, violation, &place, document, Some(context)));
                }
                // Each item of a list that is too long can be wrong by itself, and so can a text that is too long.
                match error.kind {
                    SchemaErrorKind::TooLong => false,
                    SchemaErrorKind::Count => too_long.insert(error.pointer.clone()),
                    _ => refused.insert(error.pointer.clone()),
                };
            }
        }
        self.judge_by_house_schemas(document, context, findings);
        refused.append(&mut too_long);
        let allowed = allowed(document.source());
        // A locked rule looks at what only rules refuse that are not locked: ignoring them must not hide what it finds.
        let mut firmly = if self.locks_any() { refused.clone() } else { BTreeSet::new() };
        let plan = self.plans.of(context.kind, self.rules(), &self.prefilter);
        let (all, running) = (self.rules(), self.running());
        let mut refuses = Vec::new();
        let written_values = plan.values(context.root);
        for refusing in [true, false] {
            // What a safe fix will leave is judged now, so that the fix brings up nothing new.
            refused.retain(|pointer| !meant.has(pointer));
            firmly.retain(|pointer| !meant.has(pointer));
            let root = meant.applied_to(context.root);
            let meant_context =
                root.as_ref().map(|root| self.context(document.source(), root, context.kind, context.beyond));
            let context = meant_context.as_ref().unwrap_or(context);
            let meant_values = root.as_ref().map(|root| plan.values(root));
            let values = meant_values.as_ref().unwrap_or(&written_values);
            let (rules, in_texts) = match refusing {
                true => (plan.refusing(), FoundRules::new()),
                false => (plan.others(), plan.in_texts((values, context), &self.prefilter, running)),
            };
            for planned in rules.iter().chain(in_texts) {
                let (rule, selected) = (&all[planned.rule], running[planned.rule]);
                if !(selected || refusing) || findings.len() > allowed || !context.holds(&rule.when) {
                    continue;
                }
                let locked = self.locks_any() && self.locks(rule);
                let spared = if locked { &firmly } else { &refused };
                check((rule, planned), (context, values), spared, &mut |place, mut violation| {
                    let pointer = place.trail.pointer();
                    if meant.has(&pointer) {
                        violation.fix = None;
                    }
                    if refusing {
                        meant.take(&pointer, &mut violation);
                    }
                    if selected && (place.node.is_some() || !document.cut) {
                        findings.push(render::finding(rule, violation, &place, document, Some(context)));
                    }
                    refuses.extend(refusing.then_some(pointer));
                    findings.len() <= allowed
                });
                if !refuses.is_empty() {
                    if locked {
                        firmly.extend(refuses.iter().cloned());
                    }
                    refused.extend(refuses.drain(..));
                }
            }
        }
        self.yield_to_specific(findings);
    }

    /// What schemas of the user's own refuse. A document that was not read to its end is not theirs to judge.
    fn judge_by_house_schemas(
        &self,
        document: SourceDocument<'_>,
        context: &Context<'_>,
        findings: &mut Vec<Finding>,
    ) {
        if self.house_schemas().is_empty() || is_cut(&document) {
            return;
        }
        let Some(rule) = self.rule_of_house_schema().filter(|rule| self.runs(rule)) else { return };
        // The user's schema is for the draft as it is written, whoever judges it otherwise.
        let root = context.beyond.original.unwrap_or(context.root);
        for schema in self.house_schemas() {
            let errors = schema.errors(root);
            if errors.len() > MAX_SCHEMA_ERRORS {
                findings.extend(self.too_many_errors(schema.name(), document, context));
            }
            for error in errors.into_iter().take(MAX_SCHEMA_ERRORS) {
                let Some(violation) = checks::house_schema::violation(&error, schema.name(), root) else {
                    continue;
                };
                let place = place_of(root, &error.pointer);
                findings.push(render::finding(rule, violation, &place, document, Some(context)));
            }
        }
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
            Message::own(schema),
            MAX_SCHEMA_ERRORS
        );
        let start = Span { end: context.root.span.start, ..context.root.span };
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Limit, start, message)
            .help("The others are not listed. Fix the first ones and check again.");
        self.syntax_error(document, Some(context.kind), &syntax_error)
    }
}

/// Hands over what a rule finds in a document, place by place, until `take` has enough.
fn check<'a>(
    (rule, planned): (&'a Rule, &PlannedRule),
    (context, values): (&'a Context<'a>, &[KeyValue<'a>]),
    refused: &BTreeSet<String>,
    take: &mut dyn FnMut(Place<'a>, Violation) -> bool,
) {
    // System rules have findings of their own.
    let Some(check) = rule.check.content() else { return };
    planned.visit(rule, (context.kind, context.root, values), &mut |place| {
        // Most documents have no such value, and most values are none.
        if !refused.is_empty()
            && refused.iter().any(|it| place.trail.may_be_in(it))
            && is_refused(refused, &place.trail.pointer())
        {
            return true;
        }
        checks::check(check, &place, context).is_none_or(|violation| take(place, violation))
    });
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
