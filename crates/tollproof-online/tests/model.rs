//! Random short sequences of commands and faults on one number, against a model of what must hold after each step.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::SignedDuration;
use proptest::prelude::*;
use serde_json::{Value, json};
use tollproof_online::{AcceptedBy, CallOutcome};
use tollproof_sandbox::{Sandbox, SandboxOptions};

use crate::walk::accounts::account_of;
use crate::walk::{ApiWalk, control};

/// The providers whose list shows what became of a lost submission.
const PROVIDERS: [&str; 5] = ["telnyx", "plivo", "twilio", "infobip", "bird"];

/// Time limit of a request.
const TIMEOUT: Duration = Duration::from_millis(500);

/// An action.
#[derive(Clone, Debug)]
enum ModelStep {
    /// Submits the draft; the fault of the call.
    Submit(Option<&'static str>),
    /// Settles the open attempts, as `status` does.
    Settle,
    /// Stores what the provider has.
    Import,
    /// Somebody else submits the number, in the console.
    Elsewhere,
    /// The review ends; whether the submission is approved.
    Decide(bool),
}

fn step() -> impl Strategy<Value = ModelStep> {
    let fault = prop_oneof![
        3 => Just(None),
        2 => Just(Some("lost-answer")),
        1 => Just(Some("cut-body")),
        1 => Just(Some("500-after")),
        1 => Just(Some("500-before")),
        1 => Just(Some("429")),
    ];
    prop_oneof![
        4 => fault.prop_map(ModelStep::Submit),
        1 => Just(ModelStep::Settle),
        1 => Just(ModelStep::Import),
        1 => Just(ModelStep::Elsewhere),
        2 => any::<bool>().prop_map(ModelStep::Decide),
    ]
}

/// Knowledge of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModelState {
    /// It was never submitted from here.
    Free,
    /// Request that may have arrived: whether it has.
    Unknown(bool),
    /// It was submitted from here, and that is known.
    Submitted,
}

/// One number, and the model of it.
struct Modelled {
    walk: ApiWalk,
    other: ApiWalk,
    number: String,
    known: ModelState,
    /// Whether a fault waits for a call that submits.
    is_planned: bool,
}

impl Modelled {
    fn new(sandbox: &Arc<Sandbox>, provider: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let number = format!("+1877555{count:04}");
        let walk = |name: &str| {
            let file = format!("tollproof-model-{}-{count}-{name}.db", std::process::id());
            let store = std::env::temp_dir().join(file);
            ApiWalk::at(provider, Arc::clone(sandbox), &sandbox.url(), store, TIMEOUT)
        };
        let (walk, other) = (walk("here"), walk("elsewhere"));
        walk.own(&number, account_of(provider));
        Self { walk, other, number, known: ModelState::Free, is_planned: false }
    }

    fn filings(&self) -> Vec<Value> {
        let mut all = control::submissions(&self.walk.sandbox);
        all.retain(|submission| {
            submission["numbers"].to_string().contains(&self.number) && submission["state"] != "draft"
        });
        all
    }

    fn open(&self) -> Option<Value> {
        self.filings().into_iter().find(|it| it["state"] == "open")
    }

    /// Whether the number has a submission that is under review, or waits for an answer there, as Plivo's do.
    fn is_taken(&self) -> bool {
        let waits = |it: &Value| it["provider"] == "plivo" && it["state"] == "rejected";
        self.filings().iter().any(|filing| filing["state"] == "open" || waits(filing))
    }

    /// The calls that submitted something, also those that sent it again.
    fn submitted(&self) -> usize {
        self.filings().len()
    }

    fn play(&mut self, step: &ModelStep) {
        match step {
            ModelStep::Submit(fault) => {
                if let Some(fault) = fault.filter(|_| !self.is_planned) {
                    self.walk.fault(fault, "submit");
                    self.is_planned = true;
                }
                self.submit(false);
            }
            ModelStep::Settle => {
                let before = self.submitted();
                let open = self.walk.with(|it| it.open_attempts()).expect("the history can be read");
                for attempt in &open {
                    self.walk.with(|it| it.settle_attempt(attempt)).expect("it can be called");
                }
                assert_eq!(self.submitted(), before, "a look sends nothing");
                let open = self.walk.with(|it| it.open_attempts()).expect("the history can be read");
                match self.known {
                    ModelState::Unknown(true) => {
                        assert!(open.is_empty(), "what arrived is found: {open:?}");
                        self.known = ModelState::Submitted;
                    }
                    ModelState::Unknown(false) if open.is_empty() => self.known = ModelState::Free,
                    _ => {}
                }
            }
            ModelStep::Import => {
                self.walk.with(|session| session.import(&mut |_| {})).expect("it can be called");
            }
            ModelStep::Elsewhere => {
                // While an attempt is open here, what is open there would be taken for what it made.
                if self.known == ModelState::Free && !self.is_planned {
                    let draft = self.walk.draft(&self.number);
                    self.other.submit(&draft);
                }
            }
            ModelStep::Decide(is_approved) => {
                let Some(open) = self.open() else { return };
                let reject = if *is_approved { json!([]) } else { json!(["30513"]) };
                let body = json!({ "provider": open["provider"], "id": open["id"], "reject": reject });
                control::post(&self.walk.sandbox, "decide", &body);
            }
        }
    }

