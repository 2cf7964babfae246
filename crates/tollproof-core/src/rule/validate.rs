//! Validation of a rule: its fields, lists, rules and placeholders exist, and it can find something.

use tollproof_data::checks::condition::PROVIDER;
use tollproof_data::provider::schema::shape::Shape;
use tollproof_data::suggest::{did_you_mean, nearest};

use crate::checks::wordlists::{Lists, lists};
use crate::checks::{Check, LooksAt};
use crate::facts::seen::PageField;
use crate::provider::kind::{Kind, Provider};
use crate::rule::{Rule, RuleError, Target};

/// Values a question fills in messages and help, besides the field.
const QUESTION_FILLS: &[&str] = &["match", "answer"];

/// The same for a question about pages.
const PAGE_QUESTION_FILLS: &[&str] = &["match", "answer", "address"];

/// Returns the first problem of a rule; `ids` are the ids of all rules.
pub(crate) fn check(rule: &Rule, ids: &[&str]) -> Result<(), RuleError> {
    fields_exist(rule)?;
    lists_exist(rule)?;
    rules_exist(rule, ids)?;
    placeholders_exist(rule)?;
    question_fits(rule)?;
    if let Some(lacks) = rule.check.content().and_then(Check::lacks) {
        let name = rule.check.name();
        return Err(RuleError::new(format!("/check/{name}"), format!("`{name}` needs {lacks}")));
    }
    let is_document = |target: &Target| target.steps.is_empty();
    if let Some(at) = rule.at.iter().position(|target| rule.refuses_value && is_document(target)) {
        let message = "`refuses_value` needs a field in `at`, not `$document`";
        return Err(RuleError::new(format!("/at/{at}"), message));
    }
    for (at, target) in rule.at.iter().enumerate() {
        let place = format!("/at/{at}");
        can_look(rule, target).map_err(|message| RuleError::new(place, message))?;
    }
    Ok(())
}

/// Checks that every field of a rule exists in one of its kinds.
fn fields_exist(rule: &Rule) -> Result<(), RuleError> {
    let names: Vec<&str> = kinds(rule).flat_map(Kind::roles).collect();
    let unknown = |name: &str, written: &str| {
        // A rule names fields by their roles, whatever the provider calls them.
        let meant = kinds(rule).find_map(|kind| kind.role_named(name));
        let meant = meant.or_else(|| nearest(name, names.iter().copied()));
        let near = did_you_mean(meant.filter(|near| *near != name));
        format!("the kinds of this rule have no field `{written}`{near}")
    };
    for (at, target) in rule.at.iter().enumerate().filter(|(_, target)| !target.steps.is_empty()) {
        let name = target.role().unwrap_or_default();
        if shapes(rule, target).next().is_none() {
            return Err(RuleError::new(format!("/at/{at}"), unknown(name, &target.to_string())));
        }
    }
    let downgrades = rule.downgrade.iter().enumerate();
    let downgrades = downgrades.flat_map(|(at, it)| {
        it.when.0.keys().map(move |name| (format!("/downgrade/{at}/when/{name}"), name))
    });
    let text = rule.text();
    let others = text.help_when.iter().enumerate();
    let others = others.flat_map(|(at, (when, _))| {
        when.0.keys().map(move |name| (format!("/help_when/{at}/when/{name}"), name))
    });
    let own = rule.when.0.keys().map(|name| (format!("/when/{name}"), name));
    let asked = text.question.iter().filter_map(|question| question.when.as_ref());
    let asked = asked.flat_map(|when| when.0.keys().map(|name| (format!("/question/when/{name}"), name)));
    let conditions = own.chain(downgrades).chain(others).chain(asked);
    for (place, name) in conditions {
        if !names.contains(&name.as_str()) && name != PROVIDER {
            return Err(RuleError::new(place, unknown(name, name)));
        }
    }
    Ok(())
}

/// Checks that the fields of a question exist, and that it fills every placeholder of its texts.
fn question_fits(rule: &Rule) -> Result<(), RuleError> {
    let Some(question) = rule.text().question else { return Ok(()) };
    let pages = || PageField::NAMES.iter().map(|(name, _)| *name);
    for (at, role) in question.at.iter().enumerate() {
        let names = || kinds(rule).flat_map(Kind::roles).chain(pages());
        if !names().any(|name| name == *role) {
            let near = did_you_mean(nearest(role, names()));
            let message = format!("the kinds of this rule have no field `{role}`{near}");
            return Err(RuleError::new(format!("/question/at/{at}"), message));
        }
    }
    let texts = [("/question/message", question.message), ("/question/help", question.help)];
    let texts = texts.into_iter().filter_map(|(place, text)| Some((place, text?)));
    filled("question", question_fills(rule), texts)
}

fn question_fills(rule: &Rule) -> &'static [&'static str] {
    let question = rule.text().question;
    let is_of_pages =
        question.is_some_and(|question| question.at.iter().any(|role| PageField::named(role).is_some()));
    if is_of_pages { PAGE_QUESTION_FILLS } else { QUESTION_FILLS }
}

