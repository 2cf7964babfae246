//! `tollproof drafts`: shows which drafts were found, and what was read of them.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use tollproof_core::document::Node;
use tollproof_core::{
    Kind, KindChoice, KindHint, Parsed, Provider, ReadField, Source, SourceDocument, kind_of,
};
use tollproof_project::{FindOptions, InputFile, Repository, SessionOptions};

use super::session;
use crate::args::{DraftsArgs, PrintFormat};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::read;
use crate::output::stderr;
use crate::output::value::print_json;
use crate::terminal::filter::{Filter, Medium};
use crate::terminal::one_line;

pub(super) fn run(args: &DraftsArgs, out: &mut dyn Write) -> Result<Exit> {
    let kind = KindChoice::named(args.provider, None);
    let session = session::open_with(SessionOptions { kind, ..SessionOptions::default() })?;
    let found = session.find(FindOptions { paths: args.paths.clone(), ..FindOptions::default() })?;
    let repository = Repository::around();
    let mut sources: Vec<(InputFile, Source<'static>, KindHint)> = Vec::new();
    for file in found.checked.files {
        let config = session.config_of(&file)?;
        let hint = session.kind_hint(&config, &file);
        match file
            .refuse_packed()
            .map_err(Failure::new)
            .and_then(|()| read(&file, &repository).map_err(|error| Failure::new(file.unreadable(&error))))
        {
            Ok(source) => {
                let source = session.configured(source, &config, &file);
                sources.push((file, source, hint));
            }
            Err(failure) => stderr::say!("{}", failure.plain().text),
        }
    }
    let parsed: Vec<(&InputFile, Parsed<'_>, KindHint)> =
        sources.iter().map(|(file, source, hint)| (file, Parsed::of(source, None), *hint)).collect();
    let blocks: Vec<_> =
        parsed.iter().map(|(file, parsed, hint)| (file, parsed, parsed.whole(), *hint)).collect();
    let files: Vec<FileDrafts<'_>> = blocks
        .iter()
        .map(|(file, parsed, block, hint)| {
            let drafts = block.documents().filter_map(|document| {
                let kind = kind_of(document.document(), *hint)?;
                let root = document.document().root.as_ref().filter(|root| !root.members().is_empty())?;
                let line = parsed.source().place(root.span.start).line;
                Some(ReadDraft::of(kind, root, line, document))
            });
            FileDrafts { file: &file.name, format: parsed.format().name(), drafts: drafts.collect() }
        })
        .filter(|file| !file.drafts.is_empty())
        .collect();
    let printed = match args.print.output_format {
        PrintFormat::Json => print_json(&files, out),
        PrintFormat::Full => full(&files, &mut Filter::new(out, Medium::Screen { escapes: false })),
    };
    printed.map_err(Failure::stdout)?;
    if files.is_empty() {
        stderr::say!(
            "No draft was found. A draft has three fields of one provider, such as a business name and a use case; in notes, a description or a sample too."
        );
        return Ok(Exit::Findings);
    }
    Ok(Exit::Clean)
}

/// The drafts of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FileDrafts<'d> {
    /// The name of the file.
    file: &'d str,
    /// Its format: `notes`, `program`, or one of data.
    format: &'static str,
    drafts: Vec<ReadDraft<'d>>,
}

/// A draft with the fields that were read of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReadDraft<'d> {
    /// The provider; null where neither names of fields nor words tell it.
    provider: Option<&'static str>,
    /// The kind of the document.
    kind: &'static str,
    /// The first line, counted from 1.
    line: usize,
    /// Fields by their name, as the provider's API has it: `value`, a text or a list of texts, or `computed`; `start` and `end`, the
    /// bytes of the value in the file.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, serde_json::Value>"))]
    fields: BTreeMap<String, ReadField<'d>>,
    untaken: Vec<Untaken<'d>>,
    #[serde(skip)]
    source: &'d Source<'d>,
}

/// A label of which no field was read, or an object from elsewhere.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Untaken<'d> {
    /// The label, or the name of the object after `...`.
    text: &'d str,
    /// Its line, counted from 1.
    line: usize,
}

