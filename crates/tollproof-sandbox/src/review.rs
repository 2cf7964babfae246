//! The reviewer: what a provider's API refuses, and what a review ends with.

use std::str::FromStr;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use tollproof_core::{
    Facts, Finding, Format, Kind, KindHint, KnownReason, Linter, Parsed, Provider, Severity, Source,
};

/// The review mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewMode {
    /// By the rules of tollproof: an error is a reason for a rejection.
    Rules,
    /// By a script: a step for each time that a submission is sent; the last step is repeated.
    Script(Vec<ReviewStep>),
}

/// A review's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewStep {
    /// By the rules.
    Rules,
    /// With an approval.
    Approve,
    /// With a rejection for these reasons, by their codes at Twilio.
    Reject(Vec<String>),
}

/// The text is not a way to review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use `rules`, `approve`, `reject`, or a script such as `reject 30513, then approve`: {0}")]
pub struct UnknownReview(String);

/// The reason of a rejection that names none.
const ANY_REASON: &str = "30446";

/// Source of script codes.
const CODES_OF: &str = "twilio";

impl FromStr for ReviewMode {
    type Err = UnknownReview;

    fn from_str(text: &str) -> Result<Self, UnknownReview> {
        if text.trim() == "rules" {
            return Ok(Self::Rules);
        }
        let text = text.replace(", then ", ",").replace(" then ", ",");
        let steps = text.split(',').map(|step| step.trim().parse());
        Ok(Self::Script(steps.collect::<Result<_, _>>()?))
    }
}

impl FromStr for ReviewStep {
    type Err = UnknownReview;

    fn from_str(text: &str) -> Result<Self, UnknownReview> {
        let mut words = text.split_whitespace();
        let step = match words.next() {
            Some("rules") => Self::Rules,
            Some("approve") => Self::Approve,
            Some("reject") => {
                let codes: Vec<String> = words.by_ref().map(str::to_owned).collect();
                if let Some(code) = codes.iter().find(|code| KnownReason::of_code(code, None).is_empty()) {
                    return Err(UnknownReview(format!("unknown code `{code}`")));
                }
                Self::Reject(if codes.is_empty() { vec![ANY_REASON.to_owned()] } else { codes })
            }
            Some(word) => return Err(UnknownReview(format!("unknown word `{word}`"))),
            None => return Err(UnknownReview("a step is empty".to_owned())),
        };
        match words.next() {
            None => Ok(step),
            Some(word) => Err(UnknownReview(format!("unexpected word `{word}`"))),
        }
    }
}

impl ReviewMode {
    /// The step for a submission that is sent for the nth time, from 0.
    fn step(&self, nth: u32) -> &ReviewStep {
        match self {
            Self::Rules => &ReviewStep::Rules,
            Self::Script(steps) => steps.get(nth as usize).or(steps.last()).unwrap_or(&ReviewStep::Rules),
        }
    }
}

/// The reviewer of submissions, by the options.
#[derive(Debug)]
pub(crate) struct Reviewer {
    pub(crate) linter: Linter,
    pub(crate) mode: ReviewMode,
    /// Duration of a review.
    pub(crate) after: SignedDuration,
}

/// One reason of a rejection, in the words of the provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReviewReason {
    /// The provider's code; empty if there is none.
    pub(crate) code: String,
    /// The provider's title, or what is wrong if it has no code.
    pub(crate) title: String,
    /// The problem, in the words of tollproof.
    pub(crate) message: String,
    /// The rule that reports it; empty for a script.
    pub(crate) rule: String,
}

/// A value that the API refuses before any review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldProblem {
    /// Place of it, as an RFC 6901 pointer.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl FieldProblem {
    /// The field at the top of the body.
    pub(crate) fn field(&self) -> &str {
        self.pointer.split('/').nth(1).unwrap_or_default()
    }
}

/// The rules' result for a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) refused: Vec<FieldProblem>,
    reasons: Vec<ReviewReason>,
    /// Whether it is rejected whatever a script says.
    is_void: bool,
}

/// Rules whose errors an API reports itself: types, required fields and closed lists.
const REFUSED: [&str; 9] = [
    "input/",
    "structure/",
    "number/bad-search-value",
    "number/malformed-e164",
    "number/not-one-number",
    "opt-in/unknown-type",
    "registration/unknown-",
    "use-case/unknown-message-volume",
    "use-case/unknown-use-case",
];

