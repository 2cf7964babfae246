//! Fields of a draft that are sent one by one, and files that a draft names.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::body::DraftBody;
use super::error::{CallError, Result};
use super::operation::{ApiOperation, EachField, FileField, FileType};
use super::template::Variables;

/// Reads a file that a draft names.
pub type ReadFile<'f> = &'f dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A field of a draft: its path and its value.
pub(crate) type DraftField = (String, Value);

/// The members of an entry with a path and a value, in the notations of the console's export and of the API.
const PATHS: [&str; 2] = ["fieldPath", "FieldPath"];
const VALUES: [&str; 6] =
    ["text", "select", "attachmentFile", "TextValue", "SelectChoices", "RegistrationAttachmentId"];

/// The fields of a draft, written as members of an object or as a list of entries. Empty values are left out.
pub(crate) fn fields_of(draft: &Value) -> Vec<DraftField> {
    let all: Vec<DraftField> = match draft {
        Value::Object(members) => members.iter().map(|(path, value)| (path.clone(), value.clone())).collect(),
        Value::Array(entries) => entries.iter().filter_map(entry).collect(),
        _ => Vec::new(),
    };
    let is_empty = |value: &Value| value.is_null() || *value == json!("") || *value == json!([]);
    all.into_iter().filter(|(_, value)| !is_empty(value)).collect()
}

fn entry(entry: &Value) -> Option<DraftField> {
    let path = PATHS.iter().find_map(|name| entry.get(name)?.as_str())?;
    let value = VALUES.iter().find_map(|name| entry.get(name).filter(|it| !it.is_null()))?;
    Some((path.to_owned(), value.clone()))
}

impl EachField {
    /// The members with which a field is sent. `None` if its file was not sent.
    pub(crate) fn members(&self, (path, value): &DraftField, variables: &Variables) -> Option<Value> {
        if let Some(step) = self.files.get(path) {
            return Some(json!({ &self.file: variables.get(step)? }));
        }
        let is_list = self.lists.contains(path);
        Some(match value {
            Value::Array(items) if is_list => json!({ &self.list: items }),
            Value::Array(items) => json!({ &self.text: items.first()? }),
            value if is_list => json!({ &self.list: [text_of(value)] }),
            value => json!({ &self.text: text_of(value) }),
        })
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A draft's value in a file field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FileValue {
    /// Nothing.
    Absent,
    /// The id of a file that the provider has already.
    Id(String),
    /// A file, in base64.
    Content(String),
}

impl FileField {
    /// The file of a draft.
    pub(crate) fn read(&self, fields: &[DraftField], read: Option<ReadFile<'_>>) -> Result<FileValue> {
        let Some((_, value)) = fields.iter().find(|(path, _)| *path == self.field) else {
            return Ok(FileValue::Absent);
        };
        let name = text_of(value);
        if name.starts_with(&self.id) {
            return Ok(FileValue::Id(name));
        }
        let failed = |why: &str| CallError::Usage(format!("`{}`: {why}", self.field));
        if name.contains("://") {
            return Err(failed("this provider takes a file; write the name of a file beside the draft"));
        }
        let read = read.ok_or_else(|| failed("the file cannot be read here"))?;
        let content = read(&name).map_err(|why| failed(&why))?;
        if content.len() > self.limit {
            let most = self.limit / 1000;
            return Err(failed(&format!(
                "the file is larger than {most} KB; the provider takes no larger one"
            )));
        }
        let is_known = self.begins.iter().any(|format| content.starts_with(format.beginning()));
        if !is_known {
            let types: Vec<&str> = self.begins.iter().map(|format| format.name()).collect();
            let types = types.join(", ");
            return Err(failed(&format!(
                "the file has a type that the provider does not take; it takes {types}"
            )));
        }
        Ok(FileValue::Content(BASE64.encode(content)))
    }
}

/// Reads the files of all steps, so that one that cannot be read is known before the first request.
pub(crate) fn read_files(steps: &[ApiOperation], body: &DraftBody, read: Option<ReadFile<'_>>) -> Result<()> {
    let fields = fields_of(&body.value());
    steps.iter().filter_map(|step| step.file.as_ref()).try_for_each(|file| file.read(&fields, read).map(drop))
}

impl FileType {
    fn beginning(self) -> &'static [u8] {
        match self {
            Self::Png => b"\x89PNG\r\n\x1a\n",
            Self::Jpeg => b"\xff\xd8\xff",
            Self::Pdf => b"%PDF-",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Pdf => "PDF",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_have_the_same_fields() {
        let object = json!({ "a.b": "x", "c": ["y"], "d": "" });
        let entries = json!([{ "fieldPath": "a.b", "text": "x" }, { "FieldPath": "c", "SelectChoices": ["y"] }, { "fieldPath": "d", "text": "" }]);
        assert_eq!(fields_of(&object), fields_of(&entries));
    }

    #[test]
    fn a_file_is_bounded_and_of_a_known_type() {
        let field = FileField {
            field: "image".to_owned(),
            limit: 20,
            begins: vec![FileType::Png, FileType::Jpeg, FileType::Pdf],
            id: "att-".to_owned(),
        };
        let of = |name: &str, content: &[u8]| {
            let content = content.to_vec();
            field
                .read(&[("image".to_owned(), json!(name))], Some(&|_| Ok(content.clone())))
                .map_err(|it| it.to_string())
        };
        let png = b"\x89PNG\r\n\x1a\nx".as_slice();
        assert_eq!(of("a.png", png), Ok(FileValue::Content(BASE64.encode(png))));
        for taken in [b"\xff\xd8\xff\xe0".as_slice(), b"%PDF-1.7"] {
            assert_eq!(of("a.jpg", taken), Ok(FileValue::Content(BASE64.encode(taken))));
        }
        assert_eq!(of("att-1", b""), Ok(FileValue::Id("att-1".to_owned())));
        for (name, content) in
            [("a.png", b"GIF89a".as_slice()), ("a.png", &[0; 21]), ("https://a.example/a.png", png)]
        {
            assert!(of(name, content).is_err(), "{name}");
        }
        assert_eq!(field.read(&[], None).ok(), Some(FileValue::Absent));
    }
}
