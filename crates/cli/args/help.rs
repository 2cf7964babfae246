//! The help: commands in groups, options with those that all commands take at the end.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{Arg, Command};

/// The groups of commands, everyday ones first.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Everyday", &["new", "check", "look", "read", "drafts", "convert", "explain", "page"]),
    ("Reference", &["rule", "schema", "text", "preview", "number"]),
    (
        "Submitting",
        &["history", "gate", "submit", "status", "update", "cancel", "senders", "attempts", "sandbox"],
    ),
    ("Repository", &["init", "doctor", "config", "baseline", "rules"]),
    ("Shell", &["lsp", "mcp", "completions", "man", "licenses"]),
];

/// The first commands, and their purposes.
const FIRST: [(&str, &str); 3] = [
    ("tollproof check draft.json", "check a payload or sheet you have"),
    ("tollproof new --ask draft.yaml", "answer questions to write a draft"),
    ("tollproof explain draft.json answer.json", "find out why it was rejected"),
];

/// The text of `examples.txt` for a command.
pub(super) fn examples(command: &str) -> &'static str {
    let mut sections = include_str!("examples.txt").split("\n# ").filter_map(|it| it.split_once('\n'));
    sections
        .find(|(name, _)| name.trim_end() == command)
        .expect("the file has a section for each command")
        .1
        .trim_end()
}

/// The same of a command that calls a provider, with the exit statuses of calls: `done` is what 0 says.
#[cfg(feature = "online")]
pub(super) fn call_help(command: &str, done: &str) -> String {
    format!("{}\n\n{}", examples(command), examples("calls").replace("{done}", done))
}

/// The help that was asked for: of the command that the words name, long where they say `--help` or `help`.
///
/// clap has laid it out already, with the options that it hands down to all commands first.
pub(crate) fn help(mut command: Command, words: &[OsString]) -> StyledStr {
    command.build();
    let is_long = words.iter().any(|word| word == "--help" || word == "help");
    let mut asked = grouped(command);
    for word in words.iter().skip(1).filter(|it| *it != "help") {
        if let Some(below) = asked.find_subcommand(word) {
            asked = with_global_options_last(below.clone());
        }
    }
    if is_long { asked.render_long_help() } else { asked.render_help() }
}

/// Returns the first and the everyday commands: one screen of 80 columns and 24 lines.
pub(crate) fn first_screen(command: &Command) -> StyledStr {
    let styles = command.get_styles();
    let (header, name) = (styles.get_header(), styles.get_literal());
    let mut text = format!(
        "tollproof checks toll-free verification submissions before you send them.\n\n\
         {header}Begin with one of these:{header:#}\n"
    );
    for (line, about) in FIRST {
        let _ = writeln!(text, "  {name}{line:40}{name:#}  {about}");
    }
    let _ = writeln!(text, "\n{header}Everyday commands:{header:#}");
    text += &rows(command, GROUPS[0].1);
    let _ = writeln!(
        text,
        "\n{name}tollproof help{name:#} lists all commands, and {name}tollproof help COMMAND{name:#} explains one."
    );
    StyledStr::from(text)
}

/// A row for each command.
fn rows(command: &Command, names: &[&str]) -> String {
    let name = command.get_styles().get_literal();
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|it| it.len()).max().unwrap_or_default();
    let mut text = String::new();
    for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
        let (it, about) = (command.get_name(), command.get_about().map(ToString::to_string));
        let _ = writeln!(text, "  {name}{it:width$}{name:#}  {}", about.unwrap_or_default());
    }
    text
}

fn with_global_options_last(command: Command) -> Command {
    // Only here, since a global option of our own in clap's place would be copied to each command at each start.
    let command = command.mut_arg("help", |help| help.help_heading(super::GLOBAL));
    let is_global = |argument: &&Arg| argument.get_help_heading() == Some(super::GLOBAL);
    let (last, first): (Vec<&Arg>, Vec<&Arg>) = command.get_arguments().partition(is_global);
    let mut all = first.into_iter().chain(last).cloned().collect::<Vec<_>>().into_iter();
    command.mut_args(|arg| all.next().unwrap_or(arg))
}

/// clap knows one heading for all commands; the template has ours in their place.
fn grouped(command: Command) -> Command {
    let styles = command.get_styles();
    let header = styles.get_header();
    let mut text = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{header}{group}:{header:#}\n{}", rows(&command, names));
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Args;
    use super::{GROUPS, first_screen};

    #[test]
    fn the_first_screen_fits_a_small_terminal() {
        let text = first_screen(&Args::command()).to_string();
        assert!(text.lines().count() <= 21, "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn each_command_is_in_one_group_in_the_order_of_the_list() {
        let command = Args::command();
        let commands: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        assert_eq!(grouped, commands);
    }
}
