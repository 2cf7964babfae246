//! Prompts on a terminal: a text, one of several options, or several of them. What is typed or pasted is shown in
//! printable characters only.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll,
    read,
};
use crossterm::{Command, cursor, terminal};

use super::line::TypedLine;
use crate::errors::{Result, failure};
use crate::output::stderr;
use crate::terminal::{Look, cut, one_line, printable, width};

/// The number of options shown at a time.
const PAGE: usize = 10;

static LOOK: OnceLock<Look> = OnceLock::new();

/// A user's response to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply<T> {
    Answer(T),
    /// Esc: the question before this one.
    Back,
    /// Ctrl-C: no more questions.
    Stop,
}

impl<T> Reply<T> {
    /// The same, with another answer.
    pub(super) fn map<U>(self, with: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Answer(answer) => Reply::Answer(with(answer)),
            Self::Back => Reply::Back,
            Self::Stop => Reply::Stop,
        }
    }
}

/// A terminal that passes on each key, also between prompts: a terminal that edits lines by itself would change what is
/// typed ahead or pasted. Dropping it restores the terminal.
pub(super) struct RawMode;

impl RawMode {
    /// Prompts have color, if the look has it.
    pub(super) fn open(look: Look) -> Result<Self> {
        let _ = LOOK.set(look);
        #[cfg(unix)]
        let was_raw = terminal::is_raw_mode_enabled().unwrap_or_default();
        let opened = terminal::enable_raw_mode().and_then(|()| {
            let raw = Self;
            // What was typed ahead was edited by the terminal, which may have deleted the end of a sequence of keys.
            #[cfg(unix)]
            if !was_raw {
                nix::sys::termios::tcflush(io::stdin(), nix::sys::termios::FlushArg::TCIFLUSH)?;
            }
            stderr::draw(&ansi(&EnableBracketedPaste)).map(|()| raw)
        });
        opened.map_err(|error| failure!("cannot ask: {error}"))
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, also before a signal ends the program.
pub(super) fn restore() {
    let _ = stderr::draw(&ansi(&DisableBracketedPaste));
    let _ = terminal::disable_raw_mode();
}

/// Asks for a text; `initial` can be edited.
pub(super) fn text(label: &str, help: &str, initial: &str) -> Result<Reply<String>> {
    let prompt = Prompt { label, help, line: TypedLine::new(initial), list: None };
    Ok(prompt.run()?.map(|prompt| prompt.line.text()))
}

/// Asks for one of several options, which can be searched by typing. Returns its index.
pub(super) fn choose(label: &str, help: &str, options: &[String], at: usize) -> Result<Reply<usize>> {
    let list = List { options, marks: None, at: at.min(options.len().saturating_sub(1)) };
    let prompt = Prompt { label, help, line: TypedLine::new(""), list: Some(list) };
    Ok(prompt.run()?.map(|prompt| prompt.chosen().unwrap_or_default()))
}

/// Asks for any number of options. Returns their indexes, in order.
pub(super) fn choose_several(
    label: &str,
    help: &str,
    options: &[String],
    chosen: &[usize],
) -> Result<Reply<Vec<usize>>> {
    let marks = (0..options.len()).map(|at| chosen.contains(&at)).collect();
    let list = List { options, marks: Some(marks), at: 0 };
    let prompt = Prompt { label, help, line: TypedLine::new(""), list: Some(list) };
    Ok(prompt.run()?.map(|prompt| prompt.marked()))
}

/// A question that is being answered.
struct Prompt<'p> {
    label: &'p str,
    help: &'p str,
    /// The text, or what is searched for in the list.
    line: TypedLine,
    list: Option<List<'p>>,
}

struct List<'p> {
    options: &'p [String],
    /// Marks of the options, if several can be chosen.
    marks: Option<Vec<bool>>,
    /// The selected one of the options that match.
    at: usize,
}

impl<'p> Prompt<'p> {
    fn run(mut self) -> Result<Reply<Self>> {
        let failed = |error: io::Error| failure!("cannot ask: {error}");
        let mut screen = PromptScreen::default();
        let ended = self.until_ended(&mut screen).map_err(failed)?;
        let answer = if ended == Reply::Answer(()) { self.answer() } else { String::new() };
        screen.close(&format!("> {} {}", one_line(self.label), answer)).map_err(failed)?;
        Ok(ended.map(|()| self))
    }

