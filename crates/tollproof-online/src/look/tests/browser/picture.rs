//! Pictures of opt-in pages.

use tollproof_browser::{BrowserChoice, BrowserProblem};
use tollproof_core::seen::AddressUse;

use super::super::super::opt_in_picture::PictureError;
use super::super::super::picture_text::find_tesseract;
use super::super::server::{TestSite, html, with_type};
use super::super::{TestNet, fact};
use super::{form, net, scripted};

/// The AWS limit, in bytes.
const MAX: usize = 400_000;

#[test]
fn a_picture_shows_the_form() {
    let Some(mut net) = net() else { return };
    // Noise that cannot be compressed, around a form far below.
    let noise = "const noise = (height) => {
          const it = document.createElement('canvas'); it.width = 1200; it.height = height; document.body.append(it);
          const to = it.getContext('2d'), data = to.createImageData(1200, height);
          for (let i = 0; i < data.data.length; i++) data.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
          to.putImageData(data, 0, 0);
        }";
    let low = format!(
        "{noise}; noise(3000); const it = document.createElement('div'); it.innerHTML = `{}`; document.body.append(it); noise(2000)",
        form("")
    );
    let shadow = format!("root.attachShadow({{ mode: 'open' }}).innerHTML = `{}`", form(""));
    let frame = "<div style='height:4000px'>Down there</div><iframe src=http://forms.test/plain width=800 height=600></iframe>";
    let site = TestSite::start(&[
        ("/plain", html(&form(""))),
        ("/low", scripted(&low)),
        ("/shadow", scripted(&shadow)),
        ("/frame", html(frame)),
        (
            "/none",
            html(
                "<h1>Acme Coffee</h1><p>We roast coffee in a small shop and sell it to all who come by, each day from eight to six.</p>",
            ),
        ),
        ("/noise", scripted(&format!("{noise}; noise(3000)"))),
    ]);
    net.name("site.test", &site);
    net.name("forms.test", &site);
    let looker = net.looker();
    let picture = |path: &str, max| looker.picture(&format!("http://site.test/{path}"), max, &|| false);
    for (path, shows_form, size) in [
        ("plain", true, Some((1280, 1600))),
        ("low", true, None),
        ("shadow", true, Some((1280, 1600))),
        ("frame", true, Some((1280, 1600))),
        ("none", false, Some((1280, 1600))),
    ] {
        let picture = picture(path, MAX).unwrap_or_else(|error| panic!("{path}: {error}"));
        if let Some(folder) = std::env::var_os("TOLLPROOF_KEEP_PICTURES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{path}.png")), &picture.png)
                .expect("it can be written");
        }
        assert_eq!((picture.shows_form, picture.seen.is_blank), (shows_form, false), "{path}");
        assert!(picture.png.len() <= MAX && picture.seen.format == "png", "{path}");
        assert!(
            size.is_none_or(|it| it == (picture.seen.width, picture.seen.height)),
            "{path}: {:?}",
            picture.seen
        );
        assert!(picture.seen.width >= 500, "{path}: {:?}", picture.seen);
        assert_eq!(picture.final_address, format!("http://site.test/{path}"));
    }
    assert_eq!(picture("noise", MAX), Err(PictureError::TooLarge(MAX)));
    assert_eq!(picture("missing", MAX), Err(PictureError::NotSeen("not-opened")));
    let private = looker.picture("http://127.0.0.1/", MAX, &|| false);
    assert_eq!(private, Err(PictureError::NotSeen("private-address")));
    assert_eq!(looker.picture("acme.com", MAX, &|| false), Err(PictureError::NotSeen("not-a-web-address")));
}

#[test]
fn the_words_of_a_picture_are_those_of_the_page() {
    let Some(mut net) = net() else { return };
    let Some(tesseract) = find_tesseract() else {
        assert!(std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none(), "Tesseract is missing");
        println!("skipped: Tesseract is missing");
        return;
    };
    net.options.tesseract = Some(tesseract);
    let french = "<h1>Textos de la Boulangerie</h1><form><label>Cellulaire <input type=tel name=phone></label><p \
         style='font-size:12px;color:#555'>J'accepte de recevoir des textos de la Boulangerie. Environ 3 messages par mois. \
         Des frais de messagerie et de données peuvent s'appliquer. Répondez ARRÊT pour vous désabonner, AIDE pour de \
         l'aide.</p></form>";
    let dark = format!("<body style='background:#123;color:#eee;font-size:13px'>{}", form(""));
    let site =
        TestSite::start(&[("/plain", html(&form(""))), ("/french", html(french)), ("/dark", html(&dark))]);
    net.name("site.test", &site);
    let looker = net.looker();
    for (path, expected) in [
        ("plain", &["Reply STOP to opt out, HELP for help", "Message and data rates may apply"][..]),
        ("dark", &["marketing text messages from Acme Coffee", "HELP for help"]),
        ("french", &["Environ 3 messages par mois", "frais de messagerie", "Répondez ARRÊT"]),
    ] {
        let picture = looker.picture(&format!("http://site.test/{path}"), MAX, &|| false).expect("it opens");
        let pictures = TestSite::start(&[("/form.png", with_type("image/png", &picture.png))]);
        let mut net = TestNet::new();
        net.options.tesseract = find_tesseract();
        net.name("pictures.test", &pictures);
        let seen = fact(&net.looker(), "http://pictures.test/form.png", AddressUse::Picture);
        let seen = seen.picture.expect("it is a picture");
        let text = seen.text.unwrap_or_else(|| panic!("{path}: {:?}", seen.unread));
        for words in expected {
            assert!(text.contains(words), "{path}: {text}");
        }
    }
}

#[test]
fn without_a_browser_there_is_no_picture() {
    let Some(mut net) = net() else { return };
    net.options.browser = BrowserChoice::None;
    let site = TestSite::start(&[("/", html(&form("")))]);
    net.name("site.test", &site);
    let error = net.looker().picture("http://site.test/", MAX, &|| false);
    assert_eq!(error, Err(PictureError::Browser(BrowserProblem::Off)));
}
