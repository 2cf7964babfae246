//! The user's own settings: where they are, which is never in the current folder, and the servers of histories that they
//! list. `tollproof-online` reads what they say of providers and readers.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::net::IpAddr;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de::Error as _};
use tollproof_core::{StrictError, decode, settings_without_secrets, without_secrets};
use tollproof_history::{HistoryError, StoreUrl, name_of, reason, server_hosts};

use crate::config::is_blank;

/// More than this is not read, in bytes.
const MAX_LENGTH: u64 = 1 << 20;

/// An error in the user's settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnSettingsError {
    /// The path is relative, so that the current folder would decide which file it is.
    #[error("`TOLLPROOF_SETTINGS` is the relative path `{0}`; use an absolute path")]
    Relative(String),
    /// The file cannot be read.
    #[error("cannot read your settings `{name}`: {}", reason(error))]
    Unreadable {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write your settings `{name}`: {}", reason(error))]
    Unwritable {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file contains an invalid setting.
    #[error(transparent)]
    Invalid(Box<StrictError>),
}

impl OwnSettingsError {
    /// An error in the text of the settings, without the passwords in it.
    #[must_use]
    pub fn invalid(mut error: Box<StrictError>) -> Self {
        error.text = settings_without_secrets(&error.text);
        error.message = without_secrets(&error.message);
        error.help = error.help.map(|help| without_secrets(&help));
        Self::Invalid(error)
    }
}

/// The place and the text of the user's settings: the file that `TOLLPROOF_SETTINGS` names, or `tollproof/settings.yaml` in
/// the user's folder of settings (`$XDG_CONFIG_HOME`, `~/.config`, `~/Library/Application Support`, `%APPDATA%`). The text is
/// empty if the file does not exist.
///
/// # Errors
///
/// The file cannot be read, or was named and does not exist.
pub fn read_own_settings() -> Result<(PathBuf, String), OwnSettingsError> {
    let place = find(&|name| std::env::var_os(name), std::env::home_dir())?;
    let Some(SettingsPlace { path, is_named }) = place else {
        return Ok((PathBuf::from(UNKNOWN), String::new()));
    };
    let read = || {
        let mut text = String::new();
        File::open(&path)?.take(MAX_LENGTH + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_LENGTH {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 MiB"))
        } else {
            Ok(text)
        }
    };
    match read() {
        Ok(text) => Ok((path, text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => Ok((path, String::new())),
        Err(error) => Err(OwnSettingsError::Unreadable { name: name_of(&path), error }),
    }
}

/// The hosts of servers on which projects may have histories, in lower case, as the user's own settings list them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryServers(Vec<String>);

impl<'de> Deserialize<'de> for HistoryServers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hosts = Vec::<String>::deserialize(deserializer)?;
        // An IPv6 address may be in brackets, as in URLs.
        let bare = |host: &String| host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let hosts: Vec<String> = hosts.iter().map(bare).collect();
        let is_name = |host: &str| !host.is_empty() && !host.contains([':', '@', '?', ' ']);
        let is_host = |host: &String| is_name(host) || host.parse::<IpAddr>().is_ok();
        match hosts.iter().find(|host| !is_host(host)) {
            // The text is not shown, because an address may contain a password.
            Some(_) => Err(D::Error::custom("write the host alone, without its port, such as `db.example`")),
            None => Ok(Self(hosts.into_iter().map(lower_case).collect())),
        }
    }
}

/// The name of a host in lower case; the folder of a local socket as it is.
fn lower_case(host: String) -> String {
    if host.starts_with('/') { host } else { host.to_lowercase() }
}

/// The part of the user's settings that this crate reads.
#[derive(Default, Deserialize)]
struct OwnSettings {
    #[serde(default, rename = "history-servers")]
    history_servers: HistoryServers,
}

/// The reason that a history of a project is not opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectHistoryError {
    /// The user's settings do not list the host.
    #[error(
        "a project does not decide which server tollproof connects to, and your own settings do not list `{host}`"
    )]
    NotListed {
        /// The host or address.
        host: String,
        /// The file of the user's settings, which need not exist.
        settings: PathBuf,
    },
    /// The address is invalid.
    #[error(transparent)]
    Address(#[from] HistoryError),
    /// The user's settings cannot be read.
    #[error(transparent)]
    Settings(#[from] OwnSettingsError),
}

impl ProjectHistoryError {
    /// The help of the error.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::NotListed { host, settings } => Some(format!(
                "If you trust that server with your submissions, add `history-servers: [{host}]` to `{}`. Or name the history \
                 on the command line: `--history postgres://…`.",
                name_of(settings)
            )),
            Self::Address(_) | Self::Settings(_) => None,
        }
    }
}

