//! The roles of fields.

/// The names of all roles, and those that are special.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'r> {
    pub all: &'r [&'r str],
    /// The roles of the fields that reviewers read.
    pub submission: &'r [&'r str],
    /// The roles that are lists.
    pub lists: &'r [&'r str],
}

/// The role of the toll-free numbers.
pub const NUMBERS: &str = "phoneNumbers";
