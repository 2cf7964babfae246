//! Which rules can find something in a text, by what it contains.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::file::Rule;
use crate::text::clues::{ClueBits, ClueTable, TextClue, numbers};

/// The clues of all rules that find something only in texts with certain terms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RuleClues<'a> {
    #[serde(borrow)]
    table: ClueTable<'a>,
    /// For each clue, the index of its rule (2 bytes), in order.
    #[serde(borrow)]
    rules: Cow<'a, [u8]>,
}

impl RuleClues<'_> {
    /// The clues of some rules, by their indices.
    pub(crate) fn of(rules: &[Rule]) -> Self {
        let mut clues: Vec<TextClue<'_>> = Vec::new();
        let mut of_clues = Vec::new();
        for (at, rule) in (0_u16..).zip(rules) {
            let of_rule = rule.check.content().and_then(|check| check.clues()).unwrap_or_default();
            of_clues.extend(of_rule.iter().flat_map(|_| at.to_le_bytes()));
            clues.extend(of_rule);
        }
        Self { table: ClueTable::of(&clues), rules: of_clues.into() }
    }

    /// The clues of a rule; `None` if it may find something in any value.
    pub(crate) fn of_rule(&self, rule: usize) -> Option<Range<usize>> {
        let rules = self.rules.as_chunks().0;
        let before = |rule: usize| rules.partition_point(|it| usize::from(u16::from_le_bytes(*it)) < rule);
        let clues = before(rule)..before(rule + 1);
        (!clues.is_empty()).then_some(clues)
    }

    /// The indices of the rules that can find something in a text and have one of some clues. The text has these sets of
    /// phrases, and its sentences have these groups: bit sets.
    pub(crate) fn rules_for<'t>(
        &self,
        (sets, sentences): (&[u64], impl Iterator<Item = &'t [u64]>),
        wanted: &ClueBits,
    ) -> Vec<usize> {
        let mut found = self.table.found_in(sets, sentences);
        for (at, bits) in found.iter_mut().enumerate() {
            *bits &= wanted.get(at).copied().unwrap_or_default();
        }
        let of_clues = self.rules.as_chunks().0;
        let mut rules: Vec<usize> =
            numbers(&found).map(|clue| usize::from(u16::from_le_bytes(of_clues[clue]))).collect();
        rules.dedup();
        rules
    }
}
