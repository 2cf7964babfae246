//! Properties of every text that is fixed, whatever is wrong with it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;
use tollproof_core::examples::Scene;
use tollproof_core::{
    Edit, Facts, Finding, Fix, FixedText, Fixer, Format, Kind, KindHint, KindRole, Linter, Parsed, Pointer,
    Report, RuleFile, Safety, Severity, Source, Span, SuppressedBy, Suppression, builtin_rules, decode,
};

use crate::properties::document;

/// One way to write several documents.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Notation {
    Pretty,
    OneLine,
    Lines,
    List,
    Stream,
}

impl Notation {
    pub(crate) const ALL: [Self; 5] = [Self::Pretty, Self::OneLine, Self::Lines, Self::List, Self::Stream];

    pub(crate) fn format(self) -> Format {
        match self {
            Self::Pretty | Self::OneLine => Format::Json,
            Self::Lines => Format::Ndjson,
            Self::List | Self::Stream => Format::Yaml,
        }
    }

    pub(crate) fn write(self, all: &[Value]) -> String {
        match self {
            Self::Pretty => serde_json::to_string_pretty(all).expect("a value is JSON"),
            Self::OneLine => serde_json::to_string(all).expect("a value is JSON"),
            Self::Lines => all.iter().map(|it| format!("{it}\n")).collect(),
            Self::List => format!("# several\n{}# the end", yaml(all)),
            Self::Stream => {
                all.iter().map(|draft| format!("--- # one\n# as it came\n{}", yaml(draft))).collect()
            }
        }
    }

    /// The values, as another reader has them.
    fn read(self, text: &str) -> Vec<Value> {
        let text = text.trim_start_matches('\u{feff}');
        match self {
            Self::Pretty | Self::OneLine => serde_json::from_str(text).expect("it is JSON"),
            Self::Lines => text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect(),
            Self::List => serde_yaml::from_str(text).expect("it is YAML"),
            Self::Stream => serde_yaml::Deserializer::from_str(text)
                .map(|document| Value::deserialize(document).expect("it is YAML"))
                .collect(),
        }
    }
}

fn yaml(value: &(impl Serialize + ?Sized)) -> String {
    serde_yaml::to_string(value).expect("a value is YAML")
}

/// A text after each pass, with what was found in it.
pub(crate) type Passes = Vec<(String, Report)>;

pub(crate) fn fix(text: &str, format: Format, kind: KindHint, reach: Safety) -> (Option<FixedText>, Passes) {
    let linter = Linter::builtin();
    let mut passes = Vec::new();
    let mut check = |parsed: &Parsed<'_>| {
        let report = linter.check(parsed, kind, &Facts::default());
        passes.push((parsed.source().text().to_owned(), report.clone()));
        report
    };
    let source = Source::from_bytes("draft", text.as_bytes().to_vec());
    let parsed = Parsed::of(&source, Some(format));
    let report = check(&parsed);
    let fixer = Fixer { reach, least: Severity::Info };
    (fixer.fix(&parsed, &report, &mut check), passes)
}

/// The fixes that a report offers within a reach.
pub(crate) fn wanted(report: &Report, reach: Safety) -> Vec<(&Finding, &Fix)> {
    let with_fix = report.fixes().filter_map(|finding| Some((finding, finding.fix.as_ref()?)));
    with_fix.filter(|(_, fix)| fix.safety <= reach).collect()
}

/// The pieces of a text that no fix wants to change.
fn untouched<'t>(text: &'t str, fixes: &[(&Finding, &Fix)]) -> Vec<&'t str> {
    let mut spans: Vec<Span> = fixes.iter().flat_map(|(_, fix)| fix.edits.iter().map(|it| it.span)).collect();
    spans.sort();
    let (mut pieces, mut rest) = (Vec::new(), 0);
    for span in spans {
        if span.range().start >= rest {
            pieces.push(&text[rest..span.range().start]);
        }
        rest = rest.max(span.range().end);
    }
    pieces.push(&text[rest..]);
    pieces
}

/// Holds a text against the pieces that must stand in it, in their order, at its start and at its end.
fn assert_pieces(pieces: &[&str], text: &str) {
    let mut rest = text.strip_prefix(pieces[0]).unwrap_or_else(|| panic!("the start moved: {text}"));
    let (last, middle) = pieces[1..].split_last().expect("a fix has two sides");
    for piece in middle {
        let at = rest.find(piece).unwrap_or_else(|| panic!("{piece:?} is gone: {text}"));
        rest = &rest[at + piece.len()..];
    }
    assert!(rest.ends_with(last), "the end moved: {text}");
}

