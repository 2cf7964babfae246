//! Divides a program into tokens: one scanner for all languages, which knows strings, comments and brackets.

use std::ops::Range;

use super::strings::{Piece, escape, hole, string_length};
use crate::syntax::language::{Escapes, Holes, Language, Quote};
use crate::syntax::span::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Text,
    Word,
    Number,
    Open,
    Close,
    Mark,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is the first one on its line.
    pub(super) begins_line: bool,
    /// Whether no space precedes it.
    pub(super) is_glued: bool,
    /// Of a bracket, the index of the other one; of any other token, its own.
    pub(super) pair: usize,
    pub(super) language: Language,
    /// Of a string, the bytes between its quotation marks, and what is special there.
    content: (usize, usize),
    pub(super) escapes: Escapes,
    pub(super) close: &'static str,
    pub(super) holes: Holes,
}

/// A program in tokens.
#[derive(Debug)]
pub(super) struct Tokens<'s> {
    pub(super) text: &'s str,
    pub(super) all: Vec<Token>,
    pub(super) comments: Vec<Span>,
}

/// Marks of several characters that mean something else than their parts.
const MARKS: [&str; 24] = [
    "===", "!==", "<=>", "...", "||=", "??=", "=>", "==", "!=", "<=", ">=", ":=", "||", "??", "?:", "?.",
    "**", "->", "::", "&&", "+=", "<>", "..", "=~",
];

/// The most brackets that may be open.
const MAX_OPEN: usize = 256;

/// The most strings that make one argument, and the longest regular expression.
const MAX_SPLICED: usize = 200;
const MAX_REGEX: usize = 1_000;

/// The most tokens of a program; what follows is not read.
const MAX_TOKENS: usize = 2_000_000;

impl Token {
    /// The pieces of a string.
    pub(super) fn pieces(&self, text: &str) -> Vec<Piece> {
        let range = self.content();
        let (escapes, close) = (self.escapes, self.close);
        let (mut pieces, mut at) = (Vec::new(), range.start);
        while let Some(rest) = text.get(at..range.end).filter(|rest| !rest.is_empty()) {
            let (length, character) = hole(rest, self.holes)
                .map(|length| (length, None))
                .or_else(|| escape(rest, escapes, self.holes, close))
                .unwrap_or_else(|| {
                    let character = rest.chars().next().unwrap_or_default();
                    (character.len_utf8(), Some(character))
                });
            pieces.push(Piece { start: at, end: at + length, character });
            at += length;
        }
        pieces
    }

    /// The bytes between the quotation marks.
    pub(super) fn content(&self) -> Range<usize> {
        self.content.0..self.content.1
    }
}

/// A scan of one text.
struct Scanner<'s> {
    text: &'s str,
    language: Language,
    at: usize,
    end: usize,
    begins_line: bool,
    is_glued: bool,
    open: Vec<usize>,
    /// Texts that begin on the next line, with what ends them and whether values are put into them.
    here: Vec<(usize, String, bool)>,
    /// Quotation marks after which no other one was found, and how far it was looked for: the search is not repeated there.
    unclosed: Vec<(&'static str, Holes, usize)>,
    found: Tokens<'s>,
}

