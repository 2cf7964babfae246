//! The language in which people read what the engine says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tollproof_core::{Report, ReportLanguage, Translation};

thread_local! {
    static LOADED: RefCell<HashMap<&'static str, Rc<Translation>>> = RefCell::default();
    static CHOSEN: RefCell<Rc<Translation>> = RefCell::default();
}

/// Takes the texts of a language, as the build script of tollproof-core wrote them.
pub(crate) fn load(code: &str, bytes: Vec<u8>) -> Result<(), String> {
    let language: ReportLanguage = code.parse().map_err(|error| format!("{error}"))?;
    if LOADED.with_borrow(|loaded| loaded.contains_key(language.code())) {
        return Ok(());
    }
    let texts = Translation::decode(bytes.leak()).ok_or("these are not the texts of a language")?;
    LOADED.with_borrow_mut(|loaded| loaded.insert(language.code(), Rc::new(texts)));
    Ok(())
}

/// Chooses a language for everything that is said from now on.
pub(crate) fn choose(code: &str) -> Result<(), String> {
    let language: ReportLanguage = code.parse().map_err(|error| format!("{error}"))?;
    let texts = match language {
        ReportLanguage::English => Rc::default(),
        _ => LOADED
            .with_borrow(|loaded| loaded.get(language.code()).cloned())
            .ok_or("this language is not loaded")?,
    };
    CHOSEN.set(texts);
    Ok(())
}

/// The texts of the chosen language.
pub(crate) fn chosen() -> Rc<Translation> {
    CHOSEN.with_borrow(Rc::clone)
}

/// A text in the chosen language.
pub(crate) fn say(english: &str) -> String {
    chosen().text(english).to_owned()
}

/// A report whose findings are in the chosen language.
pub(crate) fn report(report: Report) -> Report {
    let chosen = chosen();
    let findings = report.findings.iter().map(|it| chosen.finding(it)).collect();
    Report { findings, ..report }
}
