//! Where the user's settings are: never in the current folder.

use std::ffi::OsString;
use std::path::PathBuf;

use super::error::SettingsError;

/// The variable with the path of the settings.
const VARIABLE: &str = "TOLLPROOF_SETTINGS";

/// What messages show if the system does not say where settings are.
pub(super) const UNKNOWN: &str = "~/.config/tollproof/settings.yaml";

/// A file of settings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SettingsPlace {
    /// Its absolute path.
    pub(super) path: PathBuf,
    /// Whether the user named it, so that it must be there.
    pub(super) is_named: bool,
}

/// Finds the file by environment variables and the home folder. `None` if neither says where it is.
pub(super) fn find(
    variable: &dyn Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Result<Option<SettingsPlace>, SettingsError> {
    let set = |name: &str| variable(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    if let Some(path) = set(VARIABLE) {
        return match path.is_absolute() {
            true => Ok(Some(SettingsPlace { path, is_named: true })),
            false => Err(SettingsError::Relative(path.display().to_string())),
        };
    }
    // As the XDG Base Directory Specification says, a relative folder is ignored.
    let absolute = |path: Option<PathBuf>| path.filter(|it| it.is_absolute());
    let home = absolute(home);
    let of_system = || match std::env::consts::OS {
        "windows" => absolute(set("APPDATA")),
        "macos" => home.map(|it| it.join("Library/Application Support")),
        _ => home.map(|it| it.join(".config")),
    };
    let folder = absolute(set("XDG_CONFIG_HOME")).or_else(of_system);
    Ok(folder.map(|it| SettingsPlace { path: it.join("tollproof").join("settings.yaml"), is_named: false }))
}
