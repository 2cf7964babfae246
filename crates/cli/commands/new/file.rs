//! The file of a draft that is being written: its format, and the comments in it that stay.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};
use tollproof_core::document::{Node, Value};
use tollproof_core::{Format, Kind, KindChoice, KindHint, Parsed, Provider, Source, kind_of, schema};
use tollproof_history::{name_of, reason};
use tollproof_project::AtomicFile;

use super::template::declaration;
use super::yaml::yaml;
use crate::errors::{Failure, Result, failure};
use crate::terminal::{one_line, typed};

/// The file of a draft.
pub(super) struct DraftFile {
    path: PathBuf,
    pub(super) format: Format,
    pub(super) kind: Kind,
    /// The lines before the first field.
    header: String,
    /// The comments before fields and items, by their paths of keys and indexes.
    comments: BTreeMap<Vec<String>, String>,
    /// The lines after the last field.
    trailer: String,
}

impl DraftFile {
    /// A file that does not exist yet; `-` is standard output, which takes YAML.
    pub(super) fn new(path: &Path, kind: Kind) -> Result<Self> {
        let format = format_of(path, kind)?;
        Ok(Self {
            path: path.to_owned(),
            format,
            kind,
            header: declaration(kind),
            comments: BTreeMap::new(),
            trailer: String::new(),
        })
    }

    /// Marks texts that are cut off or computed in part with a comment.
    pub(super) fn mark_open(&mut self, draft: &Json) {
        let fields = draft.as_object().into_iter().flatten();
        for (key, _) in fields.filter(|(_, value)| value.to_string().contains('…')) {
            let comment = "# Complete this text: `…` is where it is cut off or computed.\n";
            self.comments.insert(vec![key.clone()], comment.to_owned());
        }
    }

    /// A file that exists, with the values of the draft in it. `wanted` decides where the field names of a draft that was
    /// only begun are those of several kinds.
    pub(super) fn read(
        path: &Path,
        source: &Source<'_>,
        hint: KindHint,
        wanted: KindChoice,
    ) -> Result<(Self, Json)> {
        let name = one_line(source.name());
        let parsed = Parsed::of(source, None);
        let Some(document) = parsed.only() else {
            return Err(failure!("`{name}` must have exactly one draft to be continued"));
        };
        if document.syntax_errors.iter().any(|it| !it.problem.keeps_content()) {
            return Err(failure!("`{name}` cannot be read; `tollproof check {}` shows where", typed(&name)));
        }
        let kind = kind_of(&document, hint).filter(|kind| kind.is_request());
        let (Some(kind), Some(root @ Node { value: Value::Object(_), .. })) = (kind, &document.root) else {
            return Err(failure!("`{name}` exists already and is not a draft; choose another name"));
        };
        let kind = match as_wanted(kind, root, wanted) {
            Some(kind) => kind,
            None => {
                return Err(failure!(
                    "`{name}` is {} for {}; `--from` makes another draft of it",
                    kind.noun(),
                    kind.provider()
                ));
            }
        };
        let format = parsed.format();
        if format_of(path, kind)? != format {
            return Err(failure!("the text of `{name}` is not what its name says: {format:?}"));
        }
        let mut file = Self { format, kind, header: String::new(), ..Self::new(path, kind)? };
        if format == Format::Yaml {
            file.keep_comments(source, root)?;
        }
        Ok((file, serde_json::to_value(root).map_err(Failure::new)?))
    }

