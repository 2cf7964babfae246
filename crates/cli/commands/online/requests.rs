//! Prints requests that were not sent, as text and as commands of curl.

use std::io::Write;

use tollproof_core::{Format, KindChoice, KindHint, Parsed, Redaction, Source, json_of, kind_of};
use tollproof_online::{Api, CallError, ShownRequest};

use super::drafts::DraftToSend;
use crate::args::SendArgs;
use crate::errors::{Failure, Result};
use crate::terminal::filter::Filter;
use crate::terminal::one_line;

/// Prints the requests that would be sent for a draft, if its files could be. The key is masked in them, and personal data
/// if that is wanted.
pub(crate) fn print(
    api: &Api,
    draft: &DraftToSend,
    parsed: &Parsed<'_>,
    args: &SendArgs,
    id: Option<&str>,
    out: &mut dyn Write,
) -> Result<()> {
    let out = &mut Filter::screen(out);
    api.read_files(parsed, draft.hint, id, &|name| draft.read_file(name))?;
    for ShownRequest { step, text, curl } in shown(api, draft, parsed, args, id)? {
        let step = step.map(|step| format!(", {step}")).unwrap_or_default();
        let name = one_line(&draft.name);
        writeln!(out, "# {name}{step}\n\n{}\n\n{}\n", text.trim_end(), curl.trim_end())
            .map_err(Failure::stdout)?;
    }
    Ok(())
}

fn shown(
    api: &Api,
    draft: &DraftToSend,
    parsed: &Parsed<'_>,
    args: &SendArgs,
    id: Option<&str>,
) -> Result<Vec<ShownRequest>> {
    let shown =
        |parsed: &Parsed<'_>, hint| api.shown_requests(parsed, hint, args.draft.number.as_deref(), id);
    let document = parsed.only().filter(|_| args.draft.redact);
    let Some((document, root)) =
        document.as_ref().and_then(|document| Some((document, document.document().root.as_ref()?)))
    else {
        return Ok(shown(parsed, draft.hint)?);
    };
    // As JSON, in which what is masked stays a text.
    let source = Source::new(parsed.source().name(), json_of(root));
    let masked = Redaction::of(&Parsed::of(&source, Some(Format::Json))).source(&source);
    let hint = KindHint::Forced(KindChoice::named(None, kind_of(document, draft.hint)));
    shown(&Parsed::of(&masked, Some(Format::Json)), hint).map_err(|error| match error {
        CallError::Usage(_) => {
            Failure::new("the requests of this draft cannot be shown without personal data")
        }
        error => error.into(),
    })
}
