//! Texts in requests.

use serde_json::json;

use super::{draft, parsed, request};
use crate::facts::Facts;
use crate::lint::linter::Linter;
use crate::provider::detect::KindHint;

#[test]
fn nothing_leaves_of_a_damaged_document() {
    let linter = Linter::builtin();
    let text = draft(&json!({ "additionalInformation": "Ask Wilhelmina Thackeray at the pier." }));
    let damaged = &text[..text.len() - 1];
    let requests = |text| {
        parsed(text, |document| linter.read_requests(document, KindHint::Explicit, &Facts::default(), false))
            .len()
    };
    assert_eq!((requests(&text), requests(damaged)), (1, 0));
}

#[test]
fn a_misspelled_use_case_is_shown_as_the_one_that_was_meant() {
    let linter = Linter::builtin();
    let shown = |value: &str| {
        let draft = json!({ "UseCaseCategories": [value], "UseCaseSummary": "Reminders.", "OptInType": "VERBAL",
            "ProductionMessageSample": "Your visit is at 9." });
        let requests = parsed(&draft.to_string(), |document| {
            linter.read_requests(document, KindHint::Explicit, &Facts::default(), false)
        });
        requests[0].fields["useCase"].clone()
    };
    let (misspelled, meant) = (shown("ACCOUNT_NOTIFICATION"), shown("ACCOUNT_NOTIFICATIONS"));
    // The chosen value is before what it covers, so that these are not taken for what was chosen.
    assert!(meant.starts_with("ACCOUNT_NOTIFICATIONS (covers: "), "{meant}");
    assert_eq!(
        misspelled.split_once(" ("),
        meant.split_once(" (").map(|(_, covers)| ("ACCOUNT_NOTIFICATION", covers))
    );
}

#[test]
fn a_number_leaves_with_both_of_its_brackets() {
    let text = draft(
        &json!({ "optInWorkflowDescription": "Guests call us at (503) 226-4410. Then we read this script aloud." }),
    );
    let asked = request(&Linter::builtin(), &text);
    let called = &asked.fields["optInWorkflowDescription"];
    assert!(called.starts_with("Guests call us at [NUMBER ") && !called.contains('('), "{called}");
}