/// Refuses a server that a project names unless the user's own settings list each host of its address. The settings are
/// read only if there is one.
///
/// # Errors
///
/// A host that is not listed, or settings that cannot be read.
pub(crate) fn check_project_server(url: &StoreUrl) -> Result<(), ProjectHistoryError> {
    let hosts = server_hosts(url)?;
    let (settings, text) = read_own_settings()?;
    let own: OwnSettings = if is_blank(&text) {
        OwnSettings::default()
    } else {
        decode(&name_of(&settings), &text).map_err(OwnSettingsError::invalid)?
    };
    match hosts.into_iter().find(|host| !own.history_servers.0.contains(host)) {
        Some(host) => Err(ProjectHistoryError::NotListed { host, settings }),
        None => Ok(()),
    }
}

/// The variable with the path of the settings.
const VARIABLE: &str = "TOLLPROOF_SETTINGS";

/// Shown in messages if the system does not say where settings are.
const UNKNOWN: &str = "~/.config/tollproof/settings.yaml";

/// A file of settings.
#[derive(Debug, PartialEq, Eq)]
struct SettingsPlace {
    /// Its absolute path.
    path: PathBuf,
    /// Whether the user named it, so that it must be there.
    is_named: bool,
}

/// Finds the file by environment variables and the home folder. `None` if neither says where it is.
fn find(
    variable: &dyn Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Result<Option<SettingsPlace>, OwnSettingsError> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set(VARIABLE) {
        return if path.is_absolute() {
            Ok(Some(SettingsPlace { path, is_named: true }))
        } else {
            Err(OwnSettingsError::Relative(path.display().to_string()))
        };
    }
    // As the XDG Base Directory Specification says, a relative folder is ignored.
    let absolute = |path: Option<PathBuf>| path.filter(|path| path.is_absolute());
    let home = absolute(home);
    let of_system = || match std::env::consts::OS {
        "windows" => absolute(set("APPDATA")),
        "macos" => home.map(|home| home.join("Library/Application Support")),
        _ => home.map(|home| home.join(".config")),
    };
    let folder = absolute(set("XDG_CONFIG_HOME")).or_else(of_system);
    Ok(folder.map(|folder| SettingsPlace {
        path: folder.join("tollproof").join("settings.yaml"),
        is_named: false,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(
        variables: &[(&str, &str)],
        home: Option<&str>,
    ) -> Result<Option<SettingsPlace>, OwnSettingsError> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(*value))
        };
        find(&variable, home.map(PathBuf::from))
    }

    #[cfg(unix)]
    #[test]
    fn the_current_folder_decides_nothing() {
        let path = |variables: &[(&str, &str)], home| {
            let place = found(variables, home).expect("no path is relative");
            place.map(|place| (place.path.display().to_string(), place.is_named))
        };
        let own = |path: &str| Some((path.to_owned(), false));
        assert_eq!(
            path(&[("TOLLPROOF_SETTINGS", "/a/b.yaml")], Some("/home/ada")),
            Some(("/a/b.yaml".to_owned(), true))
        );
        assert_eq!(path(&[("XDG_CONFIG_HOME", "/x")], Some("/home/ada")), own("/x/tollproof/settings.yaml"));
        if std::env::consts::OS == "linux" {
            let usual = own("/home/ada/.config/tollproof/settings.yaml");
            assert_eq!(path(&[], Some("/home/ada")), usual);
            assert_eq!(
                path(&[("XDG_CONFIG_HOME", ""), ("TOLLPROOF_SETTINGS", "")], Some("/home/ada")),
                usual
            );
            assert_eq!(path(&[("XDG_CONFIG_HOME", ".")], Some("/home/ada")), usual);
        }
        for (variables, home) in
            [(vec![], None), (vec![], Some(".")), (vec![("XDG_CONFIG_HOME", "config")], Some(""))]
        {
            assert_eq!(path(&variables, home), None);
        }
        for relative in ["settings.yaml", "./settings.yaml", "../settings.yaml", "~/settings.yaml"] {
            let error = found(&[("TOLLPROOF_SETTINGS", relative)], None).expect_err(relative);
            let said =
                format!("`TOLLPROOF_SETTINGS` is the relative path `{relative}`; use an absolute path");
            assert_eq!(error.to_string(), said);
        }
    }

    #[test]
    fn servers_are_hosts() {
        let read = |text: &str| decode::<OwnSettings>("settings.yaml", text).map(|own| own.history_servers.0);
        assert_eq!(
            read("history-servers: [DB.example, 10.0.0.7, '[::1]', /Run/pg]\nproviders: {}\n"),
            Ok(["db.example", "10.0.0.7", "::1", "/Run/pg"].map(str::to_owned).to_vec())
        );
        for wrong in ["postgres://ana:s3cret@db/x", "ana@db", "db.example:5432", "''"] {
            let error = read(&format!("history-servers: [{wrong}]\n")).expect_err(wrong);
            assert_eq!(error.message, "write the host alone, without its port, such as `db.example`");
        }
    }
}
