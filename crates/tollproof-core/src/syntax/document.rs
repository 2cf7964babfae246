//! The span-keeping tree: every key and every value knows where it was written.

use std::borrow::Cow;

use crate::syntax::message::Message;
use crate::syntax::source::Span;

/// One payload of a file.
#[derive(Clone, Debug)]
pub struct Document<'s> {
    /// Counts the documents of the file, from 0.
    pub index: usize,
    /// The tree; none where nothing could be read.
    pub root: Option<Node<'s>>,
    /// What was wrong with the text itself, in reading order; of the first document also with the bytes, before all else.
    pub syntax_errors: Vec<SyntaxError>,
    /// Whether the text ends, or reading stopped, before the document's own end: what is absent may have followed.
    pub cut: bool,
    /// What its `# tollproof: …` comment says.
    pub declared: Declared<'s>,
}

/// What a document says of itself in a comment, `# tollproof: kind=… record=…`, as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared<'s> {
    /// What it is.
    pub kind: Option<(&'s str, Span)>,
    /// The id of the record that an update request changes.
    pub record: Option<(&'s str, Span)>,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// The source bytes of the value: quotes included; for a YAML block scalar, its content.
    pub span: Span,
    /// How a string is written, so that a place inside it can be found again.
    pub style: Style,
    /// The value.
    pub value: Value<'s>,
}

/// What a document is made of: JSON's six types.
#[derive(Clone, Debug)]
pub enum Value<'s> {
    /// `null`, and YAML's empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(&'s str),
    /// A string, decoded; borrowed where the source spells it out.
    String(Cow<'s, str>),
    /// A list.
    Array(Vec<Node<'s>>),
    /// An object, in source order; of a duplicate key the last member alone.
    Object(Vec<Member<'s>>),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Member<'s> {
    /// The key, decoded.
    pub key: Cow<'s, str>,
    /// The source bytes of the key, quotes included.
    pub key_span: Span,
    /// The value.
    pub value: Node<'s>,
}

/// The notation of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// JSON text, strings in double quotes with JSON's escapes.
    Json,
    /// YAML without quotes.
    Plain,
    /// YAML in single quotes.
    Single,
    /// YAML in double quotes.
    Double,
    /// YAML `|`.
    Literal,
    /// YAML `>`.
    Folded,
    /// YAML `*name`: a copy of the value that the anchor `&name` stands before, and where that is written.
    Alias(Span),
}

impl Style {
    /// Whether the text is YAML.
    #[must_use]
    pub fn is_yaml(self) -> bool {
        self != Self::Json
    }
}

/// Something wrong with the text itself; a rule of the group `input/` turns it into a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// Which sort of fault.
    pub problem: SyntaxErrorKind,
    /// Where.
    pub span: Span,
    /// What is wrong, in words that fill the rule's message.
    pub message: Message,
    /// What to write instead, where that is known.
    pub help: Option<Message>,
    /// Related places and what stands there.
    pub related: Vec<(Span, Message)>,
    /// A pointer to the value concerned; empty for the document.
    pub pointer: String,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// Not valid JSON or YAML.
    Syntax,
    /// The same key twice in one object.
    DuplicateKey,
    /// Not UTF-8.
    Encoding,
    /// A UTF-8 byte order mark.
    ByteOrderMark,
    /// A limit of tollproof is exceeded.
    Limit,
}

impl SyntaxError {
    /// Whether the document cannot be read as it is written, so that the tree is a guess.
    pub(crate) fn damages(&self) -> bool {
        matches!(self.problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Encoding | SyntaxErrorKind::Limit)
    }

    /// A fault with nothing but its place and its words.
    pub(crate) fn new(problem: SyntaxErrorKind, span: Span, message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { problem, span, message, help: None, related: Vec::new(), pointer: String::new() }
    }

    /// The same fault with advice.
    pub(crate) fn help(self, help: impl Into<Message>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl<'s> Node<'s> {
    /// The source bytes that spell the value; of an alias, those of the value it names.
    #[must_use]
    pub fn written(&self) -> Span {
        match self.style {
            Style::Alias(anchored) => anchored,
            _ => self.span,
        }
    }

    /// The first thing to be seen of a value: its bracket, or its first key where it has none; of an alias, all.
    #[must_use]
    pub fn opening(&self) -> Span {
        let start = self.span.start;
        match self.members().first() {
            _ if matches!(self.style, Style::Alias(_)) => self.span,
            Some(first) if first.key_span.start == start => first.key_span,
            _ => Span { start, end: (start + 1).min(self.span.end) },
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).map(|member| &member.value)
    }

    /// The member of a key.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<&Member<'s>> {
        self.members().iter().find(|member| member.key == key)
    }

    /// The members of an object; of anything else, none.
    #[must_use]
    pub fn members(&self) -> &[Member<'s>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; of anything else, none.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the value's type, as JSON Schema has it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// The node at an RFC 6901 pointer below this one.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        let mut node = self;
        for token in pointer.split('/').skip(1) {
            let token = token.replace("~1", "/").replace("~0", "~");
            node = match &node.value {
                Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
                _ => node.get(&token)?,
            };
        }
        Some(node)
    }
}

/// Takes out each member whose key stands again later, and hands all members of such a key to `repeated`.
pub(crate) fn drop_repeated<'s>(members: &mut Vec<Member<'s>>, mut repeated: impl FnMut(&[&Member<'s>])) {
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

impl<'s> Value<'s> {
    /// What YAML's core schema (YAML 1.2.2, 10.3.2) makes of a text without quotes.
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

/// The integers and floats of YAML's core schema.
fn is_core_number(text: &str) -> bool {
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
    let exponent = exponent.map(|it| it.strip_prefix(['-', '+']).unwrap_or(it));
    !(whole.is_empty() && fraction.is_empty())
        && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|it| !it.is_empty() && digits(it))
}

/// Appends one key or index to an RFC 6901 pointer.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    if token.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(&token.replace('~', "~0").replace('/', "~1"));
    } else {
        pointer.push_str(token);
    }
}
