//! Drafts as the payloads of another provider, and how these are written.

use tollproof_core::convert::{Conversion, LeftOut, LeftOutReason};
use tollproof_core::document::{Node, SyntaxError};
use tollproof_core::{Format, Kind, KindHint, Provider, SourceDocument, kind_of, one_line, quoted, role};
use tollproof_sheets::WrittenTable;

/// The reason that a draft cannot be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// The text of the draft has syntax errors.
    #[error("{0} cannot be read; `tollproof check` shows where")]
    Unreadable(String),
    /// The document is not a draft.
    #[error("{0} is not a draft")]
    NotADraft(String),
    /// The draft is for a provider that tollproof does not know.
    #[error("{0} is for {1}, whose API tollproof does not know")]
    Foreign(String, &'static str),
    /// The draft is for the provider already.
    #[error("{0} is a draft for {1} already")]
    Same(String, Provider),
    /// The provider has no request of this kind.
    #[error("{0} is {kind}, which tollproof does not know of {1}", kind = .2.noun())]
    Unknown(String, Provider, Kind),
    /// The provider does not take forms.
    #[error("{0} takes JSON; write `--body json`")]
    NotAForm(Provider),
    /// A field contains other fields, which a form cannot have.
    #[error("`{}` contains other fields, which a form cannot have", quoted(.0))]
    Nested(String),
    /// The payloads cannot be written.
    #[error(transparent)]
    Unwritable(Box<dyn std::error::Error + Send + Sync>),
}

/// A converted draft.
#[derive(Debug)]
pub struct ConvertedDraft<'d> {
    /// Its place in the old file, with the name of the business.
    pub place: String,
    /// The new draft, and what it lacks.
    pub conversion: Conversion<'d>,
}

impl<'d> ConvertedDraft<'d> {
    /// Converts the draft in a document, which is at a place of its file.
    ///
    /// # Errors
    ///
    /// The document cannot be read, is not a draft, or the provider has no such request.
    pub fn of(
        document: SourceDocument<'d>,
        place: String,
        hint: KindHint,
        to: Provider,
    ) -> Result<Self, ConversionError> {
        let at = format!("{}: {place}", one_line(document.source().name()));
        // As a check does, it reads what has a title above or letters of another encoding.
        if document.syntax_errors.iter().any(SyntaxError::damages) {
            return Err(ConversionError::Unreadable(at));
        }
        if let Some(title) = Provider::foreign(&document) {
            return Err(ConversionError::Foreign(at, title));
        }
        let kind = kind_of(&document, hint).filter(|kind| kind.is_request());
        let (Some(kind), Some(root)) = (kind, &document.document().root) else {
            return Err(ConversionError::NotADraft(at));
        };
        if kind.provider() == to {
            return Err(ConversionError::Same(at, to));
        }
        let root = &root.without_computed();
        let conversion = kind.convert(root, to).ok_or(ConversionError::Unknown(at, to, kind))?;
        let client = kind.field(root, role::BUSINESS_NAME).and_then(Node::as_str).map(str::trim);
        let place = match client.filter(|client| !client.is_empty()) {
            Some(client) => format!("{place} ({})", quoted(client)),
            None => place,
        };
        Ok(Self { place, conversion })
    }

    /// Each field that the new draft lacks or whose value was guessed, and why, for people.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let Conversion { left_out: left, guessed, .. } = &self.conversion;
        left.iter().chain(guessed).map(|left| left_out(left, &self.conversion))
    }
}

/// A field that a new draft lacks or whose value was guessed, and why, for people.
pub fn left_out(left: &LeftOut, conversion: &Conversion<'_>) -> String {
    let verb = if matches!(left.reason, LeftOutReason::Guess(..)) { "guessed" } else { "left out" };
    format!("{verb} `{}`: {}", quoted(&left.field), left.why(conversion.kind.provider()))
}

/// The new drafts as text, with its format: a table for a provider that takes sheets, else lines or JSON. `format` is the one
/// that the name of the new file asks for; without it, drafts from a list of lines are lines again.
///
/// # Errors
///
/// A field that contains other fields, for a sheet.
pub fn converted_text(
    drafts: &[ConvertedDraft<'_>],
    is_listed: bool,
    format: Option<Format>,
) -> Result<(WrittenTable, Format), ConversionError> {
    let is_lines = format.map_or(is_listed, |named| named == Format::Ndjson);
    let roots = || drafts.iter().map(|draft| &draft.conversion.root);
    let Some(ConvertedDraft { conversion: first, .. }) = drafts.first() else {
        return Ok((WrittenTable::default(), Format::Json));
    };
    if first.kind.provider().is_sheet() {
        let table = tollproof_sheets::csv(first.kind, roots())
            .map_err(|error| ConversionError::Unwritable(error.into()))?;
        return Ok((table, Format::Csv));
    }
    let json = |root: &Node<'_>| serde_json::to_string(root);
    let text = match drafts {
        _ if is_lines => roots().map(|root| json(root).map(|line| line + "\n")).collect(),
        [one] => serde_json::to_string_pretty(&one.conversion.root).map(|text| text + "\n"),
        _ => serde_json::to_string_pretty(&roots().collect::<Vec<_>>()).map(|text| text + "\n"),
    };
    let format = if is_lines { Format::Ndjson } else { Format::Json };
    Ok((WrittenTable::of(text.map_err(|error| ConversionError::Unwritable(error.into()))?), format))
}

/// A draft as a form-encoded body and a line break.
///
/// # Errors
///
/// The provider does not take forms, or a field contains other fields.
pub fn form_text(root: &Node<'_>, kind: Kind) -> Result<String, ConversionError> {
    if !kind.is_form() {
        return Err(ConversionError::NotAForm(kind.provider()));
    }
    kind.form_body(root).map(|form| form + "\n").map_err(ConversionError::Nested)
}
