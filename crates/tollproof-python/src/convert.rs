//! A draft as another provider's, and a provider's answer explained on a draft.

use pyo3::prelude::*;
use tollproof_core::document::Node;
use tollproof_core::{
    Answer, Format, KindChoice, KindHint, Parsed, Source, Translation, json_of, kind_of, payload,
};
use tollproof_project::{InputFile, Session};

use crate::errors;
use crate::report::{KnownFindings, ReportBuilder, ReportedDrafts};
use crate::settings::named_provider;

/// A value without a place in the new draft: its pointer, its field, the role of the field, and the reason.
pub(crate) type UnplacedValue = (String, String, Option<&'static str>, String);

/// Converts the only draft of a text. Returns the new draft as JSON, and what is left.
pub(crate) fn convert(
    source: &Source<'_>,
    to: &str,
    from: Option<&str>,
    translation: &Translation,
) -> PyResult<(String, Vec<UnplacedValue>)> {
    let to = named_provider(to)?;
    let hint = match from.map(named_provider).transpose()? {
        Some(provider) => KindHint::Forced(KindChoice { provider: Some(provider), role: None }),
        None => KindHint::Explicit,
    };
    let parsed = Parsed::of(source, None);
    let no_draft = || {
        errors::invalid(
            "this is not one draft whose provider its fields show",
            "Pass one draft, and `from_provider` if only you know whose it is.",
        )
    };
    let document = parsed.only().ok_or_else(no_draft)?;
    let kind = kind_of(&document, hint).filter(|kind| kind.is_request()).ok_or_else(no_draft)?;
    let root: &Node<'_> = document.document().root.as_ref().ok_or_else(no_draft)?;
    if kind.provider() == to {
        return Ok((json_of(root), Vec::new()));
    }
    let Some(conversion) = kind.convert(root, to) else {
        return Err(errors::invalid(format!("tollproof does not know {} of {to}", kind.noun()), ""));
    };
    let left = conversion.left_out.iter().chain(&conversion.guessed).map(|left| {
        let reason = translation.message(&left.why(to)).into();
        (left.pointer.clone(), left.field.clone(), kind.role_of(&left.pointer), reason)
    });
    Ok((payload(&conversion.root, conversion.kind), left.collect()))
}

/// Explains an answer, a text or JSON, on the draft that it belongs to. Returns whether the answer refuses the draft, and what
/// it is about.
pub(crate) fn explain(
    answer: &Source<'_>,
    (session, file): (&Session, &InputFile),
    (source, is_value): (&Source<'_>, bool),
    translation: &std::sync::Arc<Translation>,
) -> PyResult<(bool, ReportedDrafts)> {
    let format = is_value.then_some(Format::Json);
    let parsed = Parsed::of(source, format);
    let document = parsed.only().ok_or_else(|| {
        errors::invalid(
            "an answer belongs to one draft, and this text has several or none",
            "Pass the draft that was sent.",
        )
    })?;
    let config = session.config_of(file).map_err(errors::of_project)?;
    let hint = session.kind_hint(&config, file);
    let root = document.document().root.as_ref();
    let numbers = kind_of(&document, hint).zip(root).map(|(kind, root)| kind.numbers(root));
    let numbers: Vec<&str> = numbers.unwrap_or_default().into_iter().filter_map(|it| it.as_str()).collect();
    let answer = Answer::of_pasted(&Parsed::of(answer, None), &numbers)
        .map_err(|error| errors::invalid(format!("the answer cannot be read: {error}"), ""))?;
    let report = session.explain(file, document, &answer).map_err(errors::of_project)?;
    let mut written = ReportBuilder::new(translation);
    written.add_report(&report, source, &|_| None, is_value);
    Ok((answer.is_refusal(), written.end(false, &KnownFindings::default())))
}
