//! `tollproof completions`: prints completion scripts for shells.

use std::collections::BTreeSet;
use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;
use tollproof_core::schema::{fields, schema_of};
use tollproof_core::{Kind, builtin_rules};

use super::here::own_rules_here;
use crate::args::{Args, CompletionsArgs, Described};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::FORMATS;

pub(super) fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut command = Args::command();
    // clap adds the arguments of subcommands only here.
    command.build();
    let mut command = with_values(command, &Values::all());
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tollproof", &mut script);
    if args.shell == Shell::Fish {
        script.extend(positionals_for_fish(&command).into_bytes());
    }
    out.write_all(&script).map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

/// Values to complete that the argument parsers do not list.
struct Values {
    rules: Vec<String>,
    kinds: Vec<String>,
    schemas: Vec<String>,
    fields: Vec<String>,
    formats: Vec<String>,
}

impl Values {
    fn all() -> Self {
        // Rules that cannot be read are `check`'s to report: a shell starts with this script.
        let own = own_rules_here(&[]).unwrap_or_default();
        let own = own.iter().filter(|it| !it.is_vocabulary()).map(|it| it.id.as_str());
        let ids: Vec<&str> = builtin_rules().map(|(id, _)| id).chain(own).collect();
        let groups: BTreeSet<&str> = ids.iter().filter_map(|id| id.split('/').next()).collect();
        let rules = groups.into_iter().chain(ids.iter().copied());
        let field_names = |kind: Kind| -> Vec<String> {
            fields(&schema_of(kind)).iter().map(|field| field.name().to_owned()).collect()
        };
        let names: BTreeSet<String> = Kind::all().flat_map(field_names).collect();
        Self {
            rules: rules.map(str::to_owned).collect(),
            kinds: Kind::all().map(|kind| kind.name().to_owned()).collect(),
            schemas: Described::names().collect(),
            fields: names.into_iter().collect(),
            formats: FORMATS.iter().map(|format| format.name.to_owned()).collect(),
        }
    }

    /// The values of a command's argument; `None` if it accepts any value.
    fn of(&self, command: &str, argument: &str) -> Option<&[String]> {
        Some(match (command, argument) {
            ("rule", "id") | (_, "select" | "ignore") => &self.rules,
            ("schema", "kind") => &self.schemas,
            (_, "kind") => &self.kinds,
            (_, "field") => &self.fields,
            (_, "output_format") => &self.formats,
            _ => return None,
        })
    }
}

/// Completions for positional arguments, which clap's script for fish does not include.
fn positionals_for_fish(command: &Command) -> String {
    let line = |below: &Command| {
        let values: Vec<String> = below
            .get_positionals()
            .flat_map(Arg::get_possible_values)
            .map(|value| value.get_name().to_owned())
            .collect();
        let (name, values) = (below.get_name(), values.join(" "));
        let condition = format!("__fish_tollproof_using_subcommand {name}");
        (!values.is_empty()).then(|| format!("complete -c tollproof -n \"{condition}\" -f -a \"{values}\"\n"))
    };
    command.get_subcommands().filter_map(line).collect()
}

/// Adds the values to the arguments of a command and its subcommands.
fn with_values(command: Command, values: &Values) -> Command {
    let name = command.get_name().to_owned();
    let taught = |argument: Arg| match values.of(&name, argument.get_id().as_str()) {
        Some(all) if argument.get_possible_values().is_empty() => {
            argument.value_parser(PossibleValuesParser::new(all.to_vec()))
        }
        _ => argument,
    };
    command.mut_args(taught).mut_subcommands(|below| with_values(below, values))
}
