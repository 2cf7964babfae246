//! Users' rules: decoded, validated and prepared like the built-in ones.

use tollproof_data::text::phrases::interner::{Interned, Interner, list_title};
use tollproof_data::text::phrases::vocabulary_check::{MAX_ERRORS, VocabularyError};
use tollproof_data::text::table::lexicon::Lexicon;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::terms::vocabulary_file::VocabularyFile;
use tollproof_data::text::words::hit::SetId;

use crate::checks::wordlists::{Lists, lists};
use crate::rule::errors::{StrictError, TextPart, decode, place};
pub use crate::rule::user_rule::UserRule;
use crate::rule::{Rule, RuleError, RuleFile, validate};
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// The groups that users cannot add rules to. Settings use their names to mean errors of the file, violations of the
/// provider's API and problems with ignores.
const RESERVED: [&str; 3] = ["config", "input", "structure"];

/// Rules ready to run, with their phrases.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexicon: Lexicon<'static>,
    pub(crate) titles: Vec<(SetId, String)>,
    /// The groups, those from before included.
    pub(crate) vocabulary: Vocabulary<'static>,
    pub(crate) next_set: SetId,
}

/// Loads rule files and vocabulary files in addition to the existing rules, groups and sets of phrases. Errors quote
/// nothing of a foreign file.
pub(crate) fn load(
    files: &[UserRule],
    existing: &[Rule],
    known: (&Vocabulary<'static>, SetId),
) -> Result<Loaded, Vec<StrictError>> {
    let is_foreign =
        |error: &StrictError| files.iter().any(|file| file.is_foreign && file.file == error.file);
    let shown = |error: StrictError| {
        if is_foreign(&error) { *error.without_quotes("a rule or vocabulary") } else { error }
    };
    load_all(files, existing, known).map_err(|errors| errors.into_iter().map(shown).collect())
}

fn load_all(
    files: &[UserRule],
    existing: &[Rule],
    known: (&Vocabulary<'static>, SetId),
) -> Result<Loaded, Vec<StrictError>> {
    let mut interner = interner(known);
    // Rules name groups, so that a mistake in the vocabulary would come again in each of them.
    add_vocabulary(files.iter().filter(|file| file.is_vocabulary()), &mut interner)?;
    let mut rules: Vec<Rule> = Vec::new();
    let mut errors = Vec::new();
    let files: Vec<&UserRule> = files.iter().filter(|file| !file.is_vocabulary()).collect();
    let ids: Vec<&str> = existing
        .iter()
        .map(|rule| rule.id.as_ref())
        .chain(files.iter().map(|file| file.id.as_str()))
        .collect();
    for file in files {
        let taken = existing.iter().chain(&rules).any(|rule| rule.id == file.id);
        let loaded = load_one(file, taken, &ids, &mut interner).and_then(|rule| {
            match same_question(&rule, existing.iter().chain(&rules)) {
                None => Ok(rule),
                Some(message) => Err(StrictError::at(&file.file, &file.text, "/question", message)),
            }
        });
        match loaded {
            Ok(rule) => rules.push(rule),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(loaded(interner, rules))
}

/// Reports the name of a rule's question if another rule has it: answers have only the name.
fn same_question<'r>(rule: &Rule, others: impl Iterator<Item = &'r Rule>) -> Option<String> {
    let id = rule.text().question?.id;
    let has_it = |other: &&Rule| other.asks && other.text().question.is_some_and(|it| it.id == id);
    let other = others.into_iter().find(has_it)?;
    Some(format!("the rule `{}` has a question with the name `{id}`; use another `id`", other.id))
}

/// An interner that knows the built-in lists and the groups of a vocabulary, and numbers sets of phrases from `first`.
pub(crate) fn interner((vocabulary, first): (&Vocabulary<'static>, SetId)) -> Interner<'static> {
    Interner::beside(lists().iter().copied(), vocabulary.clone(), first)
}

/// Combines prepared rules with the phrases of their interner.
pub(crate) fn loaded(interner: Interner<'static>, rules: Vec<Rule>) -> Loaded {
    let Interned { phrases, lists, vocabulary, next_set } = interner.finish();
    let title = |(name, set): (String, SetId)| Some((set, list_title(Lists::text(&name)?)?.to_owned()));
    let lexicon = phrases.build();
    Loaded { rules, lexicon, titles: lists.into_iter().filter_map(title).collect(), vocabulary, next_set }
}

/// Adds the groups of users' files.
fn add_vocabulary<'f>(
    files: impl Iterator<Item = &'f UserRule>,
    interner: &mut Interner<'_>,
) -> Result<(), Vec<StrictError>> {
    let files: Vec<&UserRule> = files.collect();
    let mut errors = Vec::new();
    let mut groups = Vec::new();
    for file in &files {
        match read_vocabulary(file) {
            Ok(content) => groups.push((file.file.clone(), content)),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    interner.add_vocabulary(&groups).map_err(|mut errors| {
        errors.truncate(MAX_ERRORS);
        // All errors of a file are neighbors, so it is parsed once.
        let of_files = errors.chunk_by(|one, other| one.file == other.file);
        of_files.flat_map(|of_file| placed(files[of_file[0].file], of_file)).collect()
    })
}

/// Places errors in the text of their file.
fn placed(UserRule { file, text, .. }: &UserRule, errors: &[VocabularyError]) -> Vec<StrictError> {
    let source = Source::new("", text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let placed = |error: &VocabularyError| {
        let is_group = !error.pointer[1..].contains('/');
        let span = place(&parsed, &error.pointer, if is_group { TextPart::Key } else { TextPart::Value });
        *StrictError::new(file, text, span, error.message.clone(), error.help.map(str::to_owned))
    };
    errors.iter().map(placed).collect()
}

/// Reads one vocabulary file. Its groups are checked when a linter is built.
fn read_vocabulary(UserRule { file, text, .. }: &UserRule) -> Result<VocabularyFile, Box<StrictError>> {
    decode(file, text).map_err(|error| match decode::<RuleFile>(file, text) {
        Ok(_) => {
            let message = "this is a rule, but the files in `vocabulary/` contain groups of terms";
            let help = "Move it to a folder with another name.".to_owned();
            StrictError::at_key(file, text, "/title", message, Some(help))
        }
        Err(_) => error,
    })
}

fn load_one(
    file: &UserRule,
    taken: bool,
    ids: &[&str],
    interner: &mut Interner<'_>,
) -> Result<Rule, Box<StrictError>> {
    let error = |pointer: &str, message: String| StrictError::at(&file.file, &file.text, pointer, message);
    let rule = decode::<RuleFile>(&file.file, &file.text)?;
    if taken {
        return Err(error("/title", format!("there is already a rule `{}`; rename this file", file.id)));
    }
    let parts: Vec<&str> = file.id.split('/').collect();
    if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
        let message = format!(
            "`{}` is not a valid id: a rule file must be in the folder of its group, as group/name.yaml",
            file.id
        );
        let help = match parts.as_slice() {
            [_] => {
                "Use the folder above: with `--rules mine`, the file `mine/house/old-name.yaml` is `house/old-name`."
            }
            _ => {
                "Groups cannot contain groups. Put the file in a direct subfolder of the folder that you name with `--rules`."
            }
        };
        return Err(Box::new(StrictError { help: Some(help.to_owned()), ..*error("/title", message) }));
    }
    if let Some(group) = RESERVED.iter().find(|group| **group == parts[0]) {
        let message = format!("the group `{group}` is reserved for built-in rules; choose another");
        return Err(error("/title", message));
    }
    if rule.check.system().is_some() {
        let name = rule.check.name();
        let message = format!("only built-in rules can use the check `{name}`");
        let help = "Use another check. `rules/README.md` lists all of them.".to_owned();
        let pointer = format!("/check/{name}");
        return Err(StrictError::at_key(&file.file, &file.text, &pointer, message, Some(help)));
    }
    let at_key = |it: RuleError| error(&it.pointer, it.message);
    let mut rule = rule.prepare(&file.id, interner).map_err(at_key)?;
    rule.is_own = true;
    validate::check(&rule, ids).map_err(at_key)?;
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::UserRule;
    use crate::examples::base;
    use crate::facts::Facts;
    use crate::lint::{Linter, LinterError};
    use crate::provider::kind::{Kind, KindRole};
    use crate::rule::config::{Config, Level, Parameters};

    const RULE: &str = "title: A\nseverity: info\nat: businessCity\ncheck: { forbid: { any_of: [nowhere] } }\n\
        message: a\nhelp: A.\ndocs: A.\nexamples: { pass: [], fail: [] }\n";

    fn own(id: &str) -> UserRule {
        UserRule { id: id.to_owned(), file: format!("{id}.yaml"), text: RULE.to_owned(), is_foreign: false }
    }

    fn vague(parameters: serde_json::Value) -> Parameters {
        let of = |key: &str| parameters[key].as_object().cloned().unwrap_or_default();
        Parameters { rule: "opt-in/vague-description".to_owned(), with: of("with"), add: of("add") }
    }

    #[test]
    fn settings_apply_to_the_users_rules_whatever_comes_first() {
        let config = Config {
            select: vec!["contact".to_owned(), "opt-in".to_owned()],
            ignore: vec!["contact/free-mail".to_owned()],
            levels: vec![("contact".to_owned(), Level::Error)],
            locked: vec!["opt-in".to_owned()],
            ..Config::default()
        };
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessCity"] = json!("Nowhere");
        draft["businessContactEmail"] = json!("irene.kayak@gmail.com");
        draft["businessContactPhone"] = json!("123");
        let rules = ["contact/own", "house/own"].map(own);
        let found = |builder: crate::lint::LinterBuilder| {
            let report = builder.build().expect("it can be built").check_value(&draft, &Facts::default());
            report.findings.iter().map(|it| (it.rule.to_string(), it.severity)).collect::<Vec<_>>()
        };
        let first = found(Linter::builder().rules(rules.clone()).config(config.clone()));
        assert_eq!(first, found(Linter::builder().config(config).rules(rules)));
        let has = |rule: &str| first.iter().any(|(it, _)| it == rule);
        assert!(has("contact/own") && has("contact/malformed-phone"), "{first:?}");
        assert!(!has("contact/free-mail") && !has("house/own"), "{first:?}");
    }

    #[test]
    fn parameters_that_are_set_twice_apply_together() {
        let longer = || vague(json!({"with": {"min-chars": 900}}));
        let unless = || vague(json!({"add": {"unless": ["harbor"]}}));
        let is_vague = |parameters: Vec<Parameters>, text: &str| {
            let mut draft = base::of(Kind::of(KindRole::Submit));
            draft["optInWorkflowDescription"] = json!(text);
            let linter = Linter::builder().parameters(parameters).build().expect("they fit");
            let report = linter.check_value(&draft, &Facts::default());
            report.findings.iter().any(|it| it.rule == "opt-in/vague-description")
        };
        let clean = base::of(Kind::of(KindRole::Submit));
        let text = clean["optInWorkflowDescription"].as_str().expect("a string");
        let harbor = format!("{text} Harbor.");
        assert!(!is_vague(vec![], text) && is_vague(vec![longer()], text), "900 characters are too many");
        assert!(is_vague(vec![longer()], &harbor));
        for parameters in [vec![longer(), unless()], vec![unless(), longer()]] {
            assert!(!is_vague(parameters.clone(), &harbor) && is_vague(parameters, text));
        }
    }

    #[test]
    fn rules_from_before_find_the_terms_that_are_added_to_their_groups() {
        let rule = RULE.replace("any_of: [nowhere]", "any_of: [<sms>]");
        let rule = UserRule { text: rule, ..own("house/own") };
        let terms = UserRule { text: "sms: { any: [nulle] }".to_owned(), ..own("vocabulary/more") };
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessCity"] = json!("Nulle");
        let is_found = |linter: &Linter| {
            let report = linter.check_value(&draft, &Facts::default());
            report.findings.iter().any(|it| it.rule == "house/own")
        };
        let linter = Linter::builtin().with_rules(&[rule]).expect("it is a rule");
        assert!(!is_found(&linter));
        assert!(is_found(&linter.with_rules(&[terms]).expect("the group exists")));
    }

    #[test]
    fn parameters_of_an_unknown_rule_are_an_error() {
        let with = json!({"any_of": ["somewhere"]}).as_object().cloned().unwrap_or_default();
        let set = [Parameters { rule: "house/own".to_owned(), with, ..Parameters::default() }];
        let Err(LinterError::Parameters(errors)) = Linter::builder().parameters(set.clone()).build() else {
            panic!("the linter has no such rule")
        };
        assert!(errors[0].message.contains("is neither a rule nor a group"), "{errors:?}");
        let linter = Linter::builder().parameters(set).rules([own("house/own")]).build().expect("they fit");
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessCity"] = json!("Somewhere");
        let report = linter.check_value(&draft, &Facts::default());
        assert!(report.findings.iter().any(|it| it.rule == "house/own"), "{:?}", report.findings);
    }
}
