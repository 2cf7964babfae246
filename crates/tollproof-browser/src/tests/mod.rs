//! A browser and a server on this machine. Without a browser these tests are skipped, unless `TOLLPROOF_ALL_TOOLS` is set.

#![expect(clippy::print_stdout, reason = "a test says that it is skipped")]

mod process;
mod proxy;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::unistd::Uid;
use url::Url;

use crate::problem::Result;
use crate::{BrowserChoice, Destinations, RenderOptions, RenderedPage, Renderer, find_browser};

/// A website on this machine: a page for each path. All hosts lead to it.
#[derive(Clone, Debug)]
struct LocalSite {
    address: SocketAddr,
    /// The first line of each request.
    asked: Arc<Mutex<Vec<String>>>,
}

impl LocalSite {
    fn start(pages: &'static [(&'static str, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it is bound");
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let notes = Arc::clone(&asked);
        // The thread ends with the test program.
        std::thread::spawn(move || {
            for mut connection in listener.incoming().flatten() {
                let mut lines = BufReader::new(&connection).lines().map_while(Result::ok);
                let line = lines.next().unwrap_or_default();
                lines.find(String::is_empty);
                let path = line.split(' ').nth(1).unwrap_or_default();
                let page = pages.iter().find(|(known, _)| *known == path).map_or("", |(_, page)| page);
                let head =
                    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}", page.len());
                // Errors: the browser has gone.
                let _ = write!(connection, "{head}\r\nConnection: close\r\n\r\n{page}");
                notes.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
        Self { address, asked }
    }

    fn was_asked(&self, path: &str) -> bool {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().any(|line| line.contains(path))
    }

    /// A renderer whose pages come from this site.
    fn renderer(&self, choice: BrowserChoice, without_sandbox: bool, time: Duration) -> Renderer {
        Renderer::new(RenderOptions {
            choice,
            without_sandbox,
            destinations: Arc::new(self.clone()),
            name: "tollproof-test".to_owned(),
            skips_frame: |_| false,
            time,
            max_body: 1 << 20,
        })
    }
}

impl Destinations for LocalSite {
    fn of(&self, _: &Url) -> Option<Vec<SocketAddr>> {
        Some(vec![self.address])
    }
}

/// A renderer with the browser of this machine. `None` without one.
fn renderer(site: &LocalSite, time: Duration) -> Option<Renderer> {
    if find_browser().is_none() {
        assert!(std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none(), "a browser is missing");
        println!("skipped: a browser is missing");
        return None;
    }
    // Chromium has no sandbox for root.
    Some(site.renderer(BrowserChoice::Find, Uid::effective().is_root(), time))
}

fn render(renderer: &Renderer, path: &str) -> Result<RenderedPage> {
    let url = format!("http://site.test{path}").parse().expect("it is an address");
    renderer.render(&url, Duration::ZERO, &|| false)
}
