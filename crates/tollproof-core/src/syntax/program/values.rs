//! The values of a program: literals, what joins them, and constants of the same file; everything else is computed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::changed::is_same;
use super::pair::Key;
use super::strings::without_indentation;
use super::tokens::{Token, TokenKind, Tokens};
use crate::syntax::document::{COMPUTED, Member, Node, SPREAD, Style, Value};
use crate::syntax::field_names::named;
use crate::syntax::language::{Holes, Language};
use crate::syntax::limits::MAX_STRING;
use crate::syntax::span::Span;

/// The most values inside each other, names of constants included.
const MAX_DEPTH: usize = 24;

/// The most values that are read of a program.
const MAX_VALUES: usize = 200_000;

/// Words with which a value is computed.
const DECIDES: [&str; 12] =
    ["if", "unless", "else", "when", "match", "lambda", "switch", "case", "for", "function", "fn", "in"];

/// A program with its constants.
pub(super) struct Program<'s> {
    pub(super) tokens: Tokens<'s>,
    /// Names that are assigned once, each with its value.
    pub(super) constants: HashMap<&'s str, Option<Range<usize>>>,
    /// The value that is set on a name: `contact.setEmail(…)`.
    pub(super) setters: HashMap<&'s str, Vec<(Key<'s>, Range<usize>)>>,
    /// The names in JSON of fields of types.
    pub(super) tags: HashMap<&'s str, &'s str>,
    values: std::cell::Cell<usize>,
}

