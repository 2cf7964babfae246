//! Whether a server presents a certificate that is signed by itself. Nothing is sent, and the certificate is never accepted.

use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme,
};
use url::Url;
use webpki::EndEntityCert;

/// The time a server has to present its certificate.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether the certificate of a page's server names itself as the issuer. `false` if the server does not present one.
pub(super) fn is_self_signed(url: &Url, to: SocketAddr, time: Duration) -> bool {
    let presented = presented(url, to, time.min(HANDSHAKE_TIMEOUT)).unwrap_or_default();
    let certificate = CertificateDer::from(presented);
    EndEntityCert::try_from(&certificate).is_ok_and(|parsed| parsed.issuer() == parsed.subject())
}

/// The certificate that a server presents in a handshake, which always fails.
fn presented(url: &Url, to: SocketAddr, time: Duration) -> Option<Vec<u8>> {
    let until = Instant::now() + time;
    let name = ServerName::try_from(url.host_str()?.trim_matches(['[', ']']).to_owned()).ok()?;
    let refusing = Arc::new(RefusingVerifier::default());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .ok()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&refusing) as Arc<dyn ServerCertVerifier>)
        .with_no_client_auth();
    let mut tls = ClientConnection::new(Arc::new(config), name).ok()?;
    let mut tcp = TcpStream::connect_timeout(&to, time).ok()?;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || !tls.is_handshaking() {
            break;
        }
        tcp.set_read_timeout(Some(left)).ok()?;
        tcp.set_write_timeout(Some(left)).ok()?;
        let moved = if tls.wants_write() { tls.write_tls(&mut tcp) } else { tls.read_tls(&mut tcp) };
        if !moved.is_ok_and(|it| it > 0) || tls.process_new_packets().is_err() {
            break;
        }
    }
    refusing.presented.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Keeps the certificate that it is asked about, and refuses it.
#[derive(Debug, Default)]
struct RefusingVerifier {
    presented: Mutex<Option<Vec<u8>>>,
}

impl ServerCertVerifier for RefusingVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        *self.presented.lock().unwrap_or_else(PoisonError::into_inner) = Some(certificate.to_vec());
        Err(CertificateError::UnknownIssuer.into())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(CertificateError::BadSignature.into())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(CertificateError::BadSignature.into())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