/// Checks that every host of a rule is a host or the name of a list.
fn lists_exist(rule: &Rule) -> Result<(), RuleError> {
    let text = rule.text();
    let asked = text.question.iter().filter_map(|question| question.when.as_ref());
    let others = text.help_when.iter().map(|(when, _)| when).chain(asked).flat_map(|when| when.0.values());
    let conditions = rule.conditions().chain(others).flat_map(|condition| condition.hosts());
    for name in rule
        .check
        .content()
        .map_or(&[][..], Check::hosts)
        .iter()
        .chain(conditions)
        .filter(|name| !name.contains('.'))
    {
        if Lists::text(name).is_none() {
            let near = did_you_mean(nearest(name, lists().iter().map(|(name, _)| *name)));
            return Err(RuleError::new("/check", format!("`{name}` is neither a host nor a list{near}")));
        }
    }
    Ok(())
}

/// Checks that every rule or group in `yields_to` exists.
fn rules_exist(rule: &Rule, ids: &[&str]) -> Result<(), RuleError> {
    let names = || ids.iter().flat_map(|id| [*id, id.split('/').next().unwrap_or_default()]);
    for (at, name) in rule.text().yields_to.into_iter().enumerate() {
        if !names().any(|known| known == name) {
            let near = did_you_mean(nearest(name, names()));
            let message = format!("`{name}` is neither a rule nor a group of rules{near}");
            return Err(RuleError::new(format!("/yields_to/{at}"), message));
        }
    }
    Ok(())
}

/// Checks that the check fills every placeholder in the message and the help.
fn placeholders_exist(rule: &Rule) -> Result<(), RuleError> {
    let text = rule.text();
    let others = text.help_when.iter().map(|(_, help)| ("/help_when", *help));
    let texts = [("/message", text.message), ("/help", text.help)].into_iter().chain(others);
    let fills =
        if rule.check.content().is_none() && rule.asks { question_fills(rule) } else { rule.check.fills() };
    filled(rule.check.name(), fills, texts)
}

/// Checks that the placeholders in texts are among those that are filled.
fn filled<'t>(
    check: &str,
    fills: &[&str],
    texts: impl Iterator<Item = (&'static str, &'t str)>,
) -> Result<(), RuleError> {
    let known = || fills.iter().copied().chain(["field", "provider"]);
    for (place, text) in texts {
        for (_, after) in text.match_indices('{').map(|(at, _)| text.split_at(at + 1)) {
            let Some((name, _)) = after.split_once('}') else { continue };
            if !known().any(|it| it == name) {
                let near = nearest(name, known()).map(|it| format!("{{{it}}}"));
                let all = known().map(|it| format!("`{{{it}}}`")).collect::<Vec<_>>().join(", ");
                let near = did_you_mean(near.as_deref());
                let near = if near.is_empty() { format!("; it has {all}") } else { near };
                return Err(RuleError::new(
                    place,
                    format!("`{check}` has no placeholder `{{{name}}}`{near}"),
                ));
            }
        }
    }
    Ok(())
}

/// Checks that the check of a rule can find something at a target.
fn can_look(rule: &Rule, target: &Target) -> Result<(), String> {
    let Some(check) = rule.check.content() else { return Ok(()) };
    let (name, looks_at) = (check.name(), check.looks_at());
    match looks_at {
        LooksAt::Anything => return Ok(()),
        LooksAt::Field => {
            let is_field = target.steps.last().is_some_and(Option::is_some);
            return if is_field { Ok(()) } else { Err(format!("`{name}` needs a field in `at`")) };
        }
        LooksAt::Value | LooksAt::List | LooksAt::Text | LooksAt::ListedText => {}
    }
    if target.steps.is_empty() {
        return Err(format!("`{name}` needs strings, but `$document` is an object; name its fields"));
    }
    let Some(shape) = shapes(rule, target).next() else { return Ok(()) };
    if looks_at == LooksAt::List {
        let is_list = shapes(rule, target).any(|shape| matches!(shape, Shape::List { .. }));
        return if is_list {
            Ok(())
        } else {
            Err(format!("`{name}` needs a list, but `{target}` is {}", shape.noun()))
        };
    }
    if looks_at == LooksAt::Value {
        return Ok(());
    }
    let texts = || {
        shapes(rule, target).filter_map(|shape| match shape {
            Shape::Text(text) => Some(text),
            _ => None,
        })
    };
    if texts().next().is_none() {
        let hint = match shape {
            Shape::List { .. } => format!("; write `{target}[*]` for each of its items"),
            _ => String::new(),
        };
        return Err(format!("`{name}` needs a string, but `{target}` is {}{hint}", shape.noun()));
    }
    if looks_at == LooksAt::ListedText && texts().all(|text| text.values.is_empty()) {
        return Err(format!(
            "`{name}` needs a field with a closed list of values, but `{target}` takes any string"
        ));
    }
    Ok(())
}

