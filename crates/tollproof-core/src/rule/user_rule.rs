//! A rule file of a user, as text.

/// A rule file of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The id of the rule, `group/name`: its path in the rules folder without the extension.
    pub id: String,
    /// The name of the file, for errors.
    pub file: String,
    /// The content of the file.
    pub text: String,
}
