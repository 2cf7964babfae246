//! Reads drafts of toll-free verification submissions and says what is wrong with them.
//!
//! The library touches neither files nor the network nor the clock: what a check may know beyond the draft is
//! handed in as [`Facts`]. This is the call before submitting:
//!
//! ```
//! use tollproof_core::{Facts, Kind, KindRole, Linter, Rejected, Submission};
//!
//! # fn submit(_: &serde_json::Value) {}
//! # let mut draft = tollproof_core::clean_document(Kind::of(KindRole::Submit));
//! // What is known: an earlier submission of the same number, and the time.
//! let earlier = Submission {
//!     numbers: vec!["9A1B2C3D-4E5F-4061-8273-94A5B6C7D8E9".to_owned()],
//!     status: "in review".to_owned(),
//!     updated_at: Some("2026-11-12T09:30:00.000Z".parse()?),
//!     ..Submission::default()
//! };
//! let now = Some("2026-11-21T08:00:00.000Z".parse()?);
//! let facts = Facts { history: [earlier].into(), now, ..Facts::default() };
//! let linter = Linter::builtin();
//!
//! // A JSON value has no text to point at; findings say where by JSON pointers.
//! match linter.check_value(&draft, &facts).into_result() {
//!     Ok(()) => submit(&draft),
//!     Err(Rejected { errors }) => {
//!         assert_eq!(errors[0].rule, "history/duplicate-submission");
//!         assert_eq!(errors[0].pointer, "/phoneNumbers/0");
//!         assert!(errors[0].message.contains("last changed 8 days ago"), "{}", errors[0].message);
//!     }
//! }
//!
//! // Text is pointed into, byte by byte.
//! let text = r#"{"phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"], "useCase": "appointments"}"#;
//! let report = linter.check_json(text, &facts);
//! let finding = report.findings.iter().find(|it| it.rule == "use-case/unknown-use-case").expect("it is misspelt");
//! let span = finding.span.expect("there is text");
//! assert_eq!(&text[span.range()], "\"appointments\"");
//! assert_eq!(finding.fix.as_ref().expect("only the case is wrong").edits[0].text, "\"Appointments\"");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The payload that a Twilio or AWS SDK is about to send is checked in the same way. Its field names show whose it is, in
//! every spelling of the SDKs:
//!
//! ```
//! use tollproof_core::{Facts, KindChoice, KindHint, Linter, Parsed, Provider, Source};
//!
//! let linter = Linter::builtin();
//! // As for `client.messaging.v1.tollfreeVerifications.create({...})` in Node.
//! let payload = serde_json::json!({
//!     "businessName": "Fernhollow Flowers LLC",
//!     "businessWebsite": "fernhollowflowers.com",
//!     "tollfreePhoneNumberSid": "+18334726150",
//!     "useCaseCategories": ["DELIVERY"],
//! });
//! let report = linter.check_value(&payload, &Facts::default());
//! let found = |rule: &str| report.findings.iter().find(|it| it.rule == rule).map(|it| it.pointer.to_string());
//! assert_eq!(found("structure/malformed-identifier").as_deref(), Some("/tollfreePhoneNumberSid"));
//! assert_eq!(found("use-case/unknown-use-case").as_deref(), Some("/useCaseCategories/0"));
//!
//! // AWS takes one value after the other. The provider can be named where the keys may not be enough.
//! let values = r#"{"companyInfo.companyName": "Fernhollow Flowers LLC", "companyInfo.website": "fernhollowflowers.com"}"#;
//! let source = Source::new("values.json", values);
//! let aws = KindHint::Forced(KindChoice { provider: Some("aws".parse::<Provider>()?), role: None });
//! let report = linter.check(&Parsed::of(&source, None), aws, &Facts::default());
//! assert!(report.findings.iter().any(|it| &*it.pointer == "/messagingUseCase.optInDescription"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Linter::check`] takes a text in any format, read into [`Parsed`]; [`Linter::check_json`] and [`Linter::check_value`] are
//! short for JSON.

mod checks;
pub mod examples;
mod facts;
mod finding;
mod fix;
mod lint;
mod prepared;
mod provider;
mod redact;
mod response;
mod rule;
mod syntax;
mod text;
mod validators;

pub use examples::base::of as clean_document;
pub use facts::readings::{DraftReading, ReadAnswer, Readings};
pub use facts::seen::{self, SeenFact, SeenFacts};
pub use facts::{
    Batch, Facts, History, Mention, NoRecord, Outcome, References, Reservation, Submission, Written,
};
pub use finding::translation::{ReportLanguage, Translation, UnknownLanguage};
pub use finding::{Edit, Finding, Fix, Prevents, Related, Safety, Severity, SuppressedBy, Suppression};
pub use fix::{FixedText, Fixer};
pub use lint::{
    AnswerProblem, IgnoreEntry, JsonFinding, JsonSummary, Linter, LinterBuilder, LinterError, NotChecked,
    OwnProvider, ReadRequest, ReadUse, ReaderAnswer, ReaderAnswers, Rejected, Report, ReportTotals,
    RequestedQuestion, SeenUse,
};
pub use prepared::load_prepared;
pub use provider::builtin::{UnknownKind, UnknownProvider};
pub use provider::detect::{KindChoice, KindHint, kind_of};
pub use provider::kind::{Kind, KindRole, Provider};
pub use provider::payload::{json_of, payload};
pub use provider::read_fields::ReadField;
pub use provider::schema::house::{HouseSchema, HouseSchemaError};
pub use provider::{convert, role, schema};
pub use redact::{Redaction, secrets, settings_without_secrets, without_secrets};
pub use response::{Answer, KnownReason, NoAnswer};
pub use rule::builtin::files as builtin_rules;
pub use rule::config::{Config, Ignore, Level, ParameterError, Parameters};
pub use rule::errors::{StrictError, decode};
pub use rule::selection::{UnknownRule, is_always_on, names_rule};
pub use rule::user_rules::UserRule;
pub use rule::{Downgrade, Examples, GateRule, QuestionFile, Rule, RuleFile, RuleText};
pub use syntax::document::{self, Document};
pub use syntax::line_index::{ColumnUnit, LineIndex};
pub use syntax::message::Message;
pub use syntax::message_parts::{bounded, quoted};
pub use syntax::part_start::PartStart;
pub use syntax::pointer::Pointer;
pub use syntax::printable::{one_line, printable};
pub use syntax::source::{FilePlace, Position, Source, Span};
pub use syntax::{Block, ColumnNames, Format, Language, Parsed, SourceDocument};
pub use text::asked::reading::{TermReading, TextReading};
pub use text::asked::term_entries::TermEntry;
pub use tollproof_data::provider::kind_set::KindSet;
pub use tollproof_data::suggest::{did_you_mean, nearest};
pub use tollproof_data::text::terms::vocabulary_file::VocabularyFile;
pub use validators::number_key::NumberKey;
pub use validators::sender::{Home, NoSender, Sender};
pub use validators::sms_length::{SmsCharacter, SmsLength};

/// The example in the repository's README is true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
