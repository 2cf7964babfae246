//! The arguments of `rule`, `schema`, `number` and `completions`.

use std::path::PathBuf;

use tollproof_core::{Kind, KindRole, Provider, UnknownKind, did_you_mean, nearest};

use super::{PrintArgs, SizeArgs};

// The arguments of `rule`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof rule                          all rules
  tollproof rule opt-in                   the rules of a group
  tollproof rule message/missing-opt-out  one rule, with examples
  tollproof rule house --rules mine/      your own rules
  tollproof rule use-case --provider twilio")]
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
#[command(after_help = "\
Examples:
  tollproof schema                                             the kinds
  tollproof schema twilio/submit-request > submit.schema.json  for an editor
  tollproof schema submit-request --field useCase              one field
  tollproof schema config > config.schema.json                 for tollproof.yaml")]
pub(crate) struct SchemaArgs {
    /// A kind of document, or config, rule, vocabulary, report, baseline, calls or user-settings; without it, all are listed.
    ///
    /// A kind is `provider/kind`. Without a provider, it is that of `provider:` in tollproof.yaml, or bird.
    #[arg(value_name = "KIND", value_parser = described)]
    pub(crate) kind: Option<Described>,

    /// Explain one field instead of printing the schema.
    #[arg(long, value_name = "NAME", requires = "kind")]
    pub(crate) field: Option<String>,
}

pub(super) const NUMBER: &str = "Show what a number or name is, and what it needs to send.\n\n\
        A sender is a toll-free number, a long code number, a short code number of 4 to 6 digits, or an \
        alphanumeric sender. A number without + is read as a US or Canadian number; letters in a toll-free \
        number (1-800-FLOWERS) are read as the digits of their keys. tollproof works offline: it does not know \
        whether the number is yours.";

// The arguments of `number`.
#[derive(Debug, clap::Args)]
#[cfg_attr(
    feature = "online",
    command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)
)]
#[command(after_help = "\
Examples:
  tollproof number +18334726150
  tollproof number 7726 Acme \"(512) 472-1820\" --output-format json

Exit status:
  0  you can send from all values
  1  you cannot send from one of them
  2  could not run")]
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
#[command(after_help = "\
Examples:
  tollproof completions bash > ~/.local/share/bash-completion/completions/tollproof
  tollproof completions fish > ~/.config/fish/completions/tollproof.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Described {
    /// A document of a provider's API.
    Kind(Kind),
    /// The same, of the provider in the settings.
    Role(KindRole),
    /// One of tollproof's own files.
    Own(OwnFile),
}

/// tollproof's own files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnFile {
    /// tollproof.yaml.
    Config,
    /// A rule file.
    Rule,
    /// A vocabulary file.
    Vocabulary,
    /// The report of `--output-format json`.
    Report,
    /// A baseline.
    Baseline,
    /// What commands print as JSON that call a provider.
    #[cfg(feature = "online")]
    Calls,
    /// What `look` prints as JSON.
    #[cfg(feature = "online")]
    Look,
    /// What `read` prints as JSON.
    #[cfg(feature = "online")]
    Read,
    /// The user's own settings.
    #[cfg(feature = "online")]
    UserSettings,
}

impl OwnFile {
    /// All of them, in the order in which help texts list them.
    pub(crate) const ALL: &[Self] = &[
        Self::Config,
        Self::Rule,
        Self::Vocabulary,
        Self::Report,
        Self::Baseline,
        #[cfg(feature = "online")]
        Self::Calls,
        #[cfg(feature = "online")]
        Self::Look,
        #[cfg(feature = "online")]
        Self::Read,
        #[cfg(feature = "online")]
        Self::UserSettings,
    ];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Rule => "rule",
            Self::Vocabulary => "vocabulary",
            Self::Report => "report",
            Self::Baseline => "baseline",
            #[cfg(feature = "online")]
            Self::Calls => "calls",
            #[cfg(feature = "online")]
            Self::Look => "look",
            #[cfg(feature = "online")]
            Self::Read => "read",
            #[cfg(feature = "online")]
            Self::UserSettings => "user-settings",
        }
    }
}

impl Described {
    /// The names of all schemas.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        let kinds = Provider::all().iter().flat_map(|it| it.kinds()).map(Kind::full_name);
        kinds.chain(OwnFile::ALL.iter().map(|it| it.name().to_owned()))
    }
}

/// Parses the name of a schema; an error suggests the nearest name, or those of the provider.
fn described(name: &str) -> Result<Described, String> {
    if let Some(own) = OwnFile::ALL.iter().copied().find(|it| it.name() == name) {
        return Ok(Described::Own(own));
    }
    if let Ok(kind) = name.parse::<Kind>() {
        let is_of_any = name == kind.name();
        return Ok(if is_of_any { Described::Role(kind.role()) } else { Described::Kind(kind) });
    }
    let unknown = UnknownKind { name: name.to_owned(), nearest: None };
    let provider = name.split('/').next().and_then(|it| Provider::named(it).ok());
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
