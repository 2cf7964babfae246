//! The providers, as a client sees them: which request is which call, and what their numbers, records, lists and errors look like.
//!
//! Written from what the vendors publish, and not from the sandbox, so that a mistake of one of the two shows.

use serde_json::{Map, Value, json};

use super::world::{Filing, Number, State};

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Login,
    Search,
    Buy,
    Owned,
    /// A submission that is not sent yet.
    Create,
    /// A field or a picture of one.
    Prepare,
    Associate,
    Submit,
    /// Submissions, filtered or all.
    List,
    Fetch,
    /// Changes a submission.
    Update,
    /// Makes it a draft again.
    Reopen,
    Delete,
}

/// A provider.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) account: &'static str,
    /// Method, path below the sandbox's own, and what it asks for; at AWS the path is the name of the call.
    pub(super) routes: &'static [(&'static str, &'static str, Op)],
    /// A status as a draft, under review, rejected and approved.
    pub(super) statuses: [&'static str; 4],
    /// The members that are ids.
    pub(super) ids: &'static [&'static str],
    /// The list of submissions.
    pub(super) list: &'static str,
}

/// The account of somebody else.
pub(super) const OTHER_ACCOUNT: &str = "AC99999999999999999999999999999999";

pub(super) const SHAPES: [Shape; 7] = [
    Shape {
        name: "bird",
        account: "b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b",
        routes: &[
            ("GET", "/bird/workspaces/{}/numbers-available", Op::Search),
            ("POST", "/bird/workspaces/{}/numbers", Op::Buy),
            ("GET", "/bird/workspaces/{}/numbers", Op::Owned),
            ("POST", "/bird/workspaces/{}/toll-free-verifications", Op::Submit),
            ("GET", "/bird/workspaces/{}/toll-free-verifications", Op::List),
            ("GET", "/bird/workspaces/{}/toll-free-verifications/{}", Op::Fetch),
            ("PUT", "/bird/workspaces/{}/toll-free-verifications/{}", Op::Update),
        ],
        statuses: ["draft", "submitted", "Rejected", "Verified"],
        ids: &["id"],
        list: "results",
    },
    Shape {
        name: "twilio",
        account: "AC5a6d0b0c7e1f4d2a9b3c8e7f60718293",
        routes: &[
            ("GET", "/twilio/api/2010-04-01/Accounts/{}/AvailablePhoneNumbers/{}/TollFree.json", Op::Search),
            ("POST", "/twilio/api/2010-04-01/Accounts/{}/IncomingPhoneNumbers.json", Op::Buy),
            ("GET", "/twilio/api/2010-04-01/Accounts/{}/IncomingPhoneNumbers.json", Op::Owned),
            ("POST", "/twilio/messaging/v1/Tollfree/Verifications", Op::Submit),
            ("GET", "/twilio/messaging/v1/Tollfree/Verifications", Op::List),
            ("GET", "/twilio/messaging/v1/Tollfree/Verifications/{}", Op::Fetch),
            ("POST", "/twilio/messaging/v1/Tollfree/Verifications/{}", Op::Update),
            ("DELETE", "/twilio/messaging/v1/Tollfree/Verifications/{}", Op::Delete),
        ],
        statuses: ["DRAFT", "PENDING_REVIEW", "TWILIO_REJECTED", "TWILIO_APPROVED"],
        ids: &["sid"],
        list: "verifications",
    },
    Shape {
        name: "telnyx",
        account: "",
        routes: &[
            ("GET", "/telnyx/v2/available_phone_numbers", Op::Search),
            ("POST", "/telnyx/v2/number_orders", Op::Buy),
            ("GET", "/telnyx/v2/number_orders", Op::Owned),
            ("POST", "/telnyx/v2/messaging_tollfree/verification/requests", Op::Submit),
            ("GET", "/telnyx/v2/messaging_tollfree/verification/requests", Op::List),
            ("GET", "/telnyx/v2/messaging_tollfree/verification/requests/{}", Op::Fetch),
            ("PATCH", "/telnyx/v2/messaging_tollfree/verification/requests/{}", Op::Update),
            ("DELETE", "/telnyx/v2/messaging_tollfree/verification/requests/{}", Op::Delete),
        ],
        statuses: ["draft", "In Progress", "Rejected", "Verified"],
        ids: &["id"],
        list: "records",
    },
    Shape {
        name: "aws",
        account: "",
        routes: &[
            ("POST", "RequestPhoneNumber", Op::Buy),
            ("POST", "DescribePhoneNumbers", Op::Owned),
            ("POST", "CreateRegistration", Op::Create),
            ("POST", "CreateRegistrationAssociation", Op::Associate),
            ("POST", "CreateRegistrationAttachment", Op::Prepare),
            ("POST", "PutRegistrationFieldValue", Op::Prepare),
            ("POST", "SubmitRegistrationVersion", Op::Submit),
            ("POST", "DescribeRegistrations", Op::List),
            ("POST", "DescribeRegistrationVersions", Op::Fetch),
            ("POST", "CreateRegistrationVersion", Op::Reopen),
            ("POST", "DeleteRegistration", Op::Delete),
        ],
        statuses: ["DRAFT", "SUBMITTED", "DENIED", "APPROVED"],
        ids: &["RegistrationId", "PhoneNumberId", "RegistrationAttachmentId"],
        list: "Registrations",
    },
    Shape {
        name: "bandwidth",
        account: "9900000",
        routes: &[
            ("POST", "/bandwidth/api/v1/oauth2/token", Op::Login),
            ("GET", "/bandwidth/api/v2/accounts/{}/availableNumbers", Op::Search),
            ("POST", "/bandwidth/api/v2/accounts/{}/orders", Op::Buy),
            ("POST", "/bandwidth/api/v2/accounts/{}/tollFreeVerification", Op::Submit),
            ("GET", "/bandwidth/api/v2/accounts/{}/phoneNumbers/{}/tollFreeVerification", Op::Fetch),
            ("PUT", "/bandwidth/api/v2/accounts/{}/phoneNumbers/{}/tollFreeVerification", Op::Update),
            ("DELETE", "/bandwidth/api/v2/accounts/{}/phoneNumbers/{}/tollFreeVerification", Op::Delete),
        ],
        statuses: ["DRAFT", "PENDING", "UNVERIFIED", "VERIFIED"],
        ids: &["internalTicketNumber"],
        list: "",
    },
    Shape {
        name: "infobip",
        account: "",
        routes: &[
            ("GET", "/infobip/numbers/1/numbers/available", Op::Search),
            ("POST", "/infobip/numbers/1/numbers", Op::Buy),
            ("GET", "/infobip/numbers/1/numbers", Op::Owned),
            ("POST", "/infobip/number-registration/1/campaigns/toll-free", Op::Create),
            ("POST", "/infobip/number-registration/1/campaigns/{}/register", Op::Submit),
            ("GET", "/infobip/number-registration/1/campaigns", Op::List),
            ("GET", "/infobip/number-registration/1/campaigns/{}", Op::Fetch),
            ("PUT", "/infobip/number-registration/1/campaigns/{}", Op::Reopen),
            ("DELETE", "/infobip/number-registration/1/campaigns/{}", Op::Delete),
        ],
        statuses: ["DRAFT", "SUBMITTED_FOR_REVIEW", "REJECTED", "REGISTERED"],
        ids: &["id", "numberKey"],
        list: "results",
    },
    Shape {
        name: "plivo",
        account: "MASANDBOX00000000000",
        routes: &[
            ("GET", "/plivo/v1/Account/{}/PhoneNumber/", Op::Search),
            ("POST", "/plivo/v1/Account/{}/PhoneNumber/{}/", Op::Buy),
            ("GET", "/plivo/v1/Account/{}/Number/", Op::Owned),
            ("POST", "/plivo/v1/Account/{}/TollfreeVerification/", Op::Submit),
            ("GET", "/plivo/v1/Account/{}/TollfreeVerification/", Op::List),
            ("GET", "/plivo/v1/Account/{}/TollfreeVerification/{}/", Op::Fetch),
            ("POST", "/plivo/v1/Account/{}/TollfreeVerification/{}/", Op::Update),
            ("DELETE", "/plivo/v1/Account/{}/TollfreeVerification/{}/", Op::Delete),
        ],
        statuses: ["DRAFT", "SUBMITTED", "UPDATE_REQUIRED", "APPROVED"],
        ids: &["uuid"],
        list: "objects",
    },
];

