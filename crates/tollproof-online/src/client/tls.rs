//! TLS with ring and the root certificates of the system, set up when the first https address is asked.

use std::sync::{Arc, OnceLock};

use rustls::crypto::ring;
use ureq::Error;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::unversioned::transport::{ConnectionDetails, Connector, RustlsConnector, Transport};

/// State shared by a client's requests: certificates and the sessions of TLS.
#[derive(Debug, Default)]
pub(super) struct Tls {
    config: OnceLock<TlsConfig>,
    connector: Arc<RustlsConnector>,
}

impl Tls {
    /// Trusts only these certificates.
    #[cfg(test)]
    pub(super) fn trusting(certificate: Certificate<'static>) -> Self {
        Self { config: config(vec![certificate]).into(), connector: Arc::default() }
    }

    /// The settings for https.
    pub(super) fn config(&self) -> TlsConfig {
        let of_system = || {
            let certificates = rustls_native_certs::load_native_certs().certs;
            config(
                certificates
                    .iter()
                    .map(|certificate| Certificate::from_der(certificate).to_owned())
                    .collect(),
            )
        };
        self.config.get_or_init(of_system).clone()
    }

    /// The connector, for one request.
    pub(super) fn connector(&self) -> SharedTls {
        SharedTls(Arc::clone(&self.connector))
    }
}

/// Whether there is any certificate that servers could be verified with.
pub(super) fn has_certificates(config: &TlsConfig) -> bool {
    !matches!(config.root_certs(), RootCerts::Specific(certificates) if certificates.is_empty())
}

fn config(certificates: Vec<Certificate<'static>>) -> TlsConfig {
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::Specific(Arc::new(certificates)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build()
}

/// One connector for many requests.
#[derive(Debug)]
pub(super) struct SharedTls(Arc<RustlsConnector>);

impl<In: Transport> Connector<In> for SharedTls {
    type Out = <RustlsConnector as Connector<In>>::Out;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        self.0.connect(details, chained)
    }
}
