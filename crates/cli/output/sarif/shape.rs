//! The parts of SARIF 2.1.0 that the report uses, with the names of the standard.

use serde::Serialize;

/// A finding.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'f> {
    pub(super) rule_id: &'f str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: SarifText,
    pub(super) locations: [SarifLocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<SarifLocation>,
    pub(super) partial_fingerprints: Fingerprints<'f>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fixes: Option<[SarifFix; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) suppressions: Option<[SarifSuppression<'f>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline_state: Option<&'static str>,
    pub(super) properties: Properties<'f>,
}

/// The fingerprint, which is the same in all report formats.
#[derive(Debug, Serialize)]
pub(super) struct Fingerprints<'f> {
    #[serde(rename = "tollproof/v1")]
    pub(super) tollproof: &'f str,
}

/// Data that SARIF does not define.
#[derive(Debug, Serialize)]
pub(super) struct Properties<'f> {
    pub(super) document: usize,
    pub(super) kind: Option<&'static str>,
    pub(super) pointer: &'f str,
}

/// Plain text.
#[derive(Debug, Serialize)]
pub(super) struct SarifText {
    pub(super) text: String,
}

/// Plain text, and the same in Markdown.
#[derive(Debug, Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    pub(super) markdown: String,
}

/// A part of a file with a description.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<SarifText>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<SarifRegion>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

/// Lines and columns from 1 with an exclusive end, and the same range in bytes from 0.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRegion {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    pub(super) byte_offset: u64,
    pub(super) byte_length: u32,
}

/// Changes that fix the finding.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifFix {
    pub(super) description: SarifText,
    pub(super) artifact_changes: [ArtifactChange; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) deleted_region: SarifRegion,
    pub(super) inserted_content: SarifText,
}

/// Why a result does not count.
#[derive(Debug, Serialize)]
pub(super) struct SarifSuppression<'f> {
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) justification: Option<&'f str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) information_uri: Option<&'static str>,
    pub(super) rules: Vec<SarifRule>,
}

/// The description of a rule.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRule {
    pub(super) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) short_description: Option<SarifText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_description: Option<SarifText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<Help>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
    pub(super) properties: RuleProperties,
}

#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

/// Properties by which GitHub sorts and filters rules.
#[derive(Debug, Default, Serialize)]
pub(super) struct RuleProperties {
    pub(super) tags: [String; 1],
    #[serde(rename = "problem.severity", skip_serializing_if = "Option::is_none")]
    pub(super) severity: Option<&'static str>,
}

/// The result of the run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: SarifText,
}
