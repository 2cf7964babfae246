//! What a check declares beside its parameters, and the macro that makes `Check` of the list of checks.

use crate::text::phrases::Phrases;

/// What the rule language knows of a check. What the check does is its `RunCheck`.
pub(crate) trait CheckSpec {
    /// The placeholders that it fills in messages and help, beside `{field}`, which every check fills.
    const FILLS: &'static [&'static str] = &[];
    /// What it can look at.
    const LOOKS_AT: LooksAt = LooksAt::Text;
    /// Whether it decides about the form of the value itself, so that a provider's "invalid value" means its finding.
    const JUDGES_FORM: bool = false;

    /// What it lacks to find anything at all, as a part of a sentence; none where it can.
    fn lacks(&self) -> Option<&'static str> {
        None
    }

    /// Its phrases, to be prepared.
    fn phrases(&mut self) -> Vec<&mut Phrases> {
        Vec::new()
    }

    /// Its regular expressions, those of its parameter `matches`.
    fn patterns(&self) -> &[String] {
        &[]
    }

    /// Its hosts and host lists.
    fn hosts(&self) -> &[String] {
        &[]
    }
}

/// What a check can look at, so that a rule whose `at` names something else is refused when it is loaded.
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

/// Makes [`Check`](super::Check) of rows `"name" => module::Type`.
macro_rules! checks {
    ($($name:literal => $module:ident::$type:ident,)*) => {
        /// What a rule looks for. Exactly one per rule.
        // A variant is documented at the type of its parameters.
        #[allow(missing_docs)]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Check {
            $(#[serde(rename = $name)] $type($module::$type),)*
        }

        impl Check {
            /// The names of all checks in rule files.
            pub(crate) const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its name in rule files.
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

            /// See [`CheckSpec::patterns`].
            pub(crate) fn patterns(&self) -> &[String] {
                match self { $(Self::$type(it) => it.patterns(),)* }
            }

            /// See [`CheckSpec::hosts`].
            pub(crate) fn hosts(&self) -> &[String] {
                match self { $(Self::$type(it) => it.hosts(),)* }
            }

            /// Reads the parameters that stand at a name; none where no check has it.
            pub(crate) fn read<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Option<Self>, A::Error> {
                Ok(Some(match name {
                    $($name => Self::$type(map.next_value()?),)*
                    _ => return Ok(None),
                }))
            }

            /// What it finds wrong with the value at a place.
            #[cfg(engine)]
            pub(crate) fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
                match self { $(Self::$type(it) => it.check(place, context),)* }
            }
        }
    };
}

pub(super) use checks;
