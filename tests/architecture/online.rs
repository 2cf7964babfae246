//! Only the command line goes online, by one crate and one HTTP client.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{sources, users};
use crate::generated::metadata;

/// The packages of this workspace that depend on a package, each with how: `dev`, `build` or nothing.
fn dependents(name: &str) -> BTreeSet<(String, Option<String>)> {
    let metadata = metadata();
    let own: Vec<&Value> = metadata["workspace_members"].as_array().into_iter().flatten().collect();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut found = BTreeSet::new();
    for package in packages.filter(|package| own.contains(&&package["id"])) {
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for dependency in dependencies.filter(|it| it["name"] == name) {
            let package = package["name"].as_str().expect("a package has a name").to_owned();
            found.insert((package, dependency["kind"].as_str().map(str::to_owned)));
        }
    }
    found
}

fn only(name: &str) -> BTreeSet<(String, Option<String>)> {
    BTreeSet::from([(name.to_owned(), None)])
}

#[test]
fn only_the_command_line_depends_on_what_goes_online() {
    assert_eq!(dependents("tollproof-online"), only("tollproof"));
    assert_eq!(dependents("tollproof-browser"), only("tollproof-online"));
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("it is a list");
    let root = packages.iter().find(|it| it["name"] == "tollproof").expect("there is a root");
    let dependencies = root["dependencies"].as_array().expect("it is a list");
    let online = dependencies.iter().find(|it| it["name"] == "tollproof-online").expect("there is one");
    assert_eq!(online["optional"], true, "the command line can be built without it");
}

#[test]
fn one_crate_has_an_http_client_and_one_room_uses_it() {
    let clients = dependents("ureq").into_iter().filter(|(_, kind)| kind.as_deref() != Some("dev"));
    assert_eq!(clients.collect::<BTreeSet<_>>(), only("tollproof-online"));
    // The sandbox is a server, and sends webhooks to this machine by its own rules.
    for other in ["reqwest", "hyper", "curl", "attohttpc", "isahc", "minreq"] {
        let others = dependents(other).into_iter().filter(|(_, kind)| kind.as_deref() != Some("dev"));
        let others: Vec<String> =
            others.map(|(name, _)| name).filter(|it| it != "tollproof-sandbox").collect();
        assert_eq!(others, Vec::<String>::new(), "{other}");
    }
    for name in ["ureq::", "rustls::", "rustls_native_certs", "TcpStream", "TcpListener", "UdpSocket"] {
        // All traffic of a browser goes through a proxy of ours. Tests have servers.
        for (source, rooms) in [
            ("crates/tollproof-online/src", ["/src/client/", "/src/look/tests/"]),
            ("crates/tollproof-browser/src", ["/src/chromium/proxy/", "/src/tests/"]),
        ] {
            let users = users(source, name, &[]);
            let is_known = |file: &String| rooms.iter().any(|room| file.contains(room));
            assert!(users.iter().all(is_known), "{name}: {users:?}");
        }
    }
    let exposed = users("crates/tollproof-online/src", "disable_verification", &[]);
    assert_eq!(exposed, Vec::<String>::new());
}

/// A key is exposed where the request is made, where it is checked, and where an answer is rid of it.
#[test]
fn keys_are_exposed_in_few_places() {
    let client = [
        "client/authentication.rs",
        "client/exchange.rs",
        "client/guard.rs",
        "client/mask.rs",
        "client/sigv4.rs",
    ];
    let tests = ["credentials.rs", "/tests.rs"];
    for (file, text) in sources("crates/tollproof-online/src") {
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_known = client.iter().chain(&tests).any(|it| file.ends_with(it)) || file.contains("/tests/");
        assert!(is_known || !product.contains("expose_secret"), "{file} exposes a key");
    }
}
