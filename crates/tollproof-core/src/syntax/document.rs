//! The syntax tree of a document: every key and every value keeps its source span.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
pub(crate) use tollproof_data::pointer::{push_token, unescaped};

use crate::syntax::language::Language;
use crate::syntax::span::Span;
pub use crate::syntax::syntax_error::{SyntaxError, SyntaxErrorKind};

/// One payload of a file.
#[derive(Clone, Debug, Default)]
pub struct Document<'s> {
    /// The position of the document in its file, counted from 0.
    pub index: usize,
    /// The root value; `None` if nothing could be read.
    pub root: Option<Node<'s>>,
    /// Syntax errors in reading order. The first document also has the encoding errors of the file, before all others.
    pub syntax_errors: Vec<SyntaxError>,
    /// Whether the text ended, or reading stopped, before the end of the document, so that missing fields may have
    /// followed.
    pub cut: bool,
    /// The values of its `# tollproof: …` comment, if it has one.
    pub(crate) declared: Option<Box<Declared<'s>>>,
    /// Parts of notes or a program that were not read, if there are any: a file may have very many documents.
    pub(crate) untaken: Option<Box<Untaken>>,
}

/// The untaken parts of a document.
#[derive(Clone, Debug)]
pub(crate) struct Untaken(Vec<UntakenPart>);

impl Untaken {
    pub(crate) fn of(parts: Vec<UntakenPart>) -> Option<Box<Self>> {
        (!parts.is_empty()).then(|| Box::new(Self(parts)))
    }
}

/// A label of notes of which no field was read, or an object from elsewhere that a program puts into its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntakenPart {
    /// The label, or `...` and the name of the object.
    pub name: String,
    /// The place of the name.
    pub span: Span,
    /// The text after a label.
    pub text: String,
}

impl<'s> Document<'s> {
    /// The values of its `# tollproof: …` comment.
    #[must_use]
    pub fn declared(&self) -> Declared<'s> {
        self.declared.as_deref().copied().unwrap_or_default()
    }

    /// The same document with another root. The tree of this one is not copied.
    pub(crate) fn with_root<'o>(&self, root: Node<'o>) -> Document<'o>
    where
        's: 'o,
    {
        Document {
            index: self.index,
            root: Some(root),
            syntax_errors: self.syntax_errors.clone(),
            cut: self.cut,
            declared: self.declared.clone(),
            untaken: self.untaken.clone(),
        }
    }

    /// Labels of notes of which no field was read, and objects from elsewhere that a program puts into its own.
    #[must_use]
    pub fn untaken(&self) -> &[UntakenPart] {
        self.untaken.as_ref().map_or(&[], |untaken| &untaken.0)
    }
}

