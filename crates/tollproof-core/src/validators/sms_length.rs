//! The length of a text as a text message: its encoding, and the segments in which it is sent and billed.

use std::borrow::Cow;
use std::ops::Range;

use tollproof_data::tables::gsm_7::{BASIC, EXTENSION, PLAIN};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation as _;

/// The SMS form of a text.
///
/// A text of the GSM-7 alphabet is sent in septets: 160 in one segment, 153 in each of several, because a header connects
/// them. One other character is enough to send all of it as UCS-2, in units of 16 bits: 70 in one segment, 67 in each of
/// several (3GPP TS 23.038 and TS 23.040). A character of two units is never divided between segments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SmsLength {
    /// The length in units of the encoding: septets of GSM-7, UTF-16 code units of UCS-2.
    pub units: usize,
    /// The number of segments, each of which is billed as a message. An empty text has none.
    pub segments: usize,
    /// The units that may be added before there is one more segment.
    pub room: usize,
    /// The characters that make the text longer, in order. UCS-2: those that are not in GSM-7. GSM-7: those of two septets.
    pub longer: Vec<SmsCharacter>,
    is_unicode: bool,
}

/// A character that makes a message longer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SmsCharacter {
    /// Its place in bytes. What a reader takes for one character, such as a letter with its accent, is one.
    pub range: Range<usize>,
    /// The replacement, in GSM-7 and without characters of two septets. Empty if it is invisible; `None` if nothing means
    /// the same.
    pub plain: Option<Cow<'static, str>>,
}

/// An encoding, as what its segments take.
struct Capacity {
    alone: usize,
    joined: usize,
    units: fn(char) -> usize,
}

const GSM_7: Capacity = Capacity { alone: 160, joined: 153, units: septets };

const UCS_2: Capacity = Capacity { alone: 70, joined: 67, units: char::len_utf16 };

impl SmsLength {
    /// The length of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let is_unicode = !text.chars().all(is_gsm_7);
        let is_longer = |character: &str| {
            if is_unicode { !character.chars().all(is_gsm_7) } else { character.chars().any(is_extension) }
        };
        let longer = text.grapheme_indices(true).filter(|(_, character)| is_longer(character));
        let longer = longer.map(|(start, character)| SmsCharacter {
            range: start..start + character.len(),
            plain: plain(character),
        });
        let longer = longer.collect();
        let capacity = if is_unicode { UCS_2 } else { GSM_7 };
        let units = text.chars().map(capacity.units).sum();
        let (segments, room) = capacity.segments(text, units);
        Self { units, segments, room, longer, is_unicode }
    }

    /// Whether the text is sent as UCS-2, in segments of less than half as many characters.
    pub fn is_unicode(&self) -> bool {
        self.is_unicode
    }

    /// The name of the encoding: `GSM-7` or `UCS-2`.
    pub fn encoding(&self) -> &'static str {
        if self.is_unicode { "UCS-2" } else { "GSM-7" }
    }

    /// The text of this length with what can be written instead of its longer characters.
    pub fn plain(&self, text: &str) -> String {
        let mut plain = String::with_capacity(text.len());
        let mut start = 0;
        for SmsCharacter { range, plain: instead } in &self.longer {
            plain.push_str(text.get(start..range.start).unwrap_or_default());
            plain.push_str(match instead {
                Some(instead) => instead,
                None => text.get(range.clone()).unwrap_or_default(),
            });
            start = range.end;
        }
        plain + text.get(start..).unwrap_or_default()
    }
}

impl Capacity {
    /// The number of segments of a text with so many units, and the units left in the last of them.
    fn segments(&self, text: &str, units: usize) -> (usize, usize) {
        if units <= self.alone {
            return (usize::from(units > 0), self.alone - units);
        }
        let (mut segments, mut used) = (1, 0);
        for units in text.chars().map(self.units) {
            if used + units > self.joined {
                segments += 1;
                used = 0;
            }
            used += units;
        }
        (segments, self.joined - used)
    }
}

/// The septets of a character of GSM-7.
fn septets(character: char) -> usize {
    1 + usize::from(is_extension(character))
}

fn is_basic(character: char) -> bool {
    BASIC.binary_search(&character).is_ok()
}

fn is_extension(character: char) -> bool {
    EXTENSION.binary_search(&character).is_ok()
}

fn is_gsm_7(character: char) -> bool {
    is_basic(character) || is_extension(character)
}

