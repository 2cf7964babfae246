//! The draft that the gate decides about: its numbers, and the attempt to send it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_core::document::Node;
use tollproof_core::{
    Kind, KindHint, KindRole, NoRecord, NumberKey, Parsed, Provider, SourceDocument, Submission,
};

use super::options::{AttemptOptions, GateOptions, too_late};
use crate::attempt::{AttemptOperation, NewAttempt};
use crate::entry::{number_key, shown_number};
use crate::error::{HistoryError, Result};
use crate::token::digest_of;

/// The draft that the gate decides about.
pub(super) struct Draft<'d> {
    pub(super) parsed: &'d Parsed<'d>,
    pub(super) document: SourceDocument<'d>,
    pub(super) kind: Option<Kind>,
    pub(super) hint: KindHint,
    /// The number of a draft that does not contain it.
    pub(super) number: Option<&'d str>,
    /// Other names of its number.
    pub(super) names: &'d [String],
}

impl Draft<'_> {
    /// The kind of submit requests of the draft's provider.
    pub(super) fn submit_kind(&self) -> Kind {
        let provider = self.kind.map_or_else(Provider::default, Kind::provider);
        provider.kind(KindRole::Submit).unwrap_or_else(|| Kind::of(KindRole::Submit))
    }

    /// The names of its numbers, as far as they are texts.
    pub(super) fn numbers(&self) -> Vec<String> {
        let root = self.document.document().root.as_ref();
        let items = root.map(|root| self.submit_kind().numbers(root)).unwrap_or_default();
        let named = items.into_iter().filter_map(Node::as_str).chain(self.number);
        named.map(str::to_owned).chain(self.names.iter().cloned()).collect()
    }

    /// The numbers to reserve, as people see them. `None` if one of them might be named in another way too, so that it
    /// could be reserved twice.
    pub(super) fn reservable(&self) -> Option<Vec<String>> {
        if let Some(number) = self.number {
            return Some(vec![shown_number(number)]);
        }
        let root = self.document.document().root.as_ref()?;
        let mut names: Vec<String> =
            self.submit_kind().reservable_numbers(root)?.into_iter().map(shown_number).collect();
        names.sort_unstable_by_key(|it| number_key(it));
        names.dedup_by_key(|it| number_key(it));
        Some(names)
    }

    /// Whether the draft was read completely, whatever rules are enabled.
    pub(super) fn is_whole(&self) -> bool {
        let read = Submission::read(self.document);
        !self.document.cut && !matches!(read, Err(NoRecord::Unreadable { .. }))
    }

    /// The attempt to send a draft that may be sent.
    pub(super) fn attempt(
        &self,
        kind: Kind,
        names: &[String],
        payload: &str,
        options: &AttemptOptions,
        plan: &GateOptions,
        now: Timestamp,
    ) -> Result<NewAttempt> {
        let AttemptOptions { address, holder, lease, .. } = options.clone();
        let until = now.checked_add(lease).map_err(|_| too_late())?;
        let is_submit = kind.is_submit();
        let declared = self.document.declared().record.map(|(id, _)| id.to_owned());
        let of_record = || plan.record.as_ref().map(|record| record.id.trim().to_owned());
        let record = declared.or_else(|| plan.record_id.clone()).or_else(of_record);
        let number = self.numbers().into_iter().next();
        let of_record = || plan.record.as_ref().and_then(|record| record.numbers.first().cloned());
        Ok(NewAttempt {
            operation: if is_submit { AttemptOperation::Submission } else { AttemptOperation::Update },
            provider: kind.provider().name().to_owned(),
            number: number.or_else(of_record).map(|it| shown_number(&it)).unwrap_or_default(),
            names: if is_submit { names.to_vec() } else { Vec::new() },
            digest: digest_of(payload.as_bytes()),
            address,
            holder,
            until,
            record: record.filter(|_| !is_submit),
            steps: BTreeMap::new(),
        })
    }
}

/// Refuses a number that is missing, superfluous or unclear.
pub(super) fn check_number(kind: Option<Kind>, number: Option<&str>) -> Result<()> {
    let lacks_number = kind.is_some_and(|kind| kind.is_submit() && !kind.has_numbers());
    let title = kind.map_or("", |kind| kind.provider().title());
    let why = match number {
        None if lacks_number => format!(
            "a submit request of {title} does not contain its number, so the gate cannot reserve it; \
             name the number with `--number`"
        ),
        Some(_) if !lacks_number => {
            "`--number` is for submit requests that do not contain their number; remove it".to_owned()
        }
        Some(number) if !NumberKey::of(number).is_exact() => {
            "`--number` needs a toll-free number such as +18334726150, or its identifier".to_owned()
        }
        _ => return Ok(()),
    };
    Err(HistoryError::Usage(why))
}
