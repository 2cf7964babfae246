//! Changes where `UPDATE=1` or `TRYCMD=overwrite` rewrites files: lines, and findings that they show.

use std::collections::BTreeMap;
use std::io::Write as _;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::{begins_finding, is_summary};

/// Prints what changes in a file, past the capture of the tests: whoever rewrites files should see it.
pub(crate) fn report(path: &str, before: &str, after: &str) {
    let _ = writeln!(std::io::stderr(), "{path} rewritten: {}", summary(before, after));
}

fn summary(before: &str, after: &str) -> String {
    let diff = Diff::compute(Algorithm::Histogram, &InternedInput::new(before, after));
    let (findings, others) = (findings(before), findings(after));
    // A finding that is there as often as before, and in the same words, has not changed.
    let more = |these: &BTreeMap<String, usize>, those: &BTreeMap<String, usize>| {
        let surplus =
            |(text, count): (&String, &usize)| count.saturating_sub(those.get(text).copied().unwrap_or(0));
        these.iter().map(surplus).sum::<usize>()
    };
    let (gone, new) = (more(&findings, &others), more(&others, &findings));
    let changed = gone.min(new);
    format!(
        "{} lines added, {} removed; findings: {changed} changed, {} added, {} removed",
        diff.count_additions(),
        diff.count_removals(),
        new - changed,
        gone - changed
    )
}

/// The findings that a page shows, in either form for people, each with how often.
fn findings(page: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        let is_concise = [": error[", ": warning[", ": info["].iter().any(|it| line.contains(it));
        if !begins_finding(line) && !is_concise {
            continue;
        }
        let mut text = line.to_owned();
        // The lines of a finding are below it, up to the next one, the summary or the end of the block.
        let is_end = |line: &str| begins_finding(line) || is_summary(line) || line.starts_with("```");
        while let Some(more) = lines.next_if(|line| !is_concise && !is_end(line)) {
            text = text + "\n" + more;
        }
        *found.entry(text.trim_end().to_owned()).or_default() += 1;
    }
    found
}

#[test]
fn what_changes_is_counted() {
    let page =
        |findings: &str| format!("# Page\n\n```text\n$ tollproof check\n{findings}\n```\n\nThe end.\n");
    let before = page("error[a/one]\n\n  one\n\nwarning[b/two]\n\n  two\n\na.json:1:2: info[c/three] three");
    assert_eq!(
        summary(&before, &before),
        "0 lines added, 0 removed; findings: 0 changed, 0 added, 0 removed"
    );
    let after = before.replace("  two", "  two, again");
    assert_eq!(summary(&before, &after), "1 lines added, 1 removed; findings: 1 changed, 0 added, 0 removed");
    let after = before.replace("error[a/one]\n\n  one\n\n", "");
    assert_eq!(summary(&before, &after), "0 lines added, 4 removed; findings: 0 changed, 0 added, 1 removed");
}
