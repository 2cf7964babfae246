//! Deserializes a type from a syntax tree; a mismatch is a typed error with its location.

use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

use crate::syntax::document::{Member, Node, Style, Value, push_token};

/// A mismatch of tree and type, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecodeError {
    pub(crate) kind: DecodeErrorKind,
    /// An RFC 6901 pointer to the affected member or item.
    pub(crate) pointer: String,
    /// Whether the key at the pointer is wrong, and not its value.
    pub(crate) is_key: bool,
    /// Whether the location is already known: the innermost value that failed.
    is_placed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DecodeErrorKind {
    /// A key or a value that is not in a closed list.
    Unknown { name: String, known: &'static [&'static str] },
    /// A required key is missing.
    Missing { key: &'static str },
    /// A value of another type, or out of range.
    Type { found: FoundValue, expected: String },
    /// Any other error, as a sentence for the user.
    Other(String),
}

/// The value that was found instead of the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundValue {
    Nothing,
    Bool(bool),
    Integer { written: String, is_negative: bool },
    Float(String),
    Text(String),
    List,
    Object,
    Other(String),
}

/// Deserializes a value from a tree.
pub(crate) fn from_node<T: DeserializeOwned>(node: &Node<'_>) -> Result<T, DecodeError> {
    T::deserialize(NodeDeserializer(node))
}

impl DecodeError {
    fn new(kind: DecodeErrorKind) -> Self {
        Self { kind, pointer: String::new(), is_key: false, is_placed: false }
    }

    /// Prefixes the pointer with `token`: the step to the value that failed, or the key that failed.
    fn below(self, token: &str, is_key: bool) -> Self {
        let mut pointer = String::new();
        push_token(&mut pointer, token);
        let is_key = if self.is_placed { self.is_key } else { is_key };
        Self { pointer: pointer + &self.pointer, is_key, is_placed: true, ..self }
    }
}

impl From<Unexpected<'_>> for FoundValue {
    fn from(found: Unexpected<'_>) -> Self {
        match found {
            Unexpected::Unit | Unexpected::Option => Self::Nothing,
            Unexpected::Bool(it) => Self::Bool(it),
            Unexpected::Unsigned(it) => Self::Integer { written: it.to_string(), is_negative: false },
            Unexpected::Signed(it) => Self::Integer { written: it.to_string(), is_negative: it < 0 },
            Unexpected::Float(it) => Self::Float(it.to_string()),
            Unexpected::Str(it) => Self::Text(it.to_owned()),
            Unexpected::Seq => Self::List,
            Unexpected::Map => Self::Object,
            other => Self::Other(other.to_string()),
        }
    }
}

impl serde::de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(DecodeErrorKind::Other(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(DecodeErrorKind::Type { found: found.into(), expected: expected.to_string() })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(DecodeErrorKind::Unknown { name: name.to_owned(), known })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::unknown_variant(name, known)
    }

    fn missing_field(key: &'static str) -> Self {
        Self::new(DecodeErrorKind::Missing { key })
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DecodeErrorKind::Unknown { name, .. } => write!(f, "`{name}` is unknown"),
            DecodeErrorKind::Missing { key } => write!(f, "the key `{key}` is missing"),
            DecodeErrorKind::Type { found, expected } => write!(f, "expected {expected}, not {found}"),
            DecodeErrorKind::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for FoundValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Bool(it) => write!(f, "the boolean `{it}`"),
            Self::Integer { written, .. } => write!(f, "the integer `{written}`"),
            Self::Float(written) => write!(f, "the floating point `{written}`"),
            Self::Text(text) => write!(f, "the string {text:?}"),
            Self::List => f.write_str("a list"),
            Self::Object => f.write_str("an object (`key: value` lines)"),
            Self::Other(it) => write!(f, "the {it}"),
        }
    }
}

impl std::error::Error for DecodeError {}

#[derive(Clone, Copy)]
struct NodeDeserializer<'de, 's>(&'de Node<'s>);

/// A number of YAML's core schema; one that fits no Rust number type is read as a string.
enum ScalarNumber {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    None,
}

