//! `tollproof config show`: prints the settings that apply to a file, and where each is set.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tollproof_core::document::Node;
use tollproof_core::{Format, KindChoice, KindHint, Parsed, Source, kind_of};
use tollproof_history::name_of;
use tollproof_project::{ConfigFile, Disk, Files, InputFile, Pattern, ProviderSetting, Repository, Settings};

use crate::args::{ConfigCommand, config_choice};
use crate::counts::Exit;
use crate::errors::Result;
use crate::input::read;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line, width};

pub(super) fn run(command: &ConfigCommand, out: &mut dyn Write) -> Result<Exit> {
    let ConfigCommand::Show(args) = command;
    let files: Arc<dyn Files> = Arc::new(Disk);
    let configs = config_choice(args.config.as_deref(), args.no_config).configs(&files)?;
    let config = match &args.file {
        Some(file) if !file.is_dir() => configs.of(file),
        folder => configs.of_folder(folder.as_deref().unwrap_or(Path::new(""))),
    };
    let config = config?;
    let shown = ShownConfig {
        file: args.file.as_deref().map(name_of),
        config: config.path.is_some().then(|| config.name()),
        settings: settings(&config, args.file.as_deref()),
        detected: args.file.as_deref().map(|file| detected(&config, file)).unwrap_or_default(),
    };
    print_value(args.print.output_format, Look::PLAIN, out, &shown, |out| print(&shown, out))?;
    Ok(Exit::Clean)
}

/// The settings of a file, as `--output-format json` prints them.
#[derive(Debug, Serialize)]
struct ShownConfig {
    /// The file that the settings apply to; `None` for those of a folder.
    file: Option<String>,
    /// The path of the configuration, if there is one.
    config: Option<String>,
    settings: Vec<Setting>,
    /// The kinds of the documents in the file, each with its provider.
    detected: Vec<String>,
}

/// The kinds of the documents in a file; none if it cannot be read as text.
fn detected(config: &ConfigFile, file: &Path) -> Vec<String> {
    let input = InputFile::named(file);
    let is_text = file.is_file() && Format::of_path(file).is_some();
    let Some(source) = is_text.then(|| read(&input, &Repository::around()).ok()).flatten() else {
        return Vec::new();
    };
    let choice = config.kind_choice(file);
    let is_open = choice == KindChoice::default();
    let hint = if is_open { KindHint::Explicit } else { KindHint::Configured(choice) };
    let mut kinds = Vec::new();
    for block in Parsed::of(&source, None).blocks() {
        for kind in block.documents().filter_map(|it| kind_of(&it, hint)) {
            let name = kind.full_name();
            if !kinds.contains(&name) {
                kinds.push(name);
            }
        }
    }
    kinds
}

#[derive(Debug, Serialize)]
pub(super) struct Setting {
    /// The key in the configuration.
    pub(super) key: &'static str,
    /// The name of the entry, if the key has several entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    pub(super) value: Value,
    /// The line in the configuration; `None` for a default.
    pub(super) line: Option<usize>,
}

