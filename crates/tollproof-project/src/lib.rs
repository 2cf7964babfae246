//! Configuration, file discovery, sessions, fixes and baselines: shared by the command line, editors and servers.
#![doc = include_str!("../README.md")]

mod atomic_file;
mod baseline;
mod boundary;
mod config;
mod conversion;
mod described_rules;
mod discover;
mod error;
pub mod evaluation;
mod fields;
mod files;
mod fix;
mod formats;
mod forms;
mod git;
mod histories;
mod history_locations;
mod house_schema;
mod line_store;
mod linter_cache;
mod merge_missing;
mod output_guard;
mod own_settings;
mod repository;
mod samples;
mod session;
#[cfg(test)]
mod tests;
mod unused_ignores;
mod uri;
mod user_rules;

pub use atomic_file::{AtomicFile, PreparedFile, wait_for_writing};
pub use baseline::{
    BASELINE_NAME, Baseline, BaselineChange, BaselineEntry, BaselineError, BaselineFindings, BaselineProblem,
};
pub use config::{
    CONFIG_NAME, ConfigError, ConfigFile, Configs, FailOn, Globs, HistorySetting, IgnoreSetting, Pattern,
    ProviderSetting, RuleSetting, SchemaSetting, Settings,
};
pub use conversion::{ConversionError, ConvertedDraft, converted_text, form_text, left_out};
pub use described_rules::{DescribedRule, RuleExamples, UnknownRuleName, described_rules};
pub use discover::{
    FoundFiles, InputFile, PackedFile, STDIN, SkipReason, SkippedFile, UNNAMED, WalkError, is_same, walker,
};
pub use error::{ProjectError, Result};
pub use fields::{field_at, fields_at, is_spelled_like};
pub use files::{Disk, FileKind, Files, Overlay};
pub use fix::{FixError, FixOptions, FixOutcome};
pub use formats::{INPUT_FORMATS, InputFormat, extensions};
pub use git::{GitError, git_program};
pub use histories::{RecordError, RelatedTexts};
pub use history_locations::history_locations;
pub use house_schema::SchemaFileError;
pub use line_store::{
    FACTS_NAME, FactsStore, LineProblem, LineStore, LineStoreError, READINGS_NAME, ReadingsStore,
    SkippedLines, StoredLine,
};
pub use linter_cache::{ConfigChoice, LinterOptions, linter_with_rules};
pub use merge_missing::{merge_missing, merge_missing_at_one_place, merged_away};
pub use output_guard::{InputRole, OutputConflict, OutputGuard, is_one_place};
pub use own_settings::{HistoryServers, OwnSettingsError, ProjectHistoryError, read_own_settings};
pub use repository::{Repository, without_dots};
pub use samples::{
    LongerCharacters, MessageLength, NoSampleMessage, PlainMessage, SampleMessage, SamplePlace,
    sample_messages,
};
pub use session::{
    CellPlace, CheckedText, DraftTable, DraftView, ExplainError, FileReport, FindOptions, GivenText,
    OpenHistories, ProjectFiles, Run, RunEvent, RunItem, RunOptions, Session, SessionOptions, StoredFacts,
    TextDrafts, WrittenValue,
};
pub use uri::uri_path;
pub use user_rules::{UserRulesError, read_project_rules, read_user_rules};

/// The front end on the page for contributors works.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending.md")]
struct Extending;
