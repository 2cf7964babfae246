//! `tollproof mcp` as an assistant starts it: every tool, resource and prompt, what leads out of the folder, hostile input.

pub(crate) mod client;

use std::fs;
use std::io::Write as _;

use serde_json::{Value, json};

use self::client::McpClient;
use crate::support::Folder;

const DRAFT: &str = include_str!("../drafts/harbor-dental.json");
const HURRIED: &str = include_str!("../drafts/cedar-auto.json");
const READINGS: &str = ".tollproof/readings.ndjson";

fn folder(name: &str) -> Folder {
    Folder::new(name).file("dental.json", DRAFT).file("below/auto.json", HURRIED)
}

/// Answers to all questions of a request: the last one of those offered, which is harmless for most, and a quote for each.
fn answers(request: &Value) -> Value {
    let quote = |group: &Value| {
        let field = group["fields"][0].as_str().expect("it has one");
        let words = request["fields"][field].as_str().expect("it is there").split(['[', '\n', '"']).next();
        words.expect("there are some").trim().to_owned()
    };
    let answer = |group: &Value, question: &Value| {
        let answer = question["answers"].as_array().and_then(|offered| offered.last());
        let answer = answer.cloned().unwrap_or_else(|| json!("no"));
        let answer = json!({ "answer": answer, "quote": quote(group), "sure": true });
        (question["id"].as_str().expect("it has one").to_owned(), answer)
    };
    let groups = request["questions"].as_array().expect("they are a list").iter();
    let all =
        groups.flat_map(|group| questions_of(group).iter().map(move |question| answer(group, question)));
    Value::Object(all.collect())
}

/// The questions about the same fields.
fn questions_of(group: &Value) -> &[Value] {
    group["ask"].as_array().expect("they are a list")
}

fn rules(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("they are a list").iter();
    findings.map(|it| format!("{} {} {}", it["file"], it["rule"], it["severity"])).collect()
}

#[test]
fn a_client_sees_all_tools_resources_and_prompts() {
    let mut client = McpClient::start(&folder("mcp-lists"), &[]);
    let info = client.initialize();
    assert_eq!(info["serverInfo"]["name"], "tollproof");
    let tools = client.request("tools/list", &json!({}));
    let tools = tools["result"]["tools"].as_array().expect("they are a list");
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, ["check", "questions", "answer", "explain", "convert", "preview", "rule"]);
    for tool in tools {
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        jsonschema::draft202012::new(&tool["inputSchema"]).expect("it is a schema");
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], tool["name"] != "answer", "{tool}");
        assert_eq!((&hints["destructiveHint"], &hints["openWorldHint"]), (&json!(false), &json!(false)));
    }
    let resources = client.request("resources/list", &json!({}));
    let resources = resources["result"]["resources"].as_array().expect("they are a list").clone();
    assert_eq!(resources.len(), 1 + tollproof_core::Provider::all().len());
    for resource in &resources {
        let read = client.request("resources/read", &json!({ "uri": resource["uri"] }));
        let text = read["result"]["contents"][0]["text"].as_str().expect("it has text");
        assert!(serde_json::from_str::<Value>(text).is_ok_and(|it| it.is_object()), "{resource}");
    }
    let read = client.request("resources/read", &json!({ "uri": "tollproof://rules/contact/free-mail" }));
    assert!(
        read["result"]["contents"][0]["text"].as_str().is_some_and(|it| it.contains("contact/free-mail"))
    );
    for uri in
        ["tollproof://rules/nowhere", "tollproof://providers/nowhere", "file:///etc/passwd", "", "tollproof:"]
    {
        let read = client.request("resources/read", &json!({ "uri": uri }));
        assert_eq!(read["error"]["code"], -32002, "{read}");
    }
    let prompts = client.request("prompts/list", &json!({}));
    let name = &prompts["result"]["prompts"][0]["name"];
    let got = client.request("prompts/get", &json!({ "name": name, "arguments": { "path": "dental.json" } }));
    let text = got["result"]["messages"][0]["content"]["text"].as_str().expect("it has text");
    assert!(text.contains("`check`") && text.contains("`answer`") && text.contains("dental.json"), "{text}");
    for arguments in [json!({}), json!({ "path": "a", "text": "b" })] {
        let got = client.request("prompts/get", &json!({ "name": name, "arguments": arguments }));
        assert_eq!(got["error"]["code"], -32602);
    }
    client.end();
}

