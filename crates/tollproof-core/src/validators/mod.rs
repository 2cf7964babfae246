//! Validators for hosts, addresses, numbers and the length of messages, based on libraries and the tables in `data/`.

pub(crate) mod area_codes;
pub(crate) mod countries;
pub(crate) mod ein;
pub(crate) mod email;
pub(crate) mod format;
pub(crate) mod host;
pub(crate) mod host_hash;
pub(crate) mod number_key;
pub(crate) mod phone;
pub(crate) mod postal;
#[cfg(any(target_family = "wasm", test))]
mod public_suffixes;
pub(crate) mod regions;
pub(crate) mod registration;
mod registration_number;
pub(crate) mod sender;
pub(crate) mod sms_length;
pub(crate) mod text_urls;
pub(crate) mod url;
pub(crate) mod word_lists;
