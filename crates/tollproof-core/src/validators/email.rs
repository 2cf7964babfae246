//! Validates e-mail addresses.

use email_address::{EmailAddress, Options};

use super::host;

/// The domain of an e-mail address in lower case, or why the address is invalid.
pub(crate) fn domain_of(text: &str) -> Result<String, &'static str> {
    let options = Options::default().with_required_tld().without_domain_literal().without_display_text();
    let Some((local, domain)) = text.rsplit_once('@') else {
        return Err("it has no @");
    };
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
    if EmailAddress::parse_with_options(text, options).is_err() {
        return Err("it is not a form that mail programs accept");
    }
    let domain = domain.to_lowercase();
    if host::is_public(&domain) || host::is_reserved(&domain) {
        Ok(domain)
    } else {
        Err("its domain ending does not exist")
    }
}

#[cfg(test)]
mod tests {
    use super::domain_of;

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
