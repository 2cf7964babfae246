//! `tollproof new --ask`: asks field by field, and shows the findings of each answer.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::Value;
use tollproof_core::document::Node;
use tollproof_core::schema::{FormField, schema_of};
use tollproof_core::{Finding, Format, KindChoice, Message, Parsed, Provider, Safety, Severity, Source};
use tollproof_project::{InputFile, Session, SessionOptions, wait_for_writing};

use super::file::DraftFile;
use super::kind_of;
use super::prompt::{RawMode, Reply, choose, restore};
use super::question::{Question, questions};
use super::values::{get, is_empty, set, sorted};
use crate::args::NewArgs;
use crate::commands::{preview, session};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr;
use crate::output::summary::of_severity;
use crate::terminal::{Color, Look, one_line, shortened, typed, wrap};

/// Prepares the terminal for questions, until the value is dropped.
pub(super) fn open_terminal(color: Color) -> Result<RawMode> {
    if io::stdin().is_terminal() && stderr::is_terminal() {
        return RawMode::open(stderr::look(color));
    }
    Err(Failure::new(
        "`--ask` needs a terminal to ask on; without it, `tollproof new` writes a draft to fill in",
    ))
}

/// Asks who the draft is for. Providers whose drafts cannot be written to the file are left out.
pub(super) fn provider(args: &NewArgs, color: Color) -> Result<Reply<Provider>> {
    let takes_file = |provider: &Provider| {
        kind_of(args, *provider).is_ok_and(|kind| DraftFile::new(args.file(), kind).is_ok())
    };
    let mut all: Vec<Provider> = Provider::all().iter().copied().filter(takes_file).collect();
    all.sort_unstable_by_key(|it| it.title());
    // The error about the file says what it takes.
    if all.len() < 2 {
        return Ok(Reply::Answer(Provider::default()));
    }
    let titles: Vec<String> = all.iter().map(|provider| provider.title().to_owned()).collect();
    let look = stderr::look(color);
    let keys = look.say("Type to search. Enter: choose. Esc, Ctrl-C: end.");
    Ok(choose(look.say("Who do you send it to?"), keys, &titles, 0)?.map(|at| all[at]))
}

/// Asks for the fields of a draft that are empty, and saves it after each answer.
pub(super) fn run(file: &DraftFile, path: &Path, draft: Value, color: Color) -> Result<Exit> {
    let look = stderr::look(color);
    let _terminal = open_terminal(color)?;
    let kind = KindChoice { provider: Some(file.kind.provider()), role: Some(file.kind.role()) };
    let options = SessionOptions { kind, now: Some(Timestamp::now()), ..SessionOptions::default() };
    let schema = schema_of(file.kind);
    let form = file.kind.form_fields(&schema);
    let input = InputFile::named(path);
    let is_saved = path.exists();
    let mut asking = Asking {
        session: session::open_with(options)?,
        input,
        file,
        questions: questions(&form),
        order: order(&form),
        draft,
        is_saved,
        look,
        farewell: Arc::default(),
    };
    // Settings, rules and histories that cannot be used are known before the first question.
    asking.check("", |_, _| ())?;
    if !asking.is_saved {
        asking.save()?;
    }
    asking.note_whereabouts();
    end_on_signal(&asking.farewell, look).map_err(|error| failure!("cannot wait for Ctrl-C: {error}"))?;
    asking.run()
}

/// A signal ends the program after it is said where the answers are; they are saved already.
fn end_on_signal(farewell: &Arc<Mutex<String>>, look: Look) -> Result<(), ctrlc::Error> {
    let farewell = Arc::clone(farewell);
    ctrlc::set_handler(move || {
        let _writing = wait_for_writing();
        restore();
        stderr::show(&farewell.lock().unwrap_or_else(PoisonError::into_inner), look);
        #[expect(clippy::exit, reason = "a prompt cannot be interrupted from another thread")]
        std::process::exit(i32::from(Exit::Interrupted.status()));
    })
}