/// The values that a document declares in a comment, `# tollproof: provider=… kind=… record=…`, as
/// written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared<'s> {
    /// The provider that the document is for.
    pub provider: Option<(&'s str, Span)>,
    /// The kind of the document.
    pub kind: Option<(&'s str, Span)>,
    /// The id of the record that an update request changes.
    pub record: Option<(&'s str, Span)>,
}

impl Declared<'_> {
    pub(crate) fn kept(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

/// A value and its source span.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// The source bytes of the value, including quotes; for a YAML block scalar, its content.
    pub span: Span,
    /// The notation of a string, needed to map an offset inside it back to the source.
    pub style: Style,
    /// The value.
    pub value: Value<'s>,
}

/// The sign in a text for a part that only a running program knows.
pub(crate) const COMPUTED: &str = "…";

/// The begin of the key of an object that a program puts into another one, where its fields are not known.
pub(crate) const SPREAD: &str = "...";

/// A value of one of JSON's six types, or one that only a running program knows.
#[derive(Clone, Debug)]
pub enum Value<'s> {
    /// `null`, or an empty value in YAML.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'s str),
    /// A string, decoded; borrowed if the source contains the same characters.
    String(Cow<'s, str>),
    /// A list.
    Array(Vec<Node<'s>>),
    /// An object, in source order; of duplicate keys, only the last member.
    Object(Vec<Member<'s>>),
    /// A value that a program computes when it runs. It is neither missing nor judged.
    Computed,
}

/// A member of an object: a key with its value.
#[derive(Clone, Debug)]
pub struct Member<'s> {
    /// The key, decoded.
    pub key: Cow<'s, str>,
    /// The source bytes of the key, including quotes.
    pub key_span: Span,
    /// The value.
    pub value: Node<'s>,
}

/// The notation of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// JSON; strings in double quotes with JSON's escapes.
    Json,
    /// A YAML scalar without quotes.
    Plain,
    /// A YAML scalar in single quotes.
    Single,
    /// A YAML scalar in double quotes.
    Double,
    /// A YAML block scalar with `|`.
    Literal,
    /// A YAML block scalar with `>`.
    Folded,
    /// A cell of a CSV row without quotes, and the row itself.
    Cell,
    /// A cell of a CSV row in double quotes.
    QuotedCell,
    /// An item of a list that is written in one cell.
    CellItem,
    /// A value in the body of a form, with percent signs and plus signs as escapes; also the body itself.
    Form,
    /// A YAML alias `*name`: a copy of the value of the anchor `&name`, with the span of that value.
    Alias(Span),
    /// A value of a program; strings have the notation of its language.
    Program(Language),
    /// A value in notes, with the marks of Markdown and quoted lines.
    Notes,
}

impl Style {
    /// Whether the notation is one of YAML's.
    pub fn is_yaml(self) -> bool {
        !matches!(self, Self::Json | Self::Cell | Self::QuotedCell | Self::CellItem | Self::Form)
            && self.is_data()
    }

    /// Whether it is a notation of data, not of a program or notes.
    pub fn is_data(self) -> bool {
        !matches!(self, Self::Program(_) | Self::Notes)
    }
}

/// A value as it is, with its fields in their order. Numbers that only YAML can write become strings.
impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Value::Null | Value::Computed => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(text) => match text.parse::<serde_json::Number>() {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Object(members) => serializer.collect_map(members.iter().map(|it| (&it.key, &it.value))),
        }
    }
}

impl<'s> Node<'s> {
    /// The source bytes of the value; for an alias, those of the anchored value.
    pub fn written(&self) -> Span {
        match self.style {
            Style::Alias(anchored) => anchored,
            _ => self.span,
        }
    }

    /// The start of a value, for reports: its opening bracket, or its first key or cell if it has no bracket; all of an
    /// alias, and of a value that contains no others.
    pub fn opening(&self) -> Span {
        let start = self.span.start;
        match self.members().first() {
            _ if matches!(self.style, Style::Alias(_)) => self.span,
            Some(first) if first.key_span.start == start => first.key_span,
            Some(first) if self.style == Style::Cell => first.value.span,
            // Brackets, and what begins a list or a key in YAML, have one byte.
            _ if matches!(self.value, Value::Object(_) | Value::Array(_)) && self.style != Style::Cell => {
                Span { start, end: (start + 1).min(self.span.end) }
            }
            _ => self.span,
        }
    }

    /// The value of a key, if the node is an object that contains it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).map(|member| &member.value)
    }

    /// The member with a key, if the node is an object that contains it.
    pub fn member(&self, key: &str) -> Option<&Member<'s>> {
        // Of keys that are as long, the last letter tells most apart; many begin with the same word.
        let ending = (key.len(), key.as_bytes().last());
        let may_be_it = |known: &str| (known.len(), known.as_bytes().last()) == ending;
        self.members().iter().find(|member| may_be_it(&member.key) && member.key == key)
    }

    /// The members of an object; empty for any other type.
    pub fn members(&self) -> &[Member<'s>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; empty for any other type.
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// The decoded string, if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the value's type in JSON Schema.
    pub fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Computed => "value that is computed",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// The value without what a program computes.
    #[must_use]
    pub fn without_computed(&self) -> Self {
        let is_known = |node: &Self| !matches!(node.value, Value::Computed);
        let value = match &self.value {
            Value::Array(items) => {
                Value::Array(items.iter().filter(|item| is_known(item)).map(Self::without_computed).collect())
            }
            Value::Object(members) => {
                let members = members.iter().filter(|member| is_known(&member.value));
                let known =
                    members.map(|member| Member { value: member.value.without_computed(), ..member.clone() });
                Value::Object(known.collect())
            }
            other => other.clone(),
        };
        Self { value, ..self.clone() }
    }

    /// The node at an RFC 6901 pointer relative to this one.
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        let mut node = self;
        for token in pointer.split('/').skip(1) {
            let token = unescaped(token);
            node = match &node.value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => node.get(&token)?,
            };
        }
        Some(node)
    }
}

