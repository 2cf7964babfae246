//! Builds the trees of one text from the events of granit, without recursion and within a budget.

mod alias;
mod report;

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Span as Written, StructureStyle};

use self::alias::Anchored;
use super::error::character_at;
use super::scalar;
use crate::syntax::document::{Member, Node, Style, SyntaxError, SyntaxErrorKind, Value};
use crate::syntax::limits::{Budget, MAX_DEPTH, MAX_STRING, beginning_of, too_deep, too_long};
use crate::syntax::source::Span;

/// The tree of the document that is being read.
#[derive(Default)]
pub(super) struct Tree<'s> {
    text: &'s str,
    budget: Budget,
    root: Option<Node<'s>>,
    open: Vec<Collection<'s>>,
    anchors: HashMap<usize, Anchored<'s>>,
    /// Errors with the index of the item in a list of drafts; 0 if the document is not a list.
    syntax_errors: Vec<(usize, SyntaxError)>,
    skipped: Option<Skipped<'s>>,
    /// The end of the last event.
    last_end: usize,
    unwritten: bool,
}

/// A list or object that is still open.
struct Collection<'s> {
    start: usize,
    end: usize,
    anchor: usize,
    content: Content<'s>,
}

enum Content<'s> {
    List(Vec<Node<'s>>),
    Object(Vec<Member<'s>>, Awaited<'s>),
}

/// The next part an object expects.
enum Awaited<'s> {
    Key,
    Value(Cow<'s, str>, Span),
    /// A value whose key was invalid; the value is dropped.
    Dropped,
}

/// A value whose content is skipped.
struct Skipped<'s> {
    depth: usize,
    start: usize,
    /// The empty value to insert instead; `None` for a key.
    shell: Option<Value<'s>>,
}

/// The result of reading one YAML document.
pub(super) struct ReadYaml<'s> {
    roots: Vec<Option<Node<'s>>>,
    syntax_errors: Vec<(usize, SyntaxError)>,
    unwritten: bool,
}

impl<'s> ReadYaml<'s> {
    /// Whether the document between its markers is empty.
    pub(super) fn is_unwritten(&self) -> bool {
        self.unwritten && self.syntax_errors.is_empty()
    }

    /// Each root with its errors.
    pub(super) fn documents(self) -> impl Iterator<Item = (Option<Node<'s>>, Vec<SyntaxError>)> {
        let last = self.roots.len().saturating_sub(1);
        let mut syntax_errors: Vec<Vec<SyntaxError>> = self.roots.iter().map(|_| Vec::new()).collect();
        for (item, syntax_error) in self.syntax_errors {
            if let Some(syntax_errors) = syntax_errors.get_mut(item.min(last)) {
                syntax_errors.push(syntax_error);
            }
        }
        self.roots.into_iter().zip(syntax_errors)
    }
}

impl<'s> Tree<'s> {
    pub(super) fn new(text: &'s str, budget: Budget) -> Self {
        Self { text, budget, ..Self::default() }
    }

    /// Adds one event to the tree.
    ///
    /// # Errors
    ///
    /// An error if the text exceeds the budget.
    pub(super) fn take(&mut self, event: Event<'s>, written: Written) -> Result<(), SyntaxError> {
        let range = written.byte_range().unwrap_or(self.last_end..self.last_end);
        let at = Span::new(range.start, range.end.max(range.start));
        if self.skipped.is_some() {
            self.skip(&event, at);
        } else {
            match event {
                Event::Scalar(text, style, anchor, tag) => {
                    self.spend(1, at)?;
                    let awaits_value = self.awaits_value();
                    self.unwritten = self.open.is_empty() && at.is_empty() && tag.is_none() && anchor == 0;
                    let node = scalar::node(self.text, text, style, tag.as_deref(), at, awaits_value);
                    if anchor != 0 {
                        self.remember(anchor, &node)?;
                    }
                    let end = node.span.end as usize;
                    self.attach(node, at, end);
                }
                Event::Alias(id) => self.alias(id, at)?,
                Event::UnresolvedAlias(_) => self.unknown_alias(at)?,
                Event::SequenceStart(style, anchor, _) => {
                    let start = self.list_start(style, at.start as usize);
                    self.begin(Content::List(Vec::new()), anchor, start, at)?;
                }
                Event::MappingStart(_, anchor, _) => {
                    let content = Content::Object(Vec::new(), Awaited::Key);
                    self.begin(content, anchor, at.start as usize, at)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.end(at)?,
                _ => {}
            }
        }
        self.last_end = at.end as usize;
        Ok(())
    }

    /// Returns the document after it was read to its end.
    pub(super) fn finish(&mut self) -> ReadYaml<'s> {
        let unwritten = self.unwritten;
        let roots = match self.root.take() {
            Some(Node { value: Value::Array(items), .. }) if !items.is_empty() => {
                items.into_iter().map(Some).collect()
            }
            root => vec![root],
        };
        self.hand_over(roots, unwritten)
    }

