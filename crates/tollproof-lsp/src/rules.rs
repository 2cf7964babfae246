//! Rules by their ids: what completions list and hovers explain.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use tollproof_core::{Linter, RuleFile, Severity, UserRule, builtin_rules, decode};

/// The ids of rules and the names of groups.
pub(crate) struct RuleNames(BTreeMap<String, RuleName>);

/// A name's meaning.
pub(crate) enum RuleName {
    /// A rule.
    Rule { title: String, severity: Severity },
    /// A group of so many rules.
    Group(usize),
}

impl RuleNames {
    /// The names that a linter knows.
    pub(crate) fn of(linter: &Linter) -> Self {
        let mut names = BTreeMap::new();
        for rule in linter.rules() {
            let title = rule.text().title.to_owned();
            names.insert(rule.id.to_string(), RuleName::Rule { title, severity: rule.severity });
            if let RuleName::Group(count) = names.entry(rule.group().to_owned()).or_insert(RuleName::Group(0))
            {
                *count += 1;
            }
        }
        Self(names)
    }

    /// All names in alphabetical order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RuleName)> {
        self.0.iter().map(|(name, meaning)| (name.as_str(), meaning))
    }

    /// A name's meaning.
    pub(crate) fn get(&self, name: &str) -> Option<&RuleName> {
        self.0.get(name)
    }

    /// The rules of a group.
    fn of_group<'n>(&'n self, group: &'n str) -> impl Iterator<Item = (&'n str, &'n str)> {
        self.0.iter().filter_map(move |(id, meaning)| match meaning {
            RuleName::Rule { title, .. } if id.split('/').next() == Some(group) => {
                Some((id.as_str(), title.as_str()))
            }
            _ => None,
        })
    }

    /// Explains a name, as Markdown.
    pub(crate) fn explain(&self, name: &str, own: &[UserRule], url: Option<String>) -> Option<String> {
        let mut text = String::new();
        match self.get(name)? {
            RuleName::Group(_) => {
                let _ = writeln!(text, "**{name}**\n");
                for (id, title) in self.of_group(name) {
                    let _ = writeln!(text, "- `{id}`: {title}");
                }
            }
            RuleName::Rule { title, severity } => {
                let _ = writeln!(text, "**{title}**\n\n`{name}` · {severity}\n");
                let built_in = builtin_rules().find(|(id, _)| *id == name).map(|(_, text)| text);
                let file =
                    built_in.or_else(|| own.iter().find(|it| it.id == name).map(|it| it.text.as_str()));
                if let Some(rule) = file.and_then(|file| decode::<RuleFile>(name, file).ok()) {
                    let _ = writeln!(text, "{}", rule.docs.trim());
                }
                if let Some(url) = url {
                    let _ = writeln!(text, "\n[Documentation]({url})");
                }
            }
        }
        Some(text)
    }
}

/// The name around an offset of a line, if it may be that of a rule: letters, `-` and `/`.
pub(crate) fn name_at(text: &str, offset: usize) -> Range<usize> {
    let is_part = |byte: char| byte.is_ascii_alphanumeric() || byte == '-' || byte == '/';
    let start = text[..offset]
        .rfind(|it| !is_part(it))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let end = text[offset..].find(|it| !is_part(it)).map_or(text.len(), |at| offset + at);
    start..end
}
