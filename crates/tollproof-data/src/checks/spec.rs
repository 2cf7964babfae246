//! Declarations of a check besides its parameters, and the macro that builds `Check` and `SystemCheck` from the lists of checks.

use crate::text::phrases::interner::Phrases;
use crate::text::terms::groups::Groups;

/// Facts about a check that rule files need.
pub trait CheckSpec {
    /// The placeholders that the check fills in messages and help, besides `{field}`, which every check fills.
    const FILLS: &'static [&'static str] = &[];
    /// The values that the check can look at.
    const LOOKS_AT: LooksAt = LooksAt::Text;
    /// Whether the check validates the form of the value, so that it corresponds to an "invalid value" error of a
    /// provider.
    const JUDGES_FORM: bool = false;
    /// Whether the check needs what `tollproof look` saw, and finds nothing without it.
    const NEEDS_SEEN: bool = false;

    /// Returns what the check lacks to find anything, as a part of a sentence; `None` if it is complete.
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
}

/// The values that a check can look at. A rule whose `at` names something else is rejected when it is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooksAt {
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

/// Builds an enum of checks from rows `"name" => Type`. A row with braces defines the type, with the parameters after `of`.
macro_rules! checks {
    ($(#[$about:meta])+ $checks:ident; $($(#[$doc:meta])* $name:literal => $type:ident $({ $($spec:tt)* } $(of { $($parameters:tt)* })?)?,)*) => {
        $(plain! { $(#[$doc])* $type $({ $($spec)* } { $($($parameters)*)? })? })*

        $(#[$about])+
        // The type of the parameters documents each variant.
        #[allow(missing_docs)]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $checks {
            $(#[serde(rename = $name)] $type($type),)*
        }

        impl $checks {
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name of the check in rule files.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$type(_) => $name,)* }
            }

            /// See [`CheckSpec::FILLS`].
            pub fn fills(&self) -> &'static [&'static str] {
                match self { $(Self::$type(_) => $type::FILLS,)* }
            }

            /// See [`CheckSpec::LOOKS_AT`].
            pub fn looks_at(&self) -> LooksAt {
                match self { $(Self::$type(_) => $type::LOOKS_AT,)* }
            }

            /// See [`CheckSpec::JUDGES_FORM`].
            pub fn judges_form(&self) -> bool {
                match self { $(Self::$type(_) => $type::JUDGES_FORM,)* }
            }

            /// See [`CheckSpec::NEEDS_SEEN`].
            pub fn needs_seen(&self) -> bool {
                match self { $(Self::$type(_) => $type::NEEDS_SEEN,)* }
            }

            /// See [`CheckSpec::lacks`].
            pub fn lacks(&self) -> Option<&'static str> {
                match self { $(Self::$type(it) => it.lacks(),)* }
            }

            /// See [`CheckSpec::phrases`].
            pub fn phrases(&mut self) -> Vec<&mut Phrases> {
                match self { $(Self::$type(it) => it.phrases(),)* }
            }

            /// See [`CheckSpec::groups`].
            pub fn groups(&mut self) -> Vec<&mut Groups> {
                match self { $(Self::$type(it) => it.groups(),)* }
            }

            /// See [`CheckSpec::patterns`].
            pub fn patterns(&self) -> &[String] {
                match self { $(Self::$type(it) => it.patterns(),)* }
            }

            /// See [`CheckSpec::hosts`].
            pub fn hosts(&self) -> &[String] {
                match self { $(Self::$type(it) => it.hosts(),)* }
            }

            /// Reads the parameters of the check with a name; `None` if the name is unknown.
            pub fn read<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Option<Self>, A::Error> {
                Ok(Some(match name {
                    $($name => Self::$type(map.next_value()?),)*
                    _ => return Ok(None),
                }))
            }
        }
    };
}

/// Defines a check with its parameters.
macro_rules! plain {
    ($type:ident) => {};
    ($(#[$doc:meta])+ $type:ident { $($key:ident: $value:tt),* $(,)? } { $($(#[$about:meta])* $name:ident: $of:ty,)* }) => {
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        $(#[$doc])+
        pub struct $type { $($(#[$about])* pub $name: $of,)* }

        impl CheckSpec for $type {
            $(plain! { = $key $value })*
        }
    };
    (= fills $fills:tt) => { const FILLS: &'static [&'static str] = &$fills; };
    (= looks_at $values:ident) => { const LOOKS_AT: LooksAt = LooksAt::$values; };
    (= needs_seen $needs:literal) => { const NEEDS_SEEN: bool = $needs; };
    (= lacks ($it:ident => $finds_nothing:expr, $lacks:literal)) => {
        fn lacks(&self) -> Option<&'static str> {
            let $it = self;
            ($finds_nothing).then_some($lacks)
        }
    };
    (= phrases ($it:ident => $phrases:expr)) => {
        fn phrases(&mut self) -> Vec<&mut Phrases> {
            let $it = self;
            $phrases
        }
    };
    (= groups ($it:ident => $groups:expr)) => {
        fn groups(&mut self) -> Vec<&mut Groups> {
            let $it = self;
            $groups
        }
    };
    (= hosts $hosts:ident) => { fn hosts(&self) -> &[String] { &self.$hosts } };
    (= patterns $patterns:ident) => { fn patterns(&self) -> &[String] { &self.$patterns } };
    (= judges_form $judges:literal) => { const JUDGES_FORM: bool = $judges; };
}

pub(super) use {checks, plain};