    fn until_ended(&mut self, screen: &mut PromptScreen) -> io::Result<Reply<()>> {
        loop {
            screen.draw(&self.rows(screen.columns(), screen.lines()))?;
            // What arrives together, such as a pasted text without marks, is drawn once.
            loop {
                if let Some(ended) = self.take(read()?) {
                    return Ok(ended);
                }
                if !poll(Duration::ZERO)? {
                    break;
                }
            }
        }
    }

    fn take(&mut self, event: Event) -> Option<Reply<()>> {
        match event {
            Event::Paste(text) => {
                let text = text.replace("\r\n", "\n").replace('\r', "\n");
                let is_list = self.list.is_some();
                self.type_in(&if is_list { one_line(&text) } else { text });
                None
            }
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key),
            _ => None,
        }
    }

    fn press(&mut self, key: KeyEvent) -> Option<Reply<()>> {
        let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if with_control => return Some(Reply::Stop),
            KeyCode::Esc => return Some(Reply::Back),
            KeyCode::Enter => {
                let is_chosen =
                    self.list.as_ref().is_none_or(|it| it.marks.is_some()) || self.chosen().is_some();
                return is_chosen.then_some(Reply::Answer(()));
            }
            KeyCode::Up => self.point(|at, matching| if at == 0 { matching - 1 } else { at - 1 }),
            KeyCode::Down => self.point(|at, matching| if at + 1 == matching { 0 } else { at + 1 }),
            KeyCode::PageUp => self.point(|at, _| at.saturating_sub(PAGE)),
            KeyCode::PageDown => self.point(|at, matching| (at + PAGE).min(matching - 1)),
            KeyCode::Char(' ') if self.list.as_ref().is_some_and(|it| it.marks.is_some()) => self.mark(),
            KeyCode::Char(c) if !with_control && !key.modifiers.contains(KeyModifiers::ALT) => {
                self.type_in(c.encode_utf8(&mut [0; 4]));
            }
            code => {
                self.line.edit(code, with_control);
                self.point_at_first();
            }
        }
        None
    }

    fn type_in(&mut self, text: &str) {
        self.line.insert(text);
        self.point_at_first();
    }

    fn point(&mut self, to: impl FnOnce(usize, usize) -> usize) {
        let matching = self.matching().len();
        if let Some(list) = self.list.as_mut().filter(|_| matching > 0) {
            list.at = to(list.at.min(matching - 1), matching);
        }
    }

    /// After a search, the best match is chosen.
    fn point_at_first(&mut self) {
        if let Some(list) = &mut self.list {
            list.at = 0;
        }
    }

    fn mark(&mut self) {
        let chosen = self.chosen();
        if let (Some(at), Some(List { marks: Some(marks), .. })) = (chosen, &mut self.list) {
            marks[at] = !marks[at];
        }
    }

    /// The options with what is searched for: the same, those that begin with it, and those that contain it.
    fn matching(&self) -> Vec<usize> {
        let Some(list) = &self.list else { return Vec::new() };
        let wanted = self.line.text().trim().to_lowercase();
        let rank = |at: usize| {
            let option = list.options[at].trim().to_lowercase();
            let ranks = [option == wanted, option.starts_with(&wanted), option.contains(&wanted)];
            ranks.iter().position(|it| *it).map(|rank| (if wanted.is_empty() { 0 } else { rank }, at))
        };
        let mut found: Vec<(usize, usize)> = (0..list.options.len()).filter_map(rank).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// The option that is pointed at.
    fn chosen(&self) -> Option<usize> {
        let at = self.list.as_ref()?.at;
        self.matching().get(at).copied()
    }

    fn marked(&self) -> Vec<usize> {
        let marks = self.list.iter().filter_map(|it| it.marks.as_ref()).flatten();
        marks.enumerate().filter(|(_, is_marked)| **is_marked).map(|(at, _)| at).collect()
    }

    /// The answer as the prompt shows it at the end.
    fn answer(&self) -> String {
        match &self.list {
            None => one_line(&self.line.text()),
            Some(list) => {
                let chosen =
                    if list.marks.is_some() { self.marked() } else { self.chosen().into_iter().collect() };
                let names: Vec<String> = chosen.iter().map(|at| one_line(list.options[*at].trim())).collect();
                names.join(", ")
            }
        }
    }

    /// The rows of the prompt, and the row and the column of the cursor.
    fn rows(&self, columns: usize, lines: usize) -> PromptRows {
        let look = LOOK.get().copied().unwrap_or(Look::PLAIN);
        let (mut rows, at) = wrapped(&format!("? {} ", one_line(self.label)), &self.line, columns);
        let options = self.options(columns, look);
        // Of a text that is higher than the screen, the part around the cursor is shown.
        let room = lines.saturating_sub(options.len() + 2).max(1);
        let first = at.0.saturating_sub(room - 1);
        rows = rows.into_iter().skip(first).take(room).collect();
        rows.extend(options);
        rows.push(cut(&format!("[{}]", one_line(self.help)), columns));
        PromptRows { rows, cursor: (at.0 - first, at.1) }
    }

    fn options(&self, columns: usize, look: Look) -> Vec<String> {
        let Some(list) = &self.list else { return Vec::new() };
        let first = list.at.saturating_sub(PAGE - 1);
        let row = |(at, option): (usize, usize)| {
            let mark = list.marks.as_ref().map_or("", |marks| if marks[option] { "[x] " } else { "[ ] " });
            let is_here = at == list.at;
            let arrow = if is_here { ">" } else { " " };
            let text = cut(&format!("{arrow} {mark}{}", one_line(&list.options[option])), columns);
            if is_here { look.heading(&text) } else { text }
        };
        self.matching().into_iter().enumerate().skip(first).take(PAGE).map(row).collect()
    }
}

