//! Checks the units of a run, on any number of threads.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tollproof_core::{Batch, Facts, Format, Kind, KindHint, Parsed, Redaction, Report, Severity, Source};
use tollproof_history::QueryResult;

use super::compressed::is_compressed;
use super::drafts::TextDrafts;
use super::event::RunEvent;
use super::given::GivenText;
use super::numbers::RunNumbers;
use super::options::RunOptions;
use super::shared_run::SharedRun;
use super::sheet_cells::SheetCells;
use super::stored::StoredFacts;
use super::text::{CheckedText, FileReport, RunItem};
use super::units::{RunUnit, UnitInput, UnitReader};
use super::workers::OrderedWork;
use super::{ProjectFiles, Session, cells, lock};
use crate::config::ConfigFile;
use crate::error::Result;
use crate::fix::FixOutcome;
use crate::formats::is_workbook;
use crate::histories::RelatedTexts;

/// A run over files, as its threads see it.
pub(super) struct Checker {
    pub(super) shared: SharedRun,
    pub(super) reader: Mutex<UnitReader>,
    /// The numbers of a run that applies fixes: each file must know those of all earlier ones when it is checked.
    pub(super) fixed_numbers: Mutex<Batch>,
    sheets: Mutex<UnreadSheets>,
}

/// A unit that was checked, without what earlier units know of its numbers.
pub(super) struct CheckedUnit {
    /// The unit without its inputs.
    pub(super) unit: RunUnit,
    inputs: Vec<Result<OpenInput, RunEvent>>,
    /// One for each input that could be opened, or fewer before an error.
    reports: Vec<Result<InputReport>>,
    facts: Facts,
    related: RelatedTexts,
}

/// An input of a unit before it is parsed.
struct OpenInput {
    index: usize,
    source: Source<'static>,
    /// The format, if the name of the source does not decide it.
    format: Option<Format>,
    cells: Option<Arc<SheetCells>>,
    /// Whether the source is only a part of its file.
    is_part: bool,
    /// The numbers that it is compared with, if not with those of the run.
    earlier: Option<Batch>,
    is_last: bool,
}

impl OpenInput {
    /// Whether the source is a sheet beside others, which may be about other things than drafts.
    fn is_one_of_sheets(&self) -> bool {
        self.cells.as_ref().is_some_and(|cells| !cells.is_only)
    }
}

/// The sheets of a workbook that were not read, until it is known whether any was.
#[derive(Default)]
pub(super) struct UnreadSheets {
    has_read: bool,
    held: Vec<CheckedText>,
}

impl UnreadSheets {
    /// Holds the findings of a sheet that was not read back until the end of its workbook. Then they are warnings if another
    /// sheet was read, and are left out of a file that a folder walk found if none was.
    fn take(&mut self, mut texts: Vec<CheckedText>, is_unread: bool, has_read: bool) -> Vec<CheckedText> {
        self.has_read |= has_read;
        let is_last = texts.iter_mut().any(|text| std::mem::take(&mut text.is_last));
        if is_unread {
            let held = texts.extract_if(.., |text| !text.report.report.findings.is_empty());
            self.held.extend(held);
        }
        if is_last {
            let Self { has_read, held } = std::mem::take(self);
            let is_named = texts.iter().chain(&held).any(|text| text.file.met == KindHint::Explicit);
            for mut text in held.into_iter().filter(|_| has_read || is_named) {
                for finding in text.report.report.findings.iter_mut().filter(|_| has_read) {
                    finding.severity = finding.severity.min(Severity::Warning);
                }
                texts.push(text);
            }
            texts.iter_mut().rev().take(1).for_each(|text| text.is_last = true);
        }
        texts
    }
}

impl Checker {
    pub(super) fn new(
        session: Arc<Session>,
        found: Arc<ProjectFiles>,
        options: RunOptions,
        reader: UnitReader,
    ) -> Self {
        Self {
            shared: SharedRun::new(session, found, options),
            reader: Mutex::new(reader),
            fixed_numbers: Mutex::default(),
            sheets: Mutex::default(),
        }
    }

