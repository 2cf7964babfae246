//! A tool's output: JSON of a limited size, and notes for the assistant.

use std::collections::BTreeMap;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::error::ToolError;
use crate::wording::{for_assistant, reworded};

/// The most bytes of a list to return. Assistants can take little more at once.
const MAX_LIST: usize = 100_000;

/// Severities, the gravest first.
const GRAVEST: [&str; 3] = ["error", "warning", "info"];

/// The result of a tool.
#[derive(Debug)]
pub(crate) struct ToolOutput {
    value: Value,
    notes: Vec<String>,
}

impl ToolOutput {
    pub(crate) fn new(value: Value) -> Self {
        Self { value, notes: Vec::new() }
    }

    pub(crate) fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes.into_iter().map(|note| note.trim_end().to_owned()));
        self
    }

    /// Leaves of the list at a pointer what comes after its first `from` items and is not too long, the gravest findings
    /// first, and says how to go on.
    pub(crate) fn cut_list(mut self, pointer: &str, from: usize) -> Self {
        let Some(Value::Array(list)) = self.value.pointer_mut(pointer) else { return self };
        let name = pointer.rsplit('/').next().unwrap_or_default();
        let size = |item: &Value| item.to_string().len();
        let all = list.len();
        if from == 0 && list.iter().map(size).sum::<usize>() <= MAX_LIST {
            return self;
        }
        list.sort_by_key(|item| GRAVEST.iter().position(|severity| item["severity"] == *severity));
        let counts = list.iter().filter_map(|item| item["rule"].as_str()).fold(
            BTreeMap::<String, usize>::new(),
            |mut counts, rule| {
                *counts.entry(rule.to_owned()).or_default() += 1;
                counts
            },
        );
        list.drain(..from.min(all));
        let mut room = MAX_LIST;
        let fitting = list.iter().take_while(|item| {
            let size = size(item);
            let fits = size <= room;
            room = room.saturating_sub(size);
            fits
        });
        let fitting = fitting.count();
        // One that is too long itself is passed, so that the others can be reached.
        let next = from + fitting + usize::from(fitting == 0);
        list.truncate(fitting);
        let on =
            if next < all { format!("; call again with `from`: {next} for more") } else { String::new() };
        let order = if counts.is_empty() { "" } else { ", the gravest first" };
        let shown = match fitting {
            0 if from >= all => "no more".to_owned(),
            0 => "none that is short enough".to_owned(),
            _ => format!("{} to {}", from + 1, from + fitting),
        };
        self.notes.push(format!("note: {shown} of {all} {name}{order}{on}"));
        if !counts.is_empty() {
            let counts: Vec<String> = counts.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
            self.notes.push(format!("note: by rule: {}", counts.join(", ")));
        }
        self
    }

    pub(crate) fn into_result(mut self) -> CallToolResult {
        for_assistant(&mut self.value);
        let mut result = CallToolResult::structured(self.value);
        result.content.extend(self.notes.iter().map(|note| ContentBlock::text(reworded(note))));
        result
    }
}

/// The result of a tool that could not do what was asked.
pub(crate) fn failed(error: ToolError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(reworded(&error.to_string()))])
}
