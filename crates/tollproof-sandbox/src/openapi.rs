//! The OpenAPI document of a provider's API in the sandbox, made from its table of routes and tollproof's schemas.

use serde_json::{Map, Value, json};
use tollproof_core::{Kind, schema};

use crate::api::{ApiRoute, ApiSurface, provider_of};
use crate::options::SandboxOptions;

/// The document of one API, at an address.
pub(crate) fn document(surface: &ApiSurface, options: &SandboxOptions, address: &str) -> Value {
    let mut paths = Map::new();
    for (at, route) in (surface.routes)(options).iter().enumerate() {
        let path = paths.entry(route.path.clone()).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(surface, route, at);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("{} in the sandbox of tollproof", provider_of(surface).title()),
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Made from the routes of the sandbox, for tests. It is not the provider's own document.",
        },
        "servers": [{ "url": format!("{address}/{}", surface.name) }],
        "security": [{ "key": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "apiKey", "in": "header", "name": "Authorization" } },
        },
    })
}

fn operation(surface: &ApiSurface, route: &ApiRoute, at: usize) -> Value {
    let names = route.path.split('/').filter_map(|segment| segment.strip_prefix('{')?.split_once('}'));
    let parameter = |name: &str| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } });
    let mut operation = json!({
        "operationId": format!("{}-{at}", route.operation.replace(' ', "-")),
        "summary": route.operation,
        "parameters": names.map(|(name, _)| parameter(name)).collect::<Vec<_>>(),
        "responses": { "default": { "description": "As the provider answers." } },
    });
    let kind = route.body.and_then(|role| provider_of(surface).kind(role));
    if let Some(kind) = kind {
        operation["requestBody"] =
            json!({ "required": true, "content": { content_type(kind): { "schema": body(kind) } } });
    }
    operation
}

fn content_type(kind: Kind) -> &'static str {
    if kind.is_form() { "application/x-www-form-urlencoded" } else { "application/json" }
}

/// The schema of a body. Its own address would be another document.
fn body(kind: Kind) -> Value {
    let mut schema: Value = serde_json::from_str(schema::text(kind)).expect("it is a JSON Schema");
    if let Some(members) = schema.as_object_mut() {
        members.remove("$id");
        members.remove("$schema");
    }
    schema
}