/// Checks a body as a document of a kind.
pub(crate) fn judge(linter: &Linter, kind: Kind, body: &str) -> Judged {
    let source = Source::new("body", body);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let report = linter.check(&parsed, KindHint::Forced(kind.into()), &Facts::default());
    let mut judged = Judged::default();
    for finding in report.findings.iter().filter(|it| it.severity == Severity::Error) {
        if REFUSED.iter().any(|it| finding.rule.starts_with(it)) {
            let message = finding.message.as_str().to_owned();
            judged.refused.push(FieldProblem { pointer: finding.pointer.to_string(), message });
        } else {
            judged.reasons.push(reason(kind.provider(), finding));
        }
    }
    judged
}

impl Judged {
    /// Lets the review reject what would be refused, for providers that take any body.
    pub(crate) fn reject_refused(mut self, title: &str) -> Self {
        let refused = std::mem::take(&mut self.refused);
        if !refused.is_empty() {
            let as_reason = |finding: FieldProblem| ReviewReason {
                code: String::new(),
                title: title.to_owned(),
                message: finding.message,
                rule: String::new(),
            };
            self.reasons = refused.into_iter().map(as_reason).collect();
            self.is_void = true;
        }
        self
    }

    /// The reasons with which the review ends, none for an approval, when the submission is sent for the nth time.
    pub(crate) fn verdict(self, mode: &ReviewMode, nth: u32, provider: Provider) -> Vec<ReviewReason> {
        match mode.step(nth) {
            _ if self.is_void => self.reasons,
            ReviewStep::Rules => self.reasons,
            ReviewStep::Approve => Vec::new(),
            ReviewStep::Reject(codes) => codes.iter().map(|code| of_script(provider, code)).collect(),
        }
    }
}

/// The reason of a code.
pub(crate) fn of_script(provider: Provider, code: &str) -> ReviewReason {
    let known = KnownReason::at_provider(provider, CODES_OF, code);
    let known = known.or_else(|| KnownReason::of_code(code, None).into_iter().next());
    let (code, title) = known.map_or((code.to_owned(), String::new()), |it| (it.code, it.title));
    ReviewReason { code, message: title.clone(), title, rule: String::new() }
}

/// The reason of a provider that a finding prevents. Of several, the one whose title the finding names.
fn reason(provider: Provider, finding: &Finding) -> ReviewReason {
    let message = finding.message.as_str().to_owned();
    let known = |it: &tollproof_core::Prevents| KnownReason::at_provider(provider, &it.by, &it.code);
    let reasons: Vec<KnownReason> = finding.prevents.iter().filter_map(known).collect();
    let said = message.to_lowercase();
    let is_named = |code: &&KnownReason| {
        let (_, last) = code.title.rsplit_once("- ").unwrap_or_default();
        !last.is_empty() && said.contains(&last.to_lowercase())
    };
    let checks = |reason: &&KnownReason| reason.rules.iter().any(|rule| *rule == finding.rule);
    let chosen = reasons.iter().find(is_named).or(reasons.iter().find(checks)).or(reasons.first());
    let (code, title) =
        chosen.map_or((String::new(), message.clone()), |reason| (reason.code.clone(), reason.title.clone()));
    ReviewReason { code, title, message, rule: finding.rule.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read() {
        let reject = |code: &str| ReviewStep::Reject(vec![code.to_owned()]);
        let read = |text: &str| text.parse::<ReviewMode>();
        assert_eq!(read("rules"), Ok(ReviewMode::Rules));
        assert_eq!(read("approve"), Ok(ReviewMode::Script(vec![ReviewStep::Approve])));
        assert_eq!(read("reject"), Ok(ReviewMode::Script(vec![reject(ANY_REASON)])));
        let both = Ok(ReviewMode::Script(vec![reject("30513"), ReviewStep::Approve]));
        assert_eq!(read("reject 30513, then approve"), both);
        assert_eq!(read("reject 30513 then approve"), both);
        for wrong in ["", "maybe", "reject 99999", "approve 30513", "approve,,reject"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
