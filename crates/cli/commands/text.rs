//! `tollproof text`: shows what tollproof understands of a text.

use std::io::{self, Write};
use std::mem;
use std::ops::Range;

use serde::Serialize;
use tollproof_core::document::{Node, Value};
use tollproof_core::{
    Format, Kind, KindHint, Parsed, Severity, TermEntry, TermReading, TextReading, did_you_mean, kind_of,
    nearest,
};
use tollproof_project::{InputFile, LinterOptions, SessionOptions};

use super::session;
use crate::args::{Color, PrintFormat, TextArgs, config_choice};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::input::read_named;
use crate::output::value::print_json;
use crate::terminal::filter::{Filter, Medium};
use crate::terminal::{Look, one_line, shortened, width, wrap};

/// The maximum width of a term.
const TERM: usize = 32;

pub(super) fn run(args: &TextArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let linter = LinterOptions {
        config: config_choice(args.config.as_deref(), args.no_config),
        rule_dirs: args.rules.clone(),
        ..LinterOptions::default()
    };
    let session = session::open_with(SessionOptions { linter, ..SessionOptions::default() })?;
    let file = InputFile::named(&args.file);
    let config = session.config_of(&file)?;
    let linter = session.linter_of(&config, &file)?;
    let (_, source) = read_named(&args.file)?;
    let parsed = Parsed::of(&source, None);
    let texts = texts(&parsed, session.kind_hint(&config, &file), args)?;
    let read: Vec<TextInfo<'_>> =
        texts.iter().map(|text| TextInfo::of(text, linter.read_text(&text.text))).collect();
    let printed = match args.print.output_format {
        PrintFormat::Json => print_json(&read, out),
        PrintFormat::Full => {
            let look = Look::of(&io::stdout(), color);
            let out = &mut Filter::new(out, Medium::Screen { escapes: look.colour });
            read.iter().enumerate().try_for_each(|(at, text)| {
                if at > 0 {
                    writeln!(out)?;
                }
                full(text, look, out)
            })
        }
    };
    printed.map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

/// A text of the input.
struct InputText {
    field: Option<InputField>,
    text: String,
}

/// The field of a draft that contains a text.
#[derive(Clone, Debug, Serialize)]
struct InputField {
    #[serde(rename = "field")]
    name: String,
    line: usize,
}

/// The texts in a file: those of the drafts in it, or all of it.
fn texts(parsed: &Parsed<'_>, hint: KindHint, args: &TextArgs) -> Result<Vec<InputText>> {
    let source = parsed.source();
    let name = source.name();
    let whole = parsed.whole();
    let drafts: Vec<(Kind, &Node<'_>)> = whole
        .documents()
        .filter_map(|document| {
            let root =
                document.document().root.as_ref().filter(|root| matches!(root.value, Value::Object(_)))?;
            Some((kind_of(&document, hint)?, root))
        })
        .collect();
    if drafts.is_empty() {
        // A file with the ending of a draft is not a text.
        let is_data = Format::of_path(&args.file).is_some();
        return if args.field.is_some() || is_data {
            Err(failure!("there is no draft in `{name}`"))
        } else {
            Ok(vec![InputText { field: None, text: source.text().to_owned() }])
        };
    }
    let mut found: Vec<InputText> = Vec::new();
    let mut add = |name: &str, node: &Node<'_>| {
        let field = InputField { name: name.to_owned(), line: source.place(node.span.start).line };
        found.extend(node.as_str().map(|text| InputText { field: Some(field), text: text.to_owned() }));
    };
    for &(kind, root) in &drafts {
        match &args.field {
            None => {
                kind.texts(root).into_iter().for_each(|(role, node)| add(kind.field_name(role), node));
            }
            Some(name) => {
                let role = kind.role_named(name).ok_or_else(|| unknown(kind, name))?;
                let value = kind.field(root, role);
                let items = value.map(Node::items).unwrap_or_default();
                value.into_iter().chain(items).for_each(|node| add(kind.field_name(role), node));
            }
        }
    }
    match &args.field {
        Some(role) if found.is_empty() => Err(failure!("`{role}` of `{name}` has no text")),
        None if found.is_empty() => Err(failure!("the draft in `{name}` has no text")),
        _ => Ok(found),
    }
}

fn unknown(kind: Kind, name: &str) -> Failure {
    let names: Vec<&str> = kind.roles().map(|role| kind.field_name(role)).collect();
    let meant = did_you_mean(nearest(name, names.iter().copied()));
    failure!("{} has no field `{name}`{meant}", kind.noun())
}

/// A text and what is understood of it, as `--output-format json` prints it.
#[derive(Debug, Serialize)]
struct TextInfo<'t> {
    /// The field of a draft.
    #[serde(flatten)]
    field: Option<InputField>,
    /// Its code, such as `en`, or null if it cannot be told.
    language: Option<&'static str>,
    #[serde(skip)]
    language_name: Option<&'static str>,
    sentences: Vec<SentenceInfo<'t>>,
    quotations: Vec<TextSlice<'t>>,
    /// The groups that have a term in the text.
    groups: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SentenceInfo<'t> {
    #[serde(flatten)]
    part: TextSlice<'t>,
    clauses: Vec<ClauseInfo<'t>>,
}

