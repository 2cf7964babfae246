//! The source of the reader: the user's settings, the environment, the command line, and never a project.

use super::*;

/// Runs a command with settings of the user's own and variables.
fn with(folder: &Folder, settings: Option<&str>, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut command = command(folder, args);
    if let Some(settings) = settings {
        let own = folder.0.join("own");
        fs::create_dir_all(&own).expect("writable");
        fs::write(own.join("settings.yaml"), settings).expect("writable");
        command.env("TOLLPROOF_SETTINGS", own.join("settings.yaml"));
    }
    command.envs(variables.iter().copied());
    Ran::new(command.output().expect("tollproof starts"))
}

#[test]
fn the_command_line_goes_before_the_environment_before_the_settings() {
    let servers = [Server::good(), Server::good(), Server::good()];
    let folder = Folder::new("read-chosen").file("draft.json", DRAFT);
    let asked = || servers.each_ref().map(|server| server.asked().len());
    let settings = format!("reader: {{ kind: openai, url: '{}/v1', model: of-settings }}\n", servers[0].url);
    let read = ["read", "--again", "draft.json"];
    let ran = with(&folder, Some(&settings), &[], &read);
    assert_eq!((ran.code, asked()), (Some(0), [1, 0, 0]), "{ran:?}");
    let url = format!("{}/v1", servers[1].url);
    let variables = [("TOLLPROOF_READER_URL", url.as_str())];
    let ran = with(&folder, Some(&settings), &variables, &read);
    assert_eq!((ran.code, asked()), (Some(0), [0, 1, 0]), "{ran:?}");
    assert!(ran.err.contains(", model of-settings about"), "the rest is that of the settings: {ran:?}");
    let url = format!("--url={}/v1", servers[2].url);
    let ran = with(&folder, Some(&settings), &variables, &[&read[..], &[&url, "--model=typed"]].concat());
    assert_eq!((ran.code, asked()), (Some(0), [0, 0, 1]), "{ran:?}");
    assert!(ran.err.contains(", model typed about"), "{ran:?}");
}

#[test]
fn a_project_names_no_reader() {
    let server = Server::good();
    let line = format!("reader: {{ kind: openai, url: '{}/v1' }}\n", server.url);
    let folder = Folder::new("read-project").file("draft.json", DRAFT).file("tollproof.yaml", &line);
    let options = server.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    for args in [vec!["read"], [&["read"], &options[..]].concat(), vec!["check", "draft.json"]] {
        let ran = run(&folder, &args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("`reader`"), "{ran:?}");
    }
    // A file of settings in the project is not found either.
    let folder = Folder::new("read-project-own").file("draft.json", DRAFT).file("settings.yaml", &line);
    let ran = run(&folder, &["read"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no reader is named, and none was found on this machine"), "{ran:?}");
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn a_reader_that_is_not_whole_is_named_before_anything_is_sent() {
    let folder = Folder::new("read-incomplete").file("draft.json", DRAFT);
    for (args, words) in [
        (vec!["--model=m"], "how is the reader asked?"),
        (vec!["--reader=openai"], "the reader `openai` needs a `url`"),
        (vec!["--reader=anthropic"], "the reader `anthropic` needs a `model`"),
        (vec!["--reader=command"], "the reader `command` needs a `command`"),
        (vec!["--reader=openai", "--url=http://reader.example/v1"], "is not an https address"),
        (vec!["--reader=openai", "--url=http://u:moonstone@127.0.0.1/v1"], ""),
        (vec!["--reader=openai", "--url=nonsense"], "`nonsense` is not the address of a server"),
        (
            vec!["--reader=openai", "--url=http://127.0.0.1:1/", "--command=x"],
            "`command` is not for the reader `openai`",
        ),
        (vec!["--reader=wizard"], "unknown reader `wizard`"),
        (vec!["--jobs=0"], "--jobs"),
        (vec!["--max-drafts=0"], "--max-drafts"),
    ] {
        let ran = run(&folder, &[&["read"], &args[..]].concat());
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        assert!(ran.err.contains(words) && !ran.err.contains("moonstone"), "{args:?}: {ran:?}");
    }
    assert!(!folder.0.join(STORE).exists());
}

#[cfg(unix)]
#[test]
fn a_key_comes_from_a_program_and_is_for_its_own_server() {
    let servers = [Server::good(), Server::good()];
    let settings = format!(
        "reader: {{ kind: openai, url: '{}/v1', key-command: [sh, -c, 'echo {KEY}'] }}\n",
        servers[0].url
    );
    let folder = Folder::new("read-key").file("draft.json", DRAFT);
    let ran = with(&folder, Some(&settings), &[], &["read"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(servers[0].asked()[0].head.to_lowercase().contains(&format!("bearer {KEY}")));
    let url = format!("--url={}/v1", servers[1].url);
    let ran = with(&folder, Some(&settings), &[], &["read", "--again", &url]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let [asked] = &servers[1].asked()[..] else { panic!("it is asked") };
    assert!(
        !asked.head.to_lowercase().contains("authorization"),
        "the key was set for another server: {asked:?}"
    );
    assert!(!format!("{ran:?}").contains("moonstone"));
}

#[cfg(unix)]
#[test]
fn a_program_of_the_environment_is_not_looked_for_in_the_project() {
    let folder = Folder::new("read-planted").file("draft.json", DRAFT).file("project/draft.json", DRAFT);
    let planted = "#!/bin/sh\ntouch planted\n";
    let folder = folder.file("project/reader", planted);
    std::fs::set_permissions(
        folder.0.join("project/reader"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .expect("it can be run");
    for path in [".", "", "./"] {
        let mut command = command(&folder, &["read"]);
        command.current_dir(folder.0.join("project"));
        command
            .env("TOLLPROOF_READER", "command")
            .env("TOLLPROOF_READER_COMMAND", "reader")
            .env("PATH", path);
        let ran = Ran::new(command.output().expect("tollproof starts"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("cannot run the reader `reader`"), "{ran:?}");
    }
    assert!(!folder.0.join("project/planted").exists() && !folder.0.join("planted").exists());
}
