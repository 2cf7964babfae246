//! Pages say which calls of a provider are known, which keys they need, and what their exit statuses mean.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_yaml::Value;
use tollproof_core::Provider;

use super::{generated_part, read, tollproof};

/// The API of a provider: the file of one generation.
struct ApiFile {
    provider: Provider,
    /// The name of the generation, if there are several.
    api: Option<String>,
    content: Value,
}

impl ApiFile {
    /// All files, each provider's default generation first.
    fn all() -> Vec<Self> {
        let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
        let names = |folder: &Path| -> Vec<String> {
            let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            let mut names: Vec<String> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            names.sort_unstable();
            names
        };
        let mut files = Vec::new();
        for provider in names(&schemas) {
            let of_provider = names(&schemas.join(&provider)).into_iter();
            let of_provider: Vec<String> = of_provider.filter(|it| it.starts_with("operations.")).collect();
            for file in &of_provider {
                let path = format!("schemas/{provider}/{file}");
                let content: Value = serde_yaml::from_str(&read(&path)).expect("the program reads it too");
                let api = match file.trim_end_matches("yaml").trim_matches('.').split_once('.') {
                    Some((_, api)) => Some(api.to_owned()),
                    None => (of_provider.len() > 1).then(|| "document".to_owned()),
                };
                let provider = Provider::named(&provider).expect("it is a provider");
                files.push(Self { provider, api, content });
            }
        }
        assert!(files.len() > 8, "the files are there");
        files.sort_by_key(|file| {
            (file.provider.name(), file.api.as_deref() != Some("document"), file.api.clone())
        });
        files
    }

    fn title(&self) -> String {
        let api = self.api.as_ref().map(|it| format!(", `{it}`")).unwrap_or_default();
        format!("{}{api}", self.provider.title())
    }

    /// Whether a command can be used: that of an operation, or of the first of its steps.
    fn has(&self, operation: &str) -> Known {
        let found = &self.content["operations"][operation];
        let call = match found {
            Value::Sequence(steps) => &steps[0],
            Value::Mapping(kinds) if operation == "senders" => {
                &kinds.values().next().expect("there is a kind")["list"]
            }
            single => single,
        };
        match call {
            Value::Null => Known::No,
            _ if call.get("assumed").is_some() => Known::WithPath,
            _ => Known::Yes,
        }
    }
}

/// Whether an operation of a provider is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    /// Its path is not, and is set by the user.
    WithPath,
    No,
}

/// The commands, and the operation that each needs.
const COMMANDS: [(&str, &str); 9] = [
    ("number find", "search"),
    ("number buy", "buy"),
    ("number list", "owned"),
    ("submit", "submit"),
    ("status", "fetch"),
    ("status --import", "list"),
    ("update", "update"),
    ("cancel", "cancel"),
    ("senders", "senders"),
];

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

/// The environment variables of a way to log in, the secret last.
fn variables(form: &Value) -> String {
    let (_, form) = form.as_mapping().and_then(|mapping| mapping.iter().next()).expect("a way has a name");
    let names = ["user", "access-key", "secret"].iter().filter_map(|name| text(form, name));
    let names: Vec<String> = names.filter(|it| !it.contains('{')).map(|it| format!("`{it}`")).collect();
    let token = text(form, "session-token").map(|it| format!(" (and `{it}`)")).unwrap_or_default();
    names.join(" and ") + &token
}

#[test]
fn the_page_lists_keys_and_accounts() {
    let mut table =
        "| provider | key | account and other values | not followed |\n|---|---|---|---|\n".to_owned();
    for file in ApiFile::all() {
        let list = |name: &str| file.content[name].as_sequence().cloned().unwrap_or_default();
        let keys: Vec<String> = list("keys").iter().map(variables).collect();
        let mut values = Vec::new();
        for (name, value) in file.content["values"].as_mapping().into_iter().flatten() {
            let (name, env) = (name.as_str().unwrap_or_default(), text(value, "env").unwrap_or_default());
            let field = text(value, "role").map(|it| format!(", or `{it}` in the draft"));
            let about = text(value, "about").unwrap_or_default();
            values.push(format!("`{name}`: {about}, `{env}`{}", field.unwrap_or_default()));
        }
        let ignored: Vec<String> =
            list("not-followed").iter().filter_map(Value::as_str).map(|it| format!("`{it}`")).collect();
        let row = [file.title(), keys.join(", or "), values.join("; "), ignored.join(", ")];
        let _ = writeln!(table, "| {} |", row.join(" | "));
    }
    generated_part("docs/calls.md", "keys", &table);
}

