//! Passwords that a user keeps in `~/.pgpass`, by the rules of PostgreSQL's own client.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The password for the first of these hosts and ports that has one.
pub(super) fn look_up(
    addresses: &[(String, u16)],
    database: &str,
    user: &str,
) -> Result<Option<String>, String> {
    let Some(path) = path() else { return Ok(None) };
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let found = addresses.iter().find_map(|(host, port)| {
        let wanted = [host.as_str(), &port.to_string(), database, user];
        text.lines().find_map(|line| of_line(line, wanted))
    });
    // Asked last: a file that has nothing for this server does no harm.
    if found.is_some() && is_open_to_others(&path) {
        return Err(format!(
            "the password file `{}` may be read by others; `chmod 600` it",
            crate::reading::name_of(&path)
        ));
    }
    Ok(found)
}

fn path() -> Option<PathBuf> {
    if let Some(path) = env::var_os("PGPASSFILE").filter(|it| !it.is_empty()) {
        return Some(path.into());
    }
    if cfg!(windows) {
        return Some(Path::new(&env::var_os("APPDATA")?).join("postgresql").join("pgpass.conf"));
    }
    Some(Path::new(&env::var_os("HOME")?).join(".pgpass"))
}

/// The password of a line `host:port:database:user:password` that fits; `*` fits everything.
fn of_line(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    for wanted in wanted {
        let (field, behind) = field(rest);
        if !(behind.is_some() && (field.0 == "*" && !field.1 || field.0 == wanted)) {
            return None;
        }
        rest = behind?;
    }
    let (password, _) = field(rest);
    (!password.0.is_empty()).then_some(password.0)
}

/// The text up to the next `:`, whether any of it was escaped by `\`, and what stands behind.
fn field(text: &str) -> ((String, bool), Option<&str>) {
    let (mut value, mut escaped) = (String::new(), false);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            ':' => return ((value, escaped), Some(&text[at + 1..])),
            '\\' => {
                escaped = true;
                value.extend(letters.next().map(|(_, letter)| letter));
            }
            letter => value.push(letter),
        }
    }
    ((value, escaped), None)
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::of_line;

    #[test]
    fn a_line_fits_by_all_four() {
        let wanted = ["db.example", "5433", "past", "ana"];
        for (line, password) in [
            ("db.example:5433:past:ana:s3cret", Some("s3cret")),
            ("*:*:*:*:s3cret", Some("s3cret")),
            ("db.example:5432:past:ana:s3cret", None),
            ("# db.example:5433:past:ana:s3cret", None),
            (r"db.example:5433:past:ana:a\:b\\c", Some(r"a:b\c")),
            (r"db.example:5433:past:ana:secret:ignored", Some("secret")),
            (r"db\.example:5433:past:ana:s", Some("s")),
            (r"\*:5433:past:ana:s", None),
            ("db.example:5433:past:ana", None),
            ("db.example:5433:past:ana:", None),
            ("", None),
        ] {
            assert_eq!(of_line(line, wanted).as_deref(), password, "{line}");
        }
    }
}
