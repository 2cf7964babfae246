//! The GitLab template: its lines are run as they stand.

use std::collections::BTreeMap;
use std::fs;

use super::{HOSTILE, INSTALL, built, path_with, run, stub, text_of, yaml_of};
use crate::support::{Folder, Ran};

/// The runner's start of a job in an image that has no bash.
const SH: [&str; 2] = ["/bin/sh", "-ec"];

fn repository(name: &str) -> Folder {
    Folder::new(&format!("gitlab-{name}"))
        .file("work/good/harbor dental.json", text_of("tests/drafts/harbor-dental.json"))
        .file("work/.git/HEAD", "ref: refs/heads/main\n")
        .file("work/bad/cedar-auto.json", text_of("tests/drafts/cedar-auto.json"))
}

/// Lines of the job, joined as the runner joins them.
fn lines(keys: &[&str]) -> String {
    let template = yaml_of(".gitlab/tollproof.gitlab-ci.yml");
    let job = &template["tollproof"];
    let lines = keys.iter().flat_map(|&key| job[key].as_sequence().expect("the job has a script"));
    lines.map(|line| line.as_str().expect("it is a text")).collect::<Vec<_>>().join("\n")
}

fn job(folder: &Folder, variables: &[(&'static str, &str)]) -> Ran {
    let mut env: BTreeMap<_, _> = variables.iter().map(|&(name, value)| (name, value.to_owned())).collect();
    env.insert("PATH", path_with(&[&built()]));
    run(&SH, &lines(&["before_script", "script"]), &folder.0.join("work"), &env)
}

#[test]
fn the_page_lists_all_variables() {
    let (page, template) = (text_of("docs/pipelines.md"), text_of(".gitlab/tollproof.gitlab-ci.yml"));
    let names = template.split(|character: char| !character.is_ascii_uppercase() && character != '_');
    for name in names.filter(|it| it.starts_with("TOLLPROOF_")) {
        assert!(page.contains(&format!("`{name}`")), "docs/pipelines.md does not name {name}");
    }
}

#[test]
fn findings_fail_the_job_and_go_into_its_reports() {
    let folder = repository("findings");
    let ran = job(&folder, &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("error[contact/free-mail]"), "{ran:?}");
    let template = yaml_of(".gitlab/tollproof.gitlab-ci.yml");
    let reports = &template["tollproof"]["artifacts"]["reports"];
    let report = |name: &str| {
        let path = reports[name].as_str().expect("the job has this report");
        fs::read_to_string(folder.0.join("work").join(path)).expect("it is written")
    };
    let quality: serde_json::Value = serde_json::from_str(&report("codequality")).expect("it is JSON");
    assert_eq!(quality[0]["location"]["path"], "bad/cedar-auto.json", "{quality}");
    assert!(report("junit").contains("bad/cedar-auto.json"));
}

#[test]
fn variables_narrow_it() {
    let folder = repository("variables");
    for variables in [
        &[("TOLLPROOF_PATHS", "good/harbor dental.json")][..],
        &[("TOLLPROOF_PATHS", "good\n\n")],
        &[("TOLLPROOF_FAIL_ON", "never")],
        &[("TOLLPROOF_ARGS", "--select=record\n--min-severity=info\n")],
    ] {
        let ran = job(&folder, variables);
        assert_eq!(ran.code, Some(0), "{variables:?}: {ran:?}");
    }
    let ran = job(&folder, &[("TOLLPROOF_PATHS", "nowhere")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn values_are_no_programs() {
    for name in ["TOLLPROOF_PATHS", "TOLLPROOF_FAIL_ON", "TOLLPROOF_ARGS"] {
        for value in HOSTILE {
            let folder = repository("hostile");
            let ran = job(&folder, &[(name, value)]);
            assert!(!folder.0.join("work/pwned").exists(), "{name}: {value:?}: {ran:?}");
            assert!(matches!(ran.code, Some(1 | 2)), "{name}: {value:?}: {ran:?}");
        }
    }
}

#[test]
fn tollproof_is_built_where_it_is_not_there() {
    let folder = repository("install");
    stub(&folder, "git", "test \"$1\" != clone || mkdir -p \"${5:?}\"");
    stub(&folder, "cargo", INSTALL);
    let path = path_with(&[&folder.0.join("stubs")]);
    let mut env = BTreeMap::from([("PATH", path), ("TMPDIR", folder.0.display().to_string())]);
    let script = lines(&["before_script"]);
    let ran = run(&SH, &script, &folder.0.join("work"), &env);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("set TOLLPROOF_REPOSITORY"), "{ran:?}");

    env.insert("TOLLPROOF_REPOSITORY", "https://git.example/it's/tollproof".to_owned());
    env.insert("TOLLPROOF_REVISION", "v1; touch pwned".to_owned());
    let ran = run(&SH, &script, &folder.0.join("work"), &env);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("git clone --quiet -- https://git.example/it's/tollproof "), "{ran:?}");
    assert!(ran.out.contains("git checkout --quiet --detach v1; touch pwned --\n"), "{ran:?}");
    assert!(ran.out.contains("cargo install --locked --root "), "{ran:?}");
    assert!(!folder.0.join("work/pwned").exists());
}
