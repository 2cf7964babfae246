//! The sheet with the counts by rule, client and file, and with what a person still has to check.

use std::cmp::Reverse;

use jiff::Timestamp;
use rust_xlsxwriter::{Worksheet, XlsxError};
use tollproof_core::{Message, Severity, UserRule};

use super::cells::{Formats, cell_text};
use crate::counts::RunCounts;
use crate::output::rule_docs;
use crate::output::tally::{DraftTally, GroupTally, TallyCounts};
use crate::terminal::{Look, one_line};

/// The maximum number of rows of a table in the summary.
const MAX_ROWS: usize = 10_000;

/// The content of the summary.
pub(super) struct Summary<'s> {
    pub(super) look: Look,
    pub(super) tally: &'s DraftTally,
    pub(super) report: &'s RunCounts,
    pub(super) own: &'s [UserRule],
    pub(super) min: Severity,
    pub(super) now: Option<Timestamp>,
    pub(super) loose: &'s [LooseFinding],
    pub(super) left_out: Vec<String>,
}

/// A finding that belongs to no draft.
pub(super) struct LooseFinding {
    pub(super) file: String,
    pub(super) severity: Severity,
    pub(super) text: String,
    pub(super) rule: String,
}

/// A cell of the summary.
enum SummaryCell {
    Text(String),
    Number(usize),
    Severity(Severity),
}

/// A sheet with the number of its next row.
struct SummarySheet<'f> {
    look: Look,
    worksheet: Worksheet,
    formats: &'f Formats,
    row: u32,
}

impl Summary<'_> {
    /// The sheet.
    pub(super) fn sheet(&self, formats: &Formats) -> Result<Worksheet, XlsxError> {
        let mut worksheet = Worksheet::new();
        worksheet.set_name(self.look.say("Summary"))?;
        for (column, width) in (0..).zip([44, 44, 32, 12, 12, 12]) {
            worksheet.set_column_width(column, width)?;
        }
        let mut sheet = SummarySheet { look: self.look, worksheet, formats, row: 0 };
        self.counts(&mut sheet)?;
        self.checklist(&mut sheet)?;
        self.rules(&mut sheet)?;
        groups(&mut sheet, "By client", "Client", &self.tally.clients)?;
        groups(&mut sheet, "By file", "File", &self.tally.files)?;
        self.loose(&mut sheet)?;
        Ok(sheet.worksheet)
    }

    fn counts(&self, sheet: &mut SummarySheet<'_>) -> Result<(), XlsxError> {
        sheet.title(&self.tally.title(self.look))?;
        if let Some(now) = self.now {
            let now = now.strftime("%Y-%m-%d %H:%M UTC").to_string();
            sheet.line(&self.look.with("Checked by tollproof on {time}", &[("time", now.into())]))?;
        }
        if let Some(by_words) = self.report.totals.read.by_words() {
            sheet.line(&self.look.message(&by_words))?;
        }
        let files = self.report.unopened;
        if files > 0 {
            sheet.line(&self.look.with(
                "Files that could not be read, and are not in this workbook: {count}",
                &[("count", files.into())],
            ))?;
        }
        for left_out in &self.left_out {
            sheet.line(&self.look.with("Left out: {what}", &[("what", Message::from(left_out.clone()))]))?;
        }
        for severity in Severity::ALL.into_iter().rev().filter(|it| *it >= self.min) {
            let name = SummaryCell::Severity(severity);
            sheet.row([name, SummaryCell::Number(self.report.shown(severity))])?;
        }
        sheet.row([
            SummaryCell::Text(self.look.say("drafts without errors").to_owned()),
            SummaryCell::Number(self.tally.ready),
        ])
    }

    fn checklist(&self, sheet: &mut SummarySheet<'_>) -> Result<(), XlsxError> {
        sheet.heading("What a person still has to check", &[])?;
        self.report
            .not_checked()
            .iter()
            .try_for_each(|item| sheet.line(&format!("☐ {}", self.look.message(&item.what))))
    }

    fn rules(&self, sheet: &mut SummarySheet<'_>) -> Result<(), XlsxError> {
        let rules: Vec<_> = self.report.rules();
        let mut rules: Vec<_> = rules.into_iter().filter(|rule| rule.1 >= self.min && rule.2 > 0).collect();
        rules.sort_by_key(|it| Reverse(it.1));
        sheet.heading("By rule", &["Severity", "What is wrong", "Rule", "Findings"])?;
        for &(rule, severity, count) in rules.iter().take(MAX_ROWS) {
            let title = rule_docs::title(rule, self.own, self.look);
            let [title, rule] = [title.as_str(), rule].map(|text| SummaryCell::Text(one_line(text)));
            sheet.row([SummaryCell::Severity(severity), title, rule, SummaryCell::Number(count)])?;
        }
        Ok(())
    }

    fn loose(&self, sheet: &mut SummarySheet<'_>) -> Result<(), XlsxError> {
        if self.loose.is_empty() {
            return Ok(());
        }
        sheet.heading("Findings that belong to no draft", &["File", "Advice", "Rule", "Severity"])?;
        for LooseFinding { file, severity, text, rule } in self.loose {
            let [file, text, rule] = [file, text, rule].map(|text| SummaryCell::Text(text.clone()));
            sheet.row([file, text, rule, SummaryCell::Severity(*severity)])?;
        }
        Ok(())
    }
}

