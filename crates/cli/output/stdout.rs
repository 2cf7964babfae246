//! Standard output that may close early: `tollproof check | head` is not an error.

use std::io::{self, BufWriter, StdoutLock, Write};

/// A buffered writer that drops output after the reader has closed the pipe.
pub(crate) struct Stdout<W: Write> {
    writer: BufWriter<W>,
    closed: bool,
}

impl Stdout<StdoutLock<'static>> {
    /// Standard output, locked for the whole run.
    pub(crate) fn locked() -> Self {
        Self::new(io::stdout().lock())
    }
}

impl<W: Write> Stdout<W> {
    fn new(writer: W) -> Self {
        Self { writer: BufWriter::with_capacity(1 << 16, writer), closed: false }
    }

    /// Whether the reader has closed the pipe.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Ignores a broken pipe: the run continues, so that the exit status does not depend on timing.
    fn tolerate<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for Stdout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.writer.write(bytes);
        self.tolerate(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.writer.flush();
        self.tolerate(result, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let mut out = Stdout::new(Gone);
        out.write_all(&vec![b'x'; 1 << 17]).expect("swallowed");
        out.flush().expect("swallowed");
    }
}