impl<'s> Program<'s> {
    pub(super) fn new(tokens: Tokens<'s>) -> Self {
        let (constants, setters, tags) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut program = Self { tokens, constants, setters, tags, values: std::cell::Cell::new(0) };
        program.find_tags();
        program.find_constants();
        program.find_setters();
        program
    }

    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.all.get(at)
    }

    /// The text of a token; empty after the last one.
    pub(super) fn said(&self, at: usize) -> &'s str {
        self.token(at).map_or("", |token| self.tokens.text.get(token.start..token.end).unwrap_or_default())
    }

    pub(super) fn is(&self, at: usize, kind: TokenKind) -> bool {
        self.token(at).is_some_and(|token| token.kind == kind)
    }

    /// The index after a token, or after the bracket that closes it.
    pub(super) fn after(&self, at: usize) -> usize {
        self.token(at).map_or(at, |token| if token.kind == TokenKind::Open { token.pair.max(at) } else { at })
            + 1
    }

    pub(super) fn span(&self, range: &Range<usize>) -> Span {
        let start = self.token(range.start).map_or(0, |token| token.start);
        let end = self.token(range.end.saturating_sub(1)).map_or(start, |token| token.end);
        Span::new(start, end.max(start))
    }

    fn style(&self, at: usize) -> Style {
        self.token(at).map_or(Style::Json, |token| Style::Program(token.language))
    }

    pub(super) fn node(&self, range: &Range<usize>, value: Value<'s>) -> Node<'s> {
        Node { span: self.span(range), style: self.style(range.start), value }
    }

    /// The members of the object in a bracket.
    pub(super) fn members(&self, open: usize, depth: usize) -> Vec<Member<'s>> {
        let mut members: Vec<Member<'s>> = Vec::new();
        for item in self.items(open) {
            if let Some(spread) = ["...", "**", "*"].iter().find(|mark| **mark == self.said(item.start)) {
                let rest = item.start + 1..item.end;
                let value = self.value(rest, depth + spread.len());
                members.extend(value.map(|value| self.spread(value, *spread != "*")).unwrap_or_default());
                continue;
            }
            let Some(key) = self.key(item.start) else {
                // A name alone means itself: `{ businessName }`.
                if item.len() == 1
                    && self.is(item.start, TokenKind::Word)
                    && !named(self.said(item.start)).is_empty()
                {
                    let key = Cow::Borrowed(self.said(item.start));
                    let value = self.value(item.clone(), depth + 1);
                    members.extend(value.map(|value| Member { key, key_span: self.span(&item), value }));
                }
                continue;
            };
            let value = self.value(key.value..item.end, depth + 1);
            members.extend(value.map(|value| Member { key: key.name, key_span: key.span, value }));
        }
        // The last one counts.
        let mut at = 0;
        while at < members.len() {
            if members[at + 1..].iter().any(|later| later.key == members[at].key) {
                members.remove(at);
            } else {
                at += 1;
            }
        }
        members
    }

    /// The members of an object that is put into another one; one without a value if it is not known.
    pub(super) fn spread(&self, node: Node<'s>, is_object: bool) -> Vec<Member<'s>> {
        // Arguments of a function may have keys in them.
        let said = self.tokens.text.get(node.span.range()).unwrap_or_default();
        let said =
            said.split(|c: char| !c.is_alphanumeric() && !"_.$".contains(c)).next().unwrap_or_default();
        match node.value {
            Value::Object(members) => members,
            Value::Computed if is_object => {
                vec![Member { key: format!("{SPREAD}{said}").into(), key_span: node.span, value: node }]
            }
            _ => Vec::new(),
        }
    }

    /// The value of an expression; `None` for none, such as `null`.
    pub(super) fn value(&self, range: Range<usize>, depth: usize) -> Option<Node<'s>> {
        let mut range = range;
        self.values.set(self.values.get() + 1);
        while matches!(self.said(range.start), "new" | "await" | "return" | "&" | "const" | "yield" | "\\")
            && range.len() > 1
        {
            range.start += 1;
        }
        // `as const`, `!`
        if let Some(at) = range.clone().rev().take(8).find(|at| matches!(self.said(*at), "as" | "satisfies"))
        {
            range.end = at;
        }
        while range.len() > 1 && matches!(self.said(range.end - 1), "!" | ";" | ",") {
            range.end -= 1;
        }
        if range.is_empty() {
            return None;
        }
        if self.token(range.start).is_some_and(|token| token.language.is_shell()) {
            return Some(self.text(&range, &self.shell_words(&range), depth));
        }
        let computed = || Some(self.node(&range, Value::Computed));
        if depth > MAX_DEPTH || self.values.get() > MAX_VALUES {
            return computed();
        }
        if range.len() == 1 {
            return self.single(range.start, depth);
        }
        if self.is(range.start, TokenKind::Open) && self.after(range.start) == range.end {
            return self.bracketed(range.start, range.start, depth);
        }
        let decides = |said: &str| said == "?" || DECIDES.contains(&said);
        if self.split(&range, decides).len() > 1 || decides(self.said(range.start)) {
            return computed();
        }
        let joins = self.token(range.start).map_or("+", |token| token.language.syntax().joins);
        let defaults = self.split(&range, |said| said != joins && matches!(said, "||" | "??" | "or" | "?:"));
        if defaults.len() > 1 {
            let values = || defaults.iter().rev().filter_map(|part| self.value(part.clone(), depth + 1));
            let is_said = |node: &Node<'s>| match &node.value {
                Value::String(text) => !text.trim().is_empty(),
                Value::Computed | Value::Null => false,
                _ => true,
            };
            return values().find(is_said).or_else(computed);
        }
        let operands = self.split(&range, |said| said == joins || said == "+");
        let all_texts = range.clone().all(|at| self.is(at, TokenKind::Text));
        if operands.len() > 1 && !operands.iter().any(Range::is_empty) || all_texts {
            let operands = if all_texts { range.clone().map(|at| at..at + 1).collect() } else { operands };
            return Some(self.text(&range, &operands, depth));
        }
        self.operand(range, depth)
    }

    /// The value of one token.
    fn single(&self, at: usize, depth: usize) -> Option<Node<'s>> {
        let range = at..at + 1;
        match self.token(at)?.kind {
            TokenKind::Text => Some(self.text(&range, std::slice::from_ref(&range), depth)),
            TokenKind::Number => {
                let said = self.said(at);
                let digits = said.replace('_', "");
                let value = match digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
                    true if digits.len() == said.len() => Value::Number(said),
                    true => Value::String(digits.into()),
                    false => Value::Computed,
                };
                Some(self.node(&range, value))
            }
            TokenKind::Word => match self.said(at) {
                "true" | "True" | "$true" => Some(self.node(&range, Value::Bool(true))),
                "false" | "False" | "$false" => Some(self.node(&range, Value::Bool(false))),
                "null" | "None" | "nil" | "undefined" | "$null" | "NULL" => None,
                name => self.constant(name, depth).or_else(|| Some(self.node(&range, Value::Computed))),
            },
            _ => Some(self.node(&range, Value::Computed)),
        }
    }

    /// The list or object in a bracket; its value begins at `from`.
    pub(super) fn bracketed(&self, from: usize, open: usize, depth: usize) -> Option<Node<'s>> {
        let range = from..self.after(open);
        let items = self.items(open);
        let has_keys =
            items.iter().any(|item| self.key(item.start).is_some() || self.said(item.start) == "...");
        if self.said(open) == "(" && items.len() == 1 && !has_keys && self.said(range.end - 2) != "," {
            return self.value(items[0].clone(), depth + 1);
        }
        let value = if has_keys && self.said(open) != "["
            || has_keys
                && self.said(from) != "("
                && (items.len() > 1 || self.said(items[0].start + 1) == "=>")
        {
            Value::Object(self.members(open, depth + 1))
        } else {
            Value::Array(items.into_iter().filter_map(|item| self.value(item, depth + 1)).collect())
        };
        let node = self.node(&range, value);
        Some(Node { span: Span { start: self.span(&(open..open + 1)).start, ..node.span }, ..node })
    }

    /// The value of a name, a call, or something with methods.
    fn operand(&self, range: Range<usize>, depth: usize) -> Option<Node<'s>> {
        let computed = || Some(self.node(&range, Value::Computed));
        let last = range.end - 1;
        let open = match self.token(last)?.kind {
            TokenKind::Close => self.token(last)?.pair,
            _ => last + 1,
        };
        if open <= range.start {
            return computed();
        }
        let is_dot = |at: usize| matches!(self.said(at), "." | "?." | "->" | "::");
        if open > last {
            // dedent`…`
            if range.len() == 2 && self.is(last, TokenKind::Text) && is_same(self.said(range.start)) {
                return self.value(last..range.end, depth + 1);
            }
            // A path of names, perhaps with a method that changes nothing.
            if is_dot(last - 1) && is_same(self.said(last)) {
                return self.value(range.start..last - 1, depth + 1);
            }
            return self.path(&range, depth).or_else(computed);
        }
        // A macro has a sign after its name.
        let name = self.said(open - if self.said(open - 1) == "!" && open > range.start + 1 { 2 } else { 1 });
        match self.said(open) {
            "(" => self.call(&range, open, name, depth),
            "[" if matches!(name, "w" | "i") && self.said(open.wrapping_sub(2)) == "%" => {
                let word = |at: usize| self.node(&(at..at + 1), Value::String(Cow::Borrowed(self.said(at))));
                Some(self.node(&range, Value::Array((open + 1..last).map(word).collect())))
            }
            "[" if name.eq_ignore_ascii_case("array") => self.bracketed(range.start, open, depth),
            "{" if name == "apply" => self.bracketed(range.start, open, depth),
            "{" => {
                let is_type = |at: usize| {
                    matches!(self.said(at), "." | "<" | ">" | "[" | "]" | "*" | "%" | ",")
                        || self.is(at, TokenKind::Word)
                };
                if (range.start..open).all(is_type) {
                    self.bracketed(range.start, open, depth)
                } else {
                    computed()
                }
            }
            _ => computed(),
        }
    }

    /// The value of `NAME`, `this.NAME` or `OBJECT.name`.
    fn path(&self, range: &Range<usize>, depth: usize) -> Option<Node<'s>> {
        let words: Vec<&str> =
            range.clone().filter(|at| self.is(*at, TokenKind::Word)).map(|at| self.said(at)).collect();
        let is_path = range.len() == 2 * words.len() - usize::from(!words.is_empty());
        match words.as_slice() {
            _ if !is_path => None,
            ["this" | "self" | "cls" | "static" | "$this" | "local" | "var", name] => {
                self.constant(name, depth)
            }
            [object, name] => match self.constant(object, depth) {
                Some(object) => object.get(name).cloned(),
                // A class has constants of its own, and so has what is made of one without arguments.
                None if object.starts_with(char::is_uppercase) || self.is_made(object) => {
                    self.constant(name, depth)
                }
                None => None,
            },
            _ => None,
        }
    }

    /// The value of a name that is assigned once.
    fn constant(&self, name: &str, depth: usize) -> Option<Node<'s>> {
        let name = name.trim_start_matches(['$', '@']);
        let range = self.constants.get(name)?.clone()?;
        let said = self.value(range.clone(), depth + 4).filter(|node| !matches!(node.value, Value::Computed));
        said.or_else(|| {
            let member = |(key, value): &(Key<'s>, Range<usize>)| {
                let value = self.value(value.clone(), depth + 4)?;
                Some(Member { key: key.name.clone(), key_span: key.span, value })
            };
            let set = self.setters.get(name).filter(|_| depth < MAX_DEPTH)?;
            let members: Vec<Member<'s>> = set.iter().filter_map(member).collect();
            Some(self.node(&range, Value::Object(members)))
        })
    }

    /// Whether a name is assigned something that a class makes without arguments.
    fn is_made(&self, name: &str) -> bool {
        let range = self.constants.get(name).cloned().flatten();
        range.is_some_and(|range| {
            let is_empty = || self.said(range.end - 1) == ")" && self.said(range.end - 2) == "(";
            range.len() == 3 && is_empty() && self.said(range.start).starts_with(char::is_uppercase)
        })
    }

    /// A text of its parts: strings as they are, constants with their values.
    pub(super) fn text(&self, range: &Range<usize>, operands: &[Range<usize>], depth: usize) -> Node<'s> {
        let (mut text, mut said) = (String::new(), 0);
        let mut only = None;
        for operand in operands {
            let is_literal = operand.len() == 1 && self.is(operand.start, TokenKind::Text);
            let is_word = self.token(operand.start).is_some_and(|token| token.language.is_shell());
            if is_word && !is_literal {
                let word = self.said(operand.start);
                // A command in brackets, which may only print a text.
                if operand.len() > 1 {
                    let command = self.tokens.text.get(self.span(operand).range()).unwrap_or_default();
                    match self.printed(command) {
                        Some(node) if operands.len() == 1 => only = Some(node),
                        Some(Node { value: Value::String(part), .. }) => text += &part,
                        _ => text += COMPUTED,
                    }
                    continue;
                }
                match self.hole(word, depth).filter(|_| word.starts_with('$')) {
                    Some(node) if operands.len() == 1 => only = Some(node),
                    Some(Node { value: Value::String(part), .. }) => text += &part,
                    _ if word.starts_with('$') => text += COMPUTED,
                    _ => text += &word.replace('\\', ""),
                }
                said += word.len();
                continue;
            }
            if !is_literal {
                match self.value(operand.clone(), depth + 1).map(|node| node.value) {
                    Some(Value::String(part)) => {
                        said += part.len();
                        text += &part;
                    }
                    Some(Value::Number(part)) => text += part,
                    _ => text += COMPUTED,
                }
                continue;
            }
            let token = self.tokens.all[operand.start];
            for piece in token.pieces(self.tokens.text) {
                if let Some(character) = piece.character {
                    text.push(character);
                    said += usize::from(!character.is_whitespace());
                    continue;
                }
                let inside = &self.tokens.text[piece.start..piece.end];
                match self.hole(inside, depth) {
                    Some(node) if operands.len() == 1 && token.content() == (piece.start..piece.end) => {
                        only = Some(node);
                    }
                    Some(Node { value: Value::String(part), .. }) => {
                        said += part.len();
                        text += &part;
                    }
                    Some(Node { value: Value::Number(part), .. }) => text += part,
                    _ if inside.starts_with('\\') && !inside.starts_with("\\(") => {}
                    _ => text += COMPUTED,
                }
            }
            if text.len() > MAX_STRING {
                break;
            }
        }
        if let Some(node) = only {
            return node;
        }
        // A sign before a value says nothing.
        if text.contains(COMPUTED) && said < LEAST || text.len() > MAX_STRING {
            return self.node(range, Value::Computed);
        }
        let is_here =
            self.token(range.start).is_some_and(|token| token.content() == (token.start..token.end));
        let text = if text.contains('\n') || is_here { without_indentation(&text) } else { text };
        self.node(range, Value::String(Cow::Owned(text)))
    }

    /// The parts of a word of a command; what is in brackets after `$` is one.
    fn shell_words(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let (mut words, mut at) = (Vec::new(), range.start);
        while at < range.end {
            let is_command = self.said(at) == "$" && self.said(at + 1) == "(";
            let end = if is_command { self.after(at + 1) } else { at + 1 };
            words.push(at..end);
            at = end;
        }
        words
    }

    /// The text that a command prints as it is: `$(cat <<EOF`, the lines, `EOF`, `)`.
    fn printed(&self, command: &'s str) -> Option<Node<'s>> {
        let rest = command.strip_prefix("$(")?.trim_start().strip_prefix("cat")?;
        let (mark, rest) = rest.trim_start().strip_prefix("<<")?.split_once('\n')?;
        let name = mark.trim_matches(|c: char| "-'\"\\ \r".contains(c));
        let is_end = |line: &&str| line.trim().trim_end_matches(')') == name;
        let last = rest.split_inclusive('\n').find(is_end)?;
        let body = rest.get(..last.as_ptr() as usize - rest.as_ptr() as usize)?.trim_end();
        // Where the mark has no quotation marks, values are put in.
        if body.contains(['$', '`']) && !mark.contains(['\'', '"', '\\']) {
            return None;
        }
        let start = body.as_ptr() as usize - self.tokens.text.as_ptr() as usize;
        let (span, style) =
            (Span::new(start, start + body.len()), Style::Program(Language::inside(Holes::None)));
        Some(Node { span, style, value: Value::String(without_indentation(body).into()) })
    }

    /// The value that is put into a string: `${NAME}`, `{NAME}`, `#{name}`, `$NAME`, `${NAME:-default}`.
    pub(super) fn hole(&self, inside: &'s str, depth: usize) -> Option<Node<'s>> {
        if inside.starts_with("$(") {
            return self.printed(inside);
        }
        let name = inside.trim_start_matches(['$', '#', '{', '\\', '(']).trim_end_matches(['}', ')']).trim();
        let (name, default) = name.split_once(":-").unwrap_or((name, ""));
        // A literal, such as a sign that the language would take for a value: `${'$'}`.
        if let Some(mark) = name.chars().next().filter(|mark| "'\"".contains(*mark))
            && let Some(text) = name[1..].strip_suffix(mark).filter(|text| !text.contains([mark, '\\']))
        {
            let start = text.as_ptr() as usize - self.tokens.text.as_ptr() as usize;
            let (span, style) =
                (Span::new(start, start + text.len()), Style::Program(Language::inside(Holes::None)));
            return Some(Node { span, style, value: Value::String(text.into()) });
        }
        let is_name =
            |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == '@');
        if !default.is_empty() {
            let start = default.as_ptr() as usize - self.tokens.text.as_ptr() as usize;
            let span = Span::new(start, start + default.len());
            let style = Style::Program(Language::inside(Holes::None));
            let text = self.tokens.text.get(span.range())?;
            let text = Cow::Borrowed(text.trim_matches(['"', '\'']));
            return Some(Node { span, style, value: Value::String(text) }).filter(|_| !default.contains('$'));
        }
        if let Some((object, name)) = name.split_once('.') {
            return match (object, is_name(name)) {
                ("this" | "self" | "$this" | "local" | "var", true) => self.constant(name, depth + 1),
                (object, true) if is_name(object) => self.constant(object, depth + 1)?.get(name).cloned(),
                _ => None,
            };
        }
        is_name(name).then(|| self.constant(name, depth + 1))?
    }

    /// A string without anything computed.
    pub(super) fn literal(&self, at: usize) -> Option<Cow<'s, str>> {
        let token = self.token(at).filter(|token| token.kind == TokenKind::Text)?;
        let content = token.content();
        if content.len() > 200 {
            return None;
        }
        let text: Option<String> =
            token.pieces(self.tokens.text).iter().map(|piece| piece.character).collect();
        let text = text?;
        let written = self.tokens.text.get(content)?;
        Some(if text == written { Cow::Borrowed(written) } else { Cow::Owned(text) })
    }
}

/// The fewest letters of a text beside what is computed.
const LEAST: usize = 4;
