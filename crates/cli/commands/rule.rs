//! `tollproof rule`: explains a rule, or lists the rules.

use std::io::{self, Write};

use serde_json::Value;
use tollproof_core::KindSet;
use tollproof_project::{DescribedRule, UnknownRuleName, described_rules, linter_with_rules};

use super::here::own_rules_here;
use crate::args::{Color, PrintFormat, RuleArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::value::print_json;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line, wrap};

/// Prints the rule, the rules of the group, or all rules.
pub(super) fn run(args: &RuleArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let own = own_rules_here(&args.rules)?;
    if !own.is_empty() {
        // Rejects rules that `check` would reject.
        linter_with_rules(&own)?;
    }
    let rules = described_rules(args.id.as_deref(), args.provider, &own);
    let look = Look::of(&io::stdout(), color);
    let printed = match (&args.id, rules.as_slice()) {
        (Some(id), []) => return Err(Failure::new(UnknownRuleName::of(id, &own))),
        (Some(id), [rule]) if rule.id == *id => match args.print.output_format {
            PrintFormat::Json => print_json(rule, out),
            PrintFormat::Full => explain(rule, look, out),
        },
        _ if args.print.output_format == PrintFormat::Json => print_json(&rules, out),
        _ => list(&rules, look, out),
    };
    printed.map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

fn list(rules: &[DescribedRule], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        write!(out, "{:width$}  ", one_line(&rule.id))?;
        look.paint(out, rule.severity, format_args!("{:7}", rule.severity))?;
        let off = if rule.enabled { "" } else { " (off by default)" };
        writeln!(out, "  {}{off}", one_line(&rule.title))?;
    }
    Ok(())
}

fn explain(rule: &DescribedRule, look: Look, out: &mut dyn Write) -> io::Result<()> {
    look.paint(out, rule.severity, format_args!("{}[{}]", rule.severity, one_line(&rule.id)))?;
    let out = &mut Filter::screen(out);
    writeln!(out, " {}\n", rule.title)?;
    beside(out, "Fields", &fields(rule))?;
    if !rule.sometimes.is_empty() {
        let others: Vec<_> = rule.sometimes.iter().map(|it| it.name()).collect();
        beside(out, "Severity", &format!("{}, sometimes {}", rule.severity, others.join(" or ")))?;
    }
    beside(out, "Message", &without_placeholders(&rule.message))?;
    beside(out, "Help", &without_placeholders(&rule.help))?;
    if let Some(question) = &rule.question {
        beside(out, "Question", question)?;
    }
    if !rule.enabled {
        beside(out, "Enabled", &format!("no; turn it on with --select {}", rule.id))?;
    }
    if !rule.prevents.is_empty() {
        let codes: Vec<_> = rule.prevents.iter().map(|it| format!("{} {}", it.by, it.code)).collect();
        beside(out, "Prevents", &codes.join(", "))?;
    }
    section(out, "Why", &paragraphs(&rule.docs, look.width.saturating_sub(2)))?;
    examples(out, "Bad examples", &rule.examples.fail)?;
    examples(out, "Good examples", &rule.examples.pass)?;
    if !rule.source.is_empty() {
        section(out, "Source", &rule.source.join("\n"))?;
    }
    Ok(())
}

fn fields(rule: &DescribedRule) -> String {
    let names: Vec<_> =
        rule.at.iter().map(|at| if at == "$document" { "the whole document" } else { at.as_str() }).collect();
    let kinds: Vec<_> = rule.kinds.iter().map(|kind| kind.noun()).collect();
    match kinds.split_last() {
        _ if kinds.len() == KindSet::ALL.count() => format!("{} of any kind", names.join(", ")),
        None => names.join(", "),
        Some((last, [])) => format!("{} of {last}", names.join(", ")),
        Some((last, others)) => format!("{} of {} or {last}", names.join(", "), others.join(", ")),
    }
}

/// A message or help with `…` in place of each placeholder.
fn without_placeholders(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (_, after))) =
        rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        shown = shown + before + "…";
        rest = after;
    }
    shown + rest
}

/// Writes a heading with a text next to it.
fn beside(out: &mut dyn Write, heading: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{heading:9} {}", wrap(text, 70).replace('\n', "\n          "))
}

/// Wraps the paragraphs of a text to the width of the terminal.
fn paragraphs(text: &str, columns: usize) -> String {
    let paragraphs: Vec<_> = text.split("\n\n").map(|paragraph| wrap(paragraph, columns)).collect();
    paragraphs.join("\n\n")
}

/// Writes a heading with an indented text below it.
fn section(out: &mut dyn Write, heading: &str, text: &str) -> io::Result<()> {
    writeln!(out, "\n{heading}")?;
    for line in text.trim_end().lines() {
        let indent = if line.is_empty() { "" } else { "  " };
        writeln!(out, "{indent}{line}")?;
    }
    Ok(())
}

/// Writes examples as YAML; an example may have several documents.
fn examples(out: &mut dyn Write, heading: &str, examples: &[Value]) -> io::Result<()> {
    if examples.is_empty() {
        return Ok(());
    }
    let texts: Result<Vec<_>, _> = examples.iter().map(serde_yaml::to_string).collect();
    let texts = texts.map_err(io::Error::other)?;
    section(out, heading, &texts.join("---\n"))
}
