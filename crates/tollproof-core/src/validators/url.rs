//! Web addresses: a value that is an address, parsed as a browser does.

use tollproof_data::tables::web::TRACKING;
use url::{Host, Url};

use super::host;

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

/// The endings of files that are pages.
const PAGE_ENDINGS: [&str; 6] = ["asp", "aspx", "htm", "html", "jsp", "php"];

/// A web address that a browser can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: Scheme,
    /// The host in lower case; an IPv6 address includes its brackets.
    pub(crate) host: String,
    /// The start of its registrable domain in the host, if it has one.
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

    /// Whether it does not end as the address of a picture or a document does.
    pub(crate) fn is_page(&self) -> bool {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        let ending = last.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        ending.is_none_or(|ending| PAGE_ENDINGS.contains(&ending.as_str()))
    }

    /// Whether the host is public.
    pub(super) fn is_public(&self) -> bool {
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

/// The places of a byte in an address that is [`plain`]: 1 in its host, 2 in its path.
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
pub(super) fn plain(scheme: Scheme, rest: &str) -> Option<Address> {
    let (mut length, mut last_dot, mut before) = (rest.len(), 0, b'.');
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            // An empty label; two hyphens may be those of an encoded label.
            b'.' | b'-' if before == byte => return None,
            b'.' => last_dot = at,
            _ if PLAIN[usize::from(byte)] & 1 == 0 => {
                length = at;
                break;
            }
            _ => {}
        }
        before = byte;
    }
    let (name, path) = rest.split_at(length);
    // A browser reads a host whose last label has a digit as an IP address in some cases.
    let ending = name.get(last_dot + 1..).filter(|ending| last_dot > 0 && !ending.is_empty())?;
    if !ending.bytes().all(|it| it.is_ascii_lowercase()) || !path.is_empty() && !path.starts_with('/') {
        return None;
    }
    let mut before = b'/';
    for byte in path.bytes() {
        // A browser drops segments of dots.
        if PLAIN[usize::from(byte)] & 2 == 0 || byte == b'.' && before == b'/' {
            return None;
        }
        before = byte;
    }
    let domain = name.len() - host::registrable(name)?.len();
    let path = if path.is_empty() { "/" } else { path };
    Some(Address {
        scheme,
        host: name.to_owned(),
        domain: Some(domain),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Malformed, Scheme, parse, parse_any, plain};

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
}
