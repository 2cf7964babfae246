//! One GET of a page of others: without key, cookie and referer, to exactly the addresses that were checked.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::CertificateError;
use ureq::Error;
use ureq::config::Config;
use ureq::http::{Request, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use url::Url;

use super::answer::HttpAnswer;
use super::exchange::{agent, config, is_cut, run};
use super::presented::is_self_signed;
use super::reasons::ExchangeError;
use super::tls::{Tls, has_certificates};
use super::transport::TransferNotes;

/// The most addresses of a host that are tried.
const MAX_ADDRESSES: usize = 4;

/// Looks at pages of others. It can be used by several threads, and uses no proxy: a proxy would decide what is connected to.
#[derive(Debug, Default)]
pub(crate) struct Visitor {
    tls: Tls,
}

/// The outcome of a visit.
pub(crate) enum PageVisit {
    /// A whole answer.
    Answer(HttpAnswer),
    /// The body is over the limit; its length, if it was announced.
    TooLarge(Option<u64>),
    /// Without a whole answer.
    Failed(VisitFailure),
}

/// Reason a visit brought no whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisitFailure {
    /// It took too long.
    TimedOut,
    /// Not connected: nothing was sent.
    Unconnected,
    /// This machine has no way to the network.
    NoNetwork,
    /// The certificate was refused: nothing was sent.
    Certificate(CertificateProblem),
    /// TLS failed for another reason: nothing was sent.
    Tls,
    /// This system has no certificates to verify others with.
    NoCertificates,
    /// The connection ended before the answer was complete.
    Cut,
    /// The answer is not HTTP.
    NotHttp,
}

/// The fault in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CertificateProblem {
    /// Its time has passed, or has not begun.
    Expired,
    /// It is for another name.
    WrongName,
    /// It is signed by itself.
    SelfSigned,
    /// It is signed by an authority that is not known here. Browsers may know it, or find what the server did not send.
    UnknownIssuer,
    /// Anything else.
    Other,
}

impl Visitor {
    /// The name of a look in its requests.
    pub(crate) const NAME: &str = concat!("tollproof/", env!("CARGO_PKG_VERSION"), " (+look)");

    /// Trusts only this certificate.
    #[cfg(test)]
    pub(crate) fn trusting(certificate: ureq::tls::Certificate<'static>) -> Self {
        Self { tls: Tls::trusting(certificate) }
    }

    /// Asks one of these addresses, and no other, for a page within a time. The host of the page is not looked up.
    pub(crate) fn get(&self, url: &Url, to: &[SocketAddr], time: Duration, max_body: usize) -> PageVisit {
        let mut config = config(time, Self::NAME).proxy(None);
        if url.scheme() == "https" {
            let tls = self.tls.config();
            if !has_certificates(&tls) {
                return PageVisit::Failed(VisitFailure::NoCertificates);
            }
            config = config.tls_config(tls);
        }
        let mut page = url.clone();
        page.set_fragment(None);
        let request = Request::get(page.as_str()).header("accept", "*/*").header("connection", "close");
        let Ok(request) = request.body(()) else { return PageVisit::Failed(VisitFailure::NotHttp) };
        let noted = Arc::new(TransferNotes::default());
        let to: Vec<SocketAddr> = to.iter().copied().take(MAX_ADDRESSES).collect();
        let agent = agent(config.build(), &self.tls, &noted, CheckedAddresses(to.clone()));
        match run(&agent, request, max_body) {
            Ok(answer) if is_cut(&answer, &noted) => PageVisit::Failed(VisitFailure::Cut),
            Ok(answer) => PageVisit::Answer(answer),
            Err(ExchangeError::TooLarge { length }) => PageVisit::TooLarge(length),
            Err(ExchangeError::Failed(error)) => {
                let mut failure = failure(&error, noted.sent());
                if failure == VisitFailure::Certificate(CertificateProblem::UnknownIssuer)
                    && to.iter().any(|it| is_self_signed(url, *it, time))
                {
                    failure = VisitFailure::Certificate(CertificateProblem::SelfSigned);
                }
                PageVisit::Failed(failure)
            }
        }
    }
}

/// An error's meaning for people who look at a page.
fn failure(error: &Error, is_sent: bool) -> VisitFailure {
    match error {
        Error::Timeout(_) => VisitFailure::TimedOut,
        Error::Rustls(error) => of_tls(error),
        Error::Tls(_) => VisitFailure::Tls,
        Error::Io(error) => of_io(error, is_sent),
        Error::ConnectionFailed | Error::HostNotFound => VisitFailure::Unconnected,
        _ if is_sent => VisitFailure::NotHttp,
        _ => VisitFailure::Unconnected,
    }
}

fn of_io(error: &io::Error, is_sent: bool) -> VisitFailure {
    if let Some(inner) = error.get_ref().and_then(|it| it.downcast_ref::<rustls::Error>()) {
        return of_tls(inner);
    }
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => VisitFailure::TimedOut,
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => VisitFailure::NoNetwork,
        _ if is_sent => VisitFailure::Cut,
        _ => VisitFailure::Unconnected,
    }
}

fn of_tls(error: &rustls::Error) -> VisitFailure {
    use CertificateError as E;
    let rustls::Error::InvalidCertificate(error) = error else { return VisitFailure::Tls };
    VisitFailure::Certificate(match error {
        E::Expired | E::ExpiredContext { .. } | E::NotValidYet | E::NotValidYetContext { .. } => {
            CertificateProblem::Expired
        }
        E::NotValidForName | E::NotValidForNameContext { .. } => CertificateProblem::WrongName,
        // An authority's own certificate in place of a server's is signed by itself, or by one that is not known.
        E::UnknownIssuer | E::Other(_) => CertificateProblem::UnknownIssuer,
        _ => CertificateProblem::Other,
    })
}

/// The addresses that were checked, in place of what the name has now.
#[derive(Debug)]
struct CheckedAddresses(Vec<SocketAddr>);

impl Resolver for CheckedAddresses {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let mut addresses = self.empty();
        self.0.iter().for_each(|it| addresses.push(*it));
        if self.0.is_empty() { Err(Error::HostNotFound) } else { Ok(addresses) }
    }
}
