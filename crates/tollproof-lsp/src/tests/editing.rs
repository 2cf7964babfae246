//! An editor's display and offers.

use serde_json::{Value, json};

use super::client::{TestClient, position};
use super::{TestFolder, abilities, rules, started};

/// A draft with a few things to fix. `|` is where a test asks.
const DRAFT: &str = r#"{
  "businessName": "Harbor Lantern Dental LLC",
  "busnessCity": "Portland",
  "businessContactPhone": "(207) 555-0142",
  "useCase": "appointments",
  "optInWorkflowImageURLs": [],
  "trace": 1
}
"#;

fn at(text: &str, part: &str) -> usize {
    text.find(part).unwrap_or_else(|| panic!("{part}")) + part.len()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|it| it["label"].as_str()).collect()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().filter_map(|it| it["title"].as_str()).collect()
}

fn of_rule<'d>(diagnostics: &'d [Value], rule: &str) -> &'d Value {
    diagnostics
        .iter()
        .find(|it| it["code"] == rule)
        .unwrap_or_else(|| panic!("{rule} in {:?}", rules(diagnostics)))
}

#[test]
fn diagnostics_have_links_tags_and_versions() {
    let folder = TestFolder::new("diagnostics");
    let mut client = started(&folder, json!({}));
    let uri = folder.uri("a.json");
    client.open(&uri, "json", DRAFT);
    let found = client.diagnostics(&uri);
    let unknown = of_rule(&found, "structure/unknown-field");
    assert_eq!(unknown["source"], "tollproof");
    assert_eq!(unknown["codeDescription"]["href"], "https://example.org/structure/unknown-field");
    let trace = found.iter().find(|it| it["range"]["start"]["line"] == 6).expect("`trace` is not a field");
    assert_eq!((&trace["severity"], &trace["tags"]), (&json!(2), &json!([1])));
    assert_eq!(of_rule(&found, "use-case/unknown-use-case")["severity"], 1);
    assert!(trace["message"].as_str().is_some_and(|it| it.contains("trace")), "{trace}");
    assert_eq!(client.hints[&uri], [Value::Null; 0], "it has no text that a reader could read");
    let whole = folder.uri("whole.json");
    client.open(&whole, "json", include_str!("../../../../schemas/bird/samples/submit-request.json"));
    client.diagnostics(&whole);
    let [hint] = &client.hints[&whole][..] else { panic!("{:?}", client.hints) };
    assert!(
        hint["message"].as_str().is_some_and(|text| text.starts_with("Checked by words only.")),
        "{hint}"
    );
    // What is not a draft has no findings, even with the ending of one.
    let other = folder.uri("package.json");
    client.open(&other, "json", r#"{"name": "x", "version": "1.0.0"}"#);
    assert_eq!(client.diagnostics(&other), [Value::Null; 0]);
    // Unless the user says that it is one.
    client.request(
        "workspace/executeCommand",
        json!({ "command": "tollproof.checkAsDraft", "arguments": [other] }),
    );
    let found = client.diagnostics_until(&other, |it| !it.is_empty());
    assert_eq!(rules(&found), ["structure/unknown-kind"]);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    client.diagnostics_until(&uri, <[Value]>::is_empty);
    client.end();
}

#[test]
fn places_are_counted_as_agreed() {
    let text = "{\"businessName\": \"😀é\", \"useCase\": \"x\"}\n";
    for (offered, agreed, column) in [
        (json!(null), "utf-16", 35),
        (json!(["utf-16", "utf-8"]), "utf-8", 38),
        (json!(["utf-32"]), "utf-32", 34),
        (json!(["utf-7"]), "utf-16", 35),
    ] {
        let folder = TestFolder::new(&format!("units-{column}-{agreed}"));
        let mut client = super::connected();
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let result = client.initialize(Some(&folder.uri("")), capabilities);
        assert_eq!(result["capabilities"]["positionEncoding"], agreed);
        let uri = folder.uri("a.json");
        client.open(&uri, "json", text);
        let found = client.diagnostics(&uri);
        let place = &of_rule(&found, "use-case/unknown-use-case")["range"]["start"];
        assert_eq!(place, &json!({ "line": 0, "character": column }), "{agreed}");
        client.end();
    }
}

#[test]
fn fields_values_and_rules_are_explained() {
    let folder = TestFolder::new("hover");
    let mut client = started(&folder, json!({}));
    let (uri, yaml) = (folder.uri("a.json"), folder.uri("b.yaml"));
    client.open(&uri, "json", DRAFT);
    let hover = client.hover(&uri, at(DRAFT, "\"businessName")).expect("a field is explained");
    assert!(hover.starts_with("**Business name**") && hover.contains("`businessName` · required"), "{hover}");
    let hover = client.hover(&uri, at(DRAFT, "\"appoint")).expect("a value is explained");
    assert!(hover.contains("**Use case**"), "{hover}");
    assert_eq!(client.hover(&uri, at(DRAFT, "\"trac")), None);
    // Fields of another provider, in the spelling of its users.
    let text = "# tollproof: ignore[contact/free-mail] agreed\nbusiness_name: Acme\nuse_case_categories: [TWO_FACTOR_AUTHENTICATION]\n\
                tollfree_phone_number_sid: PN1\n";
    client.open(&yaml, "yaml", text);
    let hover = client.hover(&yaml, at(text, "use_case_cat")).expect("a field is explained");
    assert!(hover.contains("`use_case_categories`") && hover.contains("of Twilio"), "{hover}");
    let hover = client.hover(&yaml, at(text, "[TWO_")).expect("an item is explained");
    assert!(hover.contains("also") && hover.contains("otp"), "{hover}");
    let hover = client.hover(&yaml, at(text, "contact/fr")).expect("a rule is explained");
    assert!(
        hover.contains("`contact/free-mail`") && hover.contains("https://example.org/contact/free-mail"),
        "{hover}"
    );
    client.end();
}

#[test]
fn missing_fields_are_completed() {
    let folder = TestFolder::new("fields");
    let mut client = started(&folder, json!({}));
    let (uri, yaml) = (folder.uri("a.json"), folder.uri("b.yaml"));
    client.open(&uri, "json", DRAFT);
    let items = client.completions(&uri, at(DRAFT, "\"trace\": 1\n"));
    let labels = labels(&items);
    assert!(labels.contains(&"businessCity") && !labels.contains(&"businessName"), "{labels:?}");
    let required = |item: &&Value| item["detail"].as_str().is_some_and(|it| it.ends_with("(required)"));
    assert!(items.iter().take(10).all(|item| required(&item)), "required fields are first");
    let city = items.iter().find(|it| it["label"] == "businessCity").expect("it is missing");
    client.complete(&uri, city);
    assert!(client.text(&uri).contains("\"trace\": 1,\n\"businessCity\": \"\"}"), "{}", client.text(&uri));
    let text = "businessName: Acme LLC\nuseC\nphoneNumbers: []\n";
    client.open(&yaml, "yaml", text);
    let items = client.completions(&yaml, at(text, "useC"));
    let item = items.iter().find(|it| it["label"] == "useCase").expect("it is missing");
    client.complete(&yaml, item);
    assert_eq!(client.text(&yaml), text.replace("useC\n", "useCase: \n"));
    client.end();
}

#[test]
fn values_are_completed_by_what_they_mean() {
    let folder = TestFolder::new("values");
    let mut client = started(&folder, json!({}));
    let uri = folder.uri("a.json");
    for (typed, wanted) in [
        ("", "2FA"),
        ("app", "App Notifications"),
        ("otp", "2FA"),
        ("one-time pass", "2FA"),
        ("invoice", "Billing"),
        ("Biling", "Billing"),
    ] {
        let text = format!("{{\"businessName\": \"x\", \"useCase\": \"{typed}\"}}");
        client.open(&uri, "json", &text);
        let items = client.completions(&uri, text.len() - 2);
        let mut best: Vec<&Value> = items.iter().collect();
        best.sort_by_key(|it| it["sortText"].as_str());
        assert_eq!(best[0]["label"], wanted, "{typed}");
        let filter = best[0]["filterText"].as_str().expect("it has one");
        assert!(filter.to_lowercase().starts_with(&format!("\"{typed}").to_lowercase()), "{typed}: {filter}");
        client.complete(&uri, &best[0].clone());
        assert_eq!(client.text(&uri), format!("{{\"businessName\": \"x\", \"useCase\": \"{wanted}\"}}"));
    }
    let (yaml, text) = (folder.uri("b.yaml"), "businessName: Acme\nmessageVolume:\n");
    client.open(&yaml, "yaml", text);
    let items = client.completions(&yaml, text.len() - 1);
    let item = items.iter().find(|it| it["label"] == "10,000").expect("it is a value");
    client.complete(&yaml, item);
    assert_eq!(client.text(&yaml), "businessName: Acme\nmessageVolume: \"10,000\"\n");
    let csv = folder.uri("c.csv");
    let text = "Business Name,Use Case\nAcme,otp\n";
    client.open(&csv, "csv", text);
    client.completions(&csv, at(text, "otp"));
    client.end();
}

#[test]
fn comments_and_settings_name_rules() {
    let folder = TestFolder::new("rules");
    let mut client = started(&folder, json!({}));
    let (uri, settings) = (folder.uri("a.yaml"), folder.uri("tollproof.yaml"));
    let text = "# to\nbusinessName: Acme\nbusinessContactEmail: acme@gmail.com # tollproof: ignore[con] why\nphoneNumbers: []\n";
    client.open(&uri, "yaml", text);
    let items = client.completions(&uri, at(text, "# to"));
    assert_eq!(labels(&items)[..2], ["# tollproof: ignore[]", "# tollproof: provider="]);
    let items = client.completions(&uri, at(text, "ignore[con"));
    assert!(items.len() > 100 && labels(&items).contains(&"contact"), "{}", items.len());
    let item = items.iter().find(|it| it["label"] == "contact/free-mail").expect("it is a rule");
    client.complete(&uri, item);
    assert!(client.text(&uri).contains("ignore[contact/free-mail] why"), "{}", client.text(&uri));
    let text =
        "rules:\n  contact/f\nignore:\n  - rule: opt\n    reason: x\nlocked-rules:\n  - his\nprovider: t\n";
    client.open(&settings, "yaml", text);
    for (part, label, written) in [
        ("contact/f", "contact/free-mail", "  contact/free-mail: \n"),
        ("rule: opt", "opt-in", "- rule: opt-in\n"),
        ("- his", "history", "- history\n"),
        ("provider: t", "twilio", "provider: twilio\n"),
    ] {
        let items = client.completions(&settings, at(client.text(&settings), part));
        let item = items.iter().find(|it| it["label"] == label).unwrap_or_else(|| panic!("{label}"));
        client.complete(&settings, item);
        assert!(client.text(&settings).contains(written), "{}", client.text(&settings));
    }
    client.end();
}

/// The place of everything.
fn everywhere() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } })
}

