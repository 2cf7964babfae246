//! Assistants submit only where the user's own settings permit it, and nothing outside of the folder.

use std::fs;

use serde_json::json;

use super::Desk;
use crate::mcp::client::McpClient;

/// An assistant in the folder of a desk, whose user has these settings.
fn assistant(desk: &Desk, settings: &str) -> McpClient {
    let path = desk.folder.0.join("own-settings.yaml");
    fs::write(&path, settings).expect("writable");
    let mut command = desk.command(&["mcp"]);
    command.env("TOLLPROOF_SETTINGS", &path).env("TOLLPROOF_SANDBOX", desk.sandbox.url());
    let mut client = McpClient::spawn(command);
    client.initialize();
    client
}

fn with_draft(name: &str) -> Desk {
    let desk = Desk::new(name, "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    fs::write(desk.folder.0.join("tollproof.yaml"), "history: [sqlite:history.db]\n").expect("writable");
    desk
}

#[test]
fn an_assistant_submits_nothing_without_permission_in_own_settings() {
    let desk = with_draft("assistant-may-not");
    for settings in ["", "assistants: []\n", "history-servers: [db.example]\n"] {
        let mut client = assistant(&desk, settings);
        let tools = client.request("tools/list", &json!({}));
        assert!(!tools.to_string().contains("\"submit\""), "{tools}");
        let answer =
            client.request("tools/call", &json!({ "name": "submit", "arguments": { "path": "draft.json" } }));
        assert_eq!(answer["error"]["message"], "unknown tool `submit`");
    }
    // A project permits nothing.
    fs::write(desk.folder.0.join("tollproof.yaml"), "assistants: [submit]\n").expect("writable");
    let refused = desk.command(&["check", "draft.json"]).output().expect("it starts");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`assistants`"), "{refused:?}");
    assert_eq!(desk.calls("submit"), 0);
}

#[test]
fn an_assistant_with_permission_submits_a_file_of_its_folder_once() {
    let desk = with_draft("assistant-may");
    let mut client = assistant(&desk, "assistants: [submit]\n");
    let tools = client.request("tools/list", &json!({}));
    let submit = tools["result"]["tools"].as_array().and_then(|tools| tools.last()).expect("there are some");
    assert_eq!((&submit["name"], &submit["annotations"]["openWorldHint"]), (&json!("submit"), &json!(true)));
    for result in ["done", "done-earlier"] {
        let sent = client.call("submit", json!({ "path": "draft.json" }));
        assert_eq!(sent["calls"][0]["result"], result, "{sent}");
    }
    assert_eq!(desk.effects("submit"), 1);
    let outside = Desk::new("assistant-outside", "approve");
    outside.draft("twilio", "+18335550123", "other.json");
    let other = outside.folder.0.join("other.json");
    for path in
        [other.to_str().expect("it is UTF-8"), "../online-assistant-outside/other.json", "--help", "-", "."]
    {
        let refused = client.refusal("submit", &json!({ "path": path }));
        assert!(!refused.contains("usage"), "{path}: {refused}");
    }
    assert_eq!(desk.calls("submit"), 1);
}
