//! Collects the addresses in drafts.

use tollproof_core::{Facts, SourceDocument, kind_of};

use super::super::draft_texts::DraftTexts;
use super::stores::Stores;
use crate::errors::Result;

/// Adds the addresses of all drafts to their stores, also those that pages link which were seen by now. Returns how many
/// drafts there are.
pub(super) fn collect(texts: &mut DraftTexts<'_>, stores: &mut Stores) -> Result<usize> {
    let mut drafts = 0;
    let (session, files) = (texts.session, texts.files);
    texts.each(&mut |text| {
        let store = stores.of(session, text.config, files)?;
        let facts = Facts { seen: store.facts.clone(), ..Facts::default() };
        let is_draft = |document: &SourceDocument<'_>| {
            kind_of(document, text.hint).is_some_and(|kind| kind.is_request())
        };
        drafts += text.parsed.whole().documents().filter(is_draft).count();
        text.linter.addresses(text.parsed, text.hint, &facts, &mut |address, used, names| {
            store.add(address, used, names);
        });
        Ok(())
    })?;
    Ok(drafts)
}
