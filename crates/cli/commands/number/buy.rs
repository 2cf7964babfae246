//! `tollproof number buy`: buys numbers, after a question.

use std::io::Write;

use tollproof_history::{Access, AttemptOperation};
use tollproof_online::{ApiNumber, NumberOrder, ProviderConnection, Purchase};

use super::super::online::{
    Call, confirmed, locations_here, open_api, open_store, place, provider_here, report_calls,
};
use super::find::search;
use crate::args::BuyArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::terminal::filter::Filter;
use crate::terminal::{count, one_line};

pub(super) fn run(args: &BuyArgs, out: &mut dyn Write) -> Result<Exit> {
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
    let mut progress = connection.session(false)?.open_order(&order)?;
    let purchases = if progress.missing == 0 {
        progress.purchases
    } else {
        let offered = connection.session(false)?.offered(&order, &progress)?.unwrap_or_else(|failed| {
            progress.missing = 0;
            progress.purchases.push(Purchase { number: String::new(), outcome: *failed });
            Vec::new()
        });
        if offered.is_empty() && progress.purchases.is_empty() {
            return Err(Failure::new("no number was found; search with other options"));
        }
        let question = format!("Buy {}?", count(offered.len(), "number"));
        if !offered.is_empty() && !confirmed(&about(&connection, &offered), &question, args.yes)? {
            return Ok(Exit::Unable);
        }
        connection.session(false)?.buy(&order, progress, &offered)?
    };
    let call = |Purchase { number, outcome }| {
        Call::new(&connection.api, AttemptOperation::Purchase, &number, outcome)
    };
    let calls: Vec<Call> = purchases.into_iter().map(call).collect();
    report_calls(&calls, args.print.output_format, out)
}

/// The question's subject: each number with its price, the provider and the account.
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
    let mut about = vec![format!("To buy from {}:", place(&connection.api))];
    about.extend(wanted.iter().map(|number| format!("  {}", line(number))));
    let account = connection.api.account().map(|(name, value)| format!("{name} {value}"));
    let account = account.collect::<Vec<_>>().join(", ");
    if !account.is_empty() {
        about.push(format!("  for {}", one_line(&account)));
    }
    about
}
