//! Features only of a PostgreSQL server: passwords, TLS, connections that are lost.

use std::env;

use tollproof_history::{Access, HistorySet, Query};

use super::stores::{Kept, NUMBER, record};
use crate::support::Ran;

/// Runs `history list` with another address of the same store, and an environment.
fn list(kept: &Kept, source: &str, environment: &[(&str, &str)]) -> Ran {
    let mut command = kept.folder.command(&["history", "list", "--history", source]);
    for name in ["PGPASSWORD", "PGPASSFILE", "PGSSLMODE", "PGSSLROOTCERT"] {
        command.env_remove(name);
    }
    command.env("HOME", &kept.folder.0);
    command.envs(environment.iter().copied());
    Ran::new(command.output().expect("tollproof starts"))
}

/// The store, its password, and its address without the password.
fn with_password(name: &str) -> Option<(Kept, String, String)> {
    let kept = Kept::postgres(name)?;
    kept.file("record.json", record("a", NUMBER, "Verified", "2026-11-20T08:01:00.000Z").to_string());
    kept.well(&["history", "import", "record.json"]);
    let (before, rest) =
        kept.source.split_once("://tollproof:").expect("the server of the tests has this user");
    let (password, rest) = rest.split_once('@').expect("and a password");
    let bare = format!("{before}://tollproof@{rest}");
    let password = password.to_owned();
    Some((kept, password, bare))
}