fn choose(client: &mut TestClient, uri: &str, title: &str) {
    let actions = client.actions(uri, &everywhere(), None);
    let action =
        actions.iter().find(|action| action["title"].as_str().is_some_and(|it| it.starts_with(title)));
    let action = action.unwrap_or_else(|| panic!("{title} in {:?}", titles(&actions))).clone();
    client.choose(&action);
}

#[test]
fn fixes_are_actions() {
    for capabilities in [json!({}), abilities()] {
        let folder = TestFolder::new(&format!(
            "fixes-{}",
            capabilities.is_object() && capabilities["workspace"].is_object()
        ));
        let mut client = started(&folder, capabilities);
        let uri = folder.uri("a.json");
        client.open(&uri, "json", DRAFT);
        let found = client.diagnostics(&uri);
        let range = of_rule(&found, "use-case/unknown-use-case")["range"].clone();
        let actions = client.actions(&uri, &range, None);
        assert_eq!(actions[0]["title"], "Replace \"appointments\" with \"Appointments\"");
        assert_eq!((&actions[0]["isPreferred"], &actions[0]["kind"]), (&json!(true), &json!("quickfix")));
        client.choose(&actions[0]);
        assert!(client.text(&uri).contains("\"Appointments\""));
        // The name of a field is a guess.
        choose(&mut client, &uri, "Replace \"busnessCity\" with \"businessCity\", to be reviewed");
        assert!(client.text(&uri).contains("\"businessCity\": \"Portland\""), "{}", client.text(&uri));
        // All safe fixes at once, as when a file is saved.
        client.edit(&uri, 0, 0, " ");
        client.open(&uri, "json", DRAFT);
        let actions = client.actions(&uri, &everywhere(), Some("source.fixAll"));
        assert_eq!(
            actions.iter().map(|it| it["kind"].as_str()).collect::<Vec<_>>(),
            [Some("source.fixAll.tollproof")]
        );
        client.choose(&actions[0]);
        let text = client.text(&uri).to_owned();
        assert!(text.contains("\"Appointments\"") && text.contains("busnessCity"), "{text}");
        assert_eq!(client.actions(&uri, &everywhere(), Some("refactor")), [Value::Null; 0]);
        client.end();
    }
}

