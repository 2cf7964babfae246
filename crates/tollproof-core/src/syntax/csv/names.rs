//! The names of columns as a provider spells them.

use std::collections::HashSet;
use std::sync::LazyLock;

use tollproof_data::prepared::TitledField;
use tollproof_data::suggest::bare;

use crate::prepared::PREPARED;
use crate::syntax::column_names::ColumnNames;
use crate::syntax::label_words::words_of;

/// Whether a column is a field: one that the user maps, or one in any spelling of any provider.
pub(super) fn is_field(column: &str, names: &ColumnNames) -> bool {
    names.field(column).is_some() || !spellings(column).is_empty()
}

/// The fields with a name, each with its bits.
fn spellings(column: &str) -> &'static [(&'static str, u32)] {
    let (name, names) = (bare(column), &PREPARED.columns.names);
    names.binary_search_by_key(&name.as_str(), |(name, _)| name).map_or(&[], |at| &names[at].1)
}

/// The names of columns as one provider spells them: the one that has most of the names, counted twice where they are
/// spelled exactly so. `None` for a column that is spelled so, or is not one of its fields.
pub(super) fn spelled(columns: &[&str]) -> Vec<Option<&'static str>> {
    let known: Vec<_> = columns.iter().map(|column| (*column, spellings(column))).collect();
    let exact = |column: &str, (key, _): &(&str, u32)| *key == column;
    let mut counts = [0_usize; 32];
    for (column, keys) in &known {
        let all = keys.iter().fold(0, |all, (_, bits)| all | bits);
        let own = keys.iter().find(|key| exact(column, key)).map_or(0, |(_, bits)| *bits);
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += (all >> bit & 1) as usize + (own >> bit & 1) as usize;
        }
    }
    // Of several, the first one.
    let best = counts.iter().enumerate().rev().max_by_key(|(_, count)| **count).map_or(0, |(bit, _)| bit);
    let of_best = |(column, keys): &(&str, &'static [(&'static str, u32)])| {
        let (key, _) = keys.iter().find(|(_, bits)| bits >> best & 1 == 1)?;
        (key != column).then_some(*key)
    };
    known.iter().map(of_best).collect()
}

/// With fewer titles above columns, a table is not read by them.
const TITLES: usize = 4;
/// Parts of the names of fields about messages and consent.
const MESSAGES: [&str; 4] = ["usecase", "message", "optin", "summary"];

/// The fields of the provider whose titles most columns have, as the page writes them in any language. `None` if most
/// columns have other names.
pub(super) fn titled(columns: &[&str]) -> Option<Vec<Option<TitledField>>> {
    let headings = &PREPARED.columns.headings;
    let fields = |column: &&str| {
        let name = bare(column);
        headings
            .binary_search_by_key(&name.as_str(), |(name, _)| name)
            .map_or(&[][..], |at| &headings[at].1.fields)
    };
    let known: Vec<&[TitledField]> = columns.iter().map(fields).collect();
    let of = |provider: usize| {
        known.iter().filter(move |fields| fields.iter().any(|field| field.provider == provider)).count()
    };
    let nested = |provider: usize| {
        let of = |field: &&TitledField| field.provider == provider && field.path.contains('/');
        known.iter().copied().flatten().filter(of).count()
    };
    let providers = known.iter().copied().flatten().map(|field| field.provider).max()? + 1;
    // The page writes titles where a provider has fields inside fields.
    let best = (0..providers).rev().max_by_key(|provider| (of(*provider), nested(*provider)))?;
    let named = columns.iter().filter(|column| !spellings(column).is_empty()).count();
    let fields = || known.iter().map(|titled| titled.iter().find(|field| field.provider == best).copied());
    // A list of addresses has titles as well, but nothing about messages.
    let tells = |field: TitledField| MESSAGES.iter().any(|part| bare(field.path).contains(part));
    let is_most = 2 * of(best) > columns.len() && of(best) > named;
    let is_titled = of(best) >= TITLES && is_most && fields().flatten().any(tells);
    is_titled.then(|| fields().collect())
}

/// A row with so many labels is the header row, if no row has names of fields.
const LABELLED: usize = 3;

/// The titles of fields and what people write in their place, in any language, by their words.
static LABELS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let titles = PREPARED.columns.headings.iter().map(|(_, heading)| heading.text);
    let written = PREPARED.roles.headings.iter().flat_map(|(_, texts)| texts.iter().copied());
    let labels = titles.chain(written).map(|label| words_of(label).concat());
    labels.filter(|label| !label.is_empty()).collect()
});

/// Whether several columns have labels that people write, whatever the provider.
pub(super) fn labelled(columns: &[&str]) -> bool {
    let is_label = |column: &&&str| LABELS.contains(&words_of(column).concat());
    columns.iter().filter(is_label).take(LABELLED).count() == LABELLED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_spelled_as_most_of_them() {
        let spelled = |columns: &[&str]| -> Vec<String> {
            let new = super::spelled(columns).into_iter();
            new.zip(columns).map(|(new, old)| new.unwrap_or(old).to_owned()).collect()
        };
        for (columns, expected) in [
            (
                vec!["Business Name", "Business_Addr1", "City"],
                vec!["Business_Name", "Business_Addr1", "City"],
            ),
            (vec!["BUSINESS NAME", "USE CASE CATEGORY"], vec!["Business_Name", "Use_Case_Category"]),
            (
                vec!["Business Name", "Use Case Category", "ISVReseller"],
                vec!["Business Name", "Use Case Category", "ISV Reseller"],
            ),
            (vec!["businessName", "useCase", "City hall"], vec!["businessName", "useCase", "City hall"]),
            (vec!["BusinessName", "businessCity"], vec!["businessName", "businessCity"]),
        ] {
            assert_eq!(spelled(&columns), expected);
        }
    }

    #[test]
    fn a_mapped_column_is_found_in_any_writing() {
        let names = [("Company Name".to_owned(), "Business_Name".to_owned())].into_iter().collect();
        assert!(is_field("COMPANY_NAME", &names) && is_field("zip", &names) && !is_field("Ship to", &names));
    }
}
