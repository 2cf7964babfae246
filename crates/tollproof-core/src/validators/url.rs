//! Web addresses: a value that is an address, and addresses inside a text.

use smallvec::SmallVec;
use url::{Host, Url};

use super::host;
use super::host_hash::host_hashes;
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
    /// The hashes of the host and of its parent domains, which every rule with a list of hosts needs.
    hashes: SmallVec<[u32; 4]>,
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

    /// The hashes of the host and of its parent domains.
    pub(crate) fn host_hashes(&self) -> &[u32] {
        &self.hashes
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
    let secure = text.strip_prefix("https://").and_then(|rest| plain(Scheme::Https, rest));
    let plain = secure.or_else(|| text.strip_prefix("http://").and_then(|rest| plain(Scheme::Http, rest)));
    plain.map_or_else(|| parse_any(text), Ok)
}

/// What a byte can be in an address that is [`plain`]: 1 in its host, 2 in its path.
static PLAIN: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' => 3,
            b'A'..=b'Z' | b'_' | b'~' | b'/' => 2,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Reads the host and path of an address in which a browser would neither decode nor change anything, as most are.
/// `None` leaves it to [`parse_any`], which finds the same in these addresses.
fn plain(scheme: Scheme, rest: &str) -> Option<Address> {
    let length = rest.bytes().position(|it| PLAIN[usize::from(it)] & 1 == 0).unwrap_or(rest.len());
    let (name, path) = rest.split_at(length);
    if !path.is_empty() && !path.starts_with('/') || path.bytes().any(|it| PLAIN[usize::from(it)] & 2 == 0) {
        return None;
    }
    // A browser drops segments of dots. It reads a host whose last label has a digit as an IP address in some cases.
    let is_dotted = path.as_bytes().windows(2).any(|it| it == b"/.");
    let has_empty_label = name.starts_with('.') || name.as_bytes().windows(2).any(|it| it == b"..");
    let ending = &name[name.rfind('.')? + 1..];
    if is_dotted
        || has_empty_label
        || ending.is_empty()
        || !ending.bytes().all(|it| it.is_ascii_lowercase())
        || name.as_bytes().windows(4).any(|it| it == b"xn--")
    {
        return None;
    }
    let domain = name.len() - host::registrable(name)?.len();
    let path = if path.is_empty() { "/" } else { path };
    Some(Address {
        scheme,
        host: name.to_owned(),
        domain: Some(domain),
        hashes: host_hashes(name).collect(),
        path: path.to_owned(),
        parameters: Vec::new(),
        fragment: None,
    })
}

/// Parses an address with all that a browser accepts.
fn parse_any(text: &str) -> Result<Address, Malformed> {
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
        hashes: host_hashes(name).collect(),
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
    if let Some(address) = plain(Scheme::Missing, word) {
        return Some(address);
    }
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
    // Most texts have none, and one search for all of it is faster than a look before each full stop.
    let has_lone_dot = memchr::memmem::find(bytes, b" . ").is_some();
    let dots = has_lone_dot.then(|| memchr::memchr_iter(b'.', bytes)).into_iter().flatten();
    let between_spaces = dots.filter_map(|at| at.checked_sub(1)).filter(|&at| bytes[at] == b' ');
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
    use proptest::prelude::*;

    use super::{Malformed, Scheme, in_text, parse, parse_any, plain};

    /// Addresses of which most are plain, and some have what a browser reads in its own way.
    fn addresses() -> impl Strategy<Value = String> {
        let scheme = prop_oneof![4 => Just("https://"), 2 => Just("http://"), 1 => Just("HTTPS://"), 1 => Just("ftp://"), 1 => Just("")];
        let user = prop_oneof![8 => Just(""), 1 => Just("ana@"), 1 => Just("ana:b@")];
        let label = prop_oneof![
            8 => "[a-z0-9-]{1,8}",
            1 => Just("www".to_owned()),
            1 => "[A-Za-z_0-9é%-]{0,4}",
            1 => Just("xn--caf-dma".to_owned()),
            1 => Just("xn--a".to_owned()),
            1 => prop_oneof![Just("0x7f"), Just("1"), Just("010"), Just("[::1]")].prop_map(str::to_owned),
        ];
        let ending = prop::sample::select(vec![
            "com",
            "org",
            "co.uk",
            "ck",
            "github.io",
            "s3.amazonaws.com",
            "test",
            "local",
            "COM",
            "1",
            "0x1",
            "com.",
            "com..",
            "notatld",
            "укр",
            "c0m",
            "",
        ]);
        let port = prop_oneof![8 => Just(""), 1 => Just(":443"), 1 => Just(":8080"), 1 => Just(":")];
        let segment = prop_oneof![
            8 => "[A-Za-z0-9_~.-]{0,6}",
            1 => Just("..".to_owned()),
            1 => Just(".".to_owned()),
            1 => Just("%2e%2E".to_owned()),
            1 => "[ -~é\u{a0}]{0,4}",
        ];
        let path = proptest::collection::vec(segment, 0..4)
            .prop_map(|all| all.iter().map(|it| format!("/{it}")).collect::<String>());
        let query =
            prop_oneof![6 => Just(""), 1 => Just("?"), 1 => Just("?utm_source=a&b=c"), 1 => Just("?a%20b=1")];
        let fragment = prop_oneof![6 => Just(""), 1 => Just("#"), 1 => Just("#/a"), 1 => Just("#!a")];
        let host = (proptest::collection::vec(label, 0..3), ending).prop_map(|(labels, ending)| {
            labels.iter().map(|it| format!("{it}.")).collect::<String>() + ending
        });
        (scheme, user, host, port, path, query, fragment)
            .prop_map(|(a, b, c, d, e, f, g)| [a, b, &c, d, &e, f, g].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn plain_addresses_are_what_a_browser_reads(text in addresses()) {
            prop_assert_eq!(parse(&text), parse_any(&text));
            if let Some(address) = plain(Scheme::Https, &text) {
                prop_assert!(address.is_public());
                prop_assert_eq!(Ok(address), parse_any(&format!("https://{text}")));
            }
        }
    }

    #[test]
    fn odd_addresses_are_not_plain() {
        for text in [
            "http://1.2.3.4",
            "https://0x7f.1",
            "https://a.0x1",
            "https://acme.com./",
            "https://acme.com/a/../b",
            "https://acme.com/%2e%2e/b",
            "https://acme.com/.well-known",
            "https://acme.com/?a=1",
            "https://acme.com/#a",
            "https://ana@acme.com",
            "https://acme.com:443/",
            "https://ACME.com",
            "https://xn--caf-dma.com/",
            "https://café.com",
            "https://a..com",
            "https://.com",
            "https://com",
            "https://acme.com\\a",
            "https://localhost/",
        ] {
            let rest = text.split_once("://").expect("it has a scheme").1;
            assert_eq!(plain(Scheme::Https, rest), None, "{text}");
        }
        for text in ["acme.com", "www.acme.co.uk/", "a-b.acme.com/A_b~c.d//e/f..g", "-a.com", "1.com/x."] {
            let address = plain(Scheme::Http, text).expect("it is plain");
            assert_eq!(parse_any(&format!("http://{text}")), Ok(address), "{text}");
        }
    }

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
