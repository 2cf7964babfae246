//! The field that an unknown name probably means: the nearest one, if the object does not have it yet.

use std::collections::BTreeMap;

use tollproof_data::suggest::{bare, nearest};

use crate::provider::aliases;
use crate::provider::kind::Kind;
use crate::syntax::document::Node;

/// The probable meanings of one object's unknown names.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    meant: BTreeMap<String, Nearest>,
    /// For each missing field, how many unknown names mean it.
    wanted: BTreeMap<&'static str, usize>,
    /// The number of compared unknown names.
    pub(crate) compared: usize,
}

#[derive(Clone, Copy, Debug)]
struct Nearest {
    name: &'static str,
    is_present: bool,
    /// Whether the match is an alias, as opposed to a similar spelling.
    is_alias: bool,
    /// Whether the provider's own older pages have this name.
    is_former: bool,
}

/// A typo is at most one wrong letter in this many. Otherwise short words match by chance, such as `node` and `code`.
const LETTERS_A_SLIP: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RenameTarget {
    /// No field is similar enough.
    Nothing,
    /// A field that the object already has.
    Present(&'static str),
    /// A missing field that several unknown names mean.
    Contested(&'static str),
    /// A missing field that no other unknown name means, and whether the provider itself once called it so.
    Free(&'static str, bool),
}

impl Renames {
    /// Compares the first `most` unknown names of an object with the `fields` that it may have.
    pub(crate) fn of(kind: Kind, object: &Node<'_>, fields: &[&'static str], most: usize) -> Self {
        let present: Vec<&str> = object.members().iter().map(|member| member.key.as_ref()).collect();
        let (there, missing): (Vec<&str>, Vec<&str>) = fields.iter().partition(|it| present.contains(it));
        let mut renames = Self::default();
        for key in present.iter().filter(|key| !fields.contains(key)).take(most) {
            renames.compared += 1;
            let found = former_of(kind, key, &there, &missing)
                .or_else(|| alias_of(kind, key, &there, &missing))
                .or_else(|| nearest_of(key, &there, &missing));
            let Some(found) = found else { continue };
            if !found.is_present {
                *renames.wanted.entry(found.name).or_default() += 1;
            }
            renames.meant.insert((*key).to_owned(), found);
        }
        renames
    }

    /// The field that an unknown name of the object probably means.
    pub(crate) fn meant(&self, key: &str) -> RenameTarget {
        match self.meant.get(key) {
            None => RenameTarget::Nothing,
            Some(Nearest { name, is_present: true, is_alias, .. }) => {
                let is_slip = *is_alias || distance(key, name) * LETTERS_A_SLIP <= name.len();
                if is_slip { RenameTarget::Present(name) } else { RenameTarget::Nothing }
            }
            Some(Nearest { name, .. }) if self.wanted.get(name).is_some_and(|count| *count > 1) => {
                RenameTarget::Contested(name)
            }
            Some(Nearest { name, is_former, .. }) => RenameTarget::Free(name, *is_former),
        }
    }
}

/// The field that the provider's own older pages call `key`.
fn former_of(kind: Kind, key: &str, there: &[&'static str], missing: &[&'static str]) -> Option<Nearest> {
    let key = bare(key);
    let mut known = kind.provider().0.aliases.iter();
    let (field, _) = known.find(|(_, names)| names.contains(&key.as_str()))?;
    let field = bare(field);
    let of = |names: &[&'static str], is_present| {
        let name = *names.iter().find(|name| bare(name) == field)?;
        Some(Nearest { name, is_present, is_alias: true, is_former: true })
    };
    of(missing, false).or_else(|| of(there, true))
}

/// The field of which `key` is an alias, or whose role it names. Missing fields are tried first.
fn alias_of(kind: Kind, key: &str, there: &[&'static str], missing: &[&'static str]) -> Option<Nearest> {
    let of = |names: &[&'static str], is_present| {
        let name = aliases::field(key, names).or_else(|| of_role(kind, key, names))?;
        Some(Nearest { name, is_present, is_alias: true, is_former: false })
    };
    of(missing, false).or_else(|| of(there, true))
}

/// The field among `names` with the role that a name means.
fn of_role(kind: Kind, key: &str, names: &[&'static str]) -> Option<&'static str> {
    let roles = kind.data().roles.as_ref()?;
    let wanted = bare(key);
    let meant = |role: &&'static str| bare(role) == wanted || aliases::field(key, &[*role]).is_some();
    let mut fields = roles.iter().filter(|(role, _)| meant(role)).filter_map(|(_, path)| path.last_key());
    fields.find_map(|field| names.iter().find(|name| **name == field).copied())
}

/// The field with the most similar name. If two are equally similar, the missing one.
fn nearest_of(key: &str, there: &[&'static str], missing: &[&'static str]) -> Option<Nearest> {
    let of = |names: &[&'static str]| nearest(key, names.iter().copied());
    match (of(missing), of(there)) {
        (None, None) => None,
        (Some(name), None) => Some(Nearest { name, is_present: false, is_alias: false, is_former: false }),
        (None, Some(name)) => Some(Nearest { name, is_present: true, is_alias: false, is_former: false }),
        (Some(missing), Some(there)) => {
            let is_present = distance(key, there) < distance(key, missing);
            Some(Nearest {
                name: if is_present { there } else { missing },
                is_present,
                is_alias: false,
                is_former: false,
            })
        }
    }
}

fn distance(one: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(&bare(one), &bare(other))
}
