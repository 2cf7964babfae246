//! A provider's records and its ledger: everything that is asked for is taken, also twice, so that doubles show.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::provider::{Op, Reply, Shape};

/// A number; it is the account's once it was bought.
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    pub(super) e164: String,
    pub(super) id: String,
    /// The token that it was bought with.
    pub(super) token: String,
    pub(super) is_owned: bool,
    /// The submission of it.
    pub(super) registration: Option<String>,
}

/// The state of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Draft,
    Open,
    Rejected,
    Approved,
}

/// A submission.
#[derive(Clone, Debug)]
pub(super) struct Filing {
    pub(super) id: String,
    pub(super) number: Number,
    pub(super) fields: Value,
    pub(super) state: State,
    pub(super) version: u32,
    pub(super) created: Timestamp,
    pub(super) updated: Timestamp,
    /// The token that it was made with.
    pub(super) token: String,
}

/// An effect of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) op: Op,
    /// In E.164.
    pub(super) number: String,
    pub(super) id: String,
}

/// A request, read.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) op: Op,
    /// The name of the request in tables.
    pub(super) label: String,
    /// The last part of the path that is not fixed.
    pub(super) named: String,
    pub(super) query: BTreeMap<String, String>,
    pub(super) body: Value,
    /// Its address, without the query.
    pub(super) url: String,
}

/// The provider's side.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) numbers: Vec<Number>,
    pub(super) filings: Vec<Filing>,
    pub(super) effects: Vec<Effect>,
    pub(super) asked: Vec<String>,
    count: u64,
}

/// The number of submissions on a page.
const PAGE: usize = 2;

impl World {
    /// The account's numbers and those for sale.
    pub(super) fn new(shape: &Shape, owned: &[&str], for_sale: &[&str]) -> Self {
        let mut world = Self {
            numbers: Vec::new(),
            filings: Vec::new(),
            effects: Vec::new(),
            asked: Vec::new(),
            count: 0,
        };
        for (numbers, is_owned) in [(owned, true), (for_sale, false)] {
            for number in numbers {
                let id = world.next_id(shape, "PN");
                world.numbers.push(Number { e164: (*number).to_owned(), id, is_owned, ..Number::default() });
            }
        }
        world
    }

    fn next_id(&mut self, shape: &Shape, prefix: &str) -> String {
        self.count += 1;
        shape.id(prefix, self.count)
    }

    pub(super) fn number(&self, e164: &str) -> &Number {
        self.numbers.iter().find(|number| number.e164 == e164).expect("it is one of them")
    }

    /// The submissions of a number.
    pub(super) fn filings_of(&self, e164: &str) -> Vec<&Filing> {
        self.filings.iter().filter(|filing| filing.number.e164 == e164).collect()
    }

    /// The number of times that something was done to a number.
    pub(super) fn count(&self, op: Op, e164: &str) -> usize {
        self.effects.iter().filter(|effect| effect.op == op && effect.number == e164).count()
    }

    /// Somebody submits a number in the console.
    pub(super) fn file(&mut self, shape: &Shape, e164: &str, fields: Value, state: State) {
        let id = self.next_id(shape, "HH");
        let now = Timestamp::now();
        self.numbers
            .iter_mut()
            .filter(|number| number.e164 == e164)
            .for_each(|number| number.registration = Some(id.clone()));
        let number = self.number(e164).clone();
        let token = String::new();
        self.filings.push(Filing {
            id,
            number,
            fields,
            state,
            version: 1,
            created: now,
            updated: now,
            token,
        });
    }

    /// Reviewers decide about the submissions of a number.
    pub(super) fn decide(&mut self, e164: &str, state: State) {
        for filing in self.filings.iter_mut().filter(|filing| filing.number.e164 == e164) {
            (filing.state, filing.updated) = (state, Timestamp::now());
        }
    }

