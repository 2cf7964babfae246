//! `operations.yaml` of a provider: how its API is called, as written.

use std::collections::BTreeMap;

use serde::Deserialize;
use tollproof_core::{StrictError, decode};

use super::operation::ApiOperation;

/// The file of a provider, and of each generation of its API after the first.
macro_rules! files {
    ($($provider:literal, $api:literal, $path:literal;)*) => {
        /// For each API the provider, the name of the generation, the name of the file and its content.
        const FILES: &[(&str, &str, &str, &str)] = &[
            $(($provider, $api, $path, include_str!(concat!("../../", $path)))),*
        ];
    };
}

files! {
    "bird", "document", "schemas/bird/operations.yaml";
    "bird", "stock", "schemas/bird/operations.stock.yaml";
    "bird", "platform", "schemas/bird/operations.platform.yaml";
    "twilio", "", "schemas/twilio/operations.yaml";
    "telnyx", "", "schemas/telnyx/operations.yaml";
    "bandwidth", "", "schemas/bandwidth/operations.yaml";
    "infobip", "", "schemas/infobip/operations.yaml";
    "plivo", "", "schemas/plivo/operations.yaml";
    "aws", "", "schemas/aws/operations.yaml";
}

/// Description of an API's calls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct OperationsFile {
    /// The price of a submission, if a source states it.
    pub(crate) fee: Option<String>,
    /// The servers by their names.
    pub(crate) hosts: BTreeMap<String, ApiHost>,
    /// The server of operations that name none; without it, `api`.
    #[serde(default = "api")]
    pub(crate) default_host: String,
    /// Values in paths besides ids.
    #[serde(default)]
    pub(crate) values: BTreeMap<String, ApiValue>,
    /// The ways to log in; the first whose variables are set is used.
    #[serde(with = "serde_yaml::with::singleton_map_recursive")]
    pub(crate) keys: Vec<KeyForm>,
    /// Style of a draft's number.
    #[serde(default)]
    pub(crate) number: NumberStyle,
    /// The statuses of records that were not submitted yet.
    #[serde(default)]
    pub(crate) unsent: Vec<String>,
    /// Path of an error's text.
    pub(crate) message: String,
    /// Environment variables that other tools of the provider follow, and tollproof does not.
    #[serde(default)]
    pub(crate) not_followed: Vec<String>,
    /// Codes of errors that the status does not tell apart.
    #[serde(default)]
    pub(crate) errors: ErrorCodes,
    /// Members of every answer, and the values that they must have if the answer has them.
    #[serde(default)]
    pub(crate) same: BTreeMap<String, String>,
    pub(crate) operations: Operations,
}

fn api() -> String {
    "api".to_owned()
}

/// A server of a provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiHost {
    /// Its address. Without it, the address is personal to the account and must be set.
    pub(crate) url: Option<String>,
    /// The path below the address of a sandbox.
    pub(crate) sandbox: String,
    /// The names of the provider's own servers; `*` is any text without a dot.
    pub(crate) own: Vec<String>,
}

/// Something that paths need: an account id, a region.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiValue {
    /// The environment variable.
    pub(crate) env: String,
    /// The role of the field of a draft that has it.
    pub(crate) role: Option<String>,
    /// Description for messages.
    pub(crate) about: String,
    /// The default in a sandbox if nothing is set.
    pub(crate) sandbox: String,
}

/// A way to log in. Names in capitals are environment variables.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum KeyForm {
    /// User and password.
    Basic { user: String, secret: String },
    /// A header of the provider.
    Header { name: String, prefix: String, secret: String },
    /// A token that the operation `token` returns for user and password.
    Oauth { user: String, secret: String },
    /// Signatures of AWS.
    #[serde(rename = "sigv4")]
    SigV4 {
        #[serde(rename = "access-key")]
        access_key: String,
        secret: String,
        #[serde(rename = "session-token")]
        session_token: String,
        service: String,
    },
}

impl KeyForm {
    /// The environment variable of the secret.
    pub(crate) fn secret(&self) -> &str {
        match self {
            Self::Basic { secret, .. }
            | Self::Header { secret, .. }
            | Self::Oauth { secret, .. }
            | Self::SigV4 { secret, .. } => secret,
        }
    }

    /// The environment variable or value that names the user.
    pub(crate) fn user(&self) -> Option<&str> {
        match self {
            Self::Basic { user, .. } | Self::Oauth { user, .. } => Some(user),
            Self::SigV4 { access_key, .. } => Some(access_key),
            Self::Header { .. } => None,
        }
    }
}

/// Style of a draft's number.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NumberStyle {
    pub(crate) field: NumberName,
    /// Whether records have the other name than the calls.
    pub(crate) both: bool,
}

/// A name of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NumberName {
    /// E.164, or its digits.
    #[default]
    E164,
    /// The id that the provider gives it, which the operation `owned` finds.
    Id,
}

