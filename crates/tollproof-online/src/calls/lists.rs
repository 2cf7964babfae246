//! Lists of an API, read page by page.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde_json::{Value, json};

use super::answer::{all_at, text_at};
use super::api::Api;
use super::called::Called;
use super::error::Result;
use super::operation::{ApiOperation, NextPage};
use super::template::Variables;
use crate::client::HttpRequest;

/// Limits of a list: its pages, pages without items one after the other, and all bytes.
const MAX_PAGES: u64 = 1_000;
const MAX_EMPTY: u64 = 10;
const MAX_BYTES: usize = 256 << 20;

/// Reason not to believe a list.
const SHORT: &str = "it has fewer entries than it says";

/// All items of a list, or the answer of a provider that did not show them.
pub(crate) type Listed = Result<Vec<Value>, Called>;

/// Reads all pages of a list. An operation without a list has its answer as the only item.
pub(crate) fn list(api: &Api, name: &str, operation: &ApiOperation, variables: &Variables) -> Result<Listed> {
    let mut found = Vec::new();
    let done = each_page(api, name, operation, variables, &mut |items| {
        found.extend(items);
        Ok(true)
    })?;
    if let Some(latest) = &operation.latest {
        let number = |item: &Value| text_at(item, latest).and_then(|number| number.parse::<u64>().ok());
        found = found.into_iter().max_by_key(number).into_iter().collect();
    }
    Ok(done.map_or(Ok(found), Err))
}

/// Calls `visit` with the new items of each page until it returns false. Returns the answer that ended the list too early.
pub(crate) fn each_page(
    api: &Api,
    name: &str,
    operation: &ApiOperation,
    variables: &Variables,
    visit: &mut dyn FnMut(Vec<Value>) -> Result<bool>,
) -> Result<Option<Called>> {
    let mut variables = variables.clone();
    let counted = operation.next.as_ref().and_then(|next| next.page_from).map(u64::from);
    variables.extend(counted.map(|first| ("page".to_owned(), first.to_string())));
    let mut request = api.request(name, operation, &variables, None)?;
    let (mut asked, mut known) = (HashSet::from([hash(&address_of(&request.http))]), HashSet::new());
    let (mut empty, mut entries_read, mut bytes) = (0, 0, 0);
    let too_early =
        |why: &str| Ok(Some(Called::Unknown(format!("the list cannot be read to its end: {why}"))));
    for page in 1..=MAX_PAGES {
        let mut answer = match api.send(&request, operation)? {
            Called::Done(answer) => answer,
            Called::Refused(answer) if page == 1 && answer.is_missing && operation.absent => return Ok(None),
            other => return Ok(Some(other)),
        };
        let entries = match entries_of(api, operation, &answer.value) {
            Ok(entries) => entries,
            Err(why) => return Ok(Some(Called::Unknown(why.to_owned()))),
        };
        entries_read += entries;
        bytes += answer.text.len();
        let is_empty = entries == 0;
        empty = if is_empty { empty + 1 } else { 0 };
        let read = items_of(operation, &answer.value).into_iter().map(|item| hash(&item.to_string()));
        let mut new: HashSet<u64> = read.filter(|item| known.insert(*item)).collect();
        let is_new = !new.is_empty();
        keep_referenced(operation, &variables, &mut answer.value);
        let mut items = items_of(operation, &answer.value);
        items.retain(|item| new.remove(&hash(&item.to_string())));
        if !visit(items)? {
            return Ok(None);
        }
        let Some(next) = &operation.next else { return Ok(None) };
        let total = next.total.as_deref().and_then(|total| text_at(&answer.value, total)?.parse().ok());
        let is_short = total.is_some_and(|total: usize| entries_read < total);
        if let Some(first) = counted {
            // A page that is repeated, without a total, is that of a provider that knows no pages here.
            let is_whole = total.map_or(!is_new, |total| total == entries_read);
            if is_empty || is_whole {
                return if is_short { too_early(SHORT) } else { Ok(None) };
            }
            variables.insert("page".to_owned(), (first + page).to_string());
            request = api.request(name, operation, &variables, None)?;
        } else {
            match next_request(next, &answer.value, &mut request.http) {
                Some(true) => {}
                Some(false) => return too_early("the address of the next page cannot be read"),
                None if is_short => return too_early(SHORT),
                None => return Ok(None),
            }
        }
        if !asked.insert(hash(&address_of(&request.http))) {
            return too_early("a page names one that was read before");
        }
        if !is_new && !is_empty || empty > MAX_EMPTY {
            return too_early("its pages have nothing new, and name further ones");
        }
        if bytes > MAX_BYTES {
            return too_early("it is larger than 256 MiB");
        }
    }
    too_early("it has more than 1,000 pages")
}

