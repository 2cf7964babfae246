//! Tokens that cannot be guessed, and digests of bodies.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::error::{HistoryError, Result};

/// A new token: 128 random bits in hexadecimal.
pub(crate) fn token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        HistoryError::Usage(format!("cannot get random numbers from the operating system: {error}"))
    })?;
    Ok(hexadecimal(&bytes))
}

/// The SHA-256 of the body of a request in hexadecimal, which identifies what was sent without repeating it.
pub fn digest_of(body: &[u8]) -> String {
    hexadecimal(&Sha256::digest(body))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
