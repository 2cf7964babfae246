//! The fields of requests by their names, for drafts in notes and programs, which spell them in many ways.

use std::collections::HashMap;
use std::sync::LazyLock;

use tollproof_data::provider::kind_role::KindRole;
use tollproof_data::suggest::bare;

use crate::prepared::PREPARED;
use crate::syntax::label_words;

/// A field of a provider's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldName {
    /// The index of the provider.
    pub(super) provider: usize,
    /// The key at the root of a payload.
    pub(super) key: &'static str,
    /// The role; empty for a field without one, and for an object of fields.
    pub(super) role: &'static str,
}

/// The longest name that is looked up.
const MAX_NAME: usize = 80;

/// All fields at the root of requests in all spellings, by their letters and digits.
static FIELDS: LazyLock<HashMap<String, Vec<FieldName>>> = LazyLock::new(|| {
    let mut fields: HashMap<String, Vec<FieldName>> = HashMap::new();
    for (provider, (_, data)) in PREPARED.providers.iter().enumerate().filter(|(_, (_, data))| !data.is_sheet)
    {
        let requests =
            data.kinds.iter().filter(|kind| matches!(kind.role, KindRole::Submit | KindRole::Update));
        for kind in requests {
            let roles = kind.roles.as_deref();
            for field in kind.shape.root_fields() {
                let is_it = |path: &&(&'static str, _)| {
                    let (_, path): &(_, tollproof_data::provider::path::Path) = path;
                    path.to_field() == [Some(field.name.as_str().into())]
                };
                let role = match roles {
                    None => PREPARED.roles.all.iter().find(|role| **role == field.name).copied(),
                    Some(roles) => roles.iter().find(is_it).map(|(role, _)| *role),
                };
                let named = fields.entry(bare(&field.name)).or_default();
                let name = FieldName { provider, key: &field.name, role: role.unwrap_or_default() };
                if !named.iter().any(|known| known.provider == provider && known.key == name.key) {
                    named.push(name);
                }
            }
        }
    }
    fields
});

/// The fields with a name, whatever its case and separators.
pub(super) fn named(name: &str) -> &'static [FieldName] {
    if name.len() > MAX_NAME || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return &[];
    }
    FIELDS.get(&bare(name)).map_or(&[], Vec::as_slice)
}

/// The number of some names that each provider has, with the index of the provider that has most of them, exact ones counted twice.
pub(super) fn best<'n>(names: impl Iterator<Item = &'n str>) -> Option<(usize, usize)> {
    let mut counts = vec![(0_usize, 0_usize); PREPARED.providers.len()];
    for name in names {
        let mut seen = vec![false; counts.len()];
        for field in named(name) {
            let (known, exact) = &mut counts[field.provider];
            *known += usize::from(!std::mem::replace(&mut seen[field.provider], true));
            *exact += usize::from(field.key == name);
        }
    }
    let best = counts.iter().enumerate().rev().max_by_key(|(_, (known, exact))| known + exact)?;
    Some((best.0, best.1.0)).filter(|(_, known)| *known > 0)
}

/// Whether a field is one of the texts that people write in their own words.
pub(super) fn is_text(role: &str) -> bool {
    PREPARED.roles.texts.contains(&role)
}

/// Ends of the names of passwords, tokens and keys.
const SECRETS: &str = "password|passwd|pwd|passphrase|secret|token|apikey|accesskey|accesskeyid|secretkey|privatekey\
    |authkey|authorization|accountsid";

/// Whether a name is that of a password, a token or a key.
pub(crate) fn is_secret(name: &str) -> bool {
    name.len() <= MAX_NAME && {
        let name = bare(name);
        SECRETS.split('|').any(|secret| name.ends_with(secret))
    }
}

/// Whether a text is only the name of its field, as in a form: `Business name`.
pub(super) fn is_title(key: &str, text: &str) -> bool {
    let (key, text) = (bare(key), bare(text));
    let is_part = |whole: &str, part: &str| whole.starts_with(part) || whole.ends_with(part);
    text.len() > 3 && (is_part(&key, &text) || is_part(&text, &key))
}

/// The names of fields as they are written in files: with and without separators between their words.
pub(super) fn in_files() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for field in FIELDS.values().flatten().filter(|field| has_words(field.key)) {
        let words = label_words::words_of_name(field.key);
        names.extend(["", "_", "-"].map(|separator| words.join(separator)));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a name consists of several words.
pub(super) fn has_words(name: &str) -> bool {
    name.contains('_') || name.chars().skip(1).any(char::is_uppercase)
}
