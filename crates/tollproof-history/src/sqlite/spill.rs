//! A table of a run that is too large for memory: a temporary database, which disappears with the process.

use rusqlite::{Connection, OptionalExtension as _};

/// The memory of the table in KiB. The rest is in a temporary file without a name.
const CACHE_KIB: i32 = 4 << 10;

/// Keys of 16 bytes with the first value of each.
#[derive(Debug)]
pub struct SpillTable {
    connection: Connection,
}

impl SpillTable {
    /// An empty table; `None` if the system has no place for temporary files.
    pub fn new() -> Option<Self> {
        // An empty path is a database of this connection alone, on the disk.
        let connection = Connection::open("").ok()?;
        let setup = format!(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{CACHE_KIB};
             CREATE TABLE spilled (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID; BEGIN;"
        );
        connection.execute_batch(&setup).ok()?;
        Some(Self { connection })
    }

    /// The value of a key. A table that cannot be read has none.
    pub fn get(&self, key: &[u8; 16]) -> Option<Vec<u8>> {
        let mut query = self.connection.prepare_cached("SELECT value FROM spilled WHERE key = ?1").ok()?;
        query.query_row([&key[..]], |row| row.get(0)).optional().ok()?
    }

    /// Adds a value, unless the key has one. Returns false if the disk is full.
    pub fn add(&self, key: &[u8; 16], value: &[u8]) -> bool {
        let insert = self.connection.prepare_cached("INSERT OR IGNORE INTO spilled VALUES (?1, ?2)");
        insert.and_then(|mut insert| insert.execute([&key[..], value])).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_key_stays() {
        let table = SpillTable::new().expect("there is a place for temporary files");
        assert_eq!(table.get(&[1; 16]), None);
        assert!(table.add(&[1; 16], b"one") && table.add(&[1; 16], b"two") && table.add(&[2; 16], b"three"));
        assert_eq!(table.get(&[1; 16]).as_deref(), Some(&b"one"[..]));
    }
}
