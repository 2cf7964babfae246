//! `tollproof schema`: prints the schemas of kinds and fields, and those of tollproof's own files.

use std::io::{self, Write};

use tollproof_core::schema::{FieldInfo, Need, fields, schema_of, show};
use tollproof_core::{Kind, KindRole, Provider, did_you_mean, nearest, schema};

use super::here::config_here;
use crate::args::{Described, OWN_FILES, SchemaArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::terminal::wrap;

/// Prints the list of schemas, one of them, or a field of a kind.
pub(super) fn run(args: &SchemaArgs, out: &mut dyn Write) -> Result<Exit> {
    let described = args.kind.map(|described| match described {
        Described::Role(role) => Described::Kind(kind_here(role)),
        other => other,
    });
    let printed = match (described, &args.field) {
        (None | Some(Described::Role(_)), _) => list(out),
        (Some(Described::Kind(kind)), None) => writeln!(out, "{}", schema::text(kind).trim_end()),
        (Some(Described::Own(file)), None) => writeln!(out, "{}", file.schema.trim_end()),
        (Some(Described::Own(file)), Some(_)) => {
            let file = file.name;
            return Err(failure!(
                "`--field` explains fields of documents; `tollproof schema {file}` prints the whole schema"
            ));
        }
        (Some(Described::Kind(kind)), Some(name)) => {
            let schema = schema_of(kind);
            let fields = fields(&schema);
            let field = FieldInfo::find(&fields, name).ok_or_else(|| unknown(kind, name, &fields))?;
            explain(field, kind.need_of(field), out)
        }
    };
    printed.map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

/// The kind of the provider that the settings name for all files, or of the default one.
fn kind_here(role: KindRole) -> Kind {
    let provider = config_here().ok().and_then(|config| config.provider());
    provider.and_then(|it| it.kind(role)).unwrap_or_else(|| Kind::of(role))
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    for kind in Provider::all().iter().flat_map(|it| it.kinds()) {
        writeln!(out, "{:30} {}", kind.full_name(), kind.about())?;
    }
    OWN_FILES.iter().try_for_each(|file| writeln!(out, "{:30} {}", file.name, file.about))
}

fn unknown(kind: Kind, name: &str, fields: &[FieldInfo<'_>]) -> Failure {
    let names = fields.iter().flat_map(|field| [field.path.as_str(), field.name()]);
    let has_field = |kind: &Kind| FieldInfo::find(&self::fields(&schema_of(*kind)), name).is_some();
    let others = Provider::all().iter().filter_map(|provider| provider.kind(kind.role()));
    // A name that is exactly another provider's was copied from there.
    let meant = match others.filter(|other| other.provider() != kind.provider()).find(has_field) {
        Some(other) => format!("; it is one of `{}`", other.full_name()),
        None => did_you_mean(nearest(name, names)),
    };
    let (noun, provider) = (kind.noun(), kind.provider());
    failure!("`{name}` is not a field of {noun} for {provider}{meant}")
}

fn explain(field: &FieldInfo<'_>, need: Need, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}\n", field.path, field.title())?;
    writeln!(out, "{}\n", wrap(field.description(), 80))?;
    writeln!(out, "Type      {}, {}", type_of(field), need.words())?;
    let choice = field.choice();
    let others = choice.others.iter().map(|it| format!("or: {it}"));
    column(out, "Values", choice.values.iter().cloned().chain(others).collect())?;
    column(out, "Examples", field.examples().iter().map(show).collect())
}

/// Writes a heading with one or more values next to it.
fn column(out: &mut dyn Write, heading: &str, values: Vec<String>) -> io::Result<()> {
    const INDENT: &str = "\n          ";
    if values.is_empty() {
        return Ok(());
    }
    let values: Vec<_> = values.iter().map(|value| wrap(value, 70).replace('\n', INDENT)).collect();
    writeln!(out, "{heading:9} {}", values.join(INDENT))
}

fn type_of(field: &FieldInfo<'_>) -> String {
    let name = field.type_name().unwrap_or("any value");
    match (name, field.schema["items"]["type"].as_str()) {
        ("array", Some(items)) => format!("array of {items}s"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_explained() {
        let schema = json!({
            "title": "Country", "description": "Where.", "type": "string",
            "anyOf": [{ "enum": ["US", "CA"] }, { "pattern": "x", "description": "anything else" }],
            "examples": ["US"],
        });
        let field = FieldInfo {
            path: "country".to_owned(),
            pointer: "/country".to_owned(),
            schema: &schema,
            required: true,
        };
        let mut text = Vec::new();
        explain(&field, Need::Required, &mut text).expect("vectors take everything");
        let text = String::from_utf8(text).expect("UTF-8");
        assert_eq!(
            text,
            "country: Country\n\nWhere.\n\nType      string, required\n\
             Values    US\n          CA\n          or: anything else\nExamples  US\n"
        );
    }
}
