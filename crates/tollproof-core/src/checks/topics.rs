//! `topics`: a text about a topic, shown by terms of different weight.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::groups::Groups;

/// A text about a topic of the vocabulary. A strong term counts 3, one of medium weight 2 and a weak one 1; a term counts
/// once, however often it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Topics {
    /// The topics: graded groups of the vocabulary.
    pub any_of: Groups,
    /// The weight of terms that is reported.
    pub at_least: u16,
    /// Other fields whose terms count too, if the text has a term that is not weak.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Groups; a term in a sentence with one of them does not count.
    #[serde(default)]
    pub unless: Groups,
    /// Groups; a term that is part of one of their terms does not count.
    #[serde(default)]
    pub except: Groups,
    /// Groups of words that make a name of what stands before or behind them, such as "Street".
    #[serde(default)]
    pub in_names: Groups,
}

impl CheckSpec for Topics {
    const FILLS: &'static [&'static str] = &["value", "match", "topic"];

    fn lacks(&self) -> Option<&'static str> {
        self.any_of.is_empty().then_some("`any_of`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        vec![&mut self.any_of, &mut self.unless, &mut self.except, &mut self.in_names]
    }
}

#[cfg(engine)]
mod engine {
    use std::collections::BTreeMap;

    use super::Topics;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, SHOWN, Violation};
    use crate::provider::role;
    use crate::syntax::message::Message;
    use crate::text::hit::{GroupId, Hit};
    use crate::text::polarity;
    use crate::text::scan::Scan;

    impl RunCheck for Topics {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let scan = context.scan(text);
            if !scan.has_group(&self.any_of.ids) {
                return None;
            }
            let is_name = place.role == role::BUSINESS_NAME;
            let own = self.evidence(text, &scan, is_name, context);
            let mut names: Vec<&str> = own.iter().map(|it| it.topic).collect();
            names.sort_unstable();
            names.dedup();
            let beside: Vec<Evidence<'_>> = self
                .beside
                .iter()
                .filter(|other| *other != place.role)
                .filter_map(|other| context.field(other))
                .flat_map(|other| self.evidence(other, &context.scan(other), false, context))
                .collect();
            let score = |name: &str| {
                let of = |all: &[Evidence<'_>]| -> Vec<(String, u16)> {
                    all.iter().filter(|it| it.topic == name).map(|it| (it.term.clone(), it.weight)).collect()
                };
                let mut terms = of(&own);
                if terms.iter().any(|(_, weight)| *weight > 1) {
                    terms.extend(of(&beside));
                }
                terms.sort();
                terms.dedup_by(|a, b| a.0 == b.0);
                terms.iter().map(|(_, weight)| u32::from(*weight)).sum::<u32>()
            };
            let topic = names
                .into_iter()
                .max_by_key(|name| score(name))
                .filter(|it| score(it) >= u32::from(self.at_least))?;
            let mut shown: Vec<&Evidence<'_>> = own.iter().filter(|it| it.topic == topic).collect();
            shown.sort_by_key(|it| (std::cmp::Reverse(it.weight), it.hit.first));
            let ranges = shown.iter().take(SHOWN).map(|it| scan.words.range(it.hit.first, it.hit.last));
            let title = context.vocabulary.title(topic).unwrap_or(topic);
            Some(marked(ranges.collect(), text, node, context)?.fill("topic", Message::own(title)))
        }
    }

    /// A term that shows a topic.
    struct Evidence<'v> {
        topic: &'v str,
        weight: u16,
        term: String,
        hit: Hit,
    }

    impl Topics {
        /// The terms in a text that show one of the topics; of terms that overlap, the first and longest.
        fn evidence<'v>(
            &self,
            text: &str,
            scan: &Scan,
            is_name: bool,
            context: &Context<'v>,
        ) -> Vec<Evidence<'v>> {
            let of = |hit: &&Hit| hit.group.is_some_and(|group| self.any_of.has(group));
            let mut hits: Vec<&Hit> = scan.hits.iter().filter(of).collect();
            hits.sort_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last)));
            let mut found: Vec<Evidence<'v>> = Vec::new();
            let names = self.any_of.ids.iter().map(|group| (*group, context.vocabulary.name(*group)));
            let names: BTreeMap<GroupId, &str> = names.collect();
            for hit in hits {
                if self.is_excused(text, scan, hit, is_name, context) {
                    continue;
                }
                let name = hit.group.and_then(|group| names.get(&group));
                let Some((topic, grade)) = name.and_then(|it| it.split_once('.')) else { continue };
                let weight = match grade {
                    "strong" => 3,
                    "medium" => 2,
                    _ => 1,
                };
                let overlapping =
                    found.iter_mut().rev().take(4).find(|it| it.topic == topic && it.hit.overlaps(hit));
                if let Some(known) = overlapping {
                    // The same words can be strong in one topic and weak in another, but count once in each.
                    known.weight = known.weight.max(weight);
                    continue;
                }
                let words: Vec<&str> = (hit.first..=hit.last).map(|at| scan.words.word(at)).collect();
                found.push(Evidence { topic, weight, term: words.join(" "), hit: *hit });
            }
            found
        }

        fn is_excused(
            &self,
            text: &str,
            scan: &Scan,
            hit: &Hit,
            is_name: bool,
            context: &Context<'_>,
        ) -> bool {
            let sentence = scan.sentence_of(hit.first);
            let of = |groups: &[u16], it: &&Hit| it.group.is_some_and(|group| groups.contains(&group));
            let around = scan.hits_in(&(hit.first.saturating_sub(8)..hit.last + 1));
            scan.sentence_has(sentence, context.vocabulary.excuses())
                || scan.sentence_has(sentence, &self.unless.ids)
                || around.iter().filter(|it| of(&self.except.ids, it)).any(|it| it.overlaps(hit))
                || polarity::is_negated(&scan.words, hit)
                || self.is_in_name(text, scan, hit)
                || !is_name && is_in_business_name(text, scan, hit, context)
        }

        /// Whether a term in capitals is part of a name: Cannon Street, rue du Canon.
        fn is_in_name(&self, text: &str, scan: &Scan, hit: &Hit) -> bool {
            if !is_capital(text, scan, hit.first) {
                return false;
            }
            let name_words = |range: std::ops::Range<usize>| {
                scan.hits_in(&range)
                    .iter()
                    .any(|it| it.group.is_some_and(|group| self.in_names.has(group)) && !it.overlaps(hit))
            };
            name_words(hit.first.saturating_sub(3)..hit.first) || name_words(hit.last + 1..hit.last + 3)
        }
    }

    /// Whether a term is written as the business name has it. The name itself is judged in its own field.
    fn is_in_business_name(text: &str, scan: &Scan, hit: &Hit, context: &Context<'_>) -> bool {
        if !is_capital(text, scan, hit.first) {
            return false;
        }
        let Some(name) = context.field(role::BUSINESS_NAME) else { return false };
        let name = context.scan(name);
        let words = || (0..name.words.len()).map(|at| name.words.word(at));
        (hit.first..=hit.last).all(|at| words().any(|word| word == scan.words.word(at)))
    }

    fn is_capital(text: &str, scan: &Scan, word: usize) -> bool {
        let range = scan.words.range(word, word);
        text.get(range).and_then(|it| it.chars().next()).is_some_and(char::is_uppercase)
    }
}
