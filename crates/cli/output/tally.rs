//! Findings counted by client and by file, for reports that show drafts.

use std::collections::HashMap;
use std::sync::Arc;

use tollproof_core::schema::{FormField, schema_of};
use tollproof_core::{Finding, Kind, Message, Severity};
use tollproof_project::{DraftView, TextDrafts};

use super::FileFindings;
use crate::terminal::{Look, one_line};

/// More groups than this are counted together, so that memory does not grow with the drafts.
const MAX_GROUPS: usize = 20_000;

/// The number of findings of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TallyCounts {
    pub(super) errors: usize,
    pub(super) warnings: usize,
    pub(super) infos: usize,
}

impl TallyCounts {
    pub(super) fn add(&mut self, severity: Severity) {
        *match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Info => &mut self.infos,
        } += 1;
    }

    pub(super) fn total(self) -> usize {
        self.errors + self.warnings + self.infos
    }
}

/// The drafts of one client, or those in one file.
#[derive(Clone, Debug)]
pub(super) struct TallyGroup {
    pub(super) name: String,
    pub(super) counts: TallyCounts,
    pub(super) drafts: usize,
    /// The number of drafts with an error.
    pub(super) refused: usize,
}

/// Drafts and findings by the name of a group.
#[derive(Debug, Default)]
pub(super) struct GroupTally {
    groups: Vec<TallyGroup>,
    ids: HashMap<String, usize>,
}

impl GroupTally {
    /// The index of a group. Names that differ in case or spaces are one group.
    fn id(&mut self, name: &str) -> usize {
        let key = name.to_lowercase();
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let (key, name) = if self.groups.len() >= MAX_GROUPS {
            (String::new(), format!("after the first {MAX_GROUPS}"))
        } else {
            (key, name.to_owned())
        };
        let groups = &mut self.groups;
        *self.ids.entry(key).or_insert_with(|| {
            groups.push(TallyGroup { name, counts: TallyCounts::default(), drafts: 0, refused: 0 });
            groups.len() - 1
        })
    }

    pub(super) fn groups(&self) -> &[TallyGroup] {
        &self.groups
    }

    /// The indexes of the groups, those with the most errors first, then with the most warnings.
    pub(super) fn by_errors(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.groups[at].counts));
        order
    }
}

/// Counts drafts and findings as they come. Findings of a workbook come cell by cell after the drafts of their sheet.
#[derive(Debug, Default)]
pub(super) struct DraftTally {
    pub(super) clients: GroupTally,
    pub(super) files: GroupTally,
    file: String,
    current: Arc<TextDrafts>,
    /// The most severe finding of each current draft.
    worst: Vec<Option<Severity>>,
    /// The number of drafts without errors.
    pub(super) ready: usize,
    pub(super) drafts: usize,
}

/// The subject of a finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct FindingGroups {
    pub(super) client: usize,
    pub(super) file: usize,
    /// The index in the current drafts.
    pub(super) draft: Option<usize>,
}

impl DraftTally {
    /// Takes the drafts of a text, if it has any. Returns whether they follow others.
    pub(super) fn begin(&mut self, checked: &FileFindings<'_>, look: Look) -> bool {
        if checked.text.drafts.is_empty() {
            return false;
        }
        self.finish(look);
        checked.text.file.clone_into(&mut self.file);
        self.current = Arc::clone(checked.text.drafts);
        self.worst = vec![None; self.current.drafts.len()];
        true
    }

    /// The index of a finding's draft in the current drafts. What is above the rows of a table belongs to none of them.
    pub(super) fn draft_of(&self, checked: &FileFindings<'_>, finding: &Finding) -> Option<usize> {
        let drafts = &self.current.drafts;
        let at = drafts.binary_search_by_key(&finding.document, |draft| draft.document).ok()?;
        let draft = Some(&drafts[at]).filter(|_| self.file == checked.text.file)?;
        let is_above = match (checked.text.cell, draft.row) {
            (Some(cell), Some(row)) => cell.row < row,
            (None, Some(_)) => finding
                .span
                .zip(draft.values.first())
                .is_some_and(|(span, first)| span.end < first.span.start),
            (_, None) => false,
        };
        (!is_above).then_some(at)
    }

    /// Counts a finding.
    pub(super) fn add(&mut self, checked: &FileFindings<'_>, finding: &Finding, look: Look) -> FindingGroups {
        let draft = self.draft_of(checked, finding);
        let client = match draft {
            Some(at) => client_name(&self.current.drafts[at], &self.file, look),
            None => look.with("The file {name}", &[("name", one_line(checked.text.file).into())]),
        };
        let groups = FindingGroups {
            client: self.clients.id(&client),
            file: self.files.id(&one_line(checked.text.file)),
            draft,
        };
        self.clients.groups[groups.client].counts.add(finding.severity);
        self.files.groups[groups.file].counts.add(finding.severity);
        if let Some(at) = draft {
            self.worst[at] = self.worst[at].max(Some(finding.severity));
        }
        groups
    }

