//! The connection settings of a server, from its URL and the environment.

use std::env;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::Config;
use postgres::config::{Host, SslMode};

use super::password;
use super::tls::TlsVerify;
use crate::location::StoreUrl;

/// The time to wait for a host, unless the URL sets `connect_timeout`.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The schema of the store, unless the URL sets a `search_path` in its `options`.
pub(super) const SCHEMA: &str = "tollproof";

/// The connection settings of a server.
pub(super) struct Server {
    pub(super) config: Config,
    /// The verification of the server's certificate.
    pub(super) verify: TlsVerify,
    /// The path of a PEM file of root certificates, or `system`.
    pub(super) root_certificates: Option<PathBuf>,
    /// Whether the URL sets the schema of the store.
    pub(super) has_schema: bool,
}

/// The parts of an address that this module reads itself, and the rest as the client reads it.
struct Address {
    config: Config,
    mode: Option<String>,
    root_certificates: Option<String>,
}

impl Address {
    fn parse(url: &StoreUrl) -> Result<Self, String> {
        let (base, query) = url.expose_secret().split_once('?').unwrap_or((url.expose_secret(), ""));
        let (mut mode, mut root_certificates, mut kept) = (None, None, Vec::new());
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
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
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        Ok(Self { config, mode, root_certificates })
    }

    /// Whether every host is this machine.
    fn is_local(&self) -> bool {
        let is_local = |host: &String| {
            host.starts_with('/')
                || host == "localhost"
                || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        };
        hosts_of(&self.config).iter().all(is_local)
    }
}

/// The hosts and addresses that a connection may go to, in lower case; for a local socket, its folder.
///
/// # Errors
///
/// A message for users. It contains no part of the URL.
pub(crate) fn hosts(url: &StoreUrl) -> Result<Vec<String>, String> {
    Ok(hosts_of(&Address::parse(url)?.config))
}

fn hosts_of(config: &Config) -> Vec<String> {
    let name = |host: &Host| match host {
        Host::Tcp(name) => name.to_lowercase(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    config.get_hosts().iter().map(name).chain(config.get_hostaddrs().iter().map(IpAddr::to_string)).collect()
}

impl Server {
    /// Reads a URL and the environment.
    ///
    /// # Errors
    ///
    /// A message for users. It contains no part of the URL, because any part may be an unescaped password.
    pub(super) fn new(url: &StoreUrl) -> Result<Self, String> {
        let address = Address::parse(url)?;
        let is_local = address.is_local();
        if url.is_of_project() && !is_local {
            // A password of one host is not for another one.
            if hosts_of(&address.config).len() > 1 {
                return Err(
                    "a project names one host of its server; name several with `--history`".to_owned()
                );
            }
            let is_verified = address.mode.as_deref().is_none_or(|mode| mode == "verify-full");
            if !is_verified || address.root_certificates.is_some() {
                return Err(PROJECT_TLS.to_owned());
            }
        }
        let Address { mut config, mode, root_certificates } = address;
        let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let user =
            config.get_user().map(str::to_owned).or_else(|| variable("PGUSER").or_else(|| variable("USER")));
        let user = user.ok_or("its address contains no user; write `postgres://USER@HOST/DATABASE`")?;
        config.user(&user);
        if config.get_application_name().is_none() {
            config.application_name("tollproof");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.tcp_user_timeout(Duration::from_secs(60));
        if config.get_password().is_none() {
            let found = match variable("PGPASSWORD") {
                Some(password) => Some(password),
                None => password::look_up(&addresses(&config), config.get_dbname().unwrap_or(&user), &user)?,
            };
            if let Some(password) = found {
                config.password(password);
            }
        }
        // A server can ask for the password as it is, so by default only one that is verified gets it.
        let default = match (is_local, url.is_of_project() || config.get_password().is_some()) {
            (false, true) => "verify-full",
            _ => "prefer",
        };
        let mode =
            if url.is_of_project() && !is_local { None } else { mode.or_else(|| variable("PGSSLMODE")) };
        let root_certificates = root_certificates.or_else(|| variable("PGSSLROOTCERT")).map(PathBuf::from);
        let (ssl, verify) = tls_verify_of(mode.as_deref().unwrap_or(default), root_certificates.is_some())?;
        config.ssl_mode(ssl);
        let has_schema = config.get_options().is_some_and(|options| options.contains("search_path"));
        Ok(Self { config, verify, root_certificates, has_schema })
    }
}

/// The message for a project that weakens the verification of its server.
const PROJECT_TLS: &str = "a server that a project names is always verified; remove `sslmode` and `sslrootcert` from its \
                           address, and put the path of its certificates into PGSSLROOTCERT";

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
