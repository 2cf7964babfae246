//! Passwords in errors about a configuration.

use tollproof_core::{StrictError, settings_without_secrets, without_secrets};

/// The same error without passwords, each character of which becomes a star.
pub(super) fn masked(mut error: Box<StrictError>) -> Box<StrictError> {
    error.text = settings_without_secrets(&error.text);
    error.message = without_secrets(&error.message);
    error.help = error.help.map(|help| without_secrets(&help));
    error
}
