//! The source of the key of an API.

use std::collections::BTreeMap;
use std::time::Instant;

use secrecy::SecretString;

use super::error::Result;
use super::operations::{KeyForm, OperationsFile};
use super::template::{Variables, fill};
use crate::client::Authentication;
use crate::settings::ProviderSettings;

/// The variable with the key of a sandbox that was started with another one.
pub(super) const SANDBOX_KEY: &str = "TOLLPROOF_SANDBOX_KEY";

/// The key that a sandbox has if it was started without one.
pub(super) const DEFAULT_SANDBOX_KEY: &str = "sandbox-key";

/// The source of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrigin {
    /// An environment variable, by its name.
    Variable(String),
    /// The program that the user's settings name.
    Command,
}

/// A key, or a token that was exchanged for it.
pub(crate) struct LoggedIn {
    pub(crate) authentication: Authentication,
    /// The time to renew the token.
    pub(crate) renew_at: Option<Instant>,
}

/// The source of the key. Secrets are read when the first request is sent.
pub(crate) struct KeySource {
    settings: ProviderSettings,
    pub(crate) variables: BTreeMap<String, SecretString>,
    pub(crate) users: BTreeMap<String, String>,
}

impl KeySource {
    /// For loopback addresses real keys are not even read.
    pub(crate) fn read(
        file: &OperationsFile,
        settings: ProviderSettings,
        is_sandbox: bool,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let (mut variables, mut users) = (BTreeMap::new(), BTreeMap::new());
        let is_fit = |secret: &String| !is_sandbox || secret.starts_with("sandbox");
        let sandbox =
            is_sandbox.then(|| environment(SANDBOX_KEY).unwrap_or_else(|| DEFAULT_SANDBOX_KEY.to_owned()));
        let names_user = |form: &KeyForm| form.user().is_some_and(|it| !it.contains('{'));
        let needs_user = is_sandbox && file.keys.iter().all(names_user);
        for form in &file.keys {
            let found = environment(form.secret()).filter(is_fit).or_else(|| sandbox.clone());
            variables.extend(found.map(|key| (form.secret().to_owned(), key.into())));
            if let KeyForm::SigV4 { session_token, .. } = form {
                let token = environment(session_token).filter(|_| !is_sandbox);
                variables.extend(token.map(|token| (session_token.clone(), token.into())));
            }
            if let Some(user) = form.user().filter(|it| !it.contains('{')) {
                let found = environment(user).or_else(|| needs_user.then(|| "sandbox".to_owned()));
                users.extend(found.map(|it| (user.to_owned(), it)));
            }
        }
        let settings = if is_sandbox { ProviderSettings { key_command: None, ..settings } } else { settings };
        Self { settings, variables, users }
    }

    /// The way to log in: the first whose variables are set; with a command for the secret, the first whose user is known.
    pub(crate) fn form<'f>(&self, file: &'f OperationsFile) -> Option<&'f KeyForm> {
        let has_user = |form: &KeyForm| {
            form.user().is_none_or(|user| user.contains('{') || self.users.contains_key(user))
        };
        let is_set = |form: &&KeyForm| has_user(form) && self.variables.contains_key(form.secret());
        let by_command =
            || file.keys.iter().find(|form| self.settings.key_command.is_some() && has_user(form));
        file.keys.iter().find(is_set).or_else(by_command)
    }

    /// The source of the secret of a way to log in.
    pub(crate) fn origin(&self, form: &KeyForm) -> KeyOrigin {
        if self.variables.contains_key(form.secret()) {
            KeyOrigin::Variable(form.secret().to_owned())
        } else {
            KeyOrigin::Command
        }
    }

    pub(crate) fn secret(&self, form: &KeyForm) -> Result<Option<SecretString>> {
        if let Some(secret) = self.variables.get(form.secret()) {
            return Ok(Some(secret.clone()));
        }
        Ok(self.settings.key_command.as_ref().map(|it| it.run()).transpose()?)
    }

    /// The form of a login with no secret in it.
    pub(crate) fn masked(&self, form: &KeyForm, values: &Variables) -> Authentication {
        let user = form
            .user()
            .map(|template| fill(template, values).unwrap_or_else(|_| template.to_owned()))
            .unwrap_or_default();
        let user = self.users.get(&user).cloned().unwrap_or(user);
        let secret = SecretString::from(form.secret());
        match form {
            KeyForm::Basic { .. } => Authentication::Basic { user, secret },
            KeyForm::Header { name, prefix, .. } => {
                Authentication::Header { name: name.clone(), prefix: prefix.clone(), secret }
            }
            KeyForm::Oauth { .. } => Authentication::Header {
                name: "Authorization".to_owned(),
                prefix: "Bearer ".to_owned(),
                secret,
            },
            KeyForm::SigV4 { service, .. } => Authentication::SigV4 {
                access_key: user,
                secret,
                session_token: None,
                region: values.get("region").cloned().unwrap_or_default(),
                service: service.clone(),
            },
        }
    }
}
