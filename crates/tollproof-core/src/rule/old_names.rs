//! Old names of checks in users' rules and settings: they still work, and are reported.

use serde_yaml::Value as Yaml;

use crate::rule::config::{ParameterError, Parameters};
use crate::rule::errors::StrictError;
use crate::rule::user_rule::UserRule;
use crate::syntax::document::{Node, Value};
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// A check that has been renamed.
struct Renamed {
    old: &'static str,
    /// The only parameter of the old check and a value, if each value has become a separate check.
    choice: Option<(&'static str, &'static str)>,
    new: &'static str,
}

/// Rows `old name, parameter: value => new name`.
macro_rules! renamed {
    ($($old:literal $(, $parameter:ident: $value:literal)? => $new:literal,)*) => {
        &[$(Renamed { old: $old, choice: choice!($($parameter: $value)?), new: $new },)*]
    };
}

macro_rules! choice {
    () => {
        None
    };
    ($parameter:ident: $value:literal) => {
        Some((stringify!($parameter), $value))
    };
}

const RENAMED: &[Renamed] = renamed! {
    "closed_list" => "closed-list",
    "known_value" => "known-value",
    "not_after" => "not-after",
    "same_as" => "same-as",
    "same_domain" => "same-domain",
    "address", problem: "country" => "country-code",
    "address", problem: "country-elsewhere" => "country-region",
    "address", problem: "postal-code" => "postal-code-format",
    "address", problem: "postal-code-elsewhere" => "postal-code-region",
    "address", problem: "state" => "state-or-province",
    "address", problem: "state-form" => "state-abbreviation",
    "characters", problem: "garbled" => "garbled-text",
    "characters", problem: "invisible" => "invisible-characters",
    "characters", problem: "outer-blanks" => "surrounding-space",
    "characters", problem: "shouting" => "shouting",
    "history", problem: "due" => "resubmission-due",
    "history", problem: "ended" => "ended-submission",
    "history", problem: "not-allowed" => "resubmission-not-allowed",
    "history", problem: "open" => "open-submission",
    "history", problem: "overdue" => "resubmission-overdue",
    "history", problem: "repeated" => "duplicate-number",
    "history", problem: "reserved" => "reserved-number",
    "history", problem: "same-as-open" => "already-submitted",
    "name", problem: "bracketed" => "name-in-brackets",
    "name", problem: "handle" => "handle",
    "name", problem: "no-person" => "person-name",
    "phone", problem: "fictional" => "fictional-phone",
    "phone", problem: "malformed" => "phone-format",
    "phone", problem: "not-e164" => "phone-e164",
    "phone", problem: "not-orderable" => "ordered-number-format",
    "phone", problem: "not-toll-free" => "not-toll-free",
    "phone", problem: "toll-free" => "toll-free",
    "slots", kind: "business" => "template-slot",
    "slots", kind: "variable" => "template-variable",
};

/// A warning about the old name of the check in a rule file; `None` if the name is current.
#[must_use]
pub fn old_name(rule: &UserRule) -> Option<StrictError> {
    if rule.is_vocabulary() {
        return None;
    }
    let source = Source::new(rule.file.as_str(), rule.text.as_str());
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let whole = parsed.whole();
    let root = whole.documents().find_map(|it| it.document().root.as_ref())?;
    let (at, row) = find(root)?;
    let pointer = format!("/check/{}", root.get("check")?.members()[at].key);
    Some(*StrictError::at_key(&rule.file, &rule.text, &pointer, row.message(), Some(row.help())))
}

/// The rule file with the current name of its check; `None` if the name is already current.
pub(super) fn renewed<'s>(root: &Node<'s>) -> Option<Node<'s>> {
    let (at, row) = find(root)?;
    let mut root = root.clone();
    let Value::Object(members) = &mut root.value else { return None };
    let check = members.iter_mut().find(|member| member.key == "check")?;
    let Value::Object(checks) = &mut check.value.value else { return None };
    checks[at].key = row.new.into();
    if row.choice.is_some() {
        checks[at].value.value = Value::Object(Vec::new());
    }
    Some(root)
}

/// Replaces the check of a rule file by the one that an old parameter selects. Returns whether it did.
pub(super) fn choose(file: &mut Yaml, name: &str, value: &Yaml) -> bool {
    let Some(check) = file.get_mut("check").and_then(Yaml::as_mapping_mut) else { return false };
    let current = check.keys().next().and_then(Yaml::as_str);
    let family = RENAMED.iter().find(|row| row.offers(name) && current == Some(row.new));
    let chosen = family.and_then(|family| {
        let is_it = |row: &&Renamed| row.old == family.old && row.choice.map(|it| it.1) == value.as_str();
        RENAMED.iter().find(is_it)
    });
    let Some(row) = chosen else { return false };
    check.clear();
    check.insert(row.new.into(), Yaml::Mapping(serde_yaml::Mapping::default()));
    true
}

