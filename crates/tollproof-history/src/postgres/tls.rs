//! TLS to the server, as far as its `sslmode` asks for proof.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How far a server has to prove who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TlsVerify {
    /// Not at all: the connection is encrypted, whoever the server is. `prefer`, `require`.
    None,
    /// A trusted authority signed its certificate. `verify-ca`.
    Authority,
    /// A trusted authority signed its certificate, and the certificate is for this host. `verify-full`.
    Full,
}

/// What makes connections encrypted; `authorities` is a PEM file, else those that the system trusts count.
pub(super) fn connector(verify: TlsVerify, authorities: Option<&Path>) -> Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let vouching = match verify {
        TlsVerify::None => None,
        TlsVerify::Authority | TlsVerify::Full => {
            let roots = Arc::new(roots(authorities)?);
            let verifier = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider)).build();
            Some(verifier.map_err(|error| format!("its `sslrootcert` is of no use: {error}"))?)
        }
    };
    let verifier = Arc::new(Verifier { verify, vouching, provider });
    let config = config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn roots(authorities: Option<&Path>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(path) = authorities.filter(|it| it.as_os_str() != "system") else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return match roots.is_empty() {
            true => {
                Err("this system trusts no authorities; name a file of them with `sslrootcert`".to_owned())
            }
            false => Ok(roots),
        };
    };
    let name = crate::reading::name_of(path);
    let certificates =
        CertificateDer::pem_file_iter(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|_| format!("its `sslrootcert` `{name}` cannot be read as a file of certificates"))?;
    roots.add_parsable_certificates(certificates);
    match roots.is_empty() {
        true => Err(format!("its `sslrootcert` `{name}` holds no certificate")),
        false => Ok(roots),
    }
}

/// Checks the certificate of a server as far as is asked for.
#[derive(Debug)]
struct Verifier {
    verify: TlsVerify,
    /// Checks who vouches for the server, and under which name.
    vouching: Option<Arc<WebPkiServerVerifier>>,
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
        let Some(vouching) = &self.vouching else { return Ok(ServerCertVerified::assertion()) };
        let verified =
            vouching.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match verified {
            // The name is looked at last, so an authority has vouched for the server by then.
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
