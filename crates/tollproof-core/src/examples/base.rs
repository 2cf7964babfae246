//! Clean documents of every kind: what partial examples of rules are completed from.

use serde_json::{Value, json};

use crate::provider::kind::Kind;

/// The number that the clean documents name.
pub(crate) const NUMBER: &str = "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9";

/// A document of a kind in which no rule that is on by default finds anything.
#[must_use]
pub fn of(kind: Kind) -> Value {
    let mut business = business();
    let mut with = |fields: Value| {
        if let (Value::Object(all), Value::Object(more)) = (&mut business, fields) {
            all.extend(more);
        }
        business.clone()
    };
    match kind {
        Kind::SubmitRequest => with(json!({
            "organizationId": "3f0c2f5e-6b0d-4a5e-9d0e-5d8f1c7a2b11",
            "workspaceId": "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
            "phoneNumbers": [NUMBER],
            "testMode": false,
        })),
        Kind::UpdateRequest => with(json!({
            "organizationId": "3f0c2f5e-6b0d-4a5e-9d0e-5d8f1c7a2b11",
            "testMode": false,
        })),
        Kind::VerificationRecord => json!({
            "id": "0f9e8d7c-6b5a-4948-8776-655443322110",
            "organizationId": "3f0c2f5e-6b0d-4a5e-9d0e-5d8f1c7a2b11",
            "workspaceId": "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
            "verificationRequestId": "HX-20931",
            "phoneNumbers": [NUMBER],
            "verificationRequestData": business,
            "status": "submitted",
            "statusMessage": {"StatusCode": "", "DeclineReasonDescription": "", "ResubmitAllowed": "", "Message": ""},
            "testMode": false,
            "createdAt": "2026-11-02T09:30:00.000Z",
            "updatedAt": "2026-11-02T09:30:00.000Z",
        }),
        Kind::NumberPurchase => json!({"numbers": [{"number": "+18334726150", "country": "US"}]}),
        Kind::NumberSearch => json!({"limit": 1, "country": "US", "type": "tollfree"}),
        Kind::ErrorResponse => {
            json!({"code": "invalid", "message": "The submission is invalid.", "details": {"businessZip": ["is blank"]}})
        }
    }
}

fn business() -> Value {
    json!({
        "businessName": "Quillback Kayak Tours LLC",
        "businessAddr1": "214 Water Street",
        "businessAddr2": "Suite 3",
        "businessZip": "04101",
        "businessCity": "Portland",
        "businessState": "ME",
        "businessCountry": "US",
        "businessContactFirstName": "Irene",
        "businessContactLastName": "Castellano",
        "businessContactEmail": "irene.castellano@quillbackkayak.com",
        "businessContactPhone": "+12077724831",
        "corporateWebsite": "https://www.quillbackkayak.com",
        "messageVolume": "1,000",
        "useCase": "Booking Confirmations",
        "useCaseSummary": "Quillback Kayak Tours guides day trips in Casco Bay. Guests who booked a trip and ticked the text box get their confirmation, a reminder the evening before and word of a change in weather. About 3 messages per trip, nothing promotional.",
        "productionMessageContent": "Quillback Kayak Tours: your harbor trip is on for Sat June 6 at 9:00 AM, pier 2. Msg & data rates may apply. Reply STOP to opt out, HELP for help.",
        "optInWorkflowDescription": "Guests book at https://www.quillbackkayak.com/book. Under the phone field stands an optional checkbox, unchecked by default: \"Text me about my trip from Quillback Kayak Tours. About 3 messages per trip. Message and data rates may apply. Reply STOP to opt out, HELP for help.\" The box is separate from the terms of the booking and not required to book. Text terms and privacy policy are linked beside it.",
        "optInWorkflowImageURLs": ["https://www.quillbackkayak.com/images/booking-text-box.png"],
        "additionalInformation": "EIN 01-4472910. Privacy policy: https://www.quillbackkayak.com/privacy. Mobile numbers are not shared with third parties.",
        "isvReseller": "",
    })
}
