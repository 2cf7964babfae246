//! A walk through a provider's API in the sandbox.

pub(crate) mod accounts;
pub(crate) mod control;
pub(crate) mod cutter;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tollproof_core::{Format, KindHint, Linter, Parsed, Provider, Source};
use tollproof_history::{Access, GateOptions, HistorySet, Location, SubmissionSummary};
use tollproof_online::{
    Accepted, Api, ApiOptions, CallError, CallOutcome, CallSession, NumberOrder, NumberSearch, Purchase,
    StatusItem, UpdateTarget, UserSettings,
};
use tollproof_sandbox::{Sandbox, SandboxOptions};

/// The providers that can be called.
pub(crate) const PROVIDERS: [&str; 7] = ["bird", "twilio", "telnyx", "bandwidth", "infobip", "plivo", "aws"];

/// The time a request may take. A request counts as arrived or lost after three times that time.
const TIMEOUT: Duration = Duration::from_secs(2);

pub(crate) struct ApiWalk {
    pub(crate) api: Api,
    provider: Provider,
    pub(crate) sandbox: Arc<Sandbox>,
    store: Location,
    /// Whether the store is removed in the end.
    is_own: bool,
}

pub(crate) fn linter() -> &'static Linter {
    static LINTER: OnceLock<Linter> = OnceLock::new();
    LINTER.get_or_init(Linter::builtin)
}

/// The submission or number that an outcome has.
#[track_caller]
pub(crate) fn accepted(outcome: CallOutcome) -> Accepted {
    match outcome {
        CallOutcome::Accepted(accepted) => accepted,
        other => panic!("not accepted: {other:?}"),
    }
}

/// An order of a number, or of as many as a search finds.
pub(crate) fn order(number: Option<&str>, count: u32) -> NumberOrder {
    let search = NumberSearch { country: "US".to_owned(), area: None, contains: None, limit: count };
    NumberOrder { number: number.map(str::to_owned), search, again: false }
}

impl ApiWalk {
    pub(crate) fn start(provider: &str, review: &str) -> Self {
        Self::start_reviewing(provider, review, "0s")
    }

    pub(crate) fn start_reviewing(provider: &str, review: &str, after: &str) -> Self {
        let days = if after == "2d" { 2 } else { 0 };
        let options = SandboxOptions {
            review: review.parse().expect("it is a script"),
            review_after: jiff::SignedDuration::from_hours(24 * days),
            ..SandboxOptions::default()
        };
        Self::open(provider, Arc::new(Sandbox::start(options).expect("it starts")))
    }

