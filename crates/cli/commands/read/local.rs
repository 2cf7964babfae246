//! A reader for who names none: a model of this machine, chosen by the user and remembered if they like, or the ways to one.

use std::io::IsTerminal as _;

use tollproof_history::{name_of, reason};
use tollproof_online::{LocalModel, ReaderChoice, ReaderKind, UserSettings};

use crate::errors::{Failure, Result, failure};
use crate::output::stderr::{self, say};
use crate::terminal::one_line;

/// The most models that are listed.
const LISTED: usize = 12;

/// The ports to ask in place of the usual ones, separated by commas.
const PORTS: &str = "TOLLPROOF_READER_PORTS";

/// Keys of providers that are in many environments. They are for the provider, and are used only if the user says so.
const KEYS: [(&str, &str); 2] = [
    ("OPENAI_API_KEY", "--reader openai --url https://api.openai.com/v1 --model NAME"),
    ("ANTHROPIC_API_KEY", "--reader anthropic --model NAME"),
];

/// The ways to a reader where this machine has none.
const WAYS: [&str; 6] = [
    "a model on this machine, so that nothing leaves it: install Ollama, LM Studio, llama.cpp or vLLM, and a model, for example",
    "  ollama pull qwen3:8b && tollproof read",
    "a provider of your choice, which gets the texts without names, addresses and numbers of contacts (--dry-run shows them):",
    "  TOLLPROOF_READER_KEY=... tollproof read --reader anthropic --model NAME",
    "the assistant in which you write, or a colleague: `tollproof mcp` connects an assistant; or hand over the questions:",
    "  tollproof read --export ask.txt, then tollproof read --import answers.txt",
];

/// The models on this machine, the one to recommend first.
pub(crate) fn models() -> Vec<LocalModel> {
    let ports: Option<Vec<u16>> = std::env::var(PORTS)
        .ok()
        .map(|ports| ports.split(',').filter_map(|port| port.trim().parse::<u16>().ok()).collect());
    LocalModel::all(ports.as_deref())
}

/// A model in words: `qwen3:8b (8 billion parameters, Ollama)`.
pub(crate) fn described(model: &LocalModel) -> String {
    let parameters = match model.billions {
        None => "size unknown".to_owned(),
        Some(billions) if billions < 1.0 => format!("{:.0} million parameters", billions * 1000.0),
        Some(billions) => format!("{billions:.0} billion parameters"),
    };
    let small = if model.is_too_small() { "; too small to read" } else { "" };
    format!("{} ({parameters}, {}{small})", model.name, model.server)
}

/// The options that name a model.
pub(crate) fn options(model: &LocalModel) -> String {
    format!("--reader openai --url {} --model '{}'", model.url, model.name.replace('\'', "'\\''"))
}

/// Lets the user choose a model of this machine.
///
/// # Errors
///
/// There is none, or it cannot be chosen: this runs without a terminal, or the user wants none. The ways to a reader are
/// named.
pub(super) fn choose() -> Result<LocalModel> {
    let mut models = models();
    models.truncate(LISTED);
    if models.is_empty() {
        let none = "no reader is named, and none was found on this machine. There are three ways to get one:";
        let ways = WAYS.map(str::to_owned);
        let keys = KEYS.iter().filter(|key| std::env::var_os(key.0).is_some_and(|key| !key.is_empty()));
        let keys = keys.map(|(name, options)| {
            format!("{name} is set, and is not used unless you say so: TOLLPROOF_READER_KEY=\"${name}\" tollproof read {options}")
        });
        return Err(Failure::list(none, &ways.into_iter().chain(keys).collect::<Vec<_>>()));
    }
    if !std::io::stdin().is_terminal() || !stderr::is_terminal() {
        let lines: Vec<String> = models
            .iter()
            .flat_map(|model| [described(model), format!("  tollproof read {}", options(model))])
            .collect();
        return Err(Failure::list("no reader is named. This machine has:", &lines));
    }
    say!("No reader is named. This machine has:");
    for (at, model) in models.iter().enumerate() {
        say!("  {}  {}", at + 1, one_line(&described(model)));
    }
    say!(
        "Models with fewer than 0.5 billion parameters are too small to read. To measure a larger one, run \
         `tollproof rules eval --reader`; it takes a few minutes."
    );
    let best = if models[0].is_too_small() { "none" } else { "1" };
    let question = format!("Which one reads? A number, or n for none [{best}]: ");
    let answer = stderr::ask(&question, &mut std::io::stdin().lock());
    let answer = answer.map_err(|error| failure!("cannot ask: {}", reason(&error)))?;
    let answer = if answer.trim().is_empty() { best } else { answer.trim() };
    let chosen = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match chosen.filter(|at| *at < models.len()) {
        Some(at) => Ok(models.swap_remove(at)),
        None => Err(Failure::new("no reader was chosen")),
    }
}

/// The options that name a model on the command line.
pub(super) fn choice(model: &LocalModel) -> ReaderChoice {
    let (url, name) = (Some(model.url.clone()), Some(model.name.clone()));
    ReaderChoice { kind: Some(ReaderKind::OpenAi), url, model: name, command: None }
}

/// Offers to name a model in the user's own settings.
pub(super) fn remember(model: &LocalModel, settings: &UserSettings) -> Result<()> {
    let name = one_line(&name_of(settings.path()));
    let question = format!("Ask {} from now on? It is then named in `{name}`.", one_line(&model.name));
    if stderr::asks_yes(&question).ok().flatten() == Some(true) {
        settings.remember_reader(&model.url, &model.name).map_err(Failure::new)?;
    }
    Ok(())
}
