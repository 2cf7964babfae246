//! The API of a provider for one user: addresses, account and key; its operations as requests.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use tollproof_core::Provider;
use tollproof_history::Host;
use url::Url;

use super::error::{CallError, Result};
use super::key_source::{KeySource, LoggedIn};
use super::operation::CallLine;
use super::operations::{ApiHost, NumberName, OperationsFile, callable_providers};
use super::template::{Variables, fill};
use crate::client::{Client, ClientOptions, is_loopback};
use crate::settings::{ProviderSettings, UserSettings};

/// Options of an API.
pub struct ApiOptions<'e> {
    /// The generation of the API; by default that of the user's settings, or the first.
    pub api: Option<String>,
    /// The address of a sandbox, which takes the place of all servers of the provider.
    pub sandbox: Option<Url>,
    /// Addresses in place of the provider's, by the name of the server; the empty name for the only one.
    pub hosts: BTreeMap<String, String>,
    /// Account ids and other values that paths need.
    pub values: BTreeMap<String, String>,
    /// Time limit of a request.
    pub timeout: Duration,
    /// The environment variables.
    pub environment: &'e dyn Fn(&str) -> Option<String>,
}

/// The API of a provider for one user.
pub struct Api {
    pub(crate) provider: Provider,
    pub(crate) file: OperationsFile,
    pub(crate) hosts: BTreeMap<String, Url>,
    pub(crate) values: Variables,
    pub(crate) paths: BTreeMap<String, CallLine>,
    pub(crate) client: Client,
    /// Sends what may be sent once.
    pub(crate) writer: Client,
    pub(crate) timeout: Duration,
    host: Host,
    pub(crate) settings_file: String,
    pub(crate) key: KeySource,
    pub(crate) authentication: RefCell<Option<LoggedIn>>,
}

impl Api {
    /// The API of a provider, with the user's settings. Nothing is sent, and no key is read.
    ///
    /// # Errors
    ///
    /// tollproof cannot call the provider, or a setting is missing or invalid.
    pub fn open(provider: Provider, settings: &UserSettings, options: &ApiOptions<'_>) -> Result<Self> {
        let own = settings.provider(provider.name());
        // A variable without a value is not set.
        let environment = &|name: &str| (options.environment)(name).filter(|value| !value.trim().is_empty());
        let api = options.api.as_deref().or(own.api.as_deref());
        let file = OperationsFile::builtin(provider.name(), api).map_err(|known| match api {
            Some(api) if !known.is_empty() => CallError::UnknownApi {
                provider: format!("`api: {api}` of {provider}"),
                known: known.into_iter().map(|it| format!("`{it}`")).collect(),
            },
            _ => CallError::UnknownApi {
                provider: provider.title().to_owned(),
                known: callable_providers().map(str::to_owned).collect(),
            },
        })?;
        let settings_file = settings.path().display().to_string();
        if let Some(sandbox) = options.sandbox.as_ref().filter(|it| !is_loopback(it)) {
            let host = sandbox.host_str().unwrap_or_default();
            return Err(CallError::Usage(format!(
                "a sandbox is on this machine, and `{host}` is not; use `--host` for another server"
            )));
        }
        // A variable that another tool follows must not be ignored silently.
        let is_told = options.sandbox.is_some() || !options.hosts.is_empty() || !own.hosts.is_empty();
        let followed = file.not_followed.iter().filter(|_| !is_told);
        if let Some(name) = followed.into_iter().find(|name| environment(name).is_some()) {
            return Err(CallError::Usage(format!(
                "{name} is set, and tollproof does not follow it; unset it, or name the server with `--host`"
            )));
        }
        let opening = Opening { provider, file: &file, own: &own, options, settings_file: &settings_file };
        let mut values = opening.values(environment)?;
        let hosts = opening.hosts(&values)?;
        let host = host_of(&file, &hosts)?;
        let is_sandbox = hosts.values().all(is_loopback);
        for (name, value) in file.values.iter().filter(|_| is_sandbox) {
            values.entry(name.clone()).or_insert_with(|| value.sandbox.clone());
        }
        let paths = opening.paths()?;
        let key = KeySource::read(&file, own, is_sandbox, environment);
        let (timeout, whole) = (options.timeout, options.timeout * 2);
        let client = Client::new(ClientOptions { timeout, whole, ..ClientOptions::default() })?;
        // Each try of a write is noted before it is sent, so the client makes one only.
        let writer = Client::new(ClientOptions { timeout, whole, tries: 1, ..ClientOptions::default() })?;
        let authentication = RefCell::new(None);
        Ok(Self {
            provider,
            file,
            hosts,
            values,
            paths,
            client,
            writer,
            timeout,
            host,
            settings_file,
            key,
            authentication,
        })
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The host of this API's submissions in the history.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The server that submissions go to, as in `api.telnyx.com`.
    #[must_use]
    pub fn address(&self) -> String {
        authority(&self.hosts[&self.file.default_host])
    }

    /// The account ids and the like that requests are made with, by their names; no secrets.
    pub fn account(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether all servers are on this machine.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.hosts.values().all(is_loopback)
    }

    /// Whether a value was set by the user, and is not that of any sandbox.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        let sandbox = self.file.values.get(name).map(|it| &it.sandbox);
        !self.is_sandbox() || self.values.get(name) != sandbox
    }

