//! Drafts before they are sent: what one may lack, or have too much.

use std::collections::BTreeSet;

use tollproof_core::document::Node;
use tollproof_core::{
    Facts, KindChoice, KindHint, KindRole, Linter, NumberKey, Parsed, Report, SourceDocument, json_of,
    kind_of, role,
};

/// The rules that report fields of a submit request in an update.
const SET_ONCE: [&str; 2] = ["structure/create-only", "structure/misplaced-field"];

/// Removes what the structure rules say of a number in E.164 where the provider wants its own id: submitting looks the id
/// up. Where it does not, the gate reports it again.
pub fn forgive_numbers(report: &mut Report, documents: &[SourceDocument<'_>], hint: KindHint) {
    report.findings.retain(|finding| {
        let is_looked_up = || {
            let document = documents.get(finding.document)?;
            let kind = kind_of(document, hint).filter(|kind| kind.is_submit())?;
            let root = document.document().root.as_ref()?;
            let is_number = kind.role_at(&finding.pointer) == Some(role::PHONE_NUMBERS);
            let is_e164 = |node: &Node<'_>| node.as_str().is_some_and(|text| NumberKey::of(text).is_e164());
            let numbers = kind.numbers(root);
            Some(is_number && !numbers.is_empty() && numbers.into_iter().all(is_e164))
        };
        !finding.rule.starts_with("structure/") || is_looked_up() != Some(true)
    });
}

/// A draft as an update of its submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateText {
    /// The update as JSON.
    pub text: String,
    /// The fields that were left out, because only a submission has them.
    pub left_out: Vec<String>,
}

impl UpdateText {
    /// A submit request without the fields that are set once. `None` if the draft is an update as it is.
    #[must_use]
    pub fn of(linter: &Linter, draft: &Parsed<'_>, hint: KindHint) -> Option<Self> {
        let document = draft.only()?;
        let submit = kind_of(&document, hint).filter(|kind| kind.is_submit())?;
        let kind = submit.provider().kind(KindRole::Update)?;
        let report = linter.check(draft, KindHint::Forced(KindChoice::from(kind)), &Facts::default());
        let fixed = report.findings.iter().filter(|finding| SET_ONCE.contains(&finding.rule.as_ref()));
        let top =
            |pointer: &str| pointer.split('/').nth(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
        let fixed: BTreeSet<String> = fixed.filter_map(|finding| top(&finding.pointer)).collect();
        let json = json_of(document.document().root.as_ref()?);
        let mut members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).ok()?;
        if fixed.is_empty() {
            return None;
        }
        members.retain(|name, _| !fixed.contains(name));
        let text = serde_json::to_string_pretty(&members).expect("members of JSON are JSON");
        Some(Self { text, left_out: fixed.into_iter().collect() })
    }
}
