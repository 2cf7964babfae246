//! `page`: pages that the draft names, as `tollproof look` saw them.

use serde::{Deserialize, Serialize};

use crate::checks::frame::Frames;
use crate::checks::spec::CheckSpec;
use crate::seen::{AddressUse, PageSign, SeenOutcome};
use crate::text::terms::groups::Groups;

/// Pages that the draft names, as `tollproof look` saw them: each parameter that applies is a finding. A page that could not
/// be seen is never reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pages {
    /// The pages that are judged, by what the draft uses them for. Of policies, also those that the website links.
    pub of: Vec<AddressUse>,
    /// Outcomes that are reported.
    #[serde(default)]
    pub outcomes: Vec<SeenOutcome>,
    /// Signs that are reported.
    #[serde(default)]
    pub signs: Vec<PageSign>,
    /// Whether a page is reported that shows no text.
    #[serde(default)]
    pub blank: bool,
    /// Whether a page is reported that shows names of businesses, and none with a distinctive word of that of the draft.
    #[serde(default)]
    pub other_business: bool,
    /// Whether a website is reported that has no distinctive word of the names of the business, neither in its HTML nor in its
    /// domain.
    #[serde(default)]
    pub unnamed: bool,
    /// Whether the draft is reported if none of its pages has a form for phone numbers, or a text about messages.
    #[serde(default)]
    pub without_consent: bool,
    /// Boxes of forms that are reported.
    #[serde(default)]
    pub boxes: Vec<BoxPattern>,
    /// Meanings that the text at the form must not have, unless the draft has them too.
    #[serde(default)]
    pub consent: Vec<ConsentPattern>,
    /// Required elements of the text at the form, on the page of the draft that says most.
    #[serde(default)]
    pub elements: Vec<PageElement>,
    /// The number of elements that are enough; by default all.
    pub at_least: Option<usize>,
    /// Whether elements are reported that the page has and the description of the draft lacks, where the page has all of them.
    #[serde(default)]
    pub only_there: bool,
    /// The policy that the website must link, unless the draft names it: `privacy` or `terms`.
    pub missing_link: Option<AddressUse>,
    /// Meanings that sentences about sharing data must not have.
    pub sharing: Option<Frames>,
    /// Meanings that they must not have, unless they have one of `must_state`.
    pub sharing_unless_stated: Option<Frames>,
    /// Meanings of which sentences about sharing data must have one; beside the two above, it only excuses the second.
    pub must_state: Option<Frames>,
}

/// Boxes of a form on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxPattern {
    /// The state of the boxes.
    pub state: BoxState,
    /// Meanings of which the label has one.
    pub label: Frames,
    /// Groups of which the description of the draft states one; without them, any description will do.
    #[serde(default)]
    pub claims: Groups,
}

/// Consent on a page that is not that of the draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConsentPattern {
    /// Meanings of which the text at the form has one.
    pub text: Frames,
    /// Groups of which no text of the draft asserts one.
    pub unless_said: Groups,
}

/// The state of a box on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BoxState {
    /// It is ticked when the page opens.
    Ticked,
    /// The form cannot be sent without it.
    Required,
    /// It is empty when the page opens, so that who refuses must tick it.
    Empty,
}

/// One element that the text at a form must contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PageElement {
    /// The name of the element in messages, as a part of a sentence.
    pub name: String,
    /// Groups of which one is enough.
    #[serde(default)]
    pub any_of: Groups,
    /// Whether the name of the business is enough.
    #[serde(default)]
    pub brand: bool,
}

impl Pages {
    /// Whether it compares what pages say with meanings, which a reader understands better.
    pub(super) fn is_of_words(&self) -> bool {
        let is_of_policies = self.sharing.is_some() || self.must_state.is_some();
        let is_of_consent = !self.elements.is_empty() || !self.consent.is_empty();
        is_of_policies || is_of_consent || self.other_business || self.unnamed || self.without_consent
    }
}

impl CheckSpec for Pages {
    const FILLS: &'static [&'static str] = &["value", "address", "match", "reason", "missing"];
    const NEEDS_SEEN: bool = true;

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.outcomes.is_empty()
            && self.signs.is_empty()
            && self.boxes.is_empty()
            && self.elements.is_empty()
            && self.consent.is_empty()
            && !(self.blank || self.other_business || self.unnamed || self.without_consent)
            && self.missing_link.is_none()
            && self.sharing.is_none()
            && self.must_state.is_none();
        finds_nothing.then_some(
            "one of `outcomes`, `signs`, `blank`, `other_business`, `unnamed`, `without_consent`, `boxes`, `consent`, `elements`, `missing_link`, `sharing`, `must_state`",
        )
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        let sharing = self.sharing.iter_mut().chain(&mut self.sharing_unless_stated);
        let mut frames: Vec<&mut Frames> = sharing.chain(&mut self.must_state).collect();
        let mut claims = Vec::new();
        for it in &mut self.boxes {
            frames.push(&mut it.label);
            claims.push(&mut it.claims);
        }
        for pattern in &mut self.consent {
            frames.push(&mut pattern.text);
            claims.push(&mut pattern.unless_said);
        }
        let elements = self.elements.iter_mut().map(|it| &mut it.any_of);
        claims.into_iter().chain(elements).chain(frames.into_iter().flat_map(CheckSpec::groups)).collect()
    }
}
