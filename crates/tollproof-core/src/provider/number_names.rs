//! The names of toll-free numbers in a document, and whether a name can be reserved.

use tollproof_data::provider::schema::shape::{Shape, TextFormat};

use super::schema::accept::accepts_text;
use crate::provider::kind::Kind;
use crate::provider::role;
use crate::syntax::document::{Node, Value};
use crate::validators::number_key::NumberKey;

impl Kind {
    /// The texts that name toll-free numbers, each with its value.
    pub(crate) fn number_names<'n, 's>(
        self,
        root: &'n Node<'s>,
    ) -> impl Iterator<Item = (&'n Node<'s>, &'n str)> {
        self.numbers(root).into_iter().filter_map(|node| Some((node, number_name(node)?)))
    }

    /// The numbers of a draft, if each of them is named so that two drafts cannot name it in two ways: as the provider's
    /// schema wants it, and as E.164, a UUID or an id. `None` also if there are more than the provider takes.
    pub fn reservable_numbers<'n>(self, root: &'n Node<'_>) -> Option<Vec<&'n str>> {
        let numbers = self.numbers(root);
        let is_one = !self.names_one_number() || numbers.len() == 1;
        let names: Option<Vec<&str>> = numbers.iter().map(|node| self.reservable(node)).collect();
        names.filter(|names| is_one && !names.is_empty())
    }

    /// The business of a draft, if reviewers ask why it needs more than one number: a Canadian one (Twilio, code 30479). The
    /// key is of its registration number, or else of its legal name.
    pub(crate) fn one_number_business<'n, 's>(self, root: &'n Node<'s>) -> Option<(&'n Node<'s>, String)> {
        if self.country(root) != Some("CA") {
            return None;
        }
        [role::REGISTRATION_NUMBER, role::BUSINESS_NAME].into_iter().find_map(|role| {
            let node = self.field(root, role)?;
            let text: &str = match &node.value {
                Value::String(text) => text,
                Value::Number(text) => text,
                _ => return None,
            };
            let key: String = text.chars().filter(|it| it.is_alphanumeric()).collect();
            (!key.is_empty()).then(|| (node, format!("business {key}")))
        })
    }

    fn reservable<'n>(self, node: &'n Node<'_>) -> Option<&'n str> {
        let name = node.as_str()?;
        let shape = match self.shape_at(&[Some(role::PHONE_NUMBERS.into())])? {
            Shape::List { item, .. } => item,
            shape => shape,
        };
        // The list may have objects, in which the number is a field without a format.
        let (fits, is_id) = match shape {
            Shape::Text(text) => {
                let is_id = matches!(text.format, Some(TextFormat::Uuid | TextFormat::Sid(_)));
                (accepts_text(text, name), is_id)
            }
            _ => (true, false),
        };
        (fits && (is_id || NumberKey::of(name).is_exact())).then_some(name)
    }
}

/// The text of a value that names a toll-free number. YAML parses an unquoted `+18005550100` as a number, so a number
/// counts if it is toll-free.
pub(crate) fn number_name<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        Value::String(text) => Some(text),
        Value::Number(text) if NumberKey::of(text).is_e164() => Some(text),
        _ => None,
    }
}
