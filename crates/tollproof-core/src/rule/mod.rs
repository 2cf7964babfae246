//! Rule files: their shape and how they are loaded.
