//! Checks that the references of a schema are finite, so that it can be compiled and evaluated within limits.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// The maximum number of subschemas that apply to one value.
const MAX_APPLIED: usize = 10_000;

/// The maximum nesting of the subschemas that apply to one value, including references.
const MAX_APPLIED_DEPTH: usize = 32;

/// The maximum nesting of lists and objects in the schema, including references.
const MAX_DEPTH: usize = 256;

/// Keywords whose subschemas apply to the value itself, not to values inside it.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Keywords that refer to a subschema, which applies to the value itself.
const REFERENCES: [&str; 2] = ["$ref", "$dynamicRef"];

/// Help for a schema that is rejected here.
pub(super) const HELP: &str =
    "Simplify the schema: fewer alternatives, shorter chains of `$ref`, and none that leads back to itself.";

const ENDLESS: &str = "it refers to itself without end";
const TOO_DEEP: &str = "its subschemas are nested too deep";
const TOO_MANY: &str = "too many subschemas apply to one value";

/// Rejects a schema that refers to itself endlessly, or in which too many subschemas apply to one value.
///
/// References to missing targets are reported by the validator.
pub(super) fn check(schema: &Value) -> Result<(), &'static str> {
    let mut walk = ReferenceWalk::default();
    walk.name(schema, schema);
    walk.descend(schema, 0)
}

#[derive(Default)]
struct ReferenceWalk<'v> {
    /// Subschemas by their `$id`, by the last segment of the `$id`, and by their anchors.
    named: HashMap<&'v str, &'v Value>,
    /// The resource that a value belongs to: the whole schema, or the nearest enclosing subschema with an `$id`.
    resources: HashMap<*const Value, &'v Value>,
    /// For each subschema, how many subschemas apply to the same value and how deeply they are nested; `None` while
    /// this is computed, which detects cycles.
    applied: HashMap<*const Value, Option<(usize, usize)>>,
    visited: HashSet<*const Value>,
}

impl<'v> ReferenceWalk<'v> {
    fn name(&mut self, value: &'v Value, resource: &'v Value) {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let id = text("$id").map(|id| id.trim_end_matches('#'));
        let resource = if id.is_some() { value } else { resource };
        let last = id.and_then(|id| id.rsplit('/').next());
        for name in [id, last, text("$anchor"), text("$dynamicAnchor")].into_iter().flatten() {
            self.named.insert(name, value);
        }
        self.resources.insert(value, resource);
        for inner in children(value) {
            self.name(inner, resource);
        }
    }

    fn descend(&mut self, value: &'v Value, depth: usize) -> Result<(), &'static str> {
        if depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        if !self.visited.insert(value) {
            return Ok(());
        }
        self.applied(value, 1)?;
        for inner in children(value).chain(self.references(value)) {
            self.descend(inner, depth + 1)?;
        }
        Ok(())
    }

    /// Counts subschemas a schema at this depth applies to one value, and how deeply they are nested in it.
    fn applied(&mut self, schema: &'v Value, depth: usize) -> Result<(usize, usize), &'static str> {
        if depth > MAX_APPLIED_DEPTH {
            return Err(TOO_DEEP);
        }
        match self.applied.get(&std::ptr::from_ref(schema)) {
            Some(None) => return Err(ENDLESS),
            Some(Some((count, inner))) => {
                return if depth + inner > MAX_APPLIED_DEPTH { Err(TOO_DEEP) } else { Ok((*count, *inner)) };
            }
            None => {}
        }
        self.applied.insert(schema, None);
        let keywords = IN_PLACE.iter().filter_map(|key| Some((*key, schema.get(key)?)));
        let subschemas = keywords.flat_map(|(key, it)| match it {
            Value::Object(all) if key == "dependentSchemas" => all.values().collect(),
            Value::Array(all) => all.iter().collect(),
            one => vec![one],
        });
        let (mut count, mut inner) = (1_usize, 1);
        for subschema in subschemas.chain(self.references(schema)) {
            let (more, deep) = self.applied(subschema, depth + 1)?;
            count += more;
            inner = inner.max(deep + 1);
            if count > MAX_APPLIED {
                return Err(TOO_MANY);
            }
        }
        self.applied.insert(schema, Some((count, inner)));
        Ok((count, inner))
    }

    /// The subschemas that a schema refers to.
    fn references(&self, schema: &'v Value) -> Vec<&'v Value> {
        let names = REFERENCES.iter().filter_map(|key| schema.get(key)?.as_str());
        names.filter_map(|name| self.resolve(schema, name)).collect()
    }

    fn resolve(&self, from: &Value, reference: &str) -> Option<&'v Value> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = match base {
            "" => *self.resources.get(&std::ptr::from_ref(from))?,
            base => {
                let last = base.rsplit('/').next().unwrap_or_default();
                self.named.get(base).or_else(|| self.named.get(last)).copied()?
            }
        };
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        match fragment.as_ref() {
            "" => Some(resource),
            pointer if pointer.starts_with('/') => resource.pointer(pointer),
            anchor => self.named.get(anchor).copied(),
        }
    }
}

/// The values in a list or an object.
fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => Box::new(std::iter::empty()),
    }
}
