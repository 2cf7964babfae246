//! The rules for documents of a kind, and the fields they look at: found once for all documents.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;
use tollproof_data::provider::data::KindData;
use tollproof_data::provider::path::Path;

use crate::checks::{Place, Trail};
use crate::provider::builtin::is_asked;
use crate::provider::kind::Kind;
use crate::provider::schema::field_names;
use crate::rule::target::{walk, walk_steps};
use crate::rule::{Rule, Target};
use crate::syntax::document::{Member, Node};

/// The rules for documents of a kind.
#[derive(Debug, Default)]
pub(super) struct KindPlan {
    /// The keys at the root that rules look at.
    keys: Vec<Cow<'static, str>>,
    /// The rules that refuse values.
    refusing: Vec<PlannedRule>,
    others: Vec<PlannedRule>,
    /// The rules that need what was seen of pages.
    of_seen: Vec<PlannedRule>,
}

/// The way to find a target in documents of a kind.
#[derive(Debug)]
enum Reach {
    /// These documents cannot have the field.
    Never,
    /// Only a walk finds out.
    Walk,
    /// It is the value at a key of the root, by the index of the key; the role has the same name.
    Root(usize),
    At(PlannedTarget),
}

/// A rule with a check of content.
#[derive(Debug)]
pub(super) struct PlannedRule {
    /// The index of the rule.
    pub(super) rule: usize,
    /// For each of its targets, where in the documents it is.
    targets: SmallVec<[Reach; 1]>,
}

/// A target that begins with a key at the root.
#[derive(Debug)]
struct PlannedTarget {
    /// The index of the key.
    key: usize,
    /// The path of the role, and how many of its steps are taken. `None` for a role at the root under its own name.
    path: Option<(&'static Path, usize)>,
    /// The index of the first step of the target after the path.
    after: usize,
}

/// A document, and its values at the keys of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedDocument<'a, 'v> {
    pub(super) kind: Kind,
    pub(super) root: &'a Node<'a>,
    pub(super) values: &'v [KeyValue<'a>],
}

/// The value at a key of the root.
pub(super) type KeyValue<'a> = Option<&'a Node<'a>>;

impl KindPlan {
    fn of(kind: Kind, rules: &[Rule]) -> Self {
        // In the order of the schema, in which documents usually have them.
        let keys = field_names(kind).map(Cow::Borrowed).collect();
        let mut plan = Self { keys, ..Self::default() };
        for (at, rule) in rules.iter().enumerate() {
            if !rule.kinds.contains(kind.role()) || !rule.has_content_check {
                continue;
            }
            let targets: SmallVec<[Reach; 1]> =
                rule.at.iter().map(|target| plan.reach(kind, target)).collect();
            // A rule about fields that these documents cannot have is not planned.
            if targets.iter().all(|it| matches!(it, Reach::Never)) {
                continue;
            }
            // What a user's rule refuses is decided when all findings are known.
            let planned = if rule.needs_seen {
                &mut plan.of_seen
            } else if rule.refuses_value && !rule.is_own {
                &mut plan.refusing
            } else {
                &mut plan.others
            };
            planned.push(PlannedRule { rule: at, targets });
        }
        plan
    }

    fn reach(&mut self, kind: Kind, target: &Target) -> Reach {
        let Some(Some(role)) = target.steps.first() else { return Reach::Walk };
        let (key, path, after) = if kind.is_default() {
            (role, None, 1)
        } else {
            let path = match kind.data().paths(role) {
                [] => return Reach::Never,
                [(_, path)] => path,
                _ => return Reach::Walk,
            };
            let (to_role, after) = path.with_rest(&target.steps[1..]);
            let after = target.steps.len() - after.len();
            let Some(Some(key)) = to_role.first() else { return Reach::Walk };
            (key, Some((path, to_role.len())), after)
        };
        let known = self.keys.iter().position(|it| it == key);
        if known.is_none() && kind.is_default() && is_asked(role) {
            return Reach::Never;
        }
        let key = known.unwrap_or_else(|| {
            self.keys.push(key.clone());
            self.keys.len() - 1
        });
        match (path, target.steps.len()) {
            (None, 1) => Reach::Root(key),
            _ => Reach::At(PlannedTarget { key, path, after }),
        }
    }