/// The places of all fields, in the order of the form.
fn order<'f>(form: &'f [FormField<'_>]) -> Vec<&'f str> {
    form.iter().flat_map(|field| [vec![field.info.pointer.as_str()], order(&field.below)].concat()).collect()
}

/// The state between questions.
struct Asking<'f> {
    session: Session,
    input: InputFile,
    file: &'f DraftFile,
    questions: Vec<Question<'f>>,
    order: Vec<&'f str>,
    draft: Value,
    /// Whether the file exists.
    is_saved: bool,
    look: Look,
    /// The text a signal prints before it ends the program.
    farewell: Arc<Mutex<String>>,
}

/// The action for an answer that has findings.
enum AnswerChoice {
    Change,
    Keep,
    /// Change an earlier answer, which this one does not fit.
    Other(usize),
    /// Replace it by this value.
    Fix(Value),
}

/// A draft as its text is read.
struct AnsweredDraft<'r, 's> {
    text: &'r str,
    format: Format,
    root: Option<&'r Node<'s>>,
}

impl AnsweredDraft<'_, '_> {
    /// The value at a pointer after the fix of a finding, if it is another.
    fn fixed(&self, finding: &Finding, pointer: &str) -> Option<Value> {
        let mut edits: Vec<_> = finding.fix.as_ref()?.edits.iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        let mut text = self.text.to_owned();
        for edit in edits {
            text.get(edit.span.range())?;
            text.replace_range(edit.span.range(), &edit.text);
        }
        let source = Source::new("", text);
        let parsed = Parsed::of(&source, Some(self.format));
        let value_in = |root: &Node<'_>| Some(serde_json::to_value(root).ok()?.pointer(pointer)?.clone());
        let value = value_in(parsed.only()?.root.as_ref()?)?;
        let is_other = self.root.and_then(value_in).as_ref() != Some(&value);
        (is_other && !is_empty(&value)).then_some(value)
    }
}

/// The step after a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Forward,
    Back,
    To(usize),
    Stop,
}

/// The rules and the places of findings.
type FindingKeys = BTreeSet<(String, String)>;

fn key(finding: &Finding) -> (String, String) {
    (finding.rule.to_string(), finding.pointer.to_string())
}

