//! Tests of looking at servers on the loopback address, under invented names with public addresses that lead to them.

mod adversarial;
mod attacks;
#[cfg(unix)]
mod browser;
mod faults;
mod final_pages;
#[cfg(unix)]
mod picture_text;
mod pictures;
mod server;
mod tls;
mod zoo;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tollproof_core::seen::{AddressUse, SeenFact};

use self::server::TestSite;
use super::asked::Asked;
use super::directory::Directory;
use super::looker::{LookOptions, LookResult, Looker};
use super::names::{NameError, NameService};
use super::reach::NetworkScope;
use crate::client::Visitor;

/// The answer about a name.
type NameAnswer = Result<Vec<IpAddr>, NameError>;

/// Names of tests. A name that is not known does not exist.
#[derive(Debug, Default)]
struct TestNames {
    /// The answers of each name, one after the other; the last one again and again.
    answers: Mutex<HashMap<String, Vec<NameAnswer>>>,
    mail: HashMap<String, Result<bool, NameError>>,
    asked: AtomicUsize,
}

impl NameService for TestNames {
    fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, NameError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        match answers.get_mut(host) {
            Some(all) if all.len() > 1 => all.remove(0),
            Some(all) => all[0].clone(),
            None => Err(NameError::NoSuchName),
        }
    }

    fn has_mail_server(&self, domain: &str) -> Result<bool, NameError> {
        self.mail.get(domain).copied().unwrap_or(Err(NameError::NoSuchName))
    }
}

/// A small internet: names, and servers on this machine.
#[derive(Debug, Default)]
struct TestNet {
    names: TestNames,
    detours: HashMap<SocketAddr, SocketAddr>,
    options: LookOptions,
    count: u8,
}

impl TestNet {
    fn new() -> Self {
        let options = LookOptions { time: Duration::from_secs(5), ..LookOptions::default() };
        Self { options, ..Self::default() }
    }

    /// A public address that leads to a server.
    fn public(&mut self, site: &TestSite) -> IpAddr {
        self.count += 1;
        let address = IpAddr::V4(Ipv4Addr::new(93, 184, 216, self.count));
        for port in [80, 443] {
            self.detours.insert(SocketAddr::new(address, port), site.address);
        }
        address
    }

    /// Leads connections to one address to another.
    #[cfg(unix)]
    fn directory_detour(&mut self, from: SocketAddr, to: SocketAddr) {
        self.detours.insert(from, to);
    }

    /// Gives a server a name.
    fn name(&mut self, host: &str, site: &TestSite) -> IpAddr {
        let address = self.public(site);
        self.answer(host, vec![Ok(vec![address])]);
        address
    }

    fn answer(&mut self, host: &str, answers: Vec<NameAnswer>) {
        let all = self.names.answers.get_mut().unwrap_or_else(PoisonError::into_inner);
        all.insert(host.to_owned(), answers);
    }

    fn allow_private(&mut self) {
        self.options.reach = NetworkScope::Private;
    }

    fn looker(self) -> Looker {
        self.looker_with(Visitor::default())
    }

    fn looker_with(self, visitor: Visitor) -> Looker {
        let Self { names, detours, options, .. } = self;
        let mut directory = Directory::new(Arc::new(names), options.reach);
        directory.detours = detours;
        Looker::in_directory(&options, directory, visitor)
    }
}

fn asked(address: &str, used: AddressUse) -> Asked {
    Asked { address: address.to_owned(), used: [used].into(), names: [].into() }
}

fn look(looker: &Looker, asked: &[Asked]) -> LookResult {
    looker.look(asked, &|_| {}, &|| false)
}

/// Looks at one address.
fn fact(looker: &Looker, address: &str, used: AddressUse) -> SeenFact {
    let mut looked = look(looker, &[asked(address, used)]);
    assert_eq!(looked.facts.len(), 1, "{looked:?}");
    looked.facts.remove(0)
}

/// Cause of an unchecked address.
fn why(looker: &Looker, address: &str) -> String {
    let fact = fact(looker, address, AddressUse::Website);
    fact.why.unwrap_or_else(|| format!("{:?}", fact.outcome))
}
