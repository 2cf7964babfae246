//! A part of prepared data that is decoded when it is first needed.

use std::ops::Deref;
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is encoded in other encoded data as bytes of its own. Most runs need few of them.
#[derive(Clone, Debug)]
pub struct Encoded<T> {
    bytes: &'static [u8],
    value: OnceLock<T>,
}

impl<T> From<T> for Encoded<T> {
    fn from(value: T) -> Self {
        Self { bytes: &[], value: OnceLock::from(value) }
    }
}

impl<T: Deserialize<'static>> Encoded<T> {
    /// The value, decoded once more, for who changes it.
    ///
    /// # Panics
    ///
    /// If it was never encoded.
    pub fn decoded(&self) -> T {
        decode(self.bytes)
    }

    pub fn into_inner(self) -> T {
        self.value.into_inner().unwrap_or_else(|| decode(self.bytes))
    }
}

fn decode<T: Deserialize<'static>>(bytes: &'static [u8]) -> T {
    postcard::from_bytes(bytes).expect("the build script wrote this from the same type")
}

impl<T: Deserialize<'static>> Deref for Encoded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| self.decoded())
    }
}

impl<T: Deserialize<'static> + Serialize> Serialize for Encoded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = postcard::to_allocvec(&**self).map_err(serde::ser::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de: 'static, T> Deserialize<'de> for Encoded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&'static [u8]>::deserialize(deserializer)?;
        Ok(Self { bytes, value: OnceLock::new() })
    }
}
