"""The page of the command line, from the help of each command."""

import re

import terminal


def page():
    """Every command with its help."""
    text = [
        "---",
        "title: Command line",
        "---",
        "",
        "# Command line",
        "",
        "The same text as `tollproof COMMAND --help`. `tollproof man` prints it as a manual page.",
        "",
        *section([]),
    ]
    for command in commands([]):
        text += section([command])
        for inner in commands([command]):
            text += section([command, inner], level=3)
    return "\n".join(text)


def section(command, level=2):
    """A command and its help."""
    name = " ".join(["tollproof", *command])
    return [f"{'#' * level} {name}", "", "```text", terminal.run(*command, "--help").rstrip(), "```", ""]


def commands(command):
    """The names of the commands in the help of a command."""
    names, listed = [], False
    for line in terminal.run(*command, "--help").splitlines():
        if line.startswith("Usage:"):
            listed = "<COMMAND>" in line
        elif line == "Options:" or line.startswith("Arguments:"):
            listed = False
        elif listed and (name := re.match(r"  ([a-z][a-z-]*)  ", line)) and name.group(1) != "help":
            names.append(name.group(1))
    return names
