//! Opens what a command needs to call a provider: its API, and the history that its calls are written to.

use std::collections::BTreeMap;

use tollproof_core::Provider;
use tollproof_history::{Access, HistorySet, Host, Location};
use tollproof_online::{Api, ApiOptions, CallError, ProviderConnection, UserSettings, callable_providers};
use tollproof_project::history_locations;
use url::Url;

use super::calls::exit_of;
use crate::args::{CallArgs, OnlineArgs, StoreArgs};
use crate::commands::here::config_here;
use crate::errors::{Failure, Result, failure};

/// The target of requests, for people: `Twilio (api.twilio.com)`, or the sandbox.
pub(crate) fn place(api: &Api) -> String {
    let (title, address) = (api.provider().title(), api.address());
    if api.host().is_provider() {
        format!("{title} ({address})")
    } else {
        format!("{title} in the sandbox ({address}), not the provider")
    }
}

/// Opens the API of a provider. Nothing is sent, and no key is read.
pub(crate) fn open_api(provider: Provider, args: &OnlineArgs) -> Result<Api> {
    let settings = UserSettings::load().map_err(CallError::from)?;
    let sandbox = args.sandbox().map_err(Failure::new)?;
    let sandbox = sandbox.map(|it| Url::parse(&it)).transpose();
    let sandbox = sandbox.map_err(|error| failure!("the address of the sandbox is invalid: {error}"))?;
    let options = ApiOptions {
        api: args.api.clone(),
        sandbox,
        hosts: args.host.iter().cloned().collect::<BTreeMap<_, _>>(),
        values: args.set.iter().cloned().collect::<BTreeMap<_, _>>(),
        timeout: args.timeout,
        environment: &|name| std::env::var(name).ok(),
    };
    Ok(Api::open(provider, &settings, &options)?)
}

/// Opens the API of the provider that a command calls.
pub(crate) fn open_called(args: &CallArgs) -> Result<Api> {
    open_api(provider_here(args.provider.provider)?, &args.online)
}

/// The provider that the command line or the settings of the current folder name.
pub(crate) fn provider_here(named: Option<Provider>) -> Result<Provider> {
    if let Some(provider) = named {
        return Ok(provider);
    }
    config_here()?.provider().ok_or_else(|| {
        let known = callable_providers().collect::<Vec<_>>().join(", ");
        failure!("the provider is missing; use `--provider NAME` ({known}), or `provider:` in tollproof.yaml")
    })
}

/// The locations of the history, from the command line or from the settings of the current folder.
pub(crate) fn locations_here(args: &StoreArgs) -> Result<Vec<Location>> {
    let config = config_here()?;
    Ok(history_locations(&args.history, &config)?)
}

/// Opens the history, of which exactly one is a store.
pub(crate) fn open_store(locations: &[Location], host: Host, access: Access) -> Result<HistorySet> {
    let stores = locations.iter().filter(|location| !matches!(location, Location::Files(_))).count();
    if stores != 1 {
        let what = match stores {
            0 => "a history is required, because every request is recorded there",
            _ => "more than one history is a store, and only one can be written to",
        };
        return Err(failure!("{what}; use `--history sqlite:history.db`, or `history:` in tollproof.yaml"));
    }
    Ok(HistorySet::open(locations, access)?.at(host))
}

/// Opens the API of a provider and the history.
pub(crate) fn open_connection(
    provider: Provider,
    online: &OnlineArgs,
    locations: &[Location],
    access: Access,
) -> Result<ProviderConnection> {
    let api = open_api(provider, online)?;
    let past = open_store(locations, api.host().clone(), access)?;
    Ok(ProviderConnection { api, past })
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::History(error) => error.into(),
            error => {
                let exit = exit_of(error.result());
                Self::new(error).with_exit(exit)
            }
        }
    }
}
