//! Tests of the report formats with sample findings.

use tollproof_core::{Edit, Fix, Kind, KindRole, Pointer, Prevents, Related, Safety, Span};
use tollproof_project::FailOn;

use super::json_schema::validator_of;
use super::*;
use crate::counts::Exit;

fn span(text: &str, part: &str) -> Span {
    let start = text.find(part).expect("the text holds the part");
    Span::new(start, start + part.len())
}

pub(super) fn finding(rule: &'static str, severity: Severity, message: &str, span: Span) -> Finding {
    Finding {
        rule: rule.into(),
        severity,
        message: tollproof_core::Message::own(message),
        help: None,
        document: 0,
        kind: Some(Kind::of(KindRole::Submit)),
        pointer: Pointer::default(),
        span: Some(span),
        label: None,
        related: Vec::new(),
        fix: None,
        prevents: Vec::new(),
        fingerprint: "0011223344556677".to_owned(),
        read_by: None,
        format: None,
        suppressed: None,
    }
}

pub(super) const ALL: ReportOptions = ReportOptions {
    min: Severity::Info,
    statistics: [false; 4],
    quiet: false,
    limits: true,
    redact: false,
    now: None,
};

/// The whole report of findings in one file.
pub(super) fn report(
    format: &str,
    look: Look,
    shown: ReportOptions,
    source: &Source<'_>,
    findings: Vec<Finding>,
) -> String {
    let target = ReportTarget { path: None, ..format.parse().expect("a format") };
    let found = Report { findings, documents: 1, ..Report::default() };
    let mut counts = RunCounts::default();
    let mut text = Vec::new();
    let targets = [target];
    let mut outputs = Outputs::open(&targets, &mut text, look, shown).expect("one report");
    counts.add(&found, FailOn::Error);
    outputs.file(&Parsed::of(source, None), &found, &|_| None).expect("vectors take everything");
    outputs.end(&counts, &[]).expect("vectors take everything");
    String::from_utf8(text).expect("reports are UTF-8")
}

/// The report without its last lines about what is not checked.
fn body(format: &str, source: &Source<'_>, findings: Vec<Finding>) -> String {
    let text = report(format, Look::PLAIN, ALL, source, findings);
    text.split("Not checked").next().unwrap_or_default().to_owned()
}

const DRAFT: &str = "\
businessName: Acme
businessZip: 02134
corporateWebsite: https://example.com/a/very/long/path/that/goes/on/and/on/and/on/and/on/until/it/does/not/fit
businessZip: '02134'
";

fn sample() -> Vec<Finding> {
    let missing = |name: &str| Finding {
        pointer: format!("/{name}").into(),
        help: Some(format!("Add `{name}`.").into()),
        ..finding(
            "structure/missing-field",
            Severity::Error,
            &format!("the required field `{name}` is missing"),
            span(DRAFT, "businessName"),
        )
    };
    vec![
        missing("businessCity"),
        missing("businessState"),
        Finding {
            label: Some("an integer".into()),
            help: Some("Put it in quotes: `\"02134\"`.".into()),
            related: vec![Related {
                file: None,
                span: Some(span(DRAFT, "businessZip: '")),
                place: None,
                message: "the same key again, which is the one that counts in the end".into(),
            }],
            pointer: "/businessZip".into(),
            fix: Some(Fix {
                safety: Safety::Safe,
                edits: vec![Edit { span: span(DRAFT, "02134"), text: "'02134'".to_owned() }],
            }),
            prevents: vec![Prevents { by: "twilio".into(), code: "30513".into() }],
            ..finding(
                "structure/wrong-type",
                Severity::Error,
                "`businessZip` must be a string",
                span(DRAFT, "02134"),
            )
        },
        Finding {
            label: Some("nobody can open this page".into()),
            ..finding(
                "website/not-the-business",
                Severity::Warning,
                "this is not the website of the business",
                span(DRAFT, "until/it"),
            )
        },
    ]
}

#[test]
fn full_draws_the_lines_at_80_columns() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let expected = "\
error[structure/missing-field]

  × 2 required fields are missing: businessCity, businessState
   ╭─[drafts/acme.yaml:1:1]
 1 │ businessName: Acme
   · ────────────
 2 │ businessZip: 02134
   ╰────
  help: `tollproof schema submit-request --field businessCity` explains the
        first one.