    /// Returns the part of the document before a position after which it cannot be read.
    ///
    /// In a list of drafts, the items before the broken one are kept. If nothing of the next item was read, the last
    /// item also counts as broken, since the error may be part of it.
    pub(super) fn break_off(&mut self, syntax_error: SyntaxError) -> ReadYaml<'s> {
        let in_item = self.open.len() > 1;
        let mut roots: Vec<Option<Node<'s>>> = match self.open.drain(..).next() {
            Some(Collection { content: Content::List(mut items), .. }) => {
                if !in_item && self.skipped.is_none() {
                    items.pop();
                }
                items.into_iter().map(Some).collect()
            }
            Some(_) => Vec::new(),
            None => match self.root.take().map(|root| root.value) {
                Some(Value::Array(items)) => items.into_iter().map(Some).collect(),
                _ => Vec::new(),
            },
        };
        let broken = roots.len();
        roots.push(None);
        let known = self.skipped.is_some() && syntax_error.problem == SyntaxErrorKind::Limit;
        match self.syntax_errors.last_mut() {
            // The value is nested more deeply than granit supports, and that limit is already reported.
            Some((_, deep)) if known && deep.problem == SyntaxErrorKind::Limit => {
                deep.help = syntax_error.help
            }
            _ => self.syntax_errors.push((broken, syntax_error)),
        }
        self.hand_over(roots, false)
    }

    fn hand_over(&mut self, roots: Vec<Option<Node<'s>>>, unwritten: bool) -> ReadYaml<'s> {
        self.root = None;
        self.open.clear();
        self.anchors.clear();
        self.skipped = None;
        self.unwritten = false;
        ReadYaml { roots, syntax_errors: std::mem::take(&mut self.syntax_errors), unwritten }
    }

    fn begin(
        &mut self,
        content: Content<'s>,
        anchor: usize,
        start: usize,
        at: Span,
    ) -> Result<(), SyntaxError> {
        self.spend(1, at)?;
        let value = content.shell();
        if self.awaits_key() {
            self.not_a_key(&value, start);
            self.skipped = Some(Skipped { depth: 1, start, shell: None });
        } else if self.open.len() >= MAX_DEPTH {
            self.syntax_error(too_deep(character_at(self.text, start)));
            self.skipped = Some(Skipped { depth: 1, start, shell: Some(value) });
        } else {
            self.open.push(Collection { start, end: start, anchor, content });
        }
        Ok(())
    }

    fn end(&mut self, at: Span) -> Result<(), SyntaxError> {
        let Some(Collection { start, end, anchor, content }) = self.open.pop() else {
            return Ok(());
        };
        // Only flow collections have an end marker; a block collection ends with its last value.
        let end = if at.is_empty() { end } else { at.end as usize };
        let span = self.trimmed(start, end);
        let value = match content {
            Content::List(items) => Value::Array(items),
            Content::Object(mut members, _) => {
                self.drop_duplicates(&mut members);
                // The tree is kept as long as the text is checked, so unused memory is released.
                members.shrink_to_fit();
                Value::Object(members)
            }
        };
        let node = Node { span, style: Style::Plain, value };
        if anchor != 0 {
            self.remember(anchor, &node)?;
        }
        self.attach(node, span, span.end as usize);
        Ok(())
    }

    /// Tracks nesting inside skipped content to find its end.
    fn skip(&mut self, event: &Event<'_>, at: Span) {
        let Some(skipped) = &mut self.skipped else {
            return;
        };
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => skipped.depth += 1,
            Event::SequenceEnd | Event::MappingEnd => skipped.depth -= 1,
            _ => {}
        }
        if skipped.depth > 0 {
            return;
        }
        let Some(Skipped { start, shell, .. }) = self.skipped.take() else {
            return;
        };
        if let Some(value) = shell {
            let span = self.trimmed(start, at.end as usize);
            self.attach(Node { span, style: Style::Plain, value }, span, span.end as usize);
        }
    }

    /// Adds a value to its parent; `at` is the span for keys and errors, `end` the end of the value in the source.
    fn attach(&mut self, mut node: Node<'s>, at: Span, end: usize) {
        let text = self.text;
        let too_long = node.as_str().is_some_and(|text| text.len() > MAX_STRING);
        if too_long && !self.awaits_key() && !self.pointer().is_empty() {
            self.syntax_error(self::too_long(at));
            node.value = Value::Null;
        }
        let length = node.as_str().map_or(at.range().len(), str::len);
        if length > MAX_STRING
            && self.awaits_key()
            && let Some(key) = scalar::key(text, &node)
        {
            node.value = Value::String(beginning_of(&key));
            self.syntax_error(self::too_long(at));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        parent.end = parent.end.max(end);
        match &mut parent.content {
            Content::List(items) => items.push(node),
            Content::Object(members, awaited) => match std::mem::replace(awaited, Awaited::Key) {
                Awaited::Key => match scalar::key(text, &node) {
                    Some(key) => *awaited = Awaited::Value(key, key_span(text, at)),
                    None => self.not_a_key(&node.value, at.start as usize),
                },
                Awaited::Value(key, key_span) => members.push(Member { key, key_span, value: node }),
                Awaited::Dropped => {}
            },
        }
    }

    fn spend(&mut self, values: usize, at: Span) -> Result<(), SyntaxError> {
        if self.budget.take(values) {
            return Ok(());
        }
        Err(self.budget.spent(character_at(self.text, at.start as usize)))
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(Collection { content: Content::Object(_, Awaited::Key), .. }))
    }

    fn awaits_value(&self) -> bool {
        let content = self.open.last().map(|it| &it.content);
        matches!(content, Some(Content::Object(_, Awaited::Value(..) | Awaited::Dropped)))
    }

    /// The `-` that starts a block list: if the list is not indented below its key, granit reports the position of the
    /// first item instead.
    fn list_start(&self, style: StructureStyle, start: usize) -> usize {
        if style == StructureStyle::Flow || !self.awaits_value() {
            return start;
        }
        let mut line_start = self.last_end.min(start);
        for line in self.text[line_start..start].split_inclusive(['\n', '\r']).skip(1) {
            line_start = line.as_ptr() as usize - self.text.as_ptr() as usize;
            let content = line.trim_start_matches(' ');
            if content
                .strip_prefix('-')
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            {
                return line_start + line.len() - content.len();
            }
        }
        start
    }

    /// A span without trailing whitespace, and not empty unless the text is.
    fn trimmed(&self, start: usize, end: usize) -> Span {
        let written = self.text.get(start..end.max(start)).unwrap_or_default().trim_end();
        if written.is_empty() {
            return character_at(self.text, start);
        }
        Span::new(start, start + written.len())
    }
}

impl<'s> Content<'s> {
    fn shell(&self) -> Value<'s> {
        match self {
            Self::List(_) => Value::Array(Vec::new()),
            Self::Object(..) => Value::Object(Vec::new()),
        }
    }
}

/// The span of a key; for an empty key, the `:` after it.
fn key_span(text: &str, at: Span) -> Span {
    let colon = at.is_empty() && text.get(at.end as usize..).is_some_and(|rest| rest.starts_with(':'));
    if colon { Span { end: at.end + 1, ..at } } else { at }
}
