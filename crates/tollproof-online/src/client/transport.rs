//! A transport that notes what a request did: whether a byte was sent, and how the connection ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// Log of a connection. It is set before a byte leaves and read when the request has ended.
#[derive(Debug, Default)]
pub(super) struct TransferNotes {
    sent: AtomicBool,
    ended: AtomicBool,
    failed: AtomicBool,
}

impl TransferNotes {
    /// Whether a byte of the request may have left.
    pub(super) fn sent(&self) -> bool {
        self.sent.load(Ordering::SeqCst)
    }

    /// Whether the other side ended the connection while the answer was read.
    pub(super) fn ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Whether reading the answer failed, such as by a reset, or by an end that TLS does not confirm.
    pub(super) fn failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }
}

/// The last of the connectors: on top of TLS, so that a handshake is not a part of the request.
#[derive(Debug)]
pub(super) struct NotingConnector {
    pub(super) noted: Arc<TransferNotes>,
    /// Whether requests go through a proxy. The connection to the proxy itself is made by the same connectors, with
    /// settings that have no proxy, and what is sent on it is not the request.
    pub(super) has_proxy: bool,
}

impl<In: Transport> Connector<In> for NotingConnector {
    type Out = NotingTransport<In>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<NotingTransport<In>>, Error> {
        let is_request = details.config.proxy().is_some() == self.has_proxy;
        let noted = is_request.then(|| Arc::clone(&self.noted));
        Ok(chained.map(|inner| NotingTransport { inner, noted }))
    }
}

/// A connection whose use is noted.
#[derive(Debug)]
pub(super) struct NotingTransport<T> {
    inner: T,
    noted: Option<Arc<TransferNotes>>,
}

impl<T: Transport> Transport for NotingTransport<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        if let (Some(noted), true) = (&self.noted, amount > 0) {
            noted.sent.store(true, Ordering::SeqCst);
        }
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let result = self.inner.await_input(timeout);
        if let Some(noted) = &self.noted {
            match &result {
                Ok(true) => {}
                Ok(false) => noted.ended.store(true, Ordering::SeqCst),
                Err(_) => noted.failed.store(true, Ordering::SeqCst),
            }
        }
        result
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