/// A status and a body. Null is an empty body, and text is XML.
pub(super) type Reply = (u16, Value);

impl Shape {
    /// Whether it has a call, as its client has it.
    pub(super) fn has(&self, op: Op) -> bool {
        self.routes.iter().any(|route| route.2 == op)
    }

    /// An id of the provider's form.
    pub(super) fn id(&self, prefix: &str, at: u64) -> String {
        match self.name {
            "twilio" => format!("{prefix}{at:032x}"),
            "aws" => format!("{}-{at:032x}", if prefix == "PN" { "phone" } else { "registration" }),
            _ => format!("{:08x}-1111-4222-8333-{at:012x}", at + if prefix == "PN" { 0x1000 } else { 0 }),
        }
    }

    /// A submission as the provider returns it.
    pub(super) fn record(&self, filing: &Filing) -> Value {
        let status = self.statuses[filing.state as usize];
        let (id, number) = (&filing.id, &filing.number);
        let (created, updated) = (filing.created.to_string(), filing.updated.to_string());
        let is_rejected = filing.state == State::Rejected;
        let with = |added: Value| {
            let mut record = filing.fields.clone();
            record.as_object_mut().expect("drafts are objects").extend(object(added));
            record
        };
        match self.name {
            "bird" => json!({
                "id": id, "organizationId": "3f0c2f5e-6b0d-4a5e-9d0e-5d8f1c7a2b11", "workspaceId": self.account,
                "verificationRequestId": format!("HX-{id}"), "phoneNumbers": [number.id],
                "verificationRequestData": filing.fields, "status": status, "testMode": false,
                "statusMessage": {
                    "StatusCode": "", "DeclineReasonDescription": "", "Message": "",
                    "ResubmitAllowed": if is_rejected { "true" } else { "" },
                },
                "createdAt": created, "updatedAt": updated,
            }),
            "twilio" => {
                let snake = |(name, value): (String, Value)| (snake_case(&name), value);
                let mut record: Map<String, Value> =
                    object(filing.fields.clone()).into_iter().map(snake).collect();
                record.extend(object(json!({
                    "sid": id, "account_sid": self.account, "status": status,
                    "tollfree_phone_number_sid": number.id, "tollfree_phone_number": number.e164,
                    "date_created": created, "date_updated": updated,
                    "rejection_reason": null, "error_code": null, "rejection_reasons": null,
                    "edit_allowed": is_rejected.then_some(true), "edit_expiration": null,
                })));
                record.into()
            }
            "telnyx" => with(json!({
                "id": id, "verificationRequestId": id, "verificationStatus": status, "reason": null,
                "createdAt": created, "updatedAt": updated,
            })),
            "aws" => json!({
                "RegistrationArn": format!("arn:aws:sms-voice:us-west-2:1:registration/{id}"),
                "RegistrationId": id, "RegistrationVersions": [self.version(filing)],
            }),
            "bandwidth" => json!({
                "phoneNumber": number.e164, "status": status, "internalTicketNumber": id,
                "declineReasonDescription": "", "resubmitAllowed": is_rejected,
                "createdDateTime": created, "modifiedDateTime": updated, "submission": filing.fields,
            }),
            "infobip" => with(json!({
                "id": id, "stage": status, "numberKeys": [number.id], "createdDate": created, "lastModifiedDate": updated,
            })),
            _ => with(json!({
                "uuid": id, "status": status, "created": created, "last_modified": updated, "error_message": "",
            })),
        }
    }