/// An error about an old parameter in the settings for a rule whose check was renamed to `check`.
pub(crate) fn old_parameters(parameters: &Parameters, check: &str) -> Option<ParameterError> {
    let is_old = |row: &&Renamed| row.new == check && parameters.with.keys().any(|name| row.offers(name));
    let row = RENAMED.iter().find(is_old)?;
    let (name, _) = row.choice?;
    Some(ParameterError {
        rule: parameters.rule.clone(),
        pointer: format!("/with/{name}"),
        message: format!("the parameter `{name}` is deprecated: `{check}` is a check of its own"),
        help: Some(
            "Remove it. To report something else, write a rule of your own with another check.".into(),
        ),
    })
}

/// The row for the check of a rule file, and the position of its name among the keys of `check`.
fn find(root: &Node<'_>) -> Option<(usize, &'static Renamed)> {
    let checks = root.get("check")?.members();
    checks.iter().enumerate().find_map(|(at, member)| {
        let row = RENAMED.iter().find(|row| {
            let chosen = |(name, value)| match member.value.members() {
                [only] => only.key == name && only.value.as_str() == Some(value),
                _ => false,
            };
            member.key == row.old && row.choice.is_none_or(chosen)
        })?;
        Some((at, row))
    })
}

impl Renamed {
    /// Whether the old check had a parameter of this name that selected one of several checks.
    fn offers(&self, name: &str) -> bool {
        self.choice.is_some_and(|(known, _)| known == name)
    }

    fn message(&self) -> String {
        match self.choice {
            Some((name, value)) => {
                format!("the check `{}: {{ {name}: {value} }}` is deprecated", self.old)
            }
            None => format!("the check name `{}` is deprecated", self.old),
        }
    }

    fn help(&self) -> String {
        let parameters = if self.choice.is_some() { ": {}" } else { "" };
        format!("Write `{}{parameters}`.", self.new)
    }
}

#[cfg(test)]
mod tests {
    use super::{RENAMED, Renamed, old_name};
    use crate::checks::Check;
    use crate::rule::RuleFile;
    use crate::rule::user_rule::UserRule;

    /// A rule file with this check.
    fn rule(check: &str) -> String {
        format!(
            "title: A\nseverity: info\nat: businessCity\ncheck: {check}\nmessage: a\nhelp: A.\ndocs: A.\n\
             examples: {{ pass: [], fail: [] }}\n"
        )
    }

    #[test]
    fn every_old_name_is_read_as_a_check_that_exists() {
        let parameters = |name: &str| match name {
            "known-value" => "{ values: [a] }",
            "not-after" => "{ field: businessZip }",
            "same-as" => "{ fields: [businessZip] }",
            "same-domain" => "{ as: corporateWebsite }",
            _ => "{}",
        };
        for Renamed { old, choice, new } in RENAMED {
            assert!(Check::NAMES.contains(new), "{new}");
            let written = match choice {
                Some((name, value)) => format!("{{ {old}: {{ {name}: {value} }} }}"),
                None => format!("{{ {old}: {} }}", parameters(new)),
            };
            let text = rule(&written);
            let current = RuleFile::parse("a", &rule(&format!("{{ {new}: {} }}", parameters(new))));
            assert_eq!(RuleFile::parse("a", &text), current, "{written}");
            assert_eq!(current.expect("it is a rule").check.name(), *new);
            let warning =
                old_name(&UserRule { id: "a/a".into(), file: "a".into(), text }).expect("it is reported");
            assert!(warning.help.is_some_and(|it| it.contains(new)), "{written}");
        }
    }

    #[test]
    fn what_no_old_check_took_is_an_error_as_before() {
        for check in ["{ phone: { problem: malfomed } }", "{ phone: {} }", "{ slots: { problem: business } }"]
        {
            let error = RuleFile::parse("a", &rule(check)).expect_err(check);
            assert!(error.message.contains("unknown key"), "{check}: {}", error.message);
        }
        let text = rule("{ brand: {} }");
        assert_eq!(old_name(&UserRule { id: "a/a".into(), file: "a".into(), text }), None);
    }
}
