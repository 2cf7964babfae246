//! One defect, one finding: of the rules that found something in one value, those that say most about it.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Finding;
use crate::lint::linter::Linter;
use crate::rule::Rule;
use crate::rule::selection::is_named;
use crate::syntax::pointer::Pointer;

impl Linter {
    /// Takes out each finding whose rule leaves the value to a rule that also spoke.
    pub(crate) fn yield_to_specific(&self, findings: &mut Vec<Finding>) {
        let yields_to = |finding: &Finding| {
            // What a reader found is a defect of its own: questions say themselves what replaces their answer.
            let of_words = finding.read_by.is_none();
            let rule = self.rule(&finding.rule).filter(|rule| rule.yields && !rule.refuses_value && of_words);
            rule.map_or(Vec::new(), |rule| rule.text().yields_to)
        };
        // A locked rule leaves nothing to a rule whose findings can be hidden.
        let locks = |rule: &str| self.rule(rule).is_some_and(|rule| self.locks(rule));
        if findings.iter().all(|finding| yields_to(finding).is_empty()) {
            return;
        }
        // What words say yields to words alone: a reader may not be sure.
        let words = || findings.iter().filter(|it| it.read_by.is_none());
        let spoken: BTreeSet<(Pointer, String)> =
            words().map(|finding| (finding.pointer.clone(), finding.rule.to_string())).collect();
        findings.retain(|finding| {
            let yields_to = yields_to(finding);
            let same_place = || {
                let from = (finding.pointer.clone(), String::new());
                spoken.range(from..).take_while(|(pointer, _)| *pointer == finding.pointer)
            };
            let is_left_to = |other: &str| {
                yields_to.iter().any(|name| is_named(name, other)) && (locks(other) || !locks(&finding.rule))
            };
            yields_to.is_empty() || !same_place().any(|(_, other)| is_left_to(other))
        });
    }

    /// Takes out each finding where a deeper one stays that explains the same value: at the same pointer where the form
    /// of the value was refused, or with a label at the value.
    ///
    /// The deeper one then has the higher severity of the two, and names the right form as well. A finding that is
    /// ignored, or whose rule has a level of the user's, replaces no other; nor does one that can be hidden replace one of
    /// a locked rule.
    pub(crate) fn keep_deepest(&self, findings: &mut Vec<Finding>) {
        let yielding = |finding: &Finding| {
            let yields = |rule: &&Rule| rule.yields && finding.suppressed.is_none();
            self.rule(&finding.rule).filter(yields)
        };
        if !findings.iter().any(|finding| yielding(finding).is_some()) {
            return;
        }
        let mut of_document: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, finding) in findings.iter().enumerate() {
            of_document.entry(finding.document).or_default().push(at);
        }
        let mut replaced = BTreeSet::new();
        for at in (0..findings.len()).rev() {
            let finding = &findings[at];
            let Some(rule) = yielding(finding) else { continue };
            let yields_to = rule.text().yields_to;
            let explains = |other: &Finding| {
                let at_value = rule.refuses_value && other.pointer == finding.pointer;
                let labels = || {
                    other.related.iter().any(|related| related.file.is_none() && related.span == finding.span)
                };
                at_value || labels()
            };
            let stays = |other: &Finding| {
                let named = yields_to.iter().any(|name| is_named(name, &other.rule));
                let may_replace = |by: &Rule| !self.has_level(by) && (self.locks(by) || !self.locks(rule));
                named && other.suppressed.is_none() && self.rule(&other.rule).is_some_and(may_replace)
            };
            let is_deeper = |index: &usize| {
                !replaced.contains(index) && stays(&findings[*index]) && explains(&findings[*index])
            };
            let others = of_document.get(&finding.document).map(Vec::as_slice).unwrap_or_default();
            if let Some(deeper) = others.iter().copied().find(is_deeper) {
                let (severity, form) = (finding.severity, rule.text().help);
                let at_value = rule.refuses_value && finding.pointer == findings[deeper].pointer;
                let deeper = &mut findings[deeper];
                deeper.severity = deeper.severity.max(severity);
                // Whoever writes another value needs the right form for that one too.
                if let Some(help) = deeper.help.as_mut().filter(|_| at_value) {
                    help.push_own(" ");
                    help.push_own(form);
                }
                replaced.insert(at);
            }
        }
        let mut at = 0..;
        findings.retain(|_| at.next().is_some_and(|at| !replaced.contains(&at)));
    }
}