#[test]
fn a_password_comes_from_where_it_is_kept_and_is_never_shown() {
    let Some((kept, password, bare)) = with_password("server-password") else { return };
    let port = bare
        .split("localhost:")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .expect("it has one")
        .to_owned();
    let line = |host: &str, password: &str| format!("{host}:{port}:postgres:tollproof:{password}\n");
    let pass = format!("# mine\n{}{}", line("elsewhere", "s3cret"), line("*", &password));
    kept.file("pass", &pass);
    kept.file(".pgpass", line("localhost", &password));
    kept.file("wrong", line("localhost", "s3cret"));
    for (environment, code) in [
        (&[("PGPASSWORD", password.as_str())][..], 0),
        (&[("PGPASSWORD", "s3cret")], 2),
        (&[("PGPASSFILE", "pass")], 2),
        (&[], 2),
    ] {
        let ran = list(&kept, &bare, environment);
        assert_eq!(ran.code, Some(code), "{environment:?}: {ran:?}");
        assert!(!ran.err.contains("s3cret") && !ran.err.contains(&password), "{ran:?}");
    }
    let open = list(&kept, &bare, &[]);
    assert!(open.err.contains("other users can read the password file `"), "{open:?}");
    #[cfg(unix)]
    for name in ["pass", ".pgpass", "wrong"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(kept.folder.0.join(name), mode).expect("it is ours");
    }
    for (environment, code) in [
        (&[("PGPASSFILE", "pass")][..], 0),
        (&[], 0),
        (&[("PGPASSFILE", "wrong")], 2),
        (&[("PGPASSFILE", "wrong"), ("PGPASSWORD", password.as_str())], 0),
        (&[("PGPASSFILE", "none")], 2),
    ] {
        let ran = list(&kept, &bare, environment);
        assert_eq!(ran.code, Some(code), "{environment:?}: {ran:?}");
        assert!(!ran.err.contains("s3cret") && !ran.err.contains(&password), "{ran:?}");
    }
    // Where special characters were not escaped, any part of an address may be one of the password.
    for source in ["postgres://ana:s3?cret@localhost/past", "postgres://ana:s3cret@localhost:port/past"] {
        let ran = list(&kept, source, &[]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(!ran.err.contains("s3") && !ran.err.contains("cret"), "{ran:?}");
    }
    let ran = list(&kept, "postgres://ana:s3cret@localhost:port/past", &[]);
    assert!(
        ran.err.contains("its address is invalid; write `postgres://user@host:5432/database`"),
        "{ran:?}"
    );
}

#[test]
fn a_server_proves_who_it_is_as_far_as_asked() {
    let Some((kept, _, _)) = with_password("server-tls") else { return };
    let authorities = env::var("TOLLPROOF_TEST_POSTGRES_CA").expect("it comes with the server");
    std::fs::copy(&authorities, kept.folder.0.join("ca file.crt")).expect("it can be read");
    kept.file("none.crt", "no certificate\n");
    let elsewhere = kept.source.replace("@localhost:", "@127.0.0.1:");
    let root = "&sslrootcert=ca%20file.crt";
    for (address, parameters, words) in [
        (&kept.source, "&sslmode=disable", None),
        (&kept.source, "&sslmode=require", None),
        (&elsewhere, "&sslmode=require", None),
        (&kept.source, &format!("&sslmode=verify-ca{root}"), None),
        (&elsewhere, &format!("&sslmode=verify-ca{root}"), None),
        (&kept.source, &format!("&sslmode=verify-full{root}"), None),
        (&elsewhere, &format!("&sslmode=verify-full{root}"), Some("not valid for name")),
        (&elsewhere, &format!("&sslmode=require{root}"), None),
        (&kept.source, "&sslmode=verify-full", Some("UnknownIssuer")),
        (&kept.source, "&sslmode=verify-ca", Some("UnknownIssuer")),
        (&kept.source, "&sslmode=verify-full&sslrootcert=none.crt", Some("contains no certificate")),
        (
            &kept.source,
            "&sslmode=verify-full&sslrootcert=gone.crt",
            Some("cannot read certificates from its `sslrootcert`"),
        ),
        (&kept.source, "&sslmode=verify-fully", Some("its `sslmode` is unknown")),
    ] {
        let ran = list(&kept, &format!("{address}{parameters}"), &[]);
        match words {
            None => assert_eq!(ran.code, Some(0), "{parameters}: {ran:?}"),
            Some(words) => {
                assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{parameters}: {ran:?}");
                assert!(ran.err.contains(words), "{parameters}: {ran:?}");
            }
        }
    }
    let ran = list(&kept, &elsewhere, &[("PGSSLMODE", "verify-full"), ("PGSSLROOTCERT", "ca file.crt")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_lost_connection_is_made_again() {
    let Some((kept, _, _)) = with_password("server-lost") else { return };
    // A name of its own, so that no other test loses a connection.
    let named = format!("{}&application_name=to_be_lost", kept.source);
    let mut past = HistorySet::open(&[named.parse().expect("it is one")], Access::Read).expect("it is there");
    let mut other = postgres::Client::connect(&kept.source, postgres::NoTls).expect("the server answers");
    let wanted = Query { numbers: vec![NUMBER.to_owned()], ids: Vec::new() };
    for _ in 0..3 {
        let end =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to_be_lost'";
        let ended = other.query(end, &[]).expect("it may").len();
        assert!(ended > 0);
        let found = past.look_up(&wanted).expect("the connection is made again");
        assert_eq!(found.history.submissions().len(), 1);
        past.store()
            .and_then(|store| store.note(NUMBER, jiff::Timestamp::now()))
            .expect("it can be written to");
    }
}

#[test]
fn a_store_makes_a_schema_of_its_own() {
    let Some(kept) = Kept::postgres("server-schema") else { return };
    let url = super::stores::server().expect("there is one");
    let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the server answers");
    client.batch_execute("DROP DATABASE IF EXISTS own_schema").expect("it may");
    client.batch_execute("CREATE DATABASE own_schema").expect("it may");
    let source = format!("{}/own_schema", url.strip_suffix("/postgres").expect("this is its database"));
    kept.file("record.json", record("a", NUMBER, "Verified", "2026-11-20T08:01:00.000Z").to_string());
    let ran = kept.folder.run(&["history", "import", "record.json", "--history", &source]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut own = postgres::Client::connect(&source, postgres::NoTls).expect("the server answers");
    let row = own.query_one("SELECT count(*) FROM tollproof.record", &[]).expect("it is there");
    assert_eq!(row.get::<_, i64>(0), 1);
}
