//! The addresses that drafts name, for those who look at them.

use std::collections::BTreeSet;

use tollproof_data::seen::AddressUse;

use crate::facts::Facts;
use crate::lint::linter::Linter;
use crate::lint::requests::each_request;
use crate::provider::detect::KindHint;
use crate::syntax::Parsed;

impl Linter {
    /// The web addresses and mail domains that the requests in a text name, as facts have them, with what each is used for.
    /// `facts` may have pages that link further policies.
    pub fn addresses(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
    ) -> BTreeSet<(String, AddressUse)> {
        let mut found = BTreeSet::new();
        each_request(parsed, hint, facts, &mut |document, kind, root, environment| {
            let context = self.context(document.source(), root, kind, environment);
            found.extend(context.named_addresses().iter().map(|it| (it.address.clone(), it.used)));
        });
        found
    }

    /// The words of which one should be on each website that the requests in a text name: those of the names of the business.
    pub fn website_names(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
    ) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        each_request(parsed, hint, facts, &mut |document, kind, root, environment| {
            let context = self.context(document.source(), root, kind, environment);
            let sites = context.named_addresses().iter().filter(|named| named.used == AddressUse::Website);
            for site in sites {
                let words = context.brand().naming_words();
                found.extend(words.into_iter().map(|word| (site.address.clone(), word)));
            }
        });
        found
    }
}
