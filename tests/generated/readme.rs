//! The output that the README shows is what tollproof prints.

use super::{begins_finding, generated_part, is_summary, tollproof};

/// A screen, with room left for the prompt.
const LINES: usize = 44;

#[test]
fn the_readme_shows_real_output() {
    const COMMAND: &str = "check tests/drafts/cedar-auto.json";
    let args: Vec<&str> = COMMAND.split(' ').collect();
    let output = tollproof(&[&args[..], &["--no-config"]].concat(), "");
    let lines: Vec<&str> = output.lines().collect();
    let all = lines.iter().filter(|line| begins_finding(line)).count();
    // The screen ends where a finding does; the summary follows.
    let cut = (0..LINES)
        .rev()
        .find(|&at| lines.get(at).is_some_and(|line| begins_finding(line)))
        .expect("there are findings");
    let shown = lines[..cut].iter().filter(|line| begins_finding(line)).count();
    let summary = lines.iter().position(|line| is_summary(line)).expect("a report ends so");
    let text = format!(
        "```text\n$ tollproof {COMMAND}\n{}\n… {} more findings …\n\n{}\n```",
        lines[..cut].join("\n"),
        all - shown,
        lines[summary..].join("\n")
    );
    generated_part("README.md", &format!("output: {COMMAND}"), &text);
}
