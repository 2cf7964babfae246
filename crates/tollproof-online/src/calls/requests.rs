//! The operations of an API as requests.

use tollproof_core::Kind;
use tollproof_core::document::Node;
use url::Url;

use super::api::{Api, missing_value};
use super::body::DraftBody;
use super::error::CallError;
use super::operation::{ApiOperation, CallLine};
use super::operations::ApiValue;
use super::template::{Variables, fill, fill_json, fill_path, fill_xml};
use crate::client::{HttpRequest, Repeat, RequestBody, is_loopback};

impl Api {
    /// Whether an operation can be called: its path is known, assumed for loopback, or set.
    pub(crate) fn can(&self, name: &str, operation: Option<&ApiOperation>) -> bool {
        operation.is_some_and(|it| self.line(name, it).is_ok())
    }

    fn server_of(&self, operation: &ApiOperation) -> &Url {
        let name = operation.host.as_ref().unwrap_or(&self.file.default_host);
        self.hosts.get(name).expect("a test looks for the host of every operation")
    }

    fn line<'o>(&'o self, name: &str, operation: &'o ApiOperation) -> Result<&'o CallLine, CallError> {
        let set = self.paths.get(name).or(operation.call.as_ref());
        let is_loopback = is_loopback(self.server_of(operation));
        set.or(operation.assumed.as_ref().filter(|_| is_loopback)).ok_or_else(|| CallError::UnknownPath {
            provider: self.provider.name().to_owned(),
            operation: name.to_owned(),
            file: self.settings_file.clone(),
        })
    }

    /// The request of an operation.
    pub(crate) fn request(
        &self,
        name: &str,
        operation: &ApiOperation,
        variables: &Variables,
        draft: Option<&DraftBody>,
    ) -> Result<HttpRequest, CallError> {
        let mut all = self.values.clone();
        all.extend(variables.clone());
        let missing = |name: String| self.missing(name);
        let line = self.line(name, operation)?;
        let mut url = self.server_of(operation).clone();
        let path = fill_path(&line.path, &all).map_err(missing)?;
        let base = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{base}{path}"));
        // A parameter whose placeholder has no value is left out.
        let query: Vec<(&String, String)> = operation
            .query
            .iter()
            .filter_map(|(name, value)| Some((name, fill(value, &all).ok()?)))
            .collect();
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query.iter().map(|(name, value)| (name.as_str(), value)));
        }
        let mut headers = vec![("Accept".to_owned(), accept(operation).to_owned())];
        for (name, value) in &operation.headers {
            headers.push((name.clone(), fill(value, &all).map_err(missing)?));
        }
        let body = self.body(operation, &all, draft)?;
        let repeat = match () {
            () if line.method.is_read() || operation.reads => Repeat::Read,
            () if operation.repeatable => Repeat::Keyed,
            () => Repeat::Once,
        };
        Ok(HttpRequest { method: line.method, url, headers, body, repeat })
    }

    fn body(
        &self,
        operation: &ApiOperation,
        variables: &Variables,
        draft: Option<&DraftBody>,
    ) -> Result<Option<RequestBody>, CallError> {
        let missing = |name: String| self.missing(name);
        let body = |content_type: &str, bytes: Vec<u8>| {
            Some(RequestBody { content_type: content_type.to_owned(), bytes })
        };
        if let (Some(adds), Some(draft)) = (&operation.draft, draft) {
            let mut added = Vec::new();
            for (name, value) in adds {
                added.push((name.as_str(), fill(value, variables).map_err(missing)?));
            }
            return Ok(Some(draft.with(&added)));
        }
        Ok(if let Some(form) = &operation.form {
            let mut text = url::form_urlencoded::Serializer::new(String::new());
            for (name, value) in form {
                text.append_pair(name, &fill(value, variables).map_err(missing)?);
            }
            body("application/x-www-form-urlencoded", text.finish().into_bytes())
        } else if let Some(json) = &operation.json {
            let json = fill_json(json, variables).map_err(missing)?;
            let kind = operation.headers.keys().any(|it| it.eq_ignore_ascii_case("X-Amz-Target"));
            let kind = if kind { "application/x-amz-json-1.0" } else { "application/json" };
            body(kind, json.to_string().into_bytes())
        } else if let Some(xml) = &operation.xml {
            body("application/xml", fill_xml(xml, variables).map_err(missing)?.into_bytes())
        } else {
            None
        })
    }

    pub(crate) fn missing(&self, name: String) -> CallError {
        missing_value(&self.file, name)
    }

    /// The values that a draft has.
    pub(crate) fn values_of(&self, kind: Kind, root: &Node<'_>) -> Variables {
        let written = |(name, value): (&String, &ApiValue)| {
            let found = kind.values(root, value.role.as_deref()?).into_iter().find_map(Node::as_str)?;
            Some((name.clone(), found.trim().to_owned())).filter(|it| !it.1.is_empty())
        };
        self.file.values.iter().filter_map(written).collect()
    }
}

fn accept(operation: &ApiOperation) -> &'static str {
    if operation.xml.is_some() { "application/xml" } else { "application/json, application/xml;q=0.5" }
}
