//! `tollproof number buy`: buys numbers, after a question.

use std::io::Write;

use tollproof_core::NumberKey;
use tollproof_history::Access;
use tollproof_online::{Api, ApiNumber, CallOutcome, Numbers, Purchase};

use super::super::online::{
    ProviderConnection, confirmed, exit_of, failed, gravest, locations_here, of_outcome, open_api,
    open_store, print_calls, provider_here, withheld,
};
use super::find::{print, search};
use crate::args::BuyArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::calls::{CallResult, JsonCall, JsonCalls};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, count, one_line};

pub(super) fn run(args: &BuyArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let api = open_api(provider_here(args.provider.provider)?, &args.online)?;
    if let (true, Some(number)) = (args.dry_run, &args.number) {
        let (text, curl) = api.shown_purchase(number)?;
        write!(Filter::screen(out), "{}\n\n{}\n", text.trim_end(), curl.trim_end())
            .map_err(Failure::stdout)?;
        return Ok(Exit::Clean);
    }
    let past = open_store(&locations_here(&args.store)?, api.host().clone(), Access::Create)?;
    let mut connection = ProviderConnection { api, past };
    if has_open_purchase(&mut connection)? {
        say(match args.number {
            Some(_) => "An earlier purchase is settled first.",
            None => "An earlier purchase is settled first: if it arrived, it counts.",
        });
    }
    let wanted = match wanted(&connection.api, args)? {
        Wanted::Numbers(wanted) => wanted,
        Wanted::Failed(found) => return print(&connection.api, found, args.print.output_format, out),
        Wanted::None => return Err(Failure::new("no number was found; search with other options")),
    };
    let about = about(&connection, &wanted);
    let question = format!("Buy {}?", count(wanted.len(), "number"));
    if !confirmed(&about, &question, args.yes)? {
        return Ok(Exit::Unable);
    }
    let country = &args.search.country;
    let mut calls = Vec::new();
    let names: Vec<Option<&str>> =
        wanted.iter().map(|wanted| wanted.as_ref().map(|number| number.number.as_str())).collect();
    let mut next = 0;
    while let Some(name) = names.get(next) {
        let (call, goes_on) = buy(&mut connection, *name, country)?;
        // An earlier purchase that was settled is not the number that was named.
        let is_other = args.number.is_some() && !is_same(&call, name.unwrap_or_default());
        next += usize::from(!is_other);
        calls.push(call);
        // What fails for one number, such as the key or the balance, fails for the others too.
        if !goes_on {
            break;
        }
    }
    for name in names.get(next..).unwrap_or_default() {
        let call = withheld(&connection.api, None, name.unwrap_or_default(), CallResult::NotFinished);
        calls.push(JsonCall { reason: Some("not tried".to_owned()), ..call });
    }
    print_value(args.print.output_format, Look::PLAIN, out, &JsonCalls::new(&calls), |out| {
        print_calls(&calls, "bought", out)
    })?;
    Ok(gravest(calls.iter().map(|it: &JsonCall| exit_of(it.result))))
}

/// Buys a number. Returns what became of it, or of an earlier purchase, and whether to buy more.
fn buy(
    connection: &mut ProviderConnection,
    name: Option<&str>,
    country: &str,
) -> Result<(JsonCall, bool), Failure> {
    let bought = connection.session(false)?.buy(name, country);
    let call = match &bought {
        Ok(Purchase { number, outcome }) => {
            say_refusal(&connection.api, outcome);
            of_outcome(&connection.api, None, number, outcome)
        }
        Err(error) => failed(&connection.api, None, name.unwrap_or_default(), error),
    };
    let goes_on = matches!(call.result, CallResult::Done | CallResult::Found | CallResult::DoneEarlier);
    Ok((call, goes_on))
}

fn is_same(call: &JsonCall, name: &str) -> bool {
    call.number.as_deref().is_some_and(|number| NumberKey::of(number) == NumberKey::of(name))
}

/// What is to be bought.
enum Wanted {
    /// Each number; `None` where the provider assigns it.
    Numbers(Vec<Option<ApiNumber>>),
    /// A search that was not answered.
    Failed(Numbers),
    /// The search found nothing.
    None,
}

/// The numbers to buy: the one that was named, else the first that a search finds.
fn wanted(api: &Api, args: &BuyArgs) -> Result<Wanted, Failure> {
    if let Some(number) = &args.number {
        let listed = ApiNumber { number: number.clone(), id: None, price: None };
        return Ok(Wanted::Numbers(vec![Some(listed)]));
    }
    if api.assigns_numbers() {
        return Ok(Wanted::Numbers(vec![None; args.count as usize]));
    }
    match api.search(&search(&args.search, args.count))? {
        Numbers::Found(found) if found.is_empty() => Ok(Wanted::None),
        Numbers::Found(found) => Ok(Wanted::Numbers(found.into_iter().map(Some).collect())),
        failed @ Numbers::Failed(_) => Ok(Wanted::Failed(failed)),
    }
}

fn has_open_purchase(connection: &mut ProviderConnection) -> Result<bool, Failure> {
    let open = connection.session(false)?.open_attempts()?;
    Ok(open.iter().any(|it| it.operation.name() == "buy"))
}

/// What the question is about: each number with its price, the provider and the account.
fn about(connection: &ProviderConnection, wanted: &[Option<ApiNumber>]) -> Vec<String> {
    let line = |number: &Option<ApiNumber>| match number {
        None => "A number that the provider assigns, at its monthly price.".to_owned(),
        Some(ApiNumber { number, price: Some(price), .. }) => {
            format!("{} at {} a month", one_line(number), one_line(price))
        }
        Some(ApiNumber { number, price: None, .. }) => {
            format!("{} at the provider's monthly price", one_line(number))
        }
    };
    let mut about = vec![format!("To buy from {}:", connection.place())];
    about.extend(wanted.iter().map(|it| format!("  {}", line(it))));
    let account = connection.api.account().map(|(name, value)| format!("{name} {value}"));
    let account = account.collect::<Vec<_>>().join(", ");
    if !account.is_empty() {
        about.push(format!("  for {}", one_line(&account)));
    }
    about
}

/// Says why the provider refused a purchase.
fn say_refusal(api: &Api, outcome: &CallOutcome) {
    if let CallOutcome::Refused(answered) | CallOutcome::BadKey(answered) = outcome
        && !answered.message.is_empty()
    {
        say(&format!("{}: {}", api.provider().title(), one_line(&answered.message)));
    }
}