impl ScalarNumber {
    fn read(text: &str, style: Style) -> Self {
        let signless = text.strip_prefix(['-', '+']).unwrap_or(text);
        // YAML 1.2 readers treat a ZIP code that begins with a zero as a string.
        let is_padded =
            signless.len() > 1 && signless.starts_with('0') && signless.bytes().all(|it| it.is_ascii_digit());
        if is_padded && style.is_yaml() {
            return Self::None;
        }
        let radix = |prefix: &str, radix| u64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
        if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| text.parse().ok()) {
            return Self::Unsigned(number);
        }
        if let Ok(number) = text.parse() {
            return Self::Signed(number);
        }
        let is_negative = text.starts_with('-');
        match signless {
            ".inf" | ".Inf" | ".INF" if is_negative => Self::Float(f64::NEG_INFINITY),
            ".inf" | ".Inf" | ".INF" => Self::Float(f64::INFINITY),
            ".nan" | ".NaN" | ".NAN" => Self::Float(f64::NAN),
            _ => text.parse().map_or(Self::None, Self::Float),
        }
    }
}

impl NodeDeserializer<'_, '_> {
    /// A description of the value for an error.
    fn found(self) -> FoundValue {
        match &self.0.value {
            Value::Null | Value::Computed => FoundValue::Nothing,
            Value::Bool(it) => FoundValue::Bool(*it),
            Value::Number(text) => match ScalarNumber::read(text, self.0.style) {
                ScalarNumber::Unsigned(it) => Unexpected::Unsigned(it).into(),
                ScalarNumber::Signed(it) => Unexpected::Signed(it).into(),
                ScalarNumber::Float(it) => Unexpected::Float(it).into(),
                ScalarNumber::None => FoundValue::Text((*text).to_owned()),
            },
            Value::String(text) => FoundValue::Text(text.clone().into_owned()),
            Value::Array(_) => FoundValue::List,
            Value::Object(_) => FoundValue::Object,
        }
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de, '_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.0.value {
            Value::Null | Value::Computed => visitor.visit_unit(),
            Value::Bool(it) => visitor.visit_bool(*it),
            Value::Number(text) => match ScalarNumber::read(text, self.0.style) {
                ScalarNumber::Unsigned(it) => visitor.visit_u64(it),
                ScalarNumber::Signed(it) => visitor.visit_i64(it),
                ScalarNumber::Float(it) => visitor.visit_f64(it),
                ScalarNumber::None => visitor.visit_str(text),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            Value::Object(members) => visitor.visit_map(ObjectAccess { members: members.iter(), next: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    /// Accepts objects only: by default, serde also reads the fields in order from a list.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.0.value {
            Value::Array(_) => Err(DecodeError::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    /// Reads enums without data. Enums with data have their own implementations, which read maps.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.0.value {
            Value::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            _ => Err(DecodeError::new(DecodeErrorKind::Type {
                found: self.found(),
                expected: "a name".to_owned(),
            })),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier
    }
}

struct Items<'de, 's> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Node<'s>>>,
}

impl<'de> SeqAccess<'de> for Items<'de, '_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some((index, item)) = self.items.next() else { return Ok(None) };
        seed.deserialize(NodeDeserializer(item))
            .map(Some)
            .map_err(|error| error.below(&index.to_string(), false))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct ObjectAccess<'de, 's> {
    members: std::slice::Iter<'de, Member<'s>>,
    /// The member whose key was read last.
    next: Option<&'de Member<'s>>,
}

impl<'de> MapAccess<'de> for ObjectAccess<'de, '_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        self.next = self.members.next();
        let Some(member) = self.next else { return Ok(None) };
        let key: StrDeserializer<'_, DecodeError> = member.key.as_ref().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|error| error.below(&member.key, true))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let Some(member) = self.next.take() else {
            return Err(DecodeError::custom("a value was asked for before its key"));
        };
        seed.deserialize(NodeDeserializer(&member.value)).map_err(|error| error.below(&member.key, false))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::{DecodeErrorKind, FoundValue, from_node};
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        name: Option<String>,
        #[serde(default)]
        rows: Vec<BTreeMap<String, u8>>,
        colour: Option<Colour>,
        #[serde(default)]
        inner: Inner,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    struct Inner {
        #[serde(default)]
        city: String,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
    }

    fn decoded<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, super::DecodeError> {
        let source = Source::new("a.yaml", text);
        let parsed = Parsed::of(&source, Some(Format::Yaml));
        let document = parsed.only().expect("there is one");
        from_node(document.root.as_ref().expect("it can be read"))
    }

    /// The pointer of an error, whether the key is wrong, and the kind of error.
    fn error(text: &str) -> (String, bool, DecodeErrorKind) {
        let error = decoded::<Outer>(text).expect_err(text);
        (error.pointer, error.is_key, error.kind)
    }

    #[test]
    fn errors_know_their_place() {
        let unknown = |name: &str, known| DecodeErrorKind::Unknown { name: name.to_owned(), known };
        let wrong = |found, expected: &str| DecodeErrorKind::Type { found, expected: expected.to_owned() };
        let keys = &["name", "rows", "colour", "inner"];
        assert_eq!(error("a/b: 1"), ("/a~1b".to_owned(), true, unknown("a/b", keys)));
        assert_eq!(error("colour: blue"), ("/colour".to_owned(), false, unknown("blue", &["red"])));
        let integer =
            |written: &str, is_negative| FoundValue::Integer { written: written.to_owned(), is_negative };
        for (text, pointer, kind) in [
            ("colour: [red]", "/colour", wrong(FoundValue::List, "a name")),
            ("name: 42", "/name", wrong(integer("42", false), "a string")),
            ("name: { a: 1 }", "/name", wrong(FoundValue::Object, "a string")),
            ("rows: [{ a: 1 }, { b: 2, c: -1 }]", "/rows/1/c", wrong(integer("-1", true), "u8")),
            ("rows: [{ a: 256 }]", "/rows/0/a", wrong(integer("256", false), "u8")),
            ("rows: [{ a: 007 }]", "/rows/0/a", wrong(FoundValue::Text("007".to_owned()), "u8")),
            ("rows: [{ a: ~ }]", "/rows/0/a", wrong(FoundValue::Nothing, "u8")),
            ("rows: true", "/rows", wrong(FoundValue::Bool(true), "a sequence")),
            ("inner: [Acme]", "/inner", wrong(FoundValue::List, "struct Inner")),
        ] {
            assert_eq!(error(text), (pointer.to_owned(), false, kind), "{text}");
        }
    }

    #[test]
    fn scalars_are_those_of_yaml() {
        let values: BTreeMap<String, serde_json::Value> = decoded(
            "all: [1, -1, 0x1F, 0o17, 1.5, 1e3, 02134, '1', true, ~, null, no, 18446744073709551615, &a [x], *a]",
        )
        .expect("any value");
        let expected = serde_json::json!([
            1,
            -1,
            31,
            15,
            1.5,
            1000.0,
            "02134",
            "1",
            true,
            null,
            null,
            "no",
            u64::MAX,
            ["x"],
            ["x"]
        ]);
        assert_eq!(values["all"], expected);
        let infinite: BTreeMap<String, Vec<f64>> = decoded("all: [.inf, -.inf, .nan, +2]").expect("numbers");
        let infinite = &infinite["all"];
        assert_eq!(infinite[..2], [f64::INFINITY, f64::NEG_INFINITY]);
        assert!(infinite[2].is_nan() && infinite[3] == 2.0);
    }

    #[test]
    fn what_fits_is_decoded() {
        let outer: Outer =
            decoded("name: ZIP 02134\nrows:\n- a: 1\n- {}\ncolour: red\ninner: { city: Austin }\n")
                .expect("it fits");
        let rows = vec![BTreeMap::from([("a".to_owned(), 1)]), BTreeMap::new()];
        let inner = Inner { city: "Austin".to_owned() };
        let name = Some("ZIP 02134".to_owned());
        assert_eq!(outer, Outer { name, rows, colour: Some(Colour::Red), inner });
    }
}
