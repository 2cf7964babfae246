//! Validates e-mail addresses.

use email_address::{EmailAddress, Options};

use super::host;

/// The domain of an e-mail address in lower case, or why the address is invalid.
pub(crate) fn domain_of(text: &str) -> Result<String, &'static str> {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return Err("it has no @");
    };
    if is_plain(local, domain) {
        return existing(domain);
    }
    if local.is_empty() || domain.is_empty() {
        return Err("there is nothing before or after its @");
    }
    if text.contains(char::is_whitespace) {
        return Err("it contains a space");
    }
    if local.contains('@') {
        return Err("it has more than one @");
    }
    if domain.contains(',') {
        return Err("there is a comma in its domain");
    }
    if !domain.contains('.') {
        return Err("its domain has no ending, such as .com");
    }
    if !is_accepted(text) {
        return Err("it is not a form that mail programs accept");
    }
    existing(domain)
}

/// Whether an address has a form that mail programs accept.
fn is_accepted(text: &str) -> bool {
    let options = Options::default().with_required_tld().without_domain_literal().without_display_text();
    EmailAddress::parse_with_options(text, options).is_ok()
}

/// Whether an address has only letters, digits and what is usual between them, which none of the other tests refuse.
fn is_plain(local: &str, domain: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+');
    let is_atom = |part: &str| !part.is_empty() && part.bytes().all(is_usual);
    let is_label = |part: &str| {
        part.len() <= 63
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && part.starts_with(|it: char| it.is_ascii_alphanumeric())
            && !part.ends_with('-')
    };
    let is_short = local.len() <= 64 && domain.len() <= 254;
    is_short && local.split('.').all(is_atom) && domain.contains('.') && domain.split('.').all(is_label)
}

/// A domain in lower case, if its ending exists.
fn existing(domain: &str) -> Result<String, &'static str> {
    let domain = domain.to_lowercase();
    if host::is_public(&domain) || host::is_reserved(&domain) {
        Ok(domain)
    } else {
        Err("its domain ending does not exist")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{domain_of, is_accepted, is_plain};

    proptest! {
        #[test]
        fn plain_addresses_are_accepted(
            local in "([a-zA-Z0-9_+.-]{0,9}|[ -~é]{0,4}|a{63,66})",
            domain in "([a-z0-9-]{0,5}[.]){0,3}([a-z0-9.-]{0,4}|[ -~é]{0,4}|a{62,65})(.com)?",
        ) {
            let text = format!("{local}@{domain}");
            let is_simple = !text.contains(char::is_whitespace) && !local.contains('@') && !domain.contains('@');
            prop_assert!(!is_plain(&local, &domain) || is_simple && is_accepted(&text), "{}", text);
        }
    }

    #[test]
    fn only_addresses_have_a_domain() {
        assert_eq!(domain_of("Ana.Diaz+sms@Acme.com"), Ok("acme.com".to_owned()));
        for bad in [
            "",
            "ana",
            "ana@",
            "@acme.com",
            "ana@acme",
            "ana@acme,com",
            "ana@acme.notatld",
            "ana@@acme.com",
            "Ana <ana@acme.com>",
            "ana@acme..com",
            "ana@[10.0.0.1]",
            "ana diaz@acme.com",
        ] {
            assert!(domain_of(bad).is_err(), "{bad}");
        }
    }
}
