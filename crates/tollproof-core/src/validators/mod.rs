//! Validators for hosts, addresses, numbers and the length of messages, based on libraries and the tables of tollproof-data.

pub(crate) mod email;
pub(crate) mod format;
pub(crate) mod host;
pub(crate) mod number_key;
pub(crate) mod phone;
pub(crate) mod sender;
pub(crate) mod sms_length;
pub(crate) mod text_urls;
pub(crate) mod url;
