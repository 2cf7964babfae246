//! Fetches an address: along redirects, each checked again, within bounds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tollproof_core::seen::SeenOutcome;
use url::Url;

use super::directory::{Directory, Unreached};
use super::names::NameError;
use super::pauses::Pauses;
use super::stop::unless_stopped;
use super::turns::Turns;
use crate::client::{CertificateProblem, HttpAnswer, PageVisit, VisitFailure, Visitor};

/// The most redirects that are followed.
const MAX_REDIRECTS: u8 = 10;

/// The pause of a server that is busy and names none.
const PAUSE: Duration = Duration::from_secs(2);

/// Tools for fetching.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) visitor: Arc<Visitor>,
    pub(super) directory: Arc<Directory>,
    /// The requests to one host at once.
    pub(super) turns: Turns,
    /// The hosts that asked for a pause.
    pub(super) pauses: Pauses,
    /// The time an address may take, with pauses that its server asks for, and without turns that are waited for.
    pub(super) time: Duration,
    /// Largest page or picture, in bytes.
    pub(super) max_body: usize,
}

/// A fetch result.
#[derive(Debug)]
pub(super) struct Fetched {
    /// The address after redirects.
    pub(super) url: Url,
    pub(super) redirects: u8,
    pub(super) end: FetchEnd,
}

impl Fetched {
    /// Whether there is an answer that is a success.
    pub(super) fn is_success(&self) -> bool {
        matches!(&self.end, FetchEnd::Answer(answer) if answer.is_success())
    }
}

/// The end of a fetch.
#[derive(Debug)]
pub(super) enum FetchEnd {
    /// With an answer that is not a redirect.
    Answer(HttpAnswer),
    /// Without one: what it means, and why.
    Failed { outcome: SeenOutcome, why: Option<&'static str>, bytes: u64 },
}

impl FetchEnd {
    fn failed(outcome: SeenOutcome, why: impl Into<Option<&'static str>>) -> Self {
        Self::Failed { outcome, why: why.into(), bytes: 0 }
    }

    fn not_checked(why: &'static str) -> Self {
        Self::failed(SeenOutcome::NotChecked, why)
    }
}

/// The fetch of an address so far.
struct Journey<'s> {
    url: Url,
    redirects: u8,
    left: Duration,
    /// Whether the server was waited for.
    waited: bool,
    stopped: &'s (dyn Fn() -> bool + Sync),
}

impl Fetcher {
    /// Fetches an address. When `stopped`, nothing is waited for.
    pub(super) fn fetch(&self, url: &Url, redirects: u8, stopped: &(dyn Fn() -> bool + Sync)) -> Fetched {
        let Ok(url) = without_user(url.clone()) else {
            return Fetched { url: url.clone(), redirects, end: FetchEnd::not_checked("not-a-web-address") };
        };
        let mut journey = Journey { url, redirects, left: self.time, waited: false, stopped };
        let end = loop {
            if let Some(end) = self.step(&mut journey) {
                break end;
            }
        };
        Fetched { url: journey.url, redirects: journey.redirects, end }
    }

    /// Asks once. `None` if the journey goes on.
    fn step(&self, journey: &mut Journey<'_>) -> Option<FetchEnd> {
        let host = journey.url.host_str().unwrap_or_default().to_owned();
        let left = self.pauses.left(&host);
        if left > journey.left || !wait(left, journey.stopped) {
            return Some(FetchEnd::not_checked("rate-limited"));
        }
        journey.left -= left;
        let turn = self.turns.take(&host);
        let since = Instant::now();
        let visit = self.visit(journey);
        journey.left = journey.left.saturating_sub(since.elapsed());
        drop(turn);
        let answer = match visit {
            None => return Some(FetchEnd::not_checked("stopped")),
            Some(Err(why)) => return Some(unreached(why)),
            Some(Ok(PageVisit::Answer(answer))) => answer,
            Some(Ok(PageVisit::TooLarge(bytes))) => {
                let (outcome, why) = (SeenOutcome::NotChecked, Some("too-large"));
                return Some(FetchEnd::Failed { outcome, why, bytes: bytes.unwrap_or(0) });
            }
            Some(Ok(PageVisit::Failed(failure))) => return Some(failed(failure)),
        };
        if let Some(pause) = pause(&answer) {
            self.pauses.add(&host, pause);
            if !journey.waited && pause <= journey.left && !(journey.stopped)() {
                journey.waited = true;
                return None;
            }
        }
        match redirect(&journey.url, &answer) {
            None => Some(FetchEnd::Answer(answer)),
            Some(Err(())) => Some(FetchEnd::not_checked("invalid-redirect")),
            Some(Ok(next)) => journey.go_to(next),
        }
    }