    /// The price of a submission, if a source states it.
    #[must_use]
    pub fn fee(&self) -> Option<&str> {
        self.file.fee.as_deref()
    }

    /// Time limit of a request.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    pub(crate) fn file(&self) -> &OperationsFile {
        &self.file
    }

    /// Whether drafts name their number by the id that the provider gives it.
    pub(crate) fn names_numbers_by_id(&self) -> bool {
        self.file.number.field == NumberName::Id
    }

    /// The error if an operation is missing.
    pub(crate) fn not_offered(&self, operation: &'static str) -> CallError {
        CallError::NotOffered { provider: self.provider.title().to_owned(), operation }
    }
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api")
            .field("provider", &self.provider)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

pub(crate) fn missing_value(file: &OperationsFile, name: String) -> CallError {
    match file.values.get(&name) {
        Some(value) => CallError::MissingValue { name, about: value.about.clone(), env: value.env.clone() },
        None => CallError::Usage(format!(
            "this call needs a value for `{name}`, which is not known; `tollproof status --import` takes in what the provider has"
        )),
    }
}

/// The sources of an API's values, servers and paths: options come before the user's own settings.
struct Opening<'o> {
    provider: Provider,
    file: &'o OperationsFile,
    own: &'o ProviderSettings,
    options: &'o ApiOptions<'o>,
    settings_file: &'o str,
}

impl Opening<'_> {
    fn values(&self, environment: &dyn Fn(&str) -> Option<String>) -> Result<Variables> {
        let Self { provider, file, own, options, .. } = self;
        if let Some(unknown) = options.values.keys().find(|name| !file.values.contains_key(*name)) {
            let known: Vec<&str> = file.values.keys().map(String::as_str).collect();
            let known = known.join(", ");
            return Err(CallError::Usage(format!(
                "`{unknown}` is not a value of {provider}; its values are: {known}"
            )));
        }
        let value = |name: &String, env: &str| {
            options.values.get(name).or(own.values.get(name)).cloned().or_else(|| environment(env))
        };
        let values = file.values.iter().filter_map(|(name, it)| Some((name.clone(), value(name, &it.env)?)));
        Ok(values.collect())
    }

    fn hosts(&self, values: &Variables) -> Result<BTreeMap<String, Url>> {
        let Self { provider, file, own, options, settings_file } = self;
        let mut hosts = BTreeMap::new();
        for (name, server) in &file.hosts {
            let named = |set: &BTreeMap<String, String>| {
                set.get(name).or_else(|| set.get("").filter(|_| file.hosts.len() == 1)).cloned()
            };
            let address = match (&options.sandbox, named(&options.hosts)) {
                (_, Some(address)) => address,
                (Some(sandbox), None) => {
                    format!("{}{}", sandbox.as_str().trim_end_matches('/'), server.sandbox)
                }
                (None, None) => {
                    let address =
                        named(&own.hosts).or(server.url.clone()).ok_or_else(|| CallError::MissingHost {
                            provider: provider.name().to_owned(),
                            file: (*settings_file).to_owned(),
                        })?;
                    fill(&address, values).map_err(|name| missing_value(file, name))?
                }
            };
            let url = Url::parse(address.trim_end_matches('/')).map_err(|error| {
                CallError::Usage(format!("the address of {name} of {provider} is invalid: {error}"))
            })?;
            hosts.insert(name.clone(), url);
        }
        Ok(hosts)
    }

    /// The paths that the user's settings name.
    fn paths(&self) -> Result<BTreeMap<String, CallLine>> {
        let open = self.file.open_paths();
        let path = |(operation, line): (&String, &String)| {
            let wrong = |why: String| {
                let (provider, file) = (self.provider, self.settings_file);
                CallError::Usage(format!("`paths: {operation}` of {provider} in {file}{why}"))
            };
            if !open.contains(&operation.as_str()) {
                return Err(wrong(format!(" is not one of {}", open.join(", "))));
            }
            Ok((operation.clone(), line.parse().map_err(|why| wrong(format!(": {why}")))?))
        };
        self.own.paths.iter().map(path).collect()
    }
}

/// Finds the host of submissions: the provider, if all servers are its own.
fn host_of(file: &OperationsFile, hosts: &BTreeMap<String, Url>) -> Result<Host> {
    let is_own = |(name, url): (&String, &Url)| {
        let server: &ApiHost = &file.hosts[name];
        let host = url.host_str().unwrap_or_default();
        url.port().is_none() && server.own.iter().any(|pattern| matches(pattern, host))
    };
    if hosts.iter().all(is_own) {
        return Ok(Host::provider());
    }
    let mut others: Vec<String> = hosts.values().map(authority).collect();
    others.dedup();
    match others.as_slice() {
        [one] => Ok(Host::named(one)),
        _ => Err(CallError::Usage(format!(
            "all servers of a provider must be its own, or all the same other one, instead of {}",
            others.join(", ")
        ))),
    }
}

/// Whether a host has the form of a pattern; `*` is a part without dots.
fn matches(pattern: &str, host: &str) -> bool {
    let (pattern, host): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), host.split('.').collect());
    let is_part = |(pattern, part): (&&str, &&str)| *pattern == "*" && !part.is_empty() || pattern == part;
    pattern.len() == host.len() && pattern.iter().zip(&host).all(is_part)
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