/// The shapes of a target in the kinds of the rule: those of the default provider, or those of the others if it does not
/// have the field.
fn shapes(rule: &Rule, target: &Target) -> impl Iterator<Item = &'static Shape> {
    let of_kind = |kind: Kind| kind.shape_at(&target.steps);
    let is_ours = Provider::default().kinds_in(rule.kinds).any(|kind| of_kind(kind).is_some());
    kinds(rule).filter(move |kind| !is_ours || kind.is_default_provider()).filter_map(of_kind)
}

/// The kinds of a rule, for all built-in providers.
fn kinds(rule: &Rule) -> impl Iterator<Item = Kind> {
    Provider::all().iter().flat_map(|provider| provider.kinds_in(rule.kinds))
}

#[cfg(test)]
mod tests {
    use crate::checks::{Check, SystemCheck};
    use crate::rule::user_rules::{UserRule, load};

    /// The message of an error about a changed rule, and the underlined text.
    fn refused(id: &str, from: &str, to: &str) -> (String, String) {
        let (_, text) =
            crate::rule::builtin::files().find(|(known, _)| *known == id).expect("it is built in");
        assert!(text.contains(from), "{id} holds no {from}");
        let text = text.replacen(from, to, 1);
        let rule = UserRule {
            id: "own/rule".to_owned(),
            file: "own/rule.yaml".to_owned(),
            text: text.clone(),
            is_foreign: false,
        };
        let existing = crate::rule::builtin::load();
        let errors = load(&[rule], &existing.rules, (&existing.vocabulary, existing.next_set)).expect_err(to);
        let span = errors[0].span.expect("every error has a place");
        (errors[0].message.clone(), text[span.range()].to_owned())
    }

    #[test]
    fn rules_that_cannot_do_what_they_say_are_refused() {
        const BRAND: &str = "message/missing-brand";
        const VOLUME: &str = "use-case/unknown-message-volume";
        for (id, from, to, message, place) in [
            (BRAND, "brand: {}", "require: {}", "`require` needs `any_of`, `elements` or `min_chars`", "{}"),
            (
                BRAND,
                "brand: {}",
                "forbid: { skip_negated: true }",
                "`forbid` needs `any_of`, `whole` or `matches`",
                "{ skip_negated: true }",
            ),
            (
                BRAND,
                "at: productionMessageContent",
                "at: $document",
                "`brand` needs strings, but `$document` is an object; name its fields",
                "$document",
            ),
            (
                BRAND,
                "at: productionMessageContent",
                "at: [useCase, optInWorkflowImageURLs]",
                "`brand` needs a string, but `optInWorkflowImageURLs` is a list; write `optInWorkflowImageURLs[*]` for each of its items",
                "optInWorkflowImageURLs",
            ),
            (
                BRAND,
                "at: productionMessageContent",
                "at: testMode",
                "`brand` needs a string, but `testMode` is true or false",
                "testMode",
            ),
            (
                BRAND,
                "at: productionMessageContent",
                "at: productionMessage",
                "the kinds of this rule have no field `productionMessage`",
                "productionMessage",
            ),
            (
                VOLUME,
                "at: messageVolume",
                "at: businessCity",
                "`closed-list` needs a field with a closed list of values, but `businessCity` takes any string",
                "businessCity",
            ),
            (
                VOLUME,
                "`{value}`",
                "`{vlaue}`",
                "`closed-list` has no placeholder `{vlaue}`; did you mean `{value}`?",
                "\"`{vlaue}` is not one of the {count} message volumes\"",
            ),
            (
                BRAND,
                "check:",
                "yields_to: [message, contact/malformed-fone]\ncheck:",
                "`contact/malformed-fone` is neither a rule nor a group of rules; did you mean `contact/malformed-phone`?",
                "contact/malformed-fone",
            ),
            (
                BRAND,
                "at: productionMessageContent\n",
                "at: $document\nrefuses_value: true\n",
                "`refuses_value` needs a field in `at`, not `$document`",
                "$document",
            ),
            (
                BRAND,
                "brand: {}",
                "forbid: { matches: [\"a\", \"(\"] }",
                "`(` is not a valid regular expression: unclosed group",
                "\"(\"",
            ),
            (
                BRAND,
                "check:",
                "when: { useCase: { not: { matches: \"(\" } } }\ncheck:",
                "`(` is not a valid regular expression: unclosed group",
                "\"(\"",
            ),
        ] {
            assert_eq!(refused(id, from, to), (message.to_owned(), place.to_owned()), "{to}");
        }
    }

    #[test]
    fn every_check_has_a_built_in_rule() {
        let rules = crate::rule::builtin::load().rules;
        let used: Vec<&str> = rules.iter().map(|rule| rule.check.name()).collect();
        for name in Check::NAMES.iter().chain(SystemCheck::NAMES) {
            assert!(used.contains(name), "no rule uses the check `{name}`");
        }
    }

    #[test]
    fn built_in_rules_can_do_what_they_say() {
        let rules = crate::rule::builtin::load().rules;
        let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_ref()).collect();
        for rule in &rules {
            super::check(rule, &ids).unwrap_or_else(|error| panic!("{}: {error:?}", rule.id));
        }
    }
}
