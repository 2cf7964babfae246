//! The roles that code refers to: the meaning of a field in any provider. `schemas/roles.yaml` lists all roles.

/// The legal name of the business.
pub const BUSINESS_NAME: &str = "businessName";
/// Another name under which customers know the business.
pub(crate) const DOING_BUSINESS_AS: &str = "doingBusinessAs";
/// The city of the business.
pub(crate) const BUSINESS_CITY: &str = "businessCity";
/// The state or province of the business.
pub(crate) const BUSINESS_STATE: &str = "businessState";
/// The postal code of the business.
pub(crate) const BUSINESS_ZIP: &str = "businessZip";
/// The country of the business.
pub(crate) const BUSINESS_COUNTRY: &str = "businessCountry";
/// The website of the business.
pub(crate) const CORPORATE_WEBSITE: &str = "corporateWebsite";
/// Additional information for reviewers.
pub(crate) const ADDITIONAL_INFORMATION: &str = "additionalInformation";
/// The number of the business in a public register.
pub(crate) const REGISTRATION_NUMBER: &str = "registrationNumber";
/// The contact's e-mail address.
pub(crate) const CONTACT_EMAIL: &str = "businessContactEmail";
/// The way people agree to messages.
pub(crate) const OPT_IN_DESCRIPTION: &str = "optInWorkflowDescription";
/// Pictures of how people agree, or pages on which they do.
pub(crate) const OPT_IN_IMAGES: &str = "optInWorkflowImageURLs";
/// The page on which people agree.
pub(crate) const OPT_IN_URL: &str = "optInUrl";
/// The privacy policy.
pub(crate) const PRIVACY_POLICY_URL: &str = "privacyPolicyUrl";
/// The terms.
pub(crate) const TERMS_URL: &str = "termsUrl";
/// The purpose of the messages, in the applicant's words.
pub(crate) const USE_CASE_SUMMARY: &str = "useCaseSummary";
/// The purpose of the messages, as a value of a list.
pub(crate) const USE_CASE: &str = "useCase";
/// An example of the messages that the number sends.
pub(crate) const SAMPLE_MESSAGE: &str = "productionMessageContent";
/// The toll-free numbers of a submission.
pub const PHONE_NUMBERS: &str = "phoneNumbers";
/// The id of a record.
pub(crate) const ID: &str = "id";
/// The status of the review.
pub(crate) const STATUS: &str = "status";
/// The reviewers' answer, as an object.
pub(crate) const STATUS_MESSAGE: &str = "statusMessage";
/// The reviewers' code.
pub(crate) const STATUS_CODE: &str = "statusCode";
/// The reason why a submission was rejected.
pub(crate) const DECLINE_REASON: &str = "declineReason";
/// Whether a rejected submission may be sent again.
pub(crate) const RESUBMIT_ALLOWED: &str = "resubmitAllowed";
/// Whether a rejected submission may be edited and sent again.
pub(crate) const EDIT_ALLOWED: &str = "editAllowed";
/// Until when a rejected submission may be edited.
pub(crate) const EDIT_EXPIRATION: &str = "editExpiration";
/// The reviewers' message.
pub(crate) const REVIEWER_MESSAGE: &str = "reviewerMessage";
/// The time of the record's last change.
pub(crate) const UPDATED_AT: &str = "updatedAt";
/// The number of results of a search.
pub(crate) const LIMIT: &str = "limit";
/// The type of number that a search looks for.
pub(crate) const TYPE: &str = "type";
/// The error code of a refused request.
pub(crate) const CODE: &str = "code";
/// The error message of a refused request.
pub(crate) const MESSAGE: &str = "message";
/// The errors of a refused request, by field.
pub(crate) const DETAILS: &str = "details";
/// The words that people send to opt in.
pub(crate) const OPT_IN_KEYWORDS: &str = "optInKeywords";
/// The identifier of the business at the provider.
pub(crate) const PROFILE_ID: &str = "profileId";
/// The way people opt in, as a value of a list.
pub(crate) const OPT_IN_TYPE: &str = "optInType";
