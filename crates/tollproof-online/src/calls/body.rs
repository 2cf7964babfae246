//! The body of a request that is made from a draft.

use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::{Kind, payload};
use tollproof_history::digest_of;

use super::error::{CallError, Result};
use crate::client::RequestBody;

/// A draft in the encoding of its provider.
#[derive(Clone, Debug)]
pub(crate) struct DraftBody {
    text: String,
    is_form: bool,
    digest: String,
}

impl DraftBody {
    /// The body of a draft.
    pub(crate) fn of(root: &Node<'_>, kind: Kind) -> Result<Self> {
        let is_form = kind.is_form();
        let json = payload(root, kind);
        let digest = digest_of(json.as_bytes());
        let text = if is_form {
            kind.form_body(root).map_err(|field| {
                CallError::Usage(format!("`{field}` has fields of its own, which a form cannot have"))
            })?
        } else {
            json
        };
        Ok(Self { text, is_form, digest })
    }

    /// Identifies the draft, as [`digest_of`] its payload does.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// The draft as a value; null for a form.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The text that the draft itself has in a field.
    pub(crate) fn own(&self, name: &str) -> Option<String> {
        if self.is_form {
            let mut pairs = url::form_urlencoded::parse(self.text.as_bytes());
            return pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        }
        self.value().get(name).and_then(Value::as_str).map(str::to_owned)
    }

    /// The body with fields that the draft does not have.
    pub(crate) fn with(&self, added: &[(&str, String)]) -> RequestBody {
        if self.is_form {
            let known: Vec<_> =
                url::form_urlencoded::parse(self.text.as_bytes()).map(|(name, _)| name).collect();
            let new = added.iter().filter(|(name, _)| !known.iter().any(|it| it == name));
            let mut text = url::form_urlencoded::Serializer::new(self.text.clone());
            new.for_each(|(name, value)| {
                text.append_pair(name, value);
            });
            let bytes = text.finish().into_bytes();
            return RequestBody { content_type: "application/x-www-form-urlencoded".to_owned(), bytes };
        }
        let mut text = self.text.clone();
        // Keys and numbers stay as they are written: what is added goes before the last bracket.
        let known = self.value();
        for (name, value) in added.iter().filter(|(name, _)| known.get(name).is_none()) {
            let comma = if text.trim_end().ends_with("{}") { "" } else { "," };
            let end = text.trim_end().len().saturating_sub(1);
            let member = format!("{comma}{}:{}", Value::from(*name), Value::from(value.as_str()));
            if text.is_char_boundary(end) && text[end..].starts_with('}') {
                text.insert_str(end, &member);
            }
        }
        RequestBody { content_type: "application/json".to_owned(), bytes: text.into_bytes() }
    }
}
