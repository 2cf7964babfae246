//! Proof of a request's owner.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

/// The shortest part of a key that is a secret too, in bytes.
const SHOWN_PART: usize = 8;

/// Proof of a request's owner. A key is exposed when the request is sent, and nowhere else.
#[derive(Clone)]
pub enum Authentication {
    /// Without a key.
    None,
    /// Basic credentials.
    Basic {
        /// The name: an account id, a client id.
        user: String,
        /// The token or password.
        secret: SecretString,
    },
    /// A header with the key.
    Header {
        /// The header: `Authorization`.
        name: String,
        /// Text before the key, with its space: `Bearer `. Empty if it is the key alone.
        prefix: String,
        /// The key.
        secret: SecretString,
    },
    /// AWS Signature Version 4.
    SigV4 {
        /// The id of the access key.
        access_key: String,
        /// The secret access key.
        secret: SecretString,
        /// The token of temporary credentials.
        session_token: Option<SecretString>,
        /// The region: `us-east-1`.
        region: String,
        /// The name of the service in signatures: `sms-voice`.
        service: String,
    },
}

impl Authentication {
    /// The key, if there is one.
    pub(super) fn secret(&self) -> Option<&SecretString> {
        match self {
            Self::None => None,
            Self::Basic { secret, .. } | Self::Header { secret, .. } | Self::SigV4 { secret, .. } => {
                Some(secret)
            }
        }
    }

    /// All that is secret: the key, and the token of temporary credentials.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &SecretString> {
        let token = match self {
            Self::SigV4 { session_token, .. } => session_token.as_ref(),
            _ => None,
        };
        self.secret().into_iter().chain(token)
    }

    /// The name of the header with the key.
    pub(super) fn header_name(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Basic { .. } | Self::SigV4 { .. } => Some("authorization"),
            Self::Header { name, .. } => Some(name),
        }
    }

    /// The header with the key, unless the request is signed.
    pub(super) fn header(&self) -> Option<(&str, SecretString)> {
        match self {
            Self::None | Self::SigV4 { .. } => None,
            Self::Basic { user, secret } => {
                let credentials = STANDARD.encode(format!("{user}:{}", secret.expose_secret()));
                Some(("authorization", format!("Basic {credentials}").into()))
            }
            Self::Header { name, prefix, secret } => {
                Some((name, format!("{prefix}{}", secret.expose_secret()).into()))
            }
        }
    }

    /// Whether a text shows the key, or a part of it.
    pub(crate) fn is_shown_in(&self, text: &str) -> bool {
        let Some(secret) = self.secret().map(|it| it.expose_secret()) else { return false };
        let part = secret.len().min(SHOWN_PART);
        let is_in = |part: &[u8]| text.as_bytes().windows(part.len()).any(|it| it == part);
        part > 0 && secret.as_bytes().windows(part).any(is_in)
    }
}

/// Without names of accounts and keys.
impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Basic { .. } => "Basic(******)",
            Self::Header { .. } => "Header(******)",
            Self::SigV4 { .. } => "SigV4(******)",
        })
    }
}
