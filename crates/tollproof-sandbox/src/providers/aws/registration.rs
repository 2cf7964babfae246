//! A registration with its versions, as it is stored, and how the end of a review changes it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::request::{AwsRequest, seconds};
use super::{NAME, not_found};
use crate::reply::Result;
use crate::review::ReviewReason;
use crate::store::{Filing, FilingState};

pub(super) const TYPE: &str = "US_TOLL_FREE_REGISTRATION";

/// A registration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Registration {
    pub(super) id: String,
    pub(super) region: String,
    pub(super) created_at: f64,
    /// The ids of its numbers.
    pub(super) numbers: Vec<String>,
    /// Its versions, oldest first; there is always one.
    pub(super) versions: Vec<RegistrationVersion>,
}

/// A version of a registration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RegistrationVersion {
    pub(super) number: u32,
    pub(super) status: String,
    /// Time of each status, as the API names them.
    pub(super) times: Map<String, Value>,
    /// The members of a value, such as `TextValue`, by the path of the field.
    pub(super) fields: Map<String, Value>,
    /// Denial reasons.
    pub(super) reasons: Vec<ReviewReason>,
}

impl RegistrationVersion {
    pub(super) fn new(number: u32, now: f64) -> Self {
        let (status, times) = (String::new(), Map::new());
        let mut new = Self { number, status, times, fields: Map::new(), reasons: Vec::new() };
        new.reach("DRAFT", now);
        new
    }

    /// Gives it a status.
    pub(super) fn reach(&mut self, status: &str, at: f64) {
        status.clone_into(&mut self.status);
        let (first, rest) = status.split_at(1);
        self.times.insert(format!("{first}{}Timestamp", rest.to_lowercase()), json!(at));
    }

    /// Judged data: the values by the paths of their fields.
    pub(super) fn body(&self) -> Value {
        let value = |field: &Value| match (field.get("TextValue"), field.get("SelectChoices")) {
            (Some(text), _) => text.clone(),
            (_, Some(choices)) => choices[0].clone(),
            _ => field["RegistrationAttachmentId"].clone(),
        };
        Value::Object(self.fields.iter().map(|(path, it)| (path.clone(), value(it))).collect())
    }
}

impl Registration {
    fn name(id: &str) -> String {
        format!("aws-registration:{id}")
    }

    /// The registration that the parameter `RegistrationId` names.
    pub(super) fn named(request: &AwsRequest<'_>) -> Result<Self> {
        let id = request.id("RegistrationId")?;
        Self::with_id(request, id)?.ok_or_else(|| not_found("registration", id).into())
    }

    /// The registration with an id, with what its review ended with.
    pub(super) fn with_id(request: &AwsRequest<'_>, id: &str) -> Result<Option<Self>> {
        let stored = request.call.tables.setting(&Self::name(id))?;
        let stored: Option<Self> = stored.and_then(|text| serde_json::from_str(&text).ok());
        let Some(mut found) = stored.filter(|it| it.region == request.region) else { return Ok(None) };
        if let Some(filing) = request.call.tables.filing(NAME, id)? {
            found.follow(&filing);
        }
        Ok(Some(found))
    }

    /// All registrations of the region, oldest first.
    pub(super) fn all(request: &AwsRequest<'_>) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for stored in request.call.tables.settings(&Self::name(""))? {
            let id = serde_json::from_str::<Self>(&stored).map(|it| it.id).unwrap_or_default();
            all.extend(Self::with_id(request, &id)?);
        }
        all.sort_by(|a, b| a.created_at.total_cmp(&b.created_at));
        Ok(all)
    }

    pub(super) fn save(&self, request: &AwsRequest<'_>) -> Result<()> {
        let text = serde_json::to_string(self).expect("texts and numbers have JSON");
        Ok(request.call.tables.set(&Self::name(&self.id), &text)?)
    }

    pub(super) fn forget(&self, request: &AwsRequest<'_>) -> Result<()> {
        Ok(request.call.tables.unset(&Self::name(&self.id))?)
    }

    pub(super) fn current(&self) -> &RegistrationVersion {
        self.versions.last().expect("there is always one")
    }

    pub(super) fn current_mut(&mut self) -> &mut RegistrationVersion {
        self.versions.last_mut().expect("there is always one")
    }

    /// Takes over how the review of the current version ended.
    fn follow(&mut self, filing: &Filing) {
        let Some(at) = filing.decided_at.filter(|_| self.current().status == "SUBMITTED").map(seconds) else {
            return;
        };
        if filing.state == FilingState::Approved {
            for earlier in self.versions.iter_mut().filter(|it| it.status == "APPROVED") {
                earlier.reach("ARCHIVED", at);
            }
            self.current_mut().reach("APPROVED", at);
        } else {
            self.current_mut().reach("DENIED", at);
            self.current_mut().reasons.clone_from(&filing.reasons);
        }
    }

    /// The number of the latest version with a status.
    pub(super) fn latest(&self, status: &str) -> Option<u32> {
        self.versions.iter().rev().find(|it| it.status == status).map(|it| it.number)
    }

    pub(super) fn status(&self) -> &'static str {
        match self.current().status.as_str() {
            "SUBMITTED" => "SUBMITTED",
            "DENIED" => "REQUIRES_UPDATES",
            _ if self.latest("APPROVED").is_some() => "COMPLETE",
            _ if self.latest("DENIED").is_some() => "REQUIRES_UPDATES",
            _ => "CREATED",
        }
    }

    /// The head of answers about it.
    pub(super) fn heading(&self, request: &AwsRequest<'_>) -> Value {
        json!({
            "RegistrationArn": request.arn("registration", &self.id), "RegistrationId": self.id,
        })
    }

    /// The record of the registration itself.
    pub(super) fn record(&self, request: &AwsRequest<'_>) -> Value {
        let mut record = self.heading(request);
        record["RegistrationType"] = json!(TYPE);
        record["RegistrationStatus"] = json!(self.status());
        record["CurrentVersionNumber"] = json!(self.current().number);
        for (name, status) in [("ApprovedVersionNumber", "APPROVED"), ("LatestDeniedVersionNumber", "DENIED")]
        {
            if let Some(number) = self.latest(status) {
                record[name] = json!(number);
            }
        }
        record["CreatedTimestamp"] = json!(self.created_at);
        record
    }

    /// The answer about its current version.
    pub(super) fn version_record(&self, request: &AwsRequest<'_>) -> Value {
        let current = self.current();
        let mut record = self.heading(request);
        record["VersionNumber"] = json!(current.number);
        record["RegistrationVersionStatus"] = json!(current.status);
        record["RegistrationVersionStatusHistory"] = Value::Object(current.times.clone());
        record
    }
}
