//! Roles that code asks for by name: what a field means, whatever a provider calls it. All of them are in `schemas/roles.yaml`.

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
/// How people agree to get messages.
pub const OPT_IN_WORKFLOW_DESCRIPTION: &str = "optInWorkflowDescription";
/// What reviewers should know beside all that.
pub const ADDITIONAL_INFORMATION: &str = "additionalInformation";
/// The toll-free numbers that a submission is about.
pub const PHONE_NUMBERS: &str = "phoneNumbers";
/// The identifier of a record.
pub const ID: &str = "id";
/// Where the review stands.
pub const STATUS: &str = "status";
/// What the reviewers said, as an object.
pub const STATUS_MESSAGE: &str = "statusMessage";
/// The reviewers' code.
pub const STATUS_CODE: &str = "statusCode";
/// Why a submission was declined.
pub const DECLINE_REASON: &str = "declineReason";
/// Whether a rejected submission may be sent again.
pub const RESUBMIT_ALLOWED: &str = "resubmitAllowed";
/// What the reviewers ask for.
pub const REVIEWER_MESSAGE: &str = "reviewerMessage";
/// When a record was last changed.
pub const UPDATED_AT: &str = "updatedAt";
/// How many numbers a search returns.
pub const LIMIT: &str = "limit";
/// The type of number that a search looks for.
pub const TYPE: &str = "type";
/// The code of a refused request.
pub const CODE: &str = "code";
/// The words of a refused request.
pub const MESSAGE: &str = "message";
/// What is wrong with a refused request, field by field.
pub const DETAILS: &str = "details";