/// Whether a finding is at a pointer or below it.
fn is_below(finding: &Finding, pointer: &str) -> bool {
    let rest = finding.pointer.as_str().strip_prefix(pointer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Asking<'_> {
    fn run(&mut self) -> Result<Exit> {
        let is_new = is_empty(&self.draft);
        let name = self.file.name();
        let begun = [
            ("provider", Message::own(self.file.kind.provider().title())),
            ("name", name.into()),
            ("answers", self.answers().into()),
        ];
        let template = if is_new {
            "A draft for {provider}, saved as `{name}` after each answer."
        } else {
            "A draft for {provider}, saved as `{name}` after each answer; {answers} already."
        };
        self.say(&self.look.with(template, &begun));
        let empty = |field: &&Question<'_>| self.value(field).is_none();
        let first = self.questions.iter().filter(|it| it.0.is_needed).find(empty);
        let first = first.or_else(|| self.questions.iter().find(empty)).map(Question::pointer);
        let mut at = self
            .questions
            .iter()
            .position(|question| Some(question.pointer()) == first)
            .unwrap_or(usize::MAX);
        while at < self.questions.len() {
            at = match self.ask(at)? {
                Next::Forward => self.next_empty(at + 1),
                Next::Back => at.saturating_sub(1),
                Next::To(earlier) => earlier,
                Next::Stop => return Ok(self.stop()),
            };
        }
        self.review()
    }

    /// The next question without an answer.
    fn next_empty(&self, from: usize) -> usize {
        let rest = self.questions.iter().enumerate().skip(from);
        rest.filter(|(_, it)| self.value(it).is_none())
            .map(|(at, _)| at)
            .next()
            .unwrap_or(self.questions.len())
    }

    fn value(&self, question: &Question<'_>) -> Option<&Value> {
        get(&self.draft, question.place())
    }

    /// Counts the answered questions, in words.
    fn answers(&self) -> String {
        let answered = self.questions.iter().filter(|question| self.value(question).is_some()).count();
        self.look.counted(answered, "{count} answer", "{count} answers")
    }

    /// Asks a question until its answer has no finding or is kept.
    fn ask(&mut self, at: usize) -> Result<Next> {
        loop {
            let question = self.questions[at];
            stderr::show_raw(&question.heading(at + 1, self.questions.len(), self.look), self.look);
            let value = match question.ask(self.value(&question), self.look)? {
                Reply::Answer(value) => value,
                Reply::Back => return Ok(Next::Back),
                Reply::Stop => return Ok(Next::Stop),
            };
            let before: FindingKeys = self.check("", |all, _| all.iter().map(|it| key(it)).collect())?;
            let is_answered = value.is_some();
            if self.value(&question).is_some() || is_answered {
                set(&mut self.draft, question.place(), value);
                self.save()?;
            }
            if !is_answered {
                return Ok(Next::Forward);
            }
            match self.judge(at, &before)? {
                Some(next) => return Ok(next),
                None => continue,
            }
        }
    }

    /// Shows the findings of an answer, and asks what to do about them. `None` asks the question again.
    ///
    /// Findings at earlier answers that were not there `before` are those of this answer too: a postal code, for
    /// example, does not fit the state that is chosen after it.
    fn judge(&mut self, at: usize, before: &FindingKeys) -> Result<Option<Next>> {
        loop {
            let question = self.questions[at];
            let (pointer, path) = (question.pointer(), &question.0.info.path);
            let (look, kind) = (self.look, self.file.kind);
            let answered = |(other, it): (usize, &Question<'_>)| {
                (other != at && self.value(it).is_some()).then(|| (other, it.pointer()))
            };
            let others: Vec<(usize, String)> =
                self.questions.iter().enumerate().filter_map(answered).collect();
            let (findings, fixed, length, elsewhere) = self.check("", |all, read| {
                let (findings, rest): (Vec<&Finding>, Vec<&Finding>) =
                    all.iter().partition(|it| is_below(it, &pointer));
                let new = rest.into_iter().filter(|finding| !before.contains(&key(finding)));
                let elsewhere: Vec<(usize, String)> = new
                    .filter_map(|finding| {
                        let (other, _) = others.iter().find(|(_, pointer)| is_below(finding, pointer))?;
                        Some((*other, described(finding, look)))
                    })
                    .collect();
                let texts: Vec<String> = findings.iter().map(|it| described(it, look)).collect();
                let fixed = findings
                    .iter()
                    .find_map(|finding| Some((finding.fix.as_ref()?.safety, read.fixed(finding, &pointer)?)));
                let samples = read.root.map(|root| kind.sample_messages(root)).unwrap_or_default();
                let list = format!("{path}[");
                let sample = samples.into_iter().find(|(name, _)| name == path || name.starts_with(&list));
                (texts, fixed, sample.and_then(|(_, node)| node.as_str().map(preview::summary)), elsewhere)
            })?;
            if let Some(length) = length {
                self.say(&format!("  {length}"));
            }
            if findings.is_empty() && elsewhere.is_empty() {
                return Ok(Some(Next::Forward));
            }
            findings.iter().for_each(|text| stderr::show_raw(text, look));
            let mut options = vec![(look.say("Change the answer").to_owned(), AnswerChoice::Change)];
            for (other, text) in &elsewhere {
                let name = one_line(&self.questions[*other].0.info.path);
                let named = [("name", Message::from(name.clone()))];
                self.say(&format!("  {}", look.with("At `{name}`, which you answered before:", &named)));
                stderr::show_raw(text, look);
                if !options.iter().any(|(_, it)| matches!(it, AnswerChoice::Other(it) if it == other)) {
                    options.push((look.with("Change `{name}`", &named), AnswerChoice::Other(*other)));
                }
            }
            options.push((look.say("Keep it and go on").to_owned(), AnswerChoice::Keep));
            if let Some((safety, value)) = fixed {
                let written = [("value", one_line(&value.to_string()).into())];
                let text = shortened(&look.with("Write {value}", &written), look.width.saturating_sub(4));
                // A safe fix is what the user meant.
                options.insert(usize::from(safety != Safety::Safe), (text, AnswerChoice::Fix(value)));
            }
            let texts: Vec<String> = options.iter().map(|(text, _)| text.clone()).collect();
            let keys = look.say("Enter: choose. Esc: change the answer. Ctrl-C: save and end.");
            match choose(look.say("What now?"), keys, &texts, 0)? {
                Reply::Stop => return Ok(Some(Next::Stop)),
                Reply::Back => return Ok(None),
                Reply::Answer(chosen) => match options.swap_remove(chosen).1 {
                    AnswerChoice::Change => return Ok(None),
                    AnswerChoice::Keep => return Ok(Some(Next::Forward)),
                    AnswerChoice::Other(other) => return Ok(Some(Next::To(other))),
                    AnswerChoice::Fix(value) => {
                        set(&mut self.draft, question.place(), Some(value));
                        self.save()?;
                    }
                },
            }
        }
    }

    /// Offers the fields that are empty or have findings, until the user ends it.
    fn review(&mut self) -> Result<Exit> {
        loop {
            let mut left: Vec<(usize, String)> = Vec::new();
            for (at, question) in self.questions.iter().enumerate() {
                let look = self.look;
                let title = Message::from(one_line(&question.title(look)));
                let what = if self.value(question).is_none() {
                    question.0.is_needed.then(|| look.with("{field}: is empty", &[("field", title)]))
                } else {
                    let first = |findings: &[&Finding], _: &AnsweredDraft<'_, '_>| {
                        let found = look.finding(findings.first()?);
                        let severity = Message::own(found.severity.name());
                        let parts = [("field", title), ("severity", severity), ("message", found.message)];
                        Some(look.with("{field}: {severity}: {message}", &parts))
                    };
                    self.check(&question.pointer(), first)?
                };
                left.extend(what.map(|what| (at, one_line(&what))));
            }
            if left.is_empty() {
                return self.end();
            }
            let look = self.look;
            let fields =
                look.counted(left.len(), "{count} field left to look at.", "{count} fields left to look at.");
            self.say(&format!("\n{fields}"));
            let mut options = vec![look.say("Finish").to_owned()];
            let columns = self.look.width.saturating_sub(4);
            options.extend(left.iter().map(|(_, what)| shortened(what, columns)));
            let keys = look.say("Enter: choose a field to change. Ctrl-C: end.");
            match choose(look.say("Change a field?"), keys, &options, 0)? {
                Reply::Answer(0) | Reply::Back => return self.end(),
                Reply::Stop => return Ok(self.stop()),
                Reply::Answer(at) => {
                    let (question, _) = left[at - 1];
                    if self.ask(question)? == Next::Stop {
                        return Ok(self.stop());
                    }
                }
            }
        }
    }

    /// The error and the warnings that are left, and what to do next.
    fn end(&mut self) -> Result<Exit> {
        if !self.is_saved {
            return Ok(self.stop());
        }
        let name = self.file.name();
        let counted =
            |severity: Severity, all: &[&Finding]| all.iter().filter(|it| it.severity == severity).count();
        let (errors, warnings) =
            self.check("", |all, _| (counted(Severity::Error, all), counted(Severity::Warning, all)))?;
        let (look, severities) = (self.look, [(errors, Severity::Error), (warnings, Severity::Warning)]);
        let [errors_said, warnings_said] =
            severities.map(|(number, it)| of_severity(number, it, look).into());
        let template = match errors + warnings {
            0 => "Wrote `{name}`. Nothing was found in it. Next: {command}",
            _ => "Wrote `{name}`. It has {errors} and {warnings}. Next: {command}",
        };
        let command = format!("tollproof check {}", typed(&name)).into();
        let parts = [
            ("name", name.into()),
            ("errors", errors_said),
            ("warnings", warnings_said),
            ("command", command),
        ];
        self.say(&format!("\n{}", look.with(template, &parts)));
        Ok(Exit::Clean)
    }

    /// Says where the answers are.
    fn stop(&self) -> Exit {
        self.say(&self.whereabouts());
        Exit::Interrupted
    }

    /// Shows where the answers are, if a user ends it.
    fn whereabouts(&self) -> String {
        let name = self.file.name();
        if !self.is_saved {
            let nothing = "Nothing was answered, and `{name}` was not written.";
            return format!("\n{}", self.look.with(nothing, &[("name", name.into())]));
        }
        let parts = [
            ("name", name.into()),
            ("answers", self.answers().into()),
            ("command", self.file.continuation().to_string().into()),
        ];
        format!("\n{}", self.look.with("`{name}` has {answers}. To go on: {command}", &parts))
    }

    /// Stores what a signal prints between two prompts; within a prompt, Ctrl-C is a key.
    fn note_whereabouts(&self) {
        *self.farewell.lock().unwrap_or_else(PoisonError::into_inner) = self.laid_out(&self.whereabouts());
    }

    fn save(&mut self) -> Result<()> {
        self.draft = sorted(std::mem::take(&mut self.draft), "", &self.order);
        if self.is_saved || !is_empty(&self.draft) {
            self.file.save(&self.draft)?;
            self.is_saved = true;
        }
        self.note_whereabouts();
        Ok(())
    }

    /// Checks the draft, and passes on the errors and warnings at a pointer or below it, and the draft as it was read.
    fn check<T>(
        &self,
        pointer: &str,
        see: impl FnOnce(&[&Finding], &AnsweredDraft<'_, '_>) -> T,
    ) -> Result<T> {
        let source = Source::new(self.input.name.clone(), self.file.text(&self.draft)?);
        let parsed = Parsed::of(&source, Some(self.file.format));
        let report = self.session.check(&self.input, &parsed)?.report;
        let counts = |finding: &&Finding| finding.severity > Severity::Info && finding.suppressed.is_none();
        let findings: Vec<&Finding> =
            report.findings.iter().filter(|it| is_below(it, pointer)).filter(counts).collect();
        let whole = parsed.whole();
        let document = whole.documents().next();
        let root = document.as_ref().and_then(|document| document.document().root.as_ref());
        Ok(see(&findings, &AnsweredDraft { text: source.text(), format: self.file.format, root }))
    }

    fn say(&self, text: &str) {
        stderr::show_raw(&self.laid_out(text), self.look);
    }

    fn laid_out(&self, text: &str) -> String {
        text.lines().map(|line| wrapped(line, self.look) + "\n").collect()
    }
}

/// A line broken at the width of the terminal, with its indentation.
fn wrapped(line: &str, look: Look) -> String {
    let indent = line.len() - line.trim_start().len();
    let gap = " ".repeat(indent);
    let text = wrap(&one_line(line), look.width.saturating_sub(indent));
    format!("{gap}{}", text.replace('\n', &format!("\n{gap}")))
}

/// A finding, for the person who just typed the value.
fn described(finding: &Finding, look: Look) -> String {
    let finding = look.finding(finding);
    let mut painted = Vec::new();
    // A vector takes everything.
    let _ = look.paint(&mut painted, finding.severity, look.say(finding.severity.name()));
    let severity = String::from_utf8_lossy(&painted).into_owned();
    let text = wrap(&one_line(finding.message.as_str()), look.width.saturating_sub(12));
    let mut lines = format!("  {severity}: {}\n", text.replace('\n', "\n    "));
    if let Some(help) = &finding.help {
        let help = wrap(&one_line(help.as_str()), look.width.saturating_sub(4));
        lines += &format!("    {}\n", help.replace('\n', "\n    "));
    }
    lines + &format!("    ({})\n", finding.rule)
}
