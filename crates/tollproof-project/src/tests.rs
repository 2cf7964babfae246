//! Tests of front ends that keep texts in memory and share them between threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::{Level, Parsed, Severity};

use crate::fix::write_fixed;
use crate::*;

fn shared<T: Send + Sync>() {}

/// An editor or a server may send any of these to another thread.
#[test]
fn a_project_can_be_shared_between_threads() {
    shared::<Arc<dyn Files>>();
    shared::<Overlay>();
    shared::<ConfigFile>();
    shared::<Configs>();
    shared::<Session>();
    shared::<SessionOptions>();
    shared::<ProjectFiles>();
    shared::<CheckedText>();
    shared::<FileReport>();
    shared::<LinterOptions>();
    shared::<FoundFiles>();
    shared::<Baseline>();
    shared::<Repository>();
    shared::<OutputGuard>();
    shared::<ProjectError>();
}

/// Buffers over the disk, below a folder that does not exist there.
fn buffers(texts: &[(&str, &str)]) -> (Arc<Overlay>, PathBuf) {
    let folder = std::env::temp_dir().join(format!("tollproof-nowhere-{}", std::process::id()));
    assert!(!folder.exists(), "the texts are in memory alone");
    let overlay = Overlay::new(Arc::new(Disk));
    for (name, text) in texts {
        overlay.open(&folder.join(name), *text);
    }
    (Arc::new(overlay), folder)
}

#[test]
fn settings_rules_and_drafts_are_read_from_memory() {
    let rule = "title: A\nseverity: info\nat: businessCity\ncheck: { forbid: { any_of: [nowhere] } }\n\
                message: a\nhelp: A.\ndocs: A.\nexamples: { pass: [], fail: [] }\n";
    let (files, folder) = buffers(&[
        (CONFIG_NAME, "rule-dirs: [mine]\nrules: { house/nowhere: warning }\n"),
        ("mine/house/nowhere.yaml", rule),
        ("mine/.hidden.yaml", "not: a rule"),
        ("drafts/a.yaml", "businessCity: Nowhere\n"),
    ]);
    let draft = folder.join("drafts/a.yaml");
    let check = || {
        let session = Session::new(files.clone(), SessionOptions::default())?;
        let file = InputFile::named(&draft);
        let source = file.source(files.read(&draft).expect("it is open"), &Repository::default());
        let report = session.check(&file, &Parsed::of(&source, None))?.report;
        let found = report.findings.iter().find(|it| it.rule == "house/nowhere").map(|it| it.severity);
        Ok::<_, ProjectError>(found)
    };
    assert_eq!(check().expect("all can be used"), Some(Severity::Warning));

    // Changes the open buffer of the settings, as typing in an editor does.
    files.open(&folder.join(CONFIG_NAME), "rule-dirs: [mine]\nrules: { house/nowhere: error }\n");
    assert_eq!(check().expect("all can be used"), Some(Severity::Error));

    files.open(&folder.join(CONFIG_NAME), "rules: { house/nowhere: error }\n");
    let Err(ProjectError::Invalid(errors)) = check() else { panic!("the rule is not there any more") };
    assert!(errors[0].message.contains("is neither a rule nor a group"), "{errors:?}");
    assert!(errors[0].span.is_some());

    files.open(&folder.join(CONFIG_NAME), "rule-dirs: [none]\n");
    let Err(ProjectError::UserRules(UserRulesError::Unreadable { path, .. })) = check() else {
        panic!("there is no such folder")
    };
    assert_eq!(path, folder.join("none"));

    files.close(&folder.join(CONFIG_NAME));
    assert_eq!(check().expect("no settings"), None);
}

