//! Reads passwords from `~/.pgpass` in the same way as libpq.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The password for the first of these hosts and ports that has one.
///
/// # Errors
///
/// Other users can read the password file.
pub(super) fn look_up(
    addresses: &[(String, u16)],
    database: &str,
    user: &str,
) -> Result<Option<String>, String> {
    let Some(path) = path() else { return Ok(None) };
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    let found = addresses.iter().find_map(|(host, port)| {
        let wanted = [host.as_str(), &port.to_string(), database, user];
        text.lines().find_map(|line| password_in_line(line, wanted))
    });
    // Checked last, because a file without a password for this server is harmless.
    if found.is_some() && is_open_to_others(&path) {
        return Err(format!(
            "other users can read the password file `{}`; run `chmod 600` on it",
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

/// The password of a line `host:port:database:user:password`, if it matches. `*` matches everything.
fn password_in_line(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    for wanted in wanted {
        let (field, after) = field(rest);
        if !(after.is_some() && (field.0 == "*" && !field.1 || field.0 == wanted)) {
            return None;
        }
        rest = after?;
    }
    let (password, _) = field(rest);
    (!password.0.is_empty()).then_some(password.0)
}

/// The text up to the next `:`, whether it contains an escape by `\`, and the text after the `:`.
fn field(text: &str) -> ((String, bool), Option<&str>) {
    let (mut value, mut escaped) = (String::new(), false);
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            ':' => return ((value, escaped), Some(&text[at + 1..])),
            '\\' => {
                escaped = true;
                value.extend(chars.next().map(|(_, char)| char));
            }
            char => value.push(char),
        }
    }
    ((value, escaped), None)
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::password_in_line;

    #[test]
    fn a_line_must_match_in_all_four_fields() {
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
            assert_eq!(password_in_line(line, wanted).as_deref(), password, "{line}");
        }
    }
}
