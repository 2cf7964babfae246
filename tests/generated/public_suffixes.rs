//! `crates/tollproof-data/data/public-suffixes.txt`: the rules of the crate `psl`, without its code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{generated, metadata, text};

#[test]
fn the_list_of_public_suffixes_is_up_to_date() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("it lists packages");
    let package =
        packages.iter().find(|package| package["name"] == "psl").expect("the tests of the core use it");
    let folder = Path::new(package["manifest_path"].as_str().expect("it has one")).with_file_name("data");
    let list = fs::read_to_string(folder.join("rules.txt")).expect("the package has the list");
    // `psl` knows names in other scripts in both of their spellings.
    let ascii = |rule: &str| idna::domain_to_ascii(rule).expect("it is a host");
    let rules: BTreeSet<String> = list.lines().flat_map(|rule| [rule.to_owned(), ascii(rule)]).collect();
    let mut rules: Vec<String> = rules.into_iter().collect();
    rules.sort_by_cached_key(|rule| {
        rule.trim_start_matches('!').rsplit('.').map(str::to_owned).collect::<Vec<_>>()
    });
    let head = format!(
        "// Public suffixes: the names below which anyone can register a domain.\n\
         //\n\
         // Source: the Public Suffix List (https://publicsuffix.org), MPL-2.0 (https://mozilla.org/MPL/2.0/), as the\n\
         //   crate psl {} has it.\n\
         // Sorted by labels, from the last to the first. `UPDATE=1 cargo test` writes this file.\n\n",
        text(&package["version"])
    );
    generated("crates/tollproof-data/data/public-suffixes.txt", &(head + &rules.join("\n") + "\n"));
}
