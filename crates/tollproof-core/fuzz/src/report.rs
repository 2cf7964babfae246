//! Clean drafts with one text replaced, and the places of findings.

use arbitrary::Arbitrary;
use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::{Format, Kind, Parsed, Report, Source, clean_document};

/// The syntax of a draft.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum Notation {
    Json,
    Quoted,
    SingleQuoted,
    Literal,
    Folded,
    Plain,
}

/// The content fields of a kind, as they are named in its clean document.
pub fn content_fields(kind: Kind) -> Vec<String> {
    let text = clean_document(kind).to_string();
    let source = Source::new("a.json", text);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("the sample is one document");
    let root = document.document().root.as_ref().expect("the sample can be read");
    let texts = kind.texts(root).into_iter();
    // Items of lists are not replaced.
    texts.map(|(role, _)| kind.field_name(role).to_owned()).filter(|name| root.get(name).is_some()).collect()
}

/// A clean draft in which a text replaces the value of a field, and its format.
pub fn draft(kind: Kind, field: &str, text: &str, notation: Notation) -> (String, Format) {
    let mut clean = clean_document(kind);
    if let Notation::Json = notation {
        clean[field] = Value::from(text);
        return (clean.to_string(), Format::Json);
    }
    clean.as_object_mut().expect("a draft is an object").remove(field);
    let rest: String =
        clean.as_object().into_iter().flatten().map(|(key, value)| format!("{key}: {value}\n")).collect();
    let lines = || text.split('\n').map(|line| format!("\n  {line}")).collect::<String>();
    let value = match notation {
        Notation::SingleQuoted => format!("'{}'", text.replace('\'', "''")),
        Notation::Literal => format!("|2-{}", lines()),
        Notation::Folded => format!(">2-{}", lines()),
        Notation::Plain => text.replace('\n', "\n  "),
        Notation::Quoted | Notation::Json => Value::from(text).to_string(),
    };
    (format!("{rest}{field}: {value}\n"), Format::Yaml)
}

/// Every place of a report is in the text and does not cut a character, and findings about a field are in its value.
pub fn assert_places(parsed: &Parsed<'_>, report: &Report, field: &str, notation: Notation) {
    let text = parsed.source().text();
    let whole = parsed.whole();
    let root = whole.documents().next().and_then(|draft| draft.document().root.as_ref());
    let value = root.and_then(|root| root.get(field)).map(Node::written);
    for finding in &report.findings {
        let related = finding.related.iter().filter(|it| it.file.is_none()).filter_map(|it| it.span);
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in finding.span.into_iter().chain(related).chain(edits) {
            assert!(text.get(span.range()).is_some(), "{span:?} is not a part of the text: {finding:?}");
        }
        let (Some(value), Some(span)) = (value, finding.span) else { continue };
        // A value without quotes can end at a comment, and the finding about that points at the comment.
        if !matches!(notation, Notation::Plain) && finding.pointer.to_string() == format!("/{field}") {
            let is_inside = value.start <= span.start && span.end <= value.end;
            assert!(is_inside, "{span:?} is not in the value at {value:?}: {finding:?}");
        }
    }
}
