//! Web addresses: one that is the whole value, and those inside a text.

use url::{Host, Url};

use super::host;

/// What is wrong with a web address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It would do with `https://` before it.
    NoScheme,
    /// Something else, as a part of a sentence.
    Other(&'static str),
}

/// How a web address begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// `https://`.
    Https,
    /// `http://`.
    Http,
    /// With its host: an address inside a text.
    Missing,
}

/// A web address that a browser would open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// How it begins.
    pub(crate) scheme: Scheme,
    /// The host in lower case; an IPv6 address in its brackets.
    pub(crate) host: String,
    /// The path, from its slash on.
    pub(crate) path: String,
    /// Whether something stands behind `?`.
    pub(crate) query: bool,
    /// What stands behind `#`.
    pub(crate) fragment: Option<String>,
}

/// Reads an absolute http or https address.
///
/// Reserved and local hosts are well-formed: what they mean is for other rules to say.
pub(crate) fn parse(text: &str) -> Result<Address, Malformed> {
    if text.contains(char::is_whitespace) {
        return Err(Malformed::Other("it holds a blank"));
    }
    // An archive may have one address in another's path, but never behind a comma.
    if [",http", ";http"].iter().any(|it| text.contains(it)) {
        return Err(Malformed::Other("it holds more than one address"));
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        let bare = !text.contains('@') && !text.starts_with(['/', '#', '?']) && !text.contains(":/");
        let complete = bare && parse(&format!("https://{text}")).is_ok_and(|it| host::is_public(&it.host));
        return Err(if complete {
            Malformed::NoScheme
        } else {
            Malformed::Other("it does not begin with https://")
        });
    };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Err(Malformed::Other("it does not begin with https://"));
    }
    if rest.is_empty() || rest.starts_with(['/', '?', '#']) {
        return Err(Malformed::Other("it names no host"));
    }
    let url = Url::parse(text).map_err(|_| Malformed::Other("a browser cannot read it"))?;
    let host = match url.host() {
        Some(Host::Domain(name)) => name.to_owned(),
        Some(Host::Ipv4(address)) => address.to_string(),
        Some(Host::Ipv6(address)) => format!("[{address}]"),
        None => return Err(Malformed::Other("it names no host")),
    };
    let name = host.strip_suffix('.').unwrap_or(&host);
    if name.split('.').any(str::is_empty) {
        return Err(Malformed::Other("its host has two dots in a row or begins with one"));
    }
    if !host::is_local(name) && !host::is_address(name) && !host::is_reserved(name) && !host::is_public(name)
    {
        return Err(Malformed::Other("its host ends in no known domain ending"));
    }
    let scheme = if scheme.eq_ignore_ascii_case("https") { Scheme::Https } else { Scheme::Http };
    Ok(Address {
        scheme,
        host: name.to_owned(),
        path: url.path().to_owned(),
        query: url.query().is_some_and(|it| !it.is_empty()),
        fragment: url.fragment().map(str::to_owned),
    })
}

/// The host of a value that is a web address or nearly one.
pub(crate) fn host_of(text: &str) -> Option<String> {
    let text = text.trim();
    match parse(text) {
        Ok(address) => Some(address.host),
        Err(Malformed::NoScheme) => parse(&format!("https://{text}")).ok().map(|it| it.host),
        Err(Malformed::Other(_)) => None,
    }
}

/// The web addresses inside a text, with their byte ranges; a scheme may be missing.
pub(crate) fn in_text(text: &str) -> Vec<(std::ops::Range<usize>, Address)> {
    let mut found = Vec::new();
    let mut at = 0;
    let ends = |it: char| match it {
        '"' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ',' | ';' | '\u{201c}' | '\u{201d}' => {
            true
        }
        _ => it.is_whitespace(),
    };
    for chunk in text.split_inclusive(ends) {
        let start = at;
        at += chunk.len();
        if !chunk.as_bytes().contains(&b'.') {
            continue;
        }
        let bare = chunk.trim_end_matches(|it: char| {
            it.is_whitespace() || ".,;:!?'\"<>()[]{}|\u{201c}\u{201d}\u{2019}".contains(it)
        });
        let lead = bare.len() - bare.trim_start_matches(['\'', '*', '\u{2018}', '\u{201c}']).len();
        let word = &bare[lead..];
        let absolute = word.find("://").is_some_and(|at| at > 0 && at < 12);
        let address = if absolute {
            parse(word).ok()
        } else if word.contains('@') || word.starts_with('.') {
            None
        } else {
            parse(&format!("https://{word}"))
                .ok()
                .filter(|it| host::is_public(&it.host))
                .map(|it| Address { scheme: Scheme::Missing, ..it })
        };
        if let Some(address) = address {
            found.push((start + lead..start + bare.len(), address));
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
        assert_eq!(hosts("See (https://acme.com/a.)"), [pair("https://acme.com/a", "acme.com")]);
        assert_eq!(hosts("Sent.Reply STOP at 5 p.m. or mail a@acme.com"), []);
    }
}
