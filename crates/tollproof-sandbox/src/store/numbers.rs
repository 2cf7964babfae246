//! The numbers that a provider can sell, and those that were bought.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Result, Row, params};

use super::{StateTables, millis, time};

/// A number that was bought.
#[derive(Clone, Debug)]
pub(crate) struct OwnedNumber {
    /// In E.164.
    pub(crate) number: String,
    /// The provider's id of it.
    pub(crate) id: String,
    /// The account or workspace that bought it.
    pub(crate) account: String,
    pub(crate) created_at: Timestamp,
}

/// The area codes of toll-free numbers, in the order in which they are offered.
const AREAS: [&str; 7] = ["833", "844", "855", "866", "877", "888", "800"];

/// The exchange of the numbers that are offered.
const EXCHANGE: &str = "555";
const OF_EXCHANGE: usize = 10_000;

/// Whether a text is a toll-free number in E.164.
pub(crate) fn is_toll_free(number: &str) -> bool {
    let digits = number.strip_prefix("+1").unwrap_or_default();
    digits.len() == 10
        && digits.bytes().all(|it| it.is_ascii_digit())
        && AREAS.iter().any(|area| digits.starts_with(area))
}

impl StateTables<'_> {
    /// Numbers that can be bought, all in the exchange 555. The search is repeatable until one of them is bought.
    pub(crate) fn available(
        &self,
        provider: &str,
        limit: u32,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let owned = "SELECT count(*) FROM number WHERE provider = ?1";
        let owned: u32 = self.connection.prepare_cached(owned)?.query_row([provider], |row| row.get(0))?;
        let mut found = Vec::new();
        for at in owned as usize.. {
            let Some(area) = AREAS.get(at / OF_EXCHANGE) else { break };
            let number = format!("+1{area}{EXCHANGE}{:04}", at % OF_EXCHANGE);
            if found.len() == limit as usize {
                break;
            }
            if is_wanted(&number) && self.owned(provider, &number)?.is_none() {
                found.push(number);
            }
        }
        Ok(found)
    }

    /// Buys a toll-free number. `false` if it is not available.
    pub(crate) fn buy(&self, provider: &str, account: &str, number: &str, id: &str) -> Result<bool> {
        if !is_toll_free(number) {
            return Ok(false);
        }
        let sql = "INSERT INTO number (provider, number, id, account, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO NOTHING";
        let values = params![provider, number, id, account, millis(self.now)];
        Ok(self.connection.prepare_cached(sql)?.execute(values)? == 1)
    }

    /// Gives a number back.
    pub(crate) fn release(&self, provider: &str, number: &str) -> Result<()> {
        let sql = "DELETE FROM number WHERE provider = ?1 AND number = ?2";
        self.connection.execute(sql, [provider, number]).map(drop)
    }

    /// The number with this E.164 or id, if it was bought.
    pub(crate) fn owned(&self, provider: &str, number_or_id: &str) -> Result<Option<OwnedNumber>> {
        let sql = "SELECT number, id, account, created_at FROM number
            WHERE provider = ?1 AND (number = ?2 OR id = ?2)";
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.query_row([provider, number_or_id], owned).optional()
    }

    /// All numbers that an account bought, oldest first.
    pub(crate) fn all_owned(&self, provider: &str, account: &str) -> Result<Vec<OwnedNumber>> {
        let sql = "SELECT number, id, account, created_at FROM number WHERE provider = ?1 AND account = ?2
            ORDER BY sequence";
        self.connection.prepare_cached(sql)?.query_map([provider, account], owned)?.collect()
    }
}

fn owned(row: &Row<'_>) -> Result<OwnedNumber> {
    let [number, id, account] = [row.get(0)?, row.get(1)?, row.get(2)?];
    Ok(OwnedNumber { number, id, account, created_at: time(row.get(3)?) })
}
