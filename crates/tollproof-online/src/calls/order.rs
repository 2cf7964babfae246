//! Buys numbers. An order of several numbers is one attempt whose steps are its numbers: run again, it settles what is
//! unknown, and buys what is missing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_core::NumberKey;
use tollproof_history::{Attempt, AttemptOperation, AttemptState, Begun, digest_of};

use super::answer::text_at;
use super::bought::{
    bought, bought_step, chosen, chosen_step, end_order, note_found, token, wanted, written,
};
use super::decide::{Phase, Seen, Wish};
use super::error::{CallError, Result};
use super::kept::WANTED;
use super::lists::list;
use super::numbers::{NumberNames, Resolved, resolve};
use super::outcome::{Accepted, AcceptedBy, CallOutcome, NextStep, OrOutcome};
use super::purchase::{ApiNumber, NumberSearch, listed, purchase_variables};
use super::pursue::{NextAttempt, Pursued, TOKEN_LIFE};
use super::session::CallSession;
use super::sight::Sight;
use super::steps::StepDone;
use super::template::Variables;

/// Numbers to buy.
#[derive(Clone, Debug)]
pub struct NumberOrder {
    /// The number; without one, those that a search finds, or that the provider assigns.
    pub number: Option<String>,
    /// The numbers that are looked for, and how many.
    pub search: NumberSearch,
    /// Whether to buy again what the same order bought within the hour.
    pub again: bool,
}

/// The outcome of one number of an order.
#[derive(Debug)]
pub struct Purchase {
    /// The number; empty if the provider assigns it and has not said which.
    pub number: String,
    /// The outcome.
    pub outcome: CallOutcome,
}

/// The progress of an order.
#[derive(Debug, Default)]
pub struct OrderProgress {
    /// The numbers that were bought earlier, or are unknown.
    pub purchases: Vec<Purchase>,
    /// The count of numbers that can be bought now: none while something of the order is unknown.
    pub missing: usize,
}

impl NumberOrder {
    fn digest(&self) -> String {
        match self.number.as_deref().map(NumberNames::written) {
            Some(names) => digest_of(names.e164.or(names.id).unwrap_or_default().as_bytes()),
            None => {
                let NumberSearch { country, area, contains, limit } = &self.search;
                digest_of(format!("{limit} {country} {area:?} {contains:?}").as_bytes())
            }
        }
    }

    fn wanted(&self) -> usize {
        if self.number.is_some() { 1 } else { self.search.limit as usize }
    }
}

