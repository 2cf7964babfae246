//! Web addresses: a value that is an address, and addresses inside a text.

use url::{Host, Url};

use super::host;
use crate::validators::word_lists::web::TRACKING;

/// The reason that a web address is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// The address is valid if `https://` is added.
    NoScheme,
    /// Any other reason, as a part of a sentence.
    Other(&'static str),
}

/// The scheme of a web address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// `https://`.
    Https,
    /// `http://`.
    Http,
    /// No scheme: an address inside a text that starts with its host.
    Missing,
}

/// A web address that a browser can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: Scheme,
    /// The host in lower case; an IPv6 address includes its brackets.
    pub(crate) host: String,
    /// Where its registrable domain begins in the host, if it has one.
    domain: Option<usize>,
    /// The path, including its leading slash.
    pub(crate) path: String,
    /// The names of the parameters in the query, without tracking parameters.
    pub(crate) parameters: Vec<String>,
    /// The fragment after `#`.
    pub(crate) fragment: Option<String>,
}

impl Address {
    /// The registrable domain of the host.
    pub(crate) fn registrable(&self) -> Option<&str> {
        self.host.get(self.domain?..)
    }

    /// The label before the public suffix: `acme` of `acme.co.uk`.
    pub(crate) fn site_label(&self) -> Option<&str> {
        self.registrable()?.split('.').next()
    }

    /// Whether the host is public.
    fn is_public(&self) -> bool {
        self.domain.is_some() || host::is_public(&self.host)
    }
}

/// Parses an absolute http or https address.
///
/// Reserved and local hosts are accepted; other rules check them.
pub(crate) fn parse(text: &str) -> Result<Address, Malformed> {
    if text.contains(char::is_whitespace) {
        return Err(Malformed::Other("it contains a space"));
    }
    // An archive URL may contain another address in its path, but never after a comma or semicolon.
    let is_next = |at: usize| text.as_bytes()[at + 1..].starts_with(b"http");
    if memchr::memchr2_iter(b',', b';', text.as_bytes()).any(is_next) {
        return Err(Malformed::Other("it contains more than one address"));
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        let bare = !text.contains('@') && !text.starts_with(['/', '#', '?']) && !text.contains(":/");
        let complete = bare && parse(&format!("https://{text}")).is_ok_and(|it| it.is_public());
        return Err(if complete {
            Malformed::NoScheme
        } else {
            Malformed::Other("it does not begin with https://")
        });
    };
    if scheme.eq_ignore_ascii_case("file") {
        return Err(Malformed::Other("it is a file on your own computer, which others cannot open"));
    }
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Err(Malformed::Other("it does not begin with https://"));
    }
    if rest.is_empty() || rest.starts_with(['/', '?', '#']) {
        return Err(Malformed::Other("it has no domain"));
    }
    let url = Url::parse(text).map_err(|_| Malformed::Other("a browser cannot read it"))?;
    let host = match url.host() {
        Some(Host::Domain(name)) => name.to_owned(),
        Some(Host::Ipv4(address)) => address.to_string(),
        Some(Host::Ipv6(address)) => format!("[{address}]"),
        None => return Err(Malformed::Other("it has no domain")),
    };
    let name = host.strip_suffix('.').unwrap_or(&host);
    if name.split('.').any(str::is_empty) {
        return Err(Malformed::Other("its domain has two dots in a row or begins with a dot"));
    }
    let domain = host::registrable(name).map(|domain| name.len() - domain.len());
    let has_site = domain.is_some() || host::is_public(name);
    if !has_site && !host::is_local(name) && !host::is_address(name) && !host::is_reserved(name) {
        return Err(Malformed::Other("its domain ending does not exist"));
    }
    let scheme = if scheme.eq_ignore_ascii_case("https") { Scheme::Https } else { Scheme::Http };
    Ok(Address {
        scheme,
        host: name.to_owned(),
        domain,
        path: url.path().to_owned(),
        parameters: url
            .query_pairs()
            .map(|(key, _)| key)
            .filter(|key| !is_tracking(key))
            .map(Into::into)
            .collect(),
        fragment: url.fragment().map(str::to_owned),
    })
}

/// Whether a query parameter only records where a visitor came from.
fn is_tracking(key: &str) -> bool {
    key.starts_with("utm_") || TRACKING.contains(&key)
}

/// The host of a value that is a web address, with or without a scheme.
pub(crate) fn host_of(text: &str) -> Option<String> {
    let text = text.trim();
    match parse(text) {
        Ok(address) => Some(address.host),
        Err(Malformed::NoScheme) => parse(&format!("https://{text}")).ok().map(|it| it.host),
        Err(Malformed::Other(_)) => None,
    }
}

/// The web addresses in a text, with their byte ranges; the scheme is optional.
pub(crate) fn in_text(text: &str) -> Vec<(std::ops::Range<usize>, Address)> {
    let mut found = Vec::new();
    let mut read = 0;
    // Every address has a full stop.
    for dot in memchr::memchr_iter(b'.', text.as_bytes()) {
        if dot < read {
            continue;
        }
        let start = text[read..dot]
            .rfind(ends_chunk)
            .map_or(read, |at| read + at + text[read + at..].chars().next().map_or(1, char::len_utf8));
        let end = text[dot..].find(ends_chunk).map_or(text.len(), |at| dot + at);
        read = end;
        let chunk = &text[start..end];
        let bare = chunk.trim_end_matches(|it: char| ".:!?'\u{2019}".contains(it));
        // The full stop behind the last word of a sentence.
        if start + bare.len() <= dot {
            continue;
        }
        let lead = bare.len() - bare.trim_start_matches(['\'', '*', '\u{2018}']).len();
        let word = &bare[lead..];
        let read = address_in(word).map(|address| (0, address)).or_else(|| behind_sign(word));
        if let Some((skipped, address)) = read {
            found.push((start + lead + skipped..start + bare.len(), address));
        }
    }
    found.extend(spelled_apart(text));
    found
}

