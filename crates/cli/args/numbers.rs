//! The arguments of `number find`, `number buy`, `number list` and `senders`.

use clap::{Subcommand, ValueEnum};

use super::online::{OnlineArgs, ProviderArgs, StoreArgs, YesArgs};
use super::shared::PrintArgs;
use super::{call_help, examples};

// What to do with numbers at a provider.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum NumberStep {
    /// Find toll-free numbers that can be bought.
    #[command(after_help = examples("number find"), after_long_help = call_help("number find", "numbers were found"))]
    Find(FindArgs),
    /// Buy a toll-free number. It costs money at once.
    ///
    /// The question shows the number, its monthly price if the provider says it, and the account. Without a number, the
    /// first one that a search finds is bought. The same command again goes on: it settles what is unknown, and buys what
    /// is missing. Within an hour, it buys nothing more.
    #[command(after_help = examples("number buy"), after_long_help = call_help("number buy", "the numbers are yours"))]
    Buy(BuyArgs),
    /// List the numbers of your account.
    #[command(after_help = examples("number list"), after_long_help = call_help("number list", "the provider answered"))]
    List(CallArgs),
}

// Which numbers to look for.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// The country: US or CA.
    #[arg(long, value_name = "COUNTRY", default_value = "US", value_parser = country)]
    pub(crate) country: String,

    /// The first three digits, such as 833.
    #[arg(long, value_name = "DIGITS", value_parser = area)]
    pub(crate) area: Option<String>,

    /// Digits or letters that the number contains, where the provider can look for them.
    #[arg(long, value_name = "TEXT", value_parser = contained)]
    pub(crate) contains: Option<String>,
}

// The arguments of `number find`.
#[derive(Debug, clap::Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Maximum number of results.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,

    #[command(flatten)]
    pub(crate) call: CallArgs,
}

// The arguments of `number buy`.
#[derive(Debug, clap::Args)]
pub(crate) struct BuyArgs {
    /// The number; without it, the first that a search finds.
    #[arg(value_name = "NUMBER", conflicts_with_all = ["area", "contains", "count"])]
    pub(crate) number: Option<String>,

    /// Count of numbers to buy.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) count: u32,

    /// Buy again, though the same command bought numbers within the hour.
    #[arg(long, hide_short_help = true)]
    pub(crate) again: bool,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Print the request, also as a command of curl, and send nothing. Needs no key.
    #[arg(long, conflicts_with_all = ["yes", "output_format", "area", "contains", "count"], requires = "number")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) yes: YesArgs,

    #[command(flatten)]
    pub(crate) provider: ProviderArgs,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of commands that only ask a provider, such as `number list`.
#[derive(Debug, clap::Args)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The commands of `senders`.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum SendersCommand {
    /// List the senders of a kind.
    #[command(after_help = examples("senders"), after_long_help = call_help("senders", "the provider answered"))]
    List(SenderListArgs),
    /// Show one sender.
    #[command(after_help = examples("senders"), after_long_help = call_help("senders", "the provider answered"))]
    Show(SenderShowArgs),
}

/// A kind of senders besides toll-free numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SenderChoice {
    /// Names of letters and digits.
    Alphanumeric,
    /// Ordinary phone numbers.
    LongCode,
    /// Numbers of 4 to 6 digits.
    ShortCode,
}

// The arguments of `senders list`.
#[derive(Debug, clap::Args)]
pub(crate) struct SenderListArgs {
    /// The kind of senders.
    #[arg(value_name = "KIND")]
    pub(crate) kind: SenderChoice,

    #[command(flatten)]
    pub(crate) call: CallArgs,
}

// The arguments of `senders show`.
#[derive(Debug, clap::Args)]
pub(crate) struct SenderShowArgs {
    /// The kind of the sender.
    #[arg(value_name = "KIND")]
    pub(crate) kind: SenderChoice,

    /// The id of the sender.
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) call: CallArgs,
}

fn country(text: &str) -> Result<String, String> {
    match text.trim().to_ascii_uppercase().as_str() {
        "US" | "USA" => Ok("US".to_owned()),
        "CA" | "CANADA" => Ok("CA".to_owned()),
        _ => Err("use US or CA".to_owned()),
    }
}

fn area(text: &str) -> Result<String, String> {
    let is_toll_free = ["800", "833", "844", "855", "866", "877", "888"].contains(&text);
    if is_toll_free { Ok(text.to_owned()) } else { Err("use a toll-free area code, such as 833".to_owned()) }
}

fn contained(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '*';
    if !text.is_empty() && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("use digits or letters, such as 555".to_owned())
    }
}
