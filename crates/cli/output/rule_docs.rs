//! Documentation of rules, for reports that explain rules next to their findings.

use tollproof_core::{RuleFile, UserRule, builtin_rules};

/// The URL of the project's repository, if the package has one.
pub(super) const REPOSITORY: Option<&str> = match option_env!("CARGO_PKG_REPOSITORY") {
    Some(repository) if !repository.is_empty() => Some(repository),
    _ => None,
};

/// The file of a built-in or user's rule.
pub(super) fn rule(id: &str, own: &[UserRule]) -> Option<RuleFile> {
    let own = || own.iter().find(|rule| rule.id == id).map(|rule| rule.text.as_str());
    let text = builtin_rules().find(|(known, _)| *known == id).map(|(_, text)| text).or_else(own)?;
    // Every rule that runs was parsed before, so this does not fail.
    RuleFile::parse(id, text).ok()
}

/// The documentation page of a built-in rule; `None` for a user's rule.
pub(crate) fn url(rule: &str) -> Option<String> {
    let known = builtin_rules().any(|(id, _)| id == rule);
    let anchor = rule.replace('/', "");
    REPOSITORY.filter(|_| known).map(|it| format!("{it}/blob/HEAD/rules/README.md#{anchor}"))
}

/// The link for a built-in rule: its page, or else the first web page among its sources.
pub(super) fn link(rule: &str) -> Option<String> {
    let source = || self::rule(rule, &[])?.source.into_iter().find(|it| it.starts_with("https://"));
    url(rule).or_else(source)
}
