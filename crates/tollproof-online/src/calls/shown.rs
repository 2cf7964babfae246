//! The requests of a submission as they would be sent, for a look before it is.

use tollproof_core::document::Node;
use tollproof_core::{Kind, KindHint, Parsed};

use super::api::Api;
use super::body::DraftBody;
use super::error::{CallError, Result};
use super::fields::{ReadFile, fields_of, read_files};
use super::numbers::NumberNames;
use super::operation::ApiOperation;
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
        let (kind, root) = request_of(parsed, hint)?;
        let written = kind.numbers(root).into_iter().find_map(|it| it.as_str());
        let mut variables: Variables =
            number.or(written).map(|number| NumberNames::written(number).variables()).unwrap_or_default();
        variables.extend(self.values_of(kind, root));
        // What only the provider knows is shown in capitals.
        for (name, shown) in [("token", "TOKEN"), ("number-id", "NUMBER_ID"), ("file", "FILE")] {
            variables.entry(name.to_owned()).or_insert_with(|| shown.to_owned());
        }
        variables.extend(id.map(|id| ("id".to_owned(), id.to_owned())));
        let name = if id.is_some() { "update" } else { "submit" };
        let body = DraftBody::of(root, kind)?;
        let mut shown = Vec::new();
        for step in self.steps(id.is_some()) {
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

    /// Reads the files that the requests of [`Self::shown_requests`] have, so that a rehearsal fails where they would.
    ///
    /// # Errors
    ///
    /// The text is not one request, or a file cannot be read or sent.
    pub fn read_files(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        id: Option<&str>,
        read: ReadFile<'_>,
    ) -> Result<()> {
        let (kind, root) = request_of(parsed, hint)?;
        read_files(self.steps(id.is_some()), &DraftBody::of(root, kind)?, Some(read))
    }

    fn steps(&self, is_update: bool) -> &[ApiOperation] {
        let operations = &self.file().operations;
        if is_update { &operations.update } else { &operations.submit }
    }
}

/// The only draft of a text.
fn request_of<'p>(parsed: &'p Parsed<'p>, hint: KindHint) -> Result<(Kind, &'p Node<'p>)> {
    let document = parsed.only();
    let kind =
        document.and_then(|draft| tollproof_core::kind_of(&draft, hint)).filter(|kind| kind.is_request());
    let root = document.and_then(|draft| draft.document().root.as_ref());
    kind.zip(root).ok_or_else(|| {
        CallError::Usage(format!("`{}` is not one draft that can be sent", parsed.source().name()))
    })
}
