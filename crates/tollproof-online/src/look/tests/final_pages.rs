//! The meaning of the last page for the address that was asked.

use tollproof_core::seen::{AddressUse, SeenOutcome};

use super::server::{SiteAnswer, TestSite, html, status, to};
use super::{TestNet, asked, fact, look, why};

#[test]
fn a_wall_is_a_wall_whatever_its_status() {
    let wall = "<title>Just a moment...</title>";
    let site = TestSite::start(&[
        ("/challenge", SiteAnswer::Bytes(status("404 Not Found", "cf-mitigated: challenge\r\n", ""))),
        ("/wall", SiteAnswer::Bytes(status("410 Gone", "", wall))),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let looker = net.looker();
    for path in ["challenge", "wall"] {
        assert_eq!(why(&looker, &format!("http://site.test/{path}")), "bot-wall", "{path}");
    }
}

#[test]
fn a_host_that_asks_for_a_pause_is_left_alone() {
    let busy = |seconds: u32| status("429 Too Many Requests", &format!("Retry-After: {seconds}\r\n"), "");
    let free = status("200 OK", "", "<h1>Casco Bay Kayak</h1><p>Day trips in the bay");
    let paths: Vec<String> = (0..8).map(|it| format!("/{it}")).collect();
    for (pause, most, expected) in [(1, 16, SeenOutcome::Seen), (3_600, 2, SeenOutcome::NotChecked)] {
        let in_turn = SiteAnswer::InTurn(vec![busy(pause), free.clone()]);
        let answers: Vec<(&str, SiteAnswer)> =
            paths.iter().map(|path| (path.as_str(), in_turn.clone())).collect();
        let site = TestSite::start(&answers);
        let mut net = TestNet::new();
        net.name("site.test", &site);
        let all = paths.iter().map(|path| asked(&format!("http://site.test{path}"), AddressUse::Website));
        let looked = look(&net.looker(), &all.collect::<Vec<_>>());
        assert_eq!(looked.facts.len(), 8);
        assert!(looked.facts.iter().all(|it| it.outcome == expected), "{looked:?}");
        assert!(site.requests().len() <= most, "{pause}: {}", site.requests().len());
    }
}

#[test]
fn a_page_that_leads_to_none_is_seen_itself() {
    let page = "<meta http-equiv=refresh content='5;url=/gone'><h1>Day trips in Casco Bay</h1><p>We guide small groups \
                to the islands, harbors and lighthouses of the bay from May to October.";
    let site = TestSite::start(&[("/", html(page))]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let seen = fact(&net.looker(), "http://site.test/", AddressUse::Website);
    assert_eq!((seen.outcome, seen.page.is_some()), (SeenOutcome::Seen, true), "{seen:?}");
}

#[test]
fn a_name_that_a_redirect_names_says_nothing_of_the_own_name() {
    let site = TestSite::start(&[("/", to("http://missing.test/"))]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let seen = fact(&net.looker(), "http://site.test/", AddressUse::Website);
    assert_eq!(seen.outcome, SeenOutcome::Unreachable);
}

#[test]
fn secrets_in_redirects_are_not_stored() {
    let site = TestSite::start(&[
        ("/", to("/page?token=SECRET&email=ana@example.com#access=SECRET")),
        ("/page?token=SECRET&email=ana@example.com", html("<h1>Casco Bay Kayak</h1><p>Day trips in the bay")),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let seen = fact(&net.looker(), "http://site.test/", AddressUse::Website);
    assert_eq!(seen.final_address.as_deref(), Some("http://site.test/page"));
}
