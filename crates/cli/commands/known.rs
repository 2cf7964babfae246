//! `tollproof explain` without a draft: a code, a rule or the text of an answer.

use std::io::Write;

use tollproof_core::{KnownReason, Provider};

use super::rule;
use crate::args::{Color, ExplainArgs, PrintArgs, PrintFormat, RuleArgs};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr;
use crate::terminal::filter::Filter;
use crate::terminal::{one_line, wrap};

/// Explains a code, or else the rule or the group with this id.
pub(super) fn code_or_rule(
    text: &str,
    args: &ExplainArgs,
    color: Color,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let reasons = KnownReason::of_code(text, args.provider);
    if !reasons.is_empty() {
        return print(&reasons, out);
    }
    let id = Some(text.to_owned());
    let (rules, size) = (args.rules.rules.clone(), args.history.size.clone());
    let explained = rule::run(
        &RuleArgs { id, rules, provider: None, print: PrintArgs { output_format: PrintFormat::Full }, size },
        color,
        out,
    );
    explained.map_err(|_| {
        let text = one_line(text);
        Failure::new(format_args!(
            "`{text}` is not a file, and not a known code or rule; use `tollproof explain DRAFT ANSWER`"
        ))
    })
}

/// Explains the reasons in a text.
pub(super) fn text(text: &str, provider: Option<Provider>, out: &mut dyn Write) -> Result<Exit, Failure> {
    match KnownReason::all_in(text, provider).as_slice() {
        [] => {
            Err(Failure::new("the text has no reason that tollproof knows; ask your provider what it means"))
        }
        reasons => print(reasons, out),
    }
}

fn print(reasons: &[KnownReason], out: &mut dyn Write) -> Result<Exit, Failure> {
    let out = &mut Filter::screen(out);
    for (at, reason) in reasons.iter().enumerate() {
        let space = if at == 0 { "" } else { "\n" };
        let advice = wrap(&reason.advice, 76).replace('\n', "\n  ");
        let rules: Vec<String> = reason.rules.iter().map(|it| format!("\n  tollproof rule {it}")).collect();
        let printed = writeln!(out, "{space}{}\n  {advice}{}", one_line(&reason.heading), rules.concat());
        printed.map_err(Failure::stdout)?;
    }
    stderr::say("To see it on your draft: tollproof explain DRAFT ANSWER, or DRAFT --text TEXT");
    Ok(Exit::Clean)
}
