//! Fields of a draft by the names that an answer has for them.

use super::SentDraft;
use crate::provider::{aliases, schema};
use crate::syntax::document::push_token;

impl SentDraft<'_> {
    /// The pointer of the value that a name in an answer refers to, in any notation: `a_name`, `/aName`,
    /// `body.aName[0]`.
    pub(super) fn pointer_of(&self, name: &str) -> Option<String> {
        let squeezed = |text: &str| text.replace(['_', '-', ' '], "").to_lowercase();
        let fields: Vec<&str> = schema::field_names(self.context.kind).collect();
        let last = name.rsplit(['/', '.']).next().unwrap_or(name);
        let kind = self.context.kind;
        let role_of = |field: &str| kind.roles().find(|role| kind.field_name(role) == field);
        let other = || role_of(aliases::field(last, &fields).or_else(|| aliases::noted_in(last))?);
        let mut tokens = name.split(['/', '.', '[', ']', '$']).filter(|token| !token.is_empty());
        let role = tokens.find_map(|token| {
            let token = squeezed(token);
            let is_meant = |name: &str| squeezed(name.rsplit('.').next().unwrap_or_default()) == token;
            kind.roles().find(|role| is_meant(role) || is_meant(kind.field_name(role)))
        });
        // Another provider calls the field by another name.
        let role = role.or_else(|| other().filter(|_| self.is_of_other_provider()));
        let Some(role) = role else {
            // Not every field has a role.
            let field = fields.iter().find(|field| squeezed(field) == squeezed(name))?;
            let mut pointer = String::new();
            push_token(&mut pointer, field);
            return Some(pointer);
        };
        let mut pointer = kind.pointer_of(role);
        for token in tokens {
            let deeper = format!("{pointer}/{token}");
            if self.context.root.at(&deeper).is_none() {
                break;
            }
            pointer = deeper;
        }
        Some(pointer)
    }

    /// The pointer of the first field that a message names.
    pub(super) fn pointer_in(&self, text: &str) -> Option<String> {
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        let kind = self.context.kind;
        let role = words.find_map(|word| kind.roles().find(|role| kind.field_name(role) == word))?;
        Some(kind.pointer_of(role))
    }
}
