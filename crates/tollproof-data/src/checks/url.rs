//! `url`: web addresses, as the whole value or inside a text.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;

/// Web addresses, the whole value or those in a text: each parameter that applies is a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Url {
    /// Check the addresses in a text instead of the whole value.
    pub within_text: bool,
    /// Not an absolute http or https address with a host under a known domain ending.
    pub malformed: bool,
    /// Hosts, or names of host lists, that are refused.
    pub hosts: Vec<String>,
    /// Domains that are reserved for examples and tests: `example.com`, `.test`.
    pub reserved: bool,
    /// Addresses that work only on the writer's own network: `localhost`, IP addresses, `.local`.
    pub local: bool,
    /// Words that must not be a segment of the path, such as `login`.
    pub path_words: Texts,
    /// Words with which a segment of the path must not end, as in `guest-login`.
    pub path_endings: Texts,
    /// Words that must not be a part of a subdomain: `staging` in `www-staging.acme.com` and `staging2.acme.com`.
    pub host_words: Texts,
    /// Words with which the name of a parameter must not begin, as in `?preview_id=4`.
    pub query_words: Texts,
    /// Hosts with the beginning of a path: `drive.google.com/drive/folders`.
    pub prefixes: Texts,
    /// A route after `#/`, which is not sent to the server.
    pub hash_route: bool,
    /// An address with `http://`, and in a text also one without a scheme.
    pub insecure: bool,
    /// The home page of a site, or exactly the website of the business.
    pub home_page: bool,
    /// The home page of a site with parameters.
    pub home_page_with_query: bool,
    /// A page, not a picture or another file.
    pub page: bool,
    /// A domain that does not contain the name of the business.
    pub unbranded: bool,
    /// A domain that is not the domain of the website and does not contain the name of the business.
    pub foreign: bool,
}

impl CheckSpec for Url {
    const FILLS: &'static [&'static str] = &["value", "match", "reason"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.hosts.is_empty()
            && [&self.path_words, &self.path_endings, &self.host_words, &self.query_words, &self.prefixes]
                .iter()
                .all(|it| it.is_empty())
            && !(self.malformed && !self.within_text
                || self.reserved
                || self.local
                || self.hash_route
                || self.insecure
                || self.home_page
                || self.home_page_with_query
                || self.page
                || self.unbranded
                || self.foreign);
        finds_nothing.then_some("one of `malformed`, `hosts`, `reserved`, `local`, `path_words`, `path_endings`, `host_words`, `query_words`, `prefixes`, `hash_route`, `insecure`, `home_page`, `home_page_with_query`, `page`, `unbranded`, `foreign`")
    }

    fn hosts(&self) -> &[String] {
        &self.hosts
    }
}
