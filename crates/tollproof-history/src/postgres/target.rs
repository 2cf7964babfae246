//! Where a server is and how to reach it, from the address and the environment.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use postgres::Config;
use postgres::config::{Host, SslMode};

use super::password;
use super::tls::TlsVerify;
use crate::location::Url;

/// How long to wait for a host to answer, unless the address says so.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The schema of the store, unless the address sets a `search_path` in its `options`.
pub(super) const SCHEMA: &str = "tollproof";

/// Everything that is needed to connect.
pub(super) struct Target {
    pub(super) config: Config,
    /// How far the server has to prove who it is.
    pub(super) verify: TlsVerify,
    /// The file of the authorities that may vouch for it.
    pub(super) authorities: Option<PathBuf>,
    /// Whether the address says in which schema the store is.
    pub(super) has_schema: bool,
}

impl Target {
    /// Reads an address; the errors hold no part of it, since any part may be a password that was not escaped.
    pub(super) fn new(url: &Url) -> Result<Self, String> {
        let (base, query) = url.expose_secret().split_once('?').unwrap_or((url.expose_secret(), ""));
        let mut kept = Vec::new();
        let variable = |name| env::var(name).ok().filter(|it| !it.is_empty());
        let (mut mode, mut authorities) = (variable("PGSSLMODE"), variable("PGSSLROOTCERT"));
        for parameter in query.split('&').filter(|it| !it.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => mode = Some(decoded(value)),
                Some(("sslrootcert", value)) => authorities = Some(decoded(value)),
                _ => kept.push(parameter),
            }
        }
        let address = format!("{base}?{}", kept.join("&"));
        let mut config: Config = address.parse().map_err(|_| {
            "its address cannot be read; write `postgres://user@host:5432/database`, and other characters than \
             letters and digits in a password as %XX"
                .to_owned()
        })?;
        let user =
            config.get_user().map(str::to_owned).or_else(|| variable("PGUSER").or_else(|| variable("USER")));
        let user = user.ok_or("its address names no user")?;
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
        let authorities = authorities.map(PathBuf::from);
        let (ssl, verify) = tls_verify_of(mode.as_deref().unwrap_or("prefer"), authorities.is_some())?;
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
        Ok(Self { config, verify, authorities, has_schema })
    }
}

/// What `sslmode` asks for. As PostgreSQL's own client has it, `require` with authorities at hand checks them.
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
                "its `sslmode` is none of disable, prefer, require, verify-ca and verify-full".to_owned()
            );
        }
    })
}

/// Hosts and ports as a password file names them.
fn addresses(config: &Config) -> Vec<(String, u16)> {
    let port = |at: usize| config.get_ports().get(at).or(config.get_ports().first()).copied().unwrap_or(5432);
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        // The usual place of the socket goes by the name of the machine.
        Host::Unix(path) if path.ends_with("run/postgresql") || path.ends_with("tmp") => {
            "localhost".to_owned()
        }
        Host::Unix(path) => path.display().to_string(),
    };
    config.get_hosts().iter().enumerate().map(|(at, it)| (host(it), port(at))).collect()
}

/// A value of an address, its `%XX` decoded.
fn decoded(value: &str) -> String {
    percent_decode_str(value).decode_utf8_lossy().into_owned()
}
