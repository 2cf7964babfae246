//! `url`: web addresses, as the whole value or inside a text.

use std::ops::Range;

use smallvec::SmallVec;
use tollproof_data::checks::Url;
use tollproof_data::tables::web::HOME_PAGES;

use crate::checks::{Context, Place, SHOWN, Violation, labelled};
use crate::finding::{Safety, Severity};
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};
use crate::validators::host;
use crate::validators::url::{Address, Malformed, Scheme};

pub(super) fn check(check: &Url, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    if check.within_text {
        return within(check, text, node, context);
    }
    let trimmed = text.trim();
    if context.kind.takes_one_text(place.role) && is_list(trimmed) {
        return None;
    }
    // Where an address is required, the schema refuses an empty one.
    if trimmed.is_empty() {
        return None;
    }
    let read = context.address(text);
    let address = match read.as_ref() {
        Ok(address) => address,
        Err(malformed) => {
            return check.malformed.then(|| self::malformed(malformed, trimmed, node, context));
        }
    };
    // A rule about the whole form of an address asks for https as well, but http is only probably refused.
    let is_insecure = check.malformed && check.insecure && address.scheme == Scheme::Http;
    let reason = reason(check, address, context)?;
    let start = text.len() - text.trim_start().len();
    let part = reason.part.and_then(|(place, part)| within_component(trimmed, place, part));
    let range = part.unwrap_or(0..trimmed.len());
    let span = context.inner(node, start + range.start..start + range.end);
    let why = if is_insecure { message!("it {}", reason.what) } else { reason.what.clone() };
    let explained = is_explained(check, address, context).then_some(Severity::Info);
    let severity = is_insecure.then_some(Severity::Warning).or(explained);
    let violation = Violation { severity, ..Violation::at(span) };
    Some(violation.fill("match", reason.what).fill("reason", why))
}

/// Whether a text is several addresses, as providers without a list for them take it.
fn is_list(text: &str) -> bool {
    let is_address = |part: &str| part.is_empty() || part.trim().starts_with("http");
    let several = text.split([';', ',', ' ', '\n']).filter(|part| !part.trim().is_empty());
    several.clone().count() > 1 && several.map(str::trim).all(is_address)
}

/// The problem of a URL, and the part of it to underline.
struct UrlReason<'a> {
    what: Message,
    part: Option<(Component, &'a str)>,
}

/// A component of an address.
#[derive(Clone, Copy)]
enum Component {
    Host,
    Path,
    Query,
    Fragment,
}

/// Finds a whole word or name in a component of an address, as it is written.
fn within_component(address: &str, component: Component, part: &str) -> Option<Range<usize>> {
    let start = address.find("://").map_or(0, |at| at + 3);
    let end_at =
        |from: usize, ends: &[char]| address[from..].find(ends).map_or(address.len(), |at| from + at);
    let path = end_at(start, &['/', '\\', '?', '#']);
    let query = end_at(path, &['?', '#']);
    let fragment = end_at(query, &['#']);
    let range = match component {
        Component::Host => start..path,
        Component::Path => path..query,
        Component::Query => query..fragment,
        Component::Fragment => fragment..address.len(),
    };
    let written = address[range.clone()].to_ascii_lowercase();
    let part = part.to_ascii_lowercase();
    let is_apart = |at: usize| {
        let end = at + part.len();
        !written[..at].ends_with(char::is_alphanumeric) && !written[end..].starts_with(char::is_alphanumeric)
    };
    let at = written.match_indices(&part).map(|(at, _)| at).find(|at| is_apart(*at))?;
    Some(range.start + at..range.start + at + part.len())
}

/// Whether what looks like an address in a text is the name of the business: `Roadcall.ai: your tow truck is here`.
pub(super) fn is_sender(text: &str, range: &Range<usize>, address: &Address, context: &Context<'_>) -> bool {
    let written = &text[range.clone()];
    let is_first = range.start == 0 && text[range.end..].starts_with(':');
    let in_name = || context.field(role::BUSINESS_NAME).is_some_and(|name| name.contains(written));
    let is_host = address.scheme == Scheme::Missing && written.eq_ignore_ascii_case(&address.host);
    is_host && !written.starts_with("www.") && (is_first || in_name())
}

