//! Finds and buys numbers. A purchase costs money at once and cannot be undone, so it is never repeated blindly.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tollproof_core::NumberKey;
use tollproof_history::{Attempt, AttemptOperation, AttemptState, Begun, NewAttempt, digest_of};

use super::answer::{all_at, text_at};
use super::api::Api;
use super::called::Called;
use super::error::CallError;
use super::lists::{ListedItems, list};
use super::numbers::{NumberNames, Resolved, resolve};
use super::operation::ApiOperation;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::session::{CallSession, without_effect, without_look};
use super::settle::accepted;
use super::steps::StepDone;
use super::template::Variables;
use super::update::{StillOpen, ended_meanwhile};

/// How long a provider is trusted to recognize the token of a purchase.
const TOKEN_LIFE: SignedDuration = SignedDuration::from_hours(1);

/// Which numbers to look for.
#[derive(Clone, Debug)]
pub struct NumberSearch {
    /// `US` or `CA`.
    pub country: String,
    /// The first three digits: 833.
    pub area: Option<String>,
    /// Digits or letters that the number contains, where the provider can look for them.
    pub contains: Option<String>,
    /// How many numbers at most.
    pub limit: u32,
}

/// A number, as a provider lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiNumber {
    /// In E.164.
    pub number: String,
    /// The id that the provider gives it.
    pub id: Option<String>,
    /// What it costs a month, with the currency if the provider says it.
    pub price: Option<String>,
}

/// What became of a purchase.
#[derive(Debug)]
pub struct Purchase {
    /// The number that was wanted, which may be that of an earlier purchase; empty if the provider assigns it.
    pub number: String,
    /// What became of it.
    pub outcome: CallOutcome,
}

impl Purchase {
    fn of(number: &str, outcome: CallOutcome) -> Self {
        Self { number: number.to_owned(), outcome }
    }
}

/// Numbers, or why there are none.
#[derive(Debug)]
pub enum Numbers {
    /// The numbers.
    Found(Vec<ApiNumber>),
    /// The provider did not answer, or refused.
    Failed(Box<CallOutcome>),
}

impl Api {
    /// Numbers that can be bought. A search reserves nothing.
    ///
    /// # Errors
    ///
    /// The provider has no search, or the call cannot be made.
    pub fn search(&self, search: &NumberSearch) -> Result<Numbers, CallError> {
        let operation = self.file().operations.search.as_ref();
        let operation = operation.ok_or_else(|| self.not_offered("search numbers"))?;
        let called = self.call("search", operation, &search.variables(), None)?;
        Ok(match called {
            Called::Done(answer) => {
                let items = all_at(&answer.value, operation.items.as_deref().unwrap_or_default());
                let numbers = items.into_iter().filter_map(|it| listed(operation, it));
                Numbers::Found(numbers.take(search.limit as usize).collect())
            }
            other => Numbers::Failed(Box::new(without_effect(other))),
        })
    }

    /// The numbers of the account.
    ///
    /// # Errors
    ///
    /// The provider has no list, or the call cannot be made.
    pub fn own_numbers(&self) -> Result<Numbers, CallError> {
        let operation = self.file().operations.owned.as_ref();
        let operation = operation.ok_or_else(|| self.not_offered("list numbers"))?;
        Ok(match list(self, "owned", operation, &Variables::new())? {
            ListedItems::Items(items) => {
                Numbers::Found(items.iter().filter_map(|it| listed(operation, it)).collect())
            }
            ListedItems::Failed(called) => Numbers::Failed(Box::new(without_effect(called))),
        })
    }

    /// Whether the provider assigns a number, so that none can be chosen.
    #[must_use]
    pub fn assigns_numbers(&self) -> bool {
        self.file().operations.search.is_none()
    }

    /// The request that buys a number, as text and as a command of curl, without the key.
    ///
    /// # Errors
    ///
    /// The call cannot be made.
    pub fn shown_purchase(&self, number: &str) -> Result<(String, String), CallError> {
        let operation = self.purchase()?;
        let mut variables = NumberNames::written(number).variables();
        variables.extend(purchase_variables("TOKEN"));
        Ok(self.shown(&self.request("buy", operation, &variables, None)?))
    }

