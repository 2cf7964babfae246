//! System rules: what the linter reports by itself, each bound to one built-in rule; and what always counts.

use tollproof_data::provider::schema::error::SchemaError;

use crate::checks::{AnswerPart, IgnoreProblem, SystemCheck};
use crate::finding::Finding;
use crate::lint::linter::Linter;
use crate::provider::kind::Kind;
use crate::rule::Rule;
use crate::rule::selection::{is_always_on, is_named};
use crate::syntax::document::SyntaxErrorKind;

/// The rule that reports, of a whole document, that it is not an object: then nothing in it was checked either.
const WRONG_TYPE: &str = "structure/wrong-type";

/// The group of rules about ignore comments and entries: nothing that they report can be ignored in turn.
const ABOUT_IGNORES: &str = "config";

/// Whether no ignore comment and no entry of `ignore` can name a rule or a group.
pub(crate) fn is_never_ignored(name: &str) -> bool {
    is_always_on(name) || is_named(ABOUT_IGNORES, name)
}

impl Finding {
    /// Whether the finding reports what could not be read, so that nothing may hide it.
    pub fn always_counts(&self) -> bool {
        is_always_on(&self.rule) || self.rule == WRONG_TYPE && self.pointer.is_empty()
    }

    /// Whether a comment, an entry of `ignore` or a baseline may hide the finding.
    pub fn can_be_hidden(&self) -> bool {
        !self.always_counts() && !is_never_ignored(&self.rule)
    }
}