/// The part of a request that differs from page to page.
fn address_of(request: &HttpRequest) -> (&str, &[u8]) {
    (request.url.as_str(), request.body.as_ref().map_or(&[], |body| &body.bytes))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Counts the entries of a page, or says why its list cannot be believed: it or an entry is missing, or an error is there.
fn entries_of(api: &Api, operation: &ApiOperation, answer: &Value) -> Result<usize, &'static str> {
    let first = |path: &str| answer.get(path.split('/').next().unwrap_or_default());
    let Some(path) = operation.items.as_deref() else { return Ok(1) };
    let is_empty =
        |value: &Value| ["null", "false", "\"\"", "[]", "{}"].contains(&value.to_string().as_str());
    if first(&api.file().message).is_some_and(|error| !is_empty(error)) {
        return Err("the answer has an error beside its list");
    }
    match first(path) {
        None | Some(Value::Null) => Err("the answer has no list where one is expected"),
        Some(Value::Array(entries)) if entries.iter().any(Value::is_null) => {
            Err("an entry of the list is missing")
        }
        Some(Value::Array(entries)) => Ok(entries.len()),
        Some(_) => Ok(1),
    }
}

/// Leaves out of the list what does not have the reference that was asked for: a provider may ignore the filter.
fn keep_referenced(operation: &ApiOperation, variables: &Variables, answer: &mut Value) {
    let asks = operation.query.values().any(|value| value.contains("{token}"));
    let list = operation.items.as_deref().and_then(|items| items.split('/').next());
    if let (true, Some(token), Some(list)) = (asks, variables.get("token"), list)
        && let Some(items) = answer.get_mut(list).and_then(Value::as_array_mut)
    {
        items.retain(|item| item.to_string().contains(token.as_str()));
    }
}

/// The items of an answer, with the members of it that each item gets.
fn items_of(operation: &ApiOperation, answer: &Value) -> Vec<Value> {
    let Some(path) = &operation.items else { return vec![answer.clone()] };
    let mut items: Vec<Value> = all_at(answer, path).into_iter().cloned().collect();
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        for name in &operation.adds {
            if let Some(value) = answer.get(name) {
                item.insert(name.clone(), value.clone());
            }
        }
    }
    items
}

/// Makes a request that for the next page, on the same server. `None` if there is none, false if it cannot be made.
fn next_request(next: &NextPage, answer: &Value, request: &mut HttpRequest) -> Option<bool> {
    let text = |path: &Option<String>| path.as_deref().and_then(|path| text_at(answer, path));
    if let Some(cursor) = text(&next.cursor) {
        if let Some(member) = &next.body {
            request.add_members(&json!({ member: cursor }));
        } else if let Some(name) = &next.query {
            let url = request.url.clone();
            let others = url.query_pairs().filter(|(key, _)| key != name);
            request.url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, &cursor);
        }
        return Some(true);
    }
    let written = text(&next.url).or_else(|| text(&next.path))?;
    let url = request.url.join(&written).ok();
    // Only the query of what the server names is used: the key must not go elsewhere.
    Some(url.map(|url| request.url.set_query(url.query())).is_some())
}