impl CallSession<'_> {
    /// Settles what is unknown of earlier purchases, and returns how far this order is. Nothing is bought.
    ///
    /// # Errors
    ///
    /// The provider sells no numbers by API, or the call cannot be made, or the history cannot be used.
    pub fn open_order(&mut self, order: &NumberOrder) -> Result<OrderProgress> {
        self.api.purchase()?;
        self.api.log_in()?;
        let mut progress = OrderProgress { missing: order.wanted(), ..OrderProgress::default() };
        let mut is_open = true;
        for attempt in self.purchases()?.into_iter().filter(|attempt| attempt.state.is_open()) {
            let before = bought(&attempt).len();
            let settled = self.pursue(&attempt.token, Wish::Settle)?;
            let known = self.store()?.attempt(&attempt.token)?.unwrap_or(attempt);
            let is_own = self.is_same_order(order, &known);
            let rows = bought(&known).into_iter().enumerate();
            let rows = rows.map(|(at, found)| if at < before { found } else { by(AcceptedBy::Look, found) });
            let rows: Vec<Accepted> = rows.skip(if is_own { 0 } else { before }).collect();
            if is_own {
                progress.missing = progress.missing.saturating_sub(rows.len());
            }
            progress.purchases.extend(rows.into_iter().map(Purchase::of));
            match settled {
                // The provider recognizes the request when it is sent again.
                Pursued::Outcome(CallOutcome::Unknown { can_ask: false, .. })
                    if is_own && self.is_repeatable(&known)? => {}
                Pursued::Outcome(CallOutcome::Accepted(_) | CallOutcome::BoughtInPart { .. }) => {}
                // Another program has ended it since.
                Pursued::Outcome(CallOutcome::Busy { .. }) if !known.state.is_open() => {}
                Pursued::Outcome(outcome) if is_own => {
                    is_open = false;
                    progress.missing = progress.missing.saturating_sub(1);
                    progress.purchases.push(Purchase { number: chosen(&known), outcome });
                }
                Pursued::Outcome(_) | Pursued::Free | Pursued::Send(_) => {}
            }
        }
        if progress.missing == order.wanted()
            && is_open
            && let Some(earlier) = self.bought_earlier(order, None)?
        {
            // What a person ended in part is not bought whole, and more of it is another order.
            is_open = false;
            progress.missing = progress.missing.saturating_sub(earlier.len());
            progress.purchases.extend(earlier.into_iter().map(Purchase::of));
        }
        if !is_open {
            let untried = std::mem::take(&mut progress.missing);
            progress.purchases.extend((0..untried).map(|_| Purchase::named("", CallOutcome::NotTried)));
        }
        Ok(progress)
    }

    /// The numbers with which an order goes on: the one that was named, else the first that a search finds. `None` is one
    /// that the provider assigns. Nothing is bought.
    ///
    /// # Errors
    ///
    /// The call cannot be made.
    pub fn offered(
        &self,
        order: &NumberOrder,
        progress: &OrderProgress,
    ) -> Result<OrOutcome<Vec<Option<ApiNumber>>>> {
        if let Some(number) = order.number.clone() {
            return Ok(Ok(vec![Some(ApiNumber { number, id: None, price: None })]));
        }
        if self.api.assigns_numbers() {
            return Ok(Ok(vec![None; progress.missing]));
        }
        let is_new = |found: &ApiNumber| progress.purchases.iter().all(|known| known.number != found.number);
        let found = self.api.search(&order.search)?;
        Ok(found.map(|found| found.into_iter().filter(is_new).take(progress.missing).map(Some).collect()))
    }

    /// Buys what is missing of an order: the numbers that [`CallSession::offered`] returned. After a number that was not
    /// bought, the others are not tried. Returns what became of all, with what [`CallSession::open_order`] returned.
    ///
    /// # Errors
    ///
    /// The provider sells no numbers by API, or the call cannot be made, or the history cannot be used.
    pub fn buy(
        &mut self,
        order: &NumberOrder,
        progress: OrderProgress,
        numbers: &[Option<ApiNumber>],
    ) -> Result<Vec<Purchase>> {
        let OrderProgress { mut purchases, missing } = progress;
        let unfound = missing.saturating_sub(numbers.len());
        let mut numbers = numbers.iter().map(|number| number.as_ref().map_or("", |number| &number.number));
        while let Some(number) = numbers.next() {
            let NumberNames { e164, id } = NumberNames::written(number);
            let number = e164.or(id).unwrap_or_default();
            let outcome = self.buy_one(order, &number, &purchases)?;
            let is_bought = matches!(outcome, CallOutcome::Accepted(_));
            purchases.push(Purchase::named(&number, outcome));
            if !is_bought {
                purchases.extend(numbers.by_ref().map(|left| Purchase::named(left, CallOutcome::NotTried)));
            }
        }
        let why = "the search found fewer numbers; run this again later, or search with other options";
        let unfound = (0..unfound).map(|_| Purchase::named("", CallOutcome::unsent(why, NextStep::AsSaid)));
        purchases.extend(unfound);
        Ok(purchases)
    }

    fn buy_one(&mut self, order: &NumberOrder, number: &str, purchases: &[Purchase]) -> Result<CallOutcome> {
        // What is missing is said before anything is written down.
        let mut variables = NumberNames::written(number).variables();
        variables.extend(purchase_variables("TOKEN", &order.search.country));
        self.api.request("buy", self.api.purchase()?, &variables, None)?;
        let next = |session: &mut Self| {
            let now = session.store()?.now()?;
            let all = session.purchases()?;
            let is_open = |known: &Attempt| known.state.is_open() && session.is_same_order(order, known);
            let open = all.into_iter().find(is_open);
            let attempt = match open {
                Some(open) => open,
                None => match session.begin_purchase(order, number)? {
                    Begun::Started(attempt) => attempt,
                    Begun::Taken => match session.owned(&NumberNames::written(number), None)? {
                        Resolved::Names(owned) if !number.is_empty() => {
                            return Ok(NextAttempt::Outcome(earlier(owned, number)));
                        }
                        _ => return session.taken(order, number, now),
                    },
                },
            };
            // Another program may have finished the same order since it was last read.
            let others = session.bought_earlier(order, Some(&attempt))?.unwrap_or_default();
            let is_new = |other: &&Accepted| purchases.iter().all(|known| known.number != other.number);
            if let Some(earlier) = others.iter().find(is_new).or(others.first()).cloned() {
                session.give_up(&attempt, "the same was bought just before")?;
                return Ok(NextAttempt::Outcome(CallOutcome::Accepted(earlier)));
            }
            if Phase::of(&attempt) == Phase::Between
                && let Some(outcome) = session.choose(&attempt, number, now)?
            {
                return Ok(NextAttempt::Outcome(outcome));
            }
            Ok(NextAttempt::Pursue(attempt.token, Wish::GoOn))
        };
        self.operate(next, |session, attempt| {
            // Another program has worked on the order since it was read.
            if chosen(&attempt) != number {
                session.let_go(&attempt)?;
                return Ok(None);
            }
            session.send_purchase(attempt, &order.search.country).map(Some)
        })
    }

    /// The next step for a number that another attempt has reserved: providers sell the same toll-free numbers.
    fn taken(&mut self, order: &NumberOrder, number: &str, now: Timestamp) -> Result<NextAttempt> {
        let others = self.store()?.attempts_of(number)?;
        let is_other = |other: &&Attempt| other.state.is_open() && !self.is_same_order(order, other);
        let Some(other) = others.iter().find(is_other) else { return Ok(NextAttempt::Again) };
        if now < other.until {
            return Ok(NextAttempt::Outcome(CallOutcome::Busy { until: Some(other.until) }));
        }
        let token = &other.token[..12];
        let why = format!(
            "{number} is reserved by an attempt whose outcome is not known; settle that first: `tollproof attempts resolve {token}`, \
             with --arrived ID or --nothing-arrived as its console shows"
        );
        Ok(NextAttempt::Outcome(CallOutcome::unsent(why, NextStep::AsSaid)))
    }

    /// Whether a purchase is of this order: another account's is not, unless it may still buy the number that is named.
    fn is_same_order(&self, order: &NumberOrder, purchase: &Attempt) -> bool {
        purchase.digest == order.digest()
            && (purchase.address == self.account() || order.number.is_some() && purchase.state.is_open())
    }

    fn begin_purchase(&mut self, order: &NumberOrder, number: &str) -> Result<Begun> {
        let digest = order.digest();
        let mut names: Vec<String> =
            Some(number.to_owned()).into_iter().filter(|number| !number.is_empty()).collect();
        names.extend(order.number.is_none().then(|| format!("buy {digest} at {}", self.account())));
        let steps = BTreeMap::from([(WANTED.to_owned(), order.wanted().to_string())]);
        self.begin(AttemptOperation::Purchase, number, names, &digest, None, steps)
    }

    /// Keeps which number is bought next, and reserves it. An outcome if another program has bought it for this order, or
    /// works on the order, or if the number is not free.
    fn choose(&mut self, attempt: &Attempt, number: &str, began: Timestamp) -> Result<Option<CallOutcome>> {
        let (now, until) = self.lease()?;
        let holder = self.holder.clone();
        let busy = || CallOutcome::Busy { until: Some(attempt.until).filter(|until| *until > began) };
        let store = self.store()?;
        let Some(current) = store.take_over(&attempt.token, &holder, now, until)? else {
            return Ok(Some(busy()));
        };
        // The order holds the numbers that it has bought, so they would be free for it.
        let is_it =
            |known: &Accepted| !number.is_empty() && NumberKey::of(&known.number) == NumberKey::of(number);
        if let Some(known) = bought(&current).into_iter().find(is_it) {
            self.let_go(&current)?;
            return Ok(Some(CallOutcome::Accepted(by(AcceptedBy::Look, known))));
        }
        let is_free = number.is_empty() || store.claim(&attempt.token, &holder, number, now)?;
        if !is_free {
            self.let_go(&current)?;
            return Ok(Some(busy()));
        }
        let is_kept = self.store()?.keep_step(&attempt.token, &holder, &chosen_step(&current), number)?;
        Ok((!is_kept).then(busy))
    }

    fn send_purchase(&mut self, attempt: Attempt, country: &str) -> Result<CallOutcome> {
        let operation = self.api.purchase()?.clone();
        let number = chosen(&attempt);
        let mut variables = NumberNames::written(&number).variables();
        variables.extend(purchase_variables(&token(&attempt), country));
        let request = self.api.request("buy", &operation, &variables, None)?;
        let answer = match self.send_one(&request, &operation, &attempt) {
            Ok(StepDone::Taken(answer)) => answer.unwrap_or_default(),
            Ok(StepDone::Ended(outcome)) => return Ok(outcome),
            Err(error) => {
                self.take_back(&attempt, "it could not be sent")?;
                return Err(error);
            }
        };
        let text = |name: &str| operation.path_of(name).and_then(|path| text_at(&answer.value, &path));
        let e164 = text("number").map(|number| NumberKey::of(&number).into_string());
        let names = NumberNames { id: text("id").or_else(|| e164.clone()), e164 };
        let id = names.id.clone();
        match self.note_bought(&attempt, &names) {
            Ok(bought) => Ok(CallOutcome::Accepted(bought)),
            Err(CallError::History(error)) => Err(self.unrecorded(id, error)),
            Err(error) => Err(error),
        }
    }

    /// Notes a number that this session has bought: the last one of an order ends it.
    fn note_bought(&mut self, attempt: &Attempt, names: &NumberNames) -> Result<Accepted> {
        let number = names.e164.clone().unwrap_or_else(|| chosen(attempt));
        let accepted = Accepted { id: names.id.clone(), status: None, number, by: AcceptedBy::Answer };
        let (step, holder) = (bought_step(attempt), self.holder.clone());
        self.store()?.keep_step(&attempt.token, &holder, &step, &written(&accepted))?;
        if !end_order(self.store()?, &attempt.token)? {
            self.let_go(attempt)?;
        }
        Ok(accepted)
    }

    /// Notes a number that a look has found, whoever bought it. `None` if more of its order is to be bought.
    pub(crate) fn adopt_purchase(
        &mut self,
        attempt: &Attempt,
        names: Option<&NumberNames>,
    ) -> Result<Option<Accepted>> {
        let names = names.cloned().unwrap_or_default();
        let number = names.e164.clone().unwrap_or_else(|| chosen(attempt));
        let id = names.id.or(names.e164);
        let found = Accepted { id, status: None, number, by: AcceptedBy::Look };
        Ok(note_found(self.store()?, attempt, &found)?.then_some(found))
    }

    /// The outcome of an attempt whose rest can be sent later.
    pub(crate) fn left(&self, attempt: &Attempt) -> CallOutcome {
        if attempt.operation == AttemptOperation::Purchase {
            let (bought, wanted) = (bought(attempt).len(), wanted(attempt));
            let token = &attempt.token[..12];
            let end = format!("`tollproof attempts resolve {token} --nothing-arrived` ends the order");
            return CallOutcome::BoughtInPart { why: format!("{bought} of {wanted} numbers; {end}") };
        }
        let command = if attempt.operation == AttemptOperation::Update { "update" } else { "submit" };
        let why = format!(
            "its first steps are done; run `tollproof {command}` again to go on, or remove it in the console and note \
             that: `tollproof attempts resolve {} --nothing-arrived`",
            &attempt.token[..12]
        );
        CallOutcome::unsent(why, NextStep::AsSaid)
    }

    /// Looks for the number of a purchase.
    pub(crate) fn sight_of_purchase(&mut self, attempt: &Attempt) -> Result<Sight> {
        let names = NumberNames::written(&chosen(attempt));
        if attempt.state == AttemptState::Sent {
            return Ok(match self.owned(&names, Some(&token(attempt)))? {
                Resolved::Names(owned) => Sight { number: Some(owned), ..Sight::of(Seen::Done) },
                Resolved::NotOwned if self.can_ask_for(attempt) => Sight::of(Seen::Nothing),
                Resolved::NotOwned => Sight::of(Seen::CannotAsk),
                Resolved::Failed(called) => Sight::failed(called),
            });
        }
        if chosen(attempt).is_empty() {
            return Ok(Sight::of(Seen::Nothing));
        }
        // Lists of a provider may not show yet what was bought from here.
        let now = self.store()?.now()?;
        let is_lately = |other: &Attempt| {
            other.address == attempt.address && now.duration_since(other.updated_at) < TOKEN_LIFE
        };
        let lately = self.purchases()?.into_iter().filter(is_lately).flat_map(|other| bought(&other));
        if let Some(bought) = lately.into_iter().find(|bought| names.is(&bought.number)) {
            return Ok(Sight::obstacle(Some(CallOutcome::Accepted(bought))));
        }
        Ok(match self.owned(&names, None)? {
            Resolved::Names(owned) => Sight::obstacle(Some(earlier(owned, &chosen(attempt)))),
            Resolved::NotOwned => Sight::of(Seen::Nothing),
            Resolved::Failed(called) => Sight::failed(called),
        })
    }

    /// The purchases at this provider, the newest first.
    fn purchases(&mut self) -> Result<Vec<Attempt>> {
        let (provider, mut attempts) = (self.api.provider().name(), self.store()?.attempts()?);
        attempts.retain(|attempt| {
            attempt.operation == AttemptOperation::Purchase && attempt.provider == provider
        });
        Ok(attempts)
    }

    /// The numbers that the same order has bought within the hour, beside an attempt that was begun since.
    fn bought_earlier(
        &mut self,
        order: &NumberOrder,
        begun: Option<&Attempt>,
    ) -> Result<Option<Vec<Accepted>>> {
        if order.again || begun.is_some_and(|attempt| Phase::of(attempt) != Phase::Unsent) {
            return Ok(None);
        }
        let now = self.store()?.now()?;
        let purchases = self.purchases()?;
        let is_same = |attempt: &Attempt| {
            self.is_same_order(order, attempt)
                && attempt.state == AttemptState::Accepted
                && now.duration_since(attempt.updated_at) < TOKEN_LIFE
        };
        Ok(purchases.iter().find(|attempt| is_same(attempt)).map(bought))
    }

    fn is_repeatable(&mut self, attempt: &Attempt) -> Result<bool> {
        let now = self.store()?.now()?;
        let is_fresh = attempt.sent_at.is_some_and(|sent| now.duration_since(sent) < TOKEN_LIFE);
        Ok(is_fresh && now >= attempt.until && self.api.purchase()?.repeatable)
    }

    /// Whether the provider can tell if a purchase arrived.
    pub(crate) fn can_ask_for(&self, attempt: &Attempt) -> bool {
        let owned = self.api.file().operations.owned.as_ref();
        let by_token = owned.is_some_and(|owned| owned.query.values().any(|value| value.contains("{token}")));
        self.api.can("owned", owned) && (by_token || !chosen(attempt).is_empty())
    }

    /// The names of a number of the account; by the token of its purchase where the provider keeps that.
    fn owned(&mut self, names: &NumberNames, token: Option<&str>) -> Result<Resolved> {
        let Some(operation) = self
            .api
            .file()
            .operations
            .owned
            .as_ref()
            .filter(|operation| self.api.can("owned", Some(operation)))
        else {
            return Ok(Resolved::NotOwned);
        };
        let is_by_token = operation.query.values().any(|value| value.contains("{token}"));
        let Some(token) = token.filter(|_| is_by_token) else {
            return if is_by_token { Ok(Resolved::NotOwned) } else { resolve(self.api, names.clone()) };
        };
        let variables = Variables::from([("token".to_owned(), token.to_owned())]);
        Ok(match list(self.api, "owned", operation, &variables)? {
            Ok(items) => match items.iter().find_map(|item| listed(operation, item)) {
                Some(found) => Resolved::Names(NumberNames { e164: Some(found.number), id: found.id }),
                None => Resolved::NotOwned,
            },
            Err(called) => Resolved::Failed(called),
        })
    }
}

impl Purchase {
    fn named(number: &str, outcome: CallOutcome) -> Self {
        match outcome {
            CallOutcome::Accepted(accepted) => Self::of(accepted),
            outcome => Self { number: number.to_owned(), outcome },
        }
    }

    fn of(accepted: Accepted) -> Self {
        Self { number: accepted.number.clone(), outcome: CallOutcome::Accepted(accepted) }
    }
}

/// The outcome for a number that the account has.
fn earlier(owned: NumberNames, number: &str) -> CallOutcome {
    let number = owned.e164.unwrap_or_else(|| number.to_owned());
    CallOutcome::Accepted(Accepted { id: owned.id, status: None, number, by: AcceptedBy::Earlier })
}

fn by(by: AcceptedBy, accepted: Accepted) -> Accepted {
    Accepted { by, ..accepted }
}
