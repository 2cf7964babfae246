//! `tollproof rule`: explains a rule, or lists the rules.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use tollproof_core::Downgrade;
use tollproof_core::{
    Kind, KindRole, KindSet, KnownReason, Prevents, Provider, RuleFile, Severity, UserRule,
    builtin_rules as builtin, decode, did_you_mean, nearest,
};
use tollproof_project::{Disk, linter_with_rules, read_user_rules};

use super::here::rule_dirs_here;
use crate::args::{Color, PrintFormat, RuleArgs};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::value::print_json;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line, wrap};

/// Prints the rule, the rules of the group, or all rules.
pub(super) fn run(args: &RuleArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let own = read_user_rules(&Disk, &rule_dirs_here(&args.rules))?;
    if !own.is_empty() {
        // Rejects rules that `check` would reject.
        linter_with_rules(&own)?;
    }
    let rules = named(args.id.as_deref(), args.provider, &own);
    let look = Look::of(&io::stdout(), color);
    let printed = match (&args.id, rules.as_slice()) {
        (Some(id), []) => return Err(unknown(id, &own)),
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

/// The rules with an id or in a group, or all rules, with the names of a provider.
pub(super) fn named(id: Option<&str>, provider: Option<Provider>, own: &[UserRule]) -> Vec<RuleInfo> {
    let rules = match id {
        None => load(own, |_| true),
        Some(id) => load(own, |it| it == id || group(it) == id),
    };
    let kind = provider.and_then(|it| it.kind(KindRole::Submit));
    rules.into_iter().map(|rule| rule.named_by(kind)).collect()
}

/// A rule as `--output-format json` prints it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleInfo {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) severity: Severity,
    /// Its other severities, which apply under some conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sometimes: Vec<Severity>,
    /// Whether it is enabled by default.
    enabled: bool,
    /// The fields that it checks.
    at: Vec<String>,
    kinds: Vec<Kind>,
    message: String,
    help: String,
    /// What a reader is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    docs: String,
    prevents: Vec<Prevents>,
    source: Vec<String>,
    examples: RuleExamples,
}

impl RuleInfo {
    /// The rule with the names of a provider, whose submit requests are of a kind.
    fn named_by(self, kind: Option<Kind>) -> Self {
        let Some(kind) = kind else { return self };
        let field = |at: &String| {
            let (role, rest) = at.split_at(at.find(['[', '.']).unwrap_or(at.len()));
            let is_known = role.starts_with('$') || kind.roles().any(|it| it == role);
            is_known.then(|| format!("{}{rest}", kind.field_name(role)))
        };
        let own = |examples: &[Value]| examples.iter().filter_map(|it| kind.with_own_fields(it)).collect();
        Self {
            at: self.at.iter().filter_map(field).collect(),
            message: kind.in_own_names(&self.message).into_owned(),
            help: kind.in_own_names(&self.help).into_owned(),
            docs: kind.with_own_names(&self.docs),
            examples: RuleExamples { pass: own(&self.examples.pass), fail: own(&self.examples.fail) },
            ..self
        }
    }
}

/// The examples of a rule: partial drafts.
#[derive(Debug, Serialize)]
struct RuleExamples {
    pass: Vec<Value>,
    fail: Vec<Value>,
}

/// The built-in rules and the user's, by their ids.
fn all<'o>(own: &'o [UserRule]) -> impl Iterator<Item = (&'o str, &'o str)> {
    let builtin = builtin().map(|(id, text)| -> (&'o str, &'o str) { (id, text) });
    let own = own.iter().filter(|file| !file.is_vocabulary());
    builtin.chain(own.map(|rule| (rule.id.as_str(), rule.text.as_str())))
}

fn load(own: &[UserRule], wanted: impl Fn(&str) -> bool) -> Vec<RuleInfo> {
    let rules = all(own).filter(|(id, _)| wanted(id)).map(|(id, text)| {
        let file = decode::<RuleFile>(&format!("rules/{id}.yaml"), text)
            .expect("the built-in rules are parsed when tollproof is built, the user's by the linter");
        RuleInfo {
            id: id.to_owned(),
            title: file.title,
            severity: file.severity,
            sometimes: sometimes(&file.downgrade, file.severity),
            enabled: file.enabled,
            at: file.at,
            kinds: Provider::default().kinds_in(file.kinds).collect(),
            message: file.message,
            help: file.help,
            question: file.question.map(|it| it.ask.trim().to_owned()),
            docs: file.docs,
            prevents: file.prevents,
            source: file.source,
            examples: RuleExamples { pass: file.examples.pass, fail: file.examples.fail },
        }
    });
    let mut rules: Vec<RuleInfo> = rules.collect();
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    rules
}

/// The other severities of a rule, without duplicates.
fn sometimes(downgrade: &[Downgrade], severity: Severity) -> Vec<Severity> {
    let mut others: Vec<_> = downgrade.iter().map(|it| it.to).filter(|to| *to != severity).collect();
    others.sort_unstable();
    others.dedup();
    others
}

fn group(id: &str) -> &str {
    id.split_once('/').map_or(id, |(group, _)| group)
}

/// The error for a name that is not that of a rule or group.
pub(super) fn unknown(id: &str, own: &[UserRule]) -> Failure {
    if !KnownReason::of_code(id, None).is_empty() {
        let what = "is a code of a provider, not a rule";
        return Failure::new(format_args!("`{id}` {what}; `tollproof explain {id}` explains it"));
    }
    let known = || all(own).map(|(id, _)| id);
    let meant = nearest(id, known().flat_map(|it| [it, group(it)]))
        // Suggest the full id if only the name was given.
        .or_else(|| known().find(|it| it.split_once('/').is_some_and(|(_, name)| name == id)));
    let meant = match meant {
        Some(_) => did_you_mean(meant),
        None => "; `tollproof rule` lists all rules".to_owned(),
    };
    Failure::new(format_args!("`{id}` is not a rule or group{meant}"))
}

fn list(rules: &[RuleInfo], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    for rule in rules {
        write!(out, "{:width$}  ", one_line(&rule.id))?;
        look.paint(out, rule.severity, format_args!("{:7}", rule.severity))?;
        let off = if rule.enabled { "" } else { " (off by default)" };
        writeln!(out, "  {}{off}", one_line(&rule.title))?;
    }
    Ok(())
}

fn explain(rule: &RuleInfo, look: Look, out: &mut dyn Write) -> io::Result<()> {
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

fn fields(rule: &RuleInfo) -> String {
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
