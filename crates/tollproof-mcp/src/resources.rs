//! Resources for clients: rules, and the fields that providers ask for.

use rmcp::model::{Resource, ResourceTemplate};
use serde::Serialize;
use serde_json::{Value, json};
use tollproof_core::schema::{FormField, schema_of};
use tollproof_core::{Kind, KindChoice, KindRole, Provider};
use tollproof_project::{
    DescribedRule, UnknownRuleName, described_rules, linter_with_rules, read_project_rules,
};

use crate::draft_folder::DraftFolder;
use crate::error::{Result, ToolError};
use crate::tool_draft::provider;

const RULES: &str = "tollproof://rules";
const PROVIDERS: &str = "tollproof://providers";

/// The media type of all resources.
pub(crate) const MEDIA_TYPE: &str = "application/json";

/// The resources with an address of their own. Rules are many, so that they have a template.
pub(crate) fn list() -> Vec<Resource> {
    let rules = Resource::new(RULES, "rules")
        .with_title("Rules")
        .with_description("All rules with their titles and severities.");
    let providers = Provider::all().iter().map(|provider| {
        Resource::new(format!("{PROVIDERS}/{}", provider.name()), provider.name())
            .with_title(format!("Fields for {provider}"))
            .with_description("The fields of a request, with what each takes.")
    });
    [rules].into_iter().chain(providers).map(|it| it.with_mime_type(MEDIA_TYPE)).collect()
}

/// The addresses with a variable.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let rule =
        ResourceTemplate::new(format!("{RULES}/{{+id}}"), "rule").with_title("A rule").with_description(
            "A rule with its reasons, examples and question, such as `opt-in/vague-description`.",
        );
    let fields = ResourceTemplate::new(format!("{PROVIDERS}/{{name}}"), "provider")
        .with_title("The fields of a provider")
        .with_description("The fields of a request, with what each takes.");
    [rule, fields].into_iter().map(|it| it.with_mime_type(MEDIA_TYPE)).collect()
}

/// The content of a resource; `None` if there is none with this address.
pub(crate) fn read(folder: &DraftFolder, uri: &str) -> Option<Result<Value>> {
    if uri == RULES {
        return Some(rules(folder, None, None).map(|found| json!({ "rules": rule_titles(&found) })));
    }
    if let Some(id) = uri.strip_prefix(RULES).and_then(|it| it.strip_prefix('/')) {
        return Some(rules(folder, Some(id), None).map(|found| json!({ "rules": found })));
    }
    let name = uri.strip_prefix(PROVIDERS)?.strip_prefix('/')?;
    Some(provider(name).map(fields))
}

/// The rules with an id or in a group, or all rules, the user's included.
pub(crate) fn rules(
    folder: &DraftFolder,
    id: Option<&str>,
    provider: Option<Provider>,
) -> Result<Vec<DescribedRule>> {
    let session = folder.session(KindChoice::default())?;
    let config = session.configs().of_folder(".".as_ref())?;
    let own = read_project_rules(&*folder.files(), &[], &config)?;
    if !own.is_empty() {
        linter_with_rules(&own)?;
    }
    match (id, described_rules(id, provider, &own)) {
        (Some(id), found) if found.is_empty() => Err(ToolError::new(UnknownRuleName::of(id, &own))),
        (_, found) => Ok(found),
    }
}

/// A list of rules without their texts.
pub(crate) fn rule_titles(rules: &[DescribedRule]) -> Vec<Value> {
    let title = |rule: &DescribedRule| json!({ "id": rule.id, "title": rule.title, "severity": rule.severity.name() });
    rules.iter().map(title).collect()
}

/// The fields of the requests of a provider.
fn fields(provider: Provider) -> Value {
    let kinds = [KindRole::Submit, KindRole::Update].into_iter().filter_map(|role| provider.kind(role));
    let kinds: Vec<Value> = kinds
        .map(|kind: Kind| {
            let schema = schema_of(kind);
            let fields: Vec<ProviderField<'_>> =
                kind.form_fields(&schema).iter().map(ProviderField::of).collect();
            json!({ "kind": kind.full_name(), "about": kind.about(), "fields": fields })
        })
        .collect();
    json!({ "provider": provider.name(), "requests": kinds })
}

/// A field of a request, as people fill it in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ProviderField<'s> {
    path: String,
    title: &'s str,
    description: &'s str,
    required: bool,
    #[serde(rename = "type")]
    type_name: Option<&'s str>,
    /// The values that it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    /// The other values it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<&'s str>,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    examples: &'s [Value],
    /// The fields of an object, or of the objects in a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<ProviderField<'s>>,
}

impl<'s> ProviderField<'s> {
    fn of(field: &FormField<'s>) -> Self {
        let info = &field.info;
        let choice = info.choice();
        Self {
            path: info.path.clone(),
            title: info.title(),
            description: info.description(),
            required: field.is_needed,
            type_name: info.type_name(),
            values: choice.values,
            others: choice.others,
            examples: info.examples(),
            fields: field.below.iter().map(Self::of).collect(),
        }
    }
}