/// The pointers at which two values differ.
fn differences(one: &Value, other: &Value, pointer: &str, found: &mut BTreeSet<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for key in one.keys().chain(other.keys()) {
                let null = Value::Null;
                let (one, other) = (one.get(key).unwrap_or(&null), other.get(key).unwrap_or(&null));
                differences(one, other, &format!("{pointer}/{key}"), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                differences(one, other, &format!("{pointer}/{at}"), found);
            }
        }
        (one, other) if one == other => {}
        _ => drop(found.insert(pointer.to_owned())),
    }
}

pub(crate) fn assert_fixed(notation: Notation, text: &str, reach: Safety) -> usize {
    let (fixed_text, passes) = fix(text, notation.format(), KindHint::Explicit, reach);
    let Some(fixed_text) = fixed_text else {
        assert!(wanted(&passes[0].1, reach).is_empty(), "nothing was fixed in {text}");
        return 0;
    };
    let after = fixed_text.source.text();
    assert!(
        wanted(&fixed_text.report, reach).is_empty(),
        "{text}\nbecame\n{after}\n{:#?}",
        fixed_text.report.findings
    );
    assert_eq!(passes.last(), Some(&(after.to_owned(), fixed_text.report.clone())));
    for pair in passes.windows(2) {
        let ((old, report), (new, _)) = (&pair[0], &pair[1]);
        assert_pieces(&untouched(old, &wanted(report, reach)), new);
    }
    let place = |it: &Finding| (it.document, it.pointer.clone());
    let concerned: BTreeSet<_> =
        passes.iter().flat_map(|(_, report)| wanted(report, reach)).map(|(it, _)| place(it)).collect();
    let same = |one: &Finding, other: &Finding| one.rule == other.rule && place(one) == place(other);
    for (finding, _) in wanted(&passes[0].1, reach) {
        let left = fixed_text.report.findings.iter().find(|it| same(it, finding));
        assert!(left.is_none(), "{text}\nbecame\n{after}\n{left:#?}");
    }
    let (before, values) = (notation.read(text), notation.read(after));
    assert_eq!(before.len(), values.len());
    for (index, (before, value)) in before.iter().zip(&values).enumerate() {
        let mut found = BTreeSet::new();
        differences(before, value, "", &mut found);
        // A field that was renamed is gone under one name and there under the other.
        found.retain(|pointer| before.pointer(pointer).is_some());
        for pointer in found {
            assert!(
                concerned.contains(&(index, pointer.as_str().into())),
                "{pointer}: {text}\nbecame\n{after}"
            );
        }
    }
    let (again, _) = fix(after, notation.format(), KindHint::Explicit, reach);
    assert!(again.is_none(), "a second run changes {after}");
    fixed_text.fixed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(200), ..ProptestConfig::default() })]

    #[test]
    fn fixing_changes_what_it_must_and_nothing_else(
        all in proptest::collection::vec(document(), 1..4),
        notation in proptest::sample::select(Notation::ALL.to_vec()),
        crlf in any::<bool>(),
        mark in any::<bool>(),
        reach in proptest::sample::select(vec![Safety::Safe, Safety::Unsafe]),
    ) {
        let values: Vec<Value> = all.into_iter().map(|(_, value)| value).collect();
        let mut text = notation.write(&values);
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        if mark {
            text.insert(0, '\u{feff}');
        }
        assert_fixed(notation, &text, reach);
    }

    #[test]
    fn fixing_damaged_drafts_leaves_them_as_they_are(
        (_, document) in document(),
        at in any::<prop::sample::Index>(),
        with in "[\\[\\]{}\":,\\\\\n']",
    ) {
        let mut text = serde_json::to_string_pretty(&document).expect("a value is JSON");
        let at = (0..=at.index(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.insert_str(at, &with);
        // A value that ends too early is whole, and what follows it is another.
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        prop_assume!(values.next().is_none_or(|first| first.is_err()));
        let kind = KindHint::Forced(Kind::of(KindRole::Submit).into());
        let (fixed_text, _) = fix(&text, Format::Json, kind, Safety::Unsafe);
        prop_assert!(fixed_text.is_none(), "{}", text);
    }
}

/// The examples of all rules are fixed as far as they can be, and most of what can be fixed is among them.
#[test]
fn examples_are_fixed() {
    let mut fixed = 0;
    for (id, text) in builtin_rules() {
        let rule = decode::<RuleFile>(id, text).expect("the built-in rules are right");
        for example in rule.examples.pass.iter().chain(&rule.examples.fail) {
            let scene = Scene::of(&rule, example);
            let format = if scene.file_name() == "draft.yaml" { Format::Yaml } else { Format::Json };
            let kind = scene.kind().map_or(KindHint::Explicit, |kind| KindHint::Forced(kind.into()));
            let (fixed_text, passes) = fix(&scene.text, format, kind, Safety::Unsafe);
            let left = fixed_text.as_ref().map_or(&passes[0].1, |it| &it.report);
            assert_eq!(wanted(left, Safety::Unsafe), [], "{id}: {}", scene.text);
            fixed += fixed_text.map_or(0, |it| it.fixed);
        }
    }
    assert!(fixed > 30, "{fixed}");
}

/// A finding that wants to write texts in place of others.
fn finding(edits: &[(usize, usize, &str)]) -> Finding {
    let edits = edits
        .iter()
        .map(|&(start, end, text)| Edit { span: Span::new(start, end), text: text.to_owned() })
        .collect();
    Finding {
        rule: "house/test".into(),
        severity: Severity::Error,
        message: String::new().into(),
        help: None,
        document: 0,
        kind: None,
        pointer: Pointer::default(),
        span: None,
        label: None,
        related: Vec::new(),
        fix: Some(Fix { safety: Safety::Safe, edits }),
        prevents: Vec::new(),
        fingerprint: String::new(),
        read_by: None,
        format: None,
        suppressed: None,
    }
}

fn report(findings: Vec<Finding>) -> Report {
    Report { findings, documents: 1, ..Report::default() }
}

/// Mends a text in which `find` finds something.
fn fix_by(text: &str, find: &dyn Fn(&str) -> Report) -> Option<(String, usize)> {
    let fixer = Fixer { reach: Safety::Safe, least: Severity::Warning };
    let source = Source::new("text", text);
    let parsed = Parsed::of(&source, None);
    let fixed_text = fixer.fix(&parsed, &find(text), &mut |parsed| find(parsed.source().text()))?;
    Some((fixed_text.source.text().to_owned(), fixed_text.fixed))
}

#[test]
fn fixes_are_applied_whole_and_those_that_touch_wait() {
    let find = |text: &str| match text {
        "abcdef" => report(vec![
            finding(&[(4, 5, "E")]),
            // This one touches the first in the text, and none of its edits is applied.
            finding(&[(1, 2, "?"), (5, 6, "?")]),
            finding(&[(0, 1, "A"), (2, 3, "C")]),
        ]),
        "AbCdEf" => report(vec![finding(&[(3, 3, "<"), (3, 4, "D"), (4, 4, ">")])]),
        _ => report(vec![]),
    };
    assert_eq!(fix_by("abcdef", &find), Some(("AbC<D>Ef".to_owned(), 3)));
}

#[test]
fn fixes_that_undo_each_other_end_where_they_began() {
    let swap = |text: &str| match text {
        "start" => report(vec![finding(&[(0, 5, "on")])]),
        "on" => report(vec![finding(&[(0, 2, "off")])]),
        _ => report(vec![finding(&[(0, 3, "on")])]),
    };
    assert_eq!(fix_by("start", &swap), Some(("on".to_owned(), 1)));
    assert_eq!(fix_by("on", &swap), None);
}

#[test]
fn what_cannot_or_must_not_be_applied_is_left() {
    let suppressed = Suppression { by: SuppressedBy::Comment, reason: None };
    let unsound =
        Fix { safety: Safety::Unsafe, edits: vec![Edit { span: Span::new(0, 1), text: "x".into() }] };
    for left in [
        finding(&[]),
        finding(&[(0, 2, "\u{e9}")]),
        finding(&[(0, 9, "x")]),
        finding(&[(1, 2, "x")]),
        finding(&[(2, 3, "x"), (0, 2, "x")]),
        finding(&[(2, 2, "x"), (2, 2, "y")]),
        Finding { severity: Severity::Info, ..finding(&[(2, 3, "x")]) },
        Finding { suppressed: Some(suppressed), ..finding(&[(2, 3, "x")]) },
        Finding { fix: Some(unsound), ..finding(&[]) },
        Finding { document: 1, ..finding(&[(2, 3, "x")]) },
    ] {
        let find = |_: &str| Report { damaged: [1].into(), ..report(vec![left.clone()]) };
        let text = "\u{e9}tude";
        let replaced = fix_by(text, &find);
        // Writing what stands there already is no change.
        assert_eq!(replaced, None, "{left:#?}");
    }
}

#[test]
fn a_pass_that_would_spoil_a_document_is_not_kept() {
    let find = |text: &str| match text {
        "{}" => report(vec![finding(&[(0, 1, "[")])]),
        _ => Report { damaged: [0].into(), ..report(vec![]) },
    };
    assert_eq!(fix_by("{}", &find), None);
}
