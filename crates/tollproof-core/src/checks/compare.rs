//! `compare`: a text whose meanings do not fit those of another field.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::checks::spec::CheckSpec;
use crate::text::groups::Groups;

/// A text whose meanings do not fit another field. By default, both texts have some of the groups, and none in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    /// The groups that are compared: the text has at least one of them, and the other field none that the text has.
    pub facts: Groups,
    /// The other field.
    pub with: String,
    /// Groups of which the other field has at least one, so that it says something about the matter. It has none of
    /// `facts`.
    #[serde(default)]
    pub against: Groups,
    /// For values of the other field, the groups that fit them: the text has none of those, but other `facts`. Values
    /// that are not listed fit everything.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Groups>"))]
    pub expects: ExpectedGroups,
    /// Groups; nothing is reported if either text has one of them.
    #[serde(default)]
    pub unless: Groups,
}

/// The groups that fit each value of a field. Read from YAML as a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExpectedGroups(Vec<(String, Groups)>);

impl Serialize for ExpectedGroups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.collect_map(self.0.iter().map(|(value, groups)| (value, groups))),
            false => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ExpectedGroups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => BTreeMap::deserialize(deserializer).map(|map| Self(map.into_iter().collect())),
            false => Vec::deserialize(deserializer).map(Self),
        }
    }
}

impl CheckSpec for Compare {
    const FILLS: &'static [&'static str] = &["value", "match", "other"];

    fn lacks(&self) -> Option<&'static str> {
        self.facts.is_empty().then_some("`facts`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        let expected = self.expects.0.iter_mut().map(|(_, groups)| groups);
        expected.chain([&mut self.facts, &mut self.against, &mut self.unless]).collect()
    }
}

#[cfg(engine)]
pub(super) use self::engine::stated;

#[cfg(engine)]
mod engine {
    use std::ops::Range;

    use smallvec::SmallVec;

    use super::Compare;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, SHOWN, Violation};
    use crate::text::groups::Groups;
    use crate::text::hit::{GroupId, Hit};
    use crate::text::scan::Scan;

    impl RunCheck for Compare {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let others = context.told(&self.with);
            let mut found = None;
            // Of several values, one that fits is enough.
            for (value, other) in &others {
                found = Some(self.compare(place, (value, other), context)?);
            }
            found
        }
    }

    impl Compare {
        /// Compares the text with a value of the other field, which is given with the text that it means.
        fn compare(
            &self,
            place: &Place<'_>,
            (value, other): (&str, &str),
            context: &Context<'_>,
        ) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let scan = context.scan(text);
            if !self.expects.0.is_empty() {
                let (_, fitting) = self.expects.0.iter().find(|(expected, _)| expected == other)?;
                if scan.has_group(&fitting.ids) || scan.has_group(&self.unless.ids) {
                    return None;
                }
                let own = stated((text, &scan), &self.facts, context);
                return Some(marked(ranges(&own, &scan), text, node, context)?.fill("other", value));
            }
            let other_scan = context.scan(other);
            let is_excused = |scan: &Scan| scan.has_group(&self.unless.ids);
            if !scan.has_group(&self.facts.ids) || is_excused(&scan) || is_excused(&other_scan) {
                return None;
            }
            if self.agree((text, &scan), (other, &other_scan), context) {
                return None;
            }
            let own = stated((text, &scan), &self.facts, context);
            let others = stated((other, &other_scan), &self.facts, context);
            let is_apart = match self.against.is_empty() {
                true => !others.is_empty(),
                false => {
                    others.is_empty() && !stated((other, &other_scan), &self.against, context).is_empty()
                }
            };
            if own.is_empty() || !is_apart {
                return None;
            }
            let shown = others
                .first()
                .copied()
                .or_else(|| stated((other, &other_scan), &self.against, context).first().copied());
            let said =
                |scan: &Scan, text: &str, hit: &Hit| text[scan.words().range(hit.first, hit.last)].to_owned();
            let found = shown.map(|hit| said(&other_scan, other, &hit)).unwrap_or_default();
            Some(marked(ranges(&own, &scan), text, node, context)?.fill("other", found.as_str()))
        }
    }

    impl Compare {
        /// Whether two texts state a group in common, as most do.
        fn agree(&self, text: (&str, &Scan), other: (&str, &Scan), context: &Context<'_>) -> bool {
            // The same group is looked for once, however often a text repeats it.
            let mut seen: SmallVec<[Option<GroupId>; 8]> = SmallVec::new();
            statements(text, &self.facts, |group| self.facts.has(group), context).any(|hit| {
                if seen.contains(&hit.group) {
                    return false;
                }
                seen.push(hit.group);
                statements(other, &self.facts, |group| Some(group) == hit.group, context).next().is_some()
            })
        }
    }

    fn ranges(hits: &[Hit], scan: &Scan) -> Vec<Range<usize>> {
        hits.iter().take(SHOWN).map(|hit| scan.words().range(hit.first, hit.last)).collect()
    }

    /// The terms of the groups that a text states about the present.
    pub(in crate::checks) fn stated(text: (&str, &Scan), groups: &Groups, context: &Context<'_>) -> Vec<Hit> {
        statements(text, groups, |group| groups.has(group), context).copied().collect()
    }

    /// The terms of some groups among `groups` that a text states about the present.
    fn statements<'s>(
        (text, scan): (&'s str, &'s Scan),
        groups: &'s Groups,
        is_wanted: impl Fn(GroupId) -> bool + 's,
        context: &'s Context<'_>,
    ) -> impl Iterator<Item = &'s Hit> {
        let excuses = context.vocabulary().excuses();
        // Most sentences have none of the groups, and need no look at their terms.
        let tells = move |at: usize| scan.sentence_has(at, &groups.ids) && !scan.sentence_has(at, excuses);
        let sentences = if scan.has_group(&groups.ids) { scan.sentences() } else { &[] };
        sentences
            .iter()
            .enumerate()
            .filter(move |(at, _)| tells(*at))
            .flat_map(|(_, words)| scan.hits_in(words))
            .filter(move |hit| hit.group.is_some_and(&is_wanted))
            .filter(move |hit| !scan.is_negated(hit) && !context.is_in_business_name(text, scan, hit))
    }
}
