//! `tollproof new`: writes a draft to fill in, with every field explained.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;
use tollproof_core::schema::{FieldInfo, fields, schema_of, show};
use tollproof_core::{Format, Kind, schema};
use tollproof_history::{name_of, reason};
use tollproof_project::STDIN;

use crate::args::NewArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr;
use crate::terminal::{one_line, typed, wrap};

/// The width of comments in columns, including `# `.
const WIDTH: usize = 78;

/// Writes the draft, and prints the next step on standard error.
pub(super) fn run(args: &NewArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let draft = draft(args.kind);
    let next = if args.file.as_os_str() == STDIN {
        out.write_all(draft.as_bytes()).and_then(|()| out.flush()).map_err(Failure::stdout)?;
        "Next: save it as a .yaml file, fill it in, and run: tollproof check FILE".to_owned()
    } else {
        write(&args.file, &draft)?;
        let name = one_line(&name_of(&args.file));
        format!("Next: fill in `{name}`, and run: tollproof check {}", typed(&name))
    };
    // Errors are ignored: if standard error is closed, the draft is written all the same.
    stderr::say(&next);
    Ok(Exit::Clean)
}

/// A draft of a kind in which every required field is empty and every optional one is a comment.
fn draft(kind: Kind) -> String {
    let schema = schema_of(kind);
    let all = fields(&schema);
    let mut text = format!("# tollproof: kind={kind}\n#\n");
    let about = schema["description"].as_str().unwrap_or_default();
    comment(&mut text, &format!("A draft of {}. {about}", kind.noun()));
    text += "#\n";
    comment(
        &mut text,
        "Write each value between the quotes after its field. If the field ends in >-, write on the lines below it, \
         each indented by two blanks. `tollproof check` names every field that is still empty. A field behind # is \
         optional: to use it, delete the #.",
    );
    if kind.is_update() {
        text += "#\n";
        comment(
            &mut text,
            "An update request does not contain the submission that it changes. To compare them, write record= and the \
             id of its record at the end of the first line, and name your records with --history.",
        );
    }
    for name in schema::field_names(kind) {
        let field = FieldInfo::find(&all, name).expect("the names are those of the schema");
        text.push('\n');
        explain(&mut text, field);
        blank(&mut text, field);
    }
    text
}

/// Adds the explanation of a field as comments.
fn explain(text: &mut String, field: &FieldInfo<'_>) {
    let need = if field.required { "required" } else { "optional" };
    comment(text, &format!("{} ({need})", field.title()));
    comment(text, &format!("{} {}", field.description(), field.entries()));
    let choice = field.choice();
    if !choice.values.is_empty() {
        one_of(text, &choice.values);
        choice.others.iter().for_each(|other| comment(text, &format!("Or: {other}")));
        return;
    }
    let written = |value: &Value| match value {
        Value::String(sentences) if field.takes_sentences() => sentences.clone(),
        Value::String(word) => quoted(word),
        value => show(value),
    };
    let examples = field.examples().iter().flat_map(|it| match it {
        Value::Array(entries) => entries.iter().map(written).collect(),
        value => vec![written(value)],
    });
    let examples: Vec<_> = examples.collect();
    match examples.as_slice() {
        [] => {}
        [one] => comment(text, &format!("Example: {one}")),
        several => comment(text, &format!("Examples: {}", several.join(", "))),
    }
}

/// Adds the allowed values of a field, without a line break inside a value.
fn one_of(text: &mut String, values: &[String]) {
    let mut line = "# One of:".to_owned();
    for (at, value) in values.iter().enumerate() {
        let comma = if at + 1 < values.len() { "," } else { "" };
        let value = quoted(value) + comma;
        if line.len() + 1 + value.len() > WIDTH + 2 {
            text.push_str(&line);
            text.push('\n');
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(&value);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The field without a value; an optional field is a comment.
fn blank(text: &mut String, field: &FieldInfo<'_>) {
    let name = field.name();
    let line = match field.type_name() {
        Some("array") => format!("{name}:\n  - \"\""),
        // A boolean has no empty value.
        Some("boolean") => {
            format!("{name}: {}", field.examples().first().map_or_else(|| "false".into(), show))
        }
        _ if field.takes_sentences() && field.required => format!("{name}: >-\n"),
        _ => format!("{name}: \"\""),
    };
    let line = if field.required { line } else { format!("#{}", line.replace('\n', "\n#")) };
    writeln!(text, "{line}").expect("strings take everything");
}

fn comment(text: &mut String, said: &str) {
    for line in wrap(said, WIDTH).lines() {
        writeln!(text, "# {line}").expect("strings take everything");
    }
}

/// A string in double quotes, which JSON and YAML write alike.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Writes a file unless it exists.
fn write(path: &Path, draft: &str) -> Result<(), Failure> {
    let name = one_line(&name_of(path));
    let instead = || typed(&one_line(&name_of(&path.with_extension("yaml"))));
    match Format::of_path(path) {
        Some(Format::Yaml) => {}
        Some(Format::Json | Format::Ndjson) => {
            return Err(Failure::new(format_args!(
                "`{name}` would be JSON, which has no comments to explain fields; run: tollproof new {}",
                instead()
            )));
        }
        _ => {
            return Err(Failure::new(format_args!(
                "the draft is YAML, and `{name}` does not end in .yaml; run: tollproof new {}",
                instead()
            )));
        }
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| unwritten(&name, &error))?;
    }
    let mut file = File::create_new(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::new(format_args!("`{name}` exists already and is not changed; choose another name"))
        }
        _ => unwritten(&name, &error),
    })?;
    file.write_all(draft.as_bytes()).map_err(|error| {
        // An incomplete draft would block the next attempt.
        let _ = fs::remove_file(path);
        unwritten(&name, &error)
    })
}

fn unwritten(name: &str, error: &io::Error) -> Failure {
    Failure::new(format_args!("cannot write `{name}`: {}", reason(error)))
}