/// Whether a character cannot be part of an address.
fn ends_chunk(character: char) -> bool {
    match character {
        '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';' | '\u{201c}' | '\u{201d}' => {
            true
        }
        _ => character.is_whitespace(),
    }
}

/// Parses a word as an address; without a scheme, its host must be public.
fn address_in(word: &str) -> Option<Address> {
    if word.find("://").is_some_and(|at| at > 0 && at < 12) {
        return parse(word).ok();
    }
    let host = word.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = host.chars().all(|it| it.is_alphanumeric() || matches!(it, '.' | '-' | ':'));
    if !plain || word.starts_with('.') {
        return None;
    }
    let address = parse(&format!("https://{word}")).ok().filter(Address::is_public)?;
    Some(Address { scheme: Scheme::Missing, ..address })
}

/// The address after a sign without a space, such as `Link:` or an arrow, and its offset in the word.
fn behind_sign(word: &str) -> Option<(usize, Address)> {
    let signs = word.match_indices([':', '=', '>', '\u{2192}', '\u{2022}', '\u{27a1}', '\u{1f449}']);
    let mut rests = signs.map(|(at, sign)| at + sign.len()).filter(|at| !word[*at..].starts_with("//"));
    rests.find_map(|at| address_in(&word[at..]).map(|address| (at, address)))
}

/// What people write in place of a dot.
const DISGUISED_DOTS: [&str; 5] = ["[.]", "(.)", "[dot]", "(dot)", " . "];

/// Addresses whose dot is disguised to evade filters: `bit[.]ly/x`, `bit(dot)ly/x`, `bit . ly/x`.
fn spelled_apart(text: &str) -> Vec<(std::ops::Range<usize>, Address)> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let in_brackets = memchr::memchr2_iter(b'[', b'(', bytes);
    let before_dots = memchr::memchr_iter(b'.', bytes).filter_map(|at| at.checked_sub(1));
    let between_spaces = before_dots.filter(|&at| bytes[at] == b' ');
    for at in in_brackets.chain(between_spaces) {
        for dot in DISGUISED_DOTS.iter().filter(|dot| bytes[at..].starts_with(dot.as_bytes())) {
            let behind = &text[at + dot.len()..];
            let label = |it: char| !it.is_ascii_alphanumeric() && it != '-';
            let start = text[..at]
                .rfind(label)
                .map_or(0, |it| it + text[it..].chars().next().map_or(1, char::len_utf8));
            let length =
                behind.find(|it: char| it.is_whitespace() || ",;\"".contains(it)).unwrap_or(behind.len());
            let rest = behind[..length].trim_end_matches(['.', '!', '?', ')', ']']);
            // A full stop between spaces is only a typing error between two sentences.
            if start == at || *dot == " . " && !rest.contains('/') {
                continue;
            }
            let address = address_in(&format!("{}.{rest}", &text[start..at]));
            found.extend(address.map(|address| (start..at + dot.len() + rest.len(), address)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Malformed, in_text, parse};

    #[test]
    fn addresses_are_read_as_a_browser_would() {
        assert_eq!(parse("https://www.Acme.com/a#b").map(|it| it.host), Ok("www.acme.com".to_owned()));
        assert_eq!(parse("acme.com/sms").map(|it| it.host), Err(Malformed::NoScheme));
        for good in ["http://localhost:3000/", "https://10.0.0.1/x", "https://shop.example"] {
            assert!(parse(good).is_ok(), "{good} is for other rules");
        }
        for bad in [
            "",
            "https://",
            "https:///x",
            "https://acme..com",
            "https://acme.notatld",
            "ftp://acme.com",
            "https//acme.com",
            "see acme.com",
            "mailto:a@acme.com",
            "office@acme.com",
            "/texts",
        ] {
            assert!(matches!(parse(bad), Err(Malformed::Other(_))), "{bad}");
        }
    }

    #[test]
    fn addresses_are_found_in_texts() {
        let hosts = |text| {
            in_text(text).into_iter().map(|(range, it)| (text[range].to_owned(), it.host)).collect::<Vec<_>>()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(hosts("Deals: bit.ly/abc123!"), [pair("bit.ly/abc123", "bit.ly")]);
        assert_eq!(hosts("Link:bit.ly/a"), [pair("bit.ly/a", "bit.ly")]);
        assert_eq!(hosts("Track:https://acme.com/a"), [pair("https://acme.com/a", "acme.com")]);
        assert_eq!(hosts("pay\u{2192}acme.com/a"), [pair("acme.com/a", "acme.com")]);
        assert_eq!(
            hosts("bit[.]ly/a or bit . ly/b"),
            [pair("bit[.]ly/a", "bit.ly"), pair("bit . ly/b", "bit.ly")]
        );
        assert_eq!(hosts("At 5:30.Reply or call . Me too"), []);
        assert_eq!(hosts("See (https://acme.com/a.)"), [pair("https://acme.com/a", "acme.com")]);
        assert_eq!(hosts("Sent.Reply STOP at 5 p.m. or mail a@acme.com"), []);
    }
}
