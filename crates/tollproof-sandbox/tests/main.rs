//! The sandbox through HTTP, by a client that knows nothing of its code.

mod aws;
mod bandwidth;
mod bird;
mod client;
mod core;
mod explained;
mod hostile;
mod infobip;
mod page;
mod plivo;
mod receiver;
mod telnyx;
mod twilio;
mod webhooks;
