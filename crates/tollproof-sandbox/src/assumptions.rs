//! What the sandbox assumes about the providers because no source says it.

/// One thing that is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssumedFact {
    /// Its id, in the header `x-tollproof-sandbox-assumption`.
    pub id: &'static str,
    /// The provider, by its name.
    pub provider: &'static str,
    /// What is assumed.
    pub text: &'static str,
}

/// Declares the assumptions: a variant that answers name, its id, its provider and what is assumed.
macro_rules! assumptions {
    ($($variant:ident $id:literal $provider:literal $text:literal;)*) => {
        /// An assumption that an answer depends on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(clippy::enum_variant_names, reason = "each begins with its provider")]
        pub(crate) enum Assumption { $($variant),* }

        impl Assumption {
            pub(crate) fn fact(self) -> &'static AssumedFact {
                &ASSUMPTIONS[self as usize]
            }
        }

        /// Everything that the sandbox assumes.
        pub static ASSUMPTIONS: &[AssumedFact] = &[
            $(AssumedFact { id: $id, provider: $provider, text: $text }),*
        ];
    };
}

assumptions! {
    BirdPaths "bird-paths" "bird" "Submit, fetch and update are POST, GET and PUT on `/workspaces/{workspaceId}/toll-free-verifications` and `/{id}` below it. PATCH and POST update too. `--bird-path` changes the path.";
    BirdList "bird-list" "bird" "A GET on the path of submissions lists the records in `results`, newest first. The 201 shows no id, so this is how a client learns it. `phoneNumber` filters by the id of a number.";
    BirdSearch "bird-search" "bird" "The price and the capabilities of an available number are objects, as in the newer search of Bird's stock. Searches that a rule refuses are refused with 422.";
    BirdPurchase "bird-purchase" "bird" "A purchase is answered with 201 and the numbers in `results`; `id` is what a submission names in `phoneNumbers`.";
    BirdRefusedPurchase "bird-refused-purchase" "bird" "A number that is not available, or a wallet without balance, is refused with 422.";
    BirdCredentials "bird-credentials" "bird" "A missing or wrong key is refused with 401. `AccessKey` and `Bearer` are accepted for every call.";
    BirdErrors "bird-errors" "bird" "The values of `code` and the texts in errors. Bodies that are not JSON are refused with 400, invalid fields with 422; the names in `details` are those of the fields.";
    BirdDuplicate "bird-duplicate" "bird" "A second submission of a number whose review is open, and a number that the workspace does not own, are refused with 422 and `details` for `phoneNumbers`.";
    BirdStatuses "bird-statuses" "bird" "A review stays `submitted` until it ends as `Verified` or `Rejected`; an update returns it to `submitted`.";
    BirdReasons "bird-reasons" "bird" "In `statusMessage`, `StatusCode` is the first reason by its code at Twilio, `DeclineReasonDescription` has the titles separated by semicolons, and `ResubmitAllowed` is the text `true` or `false`.";
    BirdUpdates "bird-updates" "bird" "An update of a verified submission, or of a rejected one after 7 days, is refused with 422.";
    BirdSenders "bird-senders" "bird" "The records of own numbers and senders. Purchased toll-free numbers are among the long code numbers; one alphanumeric sender and one short code exist from the start.";
}
