//! All of tollproof that goes online: one guarded HTTP client, the calls of providers, looks at pages, the user's own
//! settings, and keys.
//!
//! [`Client`] sends one request and says exactly what became of it: a whole answer, nothing sent, or lost. It sends keys to
//! https addresses only, never along a redirect, and repeats a write only if not a byte of it was sent.
//!
//! [`Looker`] looks at the pages, pictures and mail domains that drafts name. It sends no key and nothing of a draft but the
//! address, and connects to public addresses only.
//!
//! [`Reader`] asks a program or a server of the user's own choice about the texts of drafts, and returns its answer as it is.
//!
//! ```
//! use tollproof_online::{Authentication, Client, ClientOptions, HttpRequest, Method, Repeat, Sent};
//! use tollproof_sandbox::{Sandbox, SandboxOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sandbox = Sandbox::start(SandboxOptions::default())?;
//! let url = format!("{}/TollfreeVerification/", sandbox.base_url("plivo").expect("the sandbox has Plivo"));
//! let key = Authentication::Basic { user: "MA0".to_owned(), secret: "sandbox-key".into() };
//! let request =
//!     HttpRequest { method: Method::Get, url: url.parse()?, headers: Vec::new(), body: None, repeat: Repeat::Read };
//! let client = Client::new(ClientOptions::default())?;
//! assert!(matches!(client.send(&request, &key)?, Sent::Answer(_)));
//! # Ok(())
//! # }
//! ```

mod calls;
mod client;
mod credentials;
#[cfg(feature = "look")]
mod look;
mod program;
mod read;
mod running;
mod settings;

pub use calls::{
    Accepted, AcceptedBy, Api, ApiNumber, ApiOptions, CallError, CallOutcome, CallSession, Campaign,
    KeyOrigin, ListedSender, NextStep, NumberOrder, NumberSearch, OrOutcome, OrderProgress,
    ProviderConnection, Purchase, ReadFile, Refusal, ReviewsEnd, SenderKind, ShownRequest, StatusCall,
    StatusItem, StatusRound, StatusSeen, UpdateTarget, UpdateText, attempted_number, bought,
    callable_providers, forgive_numbers, providers_of, resolve_purchase,
};
pub use client::{
    Authentication, Client, ClientError, ClientOptions, HttpAnswer, HttpRequest, Method, Repeat, RequestBody,
    Sent, is_loopback,
};
pub use credentials::{KeyCommand, KeyError};
#[cfg(feature = "look")]
pub use look::{
    Asked, BrowserChoice, BrowserProblem, LookOptions, LookResult, Looker, NameError, NameService,
    NetworkScope, OptInPicture, PictureError, SystemNames, find_browser, find_tesseract, needs_look,
};
pub use read::{
    Accept, LocalModel, ReadFailure, ReadResult, ReadRun, Reader, ReaderChoice, ReaderError, ReaderPrompt,
    ReaderReply, ReaderSettings,
};
pub use settings::{ProviderSettings, ReaderKind, UnknownReaderKind, UserSettings};
