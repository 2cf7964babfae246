//! What the file of a rule says about it, for reports that explain rules beside their findings.

use tollproof_core::{RuleFile, UserRule, builtin_rules};

/// The project's pages, if it has any.
pub(super) const REPOSITORY: Option<&str> = match option_env!("CARGO_PKG_REPOSITORY") {
    Some(repository) if !repository.is_empty() => Some(repository),
    _ => None,
};

/// The file of a rule, built-in or the user's.
pub(super) fn rule(id: &str, own: &[UserRule]) -> Option<RuleFile> {
    let own = || own.iter().find(|rule| rule.id == id).map(|rule| rule.text.as_str());
    let text = builtin_rules().find(|(known, _)| *known == id).map(|(_, text)| text).or_else(own)?;
    // What runs has been parsed before.
    RuleFile::parse(id, text).ok()
}

/// The page that explains a built-in rule; users' own rules are explained in their files.
pub(super) fn url(rule: &str) -> Option<String> {
    let known = builtin_rules().any(|(id, _)| id == rule);
    let anchor = rule.replace('/', "");
    REPOSITORY.filter(|_| known).map(|it| format!("{it}/blob/HEAD/rules/README.md#{anchor}"))
}

/// Where to read more of a built-in rule: its page, or else the first page that its facts come from.
pub(super) fn link(rule: &str) -> Option<String> {
    let source = || self::rule(rule, &[])?.source.into_iter().find(|it| it.starts_with("https://"));
    url(rule).or_else(source)
}
