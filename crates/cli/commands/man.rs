//! `tollproof man`: prints one manual page for all commands.

use std::io::{self, Write};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::Args;
use crate::counts::Exit;
use crate::errors::{Failure, Result};

/// Options of every command, which the page describes only once.
const EVERYWHERE: [&str; 2] = ["help", "color"];

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    let mut command = Args::command().disable_help_subcommand(true).subcommand_value_name("command");
    command.build();
    page(&command).and_then(|page| out.write_all(&page)).map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    // No date, because it would be the date of the build. A space keeps the following fields in place, an empty string
    // would not.
    let man = Man::new(command.clone()).date(" ").manual("User Commands");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut leaves = Vec::new();
    gather(command, &mut leaves);
    let mut list = Roff::new();
    list.control("SH", ["COMMANDS"]);
    for leaf in &leaves {
        list.control("TP", []);
        list.text([bold(leaf.get_bin_name().unwrap_or_default())]);
        list.text([roman(leaf.get_about().map(ToString::to_string).unwrap_or_default())]);
    }
    list.to_writer(&mut page)?;
    page.extend(after(command, "SH")?);
    for leaf in leaves {
        part(leaf, &mut page)?;
    }
    Ok(once(&page))
}

/// The page with the macro definitions that roff repeats in each section only at the first.
fn once(page: &[u8]) -> Vec<u8> {
    let is_definition = |line: &[u8]| line.starts_with(b".ie ") || line.starts_with(b".el ");
    let mut seen = 0;
    let mut keeps = |line: &&[u8]| {
        seen += usize::from(is_definition(line));
        !is_definition(line) || seen <= 2
    };
    page.split_inclusive(|&it| it == b'\n').filter(|line| keeps(line)).flatten().copied().collect()
}

/// Collects the commands that can be run, in the order of the help.
fn gather<'c>(command: &'c Command, leaves: &mut Vec<&'c Command>) {
    for inner in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        if inner.get_positionals().next().is_some() || !inner.has_subcommands() {
            leaves.push(inner);
        }
        gather(inner, leaves);
    }
}

/// Adds the section of one command.
fn part(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let hide = |arg: clap::Arg| {
        let is_everywhere = EVERYWHERE.contains(&arg.get_id().as_str());
        arg.hide(is_everywhere)
    };
    let man = Man::new(command.clone().mut_args(hide));
    let mut head = Roff::new();
    head.control("SH", [command.get_bin_name().unwrap_or_default().to_uppercase().as_str()]);
    head.to_writer(page)?;
    let mut description = Vec::new();
    man.render_description_section(&mut description)?;
    // Without its heading, the description follows the heading of the command.
    page.extend(
        description.split_inclusive(|&it| it == b'\n').filter(|it| !it.starts_with(b".SH")).flatten(),
    );
    let mut rest = Vec::new();
    man.render_synopsis_section(&mut rest)?;
    man.render_options_section(&mut rest)?;
    page.extend(String::from_utf8_lossy(&rest).replace(".SH ", ".SS ").into_bytes());
    page.extend(after(command, "SS")?);
    Ok(())
}

/// The examples and exit statuses, with the line breaks of the help.
fn after(command: &Command, heading: &str) -> io::Result<Vec<u8>> {
    let text = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut page = Roff::new();
    for paragraph in text.split("\n\n").filter(|it| !it.is_empty()) {
        let (title, lines) = paragraph.split_once(":\n").unwrap_or(("Notes", paragraph));
        page.control(heading, [title.to_uppercase().as_str()]);
        page.control("nf", []);
        for line in lines.lines() {
            page.text([roman(line)]);
        }
        page.control("fi", []);
    }
    let mut bytes = Vec::new();
    page.to_writer(&mut bytes)?;
    Ok(bytes)
}
