//! Prompts on a terminal. inquire writes them to standard error; all text that it gets is printable.

use inquire::error::InquireError;
use inquire::ui::RenderConfig;
use inquire::{MultiSelect, Select, Text};

use crate::errors::Failure;
use crate::terminal::{Look, one_line};

/// How many options are shown at a time.
const PAGE: usize = 10;

/// What a user did with a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply<T> {
    Answer(T),
    /// Esc: the question before this one.
    Back,
    /// Ctrl-C: no more questions.
    Stop,
}

/// Prompts without color, if the look has none.
pub(super) fn set_look(look: Look) {
    let config = if look.colour { RenderConfig::default_colored() } else { RenderConfig::empty() };
    inquire::set_global_render_config(config);
}

/// Asks for a text; `initial` can be edited.
pub(super) fn text(label: &str, help: &str, initial: &str) -> Result<Reply<String>, Failure> {
    // A line break in a text is pasted, and shown as a space until it is edited.
    let shown = one_line(initial);
    let prompt = Text::new(label).with_help_message(help).with_initial_value(&shown);
    Ok(match reply(prompt.prompt())? {
        Reply::Answer(answer) if answer == shown => Reply::Answer(initial.to_owned()),
        other => other,
    })
}

/// Asks for one of several options, which can be searched by typing. Returns its index.
pub(super) fn choose(
    label: &str,
    help: &str,
    options: &[String],
    at: usize,
) -> Result<Reply<usize>, Failure> {
    let shown: Vec<String> = options.iter().map(|it| one_line(it)).collect();
    let prompt = Select::new(label, shown)
        .with_help_message(help)
        .with_page_size(PAGE)
        .with_starting_cursor(at.min(options.len().saturating_sub(1)))
        .with_formatter(&|option| option.value.trim().to_owned());
    Ok(match reply(prompt.raw_prompt())? {
        Reply::Answer(option) => Reply::Answer(option.index),
        Reply::Back => Reply::Back,
        Reply::Stop => Reply::Stop,
    })
}

/// Asks for any number of options. Returns their indexes, in order.
pub(super) fn choose_several(
    label: &str,
    help: &str,
    options: &[String],
    chosen: &[usize],
) -> Result<Reply<Vec<usize>>, Failure> {
    let shown: Vec<String> = options.iter().map(|it| one_line(it)).collect();
    let prompt =
        MultiSelect::new(label, shown).with_help_message(help).with_page_size(PAGE).with_default(chosen);
    Ok(match reply(prompt.raw_prompt())? {
        Reply::Answer(options) => {
            let mut chosen: Vec<usize> = options.iter().map(|it| it.index).collect();
            chosen.sort_unstable();
            Reply::Answer(chosen)
        }
        Reply::Back => Reply::Back,
        Reply::Stop => Reply::Stop,
    })
}

fn reply<T>(result: Result<T, InquireError>) -> Result<Reply<T>, Failure> {
    match result {
        Ok(answer) => Ok(Reply::Answer(answer)),
        Err(InquireError::OperationCanceled) => Ok(Reply::Back),
        Err(InquireError::OperationInterrupted) => Ok(Reply::Stop),
        Err(error) => Err(Failure::new(format_args!("cannot ask: {error}"))),
    }
}
