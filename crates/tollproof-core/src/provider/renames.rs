//! The field that an unknown name probably means: the nearest one, if the object does not have it yet.

use std::collections::BTreeMap;

use crate::provider::aliases;
use crate::suggest::{bare, nearest};
use crate::syntax::document::Node;

/// What the unknown names of one object probably mean.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    meant: BTreeMap<String, Nearest>,
    /// For each missing field, how many unknown names mean it.
    wanted: BTreeMap<&'static str, usize>,
    /// How many unknown names were compared.
    pub(crate) compared: usize,
}

#[derive(Clone, Copy, Debug)]
struct Nearest {
    name: &'static str,
    is_present: bool,
    /// Whether the match is an alias, as opposed to a similar spelling.
    is_alias: bool,
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
    /// A missing field that no other unknown name means.
    Free(&'static str),
}

impl Renames {
    /// Compares the first `most` unknown names of an object with the `fields` that it may have.
    pub(crate) fn of(object: &Node<'_>, fields: &[&'static str], most: usize) -> Self {
        let present: Vec<&str> = object.members().iter().map(|member| member.key.as_ref()).collect();
        let (there, missing): (Vec<&str>, Vec<&str>) = fields.iter().partition(|it| present.contains(it));
        let mut renames = Self::default();
        for key in present.iter().filter(|key| !fields.contains(key)).take(most) {
            renames.compared += 1;
            let found = alias_of(key, &there, &missing).or_else(|| nearest_of(key, &there, &missing));
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
            Some(Nearest { name, is_present: true, is_alias }) => {
                let is_slip = *is_alias || distance(key, name) * LETTERS_A_SLIP <= name.len();
                if is_slip { RenameTarget::Present(name) } else { RenameTarget::Nothing }
            }
            Some(Nearest { name, .. }) if self.wanted.get(name).is_some_and(|count| *count > 1) => {
                RenameTarget::Contested(name)
            }
            Some(Nearest { name, .. }) => RenameTarget::Free(name),
        }
    }
}

/// The field of which `key` is an alias. Missing fields are tried first.
fn alias_of(key: &str, there: &[&'static str], missing: &[&'static str]) -> Option<Nearest> {
    let of = |names: &[&'static str], is_present| {
        aliases::field(key, names).map(|name| Nearest { name, is_present, is_alias: true })
    };
    of(missing, false).or_else(|| of(there, true))
}

/// The field with the most similar name. If two are equally similar, the missing one.
fn nearest_of(key: &str, there: &[&'static str], missing: &[&'static str]) -> Option<Nearest> {
    let of = |names: &[&'static str]| nearest(key, names.iter().copied());
    match (of(missing), of(there)) {
        (None, None) => None,
        (Some(name), None) => Some(Nearest { name, is_present: false, is_alias: false }),
        (None, Some(name)) => Some(Nearest { name, is_present: true, is_alias: false }),
        (Some(missing), Some(there)) => {
            let is_present = distance(key, there) < distance(key, missing);
            Some(Nearest { name: if is_present { there } else { missing }, is_present, is_alias: false })
        }
    }
}

fn distance(one: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(&bare(one), &bare(other))
}