    /// Does what a request asks for, and writes it down.
    pub(super) fn answer(&mut self, shape: &Shape, call: &Call) -> Reply {
        match call.op {
            Op::Login => {
                (200, json!({ "access_token": "sandbox-token", "expires_in": 3600, "token_type": "Bearer" }))
            }
            Op::Search => {
                let for_sale: Vec<&Number> = self.numbers.iter().filter(|number| !number.is_owned).collect();
                (200, shape.numbers(&for_sale, true))
            }
            Op::Buy => self.buy(shape, call),
            Op::Owned => {
                let wanted = ["PhoneNumber", "numberString", "number", "number_startswith"];
                let wanted = wanted.iter().find_map(|name| call.query.get(*name));
                let wanted = wanted.map(|number| number.trim_start_matches('+').to_owned());
                let token = call.query.get("filter[customer_reference]");
                let ids = call.body["PhoneNumberIds"].as_array();
                let is_meant = |number: &&Number| {
                    number.is_owned
                        && wanted.as_ref().is_none_or(|digits| number.e164[1..].starts_with(digits))
                        && token.is_none_or(|token| *token == number.token)
                        && ids.is_none_or(|ids| ids.contains(&json!(number.id)))
                };
                let owned: Vec<&Number> = self.numbers.iter().filter(is_meant).collect();
                (200, shape.numbers(&owned, false))
            }
            Op::Create | Op::Submit if call.named.is_empty() && shape.name != "aws" => {
                self.begin(shape, call)
            }
            Op::Create => self.begin(shape, call),
            Op::List => self.list(shape, call),
            Op::Prepare if call.label.ends_with("Attachment") => {
                let id = self.next_id(shape, "RA").replace("registration", "attachment");
                (200, json!({ "RegistrationAttachmentId": id, "AttachmentStatus": "UPLOAD_IN_PROGRESS" }))
            }
            _ => match self.filings.iter().rposition(|filing| is_meant(filing, call)) {
                Some(at) => self.change(shape, call, at),
                None => shape.error(404),
            },
        }
    }

    fn buy(&mut self, shape: &Shape, call: &Call) -> Reply {
        let text = format!("{} {}", call.named, call.body);
        let token = token_of(&call.body);
        let again = self.numbers.iter().find(|number| !token.is_empty() && number.token == token);
        // AWS recognizes a token, and sells a number of its choice.
        let known = again.filter(|_| shape.name == "aws");
        if let Some(number) = known {
            return shape.bought(number);
        }
        let is_meant = |number: &Number| match shape.name {
            "aws" => !number.is_owned,
            _ => text.contains(&number.e164[2..]),
        };
        let Some(number) = self.numbers.iter_mut().find(|number| is_meant(number)) else {
            return shape.error(404);
        };
        (number.is_owned, number.token) = (true, token);
        self.effects.push(Effect { op: Op::Buy, number: number.e164.clone(), id: number.id.clone() });
        shape.bought(number)
    }

    /// Takes a submission.
    fn begin(&mut self, shape: &Shape, call: &Call) -> Reply {
        let token = token_of(&call.body);
        let known = self.filings.iter().find(|filing| !token.is_empty() && filing.token == token);
        if let Some(filing) = known.filter(|_| shape.name == "aws") {
            return shape.taken(call.op, filing);
        }
        let text = call.body.to_string();
        let is_meant = |number: &&Number| {
            text.contains(&format!("\"{}\"", number.id)) || text.contains(&number.e164[1..])
        };
        let number = self.numbers.iter().find(is_meant).map(|number| number.e164.clone());
        let state = if call.op == Op::Create { State::Draft } else { State::Open };
        let (fields, number) = match number {
            Some(number) => (call.body.clone(), number),
            None if shape.name == "aws" => (json!({}), String::new()),
            None => return shape.error(400),
        };
        if shape.name == "aws" {
            let (id, now) = (self.next_id(shape, "HH"), Timestamp::now());
            let number = Number::default();
            self.filings.push(Filing {
                id,
                number,
                fields,
                state,
                version: 1,
                created: now,
                updated: now,
                token: token.clone(),
            });
        } else {
            self.file(shape, &number, fields, state);
        }
        let filing = self.filings.last_mut().expect("it was added");
        filing.token = token;
        self.effects.push(Effect { op: call.op, number, id: filing.id.clone() });
        shape.taken(call.op, filing)
    }