#[test]
fn findings_are_those_of_check() {
    let folder = folder("mcp-check");
    let mut client = McpClient::start(&folder, &["."]);
    client.initialize();
    let by_hand = |args: &[&str], text: &str| -> Value {
        let ran = folder.pipe(&[&["check", "--output-format", "json"], args].concat(), text);
        serde_json::from_str(&ran.out).expect("it is JSON")
    };
    // What was not checked is said without options.
    let without_options = |mut report: Value| {
        report["notChecked"].take();
        report
    };
    let of_folder = client.call("check", json!({ "path": "." }));
    assert!(!of_folder["notChecked"].to_string().contains("--"), "{of_folder}");
    assert_eq!(without_options(of_folder.clone()), without_options(by_hand(&["."], "")));
    assert!(rules(&of_folder).iter().any(|it| it.contains("contact/free-mail")));
    let of_file = client.call("check", json!({ "path": "below/auto.json" }));
    assert_eq!(without_options(of_file), without_options(by_hand(&["below/auto.json"], "")));
    let of_text = client.call("check", json!({ "text": HURRIED }));
    let mut wanted = without_options(by_hand(&["-", "--stdin-filename", "draft"], HURRIED));
    // A text is in no repository, so that fingerprints have another name in them.
    let mut got = without_options(of_text.clone());
    for report in [&mut wanted, &mut got] {
        for finding in report["findings"].as_array_mut().expect("they are a list") {
            finding["fingerprint"].take();
        }
    }
    assert_eq!(got, wanted);
    let forced = client.call("check", json!({ "text": HURRIED, "provider": "twilio" }));
    assert_ne!(rules(&forced), rules(&of_text));
    client.end();
}

#[test]
fn answers_are_verified_stored_and_used() {
    let folder = folder("mcp-answers");
    let mut client = McpClient::start(&folder, &[]);
    client.initialize();
    let asked = client.call("questions", json!({ "path": "dental.json" }));
    assert!(asked["task"].as_str().is_some_and(|it| it.contains("never instructions")));
    let request = &asked["requests"][0];
    assert!(!request["fields"].to_string().contains("207-238-6417"), "personal data is masked");
    let mut given = answers(request);
    given["consent-prechecked"]["quote"] = json!("a box that is ticked already");
    given["opt-in-concrete"] = json!({ "answer": "no", "quote": "", "sure": true });
    given["never-asked"] = json!({ "answer": "no", "quote": "", "sure": true });

    // A text is not stored, and the answers count in the same call.
    let text = client.call("answer", json!({ "text": DRAFT, "answers": given }));
    assert_eq!(text["stored"], Value::Null);
    assert!(rules(&text["report"]).iter().any(|it| it.contains("opt-in/vague-description")), "{text}");
    assert!(!folder.0.join(READINGS).exists());
    assert_eq!(rules(&client.call("check", json!({ "text": DRAFT }))), [""; 0]);

    let file = client.call("answer", json!({ "path": "dental.json", "id": request["id"], "answers": given }));
    assert_eq!(file["stored"], READINGS);
    let refused: Vec<_> = file["refused"].as_array().expect("they are a list").iter().collect();
    let why = |name: &str| refused.iter().find(|it| it["question"] == name).map(|it| it["why"].clone());
    assert_eq!(why("consent-prechecked"), Some(json!("the quote is not in the texts of the question")));
    assert_eq!(why("never-asked"), Some(json!("this question was not asked")));
    assert!(file["kept"].as_array().is_some_and(|kept| kept.contains(&json!("opt-in-concrete"))));
    let found = rules(&file["report"]);
    assert!(found.iter().any(|it| it.contains("opt-in/vague-description")), "{found:?}");
    assert_eq!(found, rules(&client.call("check", json!({ "path": "dental.json" }))));
    let ran = folder.run(&["check", "dental.json", "--output-format", "json"]);
    assert!(ran.out.contains("\"readBy\": \"mcp a test\""), "{}", ran.out);
    let stored = fs::read_to_string(folder.0.join(READINGS)).expect("it was written");
    assert_eq!(stored.lines().count(), 1);

    // What is open is asked, and nothing else; a corrected answer replaces the old one.
    let asked = client.call("questions", json!({ "path": "dental.json" }));
    let open: Vec<_> = asked["requests"][0]["questions"]
        .as_array()
        .expect("some are open")
        .iter()
        .flat_map(questions_of)
        .cloned()
        .collect();
    assert!(open.iter().any(|it| it["id"] == "consent-prechecked"));
    assert!(open.iter().all(|it| it["id"] != "opt-in-concrete"));
    let corrected = json!({ "opt-in-concrete": { "answer": "yes", "quote": "", "sure": true } });
    let now = client.call("answer", json!({ "path": "dental.json", "answers": corrected }));
    assert!(!rules(&now["report"]).iter().any(|it| it.contains("opt-in/vague-description")), "{now}");

    for (arguments, why) in [
        (json!({ "path": "dental.json", "id": "00", "answers": {} }), "no draft here has a request"),
        (json!({ "path": ".", "answers": {} }), "`path` is a folder"),
        (json!({ "text": "[]", "answers": {} }), "no draft"),
        (json!({ "text": format!("[{DRAFT},{HURRIED}]"), "answers": {} }), "several drafts"),
        (json!({ "path": "dental.json" }), "invalid arguments"),
    ] {
        assert!(client.refusal("answer", &arguments).contains(why), "{why}");
    }
    client.end();
}