/// The rows of a prompt on the screen.
struct PromptRows {
    rows: Vec<String>,
    /// The row and the column.
    cursor: (usize, usize),
}

/// A label and a line, broken at the width of the terminal, with the row and the column of the cursor.
fn wrapped(label: &str, line: &TypedLine, columns: usize) -> (Vec<String>, (usize, usize)) {
    let mut rows = vec![String::new()];
    let (mut column, mut cursor) = (0, (0, 0));
    let typed = line.chars().iter().enumerate().map(|(at, c)| (Some(at), *c));
    for (at, c) in label.chars().map(|c| (None, c)).chain(typed) {
        let c = if c == '\n' || c == '\t' { ' ' } else { printable(c) };
        let wide = width(c.encode_utf8(&mut [0; 4]));
        if column + wide > columns {
            rows.push(String::new());
            column = 0;
        }
        if at.is_some_and(|at| at == line.cursor()) {
            cursor = (rows.len() - 1, column);
        }
        if let Some(row) = rows.last_mut() {
            row.push(c);
        }
        column += wide;
    }
    if line.cursor() == line.chars().len() {
        cursor = (rows.len() - 1, column);
    }
    (rows, cursor)
}

/// The screen of a prompt.
#[derive(Default)]
struct PromptScreen {
    /// The rows above the cursor.
    above: u16,
}

impl PromptScreen {
    /// The usable width; the last column stays free, since terminals differ in where the cursor is after it.
    fn columns(&self) -> usize {
        terminal::size().map_or(80, |(columns, _)| usize::from(columns)).saturating_sub(1).max(8)
    }

    fn lines(&self) -> usize {
        terminal::size().map_or(24, |(_, lines)| usize::from(lines)).max(3)
    }

    /// Moves to the first row of the prompt and deletes it.
    fn clear(&self) -> String {
        let mut text = "\r".to_owned();
        if self.above > 0 {
            text += &ansi(&cursor::MoveUp(self.above));
        }
        text + &ansi(&terminal::Clear(terminal::ClearType::FromCursorDown))
    }

    fn draw(&mut self, shown: &PromptRows) -> io::Result<()> {
        let (row, column) = shown.cursor;
        let mut text = self.clear() + &shown.rows.join("\r\n") + "\r";
        let below = shown.rows.len() - 1 - row;
        let steps = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        if below > 0 {
            text += &ansi(&cursor::MoveUp(steps(below)));
        }
        if column > 0 {
            text += &ansi(&cursor::MoveRight(steps(column)));
        }
        self.above = steps(row);
        stderr::draw(&text)
    }

    /// Leaves one line in place of the prompt.
    fn close(self, line: &str) -> io::Result<()> {
        stderr::draw(&format!("{}{line}\r\n", self.clear()))
    }
}

/// A command for the terminal as text.
fn ansi(command: &impl Command) -> String {
    let mut text = String::new();
    let _ = command.write_ansi(&mut text);
    text
}
