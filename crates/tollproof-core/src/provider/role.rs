//! The roles that code refers to: the meaning of a field in any provider. `schemas/roles.yaml` lists all roles.

/// The legal name of the business.
pub const BUSINESS_NAME: &str = "businessName";
/// The state or province of the business.
pub const BUSINESS_STATE: &str = "businessState";
/// The postal code of the business.
pub const BUSINESS_ZIP: &str = "businessZip";
/// The country of the business.
pub const BUSINESS_COUNTRY: &str = "businessCountry";
/// The website of the business.
pub const CORPORATE_WEBSITE: &str = "corporateWebsite";
/// How people opt in to messages.
pub const OPT_IN_WORKFLOW_DESCRIPTION: &str = "optInWorkflowDescription";
/// Additional information for reviewers.
pub const ADDITIONAL_INFORMATION: &str = "additionalInformation";
/// The toll-free numbers of a submission.
pub const PHONE_NUMBERS: &str = "phoneNumbers";
/// The id of a record.
pub const ID: &str = "id";
/// The status of the review.
pub const STATUS: &str = "status";
/// The reviewers' answer, as an object.
pub const STATUS_MESSAGE: &str = "statusMessage";
/// The reviewers' code.
pub const STATUS_CODE: &str = "statusCode";
/// The reason why a submission was rejected.
pub const DECLINE_REASON: &str = "declineReason";
/// Whether a rejected submission may be sent again.
pub const RESUBMIT_ALLOWED: &str = "resubmitAllowed";
/// The reviewers' message.
pub const REVIEWER_MESSAGE: &str = "reviewerMessage";
/// When the record was last changed.
pub const UPDATED_AT: &str = "updatedAt";
/// How many numbers a search returns.
pub const LIMIT: &str = "limit";
/// The type of number that a search looks for.
pub const TYPE: &str = "type";
/// The error code of a refused request.
pub const CODE: &str = "code";
/// The error message of a refused request.
pub const MESSAGE: &str = "message";
/// The errors of a refused request, by field.
pub const DETAILS: &str = "details";