#[test]
fn the_nearest_settings_in_memory_count() {
    let (files, folder) = buffers(&[
        (CONFIG_NAME, "rules: { contact: info }"),
        ("deep/tollproof.yaml", "rules: { contact: error }"),
        ("top/.git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let configs = Configs::nearest(files);
    let levels = |file: &str| {
        let config = configs.of(&folder.join(file)).expect("the settings are right");
        config.levels_of(&folder.join(file)).first().map(|(_, level)| *level)
    };
    assert_eq!(levels("a.json"), Some(Level::Info));
    assert_eq!(levels("deep/er/a.json"), Some(Level::Error));
    assert_eq!(levels("top/a.json"), None, "settings above a repository do not count in it");
}

#[test]
fn a_baseline_is_read_from_memory() {
    let known = r#"{"version": 1, "findings": [{"file": "a.json", "rule": "contact/free-mail", "fingerprint": "f", "count": 2}]}"#;
    let (files, folder) = buffers(&[("known.json", known), ("other.json", "{\"version\": 7}")]);
    let read = |name: &str| Baseline::read(&*files, &folder.join(name), &[]);
    let baseline = read("known.json").expect("it is one");
    assert_eq!(baseline.stale(|_| true), 0, "the file was not checked");
    assert!(matches!(read("other.json"), Err(BaselineError::Version { found: 7, .. })));
    assert!(matches!(read("none.json"), Err(BaselineError::Unreadable { .. })));
    Baseline::read_or_begin(&*files, &folder.join("none.json"), &[]).expect("one that knows nothing");
}

#[test]
fn an_overlay_lists_what_is_open_and_what_is_on_the_disk() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let overlay = Overlay::new(Arc::new(Disk));
    overlay.open(&here.join("src/unsaved.rs"), "");
    overlay.open(&here.join("notes/a.yaml"), "a: b\n");
    let listed = overlay.list(here).expect("the folder is there");
    for name in ["Cargo.toml", "src", "notes"] {
        assert_eq!(listed.iter().filter(|it| **it == here.join(name)).count(), 1, "{name}: {listed:?}");
    }
    assert_eq!(overlay.kind(&here.join("notes")), Some(FileKind::Folder));
    assert_eq!(overlay.kind(&here.join("notes/./a.yaml")), Some(FileKind::File));
    assert_eq!(overlay.kind(&here.join("none")), None);
    // An open buffer overrides the saved file until it is closed.
    let manifest = here.join("Cargo.toml");
    overlay.open(&manifest, "changed");
    assert_eq!(overlay.read_to_string(&manifest).expect("it is open"), "changed");
    overlay.close(&manifest);
    assert!(overlay.read_to_string(&manifest).expect("it is a file").starts_with("[package]"));
    assert!(overlay.read(&here.join("none")).is_err());
}

#[test]
fn an_output_in_the_place_of_an_input_is_refused() {
    let session = Session::new(Arc::new(Disk), SessionOptions::default()).expect("nothing is named");
    let files = ["drafts/a.json", STDIN].map(|name| InputFile::named(Path::new(name)));
    let mut guard = session.output_guard(&files).expect("the settings can be used");
    guard.add(Path::new("answer.json"), InputRole::Answer);
    guard.check([Path::new("report.json"), Path::new(STDIN)]).expect("nothing is read from there");
    let conflict = guard.check([Path::new("drafts/../drafts/a.json")]).expect_err("the draft is read");
    assert_eq!(conflict.role, InputRole::Draft);
    let conflict = guard.check([Path::new("./answer.json")]).expect_err("the answer is read");
    assert_eq!(conflict.role, InputRole::Answer);
}

#[test]
fn a_fixed_text_replaces_only_what_was_checked() {
    let folder = std::env::temp_dir().join(format!("tollproof-fix-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let file = folder.join("a.yaml");
    std::fs::write(&file, "old").expect("writable");
    write_fixed(&file, "old", "new").expect("it is as it was read");
    assert!(matches!(write_fixed(&file, "old", "newer"), Err(FixError::Changed)));
    assert!(matches!(write_fixed(&folder, "old", "newer"), Err(FixError::NotAFile)));
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "new");
    assert_eq!(std::fs::read_dir(&folder).expect("it is there").count(), 1, "no temporary file is left");
    std::fs::remove_dir_all(&folder).expect("it is there");
}