error[structure/wrong-type]

  × `businessZip` must be a string
   ╭─[drafts/acme.yaml:2:14]
 1 │ businessName: Acme
 2 │ businessZip: 02134
   ·              ──┬──
   ·                ╰── an integer
 3 │ corporateWebsite: https://example.com/a/very/long/path/that/goes/on/and/on…
 4 │ businessZip: '02134'
   · ───────┬──────
   ·        ╰── the same key again, which is the one that counts in the end
   ╰────
  help: Put it in quotes: `\"02134\"`.

warning[website/not-the-business]

  ⚠ this is not the website of the business
   ╭─[drafts/acme.yaml:3:90]
 2 │ businessZip: 02134
 3 │ …/path/that/goes/on/and/on/and/on/and/on/until/it/does/not/fit
   ·                                          ────┬───
   ·                                              ╰── nobody can open this page
 4 │ businessZip: '02134'
   ╰────

1 document checked: 2 errors, 1 warning.
";
    assert_eq!(body("full", &source, sample()), expected);
    assert!(expected.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn narrated_says_the_same_in_words() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let text = body("narrated", &source, sample());
    let expected = "\
this is not the website of the business
    severity: warning
Begin snippet for drafts/acme.yaml starting at line 2

snippet line 2: businessZip: 02134
snippet line 3: corporateWebsite: https://example.com/a/very/long/path/that/goes/on/and/on/and/on/and/on/until/it/does/not/fit
    label at line 3, columns 90 to 97: nobody can open this page
snippet line 4: businessZip: '02134'
rule: website/not-the-business

1 document checked: 2 errors, 1 warning.
";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn concise_takes_one_line_a_finding() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let mut findings = sample();
    findings[3].span = None;
    let expected = "\
drafts/acme.yaml:1:1: error[structure/missing-field] 2 required fields are missing: businessCity, businessState
drafts/acme.yaml:2:14: error[structure/wrong-type] `businessZip` must be a string
drafts/acme.yaml: warning[website/not-the-business] this is not the website of the business
1 document checked: 2 errors, 1 warning.
";
    assert_eq!(body("concise", &source, findings), expected);
}