fn within(check: &Url, text: &str, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let scan = context.scan(text);
    let addresses = scan.addresses(text);
    if addresses.is_empty() && !check.reserved {
        return None;
    }
    let bad: SmallVec<[_; 1]> = addresses
        .iter()
        .filter(|(range, address)| !is_sender(text, range, address, context))
        .filter_map(|(range, address)| {
            let what = reason(check, address, context)?.what;
            Some((range.clone(), what, is_explained(check, address, context)))
        })
        .chain(reserved_mail(check, text).map(|(range, what)| (range, what, false)))
        .take(SHOWN)
        .collect();
    let what = bad.first()?.1.clone();
    let is_bare = |(range, address): &(Range<usize>, Address)| {
        address.scheme == Scheme::Missing || !bad.iter().any(|(it, ..)| it == range)
    };
    // Phones open an address without a scheme too.
    let is_mild =
        check.insecure && addresses.iter().all(is_bare) || bad.iter().all(|(.., is_explained)| *is_explained);
    let severity = is_mild.then_some(Severity::Info);
    let spans = bad.into_iter().map(|(range, ..)| context.inner(node, range)).collect();
    let violation = Violation { severity, ..labelled(spans)? };
    Some(violation.fill("match", what))
}

/// Whether the draft says whose domain an address at another one has.
fn is_explained(check: &Url, address: &Address, context: &Context<'_>) -> bool {
    check.foreign && address.registrable().is_some_and(|domain| context.explains(domain))
}

/// E-mail addresses in a text whose domain is reserved for examples.
fn reserved_mail<'t>(check: &Url, text: &'t str) -> impl Iterator<Item = (Range<usize>, Message)> + 't {
    let searched = if check.reserved { text.as_bytes() } else { &[] };
    memchr::memchr_iter(b'@', searched).filter_map(move |at| {
        let after = &text[at + 1..];
        let ends =
            |character: char| !character.is_ascii_alphanumeric() && character != '.' && character != '-';
        let name =
            after[..after.find(ends).unwrap_or(after.len())].trim_end_matches('.').to_ascii_lowercase();
        let reserved = name.contains('.') && host::is_reserved(&name);
        let what = || message!("`{}` is reserved for examples and tests", name);
        reserved.then(|| (at + 1..at + 1 + name.len(), what()))
    })
}

fn malformed(malformed: &Malformed, text: &str, node: &Node<'_>, context: &Context<'_>) -> Violation {
    let violation = Violation::default();
    match malformed {
        Malformed::NoScheme => {
            let fixed = format!("https://{text}");
            let help = message!("Write {}{}", Message::name("https://"), text);
            let violation = violation.fill("reason", Message::own("it does not begin with https://"));
            let severity = context.kind.provider().takes_bare_domains().then_some(Severity::Warning);
            Violation { help: Some(help), severity, ..violation.rewrite(context, node, &fixed, Safety::Safe) }
        }
        Malformed::Other(reason) => violation.fill("reason", Message::own(*reason)),
    }
}

fn reason<'a>(check: &'a Url, address: &'a Address, context: &Context<'_>) -> Option<UrlReason<'a>> {
    let whole = |what: Message| Some(UrlReason { what, part: None });
    let name = address.host.as_str();
    if check.local && host::is_local(name) {
        return whole(message!("`{}` works only on your own network", name));
    }
    if check.local && host::is_address(name) {
        return whole(message!("`{}` is an IP address, not a domain", name));
    }
    if check.reserved && host::is_reserved(name) {
        return whole(message!("`{}` is reserved for examples and tests", name));
    }
    if let Some(what) = context.lists.host_reason(&check.hosts, address) {
        return Some(UrlReason { what, part: Some((Component::Host, name)) });
    }
    if let Some(prefix) = prefix(check, address) {
        return whole(message!("`{}` opens only for its owner", prefix));
    }
    if let Some((component, part)) = unfinished(check, address) {
        return Some(UrlReason {
            what: message!("`{}` is the sign of an unfinished site", part),
            part: Some((component, part)),
        });
    }
    if let Some(segment) = login(check, &address.path) {
        return Some(UrlReason {
            what: message!("`{}` in the address looks like a page behind a login", segment),
            part: Some((Component::Path, segment)),
        });
    }
    let route = address.fragment.as_deref().is_some_and(|it| it.starts_with(['/', '!']));
    if check.hash_route && route {
        return Some(UrlReason {
            what: "the part after `#` is not sent to the server".into(),
            part: address.fragment.as_deref().map(|it| (Component::Fragment, it)),
        });
    }
    surroundings(check, address, context).map(|what| UrlReason { what, part: None })
}

/// The beginning of an address that opens only for its owner.
fn prefix<'a>(check: &'a Url, address: &Address) -> Option<&'a str> {
    if check.prefixes.is_empty() {
        return None;
    }
    let mut name = address.host.as_str();
    while let Some(rest) = name.strip_prefix("www.") {
        name = rest;
    }
    check.prefixes.prefix_of(&format!("{name}{}", address.path))
}

