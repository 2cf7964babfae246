//! TLS to the server, with the verification that its `sslmode` requires.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The verification of a server's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TlsVerify {
    /// Not at all; the connection is only encrypted. `prefer`, `require`.
    None,
    /// A trusted authority signed its certificate. `verify-ca`.
    Authority,
    /// A trusted authority signed its certificate, and the certificate is for this host. `verify-full`.
    Full,
}

/// The TLS connector. `root_certificates` is a PEM file; without it, or if it is `system`, the system's certificates
/// are used.
///
/// # Errors
///
/// A message for users: there are no usable root certificates.
pub(super) fn connector(
    verify: TlsVerify,
    root_certificates: Option<&Path>,
) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let webpki = match verify {
        TlsVerify::None => None,
        TlsVerify::Authority | TlsVerify::Full => {
            let roots = Arc::new(roots(root_certificates)?);
            let verifier = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build();
            Some(
                verifier
                    .map_err(|error| format!("cannot use the certificates of its `sslrootcert`: {error}"))?,
            )
        }
    };
    let verifier = Arc::new(Verifier { verify, webpki, provider });
    let config = config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn roots(root_certificates: Option<&Path>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(path) = root_certificates.filter(|it| it.as_os_str() != "system") else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return if roots.is_empty() {
            Err("this system has no trusted certificates; name a PEM file with `sslrootcert`".to_owned())
        } else {
            Ok(roots)
        };
    };
    let name = crate::reading::name_of(path);
    let certificates =
        CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(
            |_| format!("cannot read certificates from its `sslrootcert` `{name}`; use a PEM file"),
        )?;
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        Err(format!("its `sslrootcert` `{name}` contains no certificate; use a PEM file"))
    } else {
        Ok(roots)
    }
}

/// Verifies the certificate of a server as `verify` requires.
#[derive(Debug)]
struct Verifier {
    verify: TlsVerify,
    /// Verifies authority and host name; `None` if nothing is verified.
    webpki: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(webpki) = &self.webpki else { return Ok(ServerCertVerified::assertion()) };
        let verified = webpki.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match verified {
            // The name is checked last, so the authority has been verified by then.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.verify == TlsVerify::Authority => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
