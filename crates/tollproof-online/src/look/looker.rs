//! Looks at many addresses at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tollproof_browser::{
    BrowserChoice, BrowserProblem, Destinations, PageView, RenderError, RenderOptions, Renderer,
};
use tollproof_core::seen::{SeenFact, SeenOutcome};
use url::Url;

use super::asked::Asked;
use super::directory::Directory;
use super::fetch::Fetcher;
use super::names::NameService;
use super::opt_in_picture::{OptInPicture, PictureError};
use super::pauses::Pauses;
use super::picture;
use super::picture_text::TextReader;
use super::queue::{NextJob, Queue};
use super::reach::NetworkScope;
use super::seeing::Seer;
use super::stop::unless_stopped;
use super::turns::Turns;
use super::words::words;
use crate::client::Visitor;

/// The most requests to a host at once.
const PER_HOST: usize = 2;

/// The most pages and pictures read at once.
const READ_AT_ONCE: usize = 3;

/// The time a thread waits for a host to be free before it looks again.
const BUSY: Duration = Duration::from_millis(2);

/// Limits of a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookOptions {
    /// The reachable hosts.
    pub reach: NetworkScope,
    /// The most addresses looked at at once.
    pub jobs: usize,
    /// The time one address may take, with pauses that its server asks for.
    pub time: Duration,
    /// The largest page or picture, in bytes.
    pub max_body: usize,
    /// The browser that renders pages which need one.
    pub browser: BrowserChoice,
    /// Whether the browser may run without its sandbox: as root, and where a system gives it none.
    pub browser_without_sandbox: bool,
    /// The Tesseract that reads the words of opt-in pictures; without it, they are not read.
    pub tesseract: Option<PathBuf>,
}

impl Default for LookOptions {
    fn default() -> Self {
        Self {
            reach: NetworkScope::Public,
            jobs: 16,
            time: Duration::from_secs(15),
            max_body: 3 << 20,
            browser: BrowserChoice::None,
            browser_without_sandbox: false,
            tesseract: None,
        }
    }
}

/// Looks at pages, pictures and mail domains.
#[derive(Debug)]
pub struct Looker {
    seer: Seer,
    jobs: usize,
}

/// A look's result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookResult {
    /// Facts, sorted by address.
    pub facts: Vec<SeenFact>,
    /// Number of addresses left because the look was stopped.
    pub left: usize,
    /// Whether no name could be looked up at all. What depends on names is not among the facts then.
    pub is_offline: bool,
    /// Cause of no rendering, if a page needed it and a browser was chosen.
    pub browser: Option<BrowserProblem>,
}

impl Looker {
    /// A look with these limits. Names are looked up by `names`, each host once.
    #[must_use]
    pub fn new(options: &LookOptions, names: Arc<dyn NameService>) -> Self {
        Self::with(options, names, Visitor::default())
    }

    pub(super) fn with(options: &LookOptions, names: Arc<dyn NameService>, visitor: Visitor) -> Self {
        Self::in_directory(options, Directory::new(names, options.reach), visitor)
    }

    pub(super) fn in_directory(options: &LookOptions, directory: Directory, visitor: Visitor) -> Self {
        let (directory, time, max_body) = (Arc::new(directory), options.time, options.max_body);
        let renderer = Renderer::new(RenderOptions {
            choice: options.browser.clone(),
            without_sandbox: options.browser_without_sandbox,
            destinations: Arc::clone(&directory) as Arc<dyn Destinations>,
            name: Visitor::NAME.to_owned(),
            skips_frame: |address| words().other_frames.are_in(address),
            time,
            max_body,
        });
        let (turns, pauses) = (Turns::new(PER_HOST), Pauses::default());
        let visitor = Arc::new(visitor);
        let fetcher = Fetcher { visitor, directory, turns, pauses, time, max_body };
        let text_reader = TextReader::new(options.tesseract.as_deref());
        let seer = Seer { fetcher, renderer, text_reader, reading: Turns::new(READ_AT_ONCE) };
        Self { seer, jobs: options.jobs.max(1) }
    }

