//! `tollproof number buy`: buys numbers, after a question.

use std::io::Write;

use tollproof_history::{Access, AttemptOperation};
use tollproof_online::{Api, ApiNumber, CallOutcome, NextStep, NumberOrder, Purchase};

use super::super::online::{
    Call, ProviderConnection, confirmed, gravest, locations_here, open_api, open_store, print_calls,
    provider_here,
};
use super::find::{print, search};
use crate::args::BuyArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr::say;
use crate::terminal::filter::Filter;
use crate::terminal::{count, one_line};

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
    let search = search(&args.search, args.count);
    let order = NumberOrder { number: args.number.clone(), search, again: args.again };
    let progress = connection.session(false)?.open_order(&order)?;
    let mut purchases = progress.purchases;
    if progress.is_open && progress.missing > 0 {
        let wanted = match wanted(&connection.api, &order, progress.missing, &purchases)? {
            Wanted::Numbers(wanted) => wanted,
            Wanted::Failed(failed) => {
                return print(&connection.api, Err(failed), args.print.output_format, out);
            }
            Wanted::None => return Err(Failure::new("no number was found; search with other options")),
        };
        let question = format!("Buy {}?", count(wanted.len(), "number"));
        if !confirmed(&about(&connection, &wanted), &question, args.yes)? {
            return Ok(Exit::Unable);
        }
        let numbers: Vec<Option<String>> =
            wanted.into_iter().map(|wanted| wanted.map(|number| number.number)).collect();
        connection.session(false)?.buy(&order, &numbers, &mut purchases)?;
        let unfound = progress.missing.saturating_sub(numbers.len());
        purchases.extend((0..unfound).map(|_| Purchase { number: String::new(), outcome: unfound_number() }));
    }
    let untried = if progress.is_open { 0 } else { progress.missing };
    purchases
        .extend((0..untried).map(|_| Purchase { number: String::new(), outcome: CallOutcome::NotTried }));
    purchases.iter().for_each(|purchase| say_refusal(&connection.api, &purchase.outcome));
    let call = |Purchase { number, outcome }| {
        Call::new(&connection.api, AttemptOperation::Purchase, &number, outcome)
    };
    let calls: Vec<Call> = purchases.into_iter().map(call).collect();
    print_calls(&calls, args.print.output_format, out)?;
    Ok(gravest(calls.iter().map(Call::exit)))
}

/// What is to be bought.
enum Wanted {
    /// Each number; `None` where the provider assigns it.
    Numbers(Vec<Option<ApiNumber>>),
    /// A search that was not answered.
    Failed(Box<CallOutcome>),
    /// The search found nothing.
    None,
}

/// The numbers to buy: the one that was named, else the first that a search finds.
fn wanted(api: &Api, order: &NumberOrder, missing: usize, bought: &[Purchase]) -> Result<Wanted, Failure> {
    if let Some(number) = &order.number {
        let listed = ApiNumber { number: number.clone(), id: None, price: None };
        return Ok(Wanted::Numbers(vec![Some(listed)]));
    }
    if api.assigns_numbers() {
        return Ok(Wanted::Numbers(vec![None; missing]));
    }
    match api.search(&order.search)? {
        Ok(found) if found.is_empty() => Ok(Wanted::None),
        Ok(mut found) => {
            found.retain(|number| bought.iter().all(|bought| bought.number != number.number));
            Ok(Wanted::Numbers(found.into_iter().take(missing).map(Some).collect()))
        }
        Err(failed) => Ok(Wanted::Failed(failed)),
    }
}

/// The outcome for a number that an order lacks, and a search did not find.
fn unfound_number() -> CallOutcome {
    let why = "the search found fewer numbers; run this again later, or search with other options".to_owned();
    CallOutcome::NotFinished { why, next: NextStep::AsSaid }
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
