//! Tests of sessions over projects that exist only in memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use tollproof_core::{Kind, KindChoice, KindRole, Parsed, Safety, Severity, clean_document};

use crate::*;

/// A project in memory, below a folder that does not exist on the disk.
struct Project {
    files: Arc<Overlay>,
    folder: PathBuf,
}

impl Project {
    fn new(texts: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("tollproof-session-{}", std::process::id()));
        assert!(!folder.exists(), "the project is in memory alone");
        let project = Self { files: Arc::new(Overlay::new(Arc::new(Disk))), folder };
        for (name, text) in texts {
            project.files.open(&project.folder.join(name), *text);
        }
        project
    }

    fn session(&self, options: SessionOptions) -> Arc<Session> {
        Arc::new(Session::new(self.files.clone(), options).expect("nothing that is named is missing"))
    }

    fn find(&self, session: &Session, options: FindOptions) -> ProjectFiles {
        session.find(FindOptions { paths: vec![self.folder.clone()], ..options }).expect("they are found")
    }

    /// Runs a session. Returns the events, and the rules that matched in each file.
    fn run(&self, session: &Arc<Session>, found: ProjectFiles, fix: Option<FixOptions>) -> Vec<String> {
        let options = RunOptions { fix, ..RunOptions::default() };
        let said = |item: Result<RunItem, ProjectError>| match item.expect("the settings can be used") {
            RunItem::Event(event) => self.short(&event.to_string()),
            RunItem::Text(text) => {
                format!("{}: {}", self.short(&text.file.name), rules(&text.report).join(" "))
            }
        };
        session.run(Arc::new(found), options, io::empty()).map(said).collect()
    }

    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.display()), "")
    }

    /// Checks the open buffer of a file, as an editor does.
    fn check(&self, session: &Session, name: &str) -> FileReport {
        let file = InputFile::named(&self.folder.join(name));
        let bytes = self.files.read(file.place()).expect("it is open");
        let source = file.source(bytes, &Repository::default());
        session.check(&file, &Parsed::of(&source, None)).expect("the settings can be used")
    }
}

/// The next text of a run.
fn next_text(run: &mut Run) -> Box<CheckedText> {
    match run.next().expect("there is a text").expect("nothing is wrong with the settings") {
        RunItem::Text(text) => text,
        RunItem::Event(event) => panic!("{event}"),
    }
}

fn rules(file: &FileReport) -> Vec<&str> {
    file.report.findings.iter().map(|it| it.rule.as_ref()).collect()
}

/// A valid draft, except for one field.
fn draft(field: &str, value: &str) -> String {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft[field] = value.into();
    draft.to_string()
}