/// The segment of a path that is the name of a page behind a login.
fn login<'a>(check: &Url, path: &'a str) -> Option<&'a str> {
    if check.path_words.is_empty() && check.path_endings.is_empty() || path == "/" || is_picture(path) {
        return None;
    }
    let is_word =
        |segment: &&str| check.path_words.contain(segment) || check.path_endings.end_part_of(segment);
    path.split(['/', '.', '?']).find(is_word)
}

/// The part of an address that belongs to a site that is not public yet.
fn unfinished<'a>(check: &Url, address: &'a Address) -> Option<(Component, &'a str)> {
    if check.host_words.is_empty() && check.query_words.is_empty() {
        return None;
    }
    let name = address.host.as_str();
    let subdomains = address.registrable().and_then(|domain| name.strip_suffix(domain)).unwrap_or_default();
    let is_word = |part: &&str| {
        let bare = part.trim_end_matches(|it: char| it.is_ascii_digit());
        !bare.is_empty() && check.host_words.contain(bare)
    };
    let in_host = || subdomains.split(['.', '-']).find(is_word);
    let parameters = || address.parameters.iter().map(String::as_str);
    let begins = |name: &&str| {
        let lower = name.to_ascii_lowercase();
        check
            .query_words
            .iter()
            .any(|word| lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with("ed")))
    };
    let in_host = in_host().map(|part| (Component::Host, part));
    in_host.or_else(|| parameters().find(begins).map(|name| (Component::Query, name)))
}

/// The extensions of pictures and documents.
const PICTURES: [&str; 11] =
    ["png", "jpg", "jpeg", "gif", "webp", "pdf", "svg", "bmp", "tif", "tiff", "heic"];

/// Whether a path ends in the extension of a picture or document, which is not a login page.
pub(super) fn is_picture(path: &str) -> bool {
    let Some((_, ending)) = path.rsplit_once('.') else { return false };
    PICTURES.iter().any(|it| it.eq_ignore_ascii_case(ending))
}

/// A path without what servers add to that of their home page.
fn bare(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    HOME_PAGES.iter().find_map(|page| path.strip_suffix(page)).unwrap_or(path)
}

/// Finds the problem of a URL compared with the other fields of the draft.
fn surroundings(check: &Url, address: &Address, context: &Context<'_>) -> Option<Message> {
    let name = address.host.as_str();
    if check.insecure && address.scheme != Scheme::Https {
        let how = if address.scheme == Scheme::Http {
            "begins with http://"
        } else {
            "does not begin with https://"
        };
        return Some(how.into());
    }
    if check.home_page_with_query && !address.parameters.is_empty() && bare(&address.path).is_empty() {
        return address.fragment.is_none().then(|| "the home page of a site, with parameters".into());
    }
    if check.page && address.is_page() {
        return Some("a page".into());
    }
    if !check.home_page && !check.foreign && !check.unbranded {
        return None;
    }
    let site = context.field(role::CORPORATE_WEBSITE).map(|it| context.address(it));
    let site = site.as_deref().and_then(|address| address.as_ref().ok());
    if check.home_page && address.parameters.is_empty() && address.fragment.is_none() {
        let start = bare(&address.path);
        let is_site = site.is_some_and(|site| site.host == *name && bare(&site.path) == start);
        if start.is_empty() || is_site {
            return Some(if is_site { "the website itself" } else { "the home page of a site" }.into());
        }
    }
    if check.unbranded {
        let label = address.site_label()?;
        let unnamed = !context.brand().is_unknown() && !context.brand().names_it(label);
        return unnamed.then(|| message!("`{}`", label));
    }
    if check.foreign {
        let own = site.as_ref().and_then(|it| it.registrable())?;
        let domain = address.registrable()?;
        let is_branded = || address.site_label().is_some_and(|label| context.brand().is_like(label));
        return (domain != own && !is_branded())
            .then(|| message!("`{}` is not the domain of the website, `{}`", domain, own));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Component, within_component};

    #[test]
    fn parts_of_addresses_are_found_where_they_are() {
        let found = |address: &str, component, part| {
            within_component(address, component, part).map(|it| address[it.start - 1..it.end].to_owned())
        };
        let text = "https://www.Login.loginbakery.com/logins/login?preview=1#/login";
        for (component, part, expected) in [
            (Component::Host, "login", ".Login"),
            (Component::Path, "login", "/login"),
            (Component::Query, "preview", "?preview"),
            (Component::Fragment, "/login", "#/login"),
        ] {
            assert_eq!(found(text, component, part).as_deref(), Some(expected));
        }
        assert_eq!(found(text, Component::Host, "bakery"), None);
    }
}
