//! Browser-only content.

use tollproof_core::seen::{AddressUse, PageSeen, SeenFact, SeenOutcome};

use super::super::server::{SiteAnswer, TestSite, html, status, to, with_type};
use super::super::{fact, why};
use super::{form, net, opt_in, scripted};

/// The page of a fact that a browser has seen.
fn page(fact: &SeenFact) -> &PageSeen {
    let page = fact.page.as_ref().unwrap_or_else(|| panic!("not seen: {fact:?}"));
    assert!(page.rendered && fact.outcome == SeenOutcome::Seen, "{fact:?}");
    page
}

/// Its boxes: ticked and required.
fn boxes(page: &PageSeen) -> Vec<(bool, bool)> {
    page.forms.iter().flat_map(|it| &it.boxes).map(|it| (it.ticked, it.required)).collect()
}

const BOX: &str = "<label><input type=checkbox id=agree> I agree to texts from Acme</label>";

#[test]
fn what_scripts_make_is_seen() {
    let Some(mut net) = net() else { return };
    let shadow = format!(
        "const host = document.createElement('acme-form'); document.body.append(host);
         host.attachShadow({{ mode: 'open' }}).innerHTML = `{}`;",
        form(BOX)
    );
    let inner = |script: &str| format!("root.innerHTML = `{}`; {script}", form(BOX));
    let banner = "document.body.insertAdjacentHTML('beforeend', \
        '<div style=\"position:fixed;inset:0;background:#fff\">We use cookies. <button>Accept</button></div>')";
    let drawn = format!(
        "document.head.insertAdjacentHTML('beforeend', '<style>input[type=checkbox]{{display:none}}.no{{display:none}}</style>');
         root.innerHTML = `{}`; agree.checked = true;",
        form(&format!("{BOX}<div class=no><label><input type=checkbox> Hidden</label></div>"))
    );
    let clobbered = format!(
        "root.innerHTML = `{}`;",
        form(&format!(
            "{BOX}<input name=children><input name=attributes><input name=childNodes><input name=localName>"
        ))
    );
    let aria = "<span role=checkbox aria-checked=false id=agree>I agree to texts from Acme</span>";
    let aria = format!("root.innerHTML = `{}`; agree.setAttribute('aria-checked', 'true');", form(aria));
    let locked = |script: &str| {
        let form = inner(&format!(
            "root.querySelector('form').insertAdjacentHTML('beforeend', '<button id=send disabled>Send</button>'); {script}"
        ));
        with_type("text/javascript", form.as_bytes())
    };
    let with_script =
        |path: &str| html(&format!("<title>Acme</title><div id=root></div><script src={path}></script>"));
    let site = TestSite::start(&[
        ("/form", scripted(&inner(""))),
        (
            "/later",
            scripted(&inner("setTimeout(() => { agree.checked = true; agree.required = true; }, 2_500)")),
        ),
        ("/popup", scripted(&format!("setTimeout(() => {{ {} }}, 2_500)", inner("")))),
        ("/shadow", scripted(&shadow)),
        ("/banner", scripted(&inner(banner))),
        ("/drawn", scripted(&drawn)),
        ("/clobbered", scripted(&clobbered)),
        ("/aria", scripted(&aria)),
        ("/locked", with_script("/locked.js")),
        ("/locked.js", locked("agree.onchange = () => { send.disabled = !agree.checked }")),
        ("/waits-for-number", with_script("/waits.js")),
        ("/waits.js", locked("agree.form.phone.oninput = () => { send.disabled = false }")),
        ("/empty", scripted("root.textContent = 'Loading'")),
        ("/waits", scripted("fetch('/data').then(it => it.text()).then(it => { root.innerHTML = it })")),
        ("/data", html(&form(BOX))),
    ]);
    net.name("site.test", &site);
    let looker = net.looker();
    for (path, expected) in [
        ("form", vec![(false, false)]),
        ("later", vec![(true, true)]),
        ("popup", vec![(false, false)]),
        ("shadow", vec![(false, false)]),
        ("banner", vec![(false, false)]),
        ("drawn", vec![(true, false)]),
        ("clobbered", vec![(false, false)]),
        ("aria", vec![(true, false)]),
        ("locked", vec![(false, true)]),
        ("waits-for-number", vec![(false, false)]),
        ("waits", vec![(false, false)]),
    ] {
        let fact = opt_in(&looker, &format!("http://site.test/{path}"));
        let page = page(&fact);
        assert_eq!(boxes(page), expected, "{path}: {page:?}");
        assert!(page.forms.iter().any(|it| it.has_phone), "{path}");
        assert!(
            page.forms
                .iter()
                .all(|form| form.boxes.iter().all(|choice| choice.label == "I agree to texts from Acme")),
            "{path}"
        );
        assert!(page.consent.contains("Reply STOP") && page.title == "Acme", "{path}: {page:?}");
    }
    let sends = |request: &String| request.to_ascii_lowercase().contains("\r\nreferer:");
    assert_eq!(site.requests().into_iter().find(sends), None);
    assert_eq!(why(&looker, "http://site.test/empty"), "empty-in-browser");
    for request in site.requests() {
        let agent =
            request.lines().find(|line| line.to_lowercase().starts_with("user-agent:")).unwrap_or_default();
        let name = concat!(" tollproof/", env!("CARGO_PKG_VERSION"), " (+look)");
        assert!(agent.ends_with(&name[1..]), "{request}");
        assert!(request.starts_with("GET ") && !request.to_lowercase().contains("proxy-"), "{request}");
    }
}

