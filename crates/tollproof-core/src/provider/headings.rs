//! The fields that columns with names of their own probably are, as the page proposes them.

use super::kind::{Kind, KindRole, Provider};
use crate::prepared::PREPARED;
use crate::syntax::document::Node;
use crate::syntax::label_words::{likest, words_of};

/// The share of words that two headings must have in common.
const LIKE: f64 = 0.5;

/// The margin by which another provider must fit better than the sheet, if none is chosen.
const MORE: usize = 2;

/// A column with the field that it probably is.
pub(crate) type Proposal<'r> = (&'r str, &'static str);

/// The likely fields of the columns of a row that a provider does not know; without one, of the provider that fits best.
pub(crate) fn proposed<'r>(row: &'r Node<'_>, provider: Option<Provider>) -> Vec<Proposal<'r>> {
    let names = known_names();
    let of = |provider: Provider| {
        let kind = provider.kind(KindRole::Submit)?;
        let is_own = |key: &str| super::schema::field_names(kind).any(|name| name == key);
        let mut taken: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for key in row.members().iter().map(|member| member.key.as_ref()).filter(|key| !is_own(key)) {
            let field = role_called(key, &names, kind).map(|role| kind.field_name(role));
            let field = field.filter(|field| !taken.contains(field) && row.member(field).is_none());
            if let Some(field) = field {
                taken.push(field);
                found.push((key, field));
            }
        }
        Some(found)
    };
    if let Some(chosen) = provider {
        return of(chosen).unwrap_or_default();
    }
    let mut best: Vec<Proposal<'r>> = Vec::new();
    // The sheet is what tables are for, so it is tried first.
    let (sheets, others): (Vec<Provider>, Vec<Provider>) =
        Provider::all().iter().partition(|provider| provider.is_sheet());
    for (at, provider) in sheets.into_iter().chain(others).enumerate() {
        let found = of(provider).unwrap_or_default();
        if found.len() >= best.len() + if at == 0 { 0 } else { MORE } {
            best = found;
        }
    }
    best
}

/// The words of a name, and the role of the field with this name.
type KnownName = (Vec<String>, &'static str);

/// The names and titles of fields, and what people write in their place.
fn known_names() -> Vec<KnownName> {
    let submit = |provider: &Provider| provider.kind(KindRole::Submit);
    let titled = PREPARED.columns.headings.iter().flat_map(|(_, heading)| {
        let role = |provider: usize, path: &str| {
            submit(Provider::all().get(provider)?)?.role_of(&format!("/{}", path.replace("/*/", "/0/")))
        };
        let roles = heading.fields.iter().filter_map(move |field| role(field.provider, field.path));
        roles.map(|role| (words_of(heading.text), role))
    });
    let named = Provider::all().iter().filter_map(submit).flat_map(|kind| {
        kind.roles().flat_map(move |role| {
            let name = kind.field_name(role);
            [name, name.rsplit('.').next().unwrap_or(name), role].map(|name| (words_of(name), role))
        })
    });
    let written = PREPARED
        .roles
        .headings
        .iter()
        .flat_map(|(role, texts)| texts.iter().map(|text| (words_of(text), *role)));
    titled.chain(named).chain(written).collect()
}

/// The role that a heading means at a provider, if that is clear: the one with the same name, else the one whose name has
/// most words in common.
fn role_called(heading: &str, names: &[KnownName], kind: Kind) -> Option<&'static str> {
    let is_flat = |role: &str| kind.has(role) && kind.pointer_of(role).matches('/').count() == 1;
    let names = || names.iter().filter(|(_, role)| is_flat(role));
    let words = words_of(heading);
    let plain = words.concat();
    if plain.is_empty() {
        return None;
    }
    if let Some((_, role)) = names().find(|(name, _)| name.concat() == plain) {
        return Some(role);
    }
    likest(&words, names(), LIKE)
}

/// A `columns:` setting, in one line that can be pasted: `columns: { Ville: City, "No.": Zip }`.
pub(crate) fn setting(proposals: &[Proposal<'_>]) -> String {
    let is_plain = |text: &str| {
        text.starts_with(char::is_alphabetic)
            && text.chars().all(|letter| letter.is_alphanumeric() || " _-’'".contains(letter))
    };
    let written =
        |text: &str| if is_plain(text) { text.to_owned() } else { serde_json::Value::from(text).to_string() };
    let pairs = proposals.iter().map(|(column, field)| format!("{}: {}", written(column), written(field)));
    format!("columns: {{ {} }}", pairs.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    #[test]
    fn columns_of_people_are_proposed_as_fields() {
        let head = "Raison sociale,Site web,Adresse,Ville,Province,Code postal,Prénom,Nom de famille,Courriel,Téléphone,\
                    Volume mensuel,Cas d’usage,Résumé,Exemple de message,Consentement,Notes (2026)";
        let source = Source::new("a.csv", format!("{head}\n{}x\n", "x,".repeat(15)));
        let parsed = Parsed::of(&source, Some(Format::Csv));
        let only = parsed.only().expect("there is one");
        let row = only.document().root.as_ref().expect("a row");
        let found = proposed(row, None);
        for pair in [
            ("Raison sociale", "Business_Name"),
            ("Ville", "City"),
            ("Code postal", "Zip"),
            ("Courriel", "Business_Contact_Email"),
            ("Consentement", "Opt_In_Workflow_Description"),
        ] {
            assert!(found.contains(&pair), "{pair:?} in {found:?}");
        }
        let setting = setting(&found[..2]);
        assert_eq!(setting, "columns: { Raison sociale: Business_Name, Site web: Corporate_Website }");
        let twilio = Provider::named("twilio").expect("it is built in");
        assert!(proposed(row, Some(twilio)).contains(&("Ville", "BusinessCity")));
    }
}
