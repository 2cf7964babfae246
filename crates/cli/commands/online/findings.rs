//! Prints on standard error what the gate finds in drafts, and what a provider's refusal means in a draft.

use tollproof_core::{Answer, Format, Parsed, Related, Report, Severity, Source, Span};
use tollproof_online::{Api, CallOutcome, KeyOrigin, Refusal};
use tollproof_project::{FailOn, InputFile, Session};

use crate::args::Color;
use crate::counts::RunCounts;
use crate::errors::Result;
use crate::output::stderr::{self, say};
use crate::output::{Outputs, ReportOptions};
use crate::terminal::one_line;

/// The shown length of an answer, in characters.
const LONGEST: usize = 500;

/// Options for printing findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FindingsOutput {
    pub(crate) color: Color,
    /// Whether to mask personal data.
    pub(crate) redact: bool,
}

impl FindingsOutput {
    /// Prints a report, which `write` fills and counts.
    pub(super) fn report(
        self,
        session: &Session,
        write: impl FnOnce(&mut Outputs<'_>) -> Result<RunCounts>,
    ) -> Result<()> {
        let mut reports = stderr::for_reports();
        let shown = ReportOptions::of_findings(Severity::Warning, self.redact, session.options().now);
        let mut outputs = Outputs::open(&[], &mut reports, stderr::look(self.color), shown)?;
        let counts = write(&mut outputs)?;
        outputs.end(&counts, &session.own_rules())?;
        outputs.keep()
    }

    /// Prints the findings of one text.
    fn print(
        self,
        session: &Session,
        parsed: &Parsed<'_>,
        found: &Report,
        open_text: &dyn Fn(&Related) -> Option<(Source<'static>, Span)>,
    ) -> Result<()> {
        self.report(session, |outputs| {
            let mut counts = RunCounts::default();
            counts.add(found, FailOn::Error);
            outputs.file(parsed, found, open_text)?;
            Ok(counts)
        })
    }

    /// Says what people need to know of a draft that was not accepted: the findings of the gate, or the refusal on the
    /// draft's lines.
    pub(crate) fn say_outcome(
        self,
        session: &Session,
        file: &InputFile,
        parsed: &Parsed<'_>,
        api: &Api,
        outcome: &CallOutcome,
    ) -> Result<()> {
        match outcome {
            CallOutcome::RefusedByGate { decision: Some(decision), text, .. } => {
                let related = session.related(decision.texts.clone());
                let open_text = |place: &Related| related.open_place(parsed.source().name(), place);
                let Some(text) = text else {
                    return self.print(session, parsed, &decision.report, &open_text);
                };
                // The findings are about a text in which the number was replaced by its id.
                let source = Source::new(parsed.source().name(), text.as_str());
                let replaced = Parsed::of(&source, Some(parsed.format()));
                self.print(session, &replaced, &decision.report, &open_text)
            }
            CallOutcome::Refused(answered) => {
                let is_explained = self.explain(session, file, parsed, answered)?;
                let (title, status) = (api.provider().title(), answered.status);
                // What the provider says may quote the draft.
                let message =
                    if is_explained || self.redact { String::new() } else { format!(": {}", said(answered)) };
                say!("{title} refused it with status {status}{message}");
                Ok(())
            }
            CallOutcome::BadKey(answered) => {
                let (title, status) = (api.provider().title(), answered.status);
                let from = match api.key_origin() {
                    Ok(_) if api.is_sandbox() => {
                        " of a sandbox (`sandbox-key`, or TOLLPROOF_SANDBOX_KEY)".to_owned()
                    }
                    Ok(KeyOrigin::Variable(name)) => format!(" in {name}"),
                    Ok(KeyOrigin::Command) => " that `key-command` printed".to_owned(),
                    Err(_) => String::new(),
                };
                let message = one_line(&answered.message);
                say!("{title} refused the key{from} with status {status}: {message}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Explains a refusal on the lines of the draft that was refused. Returns whether it says what to change there.
    fn explain(
        self,
        session: &Session,
        file: &InputFile,
        parsed: &Parsed<'_>,
        refusal: &Refusal,
    ) -> Result<bool> {
        let source = Source::new("the provider's answer", refusal.body.as_str());
        let answered = Parsed::of(&source, Some(Format::Json));
        let whole = parsed.whole();
        let document = whole.documents().next();
        let (Ok(answer), Some(document)) = (Answer::of(&answered, &[]), document) else { return Ok(false) };
        let explained = session.explain(file, document, &answer)?;
        if explained.findings.is_empty() {
            return Ok(false);
        }
        self.print(session, parsed, &explained, &|related| {
            let name = related.file.as_deref().filter(|&it| it == source.name())?;
            Some((Source::new(name, refusal.body.clone()), related.span?))
        })?;
        Ok(true)
    }
}

/// The message of a refusal for people; if unknown, the beginning of its body.
fn said(answered: &Refusal) -> String {
    match answered.message.trim() {
        "" => one_line(&answered.body.trim().chars().take(LONGEST).collect::<String>()),
        message => one_line(message),
    }
}
