//! The proxy through which all traffic of a browser goes: it connects to what pages may reach, for those with a pass.

mod message;
mod pass;
mod relay;

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

pub(super) use self::pass::Pass;
use self::pass::Passes;
use crate::destinations::Destinations;

/// The most connections at once. A browser opens 32 for each page.
const MAX_CONNECTIONS: usize = 100;

/// A proxy on the loopback address, until it is dropped.
#[derive(Debug)]
pub(super) struct GuardedProxy {
    address: SocketAddr,
    passes: Arc<Passes>,
    is_over: Arc<AtomicBool>,
}

impl GuardedProxy {
    /// Starts a proxy on a free port.
    pub(super) fn start(destinations: &Arc<dyn Destinations>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let passes = Arc::new(Passes::default());
        let is_over = Arc::new(AtomicBool::new(false));
        let (destinations, known, over) =
            (Arc::clone(destinations), Arc::clone(&passes), Arc::clone(&is_over));
        thread::Builder::new().name("browser-proxy".to_owned()).spawn(move || {
            let open = Arc::new(AtomicUsize::new(0));
            for client in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(client) = client else { continue };
                if open.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let (passes, destinations) = (Arc::clone(&known), Arc::clone(&destinations));
                let connection = OpenConnection(Arc::clone(&open));
                // Without a thread, the connection is closed.
                let _ = thread::Builder::new().name("browser-proxy".to_owned()).spawn(move || {
                    let _connection = connection;
                    // Errors: the browser has gone.
                    let _ = relay::serve(client, &passes, &*destinations);
                });
            }
        })?;
        Ok(Self { address, passes, is_over })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A pass for one page: for a number of bytes and until a time.
    pub(super) fn pass(&self, bytes: u64, until: Instant) -> Option<Pass> {
        Pass::new(&self.passes, bytes, until)
    }
}

impl Drop for GuardedProxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections, so that it ends.
        let _ = TcpStream::connect(self.address);
    }
}

/// Counts a connection until it ends.
struct OpenConnection(Arc<AtomicUsize>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether a read has only waited for a while.
fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