#[test]
fn boxes_that_scripts_change_are_kept_as_the_html_has_them() {
    let Some(mut net) = net() else { return };
    let ticked = "<label><input type=checkbox id=agree checked> I agree to texts from Acme</label>";
    let changed = format!("<title>Acme</title>{}<script>agree.checked = false</script>", form(ticked));
    let site = TestSite::start(&[("/", html(&changed))]);
    net.name("site.test", &site);
    let fact = opt_in(&net.looker(), "http://site.test/");
    let page = page(&fact);
    assert_eq!(boxes(page), [(false, false)]);
    assert_eq!(page.html_boxes.iter().map(|found| found.ticked).collect::<Vec<_>>(), [true]);
}

#[test]
fn frames_of_other_sites_are_seen_in_their_place() {
    let Some(mut net) = net() else { return };
    let outer = html(
        "<title>Acme</title><h1>Join our list</h1><iframe src=http://forms.test/f></iframe>\
         <iframe src=http://www.site.test/same></iframe><iframe hidden src=http://forms.test/hidden></iframe>\
         <script src=https://js.hsforms.net/a.js></script>",
    );
    let inner = format!(
        "<body><script>document.body.innerHTML = `{}<iframe src=http://deep.test/deep></iframe>`; agree.checked = true</script>",
        form(BOX)
    );
    let site = TestSite::start(&[("/", outer), ("/same", html("<p>Texts are sent once a month.</p>"))]);
    let forms = TestSite::start(&[
        ("/f", html(&inner)),
        ("/hidden", html("<p>We sell phone numbers to third parties.")),
        ("/deep", html("<p>Consent to text messages is not a condition. <a href=/p>Privacy Policy</a>")),
    ]);
    net.name("site.test", &site);
    net.name("www.site.test", &site);
    net.name("forms.test", &forms);
    net.name("deep.test", &forms);
    let looker = net.looker();
    let fact = opt_in(&looker, "http://site.test/");
    let page = page(&fact);
    assert_eq!((boxes(page), page.title.as_str()), (vec![(true, false)], "Acme"));
    assert!(page.consent.contains("Reply STOP") && page.consent.contains("not a condition"), "{page:?}");
    assert!(!page.sharing.contains("We sell"), "{page:?}");
    assert_eq!(page.privacy.as_deref(), Some("http://deep.test/p"));
}

