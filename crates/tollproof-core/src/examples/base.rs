//! Clean documents of every kind, which examples of rules are completed from.

use serde_json::Value;

use crate::provider::kind::{Kind, KindRole};
use crate::provider::role;

/// A document in which no rule that is on by default finds anything, from the provider's `samples/`.
pub fn of(kind: Kind) -> Value {
    serde_json::from_str(kind.written().sample).expect("a test reads the samples of all kinds")
}

/// The first number in the clean submit request.
pub(crate) fn number() -> String {
    let kind = Kind::of(KindRole::Submit);
    let draft = of(kind);
    let first = draft.pointer(&format!("{}/0", kind.pointer_of(role::PHONE_NUMBERS)));
    first.and_then(Value::as_str).expect("the sample names a number").to_owned()
}