    fn purchase(&self) -> Result<&ApiOperation, CallError> {
        self.file().operations.buy.as_ref().ok_or_else(|| self.not_offered("buy numbers"))
    }
}

impl NumberSearch {
    fn variables(&self) -> Variables {
        let mut variables = Variables::from([
            ("country".to_owned(), self.country.clone()),
            ("country-name".to_owned(), if self.country == "CA" { "Canada" } else { "US" }.to_owned()),
            ("limit".to_owned(), self.limit.to_string()),
        ]);
        if let Some(area) = &self.area {
            variables.insert("area".to_owned(), area.clone());
        }
        // Two digits and a star, as Bandwidth's search wants it.
        let pattern = self.area.as_deref().unwrap_or("8**");
        variables.insert("area-pattern".to_owned(), format!("{}*", &pattern[..pattern.len().min(2)]));
        variables.extend(self.contains.iter().map(|it| ("contains".to_owned(), it.clone())));
        variables
    }
}

impl CallSession<'_> {
    /// Buys a number. Without one, the provider assigns it.
    ///
    /// An earlier purchase whose outcome is not known is settled first: if it arrived, or that is still unknown, the outcome is
    /// that of the earlier number, and nothing is bought now.
    ///
    /// # Errors
    ///
    /// The provider sells no numbers by API, or the call cannot be made, or the history cannot be used.
    pub fn buy(&mut self, number: Option<&str>, country: &str) -> Result<Purchase, CallError> {
        let api = self.api;
        let operation = api.purchase()?.clone();
        api.log_in()?;
        let provider = api.provider().name();
        let attempts = self.store()?.attempts()?;
        let is_purchase = |attempt: &&Attempt| {
            attempt.operation == AttemptOperation::Purchase && attempt.provider == provider
        };
        for open in attempts.iter().filter(is_purchase).filter(|attempt| attempt.state.is_open()) {
            let outcome = match self.settle_purchase(open)? {
                Some(CallOutcome::Unknown { until: None, .. }) if operation.repeatable => {
                    self.buy_again(&operation, open, country)?
                }
                Some(outcome) => outcome,
                None => continue,
            };
            return Ok(Purchase::of(&open.number, outcome));
        }
        let names = number.map(NumberNames::written).unwrap_or_default();
        let number = names.e164.clone().or(names.id.clone()).unwrap_or_default();
        // What is missing is said before anything is written down.
        let mut variables = names.variables();
        variables.extend(purchase_variables("TOKEN"));
        api.request("buy", &operation, &variables, None)?;
        let (now, until) = self.lease()?;
        let new = NewAttempt {
            operation: AttemptOperation::Purchase,
            provider: provider.to_owned(),
            number: number.clone(),
            names: Some(number.clone()).into_iter().filter(|name| !name.is_empty()).collect(),
            digest: digest_of(number.as_bytes()),
            address: self.account(),
            holder: self.holder.clone(),
            until,
            record: None,
            steps: Default::default(),
        };
        let attempt = match self.store()?.begin(&new, now)? {
            Begun::Started(attempt) => Some(attempt),
            Begun::Taken => None,
        };
        // The number is reserved before it is looked for: another program may have bought it since the last look.
        if let Some(outcome) = self.bought_already(&names, &number, now) {
            if let Some(attempt) = &attempt {
                self.give_up(attempt, "it was not sent")?;
            }
            return Ok(Purchase::of(&number, outcome?));
        }
        let outcome = match attempt {
            Some(attempt) => self.send_purchase(&operation, attempt, country)?,
            None => CallOutcome::NotFinished("another program is working on this number".to_owned()),
        };
        Ok(Purchase::of(&number, outcome))
    }

    /// The outcome of a purchase of a number that was bought before, or about which the provider could not be asked.
    fn bought_already(
        &mut self,
        names: &NumberNames,
        number: &str,
        now: Timestamp,
    ) -> Option<Result<CallOutcome, CallError>> {
        if number.is_empty() {
            return None;
        }
        // Lists of a provider may not show yet what was bought from here.
        let bought = match self.bought_lately(number, now) {
            Ok(bought) => bought,
            Err(error) => return Some(Err(error)),
        };
        if let Some(bought) = bought {
            return Some(Ok(CallOutcome::Accepted(bought)));
        }
        match self.owned(names, None) {
            Ok(Resolved::Names(owned)) => {
                let number = owned.e164.unwrap_or_else(|| number.to_owned());
                let owned = Accepted { id: owned.id, status: None, number, by: AcceptedBy::Earlier };
                Some(Ok(CallOutcome::Accepted(owned)))
            }
            Ok(Resolved::NotOwned) => None,
            Ok(Resolved::Failed(called)) => Some(Ok(without_look(called))),
            Err(error) => Some(Err(error)),
        }
    }

    /// The number as it was bought from here a short time ago.
    fn bought_lately(&mut self, number: &str, now: Timestamp) -> Result<Option<Accepted>, CallError> {
        let (key, provider) = (NumberKey::of(number), self.api.provider().name());
        let attempts = self.store()?.attempts()?;
        let bought = attempts.into_iter().find(|attempt| {
            attempt.operation == AttemptOperation::Purchase
                && attempt.provider == provider
                && attempt.state == AttemptState::Accepted
                && NumberKey::of(&attempt.number) == key
                && now.duration_since(attempt.updated_at) < TOKEN_LIFE
        });
        Ok(bought.map(|attempt| accepted(&attempt, AcceptedBy::Earlier)))
    }

    /// Sends a purchase again whose answer was lost. The provider recognizes it by its token, and sells one number.
    fn buy_again(
        &mut self,
        operation: &ApiOperation,
        open: &Attempt,
        country: &str,
    ) -> Result<CallOutcome, CallError> {
        let (now, until) = self.lease()?;
        let is_fresh = open.sent_at.is_some_and(|it| now.duration_since(it) < TOKEN_LIFE);
        let holder = self.holder.clone();
        let taken = match is_fresh {
            true => self.store()?.take_over(&open.token, &holder, now, until)?,
            false => None,
        };
        match taken {
            Some(attempt) => self.send_purchase(operation, attempt, country),
            None => {
                let why = "a purchase was sent, and its answer did not arrive".to_owned();
                let until = is_fresh.then_some(until);
                Ok(CallOutcome::Unknown { token: open.token.clone(), why, until, can_ask: false })
            }
        }
    }

    fn send_purchase(
        &mut self,
        operation: &ApiOperation,
        attempt: Attempt,
        country: &str,
    ) -> Result<CallOutcome, CallError> {
        let mut variables = NumberNames::written(&attempt.number).variables();
        variables.extend(purchase_variables(&attempt.token));
        variables.insert("country".to_owned(), country.to_owned());
        let request = self.api.request("buy", operation, &variables, None)?;
        let answer = match self.send_one(&request, operation, &attempt) {
            Ok(StepDone::Taken(answer)) => answer.unwrap_or_default(),
            Ok(StepDone::Ended(outcome)) => return Ok(outcome),
            Err(error) => {
                self.take_back(&attempt, "it could not be sent")?;
                return Err(error);
            }
        };
        let text = |name: &str| operation.path_of(name).and_then(|path| text_at(&answer.value, &path));
        let number = text("number").map(|it| NumberKey::of(&it).into_string());
        let id = text("id").or_else(|| number.clone());
        let accepted = self.past.store().and_then(|it| {
            let now = it.now()?;
            it.accept(&attempt.token, id.as_deref(), None, now)
        });
        let ended = accepted.map_err(|error| self.unrecorded(id, error))?;
        let number = number.unwrap_or(attempt.number);
        Ok(CallOutcome::Accepted(Accepted { id: ended.id, status: None, number, by: AcceptedBy::Answer }))
    }

    /// What became of an earlier purchase. `None` if it is settled and nothing arrived.
    pub(crate) fn settle_purchase(&mut self, open: &Attempt) -> Result<Option<CallOutcome>, CallError> {
        let open = match self.still_open(open)? {
            StillOpen::Yes(open) => open,
            StillOpen::No(outcome) => return Ok(outcome),
        };
        let open = &*open;
        if open.address != self.account() {
            return Ok(Some(self.other_account(open)));
        }
        let names = NumberNames::written(&open.number);
        let now = self.store()?.now()?;
        let was_sent = open.state == AttemptState::Sent;
        let can_ask = match self.owned(&names, Some(&open.token))? {
            Resolved::Names(owned) if was_sent => {
                let number = owned.e164.clone().unwrap_or_default();
                let id = owned.id.or(owned.e164);
                let ended = self.store()?.adopt(&open.token, id.as_deref(), None, now)?;
                if ended.state != AttemptState::Accepted {
                    return Ok(Some(ended_meanwhile()));
                }
                let (id, status, by) = (ended.id, None, AcceptedBy::Look);
                return Ok(Some(CallOutcome::Accepted(Accepted { id, status, number, by })));
            }
            Resolved::Names(_) | Resolved::NotOwned => self.can_ask_for_numbers(open),
            Resolved::Failed(called) => return Ok(Some(self.not_looked(open, called))),
        };
        self.ended_without_effect(open, now, can_ask, "a purchase was sent, and its answer did not arrive")
    }

    /// Whether the provider can tell if a purchase arrived.
    fn can_ask_for_numbers(&self, attempt: &Attempt) -> bool {
        let owned = self.api.file().operations.owned.as_ref();
        let by_token = owned.is_some_and(|it| it.query.values().any(|it| it.contains("{token}")));
        self.api.can("owned", owned) && (by_token || !attempt.number.is_empty())
    }

    /// The names of a number of the account; by the token of its purchase where the provider keeps that.
    fn owned(&mut self, names: &NumberNames, token: Option<&str>) -> Result<Resolved, CallError> {
        let Some(operation) =
            self.api.file().operations.owned.as_ref().filter(|it| self.api.can("owned", Some(it)))
        else {
            return Ok(Resolved::NotOwned);
        };
        let is_by_token = operation.query.values().any(|it| it.contains("{token}"));
        let Some(token) = token.filter(|_| is_by_token) else {
            return if is_by_token { Ok(Resolved::NotOwned) } else { resolve(self.api, names.clone()) };
        };
        let variables = Variables::from([("token".to_owned(), token.to_owned())]);
        Ok(match list(self.api, "owned", operation, &variables)? {
            ListedItems::Items(items) => match items.iter().find_map(|it| listed(operation, it)) {
                Some(found) => Resolved::Names(NumberNames { e164: Some(found.number), id: found.id }),
                None => Resolved::NotOwned,
            },
            ListedItems::Failed(called) => Resolved::Failed(called),
        })
    }
}

fn purchase_variables(token: &str) -> Variables {
    Variables::from([("token".to_owned(), token.to_owned()), ("country".to_owned(), "US".to_owned())])
}

/// A number in a list.
fn listed(operation: &ApiOperation, item: &Value) -> Option<ApiNumber> {
    let text = |name: &str| operation.item.get(name).and_then(|path| text_at(item, path));
    let price = text("price").map(|price| {
        // Some APIs write 200 with the exponent 2, or 2000000 with the exponent -6.
        let exponent = text("exponent").and_then(|it| it.parse::<i32>().ok()).unwrap_or_default();
        let places = usize::try_from(exponent.unsigned_abs()).unwrap_or_default();
        let price = match price.len().checked_sub(places) {
            Some(at) if places > 0 && at > 0 && price.bytes().all(|it| it.is_ascii_digit()) => {
                format!("{}.{}", &price[..at], &price[at..])
            }
            _ => price,
        };
        text("currency").map_or(price.clone(), |currency| format!("{price} {currency}"))
    });
    let number = NumberKey::of(&text("number")?).into_string();
    Some(ApiNumber { number, id: text("id"), price })
}
