//! The addresses that drafts name, for those who look at them.

use std::collections::BTreeSet;

use tollproof_data::seen::AddressUse;

use crate::facts::Facts;
use crate::lint::linter::Linter;
use crate::lint::requests::each_request;
use crate::provider::detect::KindHint;
use crate::syntax::Parsed;

impl Linter {
    /// Calls `each` with the web addresses and mail domains that the requests in a text name, as facts have them, and with
    /// what each is used for; for a website also with the words of which one should be on it: those of the names of the
    /// business. `facts` may have pages that link further policies.
    pub fn addresses(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
        each: &mut dyn FnMut(&str, AddressUse, BTreeSet<String>),
    ) {
        each_request(parsed, hint, facts, &mut |document, kind, root, environment| {
            let context = self.context(document.source(), root, kind, environment);
            for named in context.named_addresses() {
                let is_website = named.used == AddressUse::Website;
                let names = if is_website { context.brand().naming_words() } else { BTreeSet::new() };
                each(&named.address, named.used, names);
            }
        });
    }
}
