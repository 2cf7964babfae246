//! Keys in what a server answers. They are replaced before anything else reads the answer.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use secrecy::ExposeSecret as _;
use secrecy::zeroize::Zeroizing;

use super::authentication::Authentication;
use super::shown::MASK;

/// The shortest secret that is looked for, in bytes: a shorter one may be a word of any text.
const SHORTEST: usize = 8;

/// The shortest beginning of a secret, in bytes, that is replaced although the rest is missing.
const BEGINNING: usize = 16;

/// A text of a server without the keys of a request: as they are, in hexadecimal, and in Base64, alone or with something
/// around them, such as `user:password`. All of these also in escapes of JSON, addresses and HTML.
pub(super) fn masked(text: Vec<u8>, authentication: &Authentication) -> Vec<u8> {
    let forms = forms(authentication);
    let mut begins = [false; 256];
    for byte in 0..=u8::MAX {
        let is_first = |form: &Zeroizing<Vec<u8>>| folded(form[0]) == folded(byte);
        begins[usize::from(byte)] = b"%\\&".contains(&byte) || forms.iter().any(is_first);
    }
    let (mut shown, mut kept, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        let is_begin = begins[usize::from(text[at])];
        let end = is_begin.then(|| forms.iter().filter_map(|form| end_of(form, &text, at)).max()).flatten();
        if let Some(end) = end {
            shown.extend_from_slice(&text[kept..at]);
            shown.extend_from_slice(MASK.as_bytes());
            kept = end;
        }
        at = end.unwrap_or(at + 1);
    }
    if kept == 0 {
        return text;
    }
    shown.extend_from_slice(&text[kept..]);
    shown
}

/// The forms in which a server may write the secrets of a request.
fn forms(authentication: &Authentication) -> Vec<Zeroizing<Vec<u8>>> {
    let mut forms = Vec::new();
    let header = authentication.header();
    let credentials = header.as_ref().and_then(|(_, value)| value.expose_secret().split_once(' '));
    forms.extend(credentials.map(|(_, credentials)| credentials.trim_end_matches('=').as_bytes().to_vec()));
    for secret in authentication.secrets() {
        let secret = secret.expose_secret().as_bytes();
        forms.push(secret.to_vec());
        forms.push(secret.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect());
        for before in 0..3 {
            let padded = Zeroizing::new([&[0; 3][..before], secret].concat());
            // The characters that depend on the secret alone, whatever is before and after it.
            let inner = (before * 8).div_ceil(6)..padded.len() * 8 / 6;
            forms.push(Zeroizing::new(STANDARD_NO_PAD.encode(&padded)).as_bytes()[inner].to_vec());
        }
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms.into_iter().map(Zeroizing::new).collect()
}

/// A character for comparisons: hexadecimal has two cases, Base64 two alphabets.
fn folded(byte: u8) -> u8 {
    match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte.to_ascii_lowercase(),
    }
}

/// The end of a form that begins here. A character of it may be what it is, or an escape.
fn end_of(form: &[u8], text: &[u8], from: usize) -> Option<usize> {
    let end = |prefers_escapes: bool| {
        let mut at = from;
        for (count, wanted) in form.iter().enumerate() {
            let is = |byte: u8| folded(byte) == folded(*wanted);
            let plain = text.get(at).filter(|byte| is(**byte)).map(|_| at + 1);
            let escaped = || escaped(text, at, &is);
            let next = if prefers_escapes { escaped().or(plain) } else { plain.or_else(escaped) };
            let Some(next) = next else { return (count >= BEGINNING).then_some(at) };
            at = next;
            // JSON doubles a backslash, and JSON in JSON doubles it again.
            if text[at - 1] == b'\\' && form.get(count + 1) != Some(wanted) {
                at += text[at..].iter().take_while(|byte| **byte == b'\\').count();
            }
        }
        Some(at)
    };
    end(false).max(end(true))
}

