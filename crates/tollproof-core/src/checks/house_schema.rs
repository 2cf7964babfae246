//! `house_schema`: what a schema of the user's own refuses, reported at the value concerned.

use super::Defect;
use super::schema::name;
use crate::checks::context::Context;
use crate::provider::schema::house::HouseSchemaError;
use crate::syntax::message::{Message, message};

/// The defect of an error; none where its pointer leads to no object.
pub(crate) fn defect(error: &HouseSchemaError, schema: &str, context: &Context<'_>) -> Option<Defect> {
    let (above, field) = error.pointer.rsplit_once('/').unwrap_or_default();
    let field = field.replace("~1", "/").replace("~0", "~");
    let parent = context.root.at(above)?;
    let defect = Defect { help: error.help.clone(), ..Defect::default() }
        .fill("field", name(above, &field))
        .fill("problem", &error.problem)
        .fill("schema", Message::own(schema));
    if error.pointer.is_empty() {
        let message = message!("the document {} (schema `{}`)", error.problem, Message::own(schema));
        return Some(Defect { message: Some(message), span: Some(context.root.opening()), ..defect });
    }
    let span = match context.root.at(&error.pointer) {
        None => Some(parent.opening()),
        Some(_) if error.is_about_key => parent.member(&field).map(|member| member.key_span),
        Some(_) => None,
    };
    Some(Defect { span, ..defect })
}
