//! The connection settings of a server, from its URL and the environment.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::Config;
use postgres::config::{Host, SslMode};

use super::password;
use super::tls::TlsVerify;
use crate::location::StoreUrl;

/// How long to wait for a host, unless the URL sets `connect_timeout`.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The schema of the store, unless the URL sets a `search_path` in its `options`.
pub(super) const SCHEMA: &str = "tollproof";

/// The connection settings of a server.
pub(super) struct Server {
    pub(super) config: Config,
    /// How the certificate of the server is verified.
    pub(super) verify: TlsVerify,
    /// The path of a PEM file of root certificates, or `system`.
    pub(super) root_certificates: Option<PathBuf>,
    /// Whether the URL sets the schema of the store.
    pub(super) has_schema: bool,
}

impl Server {
    /// Reads a URL and the environment.
    ///
    /// # Errors
    ///
    /// A message for users. It contains no part of the URL, because any part may be an unescaped password.
    pub(super) fn new(url: &StoreUrl) -> Result<Self, String> {
        let (base, query) = url.expose_secret().split_once('?').unwrap_or((url.expose_secret(), ""));
        let mut kept = Vec::new();
        let variable = |name| env::var(name).ok().filter(|it| !it.is_empty());
        let (mut mode, mut root_certificates) = (variable("PGSSLMODE"), variable("PGSSLROOTCERT"));
        for parameter in query.split('&').filter(|it| !it.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(decoded(value)),
                Some(("sslrootcert", value)) => root_certificates = Some(decoded(value)),
                _ => kept.push(parameter),
            }
        }
        let address = format!("{base}?{}", kept.join("&"));
        let mut config: Config = address.parse().map_err(|_| {
            "its address is invalid; write `postgres://user@host:5432/database`, and encode special characters of \
             the password as %XX"
                .to_owned()
        })?;
        let user =
            config.get_user().map(str::to_owned).or_else(|| variable("PGUSER").or_else(|| variable("USER")));
        let user = user.ok_or("its address contains no user; write `postgres://USER@HOST/DATABASE`")?;
        config.user(&user);
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        if config.get_application_name().is_none() {
            config.application_name("tollproof");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.tcp_user_timeout(Duration::from_secs(60));
        let root_certificates = root_certificates.map(PathBuf::from);
        let (ssl, verify) = tls_verify_of(mode.as_deref().unwrap_or("prefer"), root_certificates.is_some())?;
        config.ssl_mode(ssl);
        if config.get_password().is_none() {
            let found = match variable("PGPASSWORD") {
                Some(password) => Some(password),
                None => password::look_up(&addresses(&config), config.get_dbname().unwrap_or(&user), &user)?,
            };
            if let Some(password) = found {
                config.password(password);
            }
        }
        let has_schema = config.get_options().is_some_and(|it| it.contains("search_path"));
        Ok(Self { config, verify, root_certificates, has_schema })
    }
}

/// The meaning of `sslmode`. As in libpq, `require` verifies the certificate authority if root certificates are given.
fn tls_verify_of(mode: &str, has_authorities: bool) -> Result<(SslMode, TlsVerify), String> {
    Ok(match mode {
        "disable" => (SslMode::Disable, TlsVerify::None),
        "allow" | "prefer" => (SslMode::Prefer, TlsVerify::None),
        "require" if has_authorities => (SslMode::Require, TlsVerify::Authority),
        "require" => (SslMode::Require, TlsVerify::None),
        "verify-ca" => (SslMode::Require, TlsVerify::Authority),
        "verify-full" => (SslMode::Require, TlsVerify::Full),
        _ => {
            return Err(
                "its `sslmode` is unknown; use disable, prefer, require, verify-ca or verify-full".to_owned()
            );
        }
    })
}

/// Hosts and ports as they are written in a password file.
fn addresses(config: &Config) -> Vec<(String, u16)> {
    let port = |at: usize| config.get_ports().get(at).or(config.get_ports().first()).copied().unwrap_or(5432);
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        // As in libpq, the default folder of the socket is called `localhost`.
        #[cfg(unix)]
        Host::Unix(path) if path.ends_with("run/postgresql") || path.ends_with("tmp") => {
            "localhost".to_owned()
        }
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    config.get_hosts().iter().enumerate().map(|(at, it)| (host(it), port(at))).collect()
}

/// A percent-decoded value of a URL.
fn decoded(value: &str) -> String {
    percent_decode_str(value).decode_utf8_lossy().into_owned()
}
