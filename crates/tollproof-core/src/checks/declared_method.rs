//! `declared-method`: a declared way to agree that the description does not tell of.

use tollproof_data::checks::DeclaredMethod;

use crate::checks::compare::stated;
use crate::checks::{Context, Place, SHOWN, Violation};
use crate::finding::Related;

pub(super) fn check(check: &DeclaredMethod, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let declared = place.node?.as_str()?;
    let method = check.methods.iter().find(|it| it.values.contain(declared))?;
    let texts = context.values_with(&check.description);
    let read = || texts.iter().filter_map(|node| Some((*node, node.as_str()?)));
    if read().any(|(_, text)| context.scan(text).has_group(&method.fits.ids)) {
        return None;
    }
    let mut related = Vec::new();
    // The longest expression says most.
    let mut found = "";
    for (node, text) in read() {
        let scan = context.scan(text);
        for hit in stated((text, &scan), &method.others, context) {
            let range = scan.words().range(hit.first, hit.last);
            found = if range.len() > found.len() { &text[range.clone()] } else { found };
            related.push(Related::here(context.inner(node, range), "the description".into()));
        }
    }
    related.truncate(SHOWN);
    let violation = Violation { related, ..Violation::default() };
    (!found.is_empty()).then(|| violation.fill("value", declared.trim()).fill("match", found))
}
