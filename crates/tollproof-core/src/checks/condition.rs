//! Whether the conditions of a rule hold in a document.

use tollproof_data::checks::condition::{Condition, Conditions, PROVIDER};
use tollproof_data::suggest::without_form;

use super::context::Context;
use crate::syntax::document::Node;
use crate::validators::url::Address;

impl Context<'_> {
    /// Whether all conditions are true.
    pub(crate) fn holds(&self, conditions: &Conditions) -> bool {
        conditions.0.iter().all(|(role, condition)| {
            let node = self.node(role);
            // Fast path: a text in a draft for the default provider means itself.
            if self.kind.is_default() && role != PROVIDER && node.is_none_or(|node| node.items().is_empty()) {
                self.condition_holds(role, condition, node.and_then(Node::as_str))
            } else {
                self.condition_of_role_holds(role, condition)
            }
        })
    }

    /// Whether a condition on a role is true for one of its values, by what that value means.
    fn condition_of_role_holds(&self, role: &str, condition: &Condition) -> bool {
        if role == PROVIDER {
            return self.condition_holds(role, condition, Some(self.kind.provider().name()));
        }
        let nodes = self.kind.values(self.root, role);
        let values: Vec<&str> = nodes.iter().filter_map(|node| node.as_str()).collect();
        self.condition_of_values_holds(role, condition, &values, true)
    }

    /// Whether a condition is true for one value of a role; below `not`, this is asked of values that may mean something
    /// as well, because such a value is not known to be another.
    fn condition_of_values_holds(
        &self,
        role: &str,
        condition: &Condition,
        values: &[&str],
        is_exact: bool,
    ) -> bool {
        match condition {
            Condition::Not(inner) => !self.condition_of_values_holds(role, inner, values, !is_exact),
            Condition::All(all) => {
                all.iter().all(|inner| self.condition_of_values_holds(role, inner, values, is_exact))
            }
            _ if values.is_empty() => self.condition_holds(role, condition, None),
            _ => values.iter().any(|value| {
                let meaning = self.kind.value_map(role).and_then(|map| map.meaning(value));
                let exact = meaning.map_or(&[][..], |it| it.exact.as_slice());
                let near = meaning.filter(|_| !is_exact).map_or(&[][..], |it| it.near.as_slice());
                let alias = self.kind.value_by_alias(role, value);
                let mut all = exact.iter().chain(near).copied().chain(alias).chain([*value]);
                all.any(|value| self.condition_holds(role, condition, Some(value)))
            }),
        }
    }

    fn condition_holds(&self, role: &str, condition: &Condition, value: Option<&str>) -> bool {
        match condition {
            Condition::Is(values) => value.is_some_and(|value| values.iter().any(|it| is_same(it, value))),
            Condition::Not(inner) => !self.condition_holds(role, inner, value),
            Condition::Matches(pattern) => {
                value.is_some_and(|value| self.lists.pattern(pattern).is_match(value))
            }
            Condition::Has(phrases) => value.is_some_and(|value| self.scan(value).has(phrases)),
            Condition::HostIn(hosts) => value
                .and_then(|value| self.host_of(value))
                .is_some_and(|host| self.lists.host_entry(hosts, &host).is_some()),
            Condition::All(all) => all.iter().all(|inner| self.condition_holds(role, inner, value)),
            Condition::Page(is_page) => {
                let is_one = |value| self.address(value).as_ref().as_ref().is_ok_and(Address::is_page);
                value.is_some_and(is_one) == *is_page
            }
            Condition::InForm(is_in_form) => self.kind.has(role) == *is_in_form,
            Condition::Absent(absent) => value.is_none_or(|value| value.trim().is_empty()) == *absent,
        }
    }
}

/// Whether a value is the one that a condition names. Differences that a safe fix removes are ignored, so that applying
/// the fix does not make a condition true.
fn is_same(one: &str, other: &str) -> bool {
    // Fast path: conditions are evaluated for every draft, and most values differ in their first letter.
    let first = |text: &str| text.bytes().find(u8::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase());
    one == other || first(one) == first(other) && without_form(one).eq(without_form(other))
}
