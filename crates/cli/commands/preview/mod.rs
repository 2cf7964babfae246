//! `tollproof preview`: shows sample messages as a phone does and what they cost, or the fields of a draft to type over.

mod bubble;
mod fields;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use tollproof_core::document::Document;
use tollproof_core::{Format, KindHint, Parsed, Severity, SmsLength, Source, SourceDocument, kind_of};
use tollproof_project::{InputFile, SessionOptions};

use self::bubble::bubble;
use super::session;
use crate::args::{Color, PreviewArgs};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::input::read_named;
use crate::output::stderr;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line, wrap};

/// How many different characters are listed for people.
const MAX_CHARACTERS: usize = 12;

/// The length and the cost of a message, in a line.
pub(super) fn summary(text: &str) -> String {
    let length = LengthInfo::of(&SmsLength::of(text));
    format!("{}, {}: {}", length.encoding, units(&length), cost(&length))
}

/// Shows each sample message of the drafts in a file, or the text in it.
pub(super) fn run(args: &PreviewArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let file = InputFile::named(&args.file);
    let (_, source) = read_named(&args.file)?;
    let look = Look::of(&io::stdout(), color);
    if args.fields {
        let session =
            session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
        let config = session.config_of(&file)?;
        let hint = session.kind_of(&config, &file);
        let drafts = fields::fields(&Parsed::of(&source, None), hint, look)?;
        print_value(args.print.output_format, look, out, &drafts, |out| fields::print(&drafts, look, out))?;
        return Ok(Exit::Clean);
    }
    let samples = if args.text {
        vec![SampleInfo::of_text(&source)]
    } else {
        let session =
            session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
        let config = session.config_of(&file)?;
        let (found, notes) = samples(&Parsed::of(&source, None), session.kind_of(&config, &file))?;
        notes.iter().for_each(|it| stderr::say(it));
        found
    };
    print_value(args.print.output_format, look, out, &samples, |out| {
        for (at, sample) in samples.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            full(sample, samples.len() > 1, look, out)?;
        }
        Ok(())
    })?;
    Ok(Exit::Clean)
}

/// The sample messages in a file: those of the drafts and records in it, or all of it if it is a text. Also returns notes
/// about drafts that cannot be read completely.
pub(super) fn samples(
    parsed: &Parsed<'_>,
    hint: KindHint,
) -> Result<(Vec<SampleInfo>, Vec<String>), Failure> {
    let source = parsed.source();
    let name = one_line(source.name());
    let mut found = Vec::new();
    let mut notes = Vec::new();
    let mut drafts = 0_usize;
    for block in parsed.blocks() {
        for document in block.documents() {
            let Some(root) = &document.document().root else { continue };
            let Some(kind) = kind_of(&document, hint) else { continue };
            let all = kind.sample_messages(root);
            if all.is_empty() && !kind.is_request() {
                continue;
            }
            drafts += 1;
            if is_broken(&document) {
                let place = format!("{name}: document {}", document.index + 1);
                notes.push(format!("note: {place} has syntax errors; `tollproof check` shows them"));
            }
            for (field, node) in all {
                let text = node.as_str().unwrap_or_default();
                let place = SamplePlace {
                    document: document.index,
                    provider: kind.provider().name(),
                    line: line_of(document, node.span.start),
                    field,
                };
                found.push(SampleInfo::of(Some(place), text));
            }
        }
    }
    match found.is_empty() {
        false => Ok((found, notes)),
        true if drafts > 0 => {
            let draft = if drafts == 1 { "the draft" } else { "no draft" };
            let verb = if drafts == 1 { "has no" } else { "has a" };
            Err(Failure::new(format_args!("{draft} in `{name}` {verb} sample message")))
        }
        // A file with the ending of a draft is not a text.
        true if Format::of_path(Path::new(source.name())).is_some() => Err(Failure::new(format_args!(
            "there is no draft in `{name}`; for the text of a message, use --text"
        ))),
        true => Ok((vec![SampleInfo::of_text(source)], notes)),
    }
}

/// Whether a document could not be read completely.
fn is_broken(document: &Document<'_>) -> bool {
    document.syntax_errors.iter().any(|it| !it.problem.keeps_content())
}

/// The line of a document's file at an offset.
fn line_of(document: SourceDocument<'_>, offset: u32) -> usize {
    document.source().place(offset).line
}

/// Where a sample message is.
#[derive(Debug, Serialize)]
struct SamplePlace {
    /// The position of the draft in its file, counted from 0.
    document: usize,
    provider: &'static str,
    field: String,
    line: usize,
}

/// A message and its length, as `--output-format json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct SampleInfo {
    #[serde(flatten)]
    place: Option<SamplePlace>,
    text: String,
    /// Characters as readers count them in a text.
    characters: usize,
    #[serde(flatten)]
    length: LengthInfo,
    /// The characters that make it longer.
    longer: Vec<LongerInfo>,
    /// The text with plain characters instead of those, if it is sent in fewer segments or as GSM-7 then.
    plain: Option<PlainInfo>,
}

