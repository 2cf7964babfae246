//! A JSON Schema of the user's own, prepared to validate documents.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ReferencingError, Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::{HouseSchema, HouseSchemaError, Message, quoted};
use tollproof_history::name_of;

use super::tree::{JsonTree, within_budget};
use super::{SchemaFileError, problem, references};

/// The dialect that schemas are written in.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The memory that a pattern may take when it is compiled, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// No more refusals than this and one are listed of a document.
const MAX_REFUSALS: usize = 1_001;

/// A schema of the user's own and its validator.
#[derive(Debug)]
pub(super) struct HouseValidator {
    name: String,
    schema: Value,
    validator: Validator<JsonTree>,
}

impl HouseValidator {
    /// Prepares the schema in a file.
    pub(super) fn new(path: &Path, bytes: &[u8]) -> Result<Self, SchemaFileError> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let schema: Value = serde_json::from_slice(text)
            .map_err(|error| SchemaFileError::NotJson { path: path.to_owned(), why: error.to_string() })?;
        let invalid = |why, help| SchemaFileError::Invalid { path: path.to_owned(), why, help };
        let dialect = schema.get("$schema").and_then(Value::as_str).unwrap_or(DIALECT);
        if dialect.trim_end_matches('#') != DIALECT {
            let why = format!("it is written for `{}`", quoted(dialect));
            return Err(invalid(why, Some("Write it for JSON Schema draft 2020-12.")));
        }
        references::check(&schema).map_err(|why| invalid(why.to_owned(), Some(references::HELP)))?;
        let validator = jsonschema::options_for::<JsonTree>()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN))
            .should_validate_formats(true)
            .with_retriever(Nothing)
            .build(&schema)
            .map_err(|error| unusable(path.to_owned(), &error))?;
        Ok(Self { name: name_of(path), schema, validator })
    }

    /// What the schema says about itself where an error comes from.
    fn description(&self, error: &ValidationError<'_>) -> Option<Message> {
        let (above, _) = error.schema_path().as_str().rsplit_once('/')?;
        self.schema.pointer(error.schema_path().as_str())?;
        let text = self.schema.pointer(above)?.get("description")?.as_str()?.trim();
        let parts = [Message::own("The schema says: "), Message::value(quoted(text))];
        (!text.is_empty()).then(|| Message::join(parts))
    }
}

impl HouseSchema for HouseValidator {
    fn name(&self) -> &str {
        &self.name
    }

    fn errors(&self, root: &Node<'_>) -> Vec<HouseSchemaError> {
        let refusals = within_budget(|| {
            if self.validator.is_valid(root) {
                return Vec::new();
            }
            let mut seen = BTreeSet::new();
            let mut refusals = Vec::new();
            for error in self.validator.iter_errors(root) {
                let help = self.description(&error);
                for refusal in problem::refusals(&error) {
                    // Several subschemas can ask for the same thing.
                    if seen.insert((refusal.pointer.clone(), refusal.problem.to_string())) {
                        refusals.push(HouseSchemaError { help: help.clone(), ..refusal });
                    }
                }
                if refusals.len() >= MAX_REFUSALS {
                    break;
                }
            }
            refusals
        });
        refusals.unwrap_or_else(|| {
            let problem = Message::own("takes too many steps to check");
            let help =
                Some(Message::own("Simplify the schema: its alternatives multiply from level to level."));
            vec![HouseSchemaError { pointer: String::new(), is_about_key: false, problem, help }]
        })
    }
}

/// Fetches nothing.
struct Nothing;

impl Retrieve for Nothing {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Err("nothing is fetched".into())
    }
}

/// Why no validator can be built.
fn unusable(path: PathBuf, error: &ValidationError<'_>) -> SchemaFileError {
    let place = error.instance_path().as_str();
    let place = if place.is_empty() { String::new() } else { format!(" at `{}`", quoted(place)) };
    let (why, help) = match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => {
            let uri = uri.strip_prefix("json-schema:///").unwrap_or(uri);
            let why = format!("it refers to `{}`, which is outside the file", quoted(uri));
            (why, Some("tollproof fetches no schemas. Copy the definition into `$defs` of this file."))
        }
        ValidationErrorKind::Referencing(error) => {
            (format!("a reference cannot be resolved: {}", quoted(&error.to_string())), None)
        }
        ValidationErrorKind::Format { format } if format == "regex" => {
            let why = format!("invalid pattern{place}");
            (
                why,
                Some("Patterns have no look-around and no back-references, and must not repeat very often."),
            )
        }
        _ => {
            let said = problem::refusals(error).into_iter().next();
            let said = said.map_or_else(|| error.to_string(), |it| it.problem.to_string());
            (format!("it is not a valid JSON Schema{place}: {}", quoted(&said)), None)
        }
    };
    SchemaFileError::Invalid { path, why, help }
}