/// Removes each member whose key occurs again later, and passes all members of such a key to `repeated`.
pub(crate) fn drop_repeated<'s>(members: &mut Vec<Member<'s>>, mut repeated: impl FnMut(&[&Member<'s>])) {
    if are_different(members) {
        return;
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    let key = |at: usize| (members[at].key.len(), members[at].key.as_ref());
    order.sort_by(|&a, &b| key(a).cmp(&key(b)));
    let mut dropped = Vec::new();
    for same in order.chunk_by(|&a, &b| key(a) == key(b)).filter(|same| same.len() > 1) {
        repeated(&same.iter().map(|&at| &members[at]).collect::<Vec<_>>());
        dropped.extend_from_slice(&same[..same.len() - 1]);
    }
    if !dropped.is_empty() {
        dropped.sort_unstable();
        let mut at = 0..;
        members.retain(|_| at.next().is_some_and(|at| dropped.binary_search(&at).is_err()));
    }
}

/// Whether the keys of a few members certainly differ, which costs less than sorting them.
fn are_different(members: &[Member<'_>]) -> bool {
    // A bit for each key, by its length and some of its letters: most keys are the only ones with theirs.
    let mut seen = [0_u64; 4];
    let is_new = |(at, member): (usize, &Member<'_>)| {
        let key = member.key.as_bytes();
        let letter = |at: usize| key.get(at).map_or(0, |it| usize::from(*it));
        let bit = (key.len() + 5 * letter(key.len() / 2) + 11 * letter(key.len().saturating_sub(1))) % 256;
        let is_free = seen[bit / 64] >> (bit % 64) & 1 == 0;
        seen[bit / 64] |= 1 << (bit % 64);
        is_free || members[..at].iter().all(|before| before.key != member.key)
    };
    members.len() <= FEW_MEMBERS && members.iter().enumerate().all(is_new)
}

/// Of more members, keys are not compared one by one.
const FEW_MEMBERS: usize = 64;

impl<'s> Value<'s> {
    /// The value of an unquoted scalar in YAML's core schema (YAML 1.2.2, section 10.3.2).
    pub(crate) fn of_plain(text: &'s str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            _ if is_core_number(text) => Self::Number(text),
            _ => Self::String(Cow::Borrowed(text)),
        }
    }
}

/// Whether a string is an integer or a float in YAML's core schema.
fn is_core_number(text: &str) -> bool {
    // Fast path: most scalars are words.
    if !matches!(text.as_bytes(), [b'0'..=b'9' | b'+' | b'-' | b'.', ..]) {
        return false;
    }
    let all = |digits: &str, holds: fn(u8) -> bool| !digits.is_empty() && digits.bytes().all(holds);
    if let Some(octal) = text.strip_prefix("0o") {
        return all(octal, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return all(hex, |byte| byte.is_ascii_hexdigit());
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let signless = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(signless, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (mantissa, exponent) = match signless.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (signless, None),
    };
    let digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    !(whole.is_empty() && fraction.is_empty())
        && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// The RFC 6901 pointer of a member of the object at another pointer.
pub fn member_pointer(object: &str, key: &str) -> String {
    let mut pointer = object.to_owned();
    push_token(&mut pointer, key);
    pointer
}
