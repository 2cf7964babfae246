//! The GitHub action: its steps are run as they stand in `action.yml`.

use std::collections::BTreeMap;
use std::fs;

use serde_yaml::Value;

use super::{HOSTILE, INSTALL, built, path_with, run, stub, text_of, yaml_of};
use crate::support::{Folder, Ran};

/// GitHub's start of a step of `shell: bash`.
const BASH: [&str; 6] = ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"];

/// The action's view of a pull request's token.
const READ_ONLY: &str = "github.event_name == 'pull_request' && (github.event.pull_request.head.repo.full_name != \
                         github.repository || github.actor == 'dependabot[bot]')";

/// A repository on a runner.
struct Runner {
    folder: Folder,
    /// Whether the token may not write.
    read_only: bool,
}

/// The results of a run of the action.
#[derive(Debug)]
struct Done {
    check: Ran,
    outputs: BTreeMap<String, String>,
    summary: String,
    /// The code scanning upload.
    sent: Option<String>,
    /// Status of the last step; none if it was left out.
    judged: Option<i32>,
}

impl Runner {
    fn new(name: &str) -> Self {
        let good = text_of("tests/drafts/harbor-dental.json");
        let bad = text_of("tests/drafts/cedar-auto.json");
        let folder = Folder::new(&format!("action-{name}"))
            .file("work/good/harbor dental.json", good)
            .file("work/bad/cedar-auto.json", bad)
            .file("work/.git/HEAD", "ref: refs/heads/main\n");
        Self { folder, read_only: false }
    }

    /// Runs the steps in their order, as GitHub does.
    fn run(&self, inputs: &[(&str, &str)]) -> Done {
        let action = yaml_of("action.yml");
        let known = action["inputs"].as_mapping().expect("the action has inputs");
        let given =
            |name: &str| inputs.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        for (name, _) in inputs {
            assert!(known.contains_key(*name), "the action has no input `{name}`");
        }
        let steps = steps(&action);
        let [install, check, send, judge] = &steps[..] else { panic!("the action has four steps") };
        let input = |name: &str| {
            let default = || known[name]["default"].as_str().expect("every input has a default").to_owned();
            given(name).unwrap_or_else(default)
        };
        let read_only = self.read_only.to_string();
        let ran = self.step(install, &|_| panic!("installing needs nothing from outside"));
        assert_eq!(ran.code, Some(0), "{ran:?}");

        let check = self.step(check, &|expression| match expression.strip_prefix("inputs.") {
            Some(name) => input(name),
            None if expression == READ_ONLY => read_only.clone(),
            None => panic!("who would know `{expression}`?"),
        });
        let outputs: BTreeMap<String, String> = self
            .left("output")
            .lines()
            .map(|line| line.split_once('=').unwrap_or_else(|| panic!("no output: {line:?}")))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();

        let summary = self.left("summary");
        assert_eq!(send["if"].as_str(), Some("steps.check.outputs.upload != ''"));
        assert_eq!(send["with"]["sarif_file"].as_str(), Some("${{ steps.check.outputs.upload }}"));
        let sent = outputs.get("upload").filter(|_| check.code == Some(0));
        let sent = sent.map(|path| fs::read_to_string(path).expect("what is sent is there"));

        let condition = "${{ !cancelled() && steps.check.outputs.exit-status != '' }}";
        assert_eq!(judge["if"].as_str(), Some(condition));
        let judged = outputs.get("exit-status").map(|status| {
            let ran = self.step(judge, &|expression| match expression {
                "steps.check.outputs.exit-status" => status.clone(),
                _ => panic!("who would know `{expression}`?"),
            });
            ran.code.expect("no signal ends it")
        });
        Done { check, outputs, summary, sent, judged }
    }

    /// Runs one step; `value_of` knows what stands between `${{` and `}}`.
    fn step(&self, step: &Value, value_of: &dyn Fn(&str) -> String) -> Ran {
        let work = self.folder.0.join("work");
        let temp = self.folder.0.join("temp");
        fs::create_dir_all(&temp).expect("writable");
        let file = |name: &str| self.folder.0.join(name).display().to_string();
        for name in ["output", "path", "summary"] {
            fs::write(file(name), "").expect("writable");
        }
        let mut env = BTreeMap::from([
            ("GITHUB_OUTPUT", file("output")),
            ("GITHUB_PATH", file("path")),
            ("GITHUB_STEP_SUMMARY", file("summary")),
            ("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR").to_owned()),
            ("RUNNER_TEMP", temp.display().to_string()),
            ("PATH", path_with(&[&self.folder.0.join("stubs"), &built()])),
        ]);
        for (name, value) in step["env"].as_mapping().into_iter().flatten() {
            let text = value.as_str().expect("it is a text");
            let expression = text.strip_prefix("${{ ").and_then(|it| it.strip_suffix(" }}"));
            env.insert(
                name.as_str().expect("it is a name"),
                expression.map_or_else(|| text.to_owned(), value_of),
            );
        }
        run(&BASH, step["run"].as_str().expect("the step has a script"), &work, &env)
    }

    fn left(&self, name: &str) -> String {
        fs::read_to_string(self.folder.0.join(name)).expect("the step was given this file")
    }
}

