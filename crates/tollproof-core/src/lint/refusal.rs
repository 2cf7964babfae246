//! Values that a user's rule refuses: other rules are silent about them, unless they find something worse.

use std::collections::BTreeMap;

use crate::finding::{Finding, Severity};
use crate::lint::linter::Linter;
use crate::syntax::pointer::Pointer;

/// The findings that refuse a value: their severities and rules.
type Refusals = Vec<(Severity, String)>;

impl Linter {
    /// Takes out each finding about a value, or a part of it, that a rule of the user's own refuses.
    ///
    /// A finding stays where it is more severe than the refusal, where its rule is locked, and where nothing may hide it. A
    /// refusal that is ignored itself takes out nothing.
    pub(crate) fn leave_refused_values(&self, findings: &mut Vec<Finding>) {
        let is_refusal = |finding: &Finding| {
            let rule = self.rule(&finding.rule);
            finding.suppressed.is_none() && rule.is_some_and(|rule| rule.is_own && rule.refuses_value)
        };
        let mut refused: BTreeMap<(usize, Pointer), Refusals> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_refusal(finding)) {
            let value = (finding.document, finding.pointer.clone());
            refused.entry(value).or_default().push((finding.severity, finding.rule.to_string()));
        }
        if refused.is_empty() {
            return;
        }
        findings.retain(|finding| {
            let is_locked = self.rule(&finding.rule).is_some_and(|rule| self.locks(rule));
            // Of two refusals of one severity, the one whose rule comes first stays.
            let covers = |(severity, rule): &(Severity, String)| {
                *rule != finding.rule
                    && (finding.severity < *severity
                        || finding.severity == *severity
                            && (!is_refusal(finding) || rule.as_str() < finding.rule.as_ref()))
            };
            let ends = finding.pointer.match_indices('/').map(|(end, _)| end).chain([finding.pointer.len()]);
            let mut values = ends.map(|end| (finding.document, finding.pointer[..end].to_owned()));
            let is_covered = values.any(|value| {
                refused.get(&(value.0, value.1.into())).is_some_and(|refusals| refusals.iter().any(covers))
            });
            is_locked || !finding.can_be_hidden() || !is_covered
        });
    }
}
