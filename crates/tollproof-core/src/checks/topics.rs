//! `topics`: a text about a topic, shown by terms of different weight.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::groups::Groups;
use crate::text::prefilter::{PatternTerms, PrefilterPattern};

/// A text about a topic of the vocabulary. A strong term counts 3 and one of medium weight 2. Beside such a term, two weak
/// ones count 1 each. A term counts once, however often it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Topics {
    /// The topics: graded groups of the vocabulary.
    pub any_of: Groups,
    /// The weight of terms that is reported.
    pub at_least: u16,
    /// How many different strong terms are needed.
    #[serde(default)]
    pub strong: u16,
    /// Other fields whose terms count too, if the text has a term that is not weak.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Groups of words that offer something; a strong term of `goods` in a sentence with one of them counts twice.
    #[serde(default)]
    pub offered: Groups,
    /// Those of the topics that are goods, of which an offer says enough.
    #[serde(default)]
    pub goods: Groups,
    /// Groups; a term in a sentence with one of them does not count.
    #[serde(default)]
    pub unless: Groups,
    /// Groups; a draft whose business name has one of them is not reported.
    #[serde(default)]
    pub unless_business: Groups,
    /// Groups; a term that is part of one of their terms does not count.
    #[serde(default)]
    pub except: Groups,
    /// Groups of words that make a name of what is before or behind them, such as "Street".
    #[serde(default)]
    pub in_names: Groups,
}

impl CheckSpec for Topics {
    const FILLS: &'static [&'static str] = &["value", "match", "topic"];

    fn lacks(&self) -> Option<&'static str> {
        self.any_of.is_empty().then_some("`any_of`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        vec![
            &mut self.any_of,
            &mut self.offered,
            &mut self.goods,
            &mut self.unless,
            &mut self.unless_business,
            &mut self.except,
            &mut self.in_names,
        ]
    }

    fn prefilter(&self) -> Option<Vec<PrefilterPattern<'_>>> {
        Some(vec![PrefilterPattern::of(PatternTerms::Groups(&self.any_of.ids))])
    }
}

#[cfg(engine)]
mod engine {
    use std::ops::Range;

