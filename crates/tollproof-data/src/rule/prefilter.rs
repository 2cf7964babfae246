//! Which rules can find something in a text, by what it contains.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use zerocopy::little_endian::U32;

use super::file::Rule;
use crate::text::table::prefilter::{PatternBits, Prefilter, PrefilterPattern, numbers};
use crate::text::table::stored::records;

/// The patterns of all rules that find something only in texts with certain terms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RulePrefilter<'a> {
    #[serde(borrow)]
    table: Prefilter<'a>,
    /// For each pattern, the index of its rule, in order.
    #[serde(borrow, with = "records")]
    rules: Cow<'a, [U32]>,
}

impl RulePrefilter<'_> {
    /// The patterns of some rules, by their indices.
    pub fn of(rules: &[Rule]) -> Self {
        let mut patterns: Vec<PrefilterPattern<'_>> = Vec::new();
        let mut of_patterns = Vec::new();
        for (at, rule) in (0_u32..).zip(rules) {
            let of_rule = rule.check.content().and_then(|check| check.prefilter()).unwrap_or_default();
            of_patterns.extend(of_rule.iter().map(|_| U32::new(at)));
            patterns.extend(of_rule);
        }
        Self { table: Prefilter::of(&patterns), rules: of_patterns.into() }
    }

    /// The patterns of a rule; `None` if it may find something in any value.
    pub fn of_rule(&self, rule: usize) -> Option<Range<usize>> {
        let before = |rule: usize| self.rules.partition_point(|known| (known.get() as usize) < rule);
        let patterns = before(rule)..before(rule + 1);
        (!patterns.is_empty()).then_some(patterns)
    }

    /// The table of the patterns.
    pub fn table(&self) -> &Prefilter<'_> {
        &self.table
    }

    /// The indices of the rules that have one of some patterns and can find something in a text with others: bit sets.
    pub fn rules_for(&self, found: &[u64], wanted: &PatternBits) -> SmallVec<[usize; 16]> {
        let both: PatternBits = found.iter().zip(wanted).map(|(found, wanted)| found & wanted).collect();
        let mut rules: SmallVec<[usize; 16]> =
            numbers(&both).map(|pattern| self.rules[pattern].get() as usize).collect();
        rules.dedup();
        rules
    }
}