impl<'d> ReadDraft<'d> {
    fn of(kind: Kind, root: &'d Node<'d>, line: usize, document: SourceDocument<'d>) -> Self {
        let source = document.source();
        let is_named = document.document().declared().provider.is_some();
        let untaken = document.document().untaken().iter().map(|part| {
            let line = source.place(part.span.start).line;
            Untaken { text: &part.name, line }
        });
        let untaken = untaken.collect();
        let is_told = is_named || root.style.is_data() || kind.provider() != Provider::default();
        let fields = ReadField::of(root).into_iter().map(|field| (field.name.clone(), field)).collect();
        Self {
            provider: is_told.then(|| kind.provider().name()),
            kind: kind.name(),
            line,
            fields,
            untaken,
            source,
        }
    }
}

/// The longest part of a value that is shown.
const SHOWN: usize = 70;

fn full(files: &[FileDrafts<'_>], out: &mut dyn Write) -> std::io::Result<()> {
    for (at, file) in files.iter().enumerate() {
        for draft in &file.drafts {
            if at > 0 || !std::ptr::eq(draft, &file.drafts[0]) {
                writeln!(out)?;
            }
            let provider = draft
                .provider
                .unwrap_or("no provider named: Bird's fields are assumed; name yours with --provider");
            writeln!(out, "{}:{}: {} ({provider})", one_line(file.file), draft.line, draft.kind)?;
            let width = draft.fields.keys().map(String::len).max().unwrap_or_default();
            let mut fields: Vec<_> = draft.fields.iter().collect();
            fields.sort_by_key(|(_, field)| field.span.start);
            for (name, field) in fields {
                writeln!(out, "  {name:width$}  {}", shown(field, draft.source))?;
            }
            for Untaken { text, line } in &draft.untaken {
                writeln!(out, "  not read: `{}` (line {line})", cut(text))?;
            }
        }
    }
    Ok(())
}

/// A value in one line.
fn shown(field: &ReadField<'_>, source: &Source<'_>) -> String {
    if field.is_computed() {
        let said = source.text().get(field.span.range()).unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || "_.$".contains(c);
        return match imported(said.split('.').next().unwrap_or_default(), source.text()) {
            _ if said.is_empty() || !said.chars().all(is_name) => "(the program computes it)".to_owned(),
            Some(line) => format!("(the program computes it: {}, see line {line})", cut(said)),
            None => format!("(the program computes it: {})", cut(said)),
        };
    }
    let all: Vec<&str> = field.values.iter().flatten().map(String::as_str).collect();
    cut(&all.join(" | "))
}

/// The line that imports a name.
fn imported(name: &str, text: &str) -> Option<usize> {
    let is_import = |line: &&str| {
        ["import", "require", "use ", "include"].iter().any(|word| line.contains(word))
            && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    text.lines().position(|line| is_import(&line)).map(|line| line + 1)
}

/// A text in one line, as much of it as is shown.
fn cut(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::json_schema::validator_of;

    #[test]
    fn json_of_drafts_keeps_its_promise() {
        let validator = validator_of::<Vec<FileDrafts<'static>>>("drafts");
        let text = "Business name: Fern Cafe LLC\nColour: green\nVolume: 100\nUse case summary: We text guests who asked for it.\n";
        let source = Source::new("a.txt", text);
        let parsed = Parsed::of(&source, None);
        let whole = parsed.whole();
        let document = whole.documents().next().expect("it has one");
        let root = document.document().root.as_ref().expect("it has fields");
        let kind = kind_of(document.document(), KindHint::Explicit).expect("it is a draft");
        let drafts = vec![ReadDraft::of(kind, root, 1, document)];
        let files = serde_json::to_value([FileDrafts { file: "a.txt", format: "notes", drafts }])
            .expect("it is JSON");
        assert!(validator.is_valid(&files), "{files}");
        assert_eq!(files[0]["drafts"][0]["untaken"][0]["text"], "Colour");
        assert!(!validator.is_valid(&files[0]));
    }
}
