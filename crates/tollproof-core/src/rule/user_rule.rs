//! A file of a user, as text: a rule, or groups of terms for rules.

/// A rule file or a vocabulary file of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The id of the rule, `group/name`: its path in the rules folder without the extension. That of a vocabulary file
    /// begins with `vocabulary/`.
    pub id: String,
    /// The name of the file, for errors.
    pub file: String,
    /// The content of the file.
    pub text: String,
    /// Whether the file may be somebody else's: a repository names it, and it is outside of that repository or a link.
    /// Errors quote nothing of it.
    pub is_foreign: bool,
}

impl UserRule {
    /// Whether the file contains groups of terms, not a rule.
    pub fn is_vocabulary(&self) -> bool {
        self.id.starts_with("vocabulary/")
    }
}
