//! `tollproof look`: opens what drafts name, and stores what it saw.

mod addresses;
mod opening;
mod picture;
mod print;
mod stores;

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use tollproof_online::{Asked, LookResult, Looker};
use tollproof_project::{FindOptions, SessionOptions};

use self::addresses::collect;
use self::opening::open;
use self::print::addresses_of;
use self::stores::Stores;
use super::draft_texts::DraftTexts;
use super::online::Interrupt;
use super::session;
use crate::args::{LookArgs, config_choice};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::await_drafts;
use crate::output::stderr::{self, say};

/// From how many addresses on a bar shows how far the run is.
const MANY: usize = 4;

/// The passes over the drafts: pages link policies that the drafts do not name.
const ROUNDS: usize = 2;

pub(super) fn run(args: &LookArgs, out: &mut dyn Write) -> Result<Exit> {
    if let (Some(address), Some(file)) = (&args.picture, &args.output) {
        return picture::run(args, address, file, out);
    }
    await_drafts(&args.paths)?;
    let session = session::open_with(options(args))?;
    let found = session.find(FindOptions { paths: args.paths.clone(), ..FindOptions::default() })?;
    for error in &found.checked.errors {
        say!("error: {error}");
    }
    let mut texts = DraftTexts::new(&session, &found.checked.files);
    let mut stores = Stores::default();
    let drafts = collect(&mut texts, &mut stores)?;
    let mut is_incomplete = !found.checked.errors.is_empty() || texts.is_incomplete;
    if drafts == 0 {
        return if is_incomplete {
            Ok(Exit::Unable)
        } else {
            Err(Failure::new("no draft was found; name a file or folder with drafts"))
        };
    }
    if args.dry_run {
        print::addresses(&stores, args, out)?;
        return Ok(if is_incomplete { Exit::Unable } else { Exit::Clean });
    }
    let interrupt = Interrupt::without_waiting()?;
    let mut looker = None;
    let mut problem = None;
    for round in 0..ROUNDS {
        if interrupt.is_set() {
            break;
        }
        if round > 0 {
            collect(&mut texts, &mut stores)?;
        }
        for store in stores.iter_mut() {
            let asked = store.due(args.again, Timestamp::now());
            if asked.is_empty() || interrupt.is_set() {
                continue;
            }
            let looker = match &looker {
                Some(looker) => looker,
                None => looker.insert(open(args)?),
            };
            let looked = look(looker, &asked, &interrupt);
            is_incomplete |= looked.is_offline;
            problem = problem.or(looked.browser.clone());
            store.keep(looked)?;
        }
    }
    if let Some(problem) = problem {
        say!("note: pages that need a browser were not checked: {problem}");
    }
    if !args.no_tesseract
        && let Some(note) = print::unread(&stores)
    {
        say!("{note}");
    }
    is_incomplete |= texts.is_incomplete;
    if stores.iter().any(|it| it.is_offline) {
        say!("error: no name could be looked up, so nothing was stored about names; check the network");
    }
    print::seen(&stores, args, out)?;
    Ok(match () {
        () if interrupt.is_set() => Exit::Interrupted,
        () if is_incomplete => Exit::Unable,
        () => Exit::Clean,
    })
}

fn options(args: &LookArgs) -> SessionOptions {
    let mut options = SessionOptions {
        kind: args.kind.choice(),
        facts: args.facts.clone(),
        now: Some(Timestamp::now()),
        ..SessionOptions::default()
    };
    options.linter.config = config_choice(args.config.as_deref(), args.no_config);
    options
}

/// Looks at addresses, with a bar on a terminal.
fn look(looker: &Looker, asked: &[Asked], interrupt: &Interrupt) -> LookResult {
    let bar = (asked.len() >= MANY && stderr::is_terminal()).then(|| {
        let bar = ProgressBar::new(asked.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos} of {len} addresses, {eta} left") {
            bar.set_style(style);
        }
        bar
    });
    let looked = looker.look(asked, &|_| bar.iter().for_each(|it| it.inc(1)), &|| interrupt.is_set());
    bar.iter().for_each(ProgressBar::finish_and_clear);
    if looked.left > 0 {
        say!("note: not looked at, because the run was stopped: {}; run it again", addresses_of(looked.left));
    }
    looked
}