    /// A version of a registration of AWS.
    fn version(&self, filing: &Filing) -> Value {
        let seconds = |time: jiff::Timestamp| json!(time.as_millisecond() as f64 / 1000.0);
        let mut times = json!({ "DraftTimestamp": seconds(filing.created) });
        let last = ["Draft", "Submitted", "Denied", "Approved"][filing.state as usize];
        times[format!("{last}Timestamp")] = seconds(filing.updated);
        json!({
            "VersionNumber": filing.version, "RegistrationVersionStatus": self.statuses[filing.state as usize],
            "RegistrationVersionStatusHistory": times,
        })
    }

    /// The answer to a request that takes a submission, or changes one.
    pub(super) fn taken(&self, op: Op, filing: &Filing) -> Reply {
        let plivo =
            |message: &str| json!({ "api_id": filing.id.replace("1111", "aaaa"), "message": message });
        match (self.name, op) {
            ("twilio", Op::Submit) | ("bird", Op::Submit) | ("infobip", Op::Create) => {
                (201, self.record(filing))
            }
            ("twilio", _) => (202, self.record(filing)),
            ("bandwidth", _) | ("infobip", Op::Submit) => (202, Value::Null),
            ("plivo", Op::Submit) => {
                let mut answer = plivo("Tollfree verification request submitted.");
                answer["uuid"] = json!(filing.id);
                (202, answer)
            }
            ("plivo", _) => (202, plivo("Tollfree verification updated.")),
            ("aws", Op::Create) => (
                200,
                json!({ "RegistrationId": filing.id, "RegistrationStatus": "CREATED", "CurrentVersionNumber": 1 }),
            ),
            ("aws", Op::Associate) => (
                200,
                json!({ "RegistrationId": filing.id, "ResourceId": filing.number.id, "PhoneNumber": filing.number.e164 }),
            ),
            ("aws", _) => {
                let mut answer = self.version(filing);
                answer["RegistrationId"] = json!(filing.id);
                (200, answer)
            }
            _ => (200, self.record(filing)),
        }
    }

