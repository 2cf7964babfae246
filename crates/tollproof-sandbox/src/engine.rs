//! The steps of every call: faults, credentials, a transaction, the ledger.

use std::path::Path;

use jiff::SignedDuration;
use rusqlite::{Connection, Result, TransactionBehavior};
use tokio::sync::{Notify, Semaphore};
use tollproof_core::Linter;

use crate::api::{ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::error::SandboxError;
use crate::fault::{self, Fault};
use crate::ids;
use crate::options::SandboxOptions;
use crate::providers::webhooks;
use crate::reply::{ApiReply, Refused};
use crate::review::Reviewer;
use crate::store::{Arrival, NextDelivery, SandboxStore, StateTables, WaitingDelivery};
use crate::webhook::Delivered;

/// Shared call state.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) options: SandboxOptions,
    reviewer: Reviewer,
    store: SandboxStore,
    /// Says that there may be a webhook to send, or a review whose end is near.
    pub(crate) news: Notify,
    /// The turns in which bodies are read.
    pub(crate) bodies: Semaphore,
}

impl Engine {
    pub(crate) fn new(options: SandboxOptions, max_bodies: usize) -> Result<Self, SandboxError> {
        let store = SandboxStore::open(options.store.as_deref().map(Path::new))?;
        // Who waits for a webhook does not read, so the review has to end without that.
        let least = if options.webhook.is_some() { WEBHOOK_REVIEW } else { SignedDuration::ZERO };
        let after = options.review_after.max(least);
        let reviewer = Reviewer { linter: Linter::builtin(), mode: options.review.clone(), after };
        let engine =
            Self { options, reviewer, store, news: Notify::new(), bodies: Semaphore::new(max_bodies) };
        engine.transact(|connection| engine.begin(connection))?;
        Ok(engine)
    }

    /// Sets the clock to the time of the options, if they have one.
    fn begin(&self, connection: &Connection) -> Result<()> {
        match self.options.now {
            Some(now) => StateTables::of(connection)?.set_clock(now),
            None => Ok(()),
        }
    }

    /// Forgets everything, and begins as at the start.
    pub(crate) fn reset(&self, connection: &Connection) -> Result<()> {
        StateTables::of(connection)?.clear()?;
        self.begin(connection)
    }

    /// Runs something in a transaction, which is committed before the result is returned.
    pub(crate) fn transact<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.store.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        let has_news = webhooks::prepare(&StateTables::of(&transaction)?, &self.options)?;
        transaction.commit()?;
        if has_news {
            self.news.notify_one();
        }
        Ok(result)
    }

    /// Ends the reviews whose time has come, and says which webhook is next.
    pub(crate) fn next_delivery(&self) -> Result<NextDelivery> {
        self.transact(|connection| StateTables::of(connection)?.settle(false))?;
        self.transact(|connection| {
            let tables = StateTables::of(connection)?;
            Ok(match (tables.next_delivery()?, tables.next_end()?) {
                (NextDelivery::Later(wait), Some(end)) => NextDelivery::Later(wait.min(end)),
                (NextDelivery::Nothing, Some(end)) => NextDelivery::Later(end),
                (next, _) => next,
            })
        })
    }

    /// Notes what became of a webhook.
    pub(crate) fn delivered(&self, delivery: &WaitingDelivery, outcome: Delivered) -> Result<()> {
        self.transact(|connection| {
            let tables = StateTables::of(connection)?;
            let (status, fault) = match outcome {
                Delivered::Answered(status) => (status, delivery.fault.as_str()),
                Delivered::NotAnswered => (0, "no-answer"),
            };
            webhooks::note(&tables, &delivery.provider, &delivery.webhook, status, fault)?;
            tables.end_delivery(delivery)
        })
    }

    /// Answers a call of a provider's API. Without a route, its path is unknown.
    pub(crate) fn answer(
        &self,
        surface: &'static ApiSurface,
        route: Option<&ApiRoute>,
        received: &Received,
    ) -> (ApiReply, Option<Fault>) {
        let answered = self.transact(|connection| self.answer_in(connection, surface, route, received));
        if received.method != "GET" {
            self.news.notify_one();
        }
        answered.unwrap_or_else(|_| ((surface.error)(ApiError::Server), None))
    }

    fn answer_in(
        &self,
        connection: &Connection,
        surface: &'static ApiSurface,
        route: Option<&ApiRoute>,
        received: &Received,
    ) -> Result<(ApiReply, Option<Fault>)> {
        let tables = StateTables::of(connection)?;
        let operation = route.map_or("unknown", |it| it.operation);
        let named =
            received.headers.get(fault::HEADER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let named = match named {
            None => tables.take_fault(surface.name, operation)?,
            named => named,
        };
        let fault = named.as_deref().and_then(Fault::named);
        tables.settle(route.is_some_and(ApiRoute::is_reading))?;
        let reply = match (fault, &named) {
            (None, Some(_)) => (surface.error)(ApiError::BadBody("the header names an unknown fault")),
            (Some(Fault::Before500), _) => (surface.error)(ApiError::Server),
            (Some(Fault::TooMany), _) => (surface.error)(ApiError::TooMany).header("retry-after", "1"),
            _ => {
                let reply = self.handle(connection, surface, route, received)?;
                if fault == Some(Fault::After500) { (surface.error)(ApiError::Server) } else { reply }
            }
        };
        let hash = |bytes: &[u8]| if bytes.is_empty() { String::new() } else { ids::hash(bytes) };
        let key = (surface.key_of)(received).unwrap_or_default();
        tables.note(&Arrival {
            at: String::new(),
            provider: surface.name.to_owned(),
            operation: operation.to_owned(),
            method: received.method.clone(),
            path: received.path.clone(),
            key: hash(key.as_bytes()).chars().take(SHORT_HASH).collect(),
            body: hash(&received.body),
            status: reply.status,
            fault: named.unwrap_or_default(),
            times: 0,
        })?;
        Ok((reply, fault))
    }

    /// Runs the handler of a route. What it changed is undone if it refuses.
    fn handle(
        &self,
        connection: &Connection,
        surface: &'static ApiSurface,
        route: Option<&ApiRoute>,
        received: &Received,
    ) -> Result<ApiReply> {
        let call =
            ApiCall { surface, received, tables: StateTables::of(connection)?, reviewer: &self.reviewer };
        let handled: Handled = match (surface.admit(received, &self.options.key), route) {
            (Err(refused), _) => Err(refused.into()),
            (Ok(()), None) => Err(call.error(ApiError::UnknownPath).into()),
            (Ok(()), Some(route)) => {
                connection.execute_batch("SAVEPOINT call")?;
                let handled = (route.handle)(&call);
                let end = if handled.is_ok() { "RELEASE call" } else { "ROLLBACK TO call; RELEASE call" };
                connection.execute_batch(end)?;
                handled
            }
        };
        match handled {
            Ok(reply) => Ok(reply),
            Err(Refused::Answer(reply)) => Ok(*reply),
            Err(Refused::Store(error)) => Err(error),
        }
    }
}

/// The number of digits of a key's hash in the ledger.
const SHORT_HASH: usize = 12;

/// Shortest duration of a review if its end is sent to `--webhook`.
const WEBHOOK_REVIEW: SignedDuration = SignedDuration::from_secs(1);