    /// The values of a document that its rules look at.
    pub(super) fn values<'a>(&self, root: &'a Node<'a>) -> Vec<KeyValue<'a>> {
        let mut values = vec![None; self.keys.len()];
        let mut next = 0;
        for Member { key, value, .. } in root.members() {
            let found = (next..values.len()).chain(0..next).find(|at| self.keys[*at] == *key);
            let Some(at) = found.filter(|at| values[*at].is_none()) else { continue };
            values[at] = Some(value);
            next = at + 1;
        }
        values
    }

    /// The rules that refuse values.
    pub(super) fn refusing(&self) -> &[PlannedRule] {
        &self.refusing
    }

    /// The rules that do not refuse values.
    pub(super) fn others(&self) -> &[PlannedRule] {
        &self.others
    }

    /// The rules that need what was seen of pages, and find nothing without it.
    pub(super) fn of_seen(&self) -> &[PlannedRule] {
        &self.of_seen
    }
}

impl PlannedRule {
    /// Hands over the values of the targets, until `see` has enough of one of them.
    pub(super) fn visit<'a>(
        &self,
        rule: &'a Rule,
        document: PlannedDocument<'a, '_>,
        see: &mut dyn FnMut(Place<'a>) -> bool,
    ) {
        let PlannedDocument { kind, values, .. } = document;
        // Most rules look at one field of the root.
        if let ([target], [Reach::Root(key)]) = (rule.at.as_slice(), self.targets.as_slice()) {
            see(self.place_at_root(target, values[*key]));
            return;
        }
        if rule.at.len() == 1 || kind.is_default() {
            return self.visit_all(rule, document, see);
        }
        // Where one field has several roles of a rule, it is looked at once.
        let mut seen: Vec<*const Node<'_>> = Vec::new();
        self.visit_all(rule, document, &mut |place| {
            let node = place.node.map(std::ptr::from_ref);
            let is_seen = node.is_some_and(|it| seen.contains(&it));
            seen.extend(node);
            is_seen || see(place)
        });
    }

    /// The place of a value at a key of the root that has the name of its role.
    fn place_at_root<'a>(&self, target: &'a Target, value: KeyValue<'a>) -> Place<'a> {
        let role = target.role().unwrap_or_default();
        Place { node: value, trail: Trail::Key(role), field: role, role }
    }

    fn visit_all<'a>(
        &self,
        rule: &'a Rule,
        document: PlannedDocument<'a, '_>,
        see: &mut dyn FnMut(Place<'a>) -> bool,
    ) {
        let PlannedDocument { kind, root, values } = document;
        for (target, planned) in rule.at.iter().zip(&self.targets) {
            let PlannedTarget { key, path, after } = match planned {
                Reach::Never => continue,
                Reach::Walk => {
                    walk(target, kind, root, see);
                    continue;
                }
                Reach::Root(key) => {
                    see(self.place_at_root(target, values[*key]));
                    continue;
                }
                Reach::At(planned) => planned,
            };
            let role = target.role().unwrap_or_default();
            let (steps, name) =
                path.map_or((&target.steps[..1], role), |(path, taken)| (&path.steps[..taken], path.name));
            let Some((Some(first), steps)) = steps.split_first() else { continue };
            let trail = Trail::Key(first);
            let place = Place { node: values[*key], trail, field: name, role };
            let after = &target.steps[*after..];
            match (steps, after) {
                ([], []) => {
                    see(place);
                }
                ([], _) => {
                    walk_steps(after, place, see);
                }
                _ => {
                    walk_steps(steps, place, &mut |place| walk_steps(after, place, see));
                }
            }
        }
    }
}

/// The plans of a set of rules, made when the first document of a kind is checked.
#[derive(Debug, Default)]
pub(super) struct KindPlans(Mutex<Vec<(&'static KindData, Arc<KindPlan>)>>);

impl KindPlans {
    /// The plan of a kind.
    pub(super) fn of(&self, kind: Kind, rules: &[Rule]) -> Arc<KindPlan> {
        let mut plans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The data of a kind differ from one spelling of its keys to another.
        if let Some((_, plan)) = plans.iter().find(|(known, _)| std::ptr::eq(*known, kind.data())) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(KindPlan::of(kind, rules));
        plans.push((kind.data(), Arc::clone(&plan)));
        plan
    }
}
