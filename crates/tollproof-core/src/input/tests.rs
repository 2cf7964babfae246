//! What holds for every notation: byte order marks, large texts, texts that end too early.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::Format;
use crate::clean;
use crate::finding::{Finding, Severity};
use crate::kind::Kind;
use crate::linter::{Linter, Reading};
use crate::source::{Source, Span};
use crate::telling::KindSource;

const FORMATS: [Format; 3] = [Format::Json, Format::Ndjson, Format::Yaml];

fn check(text: &str, format: Format) -> Vec<Finding> {
    let source = Source::from_bytes("draft", text.as_bytes().to_vec());
    let reading = Reading { format, kind: KindSource::Named };
    Linter::builtin().expect("the built-in rules load").check_source(&source, reading).findings
}

/// A finding as it would be three bytes earlier.
fn before_a_mark(mut finding: Finding) -> Finding {
    let earlier = |span: &mut Span| {
        *span = Span::new((span.start as usize).saturating_sub(3), (span.end as usize).saturating_sub(3));
    };
    finding.span.iter_mut().for_each(earlier);
    finding.related.iter_mut().filter_map(|it| it.span.as_mut()).for_each(earlier);
    finding.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| earlier(&mut edit.span));
    finding
}

/// A draft, and something that may be one.
fn any_text() -> impl Strategy<Value = String> {
    let draft = clean::of(Kind::SubmitRequest).to_string();
    prop_oneof![
        Just(draft.clone()),
        (0..draft.len()).prop_map(move |end| draft.chars().take(end).collect()),
        "[\\[\\]{}\":,a1 \n'-]{0,40}",
        Just("country: canada\r\nlimit: 0\r\n".to_owned()),
        Just("{\"limit\": 0,\n\"country\": \"CA\"}\n".to_owned()),
    ]
}

proptest! {
    #[test]
    fn a_byte_order_mark_is_one_warning_more(text in any_text()) {
        for format in FORMATS {
            let mut marked = check(&format!("\u{feff}{text}"), format);
            let mark = marked.remove(0);
            prop_assert_eq!((mark.rule.as_ref(), mark.severity), ("input/encoding", Severity::Warning));
            let edit = &mark.fix.expect("the mark can be taken out").edits[0];
            prop_assert_eq!((edit.span, edit.text.as_str()), (Span::new(0, 3), ""));
            let marked: Vec<Finding> = marked.into_iter().map(before_a_mark).collect();
            prop_assert_eq!(marked, check(&text, format), "{:?} {:?}", format, text);
        }
    }
}

#[test]
fn large_texts_in_json_take_no_time_to_speak_of() {
    let breaks = format!("{{\"a\": \"x{}y\"}}", "\n".repeat(400_000));
    let blanks = format!("{{\"a\": \"x{}y\"}}", "\n \t".repeat(400_000));
    let lines = format!("{{\"a\": \"x{}y\"}}", "\nx".repeat(400_000));
    let quotes = format!("[{}]", "'' ".repeat(400_000));
    for text in [breaks, blanks, lines, quotes] {
        let started = Instant::now();
        check(&text, Format::Json);
        assert!(started.elapsed() < Duration::from_secs(5), "{:.20} took {:?}", text, started.elapsed());
    }
}
