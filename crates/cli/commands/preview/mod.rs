//! `tollproof preview`: shows sample messages as a phone does and what they cost, or the fields of a draft to type over.

mod bubble;
mod fields;

use std::collections::BTreeMap;
use std::io::{self, Write};

use tollproof_core::{Parsed, Severity, SmsLength};
use tollproof_project::{
    InputFile, LongerCharacters, MessageLength, PlainMessage, SampleMessage, SamplePlace, SessionOptions,
    sample_messages,
};

use self::bubble::bubble;
use super::session;
use crate::args::{Color, PreviewArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::read_named;
use crate::output::stderr;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line, wrap};

/// The most different characters listed for people.
const MAX_CHARACTERS: usize = 12;

/// The length and the cost of a message, in a line.
pub(super) fn summary(text: &str) -> String {
    let length = MessageLength::of(&SmsLength::of(text));
    format!("{}, {}: {}", length.encoding, units(&length), cost(&length))
}

/// Shows each sample message of the drafts in a file, or the text in it.
pub(super) fn run(args: &PreviewArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let file = InputFile::named(&args.file);
    let (_, source) = read_named(&args.file)?;
    let look = Look::of(&io::stdout(), color);
    if args.fields {
        let session =
            session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
        let config = session.config_of(&file)?;
        let hint = session.kind_hint(&config, &file);
        let drafts = fields::fields(&Parsed::of(&source, None), hint, look)?;
        print_value(args.print.output_format, look, out, &drafts, |out| fields::print(&drafts, look, out))?;
        return Ok(Exit::Clean);
    }
    let samples = if args.text {
        vec![SampleMessage::of_text(&source)]
    } else {
        let session =
            session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
        let config = session.config_of(&file)?;
        let hint = session.kind_hint(&config, &file);
        let (found, notes) = sample_messages(&Parsed::of(&source, None), hint).map_err(Failure::new)?;
        notes.iter().for_each(|it| stderr::say!("{it}"));
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

/// Writes a message and its length, for people.
fn full(sample: &SampleMessage, is_one_of_several: bool, look: Look, out: &mut dyn Write) -> io::Result<()> {
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

fn encoding(length: &MessageLength) -> String {
    match length.encoding {
        "GSM-7" => "GSM-7".to_owned(),
        other => format!("{other}, because of characters that are not in GSM-7"),
    }
}

/// The length in characters of the encoding.
fn units(length: &MessageLength) -> String {
    let MessageLength { units, segments, alone, .. } = length;
    match segments {
        0 | 1 => format!("{units} of {alone} characters in 1 message"),
        _ => format!("{units} characters in {segments} messages (1 message takes {alone})"),
    }
}

/// The cost for each recipient.
fn cost(length: &MessageLength) -> String {
    match length.segments {
        0 => "nothing: the message is empty".to_owned(),
        segments => format!("each recipient costs {}", count(segments, "message")),
    }
}

/// Writes which characters make a message longer, and what to write instead.
fn longer(sample: &SampleMessage, look: Look, out: &mut dyn Write) -> io::Result<()> {
    if sample.longer.is_empty() {
        return Ok(());
    }
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut listed: Vec<&LongerCharacters> = Vec::new();
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
    if let Some(PlainMessage { length, .. }) = &sample.plain {
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
