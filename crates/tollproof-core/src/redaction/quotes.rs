//! A message in pieces: its own words, and what it quotes.

/// A part of a message; put together again, the parts are the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Words of its own, and the quotation marks.
    Words(&'t str),
    /// What stands between quotation marks.
    Quote(&'t str),
}

/// Cuts a message at its backticks and quotation marks. A quote that is not closed goes on to the end.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    // The mark that ends the quote that follows, and how long the mark is that ended the one before.
    let (mut closing, mut closed) = (None::<char>, 0);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, behind) = match closing.take() {
            Some(mark) => {
                let (quote, behind) = rest.split_at(rest.find(mark).unwrap_or(rest.len()));
                closed = mark.len_utf8();
                (Piece::Quote(quote), behind)
            }
            None => {
                let from = std::mem::take(&mut closed).min(rest.len());
                let marks = rest[from..].char_indices();
                let opening =
                    marks.into_iter().find_map(|(at, c)| Some((from + at + c.len_utf8(), closes(c)?)));
                closing = opening.map(|(_, mark)| mark);
                let (words, behind) = rest.split_at(opening.map_or(rest.len(), |(end, _)| end));
                (Piece::Words(words), behind)
            }
        };
        rest = behind;
        Some(piece)
    })
}

/// The mark that closes what this one opens.
fn closes(opening: char) -> Option<char> {
    match opening {
        '`' | '"' => Some(opening),
        '\u{201c}' => Some('\u{201d}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_told_from_words() {
        use Piece::{Quote, Words};
        let cut = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(cut("no quote"), [Words("no quote")]);
        assert_eq!(
            cut("`a` is \"b\"."),
            [Words("`"), Quote("a"), Words("` is \""), Quote("b"), Words("\".")]
        );
        assert_eq!(cut("say \u{201c}`x`\u{201d}"), [Words("say \u{201c}"), Quote("`x`"), Words("\u{201d}")]);
        assert_eq!(cut("`` and `a"), [Words("`"), Quote(""), Words("` and `"), Quote("a")]);
    }
}
