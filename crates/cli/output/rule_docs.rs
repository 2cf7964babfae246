//! Documentation of rules, for reports that explain rules next to their findings.

use tollproof_core::{Message, RuleFile, UserRule, builtin_rules, decode};

use crate::terminal::{Look, one_line};

/// The URL of the project's repository, if the package has one.
pub(super) const REPOSITORY: Option<&str> = given(option_env!("CARGO_PKG_REPOSITORY"));

/// The URL of the project's site, if the package has one.
const SITE: Option<&str> = given(option_env!("CARGO_PKG_HOMEPAGE"));

/// Cargo sets a variable to the empty string for what `Cargo.toml` does not have.
const fn given(value: Option<&'static str>) -> Option<&'static str> {
    match value {
        Some(value) if !value.is_empty() => Some(value),
        _ => None,
    }
}

/// The file of a built-in or user's rule.
pub(super) fn rule(id: &str, own: &[UserRule]) -> Option<RuleFile> {
    let own = || own.iter().find(|rule| rule.id == id).map(|rule| rule.text.as_str());
    let text = builtin_rules().find(|(known, _)| *known == id).map(|(_, text)| text).or_else(own)?;
    // Every rule that runs was parsed before, so this does not fail.
    decode::<RuleFile>(id, text).ok()
}

/// The title of a rule, or else its id.
pub(super) fn title(id: &str, own: &[UserRule], look: Look) -> String {
    let title = rule(id, own).map(|rule| look.message(&Message::own(rule.title)));
    one_line(&title.unwrap_or_else(|| id.to_owned()))
}

/// The documentation page of a built-in rule; `None` for a user's rule.
pub(crate) fn url(rule: &str) -> Option<String> {
    let known = builtin_rules().any(|(id, _)| id == rule);
    known.then(|| page(SITE, REPOSITORY, rule)).flatten()
}

/// The page of a rule on the site, or else its section in the repository.
fn page(site: Option<&str>, repository: Option<&str>, rule: &str) -> Option<String> {
    let on_site = |it: &str| format!("{}/rules/{rule}/", it.trim_end_matches('/'));
    let in_repository = |it: &str| format!("{it}/blob/HEAD/rules/README.md#{}", rule.replace('/', ""));
    site.map(on_site).or_else(|| repository.map(in_repository))
}

/// The link for a built-in rule: its page, or else the first web page among its sources.
pub(super) fn link(rule: &str) -> Option<String> {
    let source = || self::rule(rule, &[])?.source.into_iter().find(|it| it.starts_with("https://"));
    url(rule).or_else(source)
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn rules_have_pages_on_the_site_or_in_the_repository() {
        let (rule, repository) = ("message/missing-opt-out", Some("https://git.example/tollproof"));
        let on_site = Some("https://tollproof.example/rules/message/missing-opt-out/".to_owned());
        assert_eq!(page(Some("https://tollproof.example"), repository, rule), on_site);
        assert_eq!(page(Some("https://tollproof.example/"), None, rule), on_site);
        let section = "https://git.example/tollproof/blob/HEAD/rules/README.md#messagemissing-opt-out";
        assert_eq!(page(None, repository, rule).as_deref(), Some(section));
        assert_eq!(page(None, None, rule), None);
    }
}
