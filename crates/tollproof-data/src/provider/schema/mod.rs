//! The schema of a kind, compiled to a shape.

pub mod compile;
pub mod error;
pub mod shape;
