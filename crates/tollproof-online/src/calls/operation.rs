//! One operation of an API, as written: a request, and where the values of its answer are.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::answer::{all_at, text_at};
use crate::client::Method;

/// One request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ApiOperation {
    /// Method and path.
    pub(crate) call: Option<CallLine>,
    /// Method and path where no source shows them: for loopback addresses alone.
    pub(crate) assumed: Option<CallLine>,
    /// The name of a step, for messages.
    pub(crate) name: Option<String>,
    pub(crate) host: Option<String>,
    /// Parameters. One whose placeholder has no value is left out.
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) headers: BTreeMap<String, String>,
    /// The prefix of the key, if it differs from the API's usual one.
    pub(crate) key_prefix: Option<String>,
    /// The body is the draft, with these fields added.
    pub(crate) draft: Option<BTreeMap<String, String>>,
    /// The body as a form.
    pub(crate) form: Option<BTreeMap<String, String>>,
    /// The body as JSON.
    pub(crate) json: Option<serde_json::Value>,
    /// The body as XML.
    pub(crate) xml: Option<String>,
    /// The provider recognizes a repeated request, so that it may be sent again.
    pub(crate) repeatable: bool,
    /// Path of a status, and the values with which an answer of success is a refusal.
    pub(crate) failed: BTreeMap<String, Vec<String>>,
    /// It changes nothing, whatever its method is.
    pub(crate) reads: bool,
    /// Codes of refusals which say that an earlier request arrived.
    pub(crate) arrived: Vec<String>,
    /// Whether 404 means that what was asked for does not exist. Otherwise it may be a wrong path.
    pub(crate) absent: bool,
    /// The name under which an earlier step kept the id of what has the number then, if the code says so.
    pub(crate) arrived_for: Option<String>,
    /// Members of the answer, and the values that they must have if the answer has them.
    pub(crate) same: BTreeMap<String, String>,
    /// Path of the list's items.
    pub(crate) items: Option<String>,
    /// Paths of values of an item, or of the answer.
    pub(crate) item: BTreeMap<String, String>,
    /// The name under which the id in the answer is kept for later steps.
    pub(crate) keeps: Option<String>,
    /// Place of the next page.
    pub(crate) next: Option<NextPage>,
    /// Members of the answer that every item gets.
    pub(crate) adds: Vec<String>,
    /// Only the item with the largest number at this path counts.
    pub(crate) latest: Option<String>,
    /// The items are not the records: each has the id of one here, which is fetched.
    pub(crate) follow: Option<String>,
    /// The request has a file that the draft names.
    pub(crate) file: Option<FileField>,
    /// The request is sent once for each field of the draft.
    pub(crate) each: Option<EachField>,
    /// Whether the record does not exist after that.
    pub(crate) deletes: bool,
}

impl ApiOperation {
    /// Whether an answer of success says that the request failed.
    pub(crate) fn has_failed(&self, answer: &serde_json::Value) -> bool {
        let is_failed = |(path, values): (&String, &Vec<String>)| {
            text_at(answer, path).is_some_and(|it| values.contains(&it))
        };
        self.failed.iter().any(is_failed)
    }

    /// The path of an item's value in the whole answer.
    pub(crate) fn path_of(&self, name: &str) -> Option<String> {
        let path = self.item.get(name)?;
        Some(match &self.items {
            Some(items) => format!("{items}/{path}"),
            None => path.clone(),
        })
    }

    /// Whether an answer lacks all that an answer to it has: it may come from something before the provider.
    pub(crate) fn is_unsaid(&self, answer: &serde_json::Value) -> bool {
        let mut paths = self.item.keys().filter_map(|name| self.path_of(name)).peekable();
        let root = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        paths.peek().is_some() && paths.all(|path| all_at(answer, &root(&path)).is_empty())
    }

    /// The name of a step of an operation.
    pub(crate) fn step_name(&self, operation: &str) -> String {
        self.keeps.clone().or(self.name.clone()).unwrap_or_else(|| operation.to_owned())
    }
}

/// A file that a draft names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileField {
    /// The field with its name, or with the id of a file that was sent before.
    pub(crate) field: String,
    /// The most bytes that the provider takes.
    pub(crate) limit: usize,
    /// The types that the provider takes.
    pub(crate) begins: Vec<FileType>,
    /// Beginning of file ids.
    pub(crate) id: String,
}

/// A type of files, known by their first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FileType {
    Png,
    Jpeg,
    Pdf,
}

/// The form of a field's value: a text, a list of choices, or the id of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EachField {
    /// The member for a text.
    pub(crate) text: String,
    /// The member for a list.
    pub(crate) list: String,
    /// The fields that are lists, also of one value.
    pub(crate) lists: Vec<String>,
    /// The member for the id of a file.
    pub(crate) file: String,
    /// The fields that are files, with the step that sends each.
    pub(crate) files: BTreeMap<String, String>,
}

/// A list's next page.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct NextPage {
    /// Path of the next page's address.
    pub(crate) url: Option<String>,
    /// Path of the next page's path, on the same server.
    pub(crate) path: Option<String>,
    /// Path of the next page's cursor, and the parameter that takes it.
    pub(crate) cursor: Option<String>,
    pub(crate) query: Option<String>,
    /// The member of a JSON body that takes it instead.
    pub(crate) body: Option<String>,
    /// Pages are counted from this number, in `{page}`; the last one is empty.
    pub(crate) page_from: Option<u32>,
    /// The place of the number of all entries, after which counting ends too. A list with fewer is not believed.
    pub(crate) total: Option<String>,
}

/// Method and path: `GET /v1/numbers/{id}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallLine {
    pub(crate) method: Method,
    pub(crate) path: String,
}

impl std::str::FromStr for CallLine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a method and a path, such as `GET /numbers`, instead of `{text}`");
        let (method, path) = text.trim().split_once(' ').ok_or_else(wrong)?;
        let method = match method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            "DELETE" => Method::Delete,
            _ => return Err(wrong()),
        };
        let path = path.trim();
        if !path.starts_with('/') || path.contains([' ', '#', '?']) {
            return Err(wrong());
        }
        Ok(Self { method, path: path.to_owned() })
    }
}

impl<'de> Deserialize<'de> for CallLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for CallLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method.name(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_a_method_and_a_path() {
        assert_eq!("GET /a/{id}".parse::<CallLine>().map(|it| it.to_string()), Ok("GET /a/{id}".to_owned()));
        for wrong in ["", "GET", "/a", "FETCH /a", "GET a", "GET /a b", "GET /a?b=1"] {
            assert!(wrong.parse::<CallLine>().is_err(), "{wrong}");
        }
    }
}
