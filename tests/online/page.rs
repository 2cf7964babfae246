//! Steps of the page "Submit" and the section about the user's own settings, done as shown.

use std::fs;

use super::Desk;
use crate::support::Ran;
use crate::walk::type_walk;

#[test]
fn the_page_leads_from_a_number_to_a_verified_submission() {
    type_walk("docs/submit.md", &["--review", "reject 30513, then approve", "--review-after", "2d"]);
}

#[test]
fn the_settings_of_the_page_are_read() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md"))
        .expect("it is there");
    let (_, shown) = page.split_once("<!-- settings -->\n\n```yaml\n").expect("it begins");
    let (shown, _) = shown.split_once("```").expect("it ends");
    let desk = Desk::new("own-settings", "approve");
    desk.draft("bird", "+18335550123", "draft.json");
    let settings = desk.folder.0.join("settings.yaml");
    fs::write(&settings, shown).expect("writable");
    let mut command = desk.command(&["submit", "draft.json", "--dry-run"]);
    let ran = Ran::new(command.env("TOLLPROOF_SETTINGS", &settings).output().expect("tollproof starts"));
    let path = "/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b/verifications";
    assert!(ran.code == Some(0) && ran.out.contains(&format!("https://api.bird.com{path}")), "{ran:?}");
    // The same keys in a project are refused.
    fs::write(desk.folder.0.join("tollproof.yaml"), shown).expect("writable");
    let refused = Ran::new(desk.command(&["submit", "draft.json", "--dry-run"]).output().expect("it starts"));
    assert!(refused.code == Some(2) && refused.err.contains("`providers` says what runs"), "{refused:?}");
}