/// The replacement for a character, which may be several of Unicode.
fn plain(character: &str) -> Option<Cow<'static, str>> {
    let listed =
        |text: char| PLAIN.binary_search_by_key(&text, |(listed, _)| *listed).ok().map(|at| PLAIN[at].1);
    let mut all = character.chars();
    if let (Some(only), None) = (all.next(), all.next())
        && let Some(plain) = listed(only)
    {
        return Some(plain.into());
    }
    let composed: String = character.nfc().collect();
    if composed.chars().all(is_basic) {
        return Some(composed.into());
    }
    let mut plain = String::new();
    for it in composed.chars() {
        match listed(it) {
            _ if is_basic(it) => plain.push(it),
            Some(instead) => plain.push_str(instead),
            None => {
                for part in std::iter::once(it).nfkd().filter(|part| !is_combining_mark(*part)) {
                    match listed(part) {
                        _ if is_basic(part) => plain.push(part),
                        Some(instead) => plain.push_str(instead),
                        None => return None,
                    }
                }
            }
        }
    }
    // A mark without a letter is left of what has no plain form.
    (!plain.is_empty()).then_some(plain.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counted(text: &str) -> (&'static str, usize, usize, usize) {
        let length = SmsLength::of(text);
        (length.encoding(), length.units, length.segments, length.room)
    }

    fn instead(text: &str) -> Vec<(&str, Option<Cow<'static, str>>)> {
        SmsLength::of(text).longer.into_iter().map(|it| (&text[it.range], it.plain)).collect()
    }

    #[test]
    fn segments_end_where_the_standard_says() {
        assert_eq!(counted(""), ("GSM-7", 0, 0, 160));
        assert_eq!(counted(&"a".repeat(160)), ("GSM-7", 160, 1, 0));
        assert_eq!(counted(&"a".repeat(161)), ("GSM-7", 161, 2, 145));
        assert_eq!(counted(&"a".repeat(306)), ("GSM-7", 306, 2, 0));
        assert_eq!(counted(&"a".repeat(307)), ("GSM-7", 307, 3, 152));
        assert_eq!(counted(&"á".repeat(70)), ("UCS-2", 70, 1, 0));
        assert_eq!(counted(&"á".repeat(71)), ("UCS-2", 71, 2, 63));
        assert_eq!(counted(&"á".repeat(135)), ("UCS-2", 135, 3, 66));
    }

    #[test]
    fn a_character_of_two_units_is_not_divided() {
        assert_eq!(counted(&"€".repeat(80)), ("GSM-7", 160, 1, 0));
        // The last septet of each segment stays unused.
        assert_eq!(counted(&"€".repeat(153)), ("GSM-7", 306, 3, 151));
        assert_eq!(counted(&"😀".repeat(67)), ("UCS-2", 134, 3, 65));
    }

    #[test]
    fn alphabets() {
        for text in
            ["Reply STOP to opt out.", "è é ù ì ò Ç Ø ø Å å ß Ñ ñ ¿ ¡ § à Ω", "\r\n", "{[^~|\\]}€\u{c}"]
        {
            assert!(!SmsLength::of(text).is_unicode(), "{text}");
        }
        for text in ["`", "ç", "á", "\t", "’", "—", "\u{a0}", "名", "e\u{301}"] {
            assert!(SmsLength::of(text).is_unicode(), "{text}");
        }
    }

    #[test]
    fn what_to_write_instead() {
        let some = |text: &'static str| Some(Cow::Borrowed(text));
        assert_eq!(
            instead("“Don’t”\u{a0}— wait… [x]"),
            [
                ("“", some("\"")),
                ("’", some("'")),
                ("”", some("\"")),
                ("\u{a0}", some(" ")),
                ("—", some("-")),
                ("…", some("..."))
            ]
        );
        assert_eq!(instead("[€]"), [("[", some("(")), ("€", None), ("]", some(")"))]);
        assert_eq!(
            instead("cafe\u{301}"),
            [("e\u{301}", some("é"))],
            "the letter with its accent is in GSM-7"
        );
        assert_eq!(
            instead("á ﬁ ½ ™"),
            [("á", some("a")), ("ﬁ", some("fi")), ("½", some("1/2")), ("™", some("TM"))]
        );
        assert_eq!(instead("x\u{200b}y\u{feff}"), [("\u{200b}", some("")), ("\u{feff}", some(""))]);
        assert_eq!(instead("👩‍💻 ❤️ 名"), [("👩‍💻", None), ("❤️", None), ("名", None)]);
    }

    proptest! {
        #[test]
        fn lengths_of_any_text(text in "[a-z €\\[’—…á\u{301}\u{200d}👩😀\u{fe0f}\r\n]{0,400}|\\PC{0,200}") {
            let length = SmsLength::of(&text);
            let (alone, joined) = if length.is_unicode() { (70, 67) } else { (160, 153) };
            match length.segments {
                0 => prop_assert!(text.is_empty()),
                1 => prop_assert!(length.units <= alone && length.units + length.room == alone),
                segments => {
                    prop_assert!(length.units > alone && length.room < joined);
                    prop_assert!(length.units + length.room <= segments * joined);
                    // At most one unit is lost where two segments meet.
                    prop_assert!(length.units + length.room + (segments - 1) >= segments * joined);
                }
            }
            if length.is_unicode() {
                prop_assert_eq!(length.units, text.encode_utf16().count());
                prop_assert!(!length.longer.is_empty());
            }
            let mut end = 0;
            for it in &length.longer {
                prop_assert!(it.range.start >= end && text.get(it.range.clone()).is_some_and(|it| !it.is_empty()));
                end = it.range.end;
                if let Some(plain) = &it.plain {
                    prop_assert!(plain.chars().all(is_basic), "{plain:?}");
                }
            }
        }

        #[test]
        fn the_plain_text_is_plain_where_it_can_be(text in "[a-zA-Z €\\[{’“—…áüç½\u{301}\u{200b}😀]{0,200}") {
            let length = SmsLength::of(&text);
            let plain = length.plain(&text);
            let after = SmsLength::of(&plain);
            prop_assert_eq!(after.is_unicode(), length.is_unicode() && length.longer.iter().any(|it| it.plain.is_none()));
            if !length.is_unicode() {
                prop_assert!(after.segments <= length.segments);
            }
            // What has no plain form is left, character for character.
            let kept = |text: &str| text.matches('😀').count();
            prop_assert_eq!(kept(&plain), kept(&text));
        }
    }
}