    /// A page of submissions, with what says where the next one is.
    pub(super) fn page(&self, records: Vec<Value>, at: usize, total: usize, path: &str) -> Value {
        let next = at + records.len();
        let more = next < total;
        let mut answer = json!({ self.list: records });
        let added = match self.name {
            "twilio" => {
                let url = format!("{path}?PageSize=1000&Page=1&PageToken={next}");
                json!({ "meta": { "page_size": 1000, "next_page_url": more.then_some(url), "key": self.list } })
            }
            "bird" => json!({ "nextPageToken": more.then(|| next.to_string()) }),
            "telnyx" => json!({ "total_records": total }),
            "aws" => json!({ "NextToken": more.then(|| next.to_string()) }),
            "infobip" => json!({ "paging": { "page": at, "size": 100, "totalResults": total } }),
            _ => {
                let url = path.find("/v1/").map(|from| format!("{}?limit=20&offset={next}", &path[from..]));
                json!({ "meta": { "limit": 20, "offset": at, "next": url.filter(|_| more), "total_count": total } })
            }
        };
        answer.as_object_mut().expect("it is one").extend(object(added));
        answer
    }

    /// Numbers of the account, or those for sale.
    pub(super) fn numbers(&self, numbers: &[&Number], is_search: bool) -> Value {
        let digits = |number: &Number| number.e164.trim_start_matches('+').to_owned();
        let all = |entry: &dyn Fn(&Number) -> Value| -> Value {
            numbers.iter().map(|number| entry(number)).collect()
        };
        match (self.name, is_search) {
            ("twilio", true) => {
                json!({ "available_phone_numbers": all(&|one| json!({ "phone_number": one.e164, "iso_country": "US" })) })
            }
            ("twilio", false) => json!({
                "incoming_phone_numbers": all(&|one| json!({ "sid": one.id, "account_sid": self.account, "phone_number": one.e164 })),
                "next_page_uri": null,
            }),
            ("bird", true) => {
                json!({ "results": all(&|one| json!({ "number": one.e164, "country": "US", "type": "tollfree" })) })
            }
            ("bird", false) => {
                json!({ "results": all(&|one| json!({ "id": one.id, "number": one.e164, "numberString": one.e164, "country": "US" })) })
            }
            ("telnyx", true) => {
                json!({ "data": all(&|one| json!({ "phone_number": one.e164, "record_type": "available_phone_number" })) })
            }
            ("telnyx", false) => json!({ "data": all(&|one| self.order(one)), "meta": {} }),
            ("bandwidth", _) => {
                let each = |one: &&Number| format!("<TelephoneNumber>{}</TelephoneNumber>", &one.e164[2..]);
                let list: String = numbers.iter().map(each).collect();
                json!(format!(
                    "<?xml version=\"1.0\"?><SearchResult><ResultCount>{}</ResultCount><TelephoneNumberList>{list}</TelephoneNumberList></SearchResult>",
                    numbers.len()
                ))
            }
            ("infobip", _) => {
                json!({ "numbers": all(&|one| json!({ "numberKey": one.id, "number": digits(one), "country": "US" })), "numberCount": numbers.len() })
            }
            ("aws", _) => json!({ "PhoneNumbers": all(&|one| json!({
                "PhoneNumberId": one.id, "PhoneNumber": one.e164, "Status": "PENDING", "RegistrationId": one.registration,
            })) }),
            _ => json!({
                "objects": all(&|one| json!({ "number": digits(one), "type": "tollfree", "monthly_rental_rate": "1.00" })),
                "meta": { "limit": 20, "offset": 0, "next": null, "total_count": numbers.len() },
            }),
        }
    }

