//! The did-you-mean of every list: fields, closed values, rules, kinds, keys of rule files.

/// The candidate that was probably meant, if one is near enough.
///
/// Case, blanks and separators do not count; of the rest, about one letter in four may be wrong.
#[must_use]
pub fn nearest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = bare(text);
    if wanted.is_empty() || wanted.len() > 120 {
        return None;
    }
    let near = |candidate: &'c str| {
        let bare = bare(candidate);
        let distance = strsim::damerau_levenshtein(&wanted, &bare);
        let allowed = wanted.chars().count().max(bare.chars().count()).div_ceil(4).min(4);
        (distance <= allowed).then_some((distance, candidate))
    };
    candidates.into_iter().filter_map(near).min_by_key(|&(distance, _)| distance).map(|(_, it)| it)
}

/// The tail of a message: `; did you mean ...?`, or nothing.
#[must_use]
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

/// The letters and digits alone, in lower case: what remains when case, blanks and separators do not count.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A value without its form: the letters, digits and signs that remain when case, blanks and separators do not count.
///
/// A `+` or `&` is part of what a value says.
pub(crate) fn without_form(text: &str) -> impl Iterator<Item = char> {
    let kept = text.chars().filter(|&it| !it.is_whitespace() && !",.-_'".contains(it));
    kept.flat_map(char::to_lowercase)
}
