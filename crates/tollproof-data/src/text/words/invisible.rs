//! Characters that are not visible, by the Unicode property `Default_Ignorable_Code_Point`.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// Whether a character has no width: joiners, soft hyphens, direction marks, fillers, variation selectors, tags.
pub fn is_invisible(character: char) -> bool {
    !character.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}