    fn order(&self, number: &Number) -> Value {
        json!({
            "id": number.id.replace("1111", "bbbb"), "status": "success", "customer_reference": number.token,
            "phone_numbers": [{ "id": number.id, "phone_number": number.e164, "status": "success" }],
        })
    }

    /// The answer to a purchase.
    pub(super) fn bought(&self, number: &Number) -> Reply {
        match self.name {
            "twilio" => {
                (201, json!({ "sid": number.id, "account_sid": self.account, "phone_number": number.e164 }))
            }
            "telnyx" => (200, json!({ "data": self.order(number) })),
            "aws" => {
                (200, json!({ "PhoneNumberId": number.id, "PhoneNumber": number.e164, "Status": "PENDING" }))
            }
            "bandwidth" => {
                let (digits, token) = (&number.e164[2..], &number.token);
                (
                    201,
                    json!(format!(
                        "<?xml version=\"1.0\"?><OrderResponse><CompletedQuantity>1</CompletedQuantity><Order><CustomerOrderId>{token}</CustomerOrderId></Order><OrderStatus>COMPLETE</OrderStatus><CompletedNumbers><TelephoneNumber><FullNumber>{digits}</FullNumber></TelephoneNumber></CompletedNumbers></OrderResponse>"
                    )),
                )
            }
            "infobip" => {
                (200, json!({ "numberKey": number.id, "number": number.e164.trim_start_matches('+') }))
            }
            "plivo" => (
                201,
                json!({
                    "api_id": "0", "message": "created", "status": "fulfilled",
                    "numbers": [{ "number": number.e164.trim_start_matches('+'), "status": "Success" }],
                }),
            ),
            _ => (201, self.numbers(&[number], false)),
        }
    }

    /// An error of the provider.
    pub(super) fn error(&self, status: u16) -> Reply {
        let said = format!("Refused with status {status}.");
        let body = match self.name {
            "twilio" => json!({ "code": 20000 + status, "message": said, "more_info": "", "status": status }),
            "telnyx" => json!({ "errors": [{ "code": "10000", "title": "Error", "detail": said }] }),
            "aws" => {
                let kind = match status {
                    401 | 403 => "AccessDeniedException",
                    404 => "ResourceNotFoundException",
                    409 => "ConflictException",
                    429 => "ThrottlingException",
                    500.. => "InternalServerException",
                    _ => "ValidationException",
                };
                json!({ "__type": format!("com.amazonaws.pinpointsmsvoicev2#{kind}"), "Message": said })
            }
            "bandwidth" => json!({ "type": "error", "description": said }),
            "infobip" => {
                json!({ "requestError": { "violations": [{ "property": "x", "violation": said }] } })
            }
            "plivo" => json!({ "api_id": "0", "error": said }),
            _ => json!({ "code": "error", "message": said }),
        };
        (status, body)
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
