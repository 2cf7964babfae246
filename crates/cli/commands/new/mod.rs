//! `tollproof new`: writes a draft to fill in, asks for its fields, or begins with what is known of an earlier one.

mod ask;
mod file;
mod from;
mod line;
mod prompt;
mod question;
mod template;
mod values;
mod yaml;
#[cfg(test)]
mod yaml_tests;

use std::io::Write;

use serde_json::json;
use tollproof_core::{Format, Kind, KindChoice, KindRole, Provider};
use tollproof_project::{InputFile, STDIN, SessionOptions};

use self::file::DraftFile;
use self::prompt::Reply;
use self::template::{missing, template};
use super::session;
use crate::args::{Color, NewArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::input::read_named;
use crate::output::stderr;
use crate::terminal::typed;

/// Writes the draft, and prints the next step on standard error.
pub(super) fn run(args: &NewArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    // What `--from` leaves out is printed before the first question.
    let _terminal = (args.ask && args.from.is_none()).then(|| ask::open_terminal(color)).transpose()?;
    if args.ask {
        if args.file().as_os_str() == STDIN {
            return Err(Failure::new("`--ask` saves the draft after each answer; name a file"));
        }
        if args.file().exists() && args.from.is_none() {
            return go_on(args, color);
        }
    }
    let (kind, draft) = match &args.from {
        Some(from) => {
            let (kind, draft) = from::draft_from(from, args.provider)?;
            (kind, Some(draft))
        }
        None => match provider_of_settings(args)? {
            Some(provider) => (kind_of(args, provider)?, None),
            None if args.ask => match ask::provider(args, color)? {
                Reply::Answer(provider) => (kind_of(args, provider)?, None),
                Reply::Back | Reply::Stop => return Ok(Exit::Interrupted),
            },
            None => (kind_of(args, Provider::default())?, None),
        },
    };
    let is_stdout = args.file().as_os_str() == STDIN;
    let mut file = DraftFile::new(args.file(), kind)?;
    draft.iter().for_each(|draft| file.mark_open(draft));
    if args.ask {
        if args.file().exists() {
            return Err(failure!("`{}` exists already and is not changed; choose another name", file.name()));
        }
        return ask::run(&file, args.file(), draft.unwrap_or_else(|| json!({})), color);
    }
    let text = match &draft {
        Some(draft) if file.format == Format::Yaml => file.text(draft)? + &missing(file.kind, draft),
        Some(draft) => file.text(draft)?,
        None => empty(&file)?,
    };
    let name = file.name();
    let next = if is_stdout {
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
        "Next: save it as a .yaml file, fill it in, and run: tollproof check FILE".to_owned()
    } else {
        file.create(&text)?;
        let verb = if draft.is_some() { "look through" } else { "fill in" };
        format!("Next: {verb} `{name}`, and run: tollproof check {}", typed(&name))
    };
    // Errors are ignored: if standard error is closed, the draft is written all the same.
    stderr::say!("{next}");
    Ok(Exit::Clean)
}

/// The text of a draft without values.
fn empty(file: &DraftFile) -> Result<String> {
    let name = file.name();
    match file.format {
        Format::Yaml => Ok(template(file.kind)),
        Format::Csv => file.text(&json!({})),
        _ => Err(failure!(
            "`{name}` would be JSON, which has no comments to explain fields; use a name that ends in .yaml, or --ask"
        )),
    }
}

/// Continues a draft at its first empty field.
fn go_on(args: &NewArgs, color: Color) -> Result<Exit> {
    let (input, source) = read_named(args.file())?;
    let session = session::open_with(SessionOptions::default())?;
    let config = session.config_of(&input)?;
    let wanted = KindChoice { provider: args.provider, role: args.kind.map(Kind::role) };
    let (file, draft) = DraftFile::read(args.file(), &source, session.kind_hint(&config, &input), wanted)?;
    ask::run(&file, args.file(), draft, color)
}

/// The provider of the command line or of the settings.
fn provider_of_settings(args: &NewArgs) -> Result<Option<Provider>> {
    if args.provider.is_some() {
        return Ok(args.provider);
    }
    let session = session::open_with(SessionOptions::default())?;
    let config = session.config_of(&InputFile::named(args.file()))?;
    Ok(config.kind_choice(args.file()).provider)
}

/// The kind that is asked for, of a provider.
fn kind_of(args: &NewArgs, provider: Provider) -> Result<Kind> {
    let role = args.kind.map_or(KindRole::Submit, Kind::role);
    provider.kind(role).ok_or_else(|| {
        let kind = Kind::of(role);
        failure!("tollproof does not know {} of {provider}", kind.noun())
    })
}
