//! The values of calls: texts that functions change without changing what they say, lists, objects and defaults.

use std::ops::Range;

use super::changed::{as_text, formatted, is_same, without_margin};
use super::values::Program;
use crate::syntax::document::{Node, Value};

/// Modules whose functions take the text as their first argument.
const MODULES: [&str; 8] = ["strings", "textwrap", "inspect", "JSON", "json", "html", "_", "lodash"];

/// Functions that make a list of their arguments.
const LISTS: [&str; 10] =
    ["of", "asList", "listOf", "setOf", "array", "arrayOf", "list", "Array", "mutableListOf", "tuple"];

/// Types that are made of one text.
const MADE: [&str; 4] = ["PhoneNumber", "URL", "Uri", "URI"];

/// Functions that put values into a text.
const FORMATS: [&str; 6] = ["Sprintf", "sprintf", "format", "Format", "formatted", "f"];

/// Methods whose argument is what is taken without another value.
const OR: [&str; 6] = ["unwrap_or", "unwrap_or_else", "orElse", "orElseGet", "unwrapOr", "ifEmpty"];

impl<'s> Program<'s> {
    /// The value of a call of a function whose arguments are in a bracket; computed if that is not known.
    pub(super) fn call(
        &self,
        range: &Range<usize>,
        open: usize,
        name: &str,
        depth: usize,
    ) -> Option<Node<'s>> {
        let computed = || Some(self.node(range, Value::Computed));
        let is_dot = |at: usize| matches!(self.said(at), "." | "?." | "->" | "::");
        let arguments = self.items(open);
        let base = (open >= range.start + 3 && is_dot(open - 2)).then(|| range.start..open - 2);
        let first = || arguments.first().and_then(|first| self.value(first.clone(), depth + 1));
        let path: String = range.clone().take(open - range.start).map(|at| self.said(at)).collect();
        let is_text = |node: &Node<'_>| !matches!(&node.value, Value::Computed);
        if path.to_ascii_lowercase().contains("env") {
            let second = arguments.get(if OR.contains(&name) { 0 } else { 1 });
            let second = second.and_then(|second| self.value(self.returned(second), depth + 1));
            let is_said = |node: &Node<'_>| node.as_str().is_none_or(|text| !text.trim().is_empty());
            return second.filter(is_said).or_else(computed);
        }
        let is_module = base.as_ref().is_none_or(|base| MODULES.contains(&self.said(base.start)));
        let given = || arguments.iter().map(|argument| self.value(argument.clone(), depth + 1));
        if ["join", "Join", "implode"].contains(&name) {
            let own = base.clone().and_then(|base| self.value(base, depth + 1));
            let all: Vec<Node<'s>> = own.into_iter().chain(given().flatten()).collect();
            let is_list = |list: &&Node<'_>| matches!(list.value, Value::Array(_));
            let separator = all.iter().find_map(Node::as_str).unwrap_or("\n");
            let list = all.iter().find(is_list).cloned();
            let list = list.or_else(|| first().filter(|text| is_module && is_text(text))).or_else(|| {
                let texts = all.iter().filter(|node| node.as_str().is_some());
                let items: Vec<Node<'s>> = texts.skip(1).cloned().collect();
                (items.len() > 1).then(|| self.node(range, Value::Array(items)))
            });
            return list.map(|list| as_text(list, separator)).or_else(computed);
        }
        if name == "concat" && base.is_none() {
            return Some(self.text(&(open + 1..range.end - 1), &arguments, depth));
        }
        if FORMATS.contains(&name) {
            let own = base.clone().and_then(|base| self.value(base, depth + 1)).filter(is_text);
            let given: Vec<Option<Node<'s>>> = given().skip(usize::from(own.is_none())).collect();
            return own.or_else(first).map(|text| formatted(text, &given)).or_else(computed);
        }
        // `re.sub(r"\s+", " ", TEXT)`, `TEXT.replace(/\s+/g, " ")`
        if ["preg_replace", "sub", "gsub", "replace", "ReplaceAllString", "replaceAll"].contains(&name) {
            let is_space = |item: &Range<usize>| {
                let said = self.span(item).range();
                let said = self.tokens.text.get(said).unwrap_or_default();
                said.contains("\\s")
                    || said.contains("\\n")
                    || said.trim_matches(['"', '\'']).trim().is_empty()
            };
            let [spaces, with, rest @ ..] = arguments.as_slice() else { return computed() };
            let text = rest.first().cloned().or(base);
            let text = text.filter(|_| is_space(spaces) && is_space(with));
            return text.and_then(|text| self.value(text, depth + 1)).or_else(computed);
        }
        if is_same(name) {
            let own = base.and_then(|base| self.value(base, depth + 1)).filter(is_text);
            let own = if name == "trimMargin" { own.map(without_margin) } else { own };
            return own.or_else(|| first().filter(|_| is_module)).or_else(computed);
        }
        if (MADE.contains(&name) || path == "String::from") && arguments.len() == 1 {
            return first().filter(is_text).or_else(computed);
        }
        if LISTS.contains(&name) || name == "@" {
            let items = arguments.into_iter().flat_map(|item| match name {
                "@" => self.lines(&item),
                _ => vec![item],
            });
            let items = items.filter_map(|item| self.value(item, depth + 1)).collect();
            return Some(self.node(range, Value::Array(items)));
        }
        // The value of a field of a class: `Field("…", max_length=500)`, `field(default="…")`.
        if matches!(name, "Field" | "field") {
            let default = arguments.iter().find(|argument| self.said(argument.start) == "default");
            let value = default.map(|default| default.start + 2..default.end);
            let value =
                value.or_else(|| arguments.first().filter(|first| self.key(first.start).is_none()).cloned());
            return value.and_then(|value| self.value(value, depth + 1)).or_else(computed);
        }
        // A class that is made with named arguments is an object.
        let is_made = name.starts_with(char::is_uppercase)
            && arguments.first().is_some_and(|first| self.key(first.start).is_some());
        if is_made || name == "dict" || name == "URLSearchParams" || name == "array" {
            return self.bracketed(range.start, open, depth);
        }
        computed()
    }

    /// Value that a function without a name returns: `|_| value`, `() => value`, `fn () => value`.
    fn returned(&self, range: &Range<usize>) -> Range<usize> {
        let begins = |at: &usize| matches!(self.said(*at), "=>" | "->" | "|" | "||");
        range.clone().take(8).filter(begins).last().map_or(range.start, |at| at + 1)..range.end
    }
}
