//! Lists of an API, read page by page.

use serde_json::{Value, json};
use url::Url;

use super::answer::{all_at, text_at};
use super::api::Api;
use super::called::Called;
use super::error::CallError;
use super::operation::{ApiOperation, NextPage};
use super::template::Variables;
use crate::client::HttpRequest;

/// How many pages are read at most.
const MAX_PAGES: usize = 20_000;

/// The items of a list.
#[derive(Debug)]
pub(crate) enum ListedItems {
    /// All items.
    Items(Vec<Value>),
    /// The provider did not answer, or refused.
    Failed(Called),
}

/// Reads all pages of a list. An operation without a list has its answer as the only item.
pub(crate) fn list(
    api: &Api,
    name: &str,
    operation: &ApiOperation,
    variables: &Variables,
) -> Result<ListedItems, CallError> {
    let mut found = Vec::new();
    let done = each_page(api, name, operation, variables, &mut |items| {
        found.extend(items);
        Ok(true)
    })?;
    Ok(match done {
        None => ListedItems::Items(found),
        Some(failed) => ListedItems::Failed(failed),
    })
}

/// Calls `visit` with the items of each page until it returns false. Returns the answer that ended the list too early.
pub(crate) fn each_page(
    api: &Api,
    name: &str,
    operation: &ApiOperation,
    variables: &Variables,
    visit: &mut dyn FnMut(Vec<Value>) -> Result<bool, CallError>,
) -> Result<Option<Called>, CallError> {
    let mut variables = variables.clone();
    let counted = operation.next.as_ref().and_then(|it| it.page_from);
    variables.extend(counted.map(|first| ("page".to_owned(), first.to_string())));
    let mut request = api.request(name, operation, &variables, None)?;
    let mut seen = vec![request.url.clone()];
    let mut cursors: Vec<String> = Vec::new();
    for page in 1..=MAX_PAGES {
        let answer = match api.send(&request, operation)? {
            Called::Done(answer) => answer,
            Called::Refused(answer) if answer.is_missing && operation.absent => return Ok(None),
            other => return Ok(Some(other)),
        };
        let list = operation.items.as_deref().and_then(|it| it.split('/').next());
        if list.is_some_and(|it| answer.value.get(it).is_none()) {
            return Ok(Some(Called::Unknown("the answer has no list where one is expected".to_owned())));
        }
        let items = items_of(operation, &answer.value);
        let is_empty = items.is_empty();
        if !visit(items)? {
            return Ok(None);
        }
        let next = match (&operation.next, counted) {
            (None, _) => None,
            (Some(_), Some(_)) if is_empty => None,
            (Some(_), Some(first)) => {
                let at = u64::from(first) + page as u64;
                variables.insert("page".to_owned(), at.to_string());
                Some(api.request(name, operation, &variables, None)?.http.url)
            }
            (Some(NextPage { cursor: Some(path), body: Some(member), .. }), None) => {
                // The cursor is in the body, and the address stays the same.
                let cursor = text_at(&answer.value, path).filter(|it| !cursors.contains(it));
                let Some(cursor) = cursor else { return Ok(None) };
                request.add_members(&json!({ member: cursor }));
                cursors.push(cursor);
                continue;
            }
            (Some(next), None) => next_url(next, &answer.value, &request),
        };
        match next {
            // A page that names itself would never end.
            Some(url) if !seen.contains(&url) => {
                seen.truncate(1);
                seen.push(url.clone());
                request.url = url;
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The items of an answer, with the members of it that each item gets.
fn items_of(operation: &ApiOperation, answer: &Value) -> Vec<Value> {
    let Some(path) = &operation.items else { return vec![answer.clone()] };
    let mut items: Vec<Value> = all_at(answer, path).into_iter().cloned().collect();
    if let Some(latest) = &operation.latest {
        let number = |it: &Value| text_at(it, latest).and_then(|it| it.parse::<u64>().ok());
        items = items.into_iter().max_by_key(number).into_iter().collect();
    }
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        for name in &operation.adds {
            if let Some(value) = answer.get(name) {
                item.insert(name.clone(), value.clone());
            }
        }
    }
    items
}

/// The address of the next page, on the same server.
fn next_url(next: &NextPage, answer: &Value, request: &HttpRequest) -> Option<Url> {
    let text = |path: &Option<String>| path.as_deref().and_then(|path| text_at(answer, path));
    if let Some((cursor, name)) = text(&next.cursor).zip(next.query.as_ref()) {
        let mut url = request.url.clone();
        let others: Vec<(String, String)> =
            url.query_pairs().into_owned().filter(|(key, _)| key != name).collect();
        url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, &cursor);
        return Some(url);
    }
    let written = text(&next.url).or_else(|| text(&next.path))?;
    let url = request.url.join(&written).ok()?;
    // Only the query of what the server names is used: the key must not go elsewhere.
    let mut same = request.url.clone();
    same.set_query(url.query());
    Some(same)
}