#[derive(Debug, Serialize)]
struct LengthInfo {
    encoding: &'static str,
    /// Septets of GSM-7, or UTF-16 code units of UCS-2.
    units: usize,
    /// The units until there is one more segment.
    room: usize,
    /// The number of messages that each recipient costs.
    segments: usize,
    /// The units of a single segment.
    #[serde(skip)]
    alone: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LongerInfo {
    text: String,
    /// The place in bytes of the message.
    start: usize,
    end: usize,
    /// As Unicode names code points: `U+2019`.
    code_points: Vec<String>,
    /// What to write instead; empty to delete it, null if nothing means the same.
    plain: Option<String>,
}

#[derive(Debug, Serialize)]
struct PlainInfo {
    text: String,
    #[serde(flatten)]
    length: LengthInfo,
}

impl LengthInfo {
    fn of(length: &SmsLength) -> Self {
        let &SmsLength { units, room, segments, .. } = length;
        let alone = if length.is_unicode() { 70 } else { 160 };
        Self { encoding: length.encoding(), units, room, segments, alone }
    }
}

impl SampleInfo {
    fn of(place: Option<SamplePlace>, text: &str) -> Self {
        let length = SmsLength::of(text);
        let longer = length.longer.iter().map(|it| LongerInfo {
            text: text[it.range.clone()].to_owned(),
            start: it.range.start,
            end: it.range.end,
            code_points: text[it.range.clone()].chars().map(|c| format!("U+{:04X}", u32::from(c))).collect(),
            plain: it.plain.as_deref().map(str::to_owned),
        });
        let rewritten = length.plain(text);
        let after = SmsLength::of(&rewritten);
        let is_better = after.segments < length.segments || after.is_unicode() != length.is_unicode();
        Self {
            place,
            text: text.to_owned(),
            characters: text.chars().count(),
            length: LengthInfo::of(&length),
            // Characters of two septets matter only where there is a segment too many.
            longer: longer.take(if length.is_unicode() || is_better { usize::MAX } else { 0 }).collect(),
            plain: is_better.then(|| PlainInfo { length: LengthInfo::of(&after), text: rewritten }),
        }
    }

    /// The message that a text is. The end of its last line is not part of it.
    fn of_text(source: &Source<'_>) -> Self {
        let text = source.text();
        let text = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
        Self::of(None, text)
    }
}

/// Writes a message and its length, for people.
fn full(sample: &SampleInfo, is_one_of_several: bool, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if let Some(SamplePlace { document, field, line, .. }) = &sample.place {
        let draft = if is_one_of_several { format!("Draft {}, ", document + 1) } else { String::new() };
        let heading = format!("{draft}{}, line {line}", one_line(field));
        writeln!(out, "{}\n", look.heading(&heading))?;
    }
    let marked: Vec<_> = sample.longer.iter().map(|it| it.start..it.end).collect();
    for line in bubble(&sample.text, &marked, look) {
        writeln!(out, "{line}")?;
    }
    let length = &sample.length;
    writeln!(out)?;
    row(out, "Encoding", &encoding(length), look)?;
    row(out, "Length", &units(length), look)?;
    let cost = cost(length);
    match length.segments {
        0 | 1 => row(out, "Cost", &cost, look)?,
        _ => {
            write!(out, "  {:10}", "Cost")?;
            look.paint(out, Severity::Warning, &cost)?;
            writeln!(out)?;
        }
    }
    longer(sample, look, out)
}

fn encoding(length: &LengthInfo) -> String {
    match length.encoding {
        "GSM-7" => "GSM-7".to_owned(),
        other => format!("{other}, because of characters that are not in GSM-7"),
    }
}

/// The length in characters of the encoding.
fn units(length: &LengthInfo) -> String {
    let LengthInfo { units, segments, alone, .. } = length;
    match segments {
        0 | 1 => format!("{units} of {alone} characters in 1 message"),
        _ => format!("{units} characters in {segments} messages (1 message takes {alone})"),
    }
}

/// What each recipient costs.
fn cost(length: &LengthInfo) -> String {
    match length.segments {
        0 => "nothing: the message is empty".to_owned(),
        segments => format!("each recipient costs {}", count(segments, "message")),
    }
}

/// Writes which characters make a message longer, and what to write instead.
fn longer(sample: &SampleInfo, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if sample.longer.is_empty() {
        return Ok(());
    }
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut listed: Vec<&LongerInfo> = Vec::new();
    for it in &sample.longer {
        let count = places.entry(&it.text).or_default();
        *count += 1;
        if *count == 1 {
            listed.push(it);
        }
    }
    writeln!(out, "\n  {}", look.heading("Characters that make it longer"))?;
    for it in listed.iter().take(MAX_CHARACTERS) {
        let points = it.code_points.iter().take(4).cloned().collect::<Vec<_>>().join(" ");
        let times = match places.get(it.text.as_str()) {
            Some(1) | None => String::new(),
            Some(number) => format!(", {number} times"),
        };
        let instead = match it.plain.as_deref() {
            None => "has no plain form: leave it out, or say it in words".to_owned(),
            Some("") => "is invisible: delete it".to_owned(),
            Some(" ") => "write a space instead".to_owned(),
            Some("\n") => "write a line break instead".to_owned(),
            Some(plain) => format!("write {plain} instead"),
        };
        let shown = one_line(&it.text);
        let shown = if shown.trim().is_empty() { String::new() } else { format!("{shown} ") };
        let line = wrap(&format!("{shown}({points}{times}): {instead}"), look.width.saturating_sub(4));
        writeln!(out, "    {}", line.replace('\n', "\n    "))?;
    }
    if let Some(more) = listed.len().checked_sub(MAX_CHARACTERS + 1) {
        writeln!(out, "    and {} more", more + 1)?;
    }
    if let Some(PlainInfo { length, .. }) = &sample.plain {
        let better = format!("With those instead: {}, {}, {}.", length.encoding, units(length), cost(length));
        let better = wrap(&better, look.width.saturating_sub(2));
        writeln!(out, "\n  {}", better.replace('\n', "\n  "))?;
    }
    Ok(())
}

fn row(out: &mut dyn Write, name: &str, value: &str, look: Look) -> io::Result<()> {
    let value = wrap(value, look.width.saturating_sub(12));
    writeln!(out, "  {name:10}{}", value.replace('\n', "\n            "))
}