    use super::Topics;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, SHOWN, Violation};
    use crate::provider::role;
    use crate::syntax::message::Message;
    use crate::text::groups::Groups;
    use crate::text::hit::Hit;
    use crate::text::scan::Scan;
    use crate::text::vocabulary::Language;

    impl RunCheck for Topics {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let scan = context.scan(text);
            if !scan.has_group(&self.any_of.ids) {
                return None;
            }
            let business = context.field(role::BUSINESS_NAME);
            if business.is_some_and(|name| context.scan(name).has_group(&self.unless_business.ids)) {
                return None;
            }
            let is_name = place.role == role::BUSINESS_NAME;
            let own = self.evidence(text, &scan, is_name, context);
            let mut names: Vec<&str> = own.iter().filter(|it| it.weight > WEAK).map(|it| it.topic).collect();
            if names.is_empty() {
                return None;
            }
            names.sort_unstable();
            names.dedup();
            let beside: Vec<Evidence<'_>> = self
                .beside
                .iter()
                .filter(|other| *other != place.role)
                .filter_map(|other| context.field(other))
                .flat_map(|other| self.evidence(other, &context.scan(other), false, context))
                .collect();
            let score = |name: &str| self.score(name, &own, &beside);
            let topic = names
                .into_iter()
                .max_by_key(|name| score(name))
                .filter(|it| score(it) >= u32::from(self.at_least))?;
            let mut shown: Vec<&Evidence<'_>> = own.iter().filter(|it| it.topic == topic).collect();
            shown.sort_by_key(|it| (std::cmp::Reverse(it.weight), it.hit.first));
            let ranges = shown.iter().take(SHOWN).map(|it| scan.words().range(it.hit.first, it.hit.last));
            let title = context.vocabulary().title(topic).unwrap_or(topic);
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

    /// The weight of a strong term.
    const STRONG: u16 = 3;

    /// The weight of a weak term.
    const WEAK: u16 = 1;

    /// How many weak terms count.
    const MOST_WEAK: u32 = 2;

    impl Topics {
        /// The weight of the terms of a topic, of which the text has some that are not weak; 0 if too few are strong.
        fn score(&self, topic: &str, own: &[Evidence<'_>], beside: &[Evidence<'_>]) -> u32 {
            let all = own.iter().chain(beside).filter(|it| it.topic == topic);
            let mut terms: Vec<(&str, u16)> = all.map(|it| (it.term.as_str(), it.weight)).collect();
            terms.sort_unstable();
            // Of a term with several weights, the last one is kept, which is the heaviest.
            terms.reverse();
            terms.dedup_by_key(|(term, _)| *term);
            let of = |weight: u16| terms.iter().filter(|it| it.1 == weight).count() as u32;
            let offered = of(2 * STRONG);
            if of(STRONG) + offered < u32::from(self.strong) {
                return 0;
            }
            (of(STRONG) + 2 * offered) * u32::from(STRONG) + of(2) * 2 + of(WEAK).min(MOST_WEAK)
        }

        /// The terms in a text that show one of the topics; of terms that overlap, the first and longest.
        fn evidence<'v>(
            &self,
            text: &str,
            scan: &Scan,
            is_name: bool,
            context: &Context<'v>,
        ) -> Vec<Evidence<'v>> {
            let of = |hit: &&Hit| hit.group.is_some_and(|group| self.any_of.has(group));
            let mut hits: Vec<&Hit> = scan.hits().iter().filter(of).collect();
            hits.sort_by_key(|hit| (hit.first, std::cmp::Reverse(hit.last)));
            let mut found: Vec<Evidence<'v>> = Vec::new();
            let around =
                Around { except: Spans::of(&self.except, scan), in_names: Spans::of(&self.in_names, scan) };
            let is_offer = |hit: &Hit| scan.sentence_has(scan.sentence_of(hit.first), &self.offered.ids);
            for hit in hits {
                if self.is_excused((text, scan), hit, is_name, &around, context) {
                    continue;
                }
                let name = hit.group.map(|group| context.vocabulary().name(group));
                let Some((topic, grade)) = name.and_then(|it| it.split_once('.')) else { continue };
                let weight = match grade {
                    "strong" if hit.group.is_some_and(|group| self.goods.has(group)) && is_offer(hit) => {
                        2 * STRONG
                    }
                    "strong" => STRONG,
                    "medium" => 2,
                    _ => WEAK,
                };
                let overlapping =
                    found.iter_mut().rev().take(4).find(|it| it.topic == topic && it.hit.overlaps(hit));
                if let Some(known) = overlapping {
                    // The same words can be strong in one topic and weak in another, but count once in each.
                    known.weight = known.weight.max(weight);
                    continue;
                }
                let words: Vec<&str> = (hit.first..=hit.last).map(|at| scan.words().word(at)).collect();
                found.push(Evidence { topic, weight, term: words.join(" "), hit: *hit });
            }
            found
        }

        fn is_excused(
            &self,
            (text, scan): (&str, &Scan),
            hit: &Hit,
            is_name: bool,
            around: &Around,
            context: &Context<'_>,
        ) -> bool {
            let sentence = scan.sentence_of(hit.first);
            let longer = around.except.begin_in(hit.first.saturating_sub(8)..hit.last + 1);
            scan.sentence_has(sentence, context.vocabulary().excuses())
                || scan.sentence_has(sentence, &self.unless.ids)
                || longer.iter().any(|it| it.longest >= hit.first)
                || scan.is_negated(hit)
                || is_in_name((text, scan), hit, &around.in_names)
                || !is_name && context.is_in_business_name(text, scan, hit)
        }
    }

    /// Terms in a text that change what those beside them mean.
    struct Around {
        except: Spans,
        in_names: Spans,
    }

    /// The terms of some groups in a text, by their first words: very many can begin with the same word.
    struct Spans(Vec<TermSpan>);

    /// The terms that begin with a word.
    struct TermSpan {
        first: usize,
        /// The last word of the shortest of them.
        shortest: usize,
        /// The last word of the longest.
        longest: usize,
    }

    impl Spans {
        fn of(groups: &Groups, scan: &Scan) -> Self {
            let mut spans: Vec<TermSpan> = Vec::new();
            let terms = scan.hits().iter().filter(|hit| hit.group.is_some_and(|group| groups.has(group)));
            for hit in terms {
                match spans.last_mut() {
                    Some(span) if span.first == hit.first => {
                        span.shortest = span.shortest.min(hit.last);
                        span.longest = span.longest.max(hit.last);
                    }
                    _ => spans.push(TermSpan { first: hit.first, shortest: hit.last, longest: hit.last }),
                }
            }
            Self(spans)
        }

        /// The terms whose first word is in a range of words.
        fn begin_in(&self, words: Range<usize>) -> &[TermSpan] {
            let before = |word: usize| self.0.partition_point(|span| span.first < word);
            &self.0[before(words.start)..before(words.end)]
        }
    }

    /// Whether a term in capitals is part of a name: Cannon Street, rue du Canon.
    fn is_in_name((text, scan): (&str, &Scan), hit: &Hit, in_names: &Spans) -> bool {
        if !scan.is_capital(text, hit.first) {
            return false;
        }
        // English puts such words behind the name; French and Spanish before it, with articles between.
        let languages = scan.languages_at(hit.first);
        let reach = if languages.are_known() && languages.may_be(Language::English) { 1 } else { 3 };
        let before = in_names.begin_in(hit.first.saturating_sub(reach)..hit.first);
        before.iter().any(|it| it.shortest < hit.first)
            || !in_names.begin_in(hit.last + 1..hit.last + 3).is_empty()
    }
}