impl Linter {
    /// The rule of a fault of the text.
    pub(crate) fn rule_of_syntax_error(&self, problem: SyntaxErrorKind) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::Input(input) if input.problems.contains(&problem)))
    }

    /// The rule of a document whose kind cannot be told.
    pub(crate) fn rule_of_unknown_kind(&self) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::KindCheck(_)))
    }

    /// The rule of what a schema of the user's own refuses.
    pub(crate) fn rule_of_house_schema(&self) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::HouseSchemaCheck(_)))
    }

    /// The rule of what is wrong with an ignore comment or entry.
    pub(crate) fn rule_of_ignore(&self, problem: IgnoreProblem) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::IgnoreCheck(ignore) if ignore.problem == problem))
    }

    /// The rule of a part of an answer.
    pub(crate) fn rule_of_answer(&self, part: AnswerPart) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::AnswerCheck(answer) if answer.says == part))
    }

    /// The rule of a draft that no reader has read.
    pub(crate) fn rule_of_missing_readings(&self) -> Option<&Rule> {
        self.system(|check| matches!(check, SystemCheck::ReadingsCheck(_)))
    }

    /// The rule of a schema's error: one for the field before one for the document.
    pub(crate) fn rule_of_schema_error(&self, kind: Option<Kind>, error: &SchemaError) -> Option<&Rule> {
        let pointer = &error.pointer;
        let role = kind.map_or_else(|| pointer.split('/').nth(1), |kind| kind.role_at(pointer));
        let fits = |rule: &&Rule| {
            let Some(SystemCheck::Schema(check)) = rule.check.system() else { return false };
            kind.is_none_or(|kind| {
                rule.kinds.contains(kind.role()) && (!check.one_number || kind.names_one_number())
            }) && check.violations.contains(&error.kind)
        };
        let at_field = |rule: &&Rule| rule.at.iter().any(|at| at.role().is_some() && at.role() == role);
        let for_all = |rule: &&Rule| rule.at.iter().any(|at| at.steps.is_empty());
        let rules = || self.built_in().filter(fits);
        rules().find(at_field).or_else(|| rules().find(for_all))
    }

    fn system(&self, is_it: impl Fn(&SystemCheck) -> bool) -> Option<&Rule> {
        self.built_in().find(|rule| rule.check.system().is_some_and(&is_it))
    }

    /// The system rules. A user's rule never takes the place of one, whatever its check and its id.
    fn built_in(&self) -> impl Iterator<Item = &Rule> {
        self.rules().iter().filter(|rule| !rule.is_own && !rule.has_content_check)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::provider::kind::Provider;
    use tollproof_data::provider::schema::error::SchemaErrorKind;

    #[test]
    fn every_system_finding_is_bound_to_one_built_in_rule() {
        let linter = Linter::builtin();
        let system: Vec<&Rule> = linter.rules().iter().filter(|rule| rule.check.system().is_some()).collect();
        let mut bound = BTreeSet::new();
        let mut bind = |fits: &dyn Fn(&SystemCheck) -> bool, rule: Option<&Rule>| {
            let fitting: Vec<&str> = system
                .iter()
                .filter(|rule| rule.check.system().is_some_and(fits))
                .map(|rule| rule.id.as_ref())
                .collect();
            let id = rule.expect("it has a rule").id.as_ref();
            assert_eq!(fitting, [id]);
            bound.insert(id.to_owned());
        };
        for problem in [
            SyntaxErrorKind::Syntax,
            SyntaxErrorKind::DuplicateKey,
            SyntaxErrorKind::Encoding,
            SyntaxErrorKind::ByteOrderMark,
            SyntaxErrorKind::Utf16,
            SyntaxErrorKind::Windows1252,
            SyntaxErrorKind::Header,
            SyntaxErrorKind::Limit,
        ] {
            let fits = |check: &SystemCheck| matches!(check, SystemCheck::Input(it) if it.problems.contains(&problem));
            bind(&fits, linter.rule_of_syntax_error(problem));
            assert!(is_always_on(&linter.rule_of_syntax_error(problem).expect("it has a rule").id));
        }
        bind(&|check| matches!(check, SystemCheck::KindCheck(_)), linter.rule_of_unknown_kind());
        assert!(is_always_on(&linter.rule_of_unknown_kind().expect("it has a rule").id));
        bind(&|check| matches!(check, SystemCheck::HouseSchemaCheck(_)), linter.rule_of_house_schema());
        bind(&|check| matches!(check, SystemCheck::ReadingsCheck(_)), linter.rule_of_missing_readings());
        use IgnoreProblem::{Expired, Unexplained, Unknown, Unused};
        for problem in [Unused, Unknown, Expired, Unexplained] {
            let fits =
                |check: &SystemCheck| matches!(check, SystemCheck::IgnoreCheck(it) if it.problem == problem);
            bind(&fits, linter.rule_of_ignore(problem));
        }
        for part in [AnswerPart::Unforeseen, AnswerPart::UnknownName, AnswerPart::NextStep] {
            let fits = |check: &SystemCheck| matches!(check, SystemCheck::AnswerCheck(it) if it.says == part);
            bind(&fits, linter.rule_of_answer(part));
        }
        // Of the rules of the schema, no two name one violation of one field.
        for kind in Provider::all().iter().flat_map(|it| it.kinds()) {
            for field in kind.roles().map(Some).chain([None]) {
                for violation in [
                    SchemaErrorKind::Missing,
                    SchemaErrorKind::Empty,
                    SchemaErrorKind::Count,
                    SchemaErrorKind::Type,
                    SchemaErrorKind::Unknown,
                    SchemaErrorKind::Misplaced,
                    SchemaErrorKind::Uuid,
                    SchemaErrorKind::Timestamp,
                    SchemaErrorKind::OutOfRange,
                    SchemaErrorKind::TooLong,
                    SchemaErrorKind::Identifier,
                    SchemaErrorKind::Pattern,
                    SchemaErrorKind::OtherRequest,
                ] {
                    let fits = |rule: &&&Rule| {
                        matches!(rule.check.system(), Some(SystemCheck::Schema(it)) if it.violations.contains(&violation))
                            && rule.kinds.contains(kind.role())
                            && rule.at.iter().any(|at| at.role() == field)
                    };
                    let fitting: Vec<&str> =
                        system.iter().filter(fits).map(|rule| rule.id.as_ref()).collect();
                    assert!(fitting.len() <= 1, "{kind} {field:?} {violation:?}: {fitting:?}");
                    bound.extend(fitting.into_iter().map(str::to_owned));
                }
            }
        }
        let all: BTreeSet<String> = system.iter().map(|rule| rule.id.to_string()).collect();
        assert_eq!(bound, all, "a system rule that nothing is bound to is never reported");
        let wrong = SchemaError { kind: SchemaErrorKind::Type, pointer: String::new() };
        assert_eq!(linter.rule_of_schema_error(None, &wrong).expect("it has a rule").id, WRONG_TYPE);
    }

    #[test]
    fn what_always_counts_are_built_in_rules() {
        let linter = Linter::builtin();
        for name in crate::rule::selection::ALWAYS_ON.into_iter().chain([WRONG_TYPE, ABOUT_IGNORES]) {
            let mut named = linter.rules().iter().filter(|rule| is_named(name, &rule.id)).peekable();
            assert!(named.peek().is_some(), "{name}");
            assert!(named.all(|rule| rule.check.system().is_some() && rule.enabled), "{name}");
        }
    }
}
