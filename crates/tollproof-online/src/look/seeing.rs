//! Facts from fetched data.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tollproof_browser::{RenderError, Renderer};
use tollproof_core::seen::{AddressUse, BoxSeen, DomainSeen, PageSeen, SeenFact, SeenOutcome};
use url::Url;

use super::asked::Asked;
use super::fetch::{FetchEnd, Fetched, Fetcher};
use super::names::NameError;
use super::page::{self, PageRead};
use super::picture;
use super::picture_text::TextReader;
use super::stop::unless_stopped;
use super::turns::Turns;
use crate::client::HttpAnswer;

/// The most frames of an opt-in page that are looked into for a form.
const MAX_FRAMES: usize = 3;

/// The fewest words of a page that shows more than its target.
const MIN_WORDS: u32 = 12;

/// The most times that a page may lead to another by itself.
const MAX_LEADS: usize = 3;

/// The time until pop-ups with a form have opened, and scripts have ticked its boxes.
const LATE: Duration = Duration::from_secs(3);

/// Reasons a browser-only page was not seen: without a browser, and after one showed it.
const NEEDS_BROWSER: &str = "needs-browser";
const NO_FORM: &str = "no-form-in-browser";

/// Statuses with which servers refuse programs, places, or everybody for a while: none says what people see.
const REFUSALS: [u16; 8] = [401, 403, 405, 406, 429, 451, 503, 999];

/// Sees what is at addresses.
#[derive(Debug)]
pub(super) struct Seer {
    pub(super) fetcher: Fetcher,
    pub(super) renderer: Renderer,
    pub(super) text_reader: TextReader,
    /// The most pages and pictures read at once, because each may take much memory.
    pub(super) reading: Turns,
}

impl Seer {
    /// Looks at an address.
    pub(super) fn see(&self, asked: &Asked, stopped: &(dyn Fn() -> bool + Sync)) -> SeenFact {
        let now = Timestamp::now();
        let at = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let fact = SeenFact::new(asked.address.clone(), at);
        match Url::parse(&asked.address) {
            _ if asked.is_mail() => self.domain(asked, fact, stopped),
            Ok(url) => {
                let mut fact = self.page(&url, asked, fact, stopped);
                if let Some(page) = &mut fact.page {
                    keep_asked(page, asked);
                }
                fact
            }
            Err(_) => not_checked(fact, "not-a-web-address"),
        }
    }

    fn domain(&self, asked: &Asked, mut fact: SeenFact, stopped: &(dyn Fn() -> bool + Sync)) -> SeenFact {
        let (directory, domain) = (Arc::clone(&self.fetcher.directory), asked.address.clone());
        let ask = move || (directory.has_mail_server(&domain), directory.addresses(&domain));
        let Some(found) = unless_stopped(stopped, ask) else { return not_checked(fact, "stopped") };
        fact.outcome = match found {
            // The name itself does not exist, whatever is asked of it.
            (Err(NameError::NoSuchName), Err(_)) => SeenOutcome::NoSuchName,
            (Err(NameError::NoAnswer), _) | (Ok(false), Err(NameError::NoAnswer)) => {
                return not_checked(fact, "no-name-server");
            }
            (mail, host) => {
                fact.domain = Some(DomainSeen { mx: mail == Ok(true), a: host.is_ok() });
                SeenOutcome::Seen
            }
        };
        fact
    }