    fn open(&self, input: UnitInput, config: &ConfigFile) -> Result<OpenInput, RunEvent> {
        let files = &self.shared.found.checked.files;
        let open = |index: usize, source| OpenInput {
            index,
            source: self.shared.session.configured(source, config, &files[index]),
            format: None,
            cells: None,
            is_part: false,
            earlier: None,
            is_last: true,
        };
        match input {
            UnitInput::Event(event) => Err(event),
            UnitInput::Read(index, source) => Ok(open(index, source)),
            UnitInput::File(index) => {
                let file = &self.shared.found.checked.files[index];
                let bytes = self.shared.session.files.read(file.place());
                let bytes = bytes.map_err(|error| RunEvent::Unreadable { name: file.name.clone(), error })?;
                Ok(open(index, file.source(bytes, &self.shared.session.repository)))
            }
            UnitInput::FilePart(index, part) => {
                let file = &self.shared.found.checked.files[index];
                let source = part.source.known_as(file.identity(&self.shared.session.repository));
                let is_part = !(part.is_last && source.start().is_first());
                let format = part.cells.is_some().then_some(Format::Csv);
                let (cells, is_last) = (part.cells, part.is_last);
                Ok(OpenInput { format, cells, is_part, is_last, ..open(index, source) })
            }
            UnitInput::Given(GivenText { source, format, earlier }) => {
                Ok(OpenInput { format, earlier, ..open(0, source) })
            }
        }
    }

    /// Looks up and checks the inputs of a unit that could be opened.
    fn check(&self, checked: &mut CheckedUnit) -> Result<()> {
        let CheckedUnit { unit, inputs, reports, facts, related } = checked;
        let config = unit.config.clone().unwrap_or_default();
        let open: Vec<&OpenInput> = inputs.iter().filter_map(|input| input.as_ref().ok()).collect();
        let StoredFacts { seen, readings } = self.shared.session.stored_of(&config)?.0;
        (facts.seen, facts.readings) = (seen, readings);
        let looks_up = unit.knows_history || self.shared.session.record.is_some();
        // Without a look-up, one text at a time is in memory as a tree.
        let mut parsed: Vec<Option<Parsed<'_>>> = Vec::new();
        for &input in &open {
            parsed.push(looks_up.then(|| Parsed::of(&input.source, input.format)));
        }
        if looks_up {
            let files = &self.shared.found.checked.files;
            let texts = open.iter().zip(&parsed);
            let texts: Vec<_> =
                texts.filter_map(|(it, parsed)| Some((&files[it.index], parsed.as_ref()?))).collect();
            let QueryResult { history, texts } = self.shared.session.look_up(&config, &texts, files.len())?;
            facts.history = history;
            *related = self.shared.session.related(texts);
        }
        for (input, parsed) in open.into_iter().zip(parsed) {
            let parsed = parsed.unwrap_or_else(|| Parsed::of(&input.source, input.format));
            facts.batch = input.earlier.clone().unwrap_or_default();
            reports.push(self.check_one(input, &parsed, &config, facts, related));
        }
        Ok(())
    }

    /// The report of an input that knows the numbers of earlier ones. Few drafts repeat a number, so that checking their
    /// texts again costs less than waiting for all earlier ones.
    fn with_known(
        &self,
        input: &OpenInput,
        report: InputReport,
        config: &Arc<ConfigFile>,
        facts: &mut Facts,
        related: &RelatedTexts,
        numbers: &mut RunNumbers,
    ) -> Result<InputReport> {
        let found = &report.report.report.numbers;
        if self.shared.options.fix.is_some() || input.earlier.is_some() || found.is_empty() {
            return Ok(report);
        }
        let known = numbers.known(found);
        match &input.cells {
            Some(cells) => {
                let name = &self.shared.found.checked.files[input.index].name;
                numbers.add(&cells::numbers(name, &input.source, cells, found), &input.source, false);
            }
            None => numbers.add(found, &input.source, input.is_part),
        }
        if known.is_empty() {
            return Ok(report);
        }
        facts.batch = known;
        let report = self.check_one(input, &Parsed::of(&input.source, input.format), config, facts, related);
        facts.batch = Batch::default();
        report
    }

