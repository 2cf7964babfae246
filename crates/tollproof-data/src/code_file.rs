//! Reads `schemas/codes.yaml`, resolves references between its entries and checks the names in it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::code_table::{
    AccessWords, AnswerShape, AnsweringProvider, CodeEntry, CodeSeries, CodeTable, ReasonShape, RefusalNames,
    Resubmit, squeezed_name,
};

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeFile {
    answers: Vec<AnswerShape>,
    lists: Vec<String>,
    access: AccessWords,
    series: Vec<CodeSeries>,
    providers: BTreeMap<String, AnsweringProvider>,
    codes: BTreeMap<String, BTreeMap<String, WrittenCode>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCode {
    title: Option<String>,
    also: Option<Vec<String>>,
    means: Option<String>,
    role: Option<String>,
    or: Option<String>,
    change: Option<String>,
    resubmit: Option<Resubmit>,
    until: Option<String>,
    rules: Option<Vec<String>>,
    /// The provider and the code of another entry.
    same: Option<String>,
}

impl CodeFile {
    /// Resolves references between entries and checks the names of roles and rules.
    ///
    /// # Errors
    ///
    /// The fault, with the entry.
    pub fn prepare(self, roles: &[&str], is_rule: impl Fn(&str) -> bool) -> Result<CodeTable, String> {
        let mut codes = Vec::new();
        for (provider, entries) in &self.codes {
            let Some(owner) = self.providers.get(provider) else {
                return Err(format!("`{provider}` is not in `providers`"));
            };
            for (code, entry) in entries {
                let at = |what: String| format!("{provider} {code}: {what}");
                let mut equals = vec![code.clone()];
                let full = self.resolved(entry, &mut equals).map_err(at)?;
                let roles_of: Vec<String> = full.role.into_iter().chain(full.or).collect();
                if let Some(role) = roles_of.iter().find(|role| !roles.contains(&role.as_str())) {
                    return Err(at(format!("unknown role `{role}`")));
                }
                let rules = full.rules.unwrap_or_default();
                if let Some(rule) = rules.iter().find(|rule| !is_rule(rule)) {
                    return Err(at(format!("unknown rule `{rule}`")));
                }
                codes.push(CodeEntry {
                    provider: provider.clone(),
                    code: code.clone(),
                    title: entry.title.clone().unwrap_or_else(|| code.clone()),
                    also: entry.also.clone().unwrap_or_default(),
                    means: full.means.ok_or_else(|| at("`means` is missing".to_owned()))?,
                    roles: roles_of,
                    change: full.change.ok_or_else(|| at("`change` is missing".to_owned()))?,
                    resubmit: full.resubmit.unwrap_or_default(),
                    until: full.until.or(owner.until.clone()).filter(|it| !it.is_empty()),
                    rules,
                    equals,
                });
            }
        }
        let unknown = |series: &&CodeSeries| {
            !self.providers.contains_key(&series.provider)
                || series.role.as_ref().is_some_and(|role| !roles.contains(&role.as_str()))
        };
        if let Some(series) = self.series.iter().find(unknown) {
            return Err(format!("series of {}: unknown provider or role", series.provider));
        }
        let answers = self.answers.into_iter().map(squeezed).collect();
        let access = AccessWords { keys: squeezed_paths(self.access.keys), ..self.access };
        let lists = squeezed_paths(self.lists);
        Ok(CodeTable { answers, lists, access, series: self.series, providers: self.providers, codes })
    }

    /// An entry with what it takes from others. Their codes are added to `equals`.
    fn resolved(&self, entry: &WrittenCode, equals: &mut Vec<String>) -> Result<WrittenCode, String> {
        let Some(same) = &entry.same else { return Ok(entry.clone()) };
        let other = same.split_once(' ').and_then(|(provider, code)| self.codes.get(provider)?.get(code));
        let other = other.ok_or_else(|| format!("`same` names `{same}`, which is not an entry"))?;
        let code = same.split_once(' ').map(|(_, code)| code.to_owned()).unwrap_or_default();
        if equals.len() > 5 {
            return Err("`same` leads in a circle".to_owned());
        }
        equals.push(code);
        let other = self.resolved(other, equals)?;
        let entry = entry.clone();
        Ok(WrittenCode {
            means: entry.means.or(other.means),
            change: entry.change.or(other.change),
            resubmit: entry.resubmit.or(other.resubmit),
            // Each provider has times of its own.
            until: entry.until,
            rules: entry.rules.or(other.rules),
            or: if entry.role.is_some() { entry.or } else { other.or },
            role: entry.role.or(other.role),
            ..entry
        })
    }
}

/// A shape whose names are squeezed.
fn squeezed(shape: AnswerShape) -> AnswerShape {
    let reason = |shape: ReasonShape| ReasonShape {
        within: shape.within.map(squeezed_path),
        code: squeezed_paths(shape.code),
        text: squeezed_paths(shape.text),
        field: squeezed_paths(shape.field),
        advice: squeezed_paths(shape.advice),
        ..shape
    };
    AnswerShape {
        tells: shape.tells.into_iter().map(squeezed_paths).collect(),
        within: squeezed_paths(shape.within),
        newest_by: shape.newest_by.map(squeezed_path),
        status: squeezed_paths(shape.status),
        verified: squeezed_paths(shape.verified),
        rejected: squeezed_paths(shape.rejected),
        asked: squeezed_paths(shape.asked),
        blocked: shape.blocked.map(squeezed_path),
        numbers: squeezed_paths(shape.numbers),
        reasons: shape.reasons.into_iter().map(reason).collect(),
        may_edit: shape.may_edit.map(squeezed_path),
        until: shape.until.map(squeezed_path),
        refused: RefusalNames {
            code: squeezed_paths(shape.refused.code),
            message: squeezed_paths(shape.refused.message),
        },
        ..shape
    }
}

fn squeezed_path(path: String) -> String {
    path.split('/').map(squeezed_name).collect::<Vec<_>>().join("/")
}

fn squeezed_paths(paths: Vec<String>) -> Vec<String> {
    paths.into_iter().map(squeezed_path).collect()
}
