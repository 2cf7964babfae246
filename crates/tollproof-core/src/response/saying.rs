//! The content of a sentence of an answer.

use serde::Deserialize;

/// The content of a row of `reasons.yaml`, or of a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Saying {
    /// A reason.
    #[default]
    Reason,
    /// Nothing about a draft, such as thanks.
    Nothing,
    /// Something is all right, unless the sentence has a "not" or "but".
    Well,
    /// The submission is not to be sent again.
    Final,
    /// The submission may be sent again.
    Editable,
    /// It may be sent again as it is.
    Unchanged,
    /// The writer of the answer sends it again.
    ByWriter,
    /// The submission is still with the reviewers.
    InReview,
    /// A remark to everybody, not about this submission.
    Remark,
    /// A line that mails and chats have below or between what they say.
    Letter,
}

impl Saying {
    /// Those about sending the submission again, the gravest first.
    pub(super) const OF_SENDING: [Self; 4] = [Self::Final, Self::Unchanged, Self::ByWriter, Self::Editable];
}
