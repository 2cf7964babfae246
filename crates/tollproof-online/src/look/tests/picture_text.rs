//! Words of pictures: what a program in the place of Tesseract gets, and what becomes of all that it may do.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::picture::GreyPicture;
use super::super::picture_text::TextReader;

/// A folder with a program of this name in it, which is gone in the end.
struct Fake(PathBuf);

impl Fake {
    /// A program that lists languages, and does as a script says with a picture.
    fn new(name: &str, languages: &str, script: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tollproof-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("it can be made");
        let program = format!(
            "#!/bin/sh\nif [ \"$1\" = --list-langs ]; then printf 'List (9):\\n{languages}'; exit; fi\n{script}\n"
        );
        fs::write(folder.join("tesseract"), program).expect("it can be written");
        fs::set_permissions(folder.join("tesseract"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        Self(folder)
    }

    fn reader(&self) -> TextReader {
        TextReader::new(Some(&self.0.join("tesseract")))
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it can be removed");
    }
}

fn read(reader: &TextReader) -> Result<String, &'static str> {
    reader.read(&GreyPicture { width: 3, pixels: b"abcdef".to_vec() }, &|| false)
}

#[test]
fn the_program_gets_the_picture_and_little_else() {
    let script = "echo \"$@\"; cat; echo; env | sort; pwd";
    let fake = Fake::new("words-given", "deu\\neng\\nosd\\nscript/Latin\\nspa\\n", script);
    let text = read(&fake.reader()).expect("it is read");
    let mut lines: Vec<&str> = text.lines().collect();
    let known =
        ["LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "PWD", "TESSDATA_PREFIX", "OLDPWD", "SHLVL", "_"];
    lines.retain(|line| !line.split_once('=').is_some_and(|(name, _)| known.contains(&name)));
    let folder = fake.0.to_string_lossy();
    let expected =
        ["stdin stdout -l eng+spa", "P5", "3 2", "255", "abcdef", "OMP_THREAD_LIMIT=1", folder.as_ref()];
    assert_eq!(lines, expected);
    for (languages, expected) in [
        ("deu\\nosd\\n", Ok("stdin stdout -l deu".to_owned())),
        ("osd\\n../../etc\\n", Err("tesseract-no-language")),
        ("", Err("tesseract-no-language")),
    ] {
        assert_eq!(read(&Fake::new("words-other", languages, "echo \"$@\"").reader()), expected);
    }
}

#[test]
fn whatever_the_program_does_ends_and_has_a_reason() {
    for (name, script, expected) in [
        ("fails", "echo Reply STOP; exit 1", Err("tesseract-failed")),
        ("floods", "yes Reply STOP", Err("tesseract-too-long")),
        ("bytes", "printf '\\377\\376'", Err("tesseract-not-text")),
        ("empty", "true", Ok("")),
        (
            "escapes",
            "printf '  Reply\\033[31m  STOP\\t\\r\\n[|\\n\\f\\nHELP \\000'",
            Ok("Reply [31m STOP\nHELP"),
        ),
    ] {
        let fake = Fake::new(&format!("words-{name}"), "eng\\n", script);
        assert_eq!(read(&fake.reader()), expected.map(str::to_owned), "{name}");
    }
    let fake = Fake::new("words-hangs", "eng\\n", "sleep 600 & sleep 600");
    let mut reader = fake.reader();
    reader.timeout = Duration::from_millis(300);
    let started = Instant::now();
    assert_eq!(read(&reader), Err("tesseract-too-slow"));
    let stopped = fake.reader().read(&GreyPicture { width: 1, pixels: vec![0; 25 << 20] }, &|| {
        started.elapsed() > Duration::from_millis(600)
    });
    assert_eq!(stopped, Err("stopped"));
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(read(&TextReader::new(None)), Err("no-tesseract"));
    for missing in ["/nowhere/tesseract", "no-such-program", "./no-such-program", "", "/"] {
        assert_eq!(
            read(&TextReader::new(Some(Path::new(missing)))),
            Err("tesseract-not-started"),
            "{missing}"
        );
    }
}