#[derive(Debug, Serialize)]
struct ClauseInfo<'t> {
    #[serde(flatten)]
    part: TextSlice<'t>,
    terms: Vec<TermInfo<'t>>,
}

#[derive(Debug, Serialize)]
struct TermInfo<'t> {
    #[serde(flatten)]
    part: TextSlice<'t>,
    groups: Vec<String>,
    /// The entries of these groups that match the term.
    entries: Vec<TermEntry>,
    denied: bool,
    excused: bool,
    excuses: bool,
}

/// A part of a text, with its place in bytes.
#[derive(Debug, Serialize)]
struct TextSlice<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> TextInfo<'t> {
    fn of(input: &'t InputText, reading: TextReading) -> Self {
        let text = input.text.as_str();
        let part = |range: &Range<usize>| TextSlice {
            text: &text[range.clone()],
            start: range.start,
            end: range.end,
        };
        let term = |term: &TermReading| TermInfo {
            part: part(&term.range),
            groups: term.groups.clone(),
            entries: term.entries.clone(),
            denied: term.denied,
            excused: term.excused,
            excuses: term.excuses,
        };
        // Sentences, clauses and terms are in order, so each takes those that begin in it.
        let mut terms = reading.terms.iter().peekable();
        let mut clauses = reading.clauses.iter().peekable();
        let mut sentences = Vec::new();
        for sentence in &reading.sentences {
            let mut own = Vec::new();
            while let Some(clause) = clauses.next_if(|it| it.start < sentence.end) {
                let mut found = Vec::new();
                while let Some(it) = terms.next_if(|it| it.range.start < clause.end) {
                    found.push(term(it));
                }
                own.push(ClauseInfo { part: part(clause), terms: found });
            }
            sentences.push(SentenceInfo { part: part(sentence), clauses: own });
        }
        Self {
            field: input.field.clone(),
            language: reading.language,
            language_name: reading.language_name,
            sentences,
            quotations: reading.quotations.iter().map(part).collect(),
            groups: reading.groups,
        }
    }
}

/// Writes what is understood of a text, for people.
fn full(text: &TextInfo<'_>, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if let Some(InputField { name, line }) = &text.field {
        writeln!(out, "{}\n", look.heading(&format!("{}, line {line}", one_line(name))))?;
    }
    let language = text.language_name.unwrap_or("unknown");
    writeln!(out, "Language    {language}")?;
    for (sentence, number) in text.sentences.iter().zip(1..) {
        writeln!(out, "\n{}", look.heading(&format!("Sentence {number}")))?;
        for clause in &sentence.clauses {
            let shown = wrap(&one_line(clause.part.text), look.width.saturating_sub(2));
            writeln!(out, "  {}", shown.replace('\n', "\n  "))?;
            clause_terms(&clause.terms, look, out)?;
        }
    }
    writeln!(out)?;
    let quotations: Vec<String> =
        text.quotations.iter().map(|quotation| format!("\"{}\"", one_line(quotation.text))).collect();
    column(out, "Quotations", &quotations, look)?;
    let groups: Vec<String> = text.groups.iter().map(|it| format!("<{it}>")).collect();
    let groups = if groups.is_empty() { "none".to_owned() } else { groups.join(" ") };
    column(out, "Groups", &[groups], look)
}

/// Writes the terms of a clause: whether each counts, its groups, and by which entry it has them.
fn clause_terms(terms: &[TermInfo<'_>], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Vec<[String; 3]>> = terms.iter().map(group_rows).collect();
    let most = |at: usize| rows.iter().flatten().map(|row| width(&row[at])).max().unwrap_or_default();
    let (groups, places) = (most(0), most(1));
    let room = look.width.saturating_sub(groups + places + 10).max(TERM / 2);
    for (term, rows) in terms.iter().zip(&rows) {
        write!(out, "    {}", shortened(&one_line(term.part.text), TERM))?;
        for (holds, word) in [
            (term.denied, "denied"),
            (term.excuses, "excuses its sentence"),
            (term.excused && !term.excuses, "excused"),
        ] {
            if holds {
                write!(out, "  ")?;
                look.paint(out, Severity::Warning, word)?;
            }
        }
        writeln!(out)?;
        for [group, place, entry] in rows {
            let line =
                format!("      {group:groups$}  {place:places$}  {}", shortened(&one_line(entry), room));
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// The groups of a term, each with the place of an entry and the entry.
fn group_rows(term: &TermInfo<'_>) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    for group in &term.groups {
        let mut name = format!("<{group}>");
        for entry in term.entries.iter().filter(|entry| entry.group == *group) {
            let file = entry.file.rsplit(['/', '\\']).next().unwrap_or_default();
            rows.push([mem::take(&mut name), file.to_owned(), entry.text.clone()]);
        }
        if !name.is_empty() {
            rows.push([name, String::new(), String::new()]);
        }
    }
    rows
}

/// Writes a heading with texts next to it.
fn column(out: &mut dyn Write, heading: &str, texts: &[String], look: Look) -> io::Result<()> {
    const INDENT: &str = "\n            ";
    let texts: Vec<String> =
        texts.iter().map(|text| wrap(text, look.width.saturating_sub(12)).replace('\n', INDENT)).collect();
    if texts.is_empty() { Ok(()) } else { writeln!(out, "{heading:11} {}", texts.join(INDENT)) }
}