/// The end of the escape that begins here, if the character is wanted. An escape may be escaped again.
fn escaped(text: &[u8], from: usize, is: &dyn Fn(u8) -> bool) -> Option<usize> {
    let number = |at: usize, length: usize, radix: u32| {
        let digits = str::from_utf8(text.get(at..at + length)?).ok()?;
        u8::try_from(u32::from_str_radix(digits, radix).ok()?).ok()
    };
    match text.get(from)? {
        b'%' => {
            let mut at = from + 1;
            loop {
                let byte = number(at, 2, 16)?;
                at += 2;
                let is_again = byte == b'%' && text[at..].starts_with(b"25");
                match is(byte) && !is_again {
                    true => return Some(at),
                    false if byte == b'%' => {}
                    false => return None,
                }
            }
        }
        b'\\' => {
            let at = from + text[from..].iter().take_while(|byte| **byte == b'\\').count();
            match text.get(at) {
                Some(b'u') if number(at + 1, 4, 16).is_some_and(is) => Some(at + 5),
                byte => byte.is_some_and(|byte| is(*byte)).then_some(at + 1),
            }
        }
        b'&' => {
            let end = from + text[from..].iter().take(8).position(|byte| *byte == b';')?;
            let name = str::from_utf8(&text[from + 1..end]).ok()?;
            let byte = match name.strip_prefix('#') {
                Some(digits) => match digits.strip_prefix(['x', 'X']) {
                    Some(digits) => u8::from_str_radix(digits, 16).ok()?,
                    None => digits.parse().ok()?,
                },
                None => match name {
                    "amp" => b'&',
                    "lt" => b'<',
                    "gt" => b'>',
                    "quot" => b'"',
                    "apos" => b'\'',
                    _ => return None,
                },
            };
            is(byte).then_some(end + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    use proptest::prelude::*;

    use super::*;

    fn authentications(user: &str, secret: &str) -> [Authentication; 3] {
        let header = |prefix: &str| Authentication::Header {
            name: "Authorization".to_owned(),
            prefix: prefix.to_owned(),
            secret: secret.into(),
        };
        let basic = Authentication::Basic { user: user.to_owned(), secret: secret.into() };
        [header("Bearer "), header(""), basic]
    }

    /// An encoding of the whole, and the part of it that shows the secret.
    fn encoded(encoding: usize, before: &str, secret: &str) -> String {
        let text = format!("{before}{secret}");
        match encoding {
            0 => text,
            1 => STANDARD.encode(&text),
            2 => URL_SAFE.encode(&text),
            3 => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
            _ => text.bytes().map(|byte| format!("{byte:02X}")).collect(),
        }
    }

    fn escaped_as(escape: usize, text: &str) -> String {
        let all = |form: &dyn Fn(u8) -> String| text.bytes().map(form).collect::<String>();
        match escape {
            0 => text.to_owned(),
            1 => url::form_urlencoded::byte_serialize(text.as_bytes()).collect(),
            2 => all(&|byte| format!("%{byte:02X}")),
            3 => all(&|byte| format!("%25{byte:02x}")),
            4 => all(&|byte| format!("\\u{byte:04x}")),
            5 => all(&|byte| format!("\\\\u{byte:04X}")),
            6 => serde_json::to_string(text).expect("it is text").replace('/', "\\/"),
            7 => {
                serde_json::to_string(&serde_json::to_string(text).expect("it is text")).expect("it is text")
            }
            8 => all(&|byte| format!("&#x{byte:x};")),
            9 => all(&|byte| format!("&#{byte};")),
            _ => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"),
        }
    }

    proptest! {
        #[test]
        fn no_form_of_a_key_is_left(
            secret in "[!-~]{8,64}",
            user in "[A-Za-z0-9]{0,40}",
            which in 0..3usize,
            encoding in 0..5usize,
            escape in 0..11usize,
            has_user in any::<bool>(),
            around in "[a-z {}\": é]{0,12}",
        ) {
            // Whether its `25` is an escape cannot be seen.
            prop_assume!(!secret.contains("%25"));
            let before = if has_user { format!("{user}:") } else { String::new() };
            let written = escaped_as(escape, &encoded(encoding, &before, &secret));
            let text = format!("{around}{written}{around}");
            let authentication = &authentications(&user, &secret)[which];
            let shown = String::from_utf8(masked(text.clone().into_bytes(), authentication)).expect("it is text");
            prop_assert!(shown.contains(MASK), "{text} -> {shown}");
            // Of Base64, what depends on the neighbours too may be left.
            let alone = escaped_as(escape, &encoded(encoding, "", &secret));
            for part in alone.as_bytes().windows(alone.len().min(alone.len() / secret.len() * 8)) {
                let is_plain = around.contains(&String::from_utf8_lossy(part).into_owned());
                let is_left = shown.as_bytes().windows(part.len()).any(|shown| shown == part);
                prop_assert!(!is_left || is_plain || before.contains(&*String::from_utf8_lossy(part)), "{text} -> {shown}");
            }
        }

        #[test]
        fn what_has_no_key_stays_as_it_is(text in "\\PC{0,80}") {
            for authentication in authentications("AC0123", "moonstone-0123456789") {
                prop_assert_eq!(masked(text.clone().into_bytes(), &authentication), text.as_bytes());
            }
        }
    }

    #[test]
    fn the_beginning_of_a_long_key_is_replaced_too() {
        let [bearer, ..] = authentications("", "moonstone-0123456789-abcdef");
        let shown = |text: &str| String::from_utf8(masked(text.into(), &bearer)).expect("it is text");
        assert_eq!(shown("key moonstone-0123456..."), "key ******...");
        assert_eq!(
            shown(r#"{"message":"moonstone-0123456789-abcdef is wrong"}"#),
            r#"{"message":"****** is wrong"}"#
        );
        assert_eq!(shown("moonstone"), "moonstone");
    }
}
