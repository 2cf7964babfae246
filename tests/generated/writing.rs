//! `docs/writing.md`: the message that it shows is what tollproof prints.

use super::{generated_part, tollproof};

#[test]
fn the_message_is_shown_as_tollproof_prints_it() {
    const COMMAND: &str = "preview tests/cases/preview.in/code.yaml";
    let args: Vec<&str> = COMMAND.split(' ').collect();
    let output = tollproof(&args, "");
    let text = format!("```text\n$ tollproof {COMMAND}\n{}\n```", output.trim_end());
    generated_part("docs/writing.md", &format!("output: {COMMAND}"), &text);
}
