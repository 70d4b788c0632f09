//! What the definitions of tools cost a model, estimated.

use serde::Serialize;
use serde_json::value::RawValue;
use wire::RawObject;

/// What a model is shown of `tools` (name, description and inputSchema as compact JSON), in tokens:
/// one for every four characters, as is usual for a first estimate.
pub(super) fn tokens<'a>(tools: impl Iterator<Item = &'a RawValue>) -> usize {
    let chars: usize = tools
        .filter_map(shown)
        .map(|shown| shown.chars().count() + 1)
        .sum();
    chars.div_ceil(CHARS_PER_TOKEN)
}

/// By how many percent `after` is less than `before`, rounded down to a tenth.
pub(super) fn percent_less(before: usize, after: usize) -> f64 {
    let saved = before.saturating_sub(after);
    let tenths = (saved * 1_000).checked_div(before).unwrap_or(0);
    tenths as f64 / 10.0
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    name: Option<serde_json::Value>,
    description: Option<serde_json::Value>,
    input_schema: Option<serde_json::Value>,
}

/// As a host passes it on, without the blanks of the listing.
fn shown(tool: &RawValue) -> Option<String> {
    let tool = RawObject::read(tool)?;
    let member = |key| {
        tool.get(key)
            .and_then(|value| serde_json::from_str(value.get()).ok())
    };
    serde_json::to_string(&Shown {
        name: member("name"),
        description: member("description"),
        input_schema: member("inputSchema"),
    })
    .ok()
}

const CHARS_PER_TOKEN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_model_is_shown_counts() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let plain = raw(r#"{"name":"a","description":"b","inputSchema":{"type":"object"}}"#);
        let more = raw(
            r#"{"name":"a", "title":"x", "description":"b", "inputSchema":{ "type" : "object" },
                "outputSchema":{}}"#,
        );
        // 62 characters and a comma.
        assert_eq!(tokens([plain.as_ref()].into_iter()), 16);
        assert_eq!(tokens([more.as_ref()].into_iter()), 16);
    }

    #[test]
    fn percentages_are_never_rounded_up() {
        assert_eq!(percent_less(1_000, 1).to_string(), "99.9");
        assert_eq!(percent_less(10_000, 1).to_string(), "99.9");
        assert_eq!(percent_less(10, 20).to_string(), "0");
        assert_eq!(percent_less(0, 0).to_string(), "0");
    }
}
