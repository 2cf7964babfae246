//! Tests of `tollproof completions`, which run the scripts in real shells.

use std::process::Command;

use crate::support::Folder;

/// Runs a script that prints completions of `tollproof` in a shell; `None` if the shell is not installed.
fn asked(shell: &str, folder: &Folder, script: &str) -> Option<String> {
    let ran = folder.run(&["completions", shell]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    std::fs::write(folder.0.join("script"), ran.out).expect("writable");
    let mut command = Command::new(shell);
    let output = command.args(["-c", script]).current_dir(&folder.0).env("HOME", &folder.0).output();
    let output = output.ok()?;
    Some(String::from_utf8(output.stdout).expect("completions are UTF-8"))
}

/// Bash's completions of the last word.
fn in_bash(words: &[&str]) -> Vec<String> {
    let folder = Folder::new("completions-bash");
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "source ./script; COMP_WORDS=({}); COMP_CWORD={}; _tollproof tollproof '{}' '{}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let printed = asked("bash", &folder, &script).expect("bash is installed");
    printed.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_rules_groups_kinds_fields_and_formats() {
    for (words, expected) in [
        (&["tollproof", "rule", "message/missing-o"][..], "message/missing-opt-out"),
        (&["tollproof", "rule", "web"], "website"),
        (&["tollproof", "check", "--select", "opt-in/vag"], "opt-in/vague-description"),
        (&["tollproof", "check", "--ignore", "cont"], "contact"),
        (&["tollproof", "baseline", "write", "--select", "numb"], "number"),
        (&["tollproof", "check", "--kind", "up"], "update-request"),
        (&["tollproof", "explain", "--kind", "up"], "update-request"),
        (&["tollproof", "schema", "sub"], "submit-request"),
        (&["tollproof", "schema", "conf"], "config"),
        (&["tollproof", "schema", "submit-request", "--field", "useCaseS"], "useCaseSummary"),
        (&["tollproof", "check", "--output-format", "sar"], "sarif"),
        (&["tollproof", "check", "--format", "junit"], "junit"),
        (&["tollproof", "gate", "--output-format", "gitl"], "gitlab"),
        (&["tollproof", "history", "list", "--format", "js"], "json"),
    ] {
        let found = in_bash(words);
        assert!(found.iter().any(|it| it == expected), "{words:?}: {found:?}");
    }
}

#[test]
fn fish_completes_rules_and_formats() {
    let folder = Folder::new("completions-fish");
    for (line, expected) in [
        ("tollproof rule message/missing-o", "message/missing-opt-out"),
        ("tollproof check --select opt-in/vag", "opt-in/vague-description"),
        ("tollproof check --output-format sar", "sarif"),
        ("tollproof schema submit-request --field useCaseS", "useCaseSummary"),
    ] {
        let script = format!("source ./script; complete -C '{line}'");
        let Some(found) = asked("fish", &folder, &script) else { return };
        assert!(found.lines().any(|it| it.trim() == expected), "{line}: {found}");
    }
}

#[test]
fn the_zsh_script_is_read_by_zsh_and_names_rules() {
    let folder = Folder::new("completions-zsh");
    let script = "autoload -U compinit; compinit -u; source ./script; functions _tollproof";
    let Some(found) = asked("zsh", &folder, script) else { return };
    assert!(found.contains("message/missing-opt-out") && found.contains("gitlab"), "{found}");
}
