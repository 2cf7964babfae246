//! The columns of a sheet: those of the table that came in, or the fields of a kind of draft.

use tollproof_core::{Finding, Kind, KindRole};
use tollproof_project::{CellPlace, DraftTable, DraftView, TextDrafts, WrittenValue};

use crate::output::tally::{FieldTitles, is_same_field};
use crate::terminal::Look;

/// The drafts of one sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SheetKey {
    /// The rows of a table: the file, and the sheet of a workbook.
    Table(String, Option<String>),
    /// Drafts of other formats.
    Kind(Kind),
    /// Documents that could not be read, or whose kind is not known.
    Unknown,
}

/// The columns of the sheet that a draft is written to.
pub(super) enum SheetColumns<'d> {
    Table { table: &'d DraftTable, file: &'d str },
    Fields { kind: Option<Kind>, roles: Vec<&'static str> },
}

/// The columns before the fields of a draft that is not a row: the file and the place of the draft in it.
const BEFORE: [&str; 2] = ["File", "Draft"];

/// The column of what is in none of the others.
const OTHER: &str = "Other fields";

impl<'d> SheetColumns<'d> {
    pub(super) fn of(drafts: &'d TextDrafts, draft: &DraftView, file: &'d str) -> Self {
        match (&drafts.table, draft.row) {
            (Some(table), Some(_)) => Self::Table { table, file },
            _ => {
                let mut roles: Vec<&str> = draft.kind.map(|kind| kind.roles().collect()).unwrap_or_default();
                // As the default provider orders them: the business first. What only others ask comes after.
                let usual: Vec<&str> = Kind::of(KindRole::Submit).roles().collect();
                roles.sort_by_key(|role| usual.iter().position(|it| it == role).unwrap_or(usual.len()));
                Self::Fields { kind: draft.kind, roles }
            }
        }
    }

    pub(super) fn key(&self) -> SheetKey {
        match self {
            Self::Table { table, file } => SheetKey::Table((*file).to_owned(), table.sheet.clone()),
            Self::Fields { kind: Some(kind), .. } => SheetKey::Kind(*kind),
            Self::Fields { kind: None, .. } => SheetKey::Unknown,
        }
    }

    /// A name for the sheet; others may have it too.
    pub(super) fn sheet_name(&self, look: Look) -> String {
        match self {
            Self::Table { table: DraftTable { sheet: Some(sheet), .. }, .. } => sheet.clone(),
            Self::Table { file, .. } => {
                let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
                name.split('.').next().filter(|it| !it.is_empty()).unwrap_or(name).to_owned()
            }
            Self::Fields { kind: Some(kind), .. } => kind.full_name(),
            Self::Fields { kind: None, .. } => look.say("Other documents").to_owned(),
        }
    }

    /// The 0-based row of the head.
    pub(super) fn head_row(&self) -> u32 {
        match self {
            Self::Table { table, .. } => table.row,
            Self::Fields { .. } => 0,
        }
    }

    /// The names of the columns.
    pub(super) fn head(&self, look: Look, titles: &mut FieldTitles) -> Vec<(u32, String)> {
        match self {
            Self::Table { table, .. } => {
                table.columns.iter().map(|it| (it.column, it.text.clone())).collect()
            }
            Self::Fields { kind, roles } => {
                let name = |role: &&str| {
                    let title = kind.and_then(|kind| titles.of_role(kind, role, look));
                    title.unwrap_or_else(|| kind.map_or(*role, |kind| kind.field_name(role)).to_owned())
                };
                let before = BEFORE.iter().map(|header| look.say(header).to_owned());
                (0..).zip(before.chain(roles.iter().map(name)).chain([look.say(OTHER).to_owned()])).collect()
            }
        }
    }

    /// The last column.
    pub(super) fn end(&self) -> u32 {
        match self {
            Self::Table { table, .. } => table.columns.last().map_or(0, |it| it.column),
            Self::Fields { roles, .. } => u32::try_from(BEFORE.len() + roles.len()).unwrap_or(u32::MAX),
        }
    }

    /// The texts of a draft by column.
    pub(super) fn texts(&self, draft: &DraftView, file: &str) -> Vec<(u32, String)> {
        let roles = match self {
            Self::Table { .. } => {
                return draft.values.iter().map(|it| (it.column, it.text.clone())).collect();
            }
            Self::Fields { roles, .. } => roles,
        };
        let mut texts = vec![String::new(); BEFORE.len() + roles.len() + 1];
        texts[0] = file.to_owned();
        texts[1] = (draft.document + 1).to_string();
        for value in draft.values.iter().filter(|it| !it.text.is_empty()) {
            let at = self.field_column(draft, &value.pointer).unwrap_or(texts.len() - 1);
            let is_other = at == texts.len() - 1;
            let text = &mut texts[at];
            if !text.is_empty() {
                text.push('\n');
            }
            if is_other {
                text.push_str(&format!("{}: ", value.pointer.trim_start_matches('/')));
            }
            text.push_str(&value.text);
        }
        (0..).zip(texts).filter(|(_, text)| !text.is_empty()).collect()
    }

    /// The column that a finding marks; `None` if it is about something that no column has.
    pub(super) fn column_of(
        &self,
        draft: &DraftView,
        finding: &Finding,
        cell: Option<CellPlace>,
    ) -> Option<u32> {
        let Self::Table { table, .. } = self else {
            let column = self.field_column(draft, &finding.pointer)?;
            return u32::try_from(column).ok();
        };
        let end = self.end();
        let is_same =
            |cell: &&WrittenValue| cell.column <= end && is_same_field(&cell.pointer, &finding.pointer);
        let mut same = table.columns.iter().filter(is_same).map(|it| it.column);
        let first = same.clone().next()?;
        let here = |column: u32| match (cell, finding.span) {
            (Some(cell), _) => cell.column == column,
            (None, Some(span)) => draft.values.iter().any(|value| {
                value.column == column && value.span.start <= span.start && span.start <= value.span.end
            }),
            (None, None) => false,
        };
        Some(same.find(|&column| here(column)).unwrap_or(first))
    }

    /// The index of a field's column, by the role of the field.
    fn field_column(&self, draft: &DraftView, pointer: &str) -> Option<usize> {
        let Self::Fields { roles, .. } = self else { return None };
        let role = draft.kind?.role_of(pointer)?;
        roles.iter().position(|it| *it == role).map(|at| at + BEFORE.len())
    }
}