fn steps(action: &Value) -> Vec<&Value> {
    action["runs"]["steps"].as_sequence().expect("the action has steps").iter().collect()
}

#[test]
fn scripts_hold_no_expressions() {
    let action = yaml_of("action.yml");
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    for step in steps(&action) {
        if let Some(script) = step["run"].as_str() {
            assert!(!script.contains("${{"), "{script}");
            assert_eq!(step["shell"].as_str(), Some("bash"), "{script}");
        }
    }
    for (name, output) in action["outputs"].as_mapping().expect("the action has outputs") {
        let name = name.as_str().expect("it is a name");
        assert_eq!(output["value"], Value::from(format!("${{{{ steps.check.outputs.{name} }}}}")));
    }
}

#[test]
fn the_page_lists_all_inputs() {
    let page = text_of("docs/pipelines.md");
    for (name, input) in yaml_of("action.yml")["inputs"].as_mapping().expect("the action has inputs") {
        let (name, default) = (name.as_str(), input["default"].as_str());
        let default = default.filter(|it| !it.is_empty()).map(|it| format!("`{it}` ")).unwrap_or_default();
        let row = format!("\n| `{}` | {default}| ", name.expect("it is a name"));
        assert!(page.contains(&row), "docs/pipelines.md has no row{row}");
    }
}

#[test]
fn findings_are_annotations_and_fail_the_run() {
    let runner = Runner::new("annotations");
    let done = runner.run(&[]);
    assert_eq!(done.check.code, Some(0), "{done:?}");
    let line = done.check.out.lines().find(|line| line.contains("contact/free-mail"));
    let line = line.unwrap_or_else(|| panic!("{done:?}"));
    assert!(line.starts_with("::error file=bad/cedar-auto.json,line=10,"), "{line}");
    assert_eq!(done.outputs, BTreeMap::from([("exit-status".to_owned(), "1".to_owned())]));
    assert!(done.summary.contains("contact/free-mail"), "{done:?}");
    assert_eq!(done.sent, None);
    assert_eq!(done.judged, Some(1));
}

#[test]
fn a_clean_repository_passes() {
    let runner = Runner::new("clean");
    for (inputs, shown) in [
        (&[("paths", "good/harbor dental.json")][..], true),
        (&[("paths", "\n  \ngood\r\n"), ("summary", "false")], false),
        (&[("working-directory", "good")], true),
        (&[("paths", "bad"), ("fail-on", "never")], true),
        (&[("paths", "bad"), ("args", "--select=record\n--min-severity=info")], true),
    ] {
        let done = runner.run(inputs);
        assert_eq!(done.judged, Some(0), "{done:?}");
        assert_eq!(!done.summary.is_empty(), shown, "{done:?}");
    }
}

