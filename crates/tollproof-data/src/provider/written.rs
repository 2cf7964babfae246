//! Ways in which people write the values of fields in notes, by the role of the field.

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenValue {
    Url,
    Urls,
    Email,
    Phone,
    Registration,
    Volume,
    Choice,
    Name,
    /// Sentences.
    Text,
}

/// A person with an e-mail address and a phone number, in one line.
pub const CONTACT: &str = "businessContactName";

/// The parts of that line.
pub const CONTACT_PARTS: [&str; 4] =
    ["businessContactEmail", "businessContactPhone", "businessContactFirstName", "businessContactLastName"];

/// The parts of an address in one line.
pub const ADDRESS_PARTS: [&str; 5] =
    ["businessAddr1", "businessCity", "businessState", "businessZip", "businessCountry"];

pub const REGISTRATION_NUMBER: &str = "registrationNumber";
pub const REGISTRATION_TYPE: &str = "registrationType";
pub const SUMMARY: &str = "useCaseSummary";
pub const CONSENT: &str = "optInWorkflowDescription";
pub const CONSENT_WAY: &str = "optInType";
pub const SAMPLE: &str = "productionMessageContent";
pub const NUMBERS: &str = "phoneNumbers";
pub const USE_CASE: &str = "useCase";
pub const EDIT_REASON: &str = "editReason";
pub const AGE: &str = "ageGated";
pub const RESELLER: &str = "isvReseller";

/// The roles that only a submission has; a draft has some of them.
pub const CORE: [&str; 6] = [SAMPLE, CONSENT, "messageVolume", USE_CASE, CONSENT_WAY, SUMMARY];

/// Those of them that are only asked of who sends messages.
pub const TELLING: [&str; 4] = [SAMPLE, CONSENT, CONSENT_WAY, SUMMARY];

/// The roles of which a draft has one, and a guide has none.
pub const SOMEBODY: [&str; 9] = [
    "businessName",
    "corporateWebsite",
    "businessContactEmail",
    "businessContactPhone",
    "notificationEmail",
    NUMBERS,
    "optInWorkflowImageURLs",
    "privacyPolicyUrl",
    "termsUrl",
];

/// The form of the value of a field.
pub fn written_as(role: &str) -> WrittenValue {
    match role {
        "optInWorkflowImageURLs" => WrittenValue::Urls,
        NUMBERS => WrittenValue::Phone,
        "registrationNumber" => WrittenValue::Registration,
        "messageVolume" => WrittenValue::Volume,
        USE_CASE
        | CONSENT_WAY
        | "entityType"
        | "registrationType"
        | "registrationCountry"
        | "businessCountry"
        | "businessState"
        | AGE
        | "optInKeywords" => WrittenValue::Choice,
        SUMMARY
        | SAMPLE
        | CONSENT
        | "additionalInformation"
        | "helpMessage"
        | "optInConfirmation"
        | EDIT_REASON => WrittenValue::Text,
        _ if role.ends_with("Url") || role.ends_with("Website") => WrittenValue::Url,
        _ if role.ends_with("Email") => WrittenValue::Email,
        _ if role.ends_with("Phone") => WrittenValue::Phone,
        _ => WrittenValue::Name,
    }
}
