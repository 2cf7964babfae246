//! Tests of the manual page: it contains everything in the help, in the form that `man` reads.

use std::collections::BTreeMap;

use crate::support::Folder;

/// The page with its escaped hyphens replaced.
fn page() -> String {
    let ran = Folder::new("man").run(&["man"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out.replace("\\-", "-")
}

/// The lines of a screen, which the short help of a command must fit.
const LINES: usize = 41;

/// The lines of the list of all commands.
const LIST_LINES: usize = 50;

/// The headings of command lists.
const COMMANDS: [&str; 6] = ["Commands", "Everyday", "Reference", "Submitting", "Repository", "Shell"];

/// Collects the long help of every command that can be run.
fn helps(folder: &Folder, command: &[&str], found: &mut BTreeMap<String, String>) {
    let ran = folder.run(&[command, &["--help"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let is_list = |part: &&str| COMMANDS.iter().any(|heading| part.starts_with(&format!("{heading}:\n")));
    let lists = ran.out.split("\n\n").filter(is_list);
    let indented = lists.flat_map(str::lines).filter_map(|line| line.strip_prefix("  "));
    let names: Vec<&str> =
        indented.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next()).collect();
    for name in names.iter().filter(|name| **name != "help") {
        helps(folder, &[command, &[name]].concat(), found);
    }
    if names.is_empty() || ran.out.contains("Arguments:") {
        found.insert(command.join(" "), ran.out);
    }
}

#[test]
fn the_page_has_every_command_with_every_option() {
    let page = page();
    let mut found = BTreeMap::new();
    helps(&Folder::new("man-help"), &[], &mut found);
    for command in ["check", "rules eval", "history note", "gate", "gate confirm", "man"] {
        assert!(found.contains_key(command), "{:?}", found.keys());
    }
    for (command, help) in found {
        assert!(page.contains(&format!("\\fBtollproof {command}\\fR\n")), "{command} is not listed");
        let heading = format!("\n.SH \"TOLLPROOF {}\"\n", command.to_uppercase());
        let (_, part) = page.split_once(&heading).unwrap_or_else(|| panic!("there is nothing on {command}"));
        let part = part.split("\n.SH ").next().unwrap_or_default();
        assert!(part.contains("\n.SS SYNOPSIS\n"), "{part}");
        let options = help.lines().filter_map(|line| line.trim_start().split_once("--"));
        let options = options.filter(|(before, _)| before.is_empty() || before.ends_with(", "));
        for (_, option) in options {
            let name = option.split([' ', '[', '=']).next().unwrap_or_default();
            let is_told = part.contains(&format!("\\fB--{name}\\fR"));
            assert_eq!(is_told, !["help", "color"].contains(&name), "--{name} of {command}");
        }
        if let Some((_, examples)) = help.split_once("\nExamples:\n") {
            let line = examples.lines().next().unwrap_or_default();
            let line = line.replace('\\', "\\\\").replace('\'', "\\*(Aq");
            assert!(part.contains(&format!("\n.SS EXAMPLES\n.nf\n{line}\n")), "{command}: {line}");
        }
    }
}

#[test]
fn the_page_has_the_parts_that_a_page_has() {
    let page = page();
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXAMPLES"] {
        assert_eq!(page.matches(&format!("\n.SH {heading}\n")).count(), 1, "{heading}");
    }
    assert!(page.contains(&format!("\n.TH tollproof 1 \" \" \"tollproof {}\"", env!("CARGO_PKG_VERSION"))));
    assert_eq!(page.matches("\n.el ").count(), 1, "it is defined once what an apostrophe is");
    assert!(page.contains("\\fB--color\\fR") && page.contains("\\fB--help\\fR"));
}

#[test]
fn the_short_help_of_every_command_fits_a_screen_and_ends_with_what_all_take() {
    let folder = Folder::new("short-help");
    let mut found = BTreeMap::new();
    helps(&folder, &[], &mut found);
    for command in found.keys().map(String::as_str).chain([""]) {
        let words: Vec<&str> = command.split(' ').filter(|it| !it.is_empty()).chain(["-h"]).collect();
        let help = folder.run(&words).out;
        let lines = if command.is_empty() { LIST_LINES } else { LINES };
        assert!(help.lines().count() <= lines, "{command}: {} lines\n{help}", help.lines().count());
        let sections = help.split("\n\n").filter_map(|it| it.split_once(":\n")).map(|(heading, _)| heading);
        let of_options: Vec<&str> = sections.filter(|it| !["Examples", "Exit status"].contains(it)).collect();
        let last = if command.is_empty() { "Options" } else { "Global options" };
        assert_eq!(of_options.last(), Some(&last), "{command}\n{help}");
    }
}
