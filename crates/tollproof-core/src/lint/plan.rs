//! Which rules look at documents of a kind, and at which of their fields: found once for all documents.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use crate::checks::{Place, Trail};
use crate::lint::target::{walk, walk_steps};
use crate::provider::builtin::is_asked;
use crate::provider::data::KindData;
use crate::provider::kind::Kind;
use crate::provider::path::Path;
use crate::rule::{Rule, Target};
use crate::syntax::document::Node;

/// The rules for documents of a kind.
#[derive(Debug, Default)]
pub(super) struct KindPlan {
    /// The keys at the root that rules look at.
    keys: Vec<Cow<'static, str>>,
    /// The rules that refuse values.
    refusing: Vec<PlannedRule>,
    others: Vec<PlannedRule>,
}

/// How a target is found in documents of a kind.
#[derive(Debug)]
enum Reach {
    /// These documents cannot have the field.
    Never,
    /// Only a walk finds out.
    Walk,
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
    /// The index of the first step of the target behind the path.
    behind: usize,
}

/// The values of a document at the keys of a plan.
pub(super) type KeyNodes<'a> = SmallVec<[Option<&'a Node<'a>>; 32]>;

impl KindPlan {
    fn of(kind: Kind, rules: &[Rule]) -> Self {
        let mut plan = Self::default();
        for (at, rule) in rules.iter().enumerate() {
            if !rule.kinds.contains(kind.role()) || rule.check.content().is_none() {
                continue;
            }
            let targets: SmallVec<[Reach; 1]> =
                rule.at.iter().map(|target| plan.reach(kind, target)).collect();
            // A rule about fields that these documents cannot have is not planned.
            if targets.iter().all(|it| matches!(it, Reach::Never)) {
                continue;
            }
            // What a user's rule refuses is decided when all findings are known.
            let refuses = rule.refuses_value && !rule.is_own;
            let rules = if refuses { &mut plan.refusing } else { &mut plan.others };
            rules.push(PlannedRule { rule: at, targets });
        }
        plan
    }

    fn reach(&mut self, kind: Kind, target: &Target) -> Reach {
        let Some(Some(role)) = target.steps.first() else { return Reach::Walk };
        let (key, path, behind) = match kind.is_default() {
            true if is_asked(role) => return Reach::Never,
            true => (role, None, 1),
            false => {
                let path = match kind.data().paths(role) {
                    [] => return Reach::Never,
                    [(_, path)] => path,
                    _ => return Reach::Walk,
                };
                let (to_role, behind) = path.with_rest(&target.steps[1..]);
                let behind = target.steps.len() - behind.len();
                let Some(Some(key)) = to_role.first() else { return Reach::Walk };
                (key, Some((path, to_role.len())), behind)
            }
        };
        let known = self.keys.iter().position(|it| it == key);
        let key = known.unwrap_or_else(|| {
            self.keys.push(key.clone());
            self.keys.len() - 1
        });
        Reach::At(PlannedTarget { key, path, behind })
    }

    /// The values of a document that its rules look at.
    pub(super) fn nodes<'a>(&self, root: &'a Node<'a>) -> KeyNodes<'a> {
        self.keys.iter().map(|key| root.get(key)).collect()
    }

    /// The rules that refuse values, or the others.
    pub(super) fn rules(&self, refusing: bool) -> &[PlannedRule] {
        if refusing { &self.refusing } else { &self.others }
    }
}

impl PlannedRule {
    /// Hands over the values of the targets, until `see` has enough of one of them.
    pub(super) fn visit<'a>(
        &self,
        rule: &'a Rule,
        (kind, root, nodes): (Kind, &'a Node<'a>, &[Option<&'a Node<'a>>]),
        see: &mut dyn FnMut(Place<'a>) -> bool,
    ) {
        for (target, planned) in rule.at.iter().zip(&self.targets) {
            let PlannedTarget { key, path, behind } = match planned {
                Reach::Never => continue,
                Reach::Walk => {
                    walk(target, kind, root, see);
                    continue;
                }
                Reach::At(planned) => planned,
            };
            let role = target.role().unwrap_or_default();
            let (steps, name) =
                path.map_or((&target.steps[..1], role), |(path, taken)| (&path.steps[..taken], path.name));
            let Some((Some(first), steps)) = steps.split_first() else { continue };
            let trail = Trail::Key(first);
            let node = nodes.get(*key).copied().flatten();
            let place = Place { node, trail, field: name, role };
            let behind = &target.steps[*behind..];
            match (steps, behind) {
                ([], []) => {
                    see(place);
                }
                ([], _) => {
                    walk_steps(behind, place, see);
                }
                _ => {
                    walk_steps(steps, place, &mut |place| walk_steps(behind, place, see));
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
