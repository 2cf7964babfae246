//! Whether an editor knows the fields of drafts and settings.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jsonc_parser::parse_to_serde_value;
use serde_json::Value;
use tollproof_project::{FindOptions, InputFile, LinterOptions, Repository, SessionOptions};

use super::Checkup;
use super::project::SeenDrafts;
use crate::args::Described;
use crate::commands::here::config_here;
use crate::commands::session;
use crate::terminal::{count, one_line};

const SETTINGS: &str = ".vscode/settings.json";

/// The longest settings that are read.
const MAX_BYTES: u64 = 4 << 20;

/// The most files searched for a comment that names a schema.
const MAX_FILES: usize = 500;

/// The bytes searched in each.
const HEAD: u64 = 2048;

/// The comment that names the schema of a YAML file.
const COMMENT: &str = "yaml-language-server: $schema=";

/// A schema that is named somewhere.
struct NamedSchema {
    /// The file that names it.
    by: String,
    /// The name as it is written.
    name: String,
    /// The file, if it is not an address.
    path: Option<PathBuf>,
}

/// `seen` has the drafts for which a schema is of use.
pub(super) fn look(seen: &SeenDrafts) -> Checkup {
    let mut named = commented();
    let top = Repository::around().top().map(Path::to_owned).unwrap_or_default();
    match associated(&top) {
        Ok(more) => named.extend(more),
        Err(()) => {
            return Checkup::problem("editor", format!("`{SETTINGS}` is not valid JSON"))
                .advice("correct it in the editor");
        }
    }
    if named.is_empty() {
        let place = if seen.has_yaml || seen.is_empty() {
            "the first line of a YAML draft: # yaml-language-server: $schema=submit.schema.json"
        } else {
            "`.vscode/settings.json`, with the folder of the drafts, below `json.schemas`"
        };
        return Checkup::unused("editor", "no schema of tollproof is set up for an editor").advice(format!(
            "write one with `tollproof schema {} > submit.schema.json`, and name it in {place}",
            seen.submit_request().full_name()
        ));
    }
    let missing: Vec<String> = named
        .iter()
        .filter(|reference| reference.path.as_ref().is_some_and(|path| !path.is_file()))
        .map(|reference| format!("`{}`, named in `{}`", one_line(&reference.name), one_line(&reference.by)))
        .collect();
    if !missing.is_empty() {
        let message = format!("{} not found", count(missing.len(), "schema"));
        return Checkup::problem("editor", message)
            .details(missing)
            .advice("`tollproof schema KIND > FILE` writes a schema; `tollproof schema` lists the kinds");
    }
    Checkup::ok("editor", format!("schemas are named in {}", count(named.len(), "place")))
}

/// The schemas that comments at the start of YAML files name.
fn commented() -> Vec<NamedSchema> {
    let options = SessionOptions {
        linter: LinterOptions { select: vec!["input".to_owned()], ..LinterOptions::default() },
        ..SessionOptions::default()
    };
    let Ok(session) = session::open_with(options) else { return Vec::new() };
    let Ok(found) = session.find(FindOptions { paths: vec![".".into()], ..FindOptions::default() }) else {
        return Vec::new();
    };
    let config = config_here().ok().and_then(|config| config.path.clone());
    let config = config.iter().map(|path| InputFile::named(path));
    let files = found.checked.files.iter().take(MAX_FILES).cloned().chain(config);
    files.filter_map(|file| of_comment(&file)).collect()
}

fn of_comment(file: &InputFile) -> Option<NamedSchema> {
    let path = file.path.as_deref()?;
    let is_yaml = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let mut head = Vec::new();
    fs::File::open(path).ok().filter(|_| is_yaml)?.take(HEAD).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let lines = head.lines().take_while(|line| line.starts_with('#'));
    let name = lines.filter_map(|line| line.split_once(COMMENT)).map(|(_, name)| name.trim()).next()?;
    Some(named(name, &file.name, path.parent().unwrap_or(Path::new(""))))
}

/// The schemas of tollproof in the settings of VS Code.
fn associated(top: &Path) -> Result<Vec<NamedSchema>, ()> {
    let path = top.join(SETTINGS);
    let Ok(found) = fs::metadata(&path) else { return Ok(Vec::new()) };
    let text = (found.len() <= MAX_BYTES).then(|| fs::read_to_string(&path).ok()).flatten().ok_or(())?;
    let settings: Option<Value> = parse_to_serde_value(&text, &Default::default()).map_err(|_| ())?;
    let settings = settings.unwrap_or_default();
    let yaml = settings["yaml.schemas"].as_object().into_iter().flatten().map(|(schema, _)| schema.as_str());
    let json = settings["json.schemas"].as_array().into_iter().flatten().filter_map(|it| it["url"].as_str());
    let ours = yaml.chain(json).filter(|name| is_ours(name));
    Ok(ours.map(|name| named(name, SETTINGS, top)).collect())
}

/// Whether the name of a schema is that of one of tollproof's.
fn is_ours(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    name.contains("tollproof")
        || stem == "submit"
        || stem == "update"
        || Described::names().any(|name| name.rsplit('/').next() == Some(stem))
}

fn named(name: &str, by: &str, folder: &Path) -> NamedSchema {
    let is_address = name.contains("://");
    let path = (!is_address).then(|| folder.join(name));
    NamedSchema { by: by.to_owned(), name: name.to_owned(), path }
}