/// Codes of errors, where the status does not tell them apart.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ErrorCodes {
    /// Path of the code.
    pub(crate) code: String,
    /// The key or its role is wrong.
    pub(crate) key: Vec<String>,
    /// Too many requests.
    pub(crate) limited: Vec<String>,
    /// The requested item does not exist.
    pub(crate) missing: Vec<String>,
}

/// The operations of an API.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Operations {
    /// Gets a token for a login with `oauth`.
    pub(crate) token: Option<ApiOperation>,
    /// Numbers to buy.
    pub(crate) search: Option<ApiOperation>,
    /// Buys a number.
    pub(crate) buy: Option<ApiOperation>,
    /// The numbers of the account, or those with one number or reference.
    pub(crate) owned: Option<ApiOperation>,
    /// The steps of a submission.
    pub(crate) submit: Vec<ApiOperation>,
    /// The submissions of a number.
    pub(crate) find: Option<ApiOperation>,
    /// The submission with the token of an attempt.
    pub(crate) find_by_token: Option<ApiOperation>,
    /// One submission.
    pub(crate) fetch: Option<ApiOperation>,
    /// All submissions.
    pub(crate) list: Option<ApiOperation>,
    /// The steps of an update.
    pub(crate) update: Vec<ApiOperation>,
    /// Withdraws a submission.
    pub(crate) cancel: Option<ApiOperation>,
    /// Senders of other kinds, by their kind.
    pub(crate) senders: BTreeMap<SenderKind, SenderOperations>,
}

/// A kind of senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SenderKind {
    /// Letters and digits, for sending only.
    Alphanumeric,
    /// A number that begins with a country code.
    LongCode,
    /// 4 to 6 digits.
    ShortCode,
}

/// Operations that read senders.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SenderOperations {
    pub(crate) list: ApiOperation,
    pub(crate) show: ApiOperation,
}

impl OperationsFile {
    /// The file of a provider's API. `api` is a generation; without it, the first.
    ///
    /// # Errors
    ///
    /// The names of the generations that the provider has; none if it has no file.
    pub(crate) fn builtin(provider: &str, api: Option<&str>) -> Result<Self, Vec<&'static str>> {
        let mut of_provider = FILES.iter().filter(|it| it.0 == provider);
        let found = match api {
            Some(api) => of_provider.find(|it| it.1 == api),
            None => of_provider.next(),
        };
        let Some((.., path, text)) = found else {
            return Err(FILES.iter().filter(|it| it.0 == provider).map(|it| it.1).collect());
        };
        Ok(Self::read(path, text).unwrap_or_else(|error| panic!("a test reads every file: {error}")))
    }

    fn read(path: &str, text: &str) -> Result<Self, Box<StrictError>> {
        decode(path, text)
    }

    /// The names of the operations whose paths no source shows, so that users set them.
    pub(crate) fn open_paths(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> =
            self.all().into_iter().filter(|(_, it)| it.call.is_none()).map(|(name, _)| name).collect();
        names.dedup();
        names
    }

    /// All operations with their names.
    pub(crate) fn all(&self) -> Vec<(&'static str, &ApiOperation)> {
        let it = &self.operations;
        let single = [
            ("token", &it.token),
            ("search", &it.search),
            ("buy", &it.buy),
            ("owned", &it.owned),
            ("find", &it.find),
            ("find-by-token", &it.find_by_token),
            ("fetch", &it.fetch),
            ("list", &it.list),
            ("cancel", &it.cancel),
        ];
        let steps =
            it.submit.iter().map(|it| ("submit", it)).chain(it.update.iter().map(|it| ("update", it)));
        let senders =
            it.senders.values().flat_map(|it| [("senders list", &it.list), ("senders show", &it.show)]);
        let single = single.into_iter().filter_map(|(name, it)| Some((name, it.as_ref()?)));
        single.chain(steps).chain(senders).collect()
    }
}

/// The names of the providers whose API can be called.
pub fn callable_providers() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    FILES.iter().map(|it| it.0).filter(move |it| std::mem::replace(&mut last, it) != *it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_complete() {
        for (provider, api, path, text) in FILES {
            let file = OperationsFile::read(path, text).unwrap_or_else(|error| panic!("{error}"));
            assert!(!file.keys.is_empty() && !file.hosts.is_empty(), "{provider} {api}");
            for (name, operation) in file.all() {
                assert!(operation.call.is_some() != operation.assumed.is_some(), "{path}: {name}");
                let host = operation.host.as_ref().unwrap_or(&file.default_host);
                assert!(file.hosts.contains_key(host), "{path}: {name}: {host}");
                let bodies = [
                    operation.draft.is_some(),
                    operation.form.is_some(),
                    operation.json.is_some(),
                    operation.xml.is_some(),
                ];
                assert!(bodies.iter().filter(|it| **it).count() <= 1, "{path}: {name} has several bodies");
            }
        }
    }
}
