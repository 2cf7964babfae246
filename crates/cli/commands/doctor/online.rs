//! Whether the provider can be called, and pages rendered: keys, attempts whose outcome is unknown, a browser. Nothing is sent.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use tollproof_core::Provider;
use tollproof_history::{Access, Attempt, HistorySet, Host, Location, name_of};
use tollproof_online::{
    Api, ApiOptions, CallError, KeyOrigin, UserSettings, callable_providers, find_browser, find_tesseract,
};
use tollproof_project::{ConfigFile, history_locations};

use super::Checkup;
use super::project::SeenDrafts;
use crate::terminal::count;

/// The provider of the project, and the attempts in its history.
pub(super) fn all(config: &ConfigFile, seen: &SeenDrafts) -> Vec<Checkup> {
    let provider = config.provider().or_else(|| seen.provider());
    let of_provider =
        provider.filter(|provider| callable_providers().any(|name| name == provider.name())).map(of_provider);
    of_provider.into_iter().chain(attempts(config)).chain([browser(), tesseract()]).collect()
}

/// Whether there is a browser for pages that need their scripts.
fn browser() -> Checkup {
    let able = "can render pages that need their scripts";
    let lacking = "no browser was found: `tollproof look` does not check pages that need their scripts";
    let advice = "install Chromium, Chrome or Edge, or name one with `tollproof look --browser`";
    program("browser", find_browser(), able, lacking, advice)
}

/// Whether there is a Tesseract that reads the words of pictures.
fn tesseract() -> Checkup {
    let able = "can read the words of opt-in pictures";
    let lacking = "no Tesseract was found: `tollproof look` does not read the words of pictures";
    let advice = "install Tesseract, or name it with `tollproof look --tesseract`";
    program("tesseract", find_tesseract(), able, lacking, advice)
}

/// Whether there is a program that `look` uses. It is not started.
fn program(name: &'static str, found: Option<PathBuf>, able: &str, lacking: &str, advice: &str) -> Checkup {
    match found {
        Some(path) => Checkup::ok(name, format!("`{}` {able}", name_of(&path))),
        None => Checkup::unused(name, lacking).advice(advice),
    }
}

/// Whether what the provider's API needs is set. The key itself is neither read nor shown.
fn of_provider(provider: Provider) -> Checkup {
    let options = ApiOptions {
        api: None,
        sandbox: None,
        hosts: BTreeMap::new(),
        values: BTreeMap::new(),
        timeout: Duration::from_secs(30),
        environment: &|name| std::env::var(name).ok(),
    };
    let settings = match UserSettings::load() {
        Ok(settings) => settings,
        Err(error) => return Checkup::failed("provider", CallError::from(error).into()),
    };
    let api = match Api::open(provider, &settings, &options) {
        Ok(api) => api,
        Err(error @ (CallError::MissingHost { .. } | CallError::MissingValue { .. })) => {
            return unset(provider, &error);
        }
        Err(error) => return Checkup::failed("provider", error.into()),
    };
    let origin = match api.key_origin() {
        Ok(KeyOrigin::Variable(name)) => format!("the environment variable {name}"),
        Ok(KeyOrigin::Command) => "the program of `key-command:`".to_owned(),
        Err(error) => return unset(provider, &error),
    };
    let missing = api.unset_values().map(|(about, env)| format!("not set: {about} ({env})"));
    let message = format!("the key of {} comes from {origin}", provider.title());
    Checkup::ok("provider", message).details(missing)
}

/// A missing key is only a note, because many people never call the provider.
fn unset(provider: Provider, error: &CallError) -> Checkup {
    let message = format!("{} cannot be called from here: {error}", provider.title());
    Checkup::unused("provider", message).advice("a sandbox needs no key: `tollproof submit --sandbox`")
}

/// Attempts at the providers whose outcome is unknown, in the only store of the history.
fn attempts(config: &ConfigFile) -> Option<Checkup> {
    let mut stores = history_locations(&[], config).ok()?;
    stores.retain(|location| !matches!(location, Location::Files(_)));
    let [store] = stores.as_slice() else { return None };
    // A store that cannot be opened is the problem of the history.
    let mut past = HistorySet::open(std::slice::from_ref(store), Access::Read).ok()?.at(Host::provider());
    let attempts = past.store().ok()?.attempts().ok()?;
    let now = Timestamp::now();
    let is_late = |attempt: &&Attempt| attempt.state.is_open() && attempt.until < now;
    let late = attempts.iter().filter(is_late).count();
    Some(match late {
        0 => Checkup::ok("attempts", "no attempt waits for a look at the provider"),
        _ => Checkup::problem("attempts", format!("{} with an unknown outcome", count(late, "attempt")))
            .advice("run `tollproof status`; it asks the provider what arrived"),
    })
}
