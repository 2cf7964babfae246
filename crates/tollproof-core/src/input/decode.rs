//! Bytes in, text out.
