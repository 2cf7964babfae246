//! Senders of other kinds: alphanumeric senders, long codes, short codes.

use serde_json::Value;

use super::answer::text_at;
use super::api::Api;
use super::called::Called;
use super::error::Result;
use super::lists::list;
use super::operations::{SenderKind, SenderOperations};
use super::outcome::OrOutcome;
use super::session::without_effect;
use super::template::Variables;

/// A sender, as the provider returned it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedSender {
    /// Its id.
    pub id: Option<String>,
    /// Its name or number.
    pub name: Option<String>,
    /// The whole record.
    pub record: Value,
}

impl Api {
    /// The senders of a kind.
    ///
    /// # Errors
    ///
    /// The provider has no such list, or the call cannot be made.
    pub fn senders(&self, kind: SenderKind) -> Result<OrOutcome<Vec<ListedSender>>> {
        let operations = self.senders_of(kind)?;
        Ok(match list(self, "senders-list", &operations.list, &Variables::new())? {
            Ok(items) => Ok(items.into_iter().map(|item| sender(operations, item)).collect()),
            Err(called) => Err(Box::new(without_effect(called))),
        })
    }

    /// One sender.
    ///
    /// # Errors
    ///
    /// The provider has no such call, or the call cannot be made.
    pub fn sender(&self, kind: SenderKind, id: &str) -> Result<OrOutcome<Vec<ListedSender>>> {
        let operations = self.senders_of(kind)?;
        let variables = Variables::from([("id".to_owned(), id.to_owned())]);
        Ok(match self.call("senders-show", &operations.show, &variables, None)? {
            Called::Done(answer) => Ok(vec![sender(operations, answer.value)]),
            other => Err(Box::new(without_effect(other))),
        })
    }

    fn senders_of(&self, kind: SenderKind) -> Result<&SenderOperations> {
        self.file().operations.senders.get(&kind).ok_or_else(|| self.not_offered("list senders of this kind"))
    }
}

fn sender(operations: &SenderOperations, record: Value) -> ListedSender {
    let text = |name: &str| operations.list.item.get(name).and_then(|path| text_at(&record, path));
    ListedSender { id: text("id"), name: text("number"), record }
}
