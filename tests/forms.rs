//! Drafts in notes and programs, as the command line reads them.

use crate::support::Folder;

const NOTES: &str = include_str!("cases/forms.in/notes.md");
const PROGRAM: &str = include_str!("cases/forms.in/verify.ts");

#[test]
fn text_on_standard_input_is_read_as_the_file() {
    let folder = Folder::new("forms-stdin").file("notes.md", NOTES).file("verify.ts", PROGRAM);
    for (name, text) in [("notes.md", NOTES), ("verify.ts", PROGRAM)] {
        let concise = ["--output-format", "concise"];
        let named = folder.run(&[&["check", name], &concise[..]].concat());
        let piped = folder.pipe(&[&["check", "-"], &concise[..]].concat(), text);
        assert!(named.out.contains("Twilio"), "{}", named.out);
        assert_eq!(piped.out.replace("<stdin>", name), named.out);
    }
}
