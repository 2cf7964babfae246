//! Pages that make parsers slow or large.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use tollproof_core::seen::AddressUse;

use super::super::html::parse;
use super::super::page::read;
use super::server::{TestSite, html};
use super::{TestNet, asked};

#[test]
fn a_page_is_not_waited_for_once_the_run_is_stopped() {
    let formatting: String = (0..20_000).map(|id| format!("<b id={id}>")).collect();
    let site = TestSite::start(&[("/huge", html(&format!("{formatting}{}", "<p>x".repeat(500_000))))]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let since = Instant::now();
    let is_stopped = || !site.requests().is_empty() && since.elapsed() > Duration::from_millis(500);
    let asked = asked("http://site.test/huge", AddressUse::OptIn);
    let looked = net.looker().look(&[asked], &|_| {}, &is_stopped);
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    assert_eq!(looked.facts, [], "it is not known what it shows");
}

#[test]
fn a_website_that_names_a_business_nowhere_is_known() {
    let names = ["quillback", "lumiere", "petsmart"].map(str::to_owned).into();
    let url = "http://a.test/".parse().expect("it is one");
    let unnamed = |text: &str| read((text.as_bytes(), None), &url, true, &names).seen.unnamed;
    assert_eq!(unnamed("<h1>Great tours</h1>"), ["lumiere", "petsmart", "quillback"]);
    assert_eq!(unnamed("<title>Caf&eacute; Lumi&#232;re</title><p>Pet <b>Smart</b>"), ["quillback"]);
    assert_eq!(unnamed("<img src=/logo-quillback.png><script>site = 'LUMIERE'</script>"), ["petsmart"]);
    assert_eq!(unnamed("<img alt='Quillback Kayak'><svg><title>Petsmart</title></svg>"), ["lumiere"]);
}

#[test]
fn hostile_html_is_bounded() {
    let url = "http://a.test/".parse().expect("it is one");
    let formatting: String = (0..20_000).map(|id| format!("<b id={id}>")).collect();
    let attributes: String = (0..200_000).map(|it| format!(" a{it}=1")).collect();
    for (name, text) in [
        ("deep", "<div>".repeat(600_000)),
        ("deep tables", "<table><tr><td>".repeat(100_000)),
        ("scope", format!("{}{}", "<div>".repeat(100_000), "</p>".repeat(300_000))),
        ("formatting", format!("{formatting}{}", "<p>x".repeat(500_000))),
        ("attributes", format!("<p{attributes}>x")),
        ("adoption", format!("{}{}", "<a><div>".repeat(60_000), "</a>".repeat(60_000))),
        ("forms", "<form><input type=tel><input type=checkbox checked>".repeat(50_000)),
        ("labels", "<label>".repeat(300_000)),
        ("entities", "&lt;&notanentity".repeat(150_000)),
        ("comments", "<!--".repeat(600_000)),
        ("templates", "<template>".repeat(200_000)),
        ("svg", "<svg><foreignObject>".repeat(100_000)),
        ("text", "a ".repeat(1_400_000)),
        ("one word", "a".repeat(2_900_000)),
        ("long names", {
            let names = r#"<input type=checkbox aria-labelledby="a a a a a a a a a a">"#.repeat(5_000);
            format!("<p id=a>{}</p>{names}", " ".repeat(1_200_000))
        }),
        ("options", format!("<select>{}", "<option>x".repeat(200_000))),
    ] {
        let since = Instant::now();
        let page = read((text.as_bytes(), None), &url, true, &BTreeSet::new());
        // A build without optimization is slow by itself.
        assert!(since.elapsed() < Duration::from_secs(60), "{name}: {:?}", since.elapsed());
        assert!(page.seen.forms.len() <= 10 && page.seen.consent.chars().count() <= 4_000);
    }
    assert!(parse(&"<div>".repeat(10_000)).is_full() && !parse(&"<div>x</div>".repeat(10_000)).is_full());
}
