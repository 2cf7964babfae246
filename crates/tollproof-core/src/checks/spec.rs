//! What a check declares besides its parameters, and the macro that builds `Check` from the list of checks.

use crate::text::groups::Groups;
use crate::text::phrases::Phrases;
use crate::text::prefilter::PrefilterPattern;

/// The part of a check that rule files depend on. `RunCheck` is the part that finds violations.
pub(crate) trait CheckSpec {
    /// The placeholders that the check fills in messages and help, besides `{field}`, which every check fills.
    const FILLS: &'static [&'static str] = &[];
    /// The values that the check can look at.
    const LOOKS_AT: LooksAt = LooksAt::Text;
    /// Whether the check validates the form of the value, so that it corresponds to an "invalid value" error of a
    /// provider.
    const JUDGES_FORM: bool = false;

    /// What the check is missing to find anything, as a part of a sentence; `None` if it is complete.
    fn lacks(&self) -> Option<&'static str> {
        None
    }

    /// The phrases of the check, for the interner.
    fn phrases(&mut self) -> Vec<&mut Phrases> {
        Vec::new()
    }

    /// The groups of the vocabulary that the check names, for the interner.
    fn groups(&mut self) -> Vec<&mut Groups> {
        Vec::new()
    }

    /// The regular expressions of the check, from the parameter `matches`.
    fn patterns(&self) -> &[String] {
        &[]
    }

    /// The hosts and host lists of the check.
    fn hosts(&self) -> &[String] {
        &[]
    }

    /// What a text must contain for the check to find something in it: one of these patterns. `None` if it may find something
    /// in any value.
    fn prefilter(&self) -> Option<Vec<PrefilterPattern<'_>>> {
        None
    }
}

/// The values that a check can look at. A rule whose `at` names something else is rejected when it is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LooksAt {
    /// Any value, and the whole document.
    Anything,
    /// A field, which may be absent.
    Field,
    /// Any value of a field.
    Value,
    /// A list as a whole.
    List,
    /// A string.
    Text,
    /// A string for which the schema lists values.
    ListedText,
}

/// Builds [`Check`](super::Check) from rows `"name" => module::Type`.
macro_rules! checks {
    ($($name:literal => $module:ident::$type:ident,)*) => {
        /// What a rule looks for. Exactly one per rule.
        // The type of the parameters documents each variant.
        #[allow(missing_docs)]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub(crate) enum Check {
            $(#[serde(rename = $name)] $type($module::$type),)*
        }

        impl Check {
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name of the check in rule files.
            pub(crate) fn name(&self) -> &'static str {
                match self { $(Self::$type(_) => $name,)* }
            }

            /// See [`CheckSpec::FILLS`].
            pub(crate) fn fills(&self) -> &'static [&'static str] {
                match self { $(Self::$type(_) => $module::$type::FILLS,)* }
            }

            /// See [`CheckSpec::LOOKS_AT`].
            pub(crate) fn looks_at(&self) -> LooksAt {
                match self { $(Self::$type(_) => $module::$type::LOOKS_AT,)* }
            }

            /// See [`CheckSpec::JUDGES_FORM`].
            pub(crate) fn judges_form(&self) -> bool {
                match self { $(Self::$type(_) => $module::$type::JUDGES_FORM,)* }
            }

            /// See [`CheckSpec::lacks`].
            pub(crate) fn lacks(&self) -> Option<&'static str> {
                match self { $(Self::$type(it) => it.lacks(),)* }
            }

            /// See [`CheckSpec::phrases`].
            pub(crate) fn phrases(&mut self) -> Vec<&mut Phrases> {
                match self { $(Self::$type(it) => it.phrases(),)* }
            }

            /// See [`CheckSpec::groups`].
            pub(crate) fn groups(&mut self) -> Vec<&mut Groups> {
                match self { $(Self::$type(it) => it.groups(),)* }
            }

            /// See [`CheckSpec::patterns`].
            pub(crate) fn patterns(&self) -> &[String] {
                match self { $(Self::$type(it) => it.patterns(),)* }
            }

            /// See [`CheckSpec::hosts`].
            pub(crate) fn hosts(&self) -> &[String] {
                match self { $(Self::$type(it) => it.hosts(),)* }
            }

            /// Reads the parameters of the check with a name; `None` if the name is unknown.
            pub(crate) fn read<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Option<Self>, A::Error> {
                Ok(Some(match name {
                    $($name => Self::$type(map.next_value()?),)*
                    _ => return Ok(None),
                }))
            }

            /// Finds what is wrong with the value at a place.
            #[cfg(engine)]
            pub(crate) fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
                match self { $(Self::$type(it) => it.check(place, context),)* }
            }

            /// See [`CheckSpec::prefilter`].
            pub(crate) fn prefilter(&self) -> Option<Vec<PrefilterPattern<'_>>> {
                match self { $(Self::$type(it) => it.prefilter(),)* }
            }
        }
    };
}

pub(super) use checks;