/// The counts of clients or files, those with the most errors first.
fn groups(
    sheet: &mut SummarySheet<'_>,
    title: &'static str,
    noun: &'static str,
    tally: &GroupTally,
) -> Result<(), XlsxError> {
    sheet.heading(title, &[noun, "Drafts", "Drafts with errors", "Errors", "Warnings", "Infos"])?;
    let order = tally.by_errors();
    for group in order.iter().take(MAX_ROWS).map(|&at| &tally.groups()[at]) {
        let TallyCounts { errors, warnings, infos } = group.counts;
        let numbers = [group.drafts, group.refused, errors, warnings, infos].map(SummaryCell::Number);
        sheet.row([SummaryCell::Text(group.name.clone())].into_iter().chain(numbers))?;
    }
    if order.len() > MAX_ROWS {
        sheet.line(&sheet.look.counted(order.len() - MAX_ROWS, "and 1 more", "and {count} more"))?;
    }
    Ok(())
}

impl SummarySheet<'_> {
    fn title(&mut self, text: &str) -> Result<(), XlsxError> {
        self.worksheet.write_string_with_format(self.row, 0, text, &self.formats.title)?;
        self.row += 1;
        Ok(())
    }

    /// A heading after an empty row, and the names of the columns below it.
    fn heading(&mut self, title: &'static str, names: &[&'static str]) -> Result<(), XlsxError> {
        self.row += 1;
        self.title(self.look.say(title))?;
        for (column, name) in (0..).zip(names) {
            let name = self.look.say(name);
            self.worksheet.write_string_with_format(self.row, column, name, &self.formats.head)?;
        }
        self.row += u32::from(!names.is_empty());
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), XlsxError> {
        self.row([SummaryCell::Text(text.to_owned())])
    }

    fn row(&mut self, cells: impl IntoIterator<Item = SummaryCell>) -> Result<(), XlsxError> {
        for (column, cell) in (0..).zip(cells) {
            let (row, worksheet, formats) = (self.row, &mut self.worksheet, self.formats);
            match cell {
                SummaryCell::Text(text) => {
                    worksheet.write_string_with_format(row, column, cell_text(&text), &formats.text)?
                }
                #[expect(clippy::cast_precision_loss, reason = "a workbook has no other numbers")]
                SummaryCell::Number(number) => worksheet.write_number(row, column, number as f64)?,
                SummaryCell::Severity(severity) => worksheet.write_string_with_format(
                    row,
                    column,
                    self.look.say(severity.name()),
                    formats.of(Some(severity)),
                )?,
            };
        }
        self.row += 1;
        Ok(())
    }
}
