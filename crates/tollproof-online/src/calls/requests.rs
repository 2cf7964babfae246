//! The operations of an API as requests, and what their answers must be about.

use std::ops::{Deref, DerefMut};

use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::{Kind, NumberKey};
use url::Url;

use super::answer::all_at;
use super::api::{Api, missing_value};
use super::body::DraftBody;
use super::error::{CallError, Result};
use super::operation::{ApiOperation, CallLine};
use super::operations::ApiValue;
use super::template::{Variables, fill, fill_json, fill_path, fill_xml};
use crate::client::{HttpRequest, Repeat, RequestBody, is_loopback};

/// A request of an operation.
#[derive(Clone)]
pub(crate) struct ApiRequest {
    pub(crate) http: HttpRequest,
    /// Members of the answer, and what was asked for.
    same: Vec<(String, String)>,
    /// Members of the answer that must be there.
    needed: Option<String>,
    /// Ids in the answer.
    ids: Option<String>,
}

impl Deref for ApiRequest {
    type Target = HttpRequest;

    fn deref(&self) -> &HttpRequest {
        &self.http
    }
}

impl DerefMut for ApiRequest {
    fn deref_mut(&mut self) -> &mut HttpRequest {
        &mut self.http
    }
}

impl ApiRequest {
    /// Whether an answer is about what was asked for, as far as it says, and has what the next request needs: a proxy may
    /// answer with what it has of another request.
    pub(crate) fn is_answered_by(&self, answer: &Value) -> bool {
        let is_same = |(path, wanted): &(String, String)| {
            let wanted = NumberKey::of(wanted);
            all_at(answer, path).into_iter().all(|told| name(told).is_some_and(|told| told == wanted))
        };
        let has = |path: &String| all_at(answer, path).into_iter().find_map(name).is_some();
        let are_names = |path: &String| all_at(answer, path).into_iter().all(|id| name(id).is_some());
        self.same.iter().all(is_same) && self.needed.iter().all(has) && self.ids.iter().all(are_names)
    }
}

/// An id or number as it is compared. None of them has a control character.
fn name(value: &Value) -> Option<NumberKey> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        value => value.as_str()?.to_owned(),
    };
    (!text.is_empty() && !text.contains(char::is_control)).then(|| NumberKey::of(&text))
}

impl Api {
    /// Whether an operation can be called: its path is known, assumed for loopback, or set.
    pub(crate) fn can(&self, name: &str, operation: Option<&ApiOperation>) -> bool {
        operation.is_some_and(|operation| self.line(name, operation).is_ok())
    }

    fn server_of(&self, operation: &ApiOperation) -> &Url {
        let name = operation.host.as_ref().unwrap_or(&self.file.default_host);
        self.hosts.get(name).expect("a test looks for the host of every operation")
    }

    fn line<'o>(&'o self, name: &str, operation: &'o ApiOperation) -> Result<&'o CallLine> {
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
    ) -> Result<ApiRequest> {
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
        let same = self.file.same.iter().chain(&operation.same);
        let same = same.filter_map(|(path, value)| Some((path.clone(), fill(value, &all).ok()?))).collect();
        // A later step needs the id, and without a number it is unknown what was bought.
        let needed =
            if repeat != Repeat::Read && operation.item.contains_key("number") && !all.contains_key("number")
            {
                operation.path_of("number")
            } else {
                operation.keeps.as_ref().and_then(|_| operation.path_of("id"))
            };
        let http = HttpRequest { method: line.method, url, headers, body, repeat };
        Ok(ApiRequest { http, same, needed, ids: operation.path_of("id") })
    }

    fn body(
        &self,
        operation: &ApiOperation,
        variables: &Variables,
        draft: Option<&DraftBody>,
    ) -> Result<Option<RequestBody>> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::client::Method;

    #[test]
    fn an_answer_is_about_what_was_asked_for_as_far_as_it_says() {
        let url = Url::parse("https://api.example.com").expect("it is one");
        let (method, headers) = (Method::Get, Vec::new());
        let http = HttpRequest { method, url, headers, body: None, repeat: Repeat::Read };
        let same = [("id", "HHa1"), ("numbers/number", "+18335550100"), ("list/account", "7")];
        let same = same.map(|(path, wanted)| (path.to_owned(), wanted.to_owned())).to_vec();
        let mut request = ApiRequest { http, same, needed: None, ids: Some("id".to_owned()) };
        for (answer, is_about_it) in [
            (json!({}), true),
            (json!([]), true),
            (json!({ "id": "HHA1", "numbers": [{ "number": "18335550100" }] }), true),
            (json!({ "list": [{ "account": 7 }, {}] }), true),
            (json!({ "id": "HHb2" }), false),
            (json!({ "id": "HHa1\u{0}" }), false),
            (json!({ "numbers": [{ "number": "+18335550199" }] }), false),
            (json!({ "list": [{ "account": 7 }, { "account": 8 }] }), false),
        ] {
            assert_eq!(request.is_answered_by(&answer), is_about_it, "{answer}");
        }
        request.needed = Some("id".to_owned());
        assert!(request.is_answered_by(&json!({ "id": "HHa1" })) && !request.is_answered_by(&json!({})));
    }
}
