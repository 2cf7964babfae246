//! Links to the privacy policy and the terms.

use url::Url;

use super::super::words::{TermPattern, folded, words};
use super::outline::{Link, Outline};

/// The longest text of a link to a policy, in characters. Others are sentences that mention it.
const LONGEST: usize = 60;

/// The most words of a name in a path that is that of a policy.
const MAX_PATH_WORDS: usize = 4;

/// The words that links to a policy have.
struct PolicyWords<'w> {
    paths: &'w TermPattern,
    texts: &'w TermPattern,
    /// Texts that name nothing but the policy.
    names: &'w TermPattern,
}

/// The links to the privacy policy and to the terms.
pub(super) fn policies(outline: &Outline, base: &Url) -> (Option<String>, Option<String>) {
    let words = words();
    let privacy =
        PolicyWords { paths: &words.privacy_paths, texts: &words.privacy_texts, names: &words.privacy_names };
    let terms =
        PolicyWords { paths: &words.terms_paths, texts: &words.terms_texts, names: &words.terms_names };
    let of = |rel, policy| best(outline, base, rel, policy);
    (of("privacy-policy", &privacy), of("terms-of-service", &terms))
}

/// The link that says most clearly that it leads to a policy.
fn best(outline: &Outline, base: &Url, rel: &str, policy: &PolicyWords<'_>) -> Option<String> {
    let mut best: Option<(u32, String)> = None;
    // A link to the top of the page leads nowhere.
    for link in outline.links.iter().filter(|link| link.href != "#" && !link.href.is_empty()) {
        let target = base.join(&link.href).ok().filter(|target| matches!(target.scheme(), "http" | "https"));
        let Some(target) = target.filter(|it| is_of_business(it, base)) else { continue };
        let score = score(link, &target, base, rel, policy);
        if score > 0 && best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, target.into()));
        }
    }
    best.map(|(_, target)| target)
}

/// Whether a policy at an address may be that of the business: not that of a tool, unless the page is one of it too.
fn is_of_business(target: &Url, base: &Url) -> bool {
    let (host, own) = (target.host_str().unwrap_or_default(), base.host_str().unwrap_or_default());
    // Documents and sites may be shared there.
    let is_shared = ["docs.", "drive.", "sites."].iter().any(|it| host.starts_with(it));
    host == own || is_shared || !words().tool_hosts.have_host(host)
}

fn score(link: &Link, target: &Url, base: &Url, rel: &str, policy: &PolicyWords<'_>) -> u32 {
    let has_rel = link.rel.split_whitespace().any(|it| it.eq_ignore_ascii_case(rel));
    let text = folded(&link.text);
    let has_text = text.chars().count() <= LONGEST && policy.texts.are_in(&text);
    // A long name is the title of an article.
    let names =
        target.path().split('/').filter(|segment| segment.split(['-', '_']).count() <= MAX_PATH_WORDS);
    let has_path = names.into_iter().any(|name| policy.paths.are_in(&folded(name).replace(['.', '_'], " ")));
    let is_own = target.host_str() == base.host_str();
    // A link of another site that only has the path may be the policy of a tool.
    if !(has_rel || has_text || (has_path && is_own)) {
        return 0;
    }
    let is_plain = has_text && policy.names.are_in(&text);
    [(has_rel, 16), (has_text, 8), (has_path, 4), (is_own, 2), (is_plain, 1)]
        .into_iter()
        .map(|(is_so, points)| points * u32::from(is_so))
        .sum()
}