#[test]
fn drafts_and_answers_are_taken_as_models_write_them() {
    let mut client = McpClient::start(&folder("mcp-habits"), &[]);
    client.initialize();
    let plain = client.call("check", json!({ "text": HURRIED }));
    let object: Value = serde_json::from_str(HURRIED).expect("it is JSON");
    for text in [json!(format!("```json\n{HURRIED}\n```\n")), object] {
        let got = client.call("check", json!({ "text": text, "provider": "Bird" }));
        assert_eq!(rules(&got), rules(&plain));
    }
    let bare = json!({ "consent-prechecked": "no", "opt-in-concrete": { "answer": "no", "quote": "", "sure": true } });
    let within = json!({ "answers": bare });
    for answers in [bare.clone(), within, json!(bare.to_string()), json!(format!("```\n{bare}\n```"))] {
        let given = client.call("answer", json!({ "text": DRAFT, "answers": answers }));
        assert_eq!(given["kept"], json!(["consent-prechecked", "opt-in-concrete"]), "{given}");
        assert_eq!(given["refused"], json!([]));
        assert!(given["open"].as_array().is_some_and(|open| open.contains(&json!("consent-required"))));
    }
    let said = client.refusal("check", &json!({ "pth": "dental.json" }));
    assert!(said.contains("unknown argument `pth`") && said.contains("`path`"), "{said}");
    client.end();
}

#[test]
fn a_call_on_many_drafts_holds_up_no_other() {
    let draft: Value = serde_json::from_str(HURRIED).expect("it is JSON");
    let folder = folder("mcp-many").file("many.ndjson", format!("{draft}\n").repeat(400));
    let mut client = McpClient::start(&folder, &[]);
    client.initialize();
    for (id, tool, arguments) in [
        (70, "check", json!({ "path": "many.ndjson" })),
        (71, "questions", json!({ "path": "many.ndjson" })),
        (72, "rule", json!({ "id": "opt-in/implicit" })),
    ] {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
        client.send(&call.to_string());
    }
    let answers = [client.receive(), client.receive(), client.receive()];
    assert_eq!(answers[0]["id"], 72, "the short one");
    let asked = answers.iter().find(|answer| answer["id"] == 71).expect("it is answered");
    let notes = asked["result"]["content"].to_string();
    assert!(notes.contains("of 400 requests; call again with `from`"), "{notes}");
    client.end();
}