#[test]
fn no_colour_means_no_escapes_and_colour_keeps_the_text() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    for format in ["full", "concise"] {
        let plain = report(format, Look::PLAIN, ALL, &source, sample());
        assert!(!plain.contains('\x1b'));
        let colour = Look { colour: true, ..Look::PLAIN };
        let coloured = report(format, colour, ALL, &source, sample());
        assert!(coloured.contains('\x1b'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
        let summary = coloured.lines().find(|line| line.contains("document checked")).expect("it is there");
        assert!(summary.contains("\x1b[31;1m2 errors\x1b[0m"), "{summary:?}");
        assert!(summary.contains("\x1b[33;1m1 warning\x1b[0m"), "{summary:?}");
        let clean = report(format, colour, ALL, &source, Vec::new());
        assert!(clean.contains("\x1b[32;1mnothing found\x1b[0m"), "{clean:?}");
    }
}

#[test]
fn a_long_line_is_cut_around_the_mark() {
    let text = format!("{{\"a\": \"{}\", \"zip\": 1{}}}", "ñ".repeat(1_000_000), " ".repeat(1_000_000));
    let source = Source::new("one-line.json", text.as_str());
    let label = Some("a number, which is what the interface refuses to take here".to_owned());
    let zip = Finding {
        label: label.map(tollproof_core::Message::own),
        ..finding("structure/wrong-type", Severity::Error, "`zip` must be a string", span(&text, "1 "))
    };
    let expected = "\
error[structure/wrong-type]

  × `zip` must be a string
   ╭─[one-line.json:1:1000018]
 1 │ …ññññññññ\", \"zip\": 1                                                      …
   ·                    ─┬
   ·                     ╰─┤ a number, which is what the interface refuses to
   ·                       │ take here
   ╰────

1 document checked: 1 error, 0 warnings.
";
    assert_eq!(body("full", &source, vec![zip.clone()]), expected);
    let told = body("narrated", &source, vec![zip]);
    assert!(told.contains(", column 1000018 of the whole line\n"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() < 250), "{told}");
}

#[test]
fn marks_that_are_far_apart_get_lines_of_their_own() {
    let text = format!("{{\"zip\": 1, \"a\": \"{}\", \"zip\": 2}}", "x".repeat(500));
    let source = Source::new("a.json", text.as_str());
    let twice = Finding {
        related: vec![
            Related {
                file: None,
                span: Some(span(&text, "\"zip\": 1")),
                place: None,
                message: "first".into(),
            },
            Related { file: Some("b.json".to_owned()), span: None, place: None, message: "elsewhere".into() },
        ],
        label: Some("second".into()),
        ..finding("input/duplicate-key", Severity::Error, "`zip` is given twice", span(&text, "\"zip\": 2"))
    };
    let expected = "\
error[input/duplicate-key]

  × `zip` is given twice
   ╭─[a.json:1:2]
 1 │ {\"zip\": 1, \"a\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
   ·  ────┬───
   ·      ╰── first
   ╰────
   ╭─[a.json:1:521]
 1 │ …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\", \"zip\": 2}
   ·                                                             ────┬───
   ·                                                                 ╰── second
   ╰────
  help: b.json: elsewhere

1 document checked: 1 error, 0 warnings.
";
    assert_eq!(body("full", &source, vec![twice]), expected);
}

#[test]
fn a_place_in_another_file_is_shown_with_its_name() {
    let source = Source::new("a.json", "{\"n\": 1}");
    let other = || Source::new("b.json", "{\n  \"n\": 1\n}\n");
    let same = Finding {
        related: vec![Related {
            file: Some("b.json".to_owned()),
            span: Some(Span::new(4, 10)),
            place: None,
            message: "here too".into(),
        }],
        ..finding("history/duplicate-in-batch", Severity::Error, "the same number", Span::new(1, 7))
    };
    let findings = [Cow::Owned(same)];
    let open_text = |related: &Related| Some((other(), related.span?));
    let text = ShownText { file: source.name(), drafts: &Arc::default(), is_read: true, cell: None };
    let checked = FileFindings { source: &source, findings: &findings, open_text: &open_text, text };
    let mut text = Vec::new();
    full::Full::new(Look::PLAIN).file(&mut text, &checked).expect("vectors take everything");
    let expected = "\
error[history/duplicate-in-batch]

  × the same number
   ╭─[a.json:1:2]
 1 │ {\"n\": 1}
   ·  ──────
   ╰────
   ╭─[b.json:2:3]
 1 │ {
 2 │   \"n\": 1
   ·   ───┬──
   ·      ╰── here too
 3 │ }
   ╰────

";
    assert_eq!(String::from_utf8(text).expect("UTF-8"), expected);
}

#[test]
fn nothing_in_a_draft_steers_the_terminal() {
    let source = Source::new("a.json", "{\"a\": \"\x1b[2J\u{202e}\"}");
    let steering = finding("input/syntax", Severity::Error, "odd: \x1b[2J\u{202e}", Span::new(7, 8));
    for format in ["full", "narrated", "concise"] {
        let text = body(format, &source, vec![steering.clone()]);
        assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
    }
}

#[test]
fn any_span_can_be_shown() {
    let text = "a: 1\r\n\tb: ñ\n\n日本語: |\n  x\n";
    let source = Source::new("a.yaml", text);
    let ends: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
    for &start in &ends {
        for &end in ends.iter().filter(|&&end| end >= start) {
            let mut odd = finding("input/syntax", Severity::Info, "odd", Span::new(start, end));
            odd.label = Some("here".into());
            for format in ["full", "narrated", "concise", "json"] {
                report(format, Look { width: 40, ..Look::PLAIN }, ALL, &source, vec![odd.clone()]);
            }
        }
    }
    let empty = Source::new("empty.json", "");
    let text = body("full", &empty, vec![finding("input/syntax", Severity::Error, "empty", Span::new(0, 0))]);
    assert!(text.contains("[empty.json:1:1]"), "{text}");
}

#[test]
fn a_thousand_findings_on_one_line_of_megabytes_are_placed_right() {
    let text = format!("[{}]", "{\"zip\": 1, \"ñ\": 0},".repeat(50_000));
    let source = Source::new("a.json", text.as_str());
    let findings: Vec<_> = text
        .match_indices("1,")
        .step_by(50)
        .map(|(at, _)| finding("structure/wrong-type", Severity::Error, "no", Span::new(at, at + 1)))
        .collect();
    assert_eq!(findings.len(), 1_000);
    let last = findings[999].clone();
    let text = body("concise", &source, findings.clone());
    let column = source.place(last.span.expect("it has one").start).column;
    assert!(text.contains(&format!("a.json:1:{column}: error")));
    let text = report("full", Look::PLAIN, ALL, &source, findings);
    assert!(text.contains(&format!("a.json:1:{column}]")));
}

#[test]
fn what_is_hidden_still_counts() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let shown = ReportOptions { min: Severity::Error, ..ALL };
    let warnings = sample().split_off(3);
    let text = report("concise", Look::PLAIN, shown, &source, warnings.clone());
    assert!(text.starts_with(
        "1 document checked, nothing found (1 warning hidden, --min-severity warning shows all).\n"
    ));
    let terminal = Look { width: 40, is_terminal: true, ..Look::PLAIN };
    let text = report("concise", terminal, shown, &source, warnings.clone());
    assert!(
        text.starts_with("1 document checked, nothing found (1\n  warning hidden, --min-severity"),
        "{text}"
    );
    let exit = |fail_on| {
        let mut counts = RunCounts::default();
        counts.add(&Report { findings: warnings.clone(), documents: 1, ..Report::default() }, fail_on);
        let exit = counts.exit();
        counts.unopened = 1;
        assert_eq!(counts.exit(), Exit::Unable);
        exit
    };
    assert_eq!(exit(FailOn::Error), Exit::Clean);
    assert_eq!(exit(FailOn::Warning), Exit::Findings);
    assert_eq!(exit(FailOn::Never), Exit::Clean);
}

#[test]
fn statistics_count_the_rules_and_quiet_leaves_the_summary() {
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let shown = ReportOptions { statistics: [true, false, false, false], quiet: true, ..ALL };
    let expected = "\
1  error    structure/missing-field
1  error    structure/wrong-type
1  warning  website/not-the-business

1 document checked: 2 errors, 1 warning.
";
    assert_eq!(report("full", Look::PLAIN, shown, &source, sample()), expected);
}

#[test]
fn json_keeps_its_promise() {
    let validator = validator_of::<json::JsonReport>("report");
    let source = Source::new("drafts/acme.yaml", DRAFT);
    let mut unknown = sample();
    unknown[3] = Finding { kind: None, span: None, ..unknown[3].clone() };
    for findings in [Vec::new(), sample(), unknown] {
        let text = report("json", Look::PLAIN, ALL, &source, findings);
        let value: serde_json::Value = serde_json::from_str(&text).expect("a report is JSON");
        validator.validate(&value).expect("a report is as promised");
        // The layout is the same as if the value was serialized at once.
        let again = serde_json::to_string_pretty(&value).expect("JSON").lines().count();
        assert_eq!(text.lines().count(), again);
    }
}

#[test]
fn json_counts_bytes_and_code_points() {
    let source = Source::new("a.json", "\n ñ\"é\" ");
    let text = report(
        "json",
        Look::PLAIN,
        ALL,
        &source,
        vec![finding("input/syntax", Severity::Error, "no", span(source.text(), "\"é\""))],
    );
    let value: serde_json::Value = serde_json::from_str(&text).expect("a report is JSON");
    let expected = serde_json::json!({
        "start": 4, "end": 8, "line": 2, "column": 3, "endLine": 2, "endColumn": 6
    });
    assert_eq!(value["findings"][0]["span"], expected);
}

#[test]
fn a_file_for_tollproof_itself_is_reported_like_a_draft() {
    let error = StrictError {
        file: "tollproof.yaml".to_owned(),
        text: "vendors: Acme\n".to_owned(),
        span: Some(Span::new(0, 7)),
        message: "unknown key `vendors`".into(),
        help: Some("did you mean `vendor`?".into()),
    };
    let text = |format: &str| {
        let format = ReportFormat::named(format).expect("a format");
        strict(format, Look::PLAIN, std::slice::from_ref(&error)).text
    };
    let expected = "  × unknown key `vendors`
   ╭─[tollproof.yaml:1:1]
 1 │ vendors: Acme
   · ───────
   ╰────
  help: did you mean `vendor`?

";
    assert_eq!(text("full"), expected);
    let line = "tollproof.yaml:1:1: error: unknown key `vendors` (did you mean `vendor`?)\n";
    assert_eq!(text("concise"), line);
    assert_eq!(text("json"), line);
    assert!(text("narrated").contains("snippet line 1: vendors: Acme"));
}
