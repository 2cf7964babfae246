//! Output of a look, for people and programs.

use std::io::{self, Write};

use tollproof_core::seen::{AddressUse, SeenOutcome};

use super::stores::Stores;
use crate::args::LookArgs;
use crate::errors::Result;
use crate::output::look::{JsonAddress, JsonLook, LookState};
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line, width};

/// The most addresses that are listed for people.
const LISTED: usize = 100;

/// The widest column of addresses.
const WIDEST: usize = 60;

/// Prints the addresses of drafts, and what each is used for.
pub(super) fn addresses(stores: &Stores, args: &LookArgs, out: &mut dyn Write) -> Result<()> {
    print(stores, args, out, |addresses, out| {
        let columns = columns(addresses);
        for it in addresses {
            let used: Vec<&str> = it.used.iter().map(|it| used(*it)).collect();
            let stored = it.at.as_deref().map(|at| format!(" (seen {})", &at[..10.min(at.len())]));
            let stored = stored.unwrap_or_default();
            writeln!(out, "{}  {}{stored}", padded(&it.address, columns), used.join(", "))?;
        }
        Ok(())
    })
}

/// Prints what was seen: what could not be opened, and a summary.
pub(super) fn seen(stores: &Stores, args: &LookArgs, out: &mut dyn Write) -> Result<()> {
    let files = files(stores);
    print(stores, args, out, |addresses, out| {
        let is_shown = |it: &&JsonAddress| it.outcome != Some(SeenOutcome::Seen);
        let shown: Vec<&JsonAddress> = addresses.iter().filter(is_shown).collect();
        let columns = columns(shown.iter().take(LISTED).copied());
        for it in shown.iter().take(LISTED) {
            writeln!(out, "{}  {}", padded(&it.address, columns), words(it))?;
        }
        if shown.len() > LISTED {
            writeln!(out, "and {} more", shown.len() - LISTED)?;
        }
        if !shown.is_empty() {
            writeln!(out)?;
        }
        summary(addresses, &files, out)
    })
}

fn summary(addresses: &[JsonAddress], files: &[String], out: &mut dyn Write) -> io::Result<()> {
    let number = |is_it: &dyn Fn(&JsonAddress) -> bool| addresses.iter().filter(|it| is_it(it)).count();
    let seen = number(&|it| it.outcome == Some(SeenOutcome::Seen));
    let unchecked = number(&|it| it.outcome == Some(SeenOutcome::NotChecked));
    let left = number(&|it| it.outcome.is_none());
    let wrong = addresses.len() - seen - unchecked - left;
    let mut parts = vec![format!("{seen} seen")];
    let others = [(wrong, "did not open"), (unchecked, "not checked"), (left, "not looked at")];
    parts.extend(others.into_iter().filter(|(it, _)| *it > 0).map(|(it, what)| format!("{it} {what}")));
    writeln!(out, "{}: {}", addresses_of(addresses.len()), parts.join(", "))?;
    match number(&|it| it.state == LookState::Stored) {
        0 => {}
        stored => writeln!(out, "{} from earlier looks", count(stored, "fact"))?,
    }
    for file in files {
        writeln!(out, "stored in {}", one_line(file))?;
    }
    Ok(())
}

fn print(
    stores: &Stores,
    args: &LookArgs,
    out: &mut dyn Write,
    full: impl FnOnce(&[JsonAddress], &mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let known = stores.iter().flat_map(|it| it.known());
    let mut addresses: Vec<JsonAddress> =
        known.map(|(address, used, state, fact)| JsonAddress::new(address, used, state, fact)).collect();
    addresses.sort_by(|one, other| one.address.cmp(&other.address));
    let is_offline = stores.iter().any(|it| it.is_offline);
    let files = files(stores);
    let json = JsonLook::new(&addresses, &files, is_offline);
    print_value(args.print.output_format, Look::PLAIN, out, &json, |out| full(&addresses, out))
}

/// Says of how many pictures this run read no words, and why not.
pub(super) fn unread(stores: &Stores) -> Option<String> {
    let known = stores.iter().flat_map(|store| store.known());
    let new = known.filter(|(_, _, state, _)| *state == LookState::New).filter_map(|(_, _, _, fact)| fact);
    let whys = new.filter_map(|fact| fact.picture.as_ref()?.unread.as_deref()).collect::<Vec<_>>();
    let why = whys.first()?;
    Some(format!("note: the words of {} were not read: {}", count(whys.len(), "picture"), reason(why)))
}

/// The files that have facts now.
fn files(stores: &Stores) -> Vec<String> {
    let files = stores.iter().filter(|store| store.path().exists());
    files.map(|store| store.path().display().to_string()).collect()
}

fn columns<'a>(addresses: impl IntoIterator<Item = &'a JsonAddress>) -> usize {
    addresses.into_iter().map(|it| width(&it.address)).max().unwrap_or_default().min(WIDEST)
}