#[test]
fn drafts_are_explained_converted_and_previewed() {
    let mut client = McpClient::start(&folder("mcp-tools"), &[]);
    client.initialize();
    let text = "30498 Opt-in workflow must match submission details";
    let explained = client.call("explain", json!({ "path": "dental.json", "answer": text }));
    assert!(rules(&explained).iter().any(|it| it.contains("answer/next-step")), "{explained}");
    assert!(client.refusal("explain", &json!({ "path": "dental.json", "answer": "" })).contains("answer"));
    let words = client.call("explain", json!({ "answer": "I see no place where people say yes to texts." }));
    assert!(words["task"].as_str().is_some_and(|task| task.contains("- 30476 ")), "{words}");
    let known = client.call("explain", json!({ "answer": "30508, 30489" }));
    assert!(known["task"].is_null(), "{known}");
    assert!(known["reasons"].as_array().is_some_and(|reasons| reasons.len() == 2), "{known}");
    let converted = client.call("convert", json!({ "path": "dental.json", "to": "twilio" }));
    let payload: Value = serde_json::from_str(converted["payload"].as_str().expect("text")).expect("JSON");
    assert_eq!(payload["BusinessCity"], "Portland");
    assert_eq!(converted["report"]["summary"]["documents"], 1);
    assert!(client.refusal("convert", &json!({ "path": "dental.json", "to": "bird" })).contains("already"));
    assert!(client.refusal("convert", &json!({ "text": "a: [", "to": "bird" })).contains("cannot be read"));
    let preview = client.call("preview", json!({ "text": "Acme: it’s on. Reply STOP" }));
    assert_eq!(preview["messages"][0]["encoding"], "UCS-2");
    assert_eq!(preview["messages"][0]["plain"]["encoding"], "GSM-7");
    let preview = client.call("preview", json!({ "path": "dental.json" }));
    assert_eq!(preview["messages"][0]["segments"], 1);
    let rule = client.call("rule", json!({ "id": "opt-in/vague-description" }));
    assert!(rule["rules"][0]["question"].is_string() && rule["rules"][0]["examples"]["fail"][0].is_object());
    assert!(client.refusal("rule", &json!({ "id": "opt-in/vague" })).contains("did you mean"));
    let all = client.call("rule", json!({}));
    assert!(all["rules"].as_array().is_some_and(|it| it.len() > 100));
    client.end();
}

/// Settings that lead out of the folder, or to a server, are not followed.
#[cfg(unix)]
#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let base = Folder::new("mcp-outside")
        .file("tollproof.yaml", "provider: twilio\n")
        .file("secret.json", HURRIED)
        .file("rules/own/a.yaml", "")
        .file("drafts/dental.json", DRAFT)
        .file("drafts/history/tollproof.yaml", "history: [\"postgres://user:word@127.0.0.1:9/none\"]\n")
        .file("drafts/history/dental.json", DRAFT)
        .file("drafts/readings/tollproof.yaml", "readings: ../../out.ndjson\n")
        .file("drafts/readings/dental.json", DRAFT)
        .file("drafts/rules/tollproof.yaml", "rule-dirs: [../../rules]\n")
        .file("drafts/rules/dental.json", DRAFT)
        .file("drafts/link/tollproof.yaml", "")
        .file("drafts/link/dental.json", DRAFT)
        .file("elsewhere/dental.json", DRAFT);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(base.0.join(to), base.0.join(name)).expect("a link")
    };
    link("secret.json", "drafts/secret.json");
    link("elsewhere", "drafts/elsewhere");
    link("elsewhere", "drafts/link/.tollproof");
    fs::create_dir(base.0.join("drafts/ignored")).expect("writable");
    fs::write(base.0.join("drafts/ignored/auto.json"), HURRIED).expect("writable");
    link("tollproof.yaml", "drafts/ignored/.gitignore");
    let mut client = McpClient::start(&base, &["drafts"]);
    client.initialize();
    // The settings above the folder do not apply.
    assert_eq!(rules(&client.call("check", json!({ "path": "dental.json" }))), [""; 0]);
    let absolute = base.0.join("secret.json");
    let absolute = absolute.to_str().expect("UTF-8");
    for path in
        ["../secret.json", "secret.json", "elsewhere", "elsewhere/dental.json", "..", absolute, "/etc/hosts"]
    {
        for tool in ["check", "questions", "preview"] {
            let said = client.refusal(tool, &json!({ "path": path }));
            assert!(said.ends_with("it is outside of the folder of this server"), "{path}: {said}");
        }
    }
    for path in ["", "-", "nowhere.json", "a\u{0}b"] {
        assert!(!client.refusal("preview", &json!({ "path": path })).is_empty(), "{path:?}");
    }
    // Nor is what says which files git ignores.
    let ignored =
        client.request("tools/call", &json!({ "name": "check", "arguments": { "path": "ignored" } }));
    assert!(ignored.to_string().contains("ignored/.gitignore`: it must be a file"), "{ignored}");
    // A history on a server is not asked.
    assert_eq!(rules(&client.call("check", json!({ "path": "history/dental.json" }))), [""; 0]);
    assert!(
        client.refusal("check", &json!({ "path": "rules/dental.json" })).contains("outside of the folder")
    );
    let given = |client: &mut McpClient, path: &str| {
        let asked = client.call("questions", json!({ "path": path }));
        answers(&asked["requests"][0])
    };
    let all = given(&mut client, "dental.json");
    for path in ["readings/dental.json", "link/dental.json"] {
        let said = client.refusal("answer", &json!({ "path": path, "answers": all }));
        assert!(said.contains("outside of the folder"), "{path}: {said}");
    }
    assert_eq!(client.call("answer", json!({ "path": "dental.json", "answers": all }))["stored"], READINGS);
    client.end();
    assert!(!base.0.join("out.ndjson").exists());
    let written: Vec<_> = fs::read_dir(base.0.join("elsewhere")).expect("it is there").collect();
    assert_eq!(written.len(), 1, "{written:?}");
}

