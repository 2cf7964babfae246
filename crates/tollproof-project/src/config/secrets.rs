//! Masks passwords in errors about a configuration.

use tollproof_core::{StrictError, settings_without_secrets, without_secrets};

/// Replaces each character of the passwords in an error with `*`.
pub(super) fn masked(mut error: Box<StrictError>) -> Box<StrictError> {
    error.text = settings_without_secrets(&error.text);
    error.message = without_secrets(&error.message);
    error.help = error.help.map(|help| without_secrets(&help));
    error
}