    fn open(provider: &str, sandbox: Arc<Sandbox>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("tollproof-walk-{}-{}.db", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let store = std::env::temp_dir().join(name);
        let address = sandbox.url();
        Self::at(provider, sandbox, &address, store, TIMEOUT)
    }

    /// A walk whose client reaches the sandbox at another address.
    pub(crate) fn at(
        provider: &str,
        sandbox: Arc<Sandbox>,
        address: &str,
        store: PathBuf,
        timeout: Duration,
    ) -> Self {
        let store = Location::Sqlite(store);
        let mut own = Self::sharing(provider, sandbox, address, store, timeout);
        own.is_own = true;
        own
    }

    /// A walk with a store that others use too and that stays.
    pub(crate) fn sharing(
        provider: &str,
        sandbox: Arc<Sandbox>,
        address: &str,
        store: Location,
        timeout: Duration,
    ) -> Self {
        let provider = Provider::named(provider).expect("it is built in");
        let options = ApiOptions {
            api: None,
            sandbox: Some(address.parse().expect("it is an address")),
            hosts: Default::default(),
            values: Default::default(),
            timeout,
            environment: &|_| None,
        };
        let api = Api::open(provider, &UserSettings::default(), &options).expect("it can be called");
        assert!(!api.host().is_provider());
        Self { api, provider, sandbox, store, is_own: false }
    }

    /// The same, with less patience.
    pub(crate) fn with_timeout(self, timeout: Duration) -> Self {
        let name = format!("tollproof-short-{}.db", std::process::id());
        let (sandbox, store) = (Arc::clone(&self.sandbox), std::env::temp_dir().join(name));
        Self::at(self.provider.name(), sandbox, &self.sandbox.url(), store, timeout)
    }

    /// The same account, seen by somebody with an empty history.
    pub(crate) fn with_new_history(&self) -> Self {
        Self::open(self.provider.name(), Arc::clone(&self.sandbox))
    }

    /// The history's place.
    pub(crate) fn location(&self) -> &Location {
        &self.store
    }

    pub(crate) fn with<T>(
        &self,
        act: impl FnOnce(&mut CallSession<'_>) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        self.session(false, act)
    }

    fn session<T>(
        &self,
        waits: bool,
        act: impl FnOnce(&mut CallSession<'_>) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let at = [self.store.clone()];
        let mut past = HistorySet::open(&at, Access::Create)?.at(self.api.host().clone());
        let read = |_: &str| Ok(b"\x89PNG\r\n\x1a\npicture".to_vec());
        let session = CallSession::new(&self.api, &mut past, waits)?.with_files(&read);
        act(&mut session.changing_approved(true))
    }

    pub(crate) fn try_buy(&self) -> CallOutcome {
        let order = NumberOrder { again: true, ..order(None, 1) };
        self.try_order(&order).expect("it can be called").remove(0).outcome
    }

    /// Buys a number. Returns what became of it, after what became of other purchases.
    pub(crate) fn try_buy_number(&self, number: Option<&str>) -> Result<Vec<Purchase>, CallError> {
        self.try_order(&order(number, 1))
    }

    /// Buys what is missing of an order.
    pub(crate) fn try_order(&self, order: &NumberOrder) -> Result<Vec<Purchase>, CallError> {
        let progress = self.with(|session| session.open_order(order))?;
        if progress.missing == 0 {
            return Ok(progress.purchases);
        }
        let offered = self.with(|session| session.offered(order, &progress))?.expect("it can be searched");
        self.with(|session| session.buy(order, progress, &offered))
    }

    pub(crate) fn buy(&self) -> String {
        accepted(self.try_buy()).number
    }

    /// A clean draft for a number in E.164, as a user has it who knows no identifiers.
    pub(crate) fn draft(&self, number: &str) -> Value {
        let mut draft = self.sample("submit-request");
        match self.provider.name() {
            "bird" => {
                draft["phoneNumbers"] = json!([number]);
            }
            "twilio" => draft["TollfreePhoneNumberSid"] = json!(number),
            "telnyx" => draft["phoneNumbers"] = json!([{ "phoneNumber": number }]),
            "bandwidth" => draft["phoneNumbers"] = json!([number]),
            "infobip" => {
                let fields = draft.as_object_mut().expect("it is an object");
                fields.remove("numberKeys");
                fields.insert("referenceId".to_owned(), json!(format!("ours {number}")));
                fields.insert("numbers".to_owned(), json!([number.trim_start_matches('+')]));
            }
            "plivo" => draft["number"] = json!(number),
            _ => {}
        }
        draft
    }

    fn sample(&self, kind: &str) -> Value {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas");
        let path = format!("{root}/{}/samples/{kind}.json", self.provider.name());
        let path = if std::path::Path::new(&path).exists() {
            path
        } else {
            path.replace("update-request", "submit-request")
        };
        serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("it is JSON")
    }

    /// Makes a number one of the account, and returns its id.
    pub(crate) fn own(&self, number: &str, account: &str) {
        let id = format!("id-{}", number.trim_start_matches('+'));
        let id = match self.provider.name() {
            "bird" => format!("5f1c8f0e-7a7b-4d55-9c1e-{:0>12}", &number[2..]),
            "twilio" => format!("PN{:0>32}", &number[2..]),
            "infobip" => format!("{:0>32}", &number[2..]),
            _ => id,
        };
        let body =
            json!({ "provider": self.provider.name(), "account": account, "number": number, "id": id });
        control::post(&self.sandbox, "numbers", &body);
    }

    pub(crate) fn submit(&self, draft: &Value) -> CallOutcome {
        self.submit_as(draft, false)
    }

    pub(crate) fn submit_waiting(&self, draft: &Value) -> CallOutcome {
        self.submit_as(draft, true)
    }

    fn submit_as(&self, draft: &Value, waits: bool) -> CallOutcome {
        self.try_submit(draft, waits).unwrap_or_else(|error| panic!("{}: {error}", self.provider))
    }

    pub(crate) fn try_submit(&self, draft: &Value, waits: bool) -> Result<CallOutcome, String> {
        // AWS has the number beside the draft.
        let number = (self.provider.name() == "aws").then(|| self.first_number());
        self.submit_number(draft, number, waits).map_err(|error| error.to_string())
    }

    /// Submits a draft; `number` is the one that is not in it.
    pub(crate) fn submit_number(
        &self,
        draft: &Value,
        number: Option<String>,
        waits: bool,
    ) -> Result<CallOutcome, CallError> {
        let source = Source::new("draft.json", draft.to_string());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let plan = GateOptions { number, ..GateOptions::default() };
        self.session(waits, |session| session.submit(linter(), &parsed, KindHint::Explicit, &plan))
    }

    fn first_number(&self) -> String {
        match self.api.own_numbers().expect("it can be called") {
            Ok(mut found) => found.remove(0).number,
            Err(outcome) => panic!("{outcome:?}"),
        }
    }

    pub(crate) fn update(&self, target: &UpdateTarget) -> CallOutcome {
        self.try_update(target).unwrap_or_else(|error| panic!("{}: {error}", self.provider))
    }

    pub(crate) fn try_update(&self, target: &UpdateTarget) -> Result<CallOutcome, CallError> {
        let mut draft = self.sample("update-request");
        match self.provider.name() {
            "infobip" => {
                let fields = draft.as_object_mut().expect("it is an object");
                fields.insert("numberKeys".to_owned(), json!([target.number]));
            }
            "telnyx" => draft["phoneNumbers"] = json!([{ "phoneNumber": target.number }]),
            _ => {}
        }
        let source = Source::new("update.json", draft.to_string());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let plan = GateOptions::default();
        self.with(|session| session.update(linter(), &parsed, KindHint::Explicit, &plan, target))
    }

    pub(crate) fn history(&self) -> Vec<SubmissionSummary> {
        let at = [self.store.clone()];
        let mut past = HistorySet::open(&at, Access::Create).expect("it opens").at(self.api.host().clone());
        let mut all = Vec::new();
        let store = past.store().expect("it is one");
        store
            .list(|submission| {
                all.push(submission.clone());
                Ok(())
            })
            .expect("it can be read");
        all.dedup_by(|a, b| a.id == b.id);
        all
    }

    /// Asks for all submissions of the history.
    pub(crate) fn statuses(&self) -> Vec<StatusItem> {
        let known = self.history();
        known
            .iter()
            .map(|submission| self.with(|session| session.refresh(submission)).expect("it can be called"))
            .collect()
    }

    pub(crate) fn fault(&self, fault: &str, operation: &str) {
        let body = json!({ "fault": fault, "provider": self.provider.name(), "operation": operation });
        control::post(&self.sandbox, "faults", &body);
    }

    /// The calls of an operation that arrived.
    pub(crate) fn ledger(&self, operation: &str) -> Vec<Value> {
        control::ledger(&self.sandbox, self.provider.name(), operation)
    }

    /// Counts the provider's submissions of a number.
    pub(crate) fn filings(&self, number: &str) -> usize {
        let all = control::submissions(&self.sandbox);
        let has = |filing: &&Value| {
            filing["provider"] == self.provider.name() && filing.to_string().contains(number)
        };
        all.iter().filter(has).count()
    }

    pub(crate) fn calls(&self, operation: &str) -> usize {
        self.ledger(operation).len()
    }

    /// The calls of an operation that had an effect: all but refusals, and errors before it.
    pub(crate) fn effects(&self, operation: &str) -> usize {
        self.ledger(operation).iter().filter(|it| control::is_effect(it)).count()
    }

    /// Whether the provider recognizes a repeated purchase.
    pub(crate) fn recognizes_purchases(&self) -> bool {
        self.provider.name() == "aws"
    }
}

impl Drop for ApiWalk {
    fn drop(&mut self) {
        if let (true, Location::Sqlite(path)) = (self.is_own, &self.store) {
            remove_store(path);
        }
    }
}

/// Removes a store in a file.
pub(crate) fn remove_store(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}
