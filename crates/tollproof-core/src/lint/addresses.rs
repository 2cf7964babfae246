//! The addresses that drafts name, for those who look at them.

use std::collections::BTreeSet;

use tollproof_data::seen::AddressUse;

use crate::checks::context::Environment;
use crate::facts::{Batch, Facts};
use crate::lint::linter::Linter;
use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::Kind;
use crate::syntax::Parsed;

impl Linter {
    /// The web addresses and mail domains that the requests in a text name, as facts have them, with what each is used for.
    /// `facts` may have pages that link further policies.
    #[must_use]
    pub fn addresses(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
    ) -> BTreeSet<(String, AddressUse)> {
        let mut found = BTreeSet::new();
        let earlier = Batch::default();
        for block in parsed.blocks() {
            for document in block.documents() {
                let kind = kind_of(&document, hint).filter(|kind: &Kind| kind.is_request());
                let Some((kind, root)) = kind.zip(document.document().root.as_ref()) else { continue };
                let environment = Environment {
                    vendor: None,
                    facts,
                    earlier: &earlier,
                    declared_record: None,
                    original: None,
                };
                let context = self.context(document.source(), root, kind, environment);
                found.extend(context.named_addresses().iter().map(|it| (it.address.clone(), it.used)));
            }
        }
        found
    }
}