#[test]
fn sarif_is_sent_where_the_run_may_write() {
    let mut runner = Runner::new("sarif");
    let done = runner.run(&[("mode", "sarif")]);
    assert_eq!(done.judged, Some(1), "{done:?}");
    assert_eq!(done.outputs["sarif-file"], "./tollproof.sarif");
    let text = fs::read_to_string(runner.folder.0.join("work/tollproof.sarif")).expect("it is written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("SARIF is JSON");
    assert!(report["runs"][0]["results"].as_array().is_some_and(|it| !it.is_empty()), "{report}");
    let sent: serde_json::Value =
        serde_json::from_str(done.sent.as_deref().unwrap_or_default()).expect("it is sent");
    assert_eq!(sent, report);
    // A report for people cannot give orders to the runner.
    let (opening, report) = done.check.out.split_once('\n').expect("it has lines");
    let seal = opening.strip_prefix("::stop-commands::").unwrap_or_else(|| panic!("{done:?}"));
    assert!(seal.len() == 32 && report.ends_with(&format!("\n::{seal}::\n")), "{done:?}");
    assert!(report.contains("error[contact/free-mail]"), "{done:?}");
    assert!(done.summary.contains("contact/free-mail"), "{done:?}");
    assert!(!report.contains("::error"), "{done:?}");

    let done =
        runner.run(&[("mode", "both"), ("working-directory", "bad"), ("sarif-file", "out of here.sarif")]);
    assert!(done.sent.is_some() && done.check.out.contains("::error file=bad/cedar-auto.json,"), "{done:?}");
    assert_eq!(done.outputs["sarif-file"], "bad/out of here.sarif");
    assert!(runner.folder.0.join("work/bad/out of here.sarif").exists());

    let done = runner.run(&[("mode", "sarif"), ("upload", "false")]);
    assert!(done.sent.is_none() && done.outputs.contains_key("sarif-file"), "{done:?}");

    // What is suppressed is taken out on the way, where the runner can do that.
    stub(&runner.folder, "jq", "");
    let done = runner.run(&[("mode", "sarif")]);
    let called = "jq del(.runs[].results[] | select(.suppressions))\n";
    assert!(done.sent.is_some_and(|it| it.starts_with(called)));

    runner.read_only = true;
    for mode in ["sarif", "both"] {
        let done = runner.run(&[("mode", mode)]);
        assert_eq!(done.sent, None);
        assert!(done.check.out.contains("::error file=bad/cedar-auto.json,"), "{done:?}");
        assert_eq!(done.judged, Some(1), "{done:?}");
    }
}

#[test]
fn a_run_that_could_not_be_done_fails_and_is_not_sent() {
    let runner = Runner::new("unable");
    for inputs in [
        &[("paths", "nowhere"), ("mode", "sarif")][..],
        &[("paths", "good\nnowhere.json"), ("mode", "sarif")],
        &[("args", "--no-such-option"), ("mode", "sarif")],
        &[("config", "nowhere.yaml")],
        &[("fail-on", "sometimes")],
    ] {
        let done = runner.run(inputs);
        assert_eq!(done.judged, Some(2), "{done:?}");
        assert!(done.sent.is_none() && !done.outputs.contains_key("sarif-file"), "{done:?}");
        assert!(done.check.err.contains("error: "), "{done:?}");
    }
    for (name, value) in [("mode", "all"), ("upload", "yes"), ("summary", ""), ("sarif-file", "")] {
        let done = runner.run(&[(name, value)]);
        assert_eq!((done.check.code, done.judged), (Some(2), None), "{done:?}");
        let said = "::error title=tollproof::the input";
        assert!(done.check.out.starts_with(said) && done.check.out.contains(name), "{done:?}");
    }
}

#[test]
fn values_are_no_programs() {
    let action = yaml_of("action.yml");
    for name in action["inputs"].as_mapping().expect("the action has inputs").keys() {
        let name = name.as_str().expect("it is a name");
        let runner = Runner::new("hostile");
        for value in HOSTILE {
            for mode in ["annotations", "sarif"] {
                let mode = [("mode", mode), (name, value)];
                let done = runner.run(if name == "mode" { &mode[1..] } else { &mode });
                let work = runner.folder.0.join("work");
                assert!(!work.join("pwned").exists(), "{name}: {value:?}: {done:?}");
                let known = ["exit-status", "sarif-file", "upload"];
                assert!(
                    done.outputs.keys().all(|name| known.contains(&name.as_str())),
                    "{name}: {value:?}: {done:?}"
                );
                // Blank paths and arguments are none; nothing else of this leaves a run that finds what is there.
                let is_clean = done.judged == Some(0);
                assert!(!is_clean, "{name}: {value:?}: {done:?}");
                assert!(!done.check.out.contains("\n::set-output"), "{name}: {value:?}: {done:?}");
            }
        }
    }
}

#[test]
fn tollproof_is_built_where_it_is_not_there() {
    let runner = Runner::new("install");
    let install = yaml_of("action.yml");
    let script = steps(&install)[0]["run"].as_str().expect("it has a script").to_owned();
    let place = |name: &str| runner.folder.0.join(name).display().to_string();
    stub(&runner.folder, "cargo", INSTALL);
    let env = BTreeMap::from([
        ("GITHUB_PATH", place("path")),
        ("GITHUB_ACTION_PATH", place("work")),
        ("RUNNER_TEMP", place("temp folder")),
        ("PATH", path_with(&[&runner.folder.0.join("stubs")])),
    ]);
    let ran = run(&BASH, &script, &runner.folder.0, &env);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let root = place("temp folder/tollproof");
    let called = format!(
        "cargo install --locked --root {root} --path . --features json-schema,postgres\n{}\n",
        place("work")
    );
    assert!(ran.out.starts_with(&called), "{ran:?}");
    assert_eq!(runner.left("path"), format!("{root}/bin\n"));
}