#[test]
fn a_finding_is_ignored_with_a_reason() {
    let folder = TestFolder::new("ignores").file("tollproof.yaml", "provider: bird\n");
    let mut client = started(&folder, abilities());
    let uri = folder.uri("drafts/a.yaml");
    let text = "businessName: Acme LLC\n  \nbusinessContactEmail: acme@gmail.com\nphoneNumbers: []\n";
    client.open(&uri, "yaml", text);
    of_rule(&client.diagnostics(&uri), "contact/free-mail");
    choose(&mut client, &uri, "Ignore contact/free-mail here");
    let comment = "# tollproof: ignore[contact/free-mail]\nbusinessContactEmail";
    assert!(client.text(&uri).contains(comment), "{}", client.text(&uri));
    // The finding counts until there is a reason.
    let found = client.diagnostics(&uri);
    of_rule(&found, "config/unexplained-ignore");
    of_rule(&found, "contact/free-mail");
    let end = at(client.text(&uri), "ignore[contact/free-mail]");
    client.edit(&uri, end, end, " it is on the website");
    let found = client.diagnostics(&uri);
    assert!(
        !rules(&found).iter().any(|rule| rule.contains("free-mail") || rule.starts_with("config")),
        "{:?}",
        rules(&found)
    );
    // JSON has no comments, so the settings name the place.
    let json = folder.uri("drafts/b.json");
    client.open(&json, "json", r#"{"businessContactEmail": "acme@gmail.com", "phoneNumbers": ["x"]}"#);
    let found = client.diagnostics(&json);
    let actions = client.actions(&json, &of_rule(&found, "contact/free-mail")["range"], None);
    let action = actions
        .iter()
        .find(|action| action["title"].as_str().is_some_and(|detail| detail.contains("tollproof.yaml")));
    let change = &action.expect("it can be ignored")["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["uri"], folder.uri("tollproof.yaml"));
    let new = change["edits"][0]["newText"].as_str().expect("a text");
    assert!(
        new.contains("files: ") && new.contains("drafts/b.json") && new.contains("/businessContactEmail"),
        "{new}"
    );
    let settings = format!("provider: bird\n{}", new.replace("reason: \"\"", "reason: it is on the website"));
    client.open(&folder.uri("tollproof.yaml"), "yaml", &settings);
    client.diagnostics_until(&json, |diagnostics| !rules(diagnostics).contains(&"contact/free-mail"));
    client.end();
}

#[test]
fn unsaved_settings_and_rules_count() {
    let rule = "title: House rule\nseverity: warning\nat: businessName\ncheck: { forbid: { any_of: [lantern] } }\n\
                message: no lanterns\nhelp: Use another name.\ndocs: |\n  A house rule.\nexamples:\n  pass: [{ businessName: a }]\n  fail: [{ businessName: lantern }]\n";
    let folder = TestFolder::new("settings").file("a.json", DRAFT).file("rules/house/lantern.yaml", rule);
    let mut client = started(&folder, abilities());
    client.other("client/registerCapability");
    let (uri, settings) = (folder.uri("a.json"), folder.uri("tollproof.yaml"));
    client.open(&uri, "json", DRAFT);
    of_rule(&client.diagnostics(&uri), "use-case/unknown-use-case");
    client.open(&settings, "yaml", "rules: { use-case/unknown-use-case: warning }\nrule-dirs: [rules]\n");
    let found = client.diagnostics_until(&uri, |diagnostics| rules(diagnostics).contains(&"house/lantern"));
    assert_eq!(of_rule(&found, "use-case/unknown-use-case")["severity"], 2);
    // A mistake is shown where it is, and the findings stay.
    let end = client.text(&settings).len();
    client.edit(&settings, end, end, "rulez: {}\n");
    let found = client.diagnostics_until(&settings, |it| !it.is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 2, "{found:?}");
    client.edit(&settings, end, end + "rulez: {}\n".len(), "");
    client.diagnostics_until(&settings, <[Value]>::is_empty);
    // A rule that changes on the disk is read again.
    std::fs::write(
        folder.0.join("rules/house/lantern.yaml"),
        rule.replace("severity: warning", "severity: error"),
    )
    .expect("it can be written");
    let event = json!({ "changes": [{ "uri": folder.uri("rules/house/lantern.yaml"), "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", event);
    client.diagnostics_until(&uri, |diagnostics| {
        diagnostics
            .iter()
            .any(|diagnostic| diagnostic["code"] == "house/lantern" && diagnostic["severity"] == 1)
    });
    client.end();
}

#[test]
fn one_number_in_two_drafts_is_found_in_all_files() {
    let draft =
        |number: &str| format!("{{\"businessName\": \"Acme LLC\", \"phoneNumbers\": [\"{number}\"]}}\n");
    let (one, other) = ("9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9", "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f");
    let folder = TestFolder::new("numbers").file("on-disk.json", &draft(one));
    let mut client = started(&folder, abilities());
    let (a, b) = (folder.uri("a.json"), folder.uri("b.json"));
    let duplicate = "history/duplicate-in-batch";
    // A file that is not open.
    client.open(&a, "json", &draft(one));
    let found = client.diagnostics_until(&a, |diagnostics| rules(diagnostics).contains(&duplicate));
    let related = &of_rule(&found, duplicate)["relatedInformation"][0]["location"];
    assert_eq!(related["uri"], folder.uri("on-disk.json"), "{related}");
    // An open document that is not saved.
    client.open(&b, "json", &draft(other));
    client.diagnostics(&b);
    let start = client.text(&a).find(one).expect("it is there");
    client.edit(&a, start, start + one.len(), other);
    client.diagnostics_until(&a, |diagnostics| {
        diagnostics.iter().any(|diagnostic| {
            diagnostic["code"] == duplicate && diagnostic["relatedInformation"][0]["location"]["uri"] == b
        })
    });
    client.diagnostics_until(&b, |diagnostics| rules(diagnostics).contains(&duplicate));
    // When one of them goes, the other is alone.
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": b } }));
    client.diagnostics_until(&a, |diagnostics| !rules(diagnostics).contains(&duplicate));
    client.end();
}

#[test]
fn requests_are_cancelled_and_stale_ones_are_not_answered() {
    let folder = TestFolder::new("cancel");
    let mut client = started(&folder, json!({}));
    let uri = folder.uri("a.json");
    client.open(&uri, "json", DRAFT);
    client.diagnostics(&uri);
    let place = json!({ "textDocument": { "uri": uri }, "position": position(DRAFT, 5) });
    // Both arrive at once, so the server reads the cancellation before it answers.
    let framed = |message: Value| format!("Content-Length: {}\r\n\r\n{message}", message.to_string().len());
    let request =
        |id: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": place });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "one" } });
    // The server is busy with other requests for a while.
    let busy: String = (0..200).map(|at| framed(request(&format!("busy-{at}")))).collect();
    client.raw((busy + &framed(request("one")) + &framed(cancel)).as_bytes());
    let answer = client.answer(&json!("one"));
    // If the server was quicker than the pipe, it has answered.
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_object(), "{answer}");
    // Cancelling what is unknown or malformed has no effect.
    for id in [json!("nothing"), json!(null), json!({ "a": 1 }), json!(7)] {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    // An action waits for the check of the text, and can be cancelled meanwhile.
    let params =
        json!({ "textDocument": { "uri": uri }, "range": everywhere(), "context": { "diagnostics": [] } });
    client.edit(&uri, 0, 0, " ");
    let id = client.ask("textDocument/codeAction", params);
    client.notify("$/cancelRequest", json!({ "id": id }));
    let answer = client.answer(&json!(id));
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_array(), "{answer}");
    client.end();
}

#[test]
fn the_missing_fields_of_an_object_are_one_diagnostic() {
    let folder = TestFolder::new("missing");
    let mut client = started(&folder, json!({}));
    let uri = folder.uri("a.json");
    let text = r#"{"businessName": "Harbor Lantern Dental LLC", "useCase": "Appointments", "businessCity": "", "businessZip": ""}"#;
    client.open(&uri, "json", text);
    let found = client.diagnostics(&uri);
    let of = |rule: &str| found.iter().filter(|it| it["code"] == rule).count();
    assert_eq!(of("structure/missing-field"), 1, "{:?}", rules(&found));
    let message = of_rule(&found, "structure/missing-field")["message"].as_str().expect("a text");
    assert!(message.contains("required fields are missing: businessAddr1, "), "{message}");
    // Empty fields are at different places.
    assert_eq!(of("structure/empty-field"), 2);
    assert!(client.actions(&uri, &found[0]["range"], None).iter().all(|it| it["diagnostics"][0] == found[0]));
    client.end();
}

#[cfg(unix)]
#[test]
fn the_server_ends_with_the_process_of_its_client() {
    let mut editor = std::process::Command::new("true").spawn().expect("there are processes");
    let process = editor.id();
    editor.wait().expect("it ends at once");
    let mut client = super::connected();
    client.ask("initialize", json!({ "processId": process, "rootUri": null, "capabilities": {} }));
    client.wait_for_end();
}
