//! `docs/third-parties.md`: what others wrote that is part of the program or of the Python package.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{generated, metadata, text};

/// Data and programs inside of crates, whose own terms go beyond those of the crate: name, crate, licence, source.
const INSIDE: [(&str, &str, &str, &str); 2] = [
    ("Public Suffix List", "tollproof-data", "MPL-2.0", "https://publicsuffix.org"),
    ("SQLite", "libsqlite3-sys", "public domain", "https://sqlite.org/copyright.html"),
];

/// The part of a package that the page and the tests need.
struct Package {
    name: String,
    version: String,
    license: String,
    rust_version: Option<String>,
}

/// The packages that end up in the program or in the Python package on any platform, by name and version: neither what builds or tests it nor
/// macros, which run in the compiler. Cargo reads the manifests of all platforms for that.
fn linked() -> Vec<Package> {
    let metadata = metadata();
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|it| (text(&it["id"]), it)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|it| (text(&it["id"]), it)).collect();
    let mut seen = BTreeSet::new();
    let python = packages.iter().find(|(_, it)| it["name"] == "tollproof-python").map(|(id, _)| id.clone());
    let mut open: Vec<String> = [text(&metadata["resolve"]["root"])].into_iter().chain(python).collect();
    while let Some(id) = open.pop() {
        let is_macro = list(&packages[&id]["targets"]).iter().any(|it| it["kind"][0] == "proc-macro");
        if is_macro || !seen.insert(id.clone()) {
            continue;
        }
        let is_linked = |dep: &Value| list(&dep["dep_kinds"]).iter().any(|it| it["kind"].is_null());
        open.extend(list(&nodes[&id]["deps"]).iter().filter(|dep| is_linked(dep)).map(|it| text(&it["pkg"])));
    }
    let package = |id: &String| Package {
        name: text(&packages[id]["name"]),
        version: text(&packages[id]["version"]),
        license: text(&packages[id]["license"]),
        rust_version: packages[id]["rust_version"].as_str().map(str::to_owned),
    };
    let mut linked: Vec<Package> = seen.iter().map(package).collect();
    linked.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    linked
}

#[test]
fn the_page_of_third_parties_is_up_to_date() {
    let mut page = "# Third parties\n\n\
        tollproof and its Python package contain these libraries and data. `tollproof licenses` prints this page.\n\n\
        ## Data and programs inside of libraries\n\n| name | library | license | source |\n|---|---|---|---|\n"
        .to_owned();
    let linked = linked();
    for (name, library, license, source) in INSIDE {
        assert!(linked.iter().any(|it| it.name == library), "{library} is not linked any more");
        page += &format!("| {name} | {library} | {license} | {source} |\n");
    }
    page += "\n## Libraries\n\n| library | version | license |\n|---|---|---|\n";
    for Package { name, version, license, .. } in &linked {
        assert!(!license.is_empty(), "{name} {version} names no license");
        if !name.starts_with("tollproof") {
            page += &format!("| {name} | {version} | {license} |\n");
        }
    }
    generated("docs/third-parties.md", &page);
}

/// A library that needs a newer Rust than we promise would break users' builds; the workflow builds with that Rust.
#[test]
fn no_library_needs_a_newer_rust_than_promised() {
    let number = |version: &str| {
        let mut parts =
            version.split('.').map(|part| part.parse::<u32>().expect("a Rust version is numbers"));
        [(); 3].map(|()| parts.next().unwrap_or_default())
    };
    let linked = linked();
    let own = linked.iter().find(|it| it.name == "tollproof").and_then(|it| it.rust_version.as_deref());
    let own = number(own.expect("Cargo.toml names a Rust version"));
    for Package { name, version, rust_version, .. } in &linked {
        let needed = rust_version.as_deref().map(number).unwrap_or_default();
        assert!(needed <= own, "{name} {version} needs Rust {rust_version:?}");
    }
}