#[test]
fn an_open_buffer_counts_instead_of_its_file() {
    let folder = std::env::temp_dir().join(format!("tollproof-buffer-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("writable");
    let path = folder.join("a.json");
    fs::write(&path, draft("businessContactEmail", "no address")).expect("writable");
    let project = Project { files: Arc::new(Overlay::new(Arc::new(Disk))), folder: folder.clone() };
    let session = project.session(SessionOptions::default());
    let broken = rules(&project.check(&session, "a.json")).join(" ");
    assert!(!broken.is_empty());

    project.files.open(&path, clean_document(Kind::of(KindRole::Submit)).to_string());
    assert_eq!(rules(&project.check(&session, "a.json")), [""; 0]);
    let found = project.find(&session, FindOptions::default());
    assert_eq!(project.run(&session, found, None), ["a.json: "], "a run reads the buffer too");

    project.files.close(&path);
    let found = project.find(&session, FindOptions::default());
    assert_eq!(project.run(&session, found, None), [format!("a.json: {broken}")]);
    fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn a_run_checks_files_in_order_by_the_settings_of_their_folders() {
    let twice = draft("businessName", "Cedar Hollow Auto Care LLC");
    let project = Project::new(&[
        (
            CONFIG_NAME,
            "exclude: [old]\nignore: [{ rule: contact/free-mail, reason: known, files: a.json }]\n",
        ),
        ("a.json", &clean_document(Kind::of(KindRole::Submit)).to_string()),
        ("b/tollproof.yaml", "rules: { structure/missing-field: warning }"),
        ("b/a.json", "{\"businessName\": \"Acme\"}"),
        ("c.json", &twice),
        ("old/d.json", "{}"),
        ("package.json", "{}"),
        ("notes.txt", "no draft"),
        (".hidden/e.json", &twice),
    ]);
    let session = project.session(SessionOptions::default());
    let found = project.find(&session, FindOptions::default());
    let reasons: Vec<_> = found.checked.skipped.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [SkipReason::Settings, SkipReason::Excluded, SkipReason::Settings]);
    let said = project.run(&session, found, None);
    let names: Vec<_> = said.iter().map(|line| line.split(':').next().expect("there is one")).collect();
    assert_eq!(names, ["a.json", "b/a.json", "c.json", "package.json", "tollproof.yaml"]);
    assert_eq!(said[0], "a.json: ");
    assert!(said[1].contains("structure/missing-field"), "{said:?}");
    // The numbers of earlier files in the run are known.
    assert!(said[2].contains("history/duplicate-in-batch"), "{said:?}");
    assert_eq!(said[4], "tollproof.yaml: config/unused-ignore");
}

#[test]
fn what_cannot_be_read_is_an_event_and_the_run_goes_on() {
    let project = Project::new(&[("a.json", &clean_document(Kind::of(KindRole::Submit)).to_string())]);
    let session = project.session(SessionOptions::default());
    let paths = ["none.json", "a.json", "no-folder/b.json"].map(|it| project.folder.join(it)).to_vec();
    let found = session.find(FindOptions { paths, ..FindOptions::default() }).expect("names are enough");
    let mut said = project.run(&session, found, None);
    said.sort();
    let why = "no such file or directory";
    let expected = [
        "a.json: ".to_owned(),
        format!("cannot open `no-folder/b.json`: {why}"),
        format!("cannot open `none.json`: {why}"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn standard_input_is_read_where_it_is_named() {
    let session = Session::new(Arc::new(Disk), SessionOptions::default()).expect("nothing is named");
    let paths = vec![PathBuf::from(STDIN)];
    let found = session.find(FindOptions { paths, ..FindOptions::default() }).expect("it needs no file");
    let text = draft("useCaseSummary", "");
    let session = Arc::new(session);
    let mut run = session.run(Arc::new(found), RunOptions::default(), io::Cursor::new(text));
    let text = next_text(&mut run);
    assert_eq!((text.file.name.as_str(), rules(&text.report)), (UNNAMED, vec!["structure/empty-field"]));
    assert!(run.next().is_none());
    assert!(run.lacks_history(), "the draft names a number");
}

#[test]
fn a_preview_of_fixes_writes_nothing() {
    let text = draft("useCase", "2fa");
    let project = Project::new(&[("a.json", &text)]);
    let session = project.session(SessionOptions::default());
    let found = project.find(&session, FindOptions::default());
    let fix = FixOptions { reach: Safety::Safe, least: Severity::Info, write: false };
    let found = Arc::new(found);
    let run = |fix| {
        let options = RunOptions { fix: Some(fix), ..RunOptions::default() };
        next_text(&mut session.run(Arc::clone(&found), options, io::empty())).report
    };
    let file = run(fix);
    let FixOutcome::Preview { source, count: 1 } = &file.fix else { panic!("{:?}", file.fix) };
    assert_eq!(source.text(), text.replace("\"2fa\"", "\"2FA\""));
    assert!(rules(&file).contains(&"use-case/unknown-use-case"), "what is reported is what is there");
    // The file does not exist on the disk, so writing it fails.
    let file = run(FixOptions { write: true, ..fix });
    assert!(matches!(file.fix, FixOutcome::Failed(_)), "{:?}", file.fix);
}

#[test]
fn a_report_is_left_out_and_a_draft_is_not_replaced() {
    let clean = clean_document(Kind::of(KindRole::Submit)).to_string();
    let report = "{\"version\": 1, \"findings\": [], \"summary\": {}}";
    let project = Project::new(&[("a.json", &clean), ("report.json", report), ("other.json", "{}")]);
    let session = project.session(SessionOptions::default());
    let find = |name: &str| {
        let reports = vec![project.folder.join(name)];
        session.find(FindOptions { paths: vec![project.folder.clone()], reports, ..FindOptions::default() })
    };
    let found = find("report.json").expect("it is not a draft");
    let names: Vec<_> = found.checked.files.iter().map(|it| project.short(&it.name)).collect();
    assert_eq!(names, ["a.json", "other.json"]);
    let Err(ProjectError::OutputConflict(conflict)) = find("a.json") else { panic!("it is a draft") };
    assert_eq!((conflict.path, conflict.role), (project.folder.join("a.json"), InputRole::Draft));
}

#[test]
fn a_record_belongs_to_one_update() {
    let update = clean_document(Kind::of(KindRole::Update)).to_string();
    let record = clean_document(Kind::of(KindRole::Record)).to_string();
    let submit = clean_document(Kind::of(KindRole::Submit)).to_string();
    let project =
        Project::new(&[("record.json", &record), ("update.json", &update), ("submit.json", &submit)]);
    let options = |kind: Option<Kind>| SessionOptions {
        record: Some(project.folder.join("record.json")),
        kind: kind.map(KindChoice::from).unwrap_or_default(),
        ..SessionOptions::default()
    };
    let check = |name: &str, kind| {
        let file = InputFile::named(&project.folder.join(name));
        let bytes = project.files.read(file.place()).expect("it is open");
        let source = file.source(bytes, &Repository::default());
        project.session(options(kind)).check(&file, &Parsed::of(&source, None)).map(|it| it.report.documents)
    };
    assert_eq!(check("update.json", Some(Kind::of(KindRole::Update))).expect("it is one"), 1);
    let refused = check("submit.json", None).expect_err("it is none");
    assert!(matches!(refused, ProjectError::Record(RecordError::NotAnUpdate)), "{refused}");
    let session = project.session(options(Some(Kind::of(KindRole::Update))));
    let paths = ["update.json", "submit.json"].map(|it| project.folder.join(it)).to_vec();
    let found = session.find(FindOptions { paths, ..FindOptions::default() }).expect("they are found");
    let mut run = session.run(Arc::new(found), RunOptions::default(), io::empty());
    let refused = run.next().expect("there is something").expect_err("there are two");
    assert!(matches!(refused, ProjectError::Record(RecordError::SeveralDrafts)), "{refused}");
}

/// Counts how often each file is read.
#[derive(Debug)]
struct Counting(Arc<Overlay>, Mutex<BTreeMap<PathBuf, usize>>);

impl Files for Counting {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        *self.1.lock().expect("no reader panics").entry(path.to_owned()).or_default() += 1;
        self.0.read(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.list(folder)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.0.kind(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.0.is_link(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonical(path)
    }

    fn in_memory(&self, folder: &Path) -> Vec<PathBuf> {
        self.0.in_memory(folder)
    }
}

#[test]
fn a_run_reads_each_file_once() {
    let clean = clean_document(Kind::of(KindRole::Submit)).to_string();
    let settings = "ignore: [{ rule: contact/free-mail, reason: known, files: a.json }]\n";
    let project = Project::new(&[(CONFIG_NAME, settings), ("a.json", &clean), ("b/c.json", &clean)]);
    let files = Arc::new(Counting(Arc::clone(&project.files), Mutex::default()));
    let session = Session::new(files.clone(), SessionOptions::default()).expect("nothing is named");
    let session = Arc::new(session);
    let also_read = vec![project.folder.join("b")];
    let paths = vec![project.folder.join("a.json")];
    let found =
        session.find(FindOptions { paths, also_read, ..FindOptions::default() }).expect("they are found");
    let fix = FixOptions { reach: Safety::Unsafe, least: Severity::Info, write: false };
    assert_eq!(project.run(&session, found, Some(fix)).len(), 2, "a draft and its settings");
    for name in ["a.json", "b/c.json", CONFIG_NAME] {
        assert_eq!(files.1.lock().expect("no reader panics")[&project.folder.join(name)], 1, "{name}");
    }
}

#[test]
fn threads_may_check_at_once() {
    let project = Project::new(&[("a.json", &draft("useCaseSummary", ""))]);
    let session = project.session(SessionOptions::default());
    let found: Vec<Vec<String>> = std::thread::scope(|scope| {
        let check = || rules(&project.check(&session, "a.json")).into_iter().map(str::to_owned).collect();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(check)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no check fails")).collect()
    });
    assert_eq!(found, vec![vec!["structure/empty-field".to_owned()]; 4]);
    assert_eq!(session.configs().of(Path::new("a.json")).expect("none").path, None);
}
