//! An address in one line or cell, taken apart for the fields of a form.

use tollproof_core::Kind;

/// The parts of an address by the roles of their fields, as a provider writes them; `null` if they cannot be told from each other.
pub(crate) fn parts(text: &str, kind: Kind) -> String {
    serde_json::to_string(&kind.address_parts(text)).expect("its keys are strings")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parts;
    use crate::options;

    #[test]
    fn a_cell_with_a_whole_address_is_taken_apart() {
        let of = |text: &str, provider: &str| -> Value {
            let kind = options::kind(provider, "").expect("the provider has submissions");
            serde_json::from_str(&parts(text, kind)).expect("it is JSON")
        };
        let cell = "1250, rue Royale, bureau 200, Trois-Rivières (Québec) G9A 4J5";
        let bandwidth = json!({
            "businessAddr1": "1250, rue Royale, bureau 200", "businessCity": "Trois-Rivières", "businessState": "QC",
            "businessZip": "G9A 4J5", "businessCountry": "CA"
        });
        assert_eq!(of(cell, "bandwidth"), bandwidth);
        let cell = "Calle Sol 3\nApt 2\nCaguas, PR 00725";
        let telnyx = json!({
            "businessAddr1": "Calle Sol 3, Apt 2", "businessCity": "Caguas", "businessState": "Puerto Rico",
            "businessZip": "00725", "businessCountry": "US"
        });
        assert_eq!(of(cell, "telnyx"), telnyx);
        assert_eq!(of("1250, rue Royale, bureau 200", "bandwidth"), Value::Null);
    }
}
