//! Sandbox assumptions about the providers because no source says it.

/// One thing that is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssumedFact {
    /// Its id, in the header `x-tollproof-sandbox-assumption`.
    pub id: &'static str,
    /// The provider, by its name.
    pub provider: &'static str,
    /// The assumption.
    pub text: &'static str,
}

/// Declares the assumptions: a variant that answers name, its id, its provider and what is assumed.
macro_rules! assumptions {
    ($($variant:ident $id:literal $provider:literal $text:literal;)*) => {
        /// An assumption that an answer depends on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    BirdList "bird-list" "bird" "A GET on the path of submissions lists the records in `results`, newest first. The 201 shows no id, so this is how a client learns it. `phoneNumber` filters by the id of a number, and `nextPageToken` names the next page for `pageToken`, as in Bird's other lists.";
    BirdSearch "bird-search" "bird" "The price and the capabilities of an available number are objects, as in the newer search of Bird's stock. Searches that a rule refuses are refused with 422.";
    BirdPurchase "bird-purchase" "bird" "A purchase is answered with 201 and the numbers in `results`; `id` is what a submission names in `phoneNumbers`.";
    BirdRefusedPurchase "bird-refused-purchase" "bird" "A number that is not available, or a wallet without balance, is refused with 422.";
    BirdCredentials "bird-credentials" "bird" "A missing or wrong key is refused with 401. `AccessKey` and `Bearer` are accepted for every call.";
    BirdErrors "bird-errors" "bird" "The values of `code` and the texts in errors. Bodies that are not JSON are refused with 400, invalid fields with 422; the names in `details` are those of the fields.";
    BirdDuplicate "bird-duplicate" "bird" "A second submission of a number whose review is open, and a number that the workspace does not own, are refused with 422 and `details` for `phoneNumbers`.";
    BirdStatuses "bird-statuses" "bird" "A review stays `submitted` until it ends as `Verified` or `Rejected`; an update returns it to `submitted`.";
    BirdReasons "bird-reasons" "bird" "In `statusMessage`, `StatusCode` is the first reason by its code at Twilio, `DeclineReasonDescription` has the titles separated by semicolons, and `ResubmitAllowed` is the text `true` or `false`.";
    BirdEvents "bird-events" "bird" "An event is sent when a review ends. The answer to a subscription, which has `id` and what was sent; `eventFilters` are not applied. Without a `signingKey`, an event is not signed; `--webhook` signs with the key of the sandbox.";
    BirdUpdates "bird-updates" "bird" "An update of a verified submission, or of a rejected one after 7 days, is refused with 422.";
    BirdSenders "bird-senders" "bird" "The records of own numbers and senders. Purchased toll-free numbers are among the long code numbers; one alphanumeric sender and one short code exist from the start.";
    TwilioErrors "twilio-errors" "twilio" "Which codes errors have: 20001 for invalid parameters, 20003 for credentials, 20404 for what does not exist, 20429 for too many requests. Invalid parameters are refused with 400, one at a time.";
    TwilioDuplicate "twilio-duplicate" "twilio" "A second verification of a number is refused with 400 and code 20001 while the first one exists, and so is a number that the account does not own.";
    TwilioReasons "twilio-reasons" "twilio" "The entries of `rejection_reasons` have `code` and `reason`.";
    TwilioEdits "twilio-edits" "twilio" "A rejected verification can be edited for 7 days; `edit_expiration` has the time. One in review can be edited too, an approved one cannot: 400 and code 20001.";
    TwilioPurchase "twilio-purchase" "twilio" "A number that is not available is refused with 400 and code 21422.";
    TwilioEvents "twilio-events" "twilio" "Events go to `--webhook` only, each in a list of one. The event of an approval has `approved` where that of a rejection has `rejected`; `source` is an id of the sandbox.";
    TelnyxErrors "telnyx-errors" "telnyx" "Codes and titles of errors: 10015 for invalid values, 10009 for credentials, 10005 for what does not exist. Invalid values are refused with 400.";
    TelnyxDuplicate "telnyx-duplicate" "telnyx" "A request for a number whose review is open, or that the account does not own, is refused with 400 and code 10015.";
    TelnyxUpdates "telnyx-updates" "telnyx" "A verified request cannot be changed, nor a rejected one after 7 days, nor the numbers of any: 400 and code 10015. A change returns it to `In Progress`.";
    TelnyxReasons "telnyx-reasons" "telnyx" "Of several reasons, `reason` has the first one.";
    TelnyxOrders "telnyx-orders" "telnyx" "An order succeeds at once, or is refused with 400 if a number is not available. Lists of orders are paged by `page[number]` and `page[size]`.";
    TelnyxEvents "telnyx-events" "telnyx" "The payload of an event: `id`, `status` as `verified` or `rejected`, and `rejectionReason`. Its pair of keys belongs to the key of the sandbox.";
    AwsErrors "aws-errors" "aws" "Which reason an exception has, its texts, and its status: 400, 404 for an unknown operation, 500 for `InternalServerException`. The model names the exceptions and the reasons.";
    AwsCredentials "aws-credentials" "aws" "A signature that is missing, wrong or older than 5 minutes is refused with 400 and `UnrecognizedClientException`, `InvalidSignatureException` or `IncompleteSignatureException`.";
    AwsTokens "aws-tokens" "aws" "A call with a `ClientToken` that was used before is answered with the same resource, as it is now. With other parameters it is refused with `ConflictException`.";
    AwsNumbers "aws-numbers" "aws" "A number is `PENDING` until a version of its registration is approved, then `ACTIVE`. The price.";
    AwsAttachments "aws-attachments" "aws" "The upload is complete when the attachment is looked at. A file at `AttachmentUrl` is not read.";
    AwsIncomplete "aws-incomplete" "aws" "A version without an associated number is refused with `REGISTRATION_NOT_COMPLETE`. One without a required field is taken and denied, with `Missing required field` and `MISSING_REQUIRED_FIELD` at the field, as users have seen. Which fields are required is from users too.";
    AwsVersions "aws-versions" "aws" "A new version starts without values. It can be created when the current one is approved, denied or discarded; only a draft can be submitted or discarded.";
    AwsStatuses "aws-statuses" "aws" "A review stays `SUBMITTED` until it ends, with or without `AwsReview`. A denied registration stays `REQUIRES_UPDATES` until the next version is submitted; an approved version archives the one before.";
    AwsReasons "aws-reasons" "aws" "`Reason` and `ShortDescription` are both the title of the reason; `LongDescription` has the words of tollproof.";
    AwsDeletion "aws-deletion" "aws" "A registration in review cannot be deleted; one that is deleted is gone at once. A number that has a registration cannot be released.";
    AwsDefinitions "aws-definitions" "aws" "The definitions of fields are those of tollproof's schema, not of the live service.";
    BandwidthNumbers "bandwidth-numbers" "bandwidth" "The search is at the same host as the orders; the elements of the XML in answers; an order is complete at once, and a number that is not available is refused with 400.";
    BandwidthErrors "bandwidth-errors" "bandwidth" "The values of `type`. Names in `errors` are the paths of the fields, with dots.";
    BandwidthDuplicate "bandwidth-duplicate" "bandwidth" "A submission for a number that has a verification is refused with 400, and so is a number that the account does not own.";
    BandwidthUpdates "bandwidth-updates" "bandwidth" "An update of a verification in review, of a verified one, or after 7 days is refused with 400.";
    BandwidthReasons "bandwidth-reasons" "bandwidth" "Reasons without a code of Bandwidth have the code of Twilio for the same reason. The first reason is in `denialStatusCode` and `declineReasonDescription`, the others are in `additionalDenialReasons`.";
    BandwidthEvents "bandwidth-events" "bandwidth" "An event is never signed, because no source says how its body is made canonical for that. The records of subscriptions do not show `basicAuthentication` and `sharedSecretKey`.";
    InfobipErrors "infobip-errors" "infobip" "The values of `errorCode` and the texts. What is invalid is refused with 400, a wrong key with 401.";
    InfobipNumbers "infobip-numbers" "infobip" "A number that is not available is refused with 400. The type, the capabilities and the price of a number, and the list of own numbers, with `limit` and `page` as in the search.";
    InfobipStages "infobip-stages" "infobip" "A review goes from `SUBMITTED_FOR_REVIEW` to `REGISTERED` or `REJECTED` at once. A campaign that is in review or registered cannot be changed, registered or deleted: 400. A `priorityId` is not kept.";
    InfobipDuplicate "infobip-duplicate" "infobip" "A number that another campaign has in review, or that the account does not own, is refused with 400. The numbers of a campaign cannot be changed.";
    InfobipReasons "infobip-reasons" "infobip" "In `rejectionDetails`, `errorCode` is the code of Twilio for the same reason, and `recommendedAction` is the finding of tollproof.";
    InfobipEvents "infobip-events" "infobip" "Events go to `--webhook` only, and are not signed. `rejectionReasons` has the titles separated by semicolons; `rejectionDetails` is as in the campaign.";
    PlivoErrors "plivo-errors" "plivo" "The texts of errors. What is invalid is refused with 400, and only the first error is named. Success is 200, 201 after a purchase, 202 after a submission and an update, and 204 after a deletion.";
    PlivoNumbers "plivo-numbers" "plivo" "A number that is not available is refused with 400. The rates of a number.";
    PlivoProfiles "plivo-profiles" "plivo" "Any `profile_uuid` is accepted: the sandbox has no profiles, so nothing in them is reviewed.";
    PlivoDuplicate "plivo-duplicate" "plivo" "A second submission of a number is refused with 409 until the first is deleted; a number that the account does not own is refused with 400.";
    PlivoReview "plivo-review" "plivo" "A review with reasons ends as `UPDATE_REQUIRED`, and as `REJECTED` if nothing is updated for 6 days. Of several reasons, `error_message` has the first one.";
    PlivoEvents "plivo-events" "plivo" "A callback is a form with `uuid`, `number`, `status` and `error_message`, signed as the SDK checks it. None is sent when the time for an update has passed.";
}