fn padded(address: &str, columns: usize) -> String {
    let address = one_line(address);
    let missing = columns.saturating_sub(width(&address));
    address + &" ".repeat(missing)
}

/// A number of addresses, in words.
pub(super) fn addresses_of(number: usize) -> String {
    if number == 1 { "1 address".to_owned() } else { format!("{number} addresses") }
}

/// Describes the use of an address in words.
fn used(used: AddressUse) -> &'static str {
    match used {
        AddressUse::Website => "website",
        AddressUse::OptIn => "opt-in page",
        AddressUse::Picture => "picture",
        AddressUse::Privacy => "privacy policy",
        AddressUse::Terms => "terms",
        AddressUse::Mail => "mail domain",
        _ => "link",
    }
}

/// Describes an address's outcome in words.
fn words(address: &JsonAddress) -> String {
    let why = address.why.as_deref().unwrap_or_default();
    let with_status = |what: &str| match address.status {
        Some(status) => format!("{what} ({status})"),
        None => what.to_owned(),
    };
    match address.outcome {
        None => "not looked at".to_owned(),
        Some(SeenOutcome::Seen) => "seen".to_owned(),
        Some(SeenOutcome::NotFound) => with_status("not found"),
        Some(SeenOutcome::Gone) => with_status("gone"),
        Some(SeenOutcome::NoSuchName) => "the name does not exist".to_owned(),
        Some(SeenOutcome::ServerError) => with_status("the server fails"),
        Some(SeenOutcome::Certificate) => match why {
            "expired" => "the certificate has expired".to_owned(),
            "self-signed" => "the certificate is signed by itself".to_owned(),
            "wrong-name" => "the certificate is for another name".to_owned(),
            _ => "the certificate is not valid".to_owned(),
        },
        Some(SeenOutcome::Unreachable) if why == "no-address" => "the name has no address".to_owned(),
        Some(SeenOutcome::Unreachable) => "no connection".to_owned(),
        Some(SeenOutcome::NotChecked) => format!("not checked: {}", reason(why)),
        _ => with_status("refused"),
    }
}

/// Describes why an address was not checked.
pub(super) fn reason(why: &str) -> String {
    let known = match why {
        "time-out" => "the server did not answer in time",
        "bot-wall" => "the site lets in browsers only",
        "needs-browser" => "the page needs a browser for its scripts",
        "no-form-in-browser" => "a browser showed the page, and no form came",
        "empty-in-browser" => "a browser showed the page, and it stayed empty",
        "not-opened-by-browser" => "the browser could not open it",
        "browser-ended" => "the browser ended, perhaps for lack of memory",
        "refused" => "the server refuses programs",
        "no-such-name" => "the name does not exist",
        "no-address" => "the name has no address",
        "not-a-web-address" => "it is not the address of a web page",
        "private-address" => "the address is not public; --allow-private opens it",
        "other-port" => "the port is not that of a website; --allow-private opens it",
        "too-large" => "it is too large",
        "cut" => "the connection ended before the answer was complete",
        "no-name-server" => "no name server answered",
        "rate-limited" => "there were too many requests",
        "unknown-issuer" => "the issuer of the certificate is unknown",
        "no-tesseract" => "no Tesseract was found; install it, or name it with `--tesseract`",
        "unknown-format" => "the format of the picture is unknown",
        other => return other.replace('-', " ").replace("tesseract", "Tesseract"),
    };
    known.to_owned()
}