/// All settings that apply to a file.
pub(super) fn settings(config: &ConfigFile, file: Option<&Path>) -> Vec<Setting> {
    let file = file.filter(|file| !file.is_dir());
    let source = Source::new(config.name(), config.text.as_str());
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let root = parsed.only().and_then(|file| file.document().root.as_ref());
    let line = |steps: &[&str]| Some(source.place(key_of(root?, steps)?).line);
    let one = |key: &'static str, value: Value| Setting { key, name: None, value, line: line(&[key]) };
    let Settings {
        vendor,
        include,
        exclude,
        forms,
        columns,
        provider,
        kinds,
        records,
        history,
        facts,
        facts_max_age,
        readings,
        fail_on,
        require_readings,
        rule_dirs,
        schemas,
        locked_rules,
        baseline,
        ..
    } = &config.settings;
    let text = |path: &Path| name_of(path);
    let globs = |globs: &[Pattern]| globs.iter().map(|glob| glob.text().to_owned()).collect::<Vec<_>>();
    let mut all = vec![
        one("vendor", json!(vendor)),
        one("include", json!(include.as_deref().map(globs))),
        one("exclude", json!(globs(exclude))),
        one("forms", json!(forms.as_deref().map(globs))),
    ];
    let by_glob = |key: &'static str, entries: Vec<(&Pattern, String)>| {
        let entries: Vec<Setting> = entries
            .into_iter()
            .map(|(glob, value)| Setting {
                key,
                // For one file, what counts is the value alone.
                name: file.is_none().then(|| glob.text().to_owned()),
                value: json!(value),
                line: line(&[key, glob.text()]),
            })
            .collect();
        let none = || vec![Setting { key, name: None, value: Value::Null, line: None }];
        if entries.is_empty() { none() } else { entries }
    };
    match provider {
        ProviderSetting::Open => all.push(one("provider", Value::Null)),
        ProviderSetting::All(provider) => all.push(one("provider", json!(provider.name()))),
        ProviderSetting::ByFile(globs) => {
            all.extend(by_glob("provider", config.counting(globs, file, |kind| kind.name().to_owned())))
        }
    }
    all.extend(by_glob("kinds", config.counting(kinds, file, |kind| kind.name().to_owned())));
    all.extend(by_glob("records", config.counting(records, file, |it| it.clone())));
    all.push(one("history", json!(history.iter().map(|it| it.0.to_string()).collect::<Vec<_>>())));
    all.push(one("facts", json!(facts.as_deref().map(text))));
    all.push(one("facts-max-age", json!(facts_max_age)));
    all.push(one("readings", json!(readings.as_deref().map(text))));
    all.push(one("fail-on", json!(fail_on.map_or("error", |it| it.name()))));
    all.push(one("require-readings", json!(require_readings)));
    all.push(one("rule-dirs", json!(rule_dirs.iter().map(|it| text(it)).collect::<Vec<_>>())));
    let matching = file.map_or_else(|| (0..schemas.len()).collect(), |file| config.schemas_of(file));
    let matching: Vec<_> = matching.into_iter().map(|at| text(&schemas[at].schema)).collect();
    let schemas = one("schemas", json!(matching));
    let line_of_schemas = schemas.line.filter(|_| !matching.is_empty());
    all.push(Setting { line: line_of_schemas, ..schemas });
    all.push(one("locked-rules", json!(locked_rules)));
    all.push(one("baseline", json!(baseline.as_deref().map(text))));
    let path = file.unwrap_or(config.folder());
    for (rule, level) in config.levels_of(path) {
        let name = rule.clone();
        let line = line(&["rules", &rule]);
        all.push(Setting { key: "rules", name: Some(name), value: json!(level.to_string()), line });
    }
    for set in config.parameters() {
        for (kind, parameters) in [("with", set.with), ("add", set.add)] {
            for (parameter, value) in parameters {
                let line = line(&["rules", &set.rule, kind, &parameter]);
                let name = Some(format!("{} {kind} {parameter}", set.rule));
                all.push(Setting { key: "rules", name, value, line });
            }
        }
    }
    for at in config.ignores_of(path) {
        let entry = &config.settings.ignore[at];
        let place = root.and_then(|root| root.member("ignore")?.value.items().get(at));
        let line = place.map(|item| source.place(item.span.start).line);
        let until = entry.until.map(|until| format!(" until {until}")).unwrap_or_default();
        let pointer = entry.pointer.as_deref().map(|it| format!(" at {it}")).unwrap_or_default();
        let name = Some(format!("{}{pointer}{until}", entry.rule));
        all.push(Setting { key: "ignore", name, value: json!(entry.reason), line });
    }
    for (column, field) in columns {
        let line = line(&["columns", column]);
        all.push(Setting { key: "columns", name: Some(column.clone()), value: json!(field), line });
    }
    for key in ["columns", "rules", "ignore"] {
        if all.iter().all(|it| it.key != key) {
            all.push(Setting { key, name: None, value: Value::Null, line: None });
        }
    }
    all
}

/// The offset of the last of these nested keys.
fn key_of(root: &Node<'_>, steps: &[&str]) -> Option<u32> {
    let (last, above) = steps.split_last()?;
    let object = above.iter().try_fold(root, |node, step| node.get(step))?;
    Some(object.member(last)?.key_span.start)
}

fn print(shown: &ShownConfig, out: &mut dyn Write) -> io::Result<()> {
    let file = shown.file.as_deref().map_or("this folder".to_owned(), |file| format!("`{}`", one_line(file)));
    match &shown.config {
        Some(config) => writeln!(out, "`{}` applies to {file}.\n", one_line(config))?,
        None => writeln!(out, "No settings apply to {file}.\n")?,
    }
    let rows: Vec<[String; 3]> = shown.settings.iter().map(row).collect();
    let wide = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let (first, second) = (wide(0), wide(1));
    for [name, value, origin] in &rows {
        let pad = |text: &str, wide: usize| " ".repeat(wide - width(text));
        writeln!(out, "{name}{}  {value}{}  {origin}", pad(name, first), pad(value, second))?;
    }
    if !shown.detected.is_empty() {
        writeln!(out, "\nThe file contains: {}.", shown.detected.join(", "))?;
    }
    Ok(())
}

pub(super) fn row(setting: &Setting) -> [String; 3] {
    let name = match &setting.name {
        Some(name) => format!("{} {name}", setting.key),
        None => setting.key.to_owned(),
    };
    let item = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let value = match &setting.value {
        Value::Null => "-".to_owned(),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Array(items) => items.iter().map(item).collect::<Vec<_>>().join(", "),
        other => item(other),
    };
    let origin = setting.line.map_or("default".to_owned(), |line| format!("line {line}"));
    [one_line(&name), one_line(&value), origin]
}