#[test]
fn the_page_lists_the_exit_statuses() {
    let help = tollproof(&["submit", "--help"], "");
    let (_, list) = help.split_once("Exit status:\n").expect("the help has them");
    let mut table = "| status | meaning |\n|---|---|\n".to_owned();
    for line in list.lines().take_while(|it| it.starts_with("  ")) {
        let (status, meaning) = line.trim().split_once("  ").expect("a status has a meaning");
        let _ = writeln!(table, "| {status} | {meaning} |");
    }
    assert_eq!(table.lines().count(), 10, "{table}");
    generated_part("docs/calls.md", "exits", &table);
}

/// The example of the library's documentation, which is compiled and run there.
#[test]
fn the_page_shows_how_a_program_submits() {
    let library = read("crates/tollproof-online/src/calls/session.rs");
    let (_, example) = library.split_once("/// ```\n").expect("it begins");
    let (example, _) = example.split_once("/// ```\n").expect("it ends");
    let lines =
        example.lines().map(|line| line.trim_start_matches("///").strip_prefix(' ').unwrap_or_default());
    let shown: Vec<&str> = lines.filter(|line| !line.starts_with("# ") && *line != "#").collect();
    generated_part("docs/calls.md", "library", &format!("```rust\n{}\n```", shown.join("\n")));
}

#[test]
fn pages_of_providers_list_the_calls() {
    let heads: Vec<String> = COMMANDS.iter().map(|(command, _)| format!("`{command}`")).collect();
    let mut table = format!("| provider | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(COMMANDS.len()));
    for file in ApiFile::all() {
        let cells = COMMANDS.map(|(_, operation)| match file.has(operation) {
            Known::Yes => "yes",
            Known::WithPath => "path",
            Known::No => "no",
        });
        let _ = writeln!(table, "| {} | {} |", file.title(), cells.join(" | "));
    }
    generated_part("docs/providers/README.md", "calls", &table);
    for file in ApiFile::all().iter().filter(|it| it.api.is_none()) {
        let name = file.provider.name();
        let page = format!("docs/providers/{name}.md");
        let page = if read(&page).is_empty() { "docs/providers/partial.md".to_owned() } else { page };
        let known: Vec<String> = COMMANDS
            .iter()
            .filter(|(_, operation)| file.has(operation) == Known::Yes)
            .map(|(command, _)| format!("`{command}`"))
            .collect();
        let line =
            format!("Commands that call this API: {}. [Submit](../submit.md) shows how.", known.join(", "));
        generated_part(&page, &format!("calls:{name}"), &line);
    }
}

/// The keys of the structs of a source, with hyphens.
fn keys_of(path: &str) -> Vec<String> {
    let file = syn::parse_file(&read(path)).expect("the crate compiles");
    let fields = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Struct(it) => Some(it.fields),
        _ => None,
    });
    let names = fields.flatten().filter_map(|it| it.ident);
    names.map(|name| name.to_string().replace('_', "-")).collect()
}

#[test]
fn the_page_for_contributors_explains_every_key() {
    let page = read("docs/extending.md");
    let (_, section) = page.split_once("## Add the calls of a provider").expect("it has the section");
    let (section, _) = section.split_once("\n## ").expect("it ends");
    let calls = "crates/tollproof-online/src/calls";
    let keys =
        [keys_of(&format!("{calls}/operation.rs")), keys_of(&format!("{calls}/operations.rs"))].concat();
    assert!(keys.len() > 50, "{keys:?}");
    // A call line is one text.
    let parts = ["method", "path"];
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| !parts.contains(&key.as_str()) && !section.contains(&format!("`{key}")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
