//! Reads compressed files: one row of a table for each way to compress.

use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

/// The maximum window of a `.zst` file: 2 to this power in bytes, which is what `zstd -d` accepts too.
const MAX_WINDOW_LOG: u32 = 27;

/// A reader of a file's content.
type ByteReader = Box<dyn Read + Send>;

/// A way to compress a file.
struct Compression {
    /// The extension of compressed files.
    extension: &'static str,
    open: fn(ByteReader) -> io::Result<ByteReader>,
}

/// All ways to compress. [`Format::of_path`](tollproof_core::Format::of_path) knows the same extensions.
const COMPRESSIONS: [Compression; 2] = [
    Compression {
        extension: "gz",
        // A file may have several members, as after `cat a.gz b.gz`.
        open: |reader| Ok(Box::new(MultiGzDecoder::new(BufReader::new(reader)))),
    },
    Compression {
        extension: "zst",
        open: |reader| {
            let mut decoder = ZstdDecoder::new(reader)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Ok(Box::new(decoder))
        },
    },
];

/// Whether a file is compressed, by its name.
pub(super) fn is_compressed(path: &Path) -> bool {
    of_path(path).is_some()
}

/// The content of a file. If it is compressed, the limit of its size applies to what it decompresses to.
pub(super) fn content(path: &Path, reader: ByteReader) -> io::Result<ByteReader> {
    let Some(compression) = of_path(path) else { return Ok(reader) };
    let reader = (compression.open)(reader).map_err(damaged)?;
    Ok(Box::new(Limited { reader, read: 0, max: tollproof_history::max_file_size() }))
}

fn of_path(path: &Path) -> Option<&'static Compression> {
    let extension = path.extension()?.to_str()?;
    COMPRESSIONS.iter().find(|it| extension.eq_ignore_ascii_case(it.extension))
}

/// Decompressed content, which ends with an error at the limit: a small file may decompress to any size.
struct Limited {
    reader: Box<dyn Read + Send>,
    read: u64,
    max: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer).map_err(damaged)?;
        self.read += read as u64;
        if self.read > self.max {
            return Err(tollproof_history::too_large("it decompresses to more than"));
        }
        Ok(read)
    }
}

/// Errors of decoders name their own parts; errors of the file itself stay.
fn damaged(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the compressed data ends early"),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            io::Error::new(io::ErrorKind::InvalidData, "the compressed data is damaged, or of another format")
        }
        _ => error,
    }
}