    /// Keeps the comments before fields and items. A comment at another place would be lost, which is an error.
    fn keep_comments(&mut self, source: &Source<'_>, root: &Node<'_>) -> Result<()> {
        let text = source.text();
        let mut places = YamlPlaces::default();
        places.add(root, &mut Vec::new());
        let mut covered = places.scalars.clone();
        if places.lines.is_empty() {
            let start = text[..root.span.start as usize].rfind('\n').map_or(0, |it| it + 1);
            text[..start].clone_into(&mut self.header);
            covered.push(0..start);
        }
        let mut scalars = places.scalars.iter().peekable();
        let mut from = 0;
        for (at, (offset, path)) in places.lines.iter().enumerate() {
            while let Some(before) = scalars.next_if(|it| it.start < *offset) {
                from = from.max(line_end(text, before.end));
            }
            let start = text[..*offset].rfind('\n').map_or(0, |it| it + 1);
            if from > start || !is_comments(&text[from..start], at == 0) {
                continue;
            }
            covered.push(from..start);
            let lines = &text[from..start];
            // What is about the first field stays with it.
            let split = if at == 0 { lines.rfind("\n\n").map_or(lines.len(), |it| it + 2) } else { 0 };
            if at == 0 {
                lines[..split].clone_into(&mut self.header);
            }
            let kept = lines[split..].split_inclusive('\n').filter(|line| line.trim() != "-");
            self.comments.insert(path.clone(), kept.collect());
        }
        let end = places.scalars.iter().map(|it| it.end).max().unwrap_or(0);
        let from = line_end(text, end);
        if is_comments(&text[from..], false) {
            covered.push(from..text.len());
            text[from..].clone_into(&mut self.trailer);
        }
        covered.sort_by_key(|it| it.start);
        let is_kept = |at: &usize| {
            let before = covered.partition_point(|it| it.start <= *at);
            covered[..before].iter().rev().take(2).any(|it| it.contains(at))
        };
        let lost = text.match_indices('#').map(|(at, _)| at).find(|at| !is_kept(at));
        match lost {
            None => Ok(()),
            Some(at) => Err(failure!(
                "`{}` has a comment in line {} that would be lost; move it to a line of its own above a field",
                one_line(source.name()),
                source.place(u32::try_from(at).unwrap_or(u32::MAX)).line
            )),
        }
    }

    /// The command that continues the draft. The field names of a draft that was only begun do not always tell its kind.
    pub(super) fn continuation(&self) -> String {
        let mut command = "tollproof new --ask".to_owned();
        if self.format != Format::Yaml {
            if self.kind.provider() != Provider::default() {
                command += &format!(" --provider {}", self.kind.provider().name());
            }
            if self.kind.is_update() {
                command += &format!(" --kind {}", self.kind.name());
            }
        }
        format!("{command} {}", typed(&self.name()))
    }

    /// The name of the file in messages.
    pub(super) fn name(&self) -> String {
        one_line(&name_of(&self.path))
    }

    /// The text of a draft in the format of the file.
    pub(super) fn text(&self, draft: &Json) -> Result<String> {
        match self.format {
            Format::Csv => self.sheet(draft).map_err(Failure::new),
            Format::Json => serde_json::to_string_pretty(draft).map(|text| text + "\n").map_err(Failure::new),
            _ => {
                let comments = |path: &[String]| self.comments.get(path).cloned().unwrap_or_default();
                Ok(self.header.clone() + &yaml(draft, &comments) + &self.trailer)
            }
        }
    }

    /// A sheet with all columns of the provider, and the draft as its row.
    fn sheet(&self, draft: &Json) -> io::Result<String> {
        let mut columns: Vec<String> = schema::field_names(self.kind).map(str::to_owned).collect();
        let more = draft.as_object().into_iter().flat_map(Map::keys).filter(|name| !columns.contains(name));
        let more: Vec<String> = more.cloned().collect();
        columns.extend(more);
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(&columns)?;
        let value = |name: &String| draft.get(name).map(cell).unwrap_or_default();
        table.write_record(columns.iter().map(value))?;
        let bytes = table.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }

    /// Writes a file that must not exist yet.
    pub(super) fn create(&self, text: &str) -> Result<()> {
        let name = self.name();
        self.make_folder()?;
        let mut file = File::create_new(&self.path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                failure!("`{name}` exists already and is not changed; choose another name")
            }
            _ => self.unwritten(&error),
        })?;
        file.write_all(text.as_bytes()).map_err(|error| {
            // An incomplete draft would block the next attempt.
            let _ = fs::remove_file(&self.path);
            self.unwritten(&error)
        })
    }

    /// Writes the file, or replaces it.
    pub(super) fn save(&self, draft: &Json) -> Result<()> {
        let text = self.text(draft)?;
        self.make_folder()?;
        let written = AtomicFile::create(&self.path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.commit()
        });
        written.map_err(|error| self.unwritten(&error))
    }

    fn make_folder(&self) -> Result<()> {
        let folder = self.path.parent();
        folder.map_or(Ok(()), fs::create_dir_all).map_err(|error| self.unwritten(&error))
    }

    fn unwritten(&self, error: &io::Error) -> Failure {
        failure!("cannot write `{}`: {}", self.name(), reason(error))
    }
}

/// The content of a cell; the items of a list with semicolons between them.
fn cell(value: &Json) -> String {
    match value {
        Json::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(";"),
        Json::Null | Json::Object(_) => String::new(),
        value => schema::show(value),
    }
}

/// The format that the name of a draft asks for.
fn format_of(path: &Path, kind: Kind) -> Result<Format> {
    let name = one_line(&name_of(path));
    let instead =
        |extension: &str| typed(&one_line(&name_of(&path.with_extension(OsString::from(extension)))));
    match Format::of_path(path) {
        _ if path.as_os_str() == tollproof_project::STDIN => Ok(Format::Yaml),
        Some(format @ (Format::Yaml | Format::Json)) => Ok(format),
        Some(Format::Csv) if kind.provider().is_sheet() => Ok(Format::Csv),
        Some(_) => Err(failure!(
            "one draft{} is written as YAML or JSON; use a name such as {}",
            if kind.provider().is_sheet() { String::new() } else { format!(" for {}", kind.provider()) },
            instead("yaml")
        )),
        None => {
            Err(failure!("`{name}` does not end in .yaml or .json; use a name such as {}", instead("yaml")))
        }
    }
}

/// The kind that is wanted of a draft of this kind, if it has all of its fields.
fn as_wanted(kind: Kind, root: &Node<'_>, wanted: KindChoice) -> Option<Kind> {
    let provider = wanted.provider.unwrap_or(kind.provider());
    let other = provider.kind(wanted.role.unwrap_or(kind.role()))?;
    if other == kind {
        return Some(kind);
    }
    let fields = other.fields_at(&[]);
    root.members().iter().all(|member| fields.contains(&member.key.as_ref())).then_some(other)
}

/// The places of a YAML document that matter for its comments, in order.
#[derive(Default)]
struct YamlPlaces {
    /// The keys, and the values that are neither lists nor objects.
    scalars: Vec<Range<usize>>,
    /// The keys, and the items of lists that are not objects, each with its path of keys and indexes.
    lines: Vec<(usize, Vec<String>)>,
}

impl YamlPlaces {
    fn add(&mut self, node: &Node<'_>, path: &mut Vec<String>) {
        match &node.value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    path.push(at.to_string());
                    if !matches!(item.value, Value::Object(_)) {
                        self.lines.push((item.span.range().start, path.clone()));
                    }
                    self.add(item, path);
                    path.pop();
                }
            }
            Value::Object(members) => {
                for member in members {
                    path.push(member.key.to_string());
                    self.lines.push((member.key_span.range().start, path.clone()));
                    self.scalars.push(member.key_span.range());
                    self.add(&member.value, path);
                    path.pop();
                }
            }
            _ => self.scalars.push(node.span.range()),
        }
    }
}

/// The start of the line after an offset.
fn line_end(text: &str, offset: usize) -> usize {
    // The place of a block ends after its last line.
    if text[..offset].ends_with('\n') {
        return offset;
    }
    text[offset..].find('\n').map_or(text.len(), |it| offset + it + 1)
}

/// Whether all lines are comments or empty, or only begin an item; at the start of a file, also what begins a document.
fn is_comments(lines: &str, is_start: bool) -> bool {
    lines.lines().map(str::trim).all(|line| {
        line.is_empty()
            || line == "-"
            || line.starts_with('#')
            || is_start && (line == "---" || line.starts_with("%YAML"))
    })
}
