//! The arguments of `rule`, `schema`, `number` and `completions`.

use std::path::PathBuf;

use tollproof_core::{Kind, KindRole, Provider, UnknownKind, did_you_mean, nearest};

use super::{PrintArgs, SizeArgs, examples};

// The arguments of `rule`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("rule"))]
pub(crate) struct RuleArgs {
    /// A rule or a group; without it, all rules are listed.
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Add the rules in a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) rules: Vec<PathBuf>,

    /// Write fields and use cases with the names of this provider.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<Provider>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

// The arguments of `schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("schema"))]
pub(crate) struct SchemaArgs {
    /// A kind of document, or the name of another schema; without it, all are listed.
    ///
    /// A kind is `provider/kind`. Without a provider, it is that of `provider:` in tollproof.yaml, or bird.
    #[arg(value_name = "KIND", value_parser = described)]
    pub(crate) kind: Option<Described>,

    /// Explain one field instead of printing the schema.
    #[arg(long, value_name = "NAME", requires = "kind")]
    pub(crate) field: Option<String>,
}

// The arguments of `number`.
#[derive(Debug, clap::Args)]
#[cfg_attr(
    feature = "online",
    command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)
)]
#[command(after_help = examples("number"))]
pub(crate) struct NumberArgs {
    #[cfg(feature = "online")]
    #[command(subcommand)]
    pub(crate) step: Option<super::NumberStep>,

    /// Numbers, short codes or names to send from.
    #[arg(value_name = "VALUE", required = true)]
    pub(crate) values: Vec<String>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("completions"))]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// A document that a schema describes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Described {
    /// A document of a provider's API.
    Kind(Kind),
    /// The same, of the provider in the settings.
    Role(KindRole),
    /// One of tollproof's own files.
    Own(&'static OwnFile),
}

/// One of tollproof's own files that have a schema.
#[derive(Debug)]
pub(crate) struct OwnFile {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Description, in a list of schemas.
    pub(crate) about: &'static str,
    /// Its schema, which `UPDATE=1 cargo test` generates.
    pub(crate) schema: &'static str,
}

macro_rules! own_files {
    ($($(#[$feature:meta])? $name:literal $about:literal;)*) => {
        /// All of them, in the order in which help texts list them.
        pub(crate) const OWN_FILES: &[OwnFile] = &[$(
            $(#[$feature])?
            OwnFile {
                name: $name,
                about: $about,
                schema: include_str!(concat!("../../../schemas/", $name, ".schema.json")),
            },
        )*];
    };
}

own_files! {
    "config" "the settings, tollproof.yaml";
    "rule" "a rule of your own";
    "vocabulary" "groups of terms for rules of your own";
    "report" "what `--output-format json` prints";
    "baseline" "a baseline, as `tollproof baseline write` makes it";
    "drafts" "what `tollproof drafts` prints as JSON";
    #[cfg(feature = "online")] "calls" "what `tollproof submit` and other calls print as JSON";
    #[cfg(feature = "online")] "look" "what `tollproof look` prints as JSON";
    #[cfg(feature = "online")] "read" "what `tollproof read` prints as JSON";
    #[cfg(feature = "online")] "user-settings" "your own settings: keys, accounts, servers";
}

impl Described {
    /// The names of all schemas.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        let kinds = Provider::all().iter().flat_map(|it| it.kinds()).map(Kind::full_name);
        kinds.chain(OWN_FILES.iter().map(|file| file.name.to_owned()))
    }
}

/// Parses the name of a schema; an error suggests the nearest name, or those of the provider.
fn described(name: &str) -> Result<Described, String> {
    if let Some(own) = OWN_FILES.iter().find(|file| file.name == name) {
        return Ok(Described::Own(own));
    }
    if let Ok(kind) = name.parse::<Kind>() {
        let is_of_any = name == kind.name();
        return Ok(if is_of_any { Described::Role(kind.role()) } else { Described::Kind(kind) });
    }
    let unknown = UnknownKind { name: name.to_owned(), nearest: None };
    let provider = name.split('/').next().and_then(|prefix| Provider::named(prefix).ok());
    let names: Vec<String> = match provider {
        Some(provider) => {
            provider.kinds().map(|kind| format!("{}/{}", provider.name(), kind.name())).collect()
        }
        None => Described::names().collect(),
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Err(match (nearest(name, names.iter().copied()), provider) {
        (Some(meant), _) => format!("{unknown}{}", did_you_mean(Some(meant))),
        (None, Some(_)) => format!("{unknown}; use one of {}", names.join(", ")),
        (None, None) => format!("{unknown}; `tollproof schema` lists all"),
    })
}
