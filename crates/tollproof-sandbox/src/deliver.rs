//! Ends reviews whose time has come, and sends the webhooks that wait, one after the other.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::engine::Engine;
use crate::ids;
use crate::store::NextDelivery;
use crate::webhook::send;

/// The time to wait after an error of the store.
const PAUSE: Duration = Duration::from_secs(1);

/// Ends reviews and sends webhooks until the task is dropped.
pub(crate) async fn run(engine: Arc<Engine>) {
    loop {
        let asked = Arc::clone(&engine);
        let next = spawn_blocking(move || asked.next_delivery()).await;
        let next = next.ok().and_then(Result::ok);
        match next.unwrap_or(NextDelivery::Later(PAUSE)) {
            NextDelivery::Now(delivery) => {
                let nonce = ids::digits(&["webhook", &delivery.sequence.to_string()]);
                let outcome = send(&delivery.webhook, Timestamp::now().as_second(), &nonce).await;
                let told = Arc::clone(&engine);
                let noted = spawn_blocking(move || told.delivered(&delivery, outcome)).await;
                if !noted.is_ok_and(|it| it.is_ok()) {
                    // It would be sent again at once.
                    sleep(PAUSE).await;
                }
            }
            NextDelivery::Later(wait) => {
                tokio::select! {
                    () = engine.news.notified() => {}
                    () = sleep(wait) => {}
                }
            }
            NextDelivery::Nothing => engine.news.notified().await,
        }
    }
}