    #[cfg(test)]
    pub(super) fn renderer(&self) -> &Renderer {
        &self.seer.renderer
    }

    /// Looks at addresses, and calls `seen` after each. Once `stopped`, no server is waited for.
    pub fn look(
        &self,
        asked: &[Asked],
        seen: &(dyn Fn(&SeenFact) + Sync),
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> LookResult {
        let queue = Queue::new(asked, PER_HOST);
        let facts = Mutex::new(Vec::new());
        let was_stopped = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(asked.len()) {
                scope.spawn(|| {
                    loop {
                        if stopped() {
                            was_stopped.store(true, Ordering::Relaxed);
                            break;
                        }
                        match queue.next() {
                            NextJob::Job(job) => {
                                let fact = self.seer.see(&asked[job.asked], stopped).within_limits();
                                queue.done(job);
                                // It may be the stop that kept it from being seen.
                                if fact.outcome == SeenOutcome::NotChecked && stopped() {
                                    continue;
                                }
                                seen(&fact);
                                facts.lock().unwrap_or_else(PoisonError::into_inner).push(fact);
                            }
                            NextJob::Wait => std::thread::sleep(BUSY),
                            NextJob::End => break,
                        }
                    }
                });
            }
        });
        let facts = facts.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.looked(facts, asked.len(), was_stopped.into_inner(), stopped)
    }

    /// Makes a picture of an opt-in page, of at most `max_bytes`: the form that asks for a phone number is in view, or else
    /// the top of the page. Once `stopped`, it ends.
    ///
    /// # Errors
    ///
    /// A browser is missing, the page cannot be seen, or the picture would be too large.
    pub fn picture(
        &self,
        url: &str,
        max_bytes: usize,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<OptInPicture, PictureError> {
        let url = Url::parse(url).map_err(|_| PictureError::NotSeen("not-a-web-address"))?;
        self.seer.fetcher.directory.places(&url).map_err(|error| PictureError::NotSeen(error.why()))?;
        let view = self.seer.renderer.picture(&url, max_bytes, stopped);
        let PageView { png, url, shows_form } = view.map_err(|error| match error {
            RenderError::NoBrowser(problem) => PictureError::Browser(problem),
            RenderError::TooLarge => PictureError::TooLarge(max_bytes),
            RenderError::TimedOut => PictureError::NotSeen("time-out"),
            RenderError::Failed | RenderError::Lost => PictureError::NotSeen("not-opened"),
        })?;
        let seen = picture::format(&png).and_then(|it| picture::read(it, &png));
        let (seen, _) = seen.ok_or(PictureError::NotSeen("not-opened"))?;
        Ok(OptInPicture { png, seen, shows_form, final_address: url.into() })
    }

    fn looked(
        &self,
        mut facts: Vec<SeenFact>,
        asked: usize,
        was_stopped: bool,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> LookResult {
        let left = if was_stopped { asked - facts.len() } else { 0 };
        let depends_on_names = |fact: &SeenFact| {
            fact.outcome == SeenOutcome::NoSuchName || fact.why.as_deref() == Some("no-name-server")
        };
        let is_cut_off = |fact: &SeenFact| fact.why.as_deref() == Some("no-network");
        let is_offline =
            facts.iter().any(is_cut_off) || (facts.iter().any(depends_on_names) && !self.resolves(stopped));
        facts.retain(|it| !is_cut_off(it));
        if is_offline {
            facts.retain(|it| !depends_on_names(it));
        }
        facts.sort_by(|one, other| one.address.cmp(&other.address));
        LookResult { facts, left, is_offline, browser: self.seer.renderer.problem() }
    }

    /// Whether names can be looked up here at all, as far as that is known if the run is stopped.
    fn resolves(&self, stopped: &(dyn Fn() -> bool + Sync)) -> bool {
        let directory = Arc::clone(&self.seer.fetcher.directory);
        unless_stopped(stopped, move || directory.resolves()) == Some(true)
    }
}
