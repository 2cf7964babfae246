//! The key of an API, and a token if the provider wants one.

use std::time::{Duration, Instant};

use secrecy::SecretString;

use super::answer::text_at;
use super::api::Api;
use super::called::Called;
use super::error::{CallError, Result};
use super::key_source::{DEFAULT_SANDBOX_KEY, KeyOrigin, LoggedIn, SANDBOX_KEY};
use super::operations::KeyForm;
use super::template::{Variables, fill};
use crate::client::{Authentication, HttpRequest, Repeat, Sent};

impl Api {
    /// The source of the key. No program is run for that, and nothing is sent.
    ///
    /// # Errors
    ///
    /// No key is set.
    pub fn key_origin(&self) -> Result<KeyOrigin> {
        let form = self.key.form(&self.file).ok_or_else(|| self.missing_key())?;
        Ok(self.key.origin(form))
    }

    /// Values neither set nor in drafts: account ids and the like, each with its meaning and environment variable.
    pub fn unset_values(&self) -> impl Iterator<Item = (&str, &str)> {
        let unset = self
            .file
            .values
            .iter()
            .filter(|(name, it)| it.role.is_none() && !self.values.contains_key(*name));
        unset.map(|(_, it)| (it.about.as_str(), it.env.as_str()))
    }

    /// A request as text and as a command of curl, without the key.
    pub(crate) fn shown(&self, request: &HttpRequest) -> (String, String) {
        let form = self.key.form(&self.file).or(self.file.keys.first());
        let authentication = form.map_or(Authentication::None, |form| self.key.masked(form, &self.values));
        let curl = request.to_curl(&authentication);
        // The variable that has the key, where it is the key itself that is sent.
        let named = form.filter(|form| !matches!(form, KeyForm::Oauth { .. } | KeyForm::SigV4 { .. }));
        let variable = |form: &KeyForm| {
            if self.is_sandbox() {
                return format!("${{{SANDBOX_KEY}:-{DEFAULT_SANDBOX_KEY}}}");
            }
            format!("${}", form.secret())
        };
        let curl = named
            .map_or(curl.clone(), |form| curl.replace("\"$API_KEY\"", &format!("\"{}\"", variable(form))));
        (request.to_text(&authentication), curl)
    }

    /// Gets the key, and a token if the provider wants one, so that nothing is missing when a request is about to be sent.
    pub(crate) fn log_in(&self) -> Result<()> {
        self.authentication().map(drop)
    }

    pub(crate) fn authentication(&self) -> Result<Authentication> {
        let is_fresh = |session: &&LoggedIn| session.renew_at.is_none_or(|at| Instant::now() < at);
        if let Some(known) = self.authentication.borrow().as_ref().filter(is_fresh) {
            return Ok(known.authentication.clone());
        }
        let form = self.key.form(&self.file).ok_or_else(|| self.missing_key())?;
        let secret = self.key.secret(form)?.ok_or_else(|| self.missing_key())?;
        let user = || {
            let user = form.user().unwrap_or_default();
            let named = fill(user, &self.values).map_err(|name| self.missing(name))?;
            self.key
                .users
                .get(user)
                .cloned()
                .or_else(|| user.contains('{').then_some(named))
                .ok_or_else(|| self.missing_key())
        };
        let mut renew_at = None;
        let found = match form {
            KeyForm::Basic { .. } => Authentication::Basic { user: user()?, secret },
            KeyForm::Header { name, prefix, .. } => {
                Authentication::Header { name: name.clone(), prefix: prefix.clone(), secret }
            }
            KeyForm::Oauth { .. } => {
                let (token, at) = self.token(user()?, secret)?;
                renew_at = at;
                token
            }
            KeyForm::SigV4 { service, session_token, .. } => Authentication::SigV4 {
                access_key: user()?,
                secret,
                session_token: self.key.variables.get(session_token).cloned(),
                region: fill("{region}", &self.values).map_err(|name| self.missing(name))?,
                service: service.clone(),
            },
        };
        *self.authentication.borrow_mut() = Some(LoggedIn { authentication: found.clone(), renew_at });
        Ok(found)
    }

    /// Exchanges user and password for a token.
    fn token(&self, user: String, secret: SecretString) -> Result<(Authentication, Option<Instant>)> {
        let operation = self.file.operations.token.as_ref().ok_or_else(|| self.missing_key())?;
        let mut request = self.request("token", operation, &Variables::new(), None)?;
        request.repeat = Repeat::Keyed;
        let login = Authentication::Basic { user, secret };
        let provider = || self.provider.title().to_owned();
        let called = match self.client.send(&request, &login)? {
            Sent::NotSent(why) | Sent::Lost(why) => {
                return Err(CallError::Unreachable { provider: provider(), why });
            }
            Sent::Answer(answer) => self.sorted(answer, operation, true),
        };
        let token = match called {
            Called::Done(answer) => {
                let text =
                    |name: &str| operation.item.get(name).and_then(|path| text_at(&answer.value, path));
                text("id").map(|id| (id, text("seconds").and_then(|seconds| seconds.parse().ok())))
            }
            Called::BadKey(answer) | Called::Refused(answer) => {
                let why = format!("status {} {}", answer.status, answer.message);
                return Err(CallError::Login { provider: provider(), why: why.trim_end().to_owned() });
            }
            Called::Limited(_) | Called::NotSent(_) | Called::Barred(..) | Called::Unknown(_) => None,
        };
        let Some((token, seconds)) = token else {
            let why = "the answer has no token".to_owned();
            return Err(CallError::Unreachable { provider: provider(), why });
        };
        let (name, prefix) = ("Authorization".to_owned(), "Bearer ".to_owned());
        // A minute before it ends.
        let lasts = seconds.map(|seconds: u64| Duration::from_secs(seconds.saturating_sub(60)));
        let token = Authentication::Header { name, prefix, secret: token.into() };
        Ok((token, lasts.and_then(|duration| Instant::now().checked_add(duration))))
    }

    fn missing_key(&self) -> CallError {
        let names: Vec<String> = self
            .file
            .keys
            .iter()
            .map(|form| match form.user() {
                Some(user) if !user.contains('{') => format!("{user} and {}", form.secret()),
                _ => form.secret().to_owned(),
            })
            .collect();
        CallError::MissingKey {
            provider: self.provider.title().to_owned(),
            variables: names.join(", or "),
            file: self.settings_file.clone(),
        }
    }
}
