//! Pages of a zoo, each with what must and must not be seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tollproof_core::seen::{AddressUse, BoxSeen, PageSeen, PageSign, SeenFact, SeenOutcome};

use super::server::{SiteAnswer, TestSite, html, with_type};
use super::{TestNet, fact};

/// A page's expected facts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ExpectedPage {
    why: Option<String>,
    /// Whether the page is that of a business, not one on which people agree.
    website: bool,
    signs: Vec<PageSign>,
    /// The number of phone forms.
    phones: Option<usize>,
    /// Ticked and required, of all boxes.
    boxes: Option<Vec<(bool, bool)>>,
    /// The beginnings of the labels of all ticked boxes.
    ticked: Option<Vec<String>>,
    /// The beginnings of the labels of all required boxes.
    required: Option<Vec<String>>,
    /// The beginning of the first label.
    label: String,
    names: Option<Vec<String>>,
    /// Parts of names.
    named: Vec<String>,
    /// Parts of addresses.
    located: Vec<String>,
    addresses: Option<Vec<String>>,
    privacy: Option<String>,
    terms: Option<String>,
    no_links: bool,
    no_terms: bool,
    language: Option<String>,
    consent: Vec<String>,
    no_consent: bool,
    sharing: Vec<String>,
    /// Parts of what a reader gets of a policy, and of a website.
    policy: Vec<String>,
    about: Vec<String>,
    logs_in: bool,
    redirects: u8,
}

fn expected() -> BTreeMap<String, ExpectedPage> {
    serde_yaml::from_str(include_str!("zoo.yaml")).expect("the file has this shape")
}

#[test]
fn each_page_shows_what_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/look/tests/zoo");
    let files =
        fs::read_dir(&folder).expect("it is there").map(|entry| entry.expect("it can be read").path());
    let pages: BTreeMap<String, SiteAnswer> = files
        .map(|path| {
            let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            (name, page(fs::read(path).expect("it can be read")))
        })
        .collect();
    let expected = expected();
    assert_eq!(pages.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let answers: Vec<(String, _)> =
        pages.into_iter().map(|(name, page)| (format!("/{name}.html"), page)).collect();
    let answers: Vec<(&str, _)> = answers.iter().map(|(path, it)| (path.as_str(), it.clone())).collect();
    let site = TestSite::start(&answers);
    let mut net = TestNet::new();
    net.name("zoo.test", &site);
    let looker = net.looker();
    let mut wrong = Vec::new();
    for (name, expected) in &expected {
        let used = match expected {
            expected if expected.website => AddressUse::Website,
            expected if !expected.policy.is_empty() => AddressUse::Privacy,
            _ => AddressUse::OptIn,
        };
        let fact = fact(&looker, &format!("http://zoo.test/{name}.html"), used);
        wrong.extend(differences(expected, &fact).into_iter().map(|it| format!("{name}: {it}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A file as its server sends it: large parts are written out, and only UTF-8 is named.
fn page(bytes: Vec<u8>) -> SiteAnswer {
    match String::from_utf8(bytes) {
        Ok(text) => html(
            &text
                .replace("@LONG@", &"A".repeat(400_000))
                .replace("@DEEP@", &"<div class=w>".repeat(250))
                .replace("@/DEEP@", &"</div>".repeat(250)),
        ),
        Err(other) => with_type("text/html", other.as_bytes()),
    }
}

/// Lists unexpected facts.
fn differences(expected: &ExpectedPage, fact: &SeenFact) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(why) = &expected.why {
        if fact.outcome != SeenOutcome::NotChecked || fact.why.as_ref() != Some(why) || fact.page.is_some() {
            wrong.push(format!("not {why}: {fact:?}"));
        }
        return wrong;
    }
    let Some(page) = &fact.page else { return vec![format!("not seen: {fact:?}")] };
    let mut same = |what: &str, is_so: bool, is: &dyn std::fmt::Debug| {
        if !is_so {
            wrong.push(format!("{what}: {is:?}"));
        }
    };
    let says = |text: &str, part: &String| match part.strip_prefix('!') {
        Some(part) => !text.contains(part),
        None => text.contains(part.as_str()),
    };
    let PageSeen { signs, forms, names, addresses, privacy, terms, language, consent, sharing, .. } = page;
    same("signs", *signs == expected.signs, signs);
    let phones = forms.iter().filter(|it| it.has_phone).count();
    same("phones", expected.phones.is_none_or(|it| it == phones), forms);
    let boxes: Vec<(bool, bool)> =
        forms.iter().flat_map(|it| &it.boxes).map(|it| (it.ticked, it.required)).collect();
    same("boxes", expected.boxes.as_ref().is_none_or(|it| *it == boxes), forms);
    let label = forms.iter().flat_map(|it| &it.boxes).next().map(|it| it.label.as_str()).unwrap_or_default();
    same("label", label.starts_with(&expected.label), &label);
    let labels = |is_so: fn(&BoxSeen) -> bool| -> Vec<&str> {
        forms.iter().flat_map(|it| &it.boxes).filter(|it| is_so(it)).map(|it| it.label.as_str()).collect()
    };
    let begin = |is: &[&str], expected: &Option<Vec<String>>| {
        let all = |names: &Vec<String>| {
            is.len() == names.len() && is.iter().zip(names).all(|(is, names)| is.starts_with(names.as_str()))
        };
        expected.as_ref().is_none_or(all)
    };
    let (ticked, required) = (labels(|it| it.ticked), labels(|it| it.required));
    same("ticked", begin(&ticked, &expected.ticked), &ticked);
    same("required", begin(&required, &expected.required), &required);
    let (named, located) = (names.join("\n"), addresses.join("\n"));
    same("named", expected.named.iter().all(|it| says(&named, it)), names);
    same("located", expected.located.iter().all(|it| says(&located, it)), addresses);
    same("no terms", !expected.no_terms || terms.is_none(), terms);
    same("names", expected.names.as_ref().is_none_or(|it| it == names), names);
    same("addresses", expected.addresses.as_ref().is_none_or(|it| it == addresses), addresses);
    let path =
        |address: &Option<String>| address.as_ref().map(|address| address.replace("http://zoo.test", ""));
    same("privacy", expected.privacy.is_none() || expected.privacy == path(privacy), privacy);
    same("terms", expected.terms.is_none() || expected.terms == path(terms), terms);
    same("links", !expected.no_links || (privacy.is_none() && terms.is_none()), &(privacy, terms));
    same("language", expected.language.as_ref().is_none_or(|it| it == language), language);
    same("consent", expected.consent.iter().all(|it| says(consent, it)), consent);
    same("no consent", !expected.no_consent || consent.is_empty(), consent);
    same("sharing", expected.sharing.iter().all(|it| says(sharing, it)), sharing);
    same("policy", expected.policy.iter().all(|policy| says(&page.policy, policy)), &page.policy);
    same("bounds", page.policy.len() <= 2_000 && page.about.len() <= 800, &page.policy);
    same("use", page.policy.is_empty() == expected.policy.is_empty(), &page.policy);
    same("about", expected.about.iter().all(|it| says(&page.about, it)), &page.about);
    same("log-in", expected.logs_in == forms.iter().any(|form| form.is_log_in), forms);
    same("redirects", expected.redirects == fact.redirects, &fact.redirects);
    wrong
}