    fn page(
        &self,
        url: &Url,
        asked: &Asked,
        mut fact: SeenFact,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> SeenFact {
        let mut fetched = self.fetcher.fetch(url, 0, stopped);
        for lead in 0..=MAX_LEADS {
            let Fetched { url, redirects, end } = fetched;
            fact.redirects = redirects;
            fact.final_address = (redirects > 0).then(|| place(&url));
            let answer = match end {
                FetchEnd::Answer(answer) => answer,
                FetchEnd::Failed { mut outcome, why, bytes } => {
                    // It is the name of another address that does not exist.
                    if redirects > 0 && outcome == SeenOutcome::NoSuchName {
                        outcome = SeenOutcome::Unreachable;
                    }
                    (fact.outcome, fact.why, fact.bytes) = (outcome, why.map(str::to_owned), bytes);
                    return fact;
                }
            };
            fact.status = Some(answer.status);
            fact.content_type = answer.content_type.as_deref().map(essence);
            fact.bytes = answer.body.len() as u64;
            // It was not asked for, and what it unpacks to has no bound.
            if answer
                .header("content-encoding")
                .is_some_and(|encoding| !encoding.trim().eq_ignore_ascii_case("identity"))
            {
                return not_checked(fact, "compressed");
            }
            if !answer.is_success() {
                return self.refused(&url, asked, &answer, fact, stopped);
            }
            let turn = self.reading.take("");
            if let Some(format) = picture::format(&answer.body) {
                let Some((mut seen, grey)) = picture::read(format, &answer.body) else {
                    return not_checked(fact, "unknown-format");
                };
                drop(turn);
                if seen.decodes && !seen.is_blank && (asked.is_opt_in() || !asked.is_page()) {
                    let grey = grey.ok_or("too-many-pixels");
                    match grey.and_then(|grey| self.text_reader.read(&grey, stopped)) {
                        Ok(text) => seen.text = Some(text),
                        Err(why) => seen.unread = Some(why.to_owned()),
                    }
                }
                return SeenFact { picture: Some(seen), ..fact };
            }
            if !is_page(&answer) {
                return fact;
            }
            let read = self.read(&answer, &url, asked, stopped);
            drop(turn);
            match &read.leads_to {
                // A page that leads to itself is renewed.
                Some(next) if lead < MAX_LEADS && *next != url && read.seen.forms.is_empty() => {
                    fetched = self.fetcher.fetch(next, redirects.saturating_add(1), stopped);
                    // A page with words of its own is what people see if it leads to nothing.
                    if !fetched.is_success() && read.seen.words >= MIN_WORDS {
                        return self.seen(read, &url, asked, fact, stopped);
                    }
                }
                _ => return self.seen(read, &url, asked, fact, stopped),
            }
        }
        not_checked(fact, "too-many-redirects")
    }

    /// An answer that is not a success. A server that refuses a program may let in a browser.
    fn refused(
        &self,
        url: &Url,
        asked: &Asked,
        answer: &HttpAnswer,
        mut fact: SeenFact,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> SeenFact {
        let is_challenge = answer.header("cf-mitigated").is_some() || answer.header("x-datadome").is_some();
        let is_wall = || {
            let _turn = self.reading.take("");
            is_page(answer) && self.read(answer, url, asked, stopped).unseen == Some("bot-wall")
        };
        fact.outcome = match answer.status {
            _ if is_challenge || is_wall() => return not_checked(fact, "bot-wall"),
            status if REFUSALS.contains(&status) => {
                let rendered = asked.is_page().then(|| self.rendered(url, asked, fact.clone(), stopped));
                let why = if status == 429 { "rate-limited" } else { "refused" };
                let seen = rendered.filter(|rendered| rendered.outcome == SeenOutcome::Seen);
                return match seen {
                    Some(seen) => SeenFact { status: None, ..seen },
                    None => not_checked(fact, why),
                };
            }
            404 => SeenOutcome::NotFound,
            410 => SeenOutcome::Gone,
            500.. => SeenOutcome::ServerError,
            _ => SeenOutcome::OtherStatus,
        };
        fact
    }

    /// A page that was read.
    fn seen(
        &self,
        read: PageRead,
        url: &Url,
        asked: &Asked,
        fact: SeenFact,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> SeenFact {
        let (has_scripts, unnamed) = (read.has_scripts, read.seen.unnamed.clone());
        match self.with_frames(read, asked, stopped) {
            // Scripts may make the form, or tick its boxes.
            Ok(seen) if has_scripts && asked.is_opt_in() => {
                let mut rendered = self.rendered(url, asked, fact.clone(), stopped);
                let is_shown = !seen.consent.is_empty() || !lacks_form(&seen, asked);
                match &mut rendered.page {
                    None if is_shown => SeenFact { page: Some(seen), ..fact },
                    page => {
                        page.iter_mut().for_each(|page| keep_html(page, &seen));
                        rendered
                    }
                }
            }
            Ok(seen) => SeenFact { page: Some(seen), ..fact },
            Err(NEEDS_BROWSER) => {
                let mut rendered = self.rendered(url, asked, fact, stopped);
                let page = rendered.page.iter_mut();
                page.for_each(|page| page.unnamed.retain(|name| unnamed.contains(name)));
                rendered
            }
            Err(why) => not_checked(fact, why),
        }
    }

    /// A page with the frames of it that may have a form, or why it was not seen.
    fn with_frames(
        &self,
        read: PageRead,
        asked: &Asked,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<PageSeen, &'static str> {
        let PageRead { mut seen, unseen, frames, may_have_form, .. } = read;
        if let Some(why) = unseen {
            return Err(why);
        }
        if lacks_form(&seen, asked) {
            let mut is_complete = true;
            for frame in frames.iter().take(MAX_FRAMES) {
                match self.frame(frame, asked, stopped) {
                    Some(in_frame) => add_frame(&mut seen, in_frame),
                    None => is_complete = false,
                }
            }
            let is_unknown = may_have_form || !is_complete || frames.len() > MAX_FRAMES;
            if lacks_form(&seen, asked) && is_unknown {
                return Err(NEEDS_BROWSER);
            }
        }
        Ok(seen)
    }

    /// A page that only a browser shows.
    fn rendered(
        &self,
        url: &Url,
        asked: &Asked,
        mut fact: SeenFact,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> SeenFact {
        let late = if asked.is_opt_in() { LATE } else { Duration::ZERO };
        let rendered = match self.renderer.render(url, late, stopped) {
            Ok(rendered) => rendered,
            Err(error) => return not_checked(fact, why_not_rendered(&error)),
        };
        let _turn = self.reading.take("");
        let (html, at, names) = (rendered.html, rendered.url.clone(), asked.names.clone());
        let read = reading(stopped, move || page::read_rendered(&html, &at, &names));
        let PageRead { seen, unseen, may_have_form, .. } = read;
        if let Some(why) = unseen {
            return not_checked(fact, if why == NEEDS_BROWSER { "empty-in-browser" } else { why });
        }
        if lacks_form(&seen, asked) && (may_have_form || !rendered.is_complete) {
            return not_checked(fact, NO_FORM);
        }
        fact.redirects = fact.redirects.saturating_add(rendered.redirects);
        if rendered.url != *url {
            fact.final_address = Some(place(&rendered.url));
        }
        SeenFact { page: Some(seen), ..fact }
    }

    /// The page in a frame, if it could be seen.
    fn frame(&self, url: &Url, asked: &Asked, stopped: &(dyn Fn() -> bool + Sync)) -> Option<PageSeen> {
        let Fetched { url, end, .. } = self.fetcher.fetch(url, 0, stopped);
        let FetchEnd::Answer(answer) = end else { return None };
        let _turn = self.reading.take("");
        let is_read = answer.is_success() && is_page(&answer);
        let read = is_read.then(|| self.read(&answer, &url, asked, stopped))?;
        read.unseen.is_none().then_some(read.seen)
    }

    /// Reads the page of an answer.
    fn read(
        &self,
        answer: &HttpAnswer,
        url: &Url,
        asked: &Asked,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> PageRead {
        let (answer, url, names) = (answer.clone(), url.clone(), asked.names.clone());
        reading(stopped, move || {
            let content = (&*answer.body, answer.content_type.as_deref());
            page::read(content, &url, answer.is_success(), &names)
        })
    }
}

/// The result of reading a page, unless the run is stopped first: large pages take seconds.
fn reading(
    stopped: &(dyn Fn() -> bool + Sync),
    work: impl FnOnce() -> PageRead + Send + 'static,
) -> PageRead {
    unless_stopped(stopped, work).unwrap_or_else(|| PageRead::unseen("stopped"))
}

/// The reason why a page was not rendered, as facts have it.
fn why_not_rendered(error: &RenderError) -> &'static str {
    match error {
        RenderError::TimedOut => "time-out",
        RenderError::TooLarge => "too-large",
        RenderError::NoBrowser(_) => NEEDS_BROWSER,
        RenderError::Failed => "not-opened-by-browser",
        RenderError::Lost => "browser-ended",
    }
}

/// An address without what may be secret or personal in it: its query and fragment.
fn place(url: &Url) -> String {
    url[..url::Position::AfterPath].to_owned()
}

/// Whether a page on which people agree has no form for it, though it is one of a business.
fn lacks_form(seen: &PageSeen, asked: &Asked) -> bool {
    asked.is_opt_in() && seen.signs.is_empty() && !seen.forms.iter().any(|it| it.has_phone)
}

/// Keeps of the HTML of a page what scripts change: the state of boxes, and links to policies.
fn keep_html(page: &mut PageSeen, html: &PageSeen) {
    let boxes = html.forms.iter().flat_map(|form| &form.boxes);
    let is_changed = |found: &&BoxSeen| !page.forms.iter().any(|form| form.boxes.contains(found));
    page.html_boxes = boxes.filter(is_changed).cloned().collect();
    page.privacy = page.privacy.take().or_else(|| html.privacy.clone());
    page.terms = page.terms.take().or_else(|| html.terms.clone());
    page.unnamed.retain(|name| html.unnamed.contains(name));
}

/// Keeps of the texts for readers only those about what the address is used for.
fn keep_asked(page: &mut PageSeen, asked: &Asked) {
    if !asked.used.contains(&AddressUse::Privacy) {
        page.policy.clear();
    }
    if !asked.is_opt_in() && !asked.used.contains(&AddressUse::Website) {
        page.about.clear();
    }
}

/// Adds what a page shows in a frame.
fn add_frame(page: &mut PageSeen, frame: PageSeen) {
    page.forms.extend(frame.forms);
    page.forms.sort_by_key(|it| !it.has_phone);
    let texts = [
        (&mut page.consent, frame.consent),
        (&mut page.sharing, frame.sharing),
        (&mut page.policy, frame.policy),
    ];
    for (to, from) in texts {
        // What the form says is first.
        *to =
            [from, std::mem::take(to)].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n");
    }
    page.words = page.words.saturating_add(frame.words);
    page.unnamed.retain(|name| frame.unnamed.contains(name));
    page.privacy = page.privacy.take().or(frame.privacy);
    page.terms = page.terms.take().or(frame.terms);
}

fn not_checked(fact: SeenFact, why: &str) -> SeenFact {
    SeenFact { outcome: SeenOutcome::NotChecked, why: Some(why.to_owned()), page: None, ..fact }
}

/// Whether an answer is a page: by its type, or by its content if it has none.
fn is_page(answer: &HttpAnswer) -> bool {
    let start = answer.body.get(..512).unwrap_or(&answer.body);
    let start =
        String::from_utf8_lossy(start).trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    let looks_so =
        ["<!doctype html", "<html", "<head", "<body", "<!--"].iter().any(|it| start.starts_with(it));
    match answer.content_type.as_deref().map(essence).as_deref() {
        Some("text/html" | "application/xhtml+xml" | "text/plain") => true,
        Some(_) | None => looks_so,
    }
}

/// A content type without parameters.
fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