    /// Asks the host of the address. `None` if the run was stopped before it answered.
    fn visit(&self, journey: &Journey<'_>) -> Option<Result<PageVisit, Unreached>> {
        let (directory, visitor) = (Arc::clone(&self.directory), Arc::clone(&self.visitor));
        let (url, left, max_body) = (journey.url.clone(), journey.left, self.max_body);
        unless_stopped(journey.stopped, move || {
            let since = Instant::now();
            let places = directory.places(&url)?;
            // What a name server takes counts too, but a page always has some time.
            let time = left.saturating_sub(since.elapsed()).max(Duration::from_millis(100));
            Ok(visitor.get(&url, &places, time, max_body))
        })
    }
}

impl Journey<'_> {
    fn go_to(&mut self, next: Url) -> Option<FetchEnd> {
        if self.redirects >= MAX_REDIRECTS {
            return Some(FetchEnd::not_checked("too-many-redirects"));
        }
        if self.left.is_zero() {
            return Some(FetchEnd::not_checked("time-out"));
        }
        self.redirects += 1;
        self.url = next;
        None
    }
}

/// The time to leave the host of an answer alone.
fn pause(answer: &HttpAnswer) -> Option<Duration> {
    match (answer.status, answer.retry_after) {
        (429 | 503, asked @ Some(_)) => asked,
        (429, None) => Some(PAUSE),
        _ => None,
    }
}

/// A redirect's target; an error if that is not an address.
fn redirect(from: &Url, answer: &HttpAnswer) -> Option<Result<Url, ()>> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    Some(target(from, answer.header("location")?))
}

/// The address that a page names, without user name and password, which are never sent.
pub(super) fn target(from: &Url, named: &str) -> Result<Url, ()> {
    without_user(from.join(named.trim()).map_err(drop)?)
}

fn without_user(mut url: Url) -> Result<Url, ()> {
    if url.has_host() && !(url.username().is_empty() && url.password().is_none()) {
        url.set_username("")?;
        url.set_password(None)?;
    }
    Ok(url)
}

/// Whether a pause was waited to its end.
fn wait(pause: Duration, stopped: &(dyn Fn() -> bool + Sync)) -> bool {
    const NOTICE: Duration = Duration::from_millis(100);
    let since = Instant::now();
    while !stopped() {
        let Some(left) = pause.checked_sub(since.elapsed()).filter(|it| !it.is_zero()) else { return true };
        std::thread::sleep(left.min(NOTICE));
    }
    false
}

fn unreached(why: Unreached) -> FetchEnd {
    match why {
        Unreached::Name(NameError::NoSuchName) => FetchEnd::failed(SeenOutcome::NoSuchName, None),
        Unreached::Name(NameError::NoAddress) => FetchEnd::failed(SeenOutcome::Unreachable, why.why()),
        Unreached::Refused(_) | Unreached::Name(NameError::NoAnswer) => FetchEnd::not_checked(why.why()),
    }
}

fn failed(failure: VisitFailure) -> FetchEnd {
    let certificate = |why| FetchEnd::failed(SeenOutcome::Certificate, why);
    match failure {
        VisitFailure::TimedOut => FetchEnd::not_checked("time-out"),
        VisitFailure::Unconnected => FetchEnd::failed(SeenOutcome::Unreachable, None),
        VisitFailure::NoNetwork => FetchEnd::not_checked("no-network"),
        VisitFailure::Certificate(problem) => match problem {
            CertificateProblem::Expired => certificate("expired"),
            CertificateProblem::WrongName => certificate("wrong-name"),
            CertificateProblem::SelfSigned => certificate("self-signed"),
            CertificateProblem::UnknownIssuer => FetchEnd::not_checked("unknown-issuer"),
            CertificateProblem::Other => certificate("invalid"),
        },
        VisitFailure::Tls => FetchEnd::not_checked("no-tls"),
        VisitFailure::NoCertificates => FetchEnd::not_checked("no-root-certificates"),
        VisitFailure::Cut => FetchEnd::not_checked("cut"),
        VisitFailure::NotHttp => FetchEnd::not_checked("not-http"),
    }
}
