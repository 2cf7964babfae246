//! Entries of configurations that ignore findings: which of them still do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::Timestamp;
use tollproof_core::document::Node;
use tollproof_core::{Edit, Format, Ignore, IgnoreEntry, Report as Checked, Source, Span, documents};

use super::linters::Linters;
use crate::args::SweepArgs;
use crate::config::{Config, Pattern};
use crate::files::is_below;
use crate::report::Failure;

/// The entries of all configurations of a run.
#[derive(Debug, Default)]
pub(super) struct Ignores {
    /// By the files of the configurations.
    seen: BTreeMap<PathBuf, Seen>,
}

/// The entries of one configuration, by their places in its list.
#[derive(Debug)]
struct Seen {
    config: Rc<Config>,
    used: BTreeSet<usize>,
    /// Those that found nothing to ignore in a file that they name alone.
    idle: BTreeSet<usize>,
}

impl Ignores {
    /// Counts what was ignored in a file.
    pub(super) fn count(&mut self, config: &Rc<Config>, file: &Path, checked: &Checked) {
        let Some(path) = config.path.as_ref().filter(|_| !config.settings.ignore.is_empty()) else { return };
        if !self.seen.contains_key(path) {
            let seen = Seen { config: Rc::clone(config), used: BTreeSet::new(), idle: BTreeSet::new() };
            self.seen.insert(path.clone(), seen);
        }
        let Some(seen) = self.seen.get_mut(path) else { return };
        // The linter knows the entries that are about this file, and counts them from 0.
        let about = config.ignores_of(file);
        let entry = |at: &usize| about.get(*at).copied();
        seen.used.extend(checked.used_ignores.iter().filter_map(entry));
        let is_literal =
            |at: &usize| config.settings.ignore[*at].files.as_ref().is_some_and(Pattern::is_literal);
        seen.idle.extend(checked.unused_ignores.iter().filter_map(entry).filter(is_literal));
    }

    /// What is wrong with entries, configuration by configuration.
    pub(super) fn remarks(
        &self,
        args: &SweepArgs,
        linters: &mut Linters<'_>,
        now: Option<Timestamp>,
    ) -> Result<Vec<(Rc<Config>, Checked)>, Failure> {
        if args.rules.no_ignores {
            return Ok(Vec::new());
        }
        let mut remarks = Vec::new();
        for (path, Seen { config, used, idle }) in &self.seen {
            // What no file of the whole folder needs, nothing needs.
            let is_whole =
                args.paths.iter().any(|walked| walked.is_dir() && is_below(config.folder(), walked));
            let is_unused = |at: usize| !used.contains(&at) && (is_whole || idle.contains(&at));
            let source = Source::new(config.name(), config.text.as_str());
            let entries = entries(config, &source, is_unused);
            let said = linters.of(config, path)?.check_ignores(&source, &entries, now);
            if !said.findings.is_empty() {
                remarks.push((Rc::clone(config), said));
            }
        }
        Ok(remarks)
    }
}

/// The entries with their places in the configuration.
fn entries(config: &Config, source: &Source<'_>, is_unused: impl Fn(usize) -> bool) -> Vec<IgnoreEntry> {
    let document = documents(source, Format::Yaml).next();
    let Some(root) = document.as_ref().and_then(|document| document.root.as_ref()) else { return Vec::new() };
    let Some(list) = root.member("ignore") else { return Vec::new() };
    let items = list.value.items();
    let entries = config.settings.ignore.iter().zip(items).enumerate();
    let entry = |(at, (setting, node)): (usize, (&crate::config::IgnoreSetting, &Node<'_>))| IgnoreEntry {
        ignore: Ignore {
            rule: setting.rule.clone(),
            pointer: setting.pointer.clone(),
            reason: setting.reason.clone(),
            until: setting.until,
        },
        rule: node.get("rule").map_or(node.span, |rule| rule.span),
        until: node.get("until").map(|until| until.span),
        removal: removal(source, if items.len() == 1 { list.key_span } else { node.span }, node.span),
        unused: is_unused(at),
    };
    entries.map(entry).collect()
}

/// Takes out the lines from the one that a part begins on to the one that another ends on; none where other parts stand
/// on them too.
fn removal(source: &Source<'_>, from: Span, to: Span) -> Option<Edit> {
    let text = source.text();
    let start = text[..from.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[to.end as usize..].find('\n').map_or(text.len(), |at| to.end as usize + at + 1);
    let before = text[start..from.start as usize].trim();
    let behind = text[to.end as usize..end].trim();
    let is_alone = matches!(before, "" | "-") && (behind.is_empty() || behind.starts_with('#'));
    is_alone.then(|| Edit { span: Span::new(start, end), text: String::new() })
}
