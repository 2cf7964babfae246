//! Suggests a similar name for an unknown one: fields, closed values, rules, kinds, keys of rule files.

/// The most similar candidate, if one is similar enough.
///
/// Case, whitespace and separators are ignored; of the rest, about one letter in four may differ. A name may also be cut
/// short, if only one candidate begins with it.
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
    let candidates: Vec<&'c str> = candidates.into_iter().collect();
    let nearest = candidates.iter().filter_map(|it| near(it)).min_by_key(|&(distance, _)| distance);
    nearest.map(|(_, it)| it).or_else(|| {
        // The beginning of only one name is short for it: `warn` for `warning`.
        let mut longer =
            candidates.iter().filter(|candidate| wanted.len() >= 4 && bare(candidate).starts_with(&wanted));
        longer.next().copied().filter(|_| longer.next().is_none())
    })
}

/// The end of a message: `; did you mean ...?`, or an empty string.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

/// The letters and digits of a string in lower case, to compare names without case, whitespace and separators.
pub fn bare(text: &str) -> String {
    letters(text).collect()
}

/// Whether two names are the same without case, whitespace and separators.
pub fn is_same_name(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// The characters of a value in lower case, without whitespace and separators, for a comparison.
///
/// Signs such as `+` and `&` are kept, since they are part of the value.
pub fn without_form(text: &str) -> impl Iterator<Item = char> {
    let kept = text.chars().filter(|&character| !character.is_whitespace() && !",.-_'".contains(character));
    kept.flat_map(char::to_lowercase)
}