    /// A unit's results, in the order of its inputs. All earlier units were finished before.
    pub(super) fn finish(&self, checked: CheckedUnit, numbers: &mut RunNumbers) -> Vec<Result<RunItem>> {
        let CheckedUnit { unit, inputs, reports, mut facts, related } = checked;
        let config = unit.config.unwrap_or_default();
        let mut items = Vec::with_capacity(inputs.len());
        let mut reports = reports.into_iter();
        for input in inputs {
            let input = match input {
                Ok(input) => input,
                Err(event) => {
                    items.push(Ok(RunItem::Event(event)));
                    continue;
                }
            };
            let Some(report) = reports.next() else { break };
            if input.is_part && self.shared.is_cut(input.index) {
                continue;
            }
            let report = report.and_then(|report| {
                if input.is_part && report.report.report.is_cut {
                    self.shared.cut(input.index);
                }
                self.with_known(&input, report, &config, &mut facts, &related, numbers)
            });
            let InputReport { report, redaction, use_cases, drafts } = match report {
                Ok(report) => report,
                Err(error) => {
                    items.push(Err(error));
                    break;
                }
            };
            let OpenInput { index, mut source, cells, is_last, .. } = input;
            // The text is shown only with findings or fixes.
            if report.report.findings.is_empty() && self.shared.options.fix.is_none() {
                let (empty, buffer) = source.without_text();
                self.shared.keep(buffer);
                source = empty;
            }
            let file = self.shared.found.checked.files[index].clone();
            let text = CheckedText {
                file,
                source,
                report,
                redaction,
                use_cases,
                drafts: Arc::new(drafts),
                cell: None,
                is_config: false,
                is_last,
            };
            let texts = match cells {
                Some(cells) => {
                    let counts = &text.report.report;
                    let is_unread = !cells.is_only && counts.documents == 0;
                    let has_read = counts.documents > 0;
                    let texts = cells::divide(text, &cells, &self.shared.session);
                    lock(&self.sheets).take(texts, is_unread, has_read)
                }
                None => vec![text],
            };
            items.extend(texts.into_iter().map(|text| Ok(RunItem::Text(Box::new(text)))));
        }
        items.extend(reports.filter_map(Result::err).map(Err));
        items.extend(unit.error.map(Err));
        items
    }

    /// Checks one text, and fixes it if the run applies fixes.
    fn check_one(
        &self,
        input: &OpenInput,
        parsed: &Parsed<'_>,
        config: &Arc<ConfigFile>,
        facts: &mut Facts,
        related: &RelatedTexts,
    ) -> Result<InputReport> {
        let file = &self.shared.found.checked.files[input.index];
        let linter = self.shared.session.linter_of(config, file)?;
        let hint = match &input.cells {
            Some(cells) => self.shared.session.kind_hint_of_sheet(config, file, &cells.sheet),
            None => self.shared.session.kind_hint(config, file),
        };
        let hint = match hint {
            KindHint::Explicit | KindHint::Discovered if input.is_one_of_sheets() => KindHint::Sheet,
            hint => hint,
        };
        facts.record_id = config.record_of(file.place()).map(str::to_owned);
        let mut fixed_numbers = self.shared.options.fix.map(|_| lock(&self.fixed_numbers));
        if let Some(numbers) = &mut fixed_numbers {
            facts.batch = std::mem::take(&mut **numbers);
        }
        let report =
            fixed(&self.shared.options, file.path.as_deref(), parsed, (config, related), &mut |parsed| {
                linter.check(parsed, hint, facts)
            });
        if let Some(numbers) = &mut fixed_numbers {
            **numbers = std::mem::take(&mut facts.batch);
            numbers.extend(report.report.numbers.clone());
        }
        let redaction = redaction(&self.shared.options, parsed, &report);
        let use_cases = if self.shared.options.use_cases {
            use_cases(parsed, &report.report)
        } else {
            BTreeMap::default()
        };
        let drafts = if self.shared.options.drafts {
            let fixed = report.parse_fixed(parsed);
            let parsed = fixed.as_ref().unwrap_or(parsed);
            TextDrafts::of(parsed, hint, &report.report, redaction.as_ref())
        } else {
            TextDrafts::default()
        };
        Ok(InputReport { report, redaction, use_cases, drafts })
    }
}

