//! Runs commands; each has its own file.

#[cfg(feature = "online")]
mod attempts;
mod baseline;
#[cfg(feature = "online")]
mod cancel;
mod check;
mod completions;
mod config;
mod convert;
mod delivery;
mod doctor;
#[cfg(feature = "online")]
mod draft_texts;
mod drafts;
mod explain;
mod gate;
mod here;
mod history;
mod init;
mod known;
mod licenses;
#[cfg(feature = "online")]
mod look;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod new;
mod number;
#[cfg(feature = "online")]
mod online;
#[cfg(feature = "page")]
mod page;
mod preview;
mod progress;
#[cfg(feature = "online")]
mod read;
mod rule;
mod rules;
#[cfg(feature = "sandbox")]
mod sandbox;
mod schema;
#[cfg(feature = "online")]
mod senders;
mod session;
#[cfg(feature = "online")]
mod status;
#[cfg(feature = "online")]
mod submit;
mod text;
#[cfg(feature = "online")]
mod update;
mod watch;

use std::io::Write;

use crate::args::{Args, Color, Command, PrintFormat, RulesCommand};
use crate::counts::Exit;
use crate::errors::{ErrorText, Failure, Result};
use crate::output::stdout::Stdout;
use crate::output::{self, FORMATS, ReportFormat, first_format, stderr};
use crate::terminal::language;

/// Runs a command. An error comes with the exit status of the run.
pub(crate) fn run(args: &Args) -> Result<Exit, (ErrorText, Exit)> {
    language::choose(args.language);
    dispatch(args).map_err(|failure| {
        let exit = failure.exit();
        (rendered(failure, format_for(&args.command), args.color), exit)
    })
}

/// Renders an error in a report format.
fn rendered(failure: Failure, format: &ReportFormat, color: Color) -> ErrorText {
    failure.render(|errors| output::strict(format, stderr::look(color), errors))
}

/// The format in which a command shows errors in rules or settings.
fn format_for(command: &Command) -> &'static ReportFormat {
    let named = |format: PrintFormat| {
        let name = match format {
            PrintFormat::Full => "full",
            PrintFormat::Json => "json",
        };
        ReportFormat::named(name).expect("`check` has both formats too")
    };
    match command {
        Command::Check(args) => first_format(&args.output_format),
        Command::Explain(args) => first_format(&args.output_format),
        Command::Gate(args) => first_format(&args.ask.output_format),
        Command::Rule(args) => named(args.print.output_format),
        Command::Text(args) => named(args.print.output_format),
        Command::Preview(args) => named(args.print.output_format),
        Command::Doctor(args) => named(args.print.output_format),
        Command::Rules(RulesCommand::Test(args)) => named(args.print.output_format),
        Command::Rules(RulesCommand::Eval(args)) => named(args.print.output_format),
        _ => &FORMATS[0],
    }
}

fn dispatch(args: &Args) -> Result<Exit> {
    #[cfg(feature = "lsp")]
    if let Command::Lsp(lsp) = &args.command {
        return lsp::run(lsp);
    }
    #[cfg(feature = "mcp")]
    if let Command::Mcp(mcp) = &args.command {
        return mcp::run(mcp);
    }
    let mut out = Stdout::locked();
    let exit = match &args.command {
        Command::Check(check) if check.watch => watch::run(check, args.color, &mut out)?,
        Command::Check(check) => check::run(check, args.color, &mut out)?,
        Command::Explain(explain) => explain::run(explain, args.color, &mut out)?,
        Command::Rule(rule) => rule::run(rule, args.color, &mut out)?,
        Command::Rules(command) => rules::run(command, args.color, &mut out)?,
        Command::Schema(schema) => schema::run(schema, &mut out)?,
        #[cfg(feature = "online")]
        Command::Look(look) => look::run(look, &mut out)?,
        #[cfg(feature = "online")]
        Command::Read(read) => read::run(read, &mut out)?,
        Command::Drafts(drafts) => drafts::run(drafts, &mut out)?,
        Command::Convert(convert) => convert::run(convert, &mut out)?,
        Command::Text(text) => text::run(text, args.color, &mut out)?,
        Command::Preview(preview) => preview::run(preview, args.color, &mut out)?,
        Command::Number(number) => number::run(number, &mut out)?,
        Command::History(command) => history::run(command, &mut out)?,
        Command::Gate(gate) => gate::run(gate, args.color, &mut out)?,
        #[cfg(feature = "online")]
        Command::Submit(submit) => submit::run(submit, args.color, &mut out)?,
        #[cfg(feature = "online")]
        Command::Status(status) => status::run(status, &mut out)?,
        #[cfg(feature = "online")]
        Command::Update(update) => update::run(update, args.color, &mut out)?,
        #[cfg(feature = "online")]
        Command::Cancel(cancel) => cancel::run(cancel, &mut out)?,
        #[cfg(feature = "online")]
        Command::Senders(command) => senders::run(command, &mut out)?,
        #[cfg(feature = "online")]
        Command::Attempts(attempts) => attempts::run(attempts, &mut out)?,
        #[cfg(feature = "sandbox")]
        Command::Sandbox(sandbox) => sandbox::run(sandbox, &mut out)?,
        Command::Config(command) => config::run(command, &mut out)?,
        #[cfg(feature = "page")]
        Command::Page(page) => page::run(page, &mut out)?,
        Command::New(new) => new::run(new, args.color, &mut out)?,
        Command::Doctor(doctor) => doctor::run(doctor, args.color, &mut out)?,
        Command::Init(init) => init::run(init, &mut out)?,
        Command::Baseline(command) => baseline::run(command, &mut out)?,
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => unreachable!("it was run above, before standard output was locked"),
        #[cfg(feature = "mcp")]
        Command::Mcp(_) => unreachable!("it was run above, before standard output was locked"),
        Command::Completions(completions) => completions::run(completions, &mut out)?,
        Command::Man => man::run(&mut out)?,
        Command::Licenses => licenses::run(&mut out)?,
    };
    out.flush().map_err(Failure::stdout)?;
    Ok(exit)
}