#[test]
fn a_page_that_a_script_leads_elsewhere_is_seen_there() {
    let Some(mut net) = net() else { return };
    let site = TestSite::start(&[
        ("/", scripted("location.href = '/moved'")),
        ("/moved", to("http://www.site.test/form")),
        ("/form", scripted(&format!("root.innerHTML = `{}`", form(BOX)))),
        (
            "/push",
            scripted(&format!("root.innerHTML = `{}`; history.pushState(0, '', '/in/app')", form(BOX))),
        ),
        ("/gone", scripted("location.href = '/missing'")),
        ("/loop", scripted("location.href = '/loop?' + Math.random()")),
    ]);
    net.name("site.test", &site);
    net.name("www.site.test", &site);
    let looker = net.looker();
    let fact = opt_in(&looker, "http://site.test/");
    assert_eq!((fact.redirects, page(&fact).forms.len()), (2, 1));
    assert_eq!(fact.final_address.as_deref(), Some("http://www.site.test/form"));
    let fact = opt_in(&looker, "http://site.test/push");
    assert_eq!((fact.redirects, fact.final_address.as_deref()), (0, Some("http://site.test/in/app")));
    assert_eq!(why(&looker, "http://site.test/gone"), "not-opened-by-browser");
    assert_eq!(why(&looker, "http://site.test/loop"), "not-opened-by-browser");
}

#[test]
fn pages_share_nothing() {
    let Some(mut net) = net() else { return };
    let remember = "const known = document.cookie + localStorage.getItem('seen') + (await caches.keys()) + navigator.serviceWorker;
        document.cookie = 'seen=1'; localStorage.setItem('seen', 1);
        root.textContent = 'Known of you here is this and nothing more than this, dear reader of this page: ' + known;
        fetch('/known?' + encodeURIComponent(known))";
    let script = format!("(async () => {{ {remember} }})().catch(it => root.textContent = it)")
        .replace("(await caches.keys()) + ", "");
    let site = TestSite::start(&[("/a", scripted(&script)), ("/b", scripted(&script))]);
    net.name("site.test", &site);
    let looker = net.looker();
    for path in ["a", "b"] {
        let fact = fact(&looker, &format!("http://site.test/{path}"), AddressUse::Website);
        assert!(page(&fact).words > 12);
    }
    let requests = site.requests();
    let known: Vec<&String> = requests.iter().filter(|it| it.starts_with("GET /known?")).collect();
    assert!(
        known.len() == 2 && known.iter().all(|it| it.starts_with("GET /known?nullundefined ")),
        "{known:?}"
    );
    let first_of_b = requests.iter().filter(|it| it.starts_with("GET /b "));
    assert!(
        first_of_b.into_iter().all(|request| !request.to_lowercase().contains("cookie:")),
        "{requests:?}"
    );
}

#[test]
fn a_server_that_refuses_programs_may_let_in_a_browser() {
    let Some(mut net) = net() else { return };
    let refused = || status("406 Not Acceptable", "", "<h1>Not Acceptable!</h1>");
    let shown = status("200 OK", "Content-Type: text/html\r\n", &form(BOX));
    let site = TestSite::start(&[
        ("/", SiteAnswer::InTurn(vec![refused(), shown])),
        ("/never", SiteAnswer::Bytes(refused())),
    ]);
    net.name("site.test", &site);
    let looker = net.looker();
    let fact = opt_in(&looker, "http://site.test/");
    assert_eq!((fact.status, page(&fact).forms.len()), (None, 1));
    assert_eq!(why(&looker, "http://site.test/never"), "refused");
}

#[test]
fn without_a_browser_nothing_changes() {
    let Some(mut net) = net() else { return };
    net.options.browser = tollproof_browser::BrowserChoice::None;
    let site = TestSite::start(&[("/", scripted(&format!("root.innerHTML = `{}`", form(BOX))))]);
    net.name("site.test", &site);
    let looker = net.looker();
    assert_eq!(opt_in(&looker, "http://site.test/").why.as_deref(), Some("needs-browser"));
    assert_eq!(site.requests().len(), 1);
    assert_eq!(looker.renderer().problem(), None);
}

#[test]
fn what_needs_no_browser_is_not_rendered() {
    let Some(mut net) = net() else { return };
    let wall = html("<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/x.js></script>");
    let site = TestSite::start(&[("/", html(&form(BOX))), ("/wall", wall)]);
    net.name("site.test", &site);
    let looker = net.looker();
    let fact = opt_in(&looker, "http://site.test/");
    assert!(fact.page.is_some_and(|it| !it.rendered));
    assert_eq!(why(&looker, "http://site.test/wall"), "bot-wall");
    assert_eq!(site.requests().len(), 2);
}
