//! Parts shared by the commands that call a provider.

mod calendar;
mod calls;
mod confirm;
mod connection;
mod drafts;
mod findings;
mod interrupt;
mod requests;
mod sending;
mod statuses;
mod waiting;

pub(super) use self::calendar::write as write_calendar;
pub(super) use self::calls::{Call, found_or_printed, gravest, json_of, print_text, report as report_calls};
pub(super) use self::confirm::confirmed;
pub(super) use self::connection::{
    locations_here, open_api, open_called, open_connection, open_store, place, provider_here,
};
pub(super) use self::drafts::{CheckedDrafts, DraftToSend, read_drafts};
pub(super) use self::findings::FindingsOutput;
pub(super) use self::interrupt::Interrupt;
pub(super) use self::requests::print as print_requests;
pub(super) use self::sending::{end_calls, gate_options, locations_of, open_session};
pub(super) use self::statuses::{lines, shown};
pub(super) use self::waiting::wait;
