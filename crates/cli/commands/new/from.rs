//! A new draft from a record, a row of a sheet, or another draft.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tollproof_core::{Kind, Parsed, Provider, ReadField, SourceDocument, kind_of, quoted};
use tollproof_project::{InputFile, SessionOptions, left_out};

use crate::commands::session;
use crate::errors::{Failure, Result, failure};
use crate::input::read_named;
use crate::output::stderr;
use crate::terminal::{count, one_line};

/// The draft from `FILE` or `FILE:N`, and its kind. Says what was left out.
pub(super) fn draft_from(named: &Path, to: Option<Provider>) -> Result<(Kind, Value)> {
    let (path, number) = split(named);
    let file = InputFile::named(&path);
    let (_, source) = read_named(&path)?;
    let session = session::open_with(SessionOptions::default())?;
    let config = session.config_of(&file)?;
    let hint = session.kind_hint(&config, &file);
    let source = source.for_provider(to.or(hint.provider()).map(Provider::name));
    let parsed = Parsed::of(&source, None);
    let name = one_line(source.name());
    let mut documents = 0;
    let mut made = None;
    for block in parsed.blocks() {
        for document in block.documents() {
            documents += 1;
            if number.is_none_or(|it| it == documents) && made.is_none() {
                let kind = kind_of(&document, hint);
                made = Some(converted(document, kind, to, &name)?);
            }
        }
        if number.is_some_and(|it| documents >= it) {
            break;
        }
    }
    match (number, made) {
        (None, _) if documents > 1 => Err(failure!(
            "`{name}` has {}; name one of them by its number, such as {name}:1",
            count(documents, "document")
        )),
        (_, Some(made)) => Ok(made),
        (Some(_), None) => Err(failure!("`{name}` has only {}", count(documents, "document"))),
        (None, None) => Err(failure!("there is no document in `{name}`")),
    }
}

/// Splits `FILE:N`; a file whose name ends so is itself meant.
fn split(named: &Path) -> (PathBuf, Option<usize>) {
    let text = named.to_str().filter(|_| !named.exists()).and_then(|text| text.rsplit_once(':'));
    match text.and_then(|(path, number)| Some((path, number.parse().ok().filter(|it| *it > 0)?))) {
        Some((path, number)) => (path.into(), Some(number)),
        None => (named.to_owned(), None),
    }
}

fn converted(
    document: SourceDocument<'_>,
    kind: Option<Kind>,
    to: Option<Provider>,
    name: &str,
) -> Result<(Kind, Value)> {
    let place = format!("document {} of `{name}`", document.index + 1);
    if !document.syntax_errors.is_empty() {
        return Err(failure!("{place} cannot be read; `tollproof check` shows where"));
    }
    let (Some(kind), Some(root)) = (kind, &document.document().root) else {
        return Err(failure!("{place} is neither a draft nor a record"));
    };
    let file = one_line(document.source().name());
    let is_told = root.style.is_data() || document.declared().provider.is_some();
    if to.is_none() && !is_told && kind.provider() == Provider::default() {
        stderr::say!(
            "{file}: names no provider, so the draft is for {}; name yours with `--provider`",
            kind.provider()
        );
    }
    let to = to.unwrap_or(kind.provider());
    for field in ReadField::of(root) {
        let name = quoted(&field.name);
        if field.is_computed() {
            stderr::say!("{file}: `{name}` is left out: the program computes it");
        }
        if field.values.iter().flatten().any(|text| text.contains('…') || text.contains("...")) {
            stderr::say!(
                "{file}: `{name}` has `…` in it, where it is cut off or computed; complete the text"
            );
        }
    }
    for part in document.untaken() {
        let line = document.source().place(part.span.start).line;
        stderr::say!("{file}:{line}: `{}` is left out: no field was read of it", quoted(&part.name));
    }
    let root = &root.without_computed();
    let conversion = kind
        .new_draft(root, to)
        .ok_or_else(|| failure!("{place} is {}, which has no submission for a new draft", kind.noun()))?;
    if conversion.root.members().is_empty() {
        return Err(failure!("{place} has no field of a submission"));
    }
    for left in &conversion.left_out {
        stderr::say!("{}: {}", one_line(document.source().name()), left_out(left, &conversion));
    }
    let draft = serde_json::to_value(&conversion.root).map_err(Failure::new)?;
    Ok((conversion.kind, draft))
}
