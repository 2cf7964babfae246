//! The requests of a submission as they would be sent, for a look before it is.

use tollproof_core::{KindHint, Parsed};

use super::api::Api;
use super::body::DraftBody;
use super::error::{CallError, Result};
use super::fields::fields_of;
use super::numbers::NumberNames;
use super::template::Variables;
use crate::client::HttpRequest;

/// A request that was not sent. Keys are masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRequest {
    /// The step, if there are several.
    pub step: Option<String>,
    /// The request as it would be sent.
    pub text: String,
    /// The same as a command of curl.
    pub curl: String,
}

impl Api {
    /// The requests that submit the only draft of a text, or update a submission. Needs no key, and sends nothing.
    ///
    /// # Errors
    ///
    /// The text is not one request, or something that the requests need is not set.
    pub fn shown_requests(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        number: Option<&str>,
        id: Option<&str>,
    ) -> Result<Vec<ShownRequest>> {
        let document = parsed.only();
        let kind = document.and_then(|it| tollproof_core::kind_of(&it, hint)).filter(|it| it.is_request());
        let root = document.and_then(|draft| draft.document().root.as_ref());
        let Some((kind, root)) = kind.zip(root) else {
            let name = parsed.source().name();
            return Err(CallError::Usage(format!("`{name}` is not one draft that can be sent")));
        };
        let written = kind.numbers(root).into_iter().find_map(|it| it.as_str());
        let mut variables: Variables =
            number.or(written).map(|number| NumberNames::written(number).variables()).unwrap_or_default();
        variables.extend(self.values_of(kind, root));
        // What only the provider knows is shown in capitals.
        for (name, shown) in [("token", "TOKEN"), ("number-id", "NUMBER_ID"), ("file", "FILE")] {
            variables.entry(name.to_owned()).or_insert_with(|| shown.to_owned());
        }
        variables.extend(id.map(|id| ("id".to_owned(), id.to_owned())));
        let (name, steps) = match id {
            None => ("submit", &self.file().operations.submit),
            Some(_) => ("update", &self.file().operations.update),
        };
        let body = DraftBody::of(root, kind)?;
        let mut shown = Vec::new();
        for step in steps {
            let mut add = |request: &HttpRequest| {
                let (text, curl) = self.shown(request);
                shown.push(ShownRequest { step: step.name.clone(), text, curl });
            };
            match &step.each {
                None => add(&self.request(name, step, &variables, Some(&body))?.http),
                Some(each) => {
                    for field in &fields_of(&body.value()) {
                        let Some(members) = each.members(field, &variables) else { continue };
                        variables.insert("field".to_owned(), field.0.clone());
                        let mut request = self.request(name, step, &variables, None)?;
                        request.add_members(&members);
                        add(&request);
                    }
                }
            }
            let kept = step.keeps.iter().map(|name| (name.clone(), name.to_uppercase()));
            variables.extend(kept);
        }
        Ok(shown)
    }
}
