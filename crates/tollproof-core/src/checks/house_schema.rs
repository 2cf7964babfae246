//! `house-schema`: violations of the user's own schema, reported at the value.

use tollproof_data::pointer::unescaped;

use super::Violation;
use super::schema::name;
use crate::provider::schema::house::HouseSchemaError;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// The violation of a schema error; `None` if the parent of its pointer does not exist.
pub(crate) fn violation(error: &HouseSchemaError, schema: &str, root: &Node<'_>) -> Option<Violation> {
    let (above, field) = error.pointer.rsplit_once('/').unwrap_or_default();
    let field = unescaped(field);
    let parent = root.at(above)?;
    let violation = Violation { help: error.help.clone(), ..Violation::default() }
        .fill("field", name(above, &field))
        .fill("problem", &error.problem)
        .fill("schema", Message::name(schema));
    if error.pointer.is_empty() {
        let message = message!("the document {} (schema `{}`)", error.problem, Message::name(schema));
        return Some(Violation { message: Some(message), span: Some(root.opening()), ..violation });
    }
    let span = match root.at(&error.pointer) {
        None => Some(parent.opening()),
        Some(_) if error.is_about_key => parent.member(&field).map(|member| member.key_span),
        Some(_) => None,
    };
    Some(Violation { span, ..violation })
}
