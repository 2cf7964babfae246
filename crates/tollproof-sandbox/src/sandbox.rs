//! A running sandbox.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::api::AccessRow;
use crate::deliver;
use crate::engine::Engine;
use crate::error::SandboxError;
use crate::options::SandboxOptions;
use crate::providers::{chosen, is_bird_path, names};
use crate::server;
use crate::webhook::destination;

/// The most calls worked on at a time. One at a time uses the database.
const WORKERS: usize = 4;

/// A server on a thread of its own. It ends when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    address: SocketAddr,
    engine: Arc<Engine>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Sandbox {
    /// Starts a sandbox. It answers requests when this returns.
    ///
    /// # Errors
    ///
    /// The address or the store cannot be used, or the options name an unknown provider.
    pub fn start(options: SandboxOptions) -> Result<Self, SandboxError> {
        if !options.listen.ip().is_loopback() && !options.expose {
            return Err(SandboxError::Exposed(options.listen));
        }
        if let Some(unknown) = options.providers.iter().find(|name| !names().any(|it| it == **name)) {
            return Err(SandboxError::UnknownProvider(unknown.clone()));
        }
        if let Some(path) = options.bird_path.as_ref().filter(|path| !is_bird_path(path)) {
            return Err(SandboxError::BirdPath(path.clone()));
        }
        if let Some(url) = options.webhook.as_ref().filter(|url| destination(url).is_none()) {
            return Err(SandboxError::Webhook(url.clone()));
        }
        let mut builder = Builder::new_current_thread();
        let runtime = builder.enable_io().enable_time().max_blocking_threads(WORKERS).build();
        let runtime = runtime.map_err(SandboxError::Runtime)?;
        let listen = options.listen;
        let failed = |error| SandboxError::Listen { address: listen, error };
        let listener = runtime.block_on(TcpListener::bind(listen)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let engine = Arc::new(Engine::new(options, server::MAX_BODIES)?);
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&engine);
        let serve = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = server::serve(listener, address, Arc::clone(&served)) => {}
                    () = deliver::run(served) => {}
                    _ = stopped => {}
                }
            });
        };
        Ok(Self { address, engine, stop: Some(stop), thread: Some(std::thread::spawn(serve)) })
    }

    /// The address on which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address in place of that of a provider's API. `None` if the sandbox does not have the provider.
    #[must_use]
    pub fn base_url(&self, provider: &str) -> Option<String> {
        let surface = chosen(&self.engine.options).find(|it| it.name == provider)?;
        Some(format!("{}/{}", self.url(), surface.name))
    }

    /// The address of the sandbox itself; its own interface is below `/_sandbox`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// For each provider its name and what a client needs to use it.
    pub fn access(&self) -> impl Iterator<Item = (&'static str, Vec<AccessRow>)> {
        let (key, url) = (&self.engine.options.key, self.url());
        chosen(&self.engine.options)
            .map(move |provider| (provider.name, (provider.access)(&format!("{url}/{}", provider.name), key)))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
