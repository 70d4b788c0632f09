//! Results of the kinds that proxies like to lose.

use serde_json::json;
use serde_json::value::RawValue;
use wire::to_raw;

/// The result of a tool that answers more than text.
pub(super) fn result(tool: &str) -> Option<Box<RawValue>> {
    let result = match tool {
        "people__get_badge_photo" => json!({"content": [
            {"type": "image", "data": PIXEL_PNG, "mimeType": "image/png", "annotations": {"audience": ["user"]}},
        ]}),
        "files__get_download_link" => json!({"content": [
            {"type": "text", "text": "The link is good for an hour."},
            {
                "type": "resource_link",
                "uri": "brightwater://handbook/returns",
                "name": "returns.md",
                "title": "How we handle returns",
                "mimeType": "text/markdown",
            },
        ]}),
        "files__read_file" => json!({"content": [
            {
                "type": "resource",
                "resource": {
                    "uri": "brightwater://handbook/returns",
                    "mimeType": "text/markdown",
                    "text": "# Returns\n\nA bicycle may come back within 30 days.",
                },
                "annotations": {"priority": 0.5},
            },
        ]}),
        "devices__get_raw_reading" => return Some(odd_reading()),
        _ => return None,
    };
    Some(to_raw(&result))
}

/// What no typed model of a result would keep: numbers spelt oddly, members and kinds of content that
/// nobody has heard of.
#[expect(clippy::expect_used, reason = "the literal is JSON")]
fn odd_reading() -> Box<RawValue> {
    RawValue::from_string(ODD_READING.to_owned()).expect("the literal is JSON")
}

const ODD_READING: &str = r#"{"x-vendor":{"firmware":1.0e+2,"calibrated":null},"content":[{"type":"text","text":"raw: 1.0e+2","x-unit":"lux"},{"type":"x-waveform","samples":[0.10,2E3,9007199254740993],"encoding":"none"}],"structuredContent":{"value":1.0e+2,"serial":12345678901234567890}}"#;
/// One dark pixel.
const PIXEL_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