#[test]
fn hostile_input_ends_in_an_error_or_a_clean_exit() {
    let folder = folder("mcp-hostile");
    let mut client = McpClient::start(&folder, &[]);
    for (line, code) in [
        ("{".to_owned(), -32700),
        ("\u{0}\u{1}".to_owned(), -32700),
        ("[".repeat(1 << 20), -32700),
        ("[]".to_owned(), -32600),
        ("{\"id\": {}}".to_owned(), -32600),
        (format!("\"{}\"", "x".repeat(17 << 20)), -32600),
    ] {
        client.send(&line);
        assert_eq!(client.receive()["error"]["code"], code);
    }
    client.send(&format!("{{\"params\":{{\"text\":\"{}\",\"id\":1}},\"id\":8}}", "x".repeat(17 << 20)));
    assert_eq!(client.receive()["id"], 8, "whoever waits for it is answered");
    client.initialize();
    for (name, arguments) in [
        ("check", json!({ "pth": "dental.json" })),
        ("check", json!({ "text": "", "path": "" })),
        ("check", json!({ "text": "", "provider": "\u{1b}[2J" })),
        ("convert", json!({ "text": "{}", "to": "x".repeat(1 << 20) })),
        ("preview", json!({ "text": "{}", "kind": "none" })),
        ("rule", json!({ "id": "\u{0}" })),
    ] {
        let said = client.refusal(name, &arguments);
        assert!(!said.contains('\u{1b}') && said.len() < 3_000, "{said}");
    }
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let odd = ["", "\u{0}", "{", "%PDF-1.4", &deep, "a: &a [*a]", "\u{feff}{}", "useCase: !!binary x"];
    for text in odd {
        for tool in ["check", "questions", "preview"] {
            let answer =
                client.request("tools/call", &json!({ "name": tool, "arguments": { "text": text } }));
            assert!(answer["result"]["content"][0]["text"].is_string(), "{tool}: {answer}");
        }
    }
    // A long list is cut, and the summary counts all.
    let many = format!("[{}]", vec![HURRIED; 60].join(","));
    let answer = client.request("tools/call", &json!({ "name": "check", "arguments": { "text": many } }));
    assert!(answer.to_string().len() < 300_000);
    let note = answer["result"]["content"][1]["text"].as_str().expect("there is a note").to_owned();
    let (said, next) = note.split_once("the gravest first; call again with `from`: ").expect("it says how");
    let next: usize = next.trim_end_matches(" for more").parse().expect("a number");
    assert!(said.starts_with(&format!("note: 1 to {next} of")), "{note}");
    let rest = client.call("check", json!({ "text": many, "from": next }));
    let pages =
        [&answer["result"]["structuredContent"], &rest].map(|page| page["findings"].as_array().cloned());
    let grave = ["error", "warning", "info"];
    let rank = |finding: Value| grave.iter().position(|severity| finding["severity"] == *severity);
    assert!(pages.into_iter().flatten().flatten().map(rank).is_sorted(), "the gravest are first");
    assert_eq!(answer["result"]["structuredContent"]["summary"]["documents"], 60);
    let unknown = client.request("tools/call", &json!({ "name": "submit", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(client.request("nothing/known", &json!({}))["error"]["code"], -32601);
    client.end();
}

#[test]
fn the_server_ends_with_its_input() {
    let folder = folder("mcp-end");
    for input in [
        &b""[..],
        b"\n\n",
        b"{",
        b"\xff\xfe\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
    ] {
        let mut client = McpClient::start(&folder, &[]);
        client.stdin().write_all(input).expect("it is read");
        client.end();
    }
    // What is asked before the end is answered.
    let call = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "check", "arguments": { "path": "dental.json" } },
    });
    let mut client = McpClient::start(&folder, &[]);
    client.initialize();
    client.send(&call.to_string());
    let rest = client.end();
    assert!(rest.contains("\"id\":7") && rest.contains("\"summary\""), "{rest}");
    let ran = folder.run(&["mcp", "nowhere"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("cannot open the folder `nowhere`"), "{}", ran.err);
}