struct InputReport {
    report: FileReport,
    redaction: Option<Redaction>,
    use_cases: BTreeMap<usize, String>,
    drafts: TextDrafts,
}

/// Checks a text, and applies its fixes if they are requested.
pub(super) fn fixed(
    options: &RunOptions,
    path: Option<&std::path::Path>,
    parsed: &Parsed<'_>,
    (config, related): (&Arc<ConfigFile>, &RelatedTexts),
    check: &mut dyn FnMut(&Parsed<'_>) -> Report,
) -> FileReport {
    let report = check(parsed);
    let is_compressed =
        options.fix.is_some() && path.is_some_and(|path| is_compressed(path) || is_workbook(path));
    let (before, (report, fix)) = match options.fix {
        Some(fix) if !is_compressed => {
            let before = report.findings.clone();
            (before, fix.apply(path, parsed, report, check))
        }
        _ => (Vec::new(), (report, FixOutcome::Unchanged)),
    };
    let fix = if is_compressed { FixOutcome::NotText } else { fix };
    let is_fixed = matches!(fix, FixOutcome::Fixed { .. });
    let before = if is_fixed { before } else { Vec::new() };
    FileReport { report, before, fix, config: Arc::clone(config), related: related.clone() }
}

/// The use cases of documents with findings.
fn use_cases(parsed: &Parsed<'_>, report: &Report) -> BTreeMap<usize, String> {
    let found: BTreeMap<usize, Option<Kind>> =
        report.findings.iter().map(|it| (it.document, it.kind)).collect();
    let mut use_cases = BTreeMap::new();
    if found.is_empty() {
        return use_cases;
    }
    for block in parsed.blocks() {
        for document in block.documents() {
            let Some(Some(kind)) = found.get(&document.index) else { continue };
            let value = document.document().root.as_ref().and_then(|root| kind.use_case(root));
            use_cases.extend(value.map(|value| (document.index, value.trim().to_owned())));
        }
    }
    use_cases
}

/// Masks for the text that the findings point into, if that is requested.
pub(super) fn redaction(options: &RunOptions, parsed: &Parsed<'_>, report: &FileReport) -> Option<Redaction> {
    if !options.redact || report.report.findings.is_empty() && !options.drafts {
        return None;
    }
    Some(report.parse_fixed(parsed).map_or_else(|| Redaction::of(parsed), |fixed| Redaction::of(&fixed)))
}

impl OrderedWork for Checker {
    type Unit = RunUnit;
    type Outcome = CheckedUnit;

    fn take(&self) -> Option<RunUnit> {
        lock(&self.reader).take(&self.shared)
    }

    fn work(&self, mut unit: RunUnit) -> CheckedUnit {
        let config = unit.config.clone().unwrap_or_default();
        let inputs = std::mem::take(&mut unit.inputs).into_iter().map(|it| self.open(it, &config)).collect();
        let session = &self.shared.session;
        let (facts, related) = (session.facts(), session.related(Default::default()));
        let mut checked = CheckedUnit { unit, inputs, reports: Vec::new(), facts, related };
        if let Err(error) = self.check(&mut checked) {
            checked.reports.push(Err(error));
        }
        checked
    }
}
