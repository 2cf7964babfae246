//! A message as a phone shows it: lines in a box, with marks below characters.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::terminal::{Look, printable, width};

/// The columns of a text in the box: about what a line of a phone has.
const COLUMNS: usize = 40;

/// The lines of a box. What sends messages this long is not a text message.
const MAX_LINES: usize = 60;

/// The columns that a box needs next to its text: indentation, border and padding.
const FRAME: usize = 6;

/// The corners and edges of a box: top left, top right, bottom left, bottom right, horizontal, vertical.
type Border = [char; 6];

const UNICODE: Border = ['╭', '╮', '╰', '╯', '─', '│'];

const ASCII: Border = ['+', '+', '+', '+', '-', '|'];

/// A character as a reader sees it.
struct Cell {
    shown: String,
    width: usize,
    is_marked: bool,
    is_space: bool,
}

/// The lines of a message in a box. Below a line with marked characters is one with a `^` below each of them.
pub(super) fn bubble(text: &str, marked: &[Range<usize>], look: Look) -> Vec<String> {
    let [top_left, top_right, bottom_left, bottom_right, horizontal, vertical] =
        if look.unicode { UNICODE } else { ASCII };
    let most = look.width.saturating_sub(FRAME).clamp(1, COLUMNS);
    let mut inside: Vec<String> = Vec::new();
    let mut lines = BubbleLines { cells: cells(text, marked), most };
    let mut count = 0;
    while let Some(line) = lines.next() {
        count += 1;
        if count > MAX_LINES {
            inside.push(if look.unicode { "…" } else { "..." }.to_owned());
            break;
        }
        inside.push(line.iter().map(|cell| cell.shown.as_str()).collect());
        if line.iter().any(|cell| cell.is_marked) {
            inside.push(marks(&line));
        }
    }
    let columns = inside.iter().map(|line| width(line)).max().unwrap_or_default().max(1);
    let edge: String = std::iter::repeat_n(horizontal, columns + 2).collect();
    let mut all = vec![format!("  {top_left}{edge}{top_right}")];
    all.extend(inside.iter().map(|line| {
        let gap = " ".repeat(columns - width(line));
        format!("  {vertical} {line}{gap} {vertical}")
    }));
    all.push(format!("  {bottom_left}{edge}{bottom_right}"));
    all
}

/// The cells of a text, as its lines.
fn cells(text: &str, marked: &[Range<usize>]) -> std::vec::IntoIter<Vec<Cell>> {
    let mut marks = marked.iter().peekable();
    let mut lines = vec![Vec::new()];
    for (at, cluster) in text.grapheme_indices(true) {
        while marks.next_if(|it| it.end <= at).is_some() {}
        if ["\n", "\r\n", "\r"].contains(&cluster) {
            lines.push(Vec::new());
            continue;
        }
        let shown: String = cluster.chars().map(|c| if c == '\t' { ' ' } else { printable(c) }).collect();
        let cell = Cell {
            width: width(&shown),
            is_marked: marks.peek().is_some_and(|it| it.start <= at),
            is_space: shown == " ",
            shown,
        };
        if let Some(line) = lines.last_mut() {
            line.push(cell);
        }
        // The rest would not be shown.
        if lines.len() > MAX_LINES || at > MAX_LINES * COLUMNS * 8 {
            break;
        }
    }
    lines.into_iter()
}

/// BubbleLines broken where they are too long: at a space, or else anywhere.
struct BubbleLines {
    cells: std::vec::IntoIter<Vec<Cell>>,
    most: usize,
}

impl BubbleLines {
    fn next(&mut self) -> Option<Vec<Cell>> {
        let mut line = self.cells.next()?;
        let mut used = 0;
        let end = line.iter().position(|cell| {
            used += cell.width;
            used > self.most
        });
        let Some(end) = end else { return Some(line) };
        let space = (1..=end).rev().find(|&at| line[at].is_space);
        let at = space.unwrap_or(end.max(1));
        let mut rest = line.split_off(at);
        if space.is_some() {
            rest.remove(0);
        }
        let mut left = vec![rest];
        left.extend(self.cells.by_ref());
        self.cells = left.into_iter();
        Some(line)
    }
}

/// A `^` below each marked character of a line.
fn marks(line: &[Cell]) -> String {
    let mut shown = String::new();
    let (mut column, mut end) = (0, 0);
    for cell in line {
        // An invisible character is marked at the next column.
        if cell.is_marked && column >= end {
            shown.push_str(&" ".repeat(column - end));
            shown.push('^');
            end = column + 1;
        }
        column += cell.width;
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str, marked: &[Range<usize>], width: usize) -> Vec<String> {
        bubble(text, marked, Look { width, ..Look::PLAIN })
    }

    #[test]
    fn a_message_in_a_box() {
        let text = "Don’t wait, it ends soon.\nBye";
        let marked: Vec<_> = text.match_indices('’').map(|(at, it)| at..at + it.len()).collect();
        let lines = shown(text, &marked, 19);
        assert_eq!(
            lines,
            [
                "  ╭───────────────╮",
                "  │ Don’t wait,   │",
                "  │    ^          │",
                "  │ it ends soon. │",
                "  │ Bye           │",
                "  ╰───────────────╯",
            ]
        );
        let plain = bubble("Bye", &[], Look { unicode: false, ..Look::PLAIN });
        assert_eq!(plain, ["  +-----+", "  | Bye |", "  +-----+"]);
    }

    #[test]
    fn words_that_are_too_long_are_broken() {
        assert_eq!(
            shown("abcdefgh ij", &[], 10),
            ["  ╭──────╮", "  │ abcd │", "  │ efgh │", "  │ ij   │", "  ╰──────╯"]
        );
    }

    proptest! {
        #[test]
        fn every_line_has_the_width_of_the_box(text in "[a-z ’漢👩\u{200d}💻\u{301}\u{1b}\n\t]{0,50}", columns in 8_usize..90) {
            let marked: Vec<_> = text.match_indices('’').map(|(at, it)| at..at + it.len()).collect();
            let lines = shown(&text, &marked, columns);
            let first = width(&lines[0]);
            for line in &lines {
                prop_assert_eq!(width(line), first, "{:?}", lines);
                prop_assert!(!line.contains(char::from(27)));
            }
            let marks: usize = lines.iter().filter(|line| line.contains('^')).map(|line| line.matches('^').count()).sum();
            prop_assert_eq!(marks, marked.len());
        }
    }
}
