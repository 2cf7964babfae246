//! Numbers that can be bought, and those of the account.

use serde_json::Value;
use tollproof_core::NumberKey;

use super::answer::{all_at, text_at};
use super::api::Api;
use super::called::Called;
use super::error::Result;
use super::lists::list;
use super::numbers::NumberNames;
use super::operation::ApiOperation;
use super::outcome::OrOutcome;
use super::session::without_effect;
use super::template::Variables;

/// Criteria for numbers.
#[derive(Clone, Debug)]
pub struct NumberSearch {
    /// `US` or `CA`.
    pub country: String,
    /// The first three digits: 833.
    pub area: Option<String>,
    /// Digits or letters that the number contains, where the provider can look for them.
    pub contains: Option<String>,
    /// Maximum number of results.
    pub limit: u32,
}

/// A number, as a provider lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiNumber {
    /// In E.164.
    pub number: String,
    /// The id that the provider gives it.
    pub id: Option<String>,
    /// Monthly price, with the currency if the provider says it.
    pub price: Option<String>,
}

impl Api {
    /// Numbers that can be bought. A search reserves nothing.
    ///
    /// # Errors
    ///
    /// The provider has no search, or the call cannot be made.
    pub fn search(&self, search: &NumberSearch) -> Result<OrOutcome<Vec<ApiNumber>>> {
        let operation = self.file().operations.search.as_ref();
        let operation = operation.ok_or_else(|| self.not_offered("search numbers"))?;
        let called = self.call("search", operation, &search.variables(), None)?;
        Ok(match called {
            Called::Done(answer) => {
                let items = all_at(&answer.value, operation.items.as_deref().unwrap_or_default());
                // A provider may ignore the area, or have no filter for toll-free numbers.
                let area = format!("+1{}", search.area.as_deref().unwrap_or_default());
                let is_wanted = |offered: &ApiNumber| {
                    NumberKey::of(&offered.number).is_e164() && offered.number.starts_with(&area)
                };
                let numbers = items.into_iter().filter_map(|item| listed(operation, item)).filter(is_wanted);
                Ok(numbers.take(search.limit as usize).collect())
            }
            other => Err(Box::new(without_effect(other))),
        })
    }

    /// The numbers of the account.
    ///
    /// # Errors
    ///
    /// The provider has no list, or the call cannot be made.
    pub fn own_numbers(&self) -> Result<OrOutcome<Vec<ApiNumber>>> {
        let operation = self.file().operations.owned.as_ref();
        let operation = operation.ok_or_else(|| self.not_offered("list numbers"))?;
        Ok(match list(self, "owned", operation, &Variables::new())? {
            Ok(items) => Ok(items.iter().filter_map(|item| listed(operation, item)).collect()),
            Err(called) => Err(Box::new(without_effect(called))),
        })
    }

    /// Whether the provider assigns a number, so that none can be chosen.
    #[must_use]
    pub fn assigns_numbers(&self) -> bool {
        self.file().operations.search.is_none()
    }

    /// The request that buys a number, as text and as a command of curl, without the key.
    ///
    /// # Errors
    ///
    /// The call cannot be made.
    pub fn shown_purchase(&self, number: &str) -> Result<(String, String)> {
        let operation = self.purchase()?;
        let mut variables = NumberNames::written(number).variables();
        variables.extend(purchase_variables("TOKEN", "US"));
        Ok(self.shown(&self.request("buy", operation, &variables, None)?.http))
    }

    pub(crate) fn purchase(&self) -> Result<&ApiOperation> {
        self.file().operations.buy.as_ref().ok_or_else(|| self.not_offered("buy numbers"))
    }
}

impl NumberSearch {
    fn variables(&self) -> Variables {
        let mut variables = Variables::from([
            ("country".to_owned(), self.country.clone()),
            ("country-name".to_owned(), if self.country == "CA" { "Canada" } else { "US" }.to_owned()),
            ("limit".to_owned(), self.limit.to_string()),
        ]);
        if let Some(area) = &self.area {
            variables.insert("area".to_owned(), area.clone());
        }
        // Two digits and a star, as Bandwidth's search wants it.
        let pattern = self.area.as_deref().unwrap_or("8**");
        variables.insert("area-pattern".to_owned(), format!("{}*", &pattern[..pattern.len().min(2)]));
        variables.extend(self.contains.iter().map(|pattern| ("contains".to_owned(), pattern.clone())));
        variables
    }
}

/// The values of the placeholders of a purchase.
pub(crate) fn purchase_variables(token: &str, country: &str) -> Variables {
    Variables::from([("token".to_owned(), token.to_owned()), ("country".to_owned(), country.to_owned())])
}

/// A number in a list.
pub(crate) fn listed(operation: &ApiOperation, item: &Value) -> Option<ApiNumber> {
    let text = |name: &str| operation.item.get(name).and_then(|path| text_at(item, path));
    let price = text("price").map(|price| {
        // Some APIs write 200 with the exponent 2, or 2000000 with the exponent -6.
        let exponent = text("exponent").and_then(|exponent| exponent.parse::<i32>().ok()).unwrap_or_default();
        let places = usize::try_from(exponent.unsigned_abs()).unwrap_or_default();
        let price = match price.len().checked_sub(places) {
            Some(at) if places > 0 && at > 0 && price.bytes().all(|it| it.is_ascii_digit()) => {
                format!("{}.{}", &price[..at], &price[at..])
            }
            _ => price,
        };
        // Some have more places than anyone pays.
        let price = match price.split_once('.') {
            Some((whole, part)) => format!("{whole}.{:0<2}", part.trim_end_matches('0')),
            None => price,
        };
        text("currency").map_or(price.clone(), |currency| format!("{price} {currency}"))
    });
    let number = NumberKey::of(&text("number")?).into_string();
    Some(ApiNumber { number, id: text("id"), price })
}