    fn list(&self, shape: &Shape, call: &Call) -> Reply {
        let get = |name: &str| call.query.get(name);
        let by_token = get("ExternalReferenceId").or(get("referenceId"));
        let by_number = ["TollfreePhoneNumberSid", "phoneNumber", "phone_number", "number"]
            .iter()
            .find_map(|name| get(name));
        let is_meant = |filing: &&Filing| {
            let names = [
                &filing.number.id,
                &filing.number.e164,
                &filing.number.e164.trim_start_matches('+').to_owned(),
            ];
            by_token.is_none_or(|token| filing.token == *token)
                && by_number.is_none_or(|number| names.contains(&number))
        };
        let found: Vec<&Filing> = self.filings.iter().filter(is_meant).collect();
        let number = |name: &str| get(name).and_then(|text| text.parse::<usize>().ok());
        let at = number("PageToken").or(number("pageToken")).or(number("offset"));
        let at = at.or(call.body["NextToken"].as_str().and_then(|text| text.parse().ok()));
        let first = usize::from(shape.name == "telnyx");
        let at = at.or(number("page").map(|page| page.saturating_sub(first) * PAGE)).unwrap_or_default();
        let record = |filing: &&Filing| match shape.name {
            "aws" => {
                json!({ "RegistrationId": filing.id, "RegistrationStatus": shape.statuses[filing.state as usize] })
            }
            _ => shape.record(filing),
        };
        let records: Vec<Value> = found.iter().skip(at).take(PAGE).map(record).collect();
        (200, shape.page(records, at, found.len(), &call.url))
    }

    /// Reads or changes a submission.
    fn change(&mut self, shape: &Shape, call: &Call, at: usize) -> Reply {
        let filing = &mut self.filings[at];
        let effect = Effect { op: call.op, number: filing.number.e164.clone(), id: filing.id.clone() };
        match call.op {
            Op::Fetch => return (200, shape.record(filing)),
            Op::Delete => {
                self.effects.push(effect);
                let filing = self.filings.remove(at);
                for number in
                    self.numbers.iter_mut().filter(|number| number.registration.as_ref() == Some(&filing.id))
                {
                    number.registration = None;
                }
                return match shape.name {
                    "aws" => (200, json!({ "RegistrationId": filing.id, "RegistrationStatus": "DELETED" })),
                    "telnyx" => (200, Value::Null),
                    _ => (204, Value::Null),
                };
            }
            Op::Associate => {
                let id = &call.body["ResourceId"];
                let Some(number) = self.numbers.iter_mut().find(|number| *id == number.id.as_str()) else {
                    return shape.error(404);
                };
                match &number.registration {
                    Some(other) if *other != filing.id => {
                        return (
                            400,
                            json!({ "__type": "ConflictException", "Reason": "RESOURCE_ALREADY_ASSOCIATED", "Message": "" }),
                        );
                    }
                    _ => number.registration = Some(filing.id.clone()),
                }
                filing.number = number.clone();
            }
            Op::Submit => {
                (filing.state, filing.updated) = (State::Open, Timestamp::now());
                self.effects.push(effect);
            }
            Op::Reopen => {
                filing.version += u32::from(shape.name == "aws");
                filing.state = State::Draft;
                filing.updated = Timestamp::now();
            }
            Op::Update => {
                if let (Some(fields), Some(new)) = (filing.fields.as_object_mut(), call.body.as_object()) {
                    fields.extend(new.clone());
                }
                (filing.state, filing.updated) = (State::Open, Timestamp::now());
                self.effects.push(effect);
            }
            _ => {}
        }
        shape.taken(call.op, &self.filings[at])
    }
}

fn is_meant(filing: &Filing, call: &Call) -> bool {
    let named = call.body["RegistrationId"].as_str().unwrap_or(&call.named);
    filing.id == named || !filing.number.e164.is_empty() && filing.number.e164 == named
}

/// Our own reference in a request.
fn token_of(body: &Value) -> String {
    let names = ["ExternalReferenceId", "referenceId", "ClientToken", "customer_reference"];
    let token = names.iter().find_map(|name| body[name].as_str());
    token.unwrap_or_default().to_owned()
}