    fn submit(&mut self, waits: bool) {
        let (before, was_open) = (self.submitted(), self.is_taken());
        let (calls, has_fault) = (self.walk.calls("submit"), self.is_planned);
        let draft = self.walk.draft(&self.number);
        let outcome = if waits { self.walk.submit_waiting(&draft) } else { self.walk.submit(&draft) };
        self.is_planned &= self.walk.calls("submit") == calls;
        let sent = self.submitted() - before;
        let shown: String = format!("{outcome:?}").chars().take(300).collect();
        let told = format!("{} {:?}: {shown}, {sent} sent", self.number, self.known);
        assert!(!was_open || sent == 0, "it was under review: {told}");
        match &outcome {
            CallOutcome::Accepted(accepted) => {
                match (accepted.by, self.known) {
                    (AcceptedBy::Answer, ModelState::Free | ModelState::Unknown(false)) => {
                        assert_eq!(sent, 1, "{told}")
                    }
                    (AcceptedBy::Look, ModelState::Unknown(true))
                    | (AcceptedBy::Earlier, ModelState::Submitted) => {
                        assert_eq!(sent, 0, "{told}");
                    }
                    _ => panic!("{told}"),
                }
                self.known = ModelState::Submitted;
            }
            CallOutcome::RejectedEarlier { .. } => {
                assert_eq!((sent, self.known), (0, ModelState::Submitted), "{told}")
            }
            CallOutcome::OpenElsewhere(_) => assert!(was_open && sent == 0, "{told}"),
            CallOutcome::Unknown { .. } => match self.known {
                ModelState::Unknown(true) | ModelState::Submitted => panic!("{told}"),
                ModelState::Free | ModelState::Unknown(false) => {
                    assert!(sent == 0 || has_fault, "{told}");
                    self.known = ModelState::Unknown(sent == 1);
                }
            },
            // The history may not know yet that the review has ended.
            CallOutcome::RefusedByGate { .. } => {
                assert!(sent == 0 && !self.walk.history().is_empty(), "{told}");
            }
            CallOutcome::Refused(_) | CallOutcome::Limited { .. } => {
                assert!(sent == 0 && self.known != ModelState::Unknown(true), "{told}");
                // What a first step has made waits for the next run.
                let open = self.walk.with(|it| it.open_attempts()).expect("the history can be read");
                self.known = match self.known {
                    ModelState::Submitted => ModelState::Submitted,
                    _ if open.is_empty() => ModelState::Free,
                    _ => ModelState::Unknown(false),
                };
            }
            _ => panic!("{told}"),
        }
    }

    /// In the end, everything is known.
    fn end(&mut self) {
        while let ModelState::Unknown(_) = self.known {
            self.submit(true);
        }
        let open = self.walk.with(|it| it.open_attempts()).expect("the history can be read");
        assert!(open.is_empty(), "{}: {open:?}", self.number);
        if self.known == ModelState::Submitted {
            let known = self.walk.history();
            let last = self.filings();
            let is_known = |filing: &Value| known.iter().any(|known| filing["id"] == known.id.as_str());
            assert!(last.iter().any(is_known), "{}: {last:?} {known:?}", self.number);
        }
        let is_open = |it: &&Value| it["state"] == "open";
        assert!(self.filings().iter().filter(is_open).count() < 2, "{}", self.number);
    }
}

#[test]
fn sequences_of_commands_and_faults_hold_to_the_model() {
    let options = SandboxOptions {
        review: "approve".parse().expect("it is a script"),
        review_after: SignedDuration::from_hours(48),
        ..SandboxOptions::default()
    };
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|value| value.parse().ok()).unwrap_or(12);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let sequences = (0..PROVIDERS.len(), prop::collection::vec(step(), 1..8));
    proptest!(config, |((provider, steps) in sequences)| {
        let sandbox = Arc::new(Sandbox::start(options.clone()).expect("it starts"));
        let mut modelled = Modelled::new(&sandbox, PROVIDERS[provider]);
        for step in &steps {
            modelled.play(step);
        }
        modelled.end();
    });
}