/// Divides a text, or a range of it.
pub(super) fn scan(text: &str, range: Range<usize>, language: Language) -> Tokens<'_> {
    let found = Tokens { text, all: Vec::new(), comments: Vec::new() };
    let (at, end) = (range.start, range.end);
    let (open, here, unclosed) = (Vec::new(), Vec::new(), Vec::new());
    let mut scanner =
        Scanner { text, language, at, end, begins_line: true, is_glued: false, open, here, unclosed, found };
    while scanner.at < scanner.end && scanner.found.all.len() < MAX_TOKENS {
        scanner.step();
    }
    scanner.found
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    fn step(&mut self) {
        let rest = self.rest();
        let syntax = self.language.syntax();
        let Some(first) = rest.chars().next() else {
            self.at = self.end;
            return;
        };
        if first == '\n' {
            self.at += 1;
            (self.begins_line, self.is_glued) = (true, false);
            return self.here_texts();
        }
        if first.is_whitespace() || first == '\0' {
            (self.at, self.is_glued) = (self.at + first.len_utf8(), false);
            return;
        }
        // The end of a line is escaped.
        let is_escape = first == '\\' || first == '`' && !syntax.quotes.iter().any(|quote| quote.open == "`");
        if is_escape && rest[1..].trim_start_matches([' ', '\r']).starts_with('\n') {
            let length = rest.find('\n').map_or(1, |at| at + 1);
            (self.at, self.is_glued) = (self.at + length, false);
            return;
        }
        if let Some(length) = self.comment(rest) {
            self.found.comments.push(Span::new(self.at, self.at + length));
            (self.at, self.is_glued) = (self.at + length, false);
            return;
        }
        if syntax.here.is_some_and(|mark| rest.starts_with(mark)) && self.here_begins(rest) {
            return;
        }
        if self.string(rest) {
            return;
        }
        if syntax.has_regexes
            && first == '/'
            && self.is_operand_next()
            && let Some(length) = regex_length(rest)
        {
            return self.push(TokenKind::Number, length);
        }
        match first {
            '(' | '[' | '{' => self.bracket(true),
            ')' | ']' | '}' => self.bracket(false),
            _ if self.language.is_shell() && !";|&<>".contains(first) => {
                let ends = |at: &usize| {
                    let character = rest[*at..].chars().next().unwrap_or(' ');
                    character.is_whitespace() || *at > 0 && "\"'$;|&<>(){}[]`\0".contains(character)
                };
                let mut length = rest.char_indices().map(|(at, _)| at).find(ends).unwrap_or(rest.len());
                length = argument_name(&rest[..length]).unwrap_or(length);
                if first == '$' {
                    let is_command = rest.starts_with("$(");
                    length = hole(rest, Holes::Dollar).filter(|_| !is_command).unwrap_or(1);
                } else if rest[..length].ends_with('\\') {
                    length += rest[length..].chars().next().map_or(0, char::len_utf8);
                }
                self.push(TokenKind::Word, length.max(first.len_utf8()));
            }
            _ if first.is_alphabetic() || "_$@".contains(first) => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let length = rest[first.len_utf8()..].find(|c| !is_part(c)).map(|at| at + first.len_utf8());
                self.push(TokenKind::Word, length.unwrap_or(rest.len()));
            }
            _ if first.is_ascii_digit() => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
                self.push(TokenKind::Number, length.unwrap_or(rest.len()));
            }
            _ => {
                let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
                self.push(TokenKind::Mark, mark.map_or(first.len_utf8(), |mark| mark.len()));
            }
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let (start, end) = (self.at, self.at + length);
        self.add(kind, (start, end), (start, end));
    }

    /// Adds a token; its content has nothing special.
    fn add(&mut self, kind: TokenKind, (start, end): (usize, usize), content: (usize, usize)) {
        let (begins_line, is_glued) = (self.begins_line, self.is_glued);
        (self.begins_line, self.is_glued) = (false, true);
        let (pair, language) = (self.found.all.len(), self.language);
        let (escapes, close, holes) = (Escapes::None, "", Holes::None);
        let token =
            Token { kind, start, end, begins_line, is_glued, pair, language, content, escapes, close, holes };
        self.found.all.push(token);
        self.at = end;
    }

    fn bracket(&mut self, opens: bool) {
        let at = self.found.all.len();
        self.push(if opens { TokenKind::Open } else { TokenKind::Close }, 1);
        if opens {
            if self.open.len() == MAX_OPEN {
                self.open.remove(0);
            }
            self.open.push(at);
            return;
        }
        let closes =
            |open: u8, close: u8| matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'));
        let bytes = self.text.as_bytes();
        let byte = |token: &Token| bytes[token.start];
        let all = &self.found.all;
        // A bracket that was not closed is left open.
        let Some(place) = self.open.iter().rposition(|open| closes(byte(&all[*open]), byte(&all[at]))) else {
            return;
        };
        let open = self.open[place];
        self.open.truncate(place);
        self.found.all[open].pair = at;
        self.found.all[at].pair = open;
    }

    /// Whether what follows must be a value, so that a slash does not divide.
    fn is_operand_next(&self) -> bool {
        let Some(last) = self.found.all.last() else { return true };
        let said = &self.text[last.start..last.end];
        match last.kind {
            TokenKind::Word => matches!(said, "return" | "case" | "typeof" | "in" | "of"),
            TokenKind::Mark | TokenKind::Open => true,
            _ => false,
        }
    }

    /// The length of the comment that begins here.
    fn comment(&self, rest: &str) -> Option<usize> {
        // In a shell, `$#` and the fragment of an address are none.
        if self.language.is_shell() && self.is_glued {
            return None;
        }
        self.language.syntax().comments.iter().find_map(|(open, close)| {
            let word = open.trim_start();
            let after = rest.strip_prefix(word).filter(|_| word.len() == open.len() || self.begins_line)?;
            let end = match *close {
                "" => after.find('\n'),
                close => after.find(close).map(|at| at + close.len()),
            };
            Some(end.map_or(rest.len(), |end| word.len() + end))
        })
    }

    /// Takes a string, if one begins here.
    fn string(&mut self, rest: &'s str) -> bool {
        let syntax = self.language.syntax();
        let prefix = if syntax.has_prefixes {
            rest.find(|c: char| !c.is_ascii_alphabetic()).filter(|length| *length <= 2).unwrap_or(0)
        } else {
            0
        };
        let letters = rest[..prefix].to_ascii_lowercase();
        if prefix > 0 && !letters.chars().all(|letter| "rbuf".contains(letter)) {
            return false;
        }
        let rest = &rest[prefix..];
        let Some(quote) = syntax.quotes.iter().find(|quote| rest.starts_with(quote.open)) else {
            return false;
        };
        let holes = match quote.holes {
            Holes::BraceAfterF if letters.contains('f') => Holes::Brace,
            Holes::BraceAfterF => Holes::None,
            holes => holes,
        };
        let Some(length) = self.length(rest, quote, holes) else {
            // It never ends: a sign like any other.
            self.push(TokenKind::Mark, prefix + rest.chars().next().map_or(1, char::len_utf8));
            return true;
        };
        let escapes = if letters.contains('r') { Escapes::None } else { quote.escapes };
        let (start, end) = (self.at + prefix, self.at + prefix + length);
        let mut content = (start + quote.open.len(), end - quote.close.len());
        // Signs before the quotation mark are not part of the text.
        let signs = quote.open.len() - quote.open.trim_start_matches(['$', '@', 'r', '#']).len();
        let mut token = (start + signs, end - quote.close.matches('#').count());
        // The name of a field in an argument of a command is a word of its own: `"Name=value"`.
        if self.language.is_shell()
            && let Some(name) = argument_name(&self.text[content.0..content.1])
        {
            self.add(TokenKind::Word, (content.0, content.0 + name), (start, end));
            content.0 += name;
            token = content;
        }
        self.add(TokenKind::Text, token, content);
        self.at = end;
        if let Some(token) = self.found.all.last_mut() {
            (token.escapes, token.close, token.holes) = (escapes, quote.close, holes);
        }
        self.object_inside(escapes, holes);
        true
    }

    /// The length of a string that begins at `rest`; `None` if it does not end.
    fn length(&mut self, rest: &str, quote: &Quote, holes: Holes) -> Option<usize> {
        let is_same = |(open, known, _): &(&str, Holes, usize)| *open == quote.open && *known == holes;
        let known = self.unclosed.iter().position(is_same);
        if known.is_some_and(|known| self.at < self.unclosed[known].2) {
            return None;
        }
        let failed = match string_length(rest, quote, holes) {
            Ok(length) => return Some(length),
            Err(length) => (quote.open, holes, self.at + length),
        };
        match known {
            Some(known) => self.unclosed[known] = failed,
            None => self.unclosed.push(failed),
        }
        None
    }

    /// Takes the object in the string that was just taken in its place, if there is one: `-d '{ "name": … }'`.
    fn object_inside(&mut self, escapes: Escapes, holes: Holes) {
        let Some(token) = self.found.all.last().copied() else { return };
        let close = token.close;
        let mut content = token.content();
        let begin = self.text.get(content.clone()).unwrap_or_default().trim_start();
        if self.language.is_shell() && begin.starts_with('{') && !begin.trim_end().ends_with('}') {
            content.end = self.spliced();
        }
        let said = self.text.get(content.clone()).unwrap_or_default();
        let is_object = said.trim_start().starts_with(['{', '[']) && said.trim_end().ends_with(['}', ']']);
        // Such quotation marks are escaped twice.
        let is_escaped = escapes != Escapes::None && said.contains("\\\"");
        if !is_object || is_escaped || !said.contains(':') {
            return;
        }
        self.found.all.pop();
        let (at, end, language) = (self.at, self.end, self.language);
        (self.at, self.end, self.language) = (content.start, content.end, Language::inside(holes));
        while self.at < self.end && self.found.all.len() < MAX_TOKENS {
            self.step();
        }
        (self.at, self.end, self.language) = (at.max(content.end + close.len()), end, language);
        (self.begins_line, self.is_glued) = (false, true);
    }

    /// The end of the text of an argument that consists of several strings: `'{"name": "'"$NAME"'"}'`.
    fn spliced(&self) -> usize {
        let mut at = self.at;
        let quotes = self.language.syntax().quotes;
        for _ in 0..MAX_SPLICED {
            let rest = self.text.get(at..self.end).unwrap_or_default();
            let quote = quotes.iter().find(|quote| rest.starts_with(quote.open));
            let string = quote.and_then(|quote| string_length(rest, quote, quote.holes).ok());
            let Some(length) = string.or_else(|| hole(rest, Holes::Dollar)) else { break };
            at += length;
        }
        at.saturating_sub(1).max(self.at)
    }

    /// Notes the text that begins on the next line, if the mark at `rest` announces one.
    fn here_begins(&mut self, rest: &str) -> bool {
        let mark = self.language.syntax().here.unwrap_or_default();
        let name = rest[mark.len()..].trim_start_matches(['-', '~', ' ']);
        let quoted = name.starts_with(['\'', '"', '\\']);
        let is_plain = !name.starts_with(['\'', '\\']);
        let name = name.trim_start_matches(['\'', '"', '\\']);
        let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') || quoted && length > 0;
        if !is_name || rest.starts_with("<<<") && mark == "<<" {
            return false;
        }
        let end = name[..length].to_owned();
        let through = rest.len() - name.len() + length + usize::from(name[length..].starts_with(['\'', '"']));
        self.here.push((self.found.all.len(), end, is_plain));
        self.push(TokenKind::Text, through.min(rest.len()));
        true
    }

    /// Takes the texts that begin at this line.
    fn here_texts(&mut self) {
        for (index, name, is_plain) in std::mem::take(&mut self.here) {
            let start = self.at;
            let mut end = start;
            for line in self.rest().split_inclusive('\n') {
                if line.trim() == name || line.trim().trim_end_matches([';', ',', ')']) == name {
                    self.at = end + line.len();
                    break;
                }
                end += line.len();
                self.at = end;
            }
            let holes = match self.language.syntax().quotes.first() {
                Some(quote) if is_plain => quote.holes,
                _ => Holes::None,
            };
            let said = &self.text[start..end];
            let body = said.trim_start();
            if body.starts_with('{') && said.trim_end().ends_with('}') && said.contains(':') {
                // The object takes the place of the text at the end of what was read.
                let (at, last, language) = (self.at, self.end, self.language);
                (self.at, self.end, self.language) = (start, end, Language::inside(holes));
                while self.at < self.end && self.found.all.len() < MAX_TOKENS {
                    self.step();
                }
                (self.at, self.end, self.language) = (at, last, language);
                self.begins_line = true;
            } else if let Some(token) = self.found.all.get_mut(index) {
                let end = end - usize::from(said.ends_with('\n'));
                (token.start, token.end, token.content, token.holes) = (start, end, (start, end), holes);
            }
        }
    }
}

/// The length of a name and the sign after it at the beginning of an argument: `Name=value`, `--name=value`.
fn argument_name(argument: &str) -> Option<usize> {
    let length = argument.find('=')?;
    let is_name =
        argument[..length].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte));
    (length > 0 && is_name).then_some(length + 1)
}

/// The length of a regular expression at the start of a text; it ends on its line.
fn regex_length(rest: &str) -> Option<usize> {
    let (mut is_escaped, mut is_class) = (false, false);
    for (at, character) in rest.char_indices().take(MAX_REGEX).skip(1) {
        match character {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '/' if !is_class => return (at > 1).then_some(at + 1),
            _ => {}
        }
    }
    None
}