    /// The number of drafts with errors, as a title.
    pub(super) fn title(&self, look: Look) -> String {
        let refused = self.drafts - self.ready;
        let template = match (self.drafts, refused) {
            (0, _) => "No draft was checked",
            (1, 0) => "This draft has no errors",
            (1, _) => "This draft has errors",
            (_, 0) => "None of {drafts} drafts has errors",
            (_, 1) => "1 of {drafts} drafts has errors",
            _ => "{refused} of {drafts} drafts have errors",
        };
        look.with(template, &[("drafts", self.drafts.into()), ("refused", refused.into())])
    }

    /// The file of the current drafts.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The current drafts without errors.
    pub(super) fn ready_drafts(&self) -> impl Iterator<Item = &DraftView> {
        let all = self.current.drafts.iter().zip(&self.worst);
        all.filter(|(_, worst)| **worst != Some(Severity::Error)).map(|(draft, _)| draft)
    }

    /// The drafts that findings are about now.
    pub(super) fn current(&self) -> &TextDrafts {
        &self.current
    }

    /// Counts the current drafts, for which no more findings come.
    pub(super) fn finish(&mut self, look: Look) {
        let current = std::mem::take(&mut self.current);
        if current.drafts.is_empty() {
            return;
        }
        let file = self.files.id(&one_line(&self.file));
        for (draft, worst) in current.drafts.iter().zip(std::mem::take(&mut self.worst)) {
            let client = self.clients.id(&client_name(draft, &self.file, look));
            let is_refused = worst == Some(Severity::Error);
            for group in [&mut self.clients.groups[client], &mut self.files.groups[file]] {
                group.drafts += 1;
                group.refused += usize::from(is_refused);
            }
            self.drafts += 1;
            self.ready += usize::from(!is_refused);
        }
    }
}

/// The name of a draft's client.
pub(super) fn client_name(draft: &DraftView, file: &str, look: Look) -> String {
    let name = draft.business.as_deref().map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    match name {
        Some(name) => shortened(&one_line(&name), 120),
        None => look.with("No business name, in {file}", &[("file", one_line(file).into())]),
    }
}

/// A text with at most this number of characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether a value is a field, an item of it, or the cell with all its items.
pub(super) fn is_same_field(value: &str, field: &str) -> bool {
    let is_below = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below(value, field) || is_below(field, value)
}

/// The titles of fields, as a form has them.
#[derive(Debug, Default)]
pub(super) struct FieldTitles(HashMap<Kind, HashMap<&'static str, String>>);

impl FieldTitles {
    /// The name of the field that a finding is about: its title, or else the way to it, with items of lists counted from 1.
    /// The columns of a table have their own names.
    pub(super) fn name(&mut self, finding: &Finding, drafts: &TextDrafts, look: Look) -> String {
        let kind = finding.kind.filter(|_| drafts.table.is_none());
        let mut name = kind.and_then(|kind| self.of_role(kind, kind.role_of(&finding.pointer)?, look));
        for token in finding.pointer.tokens() {
            match (&mut name, token.parse::<usize>()) {
                (Some(name), Ok(item)) => {
                    *name = look.with(
                        "{field}, item {number}",
                        &[("field", name.clone().into()), ("number", (item + 1).into())],
                    );
                }
                (Some(_), Err(_)) => {}
                (None, _) => name = Some(token),
            }
        }
        shortened(&one_line(&name.unwrap_or_default()), 80)
    }

    /// The title of the field with a role.
    pub(super) fn of_role(&mut self, kind: Kind, role: &str, look: Look) -> Option<String> {
        let titles = self.0.entry(kind).or_insert_with(|| {
            let schema = schema_of(kind);
            let mut titles = HashMap::new();
            add_titles(kind, &kind.form_fields(&schema), &mut titles);
            titles
        });
        titles.get(role).map(|title| look.message(&Message::own(title.as_str())))
    }
}

/// Adds the titles of fields and of those in them by their roles.
fn add_titles(kind: Kind, fields: &[FormField<'_>], titles: &mut HashMap<&'static str, String>) {
    for field in fields {
        let one = format!("{}/0", field.info.pointer);
        if let Some(role) = kind.role_of(&field.info.pointer).or_else(|| kind.role_of(&one)) {
            titles.entry(role).or_insert_with(|| field.info.title().to_owned());
        }
        add_titles(kind, &field.below, titles);
    }
}

/// The help of a finding, unless it names a command: these readers use no terminal.
pub(super) fn help(finding: &Finding) -> Option<&str> {
    finding.help.as_deref().filter(|help| !help.starts_with("`tollproof "))
}

/// A message as a sentence of its own.
pub(crate) fn sentence(message: &str) -> String {
    let text = one_line(message);
    let mut chars = text.chars();
    let mut sentence: String = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    sentence.push_str(chars.as_str());
    if !sentence.trim_end_matches(['"', '\'', ')']).ends_with(['.', '!', '?', '…', ':']) {
        sentence.push('.');
    }
    sentence
}
