//! The company's resources and prompts.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::{RawObject, RpcError, code, to_raw};

pub(crate) fn resources() -> Box<RawValue> {
    let resources: Vec<_> = PAGES
        .iter()
        .map(|page| {
            json!({
                "uri": format!("{PREFIX}{}", page.slug),
                "name": page.slug,
                "title": page.title,
                "mimeType": "text/markdown",
                "annotations": {"audience": ["assistant"], "priority": 0.8},
            })
        })
        .collect();
    to_raw(&json!({"resources": resources}))
}

pub(crate) fn templates() -> Box<RawValue> {
    to_raw(&json!({"resourceTemplates": [{
        "uriTemplate": format!("{PREFIX}{{page}}"),
        "name": "handbook",
        "title": "A page of the employees' handbook",
        "mimeType": "text/markdown",
    }]}))
}

pub(crate) fn read(uri: &str) -> Result<Box<RawValue>, RpcError> {
    let page = PAGES
        .iter()
        .find(|page| uri.strip_prefix(PREFIX) == Some(page.slug))
        .ok_or_else(|| RpcError {
            data: Some(to_raw(&json!({"uri": uri}))),
            ..RpcError::new(code::INVALID_PARAMS, "Resource not found")
        })?;
    Ok(to_raw(&json!({"contents": [{
        "uri": uri,
        "mimeType": "text/markdown",
        "text": format!("# {}\n\n{}\n", page.title, page.text),
    }]})))
}

pub(crate) fn prompts() -> Box<RawValue> {
    to_raw(&json!({"prompts": [
        {
            "name": "hand_over_shift",
            "title": "Hand over a shift",
            "description": "Sums up a shop's day for the people who come next.",
            "arguments": [
                {"name": "shop", "description": "Which shop.", "required": true},
                {"name": "date", "description": "The day, today if left out.", "required": false},
            ],
        },
        {
            "name": "chase_late_invoices",
            "title": "Chase late invoices",
            "description": "Finds overdue invoices and drafts a friendly reminder for each.",
        },
    ]}))
}

/// The messages of a prompt, with `arguments` filled in.
pub(crate) fn prompt(name: &str, arguments: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
    let argument =
        |key| -> Option<String> { Some(RawObject::read(arguments?)?.get_str(key)?.into_owned()) };
    match name {
        "hand_over_shift" => {
            let shop = argument("shop").ok_or_else(|| {
                RpcError::new(code::INVALID_PARAMS, "Missing required argument: shop")
            })?;
            let date = argument("date").unwrap_or_else(|| "today".to_owned());
            Ok(message(&format!(
                "Sum up {date} in the {shop} shop: who worked, which tickets are open, what the next shift must know."
            )))
        }
        "chase_late_invoices" => Ok(message(
            "List the overdue invoices, oldest first, and draft one short friendly reminder for each customer.",
        )),
        _ => Err(RpcError::new(
            code::INVALID_PARAMS,
            format!("Unknown prompt: {name}"),
        )),
    }
}

fn message(text: &str) -> Box<RawValue> {
    let message: Value = json!({"role": "user", "content": {"type": "text", "text": text}});
    to_raw(&json!({"messages": [message]}))
}

/// A page of the handbook.
struct Page {
    slug: &'static str,
    title: &'static str,
    text: &'static str,
}

const PREFIX: &str = "brightwater://handbook/";
const PAGES: [Page; 3] = [
    Page {
        slug: "returns",
        title: "How we handle returns",
        text: "A bicycle may come back within 30 days with its papers. Repairs under warranty get a ticket of their own.",
    },
    Page {
        slug: "opening-hours",
        title: "Opening hours",
        text: "All shops open at 9:00 and close at 18:00, on Saturdays at 15:00. The workshop starts at 7:30.",
    },
    Page {
        slug: "on-call",
        title: "Who is on call",
        text: "The shift calendar names one person per shop. They answer within half an hour and may swap with anybody of the same team.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;
    use crate::settings::DemoSettings;

    async fn ask(method: &str, params: Value) -> crate::probe::Answer {
        Probe::new(DemoSettings::default())
            .legacy(method, params)
            .await
    }

    #[tokio::test]
    async fn every_listed_resource_can_be_read() {
        let listed = ask("resources/list", json!({})).await.result();
        for resource in listed["resources"].as_array().unwrap() {
            let read = ask("resources/read", json!({"uri": resource["uri"]})).await;
            let text = read.result()["contents"][0]["text"].clone();
            let title = resource["title"].as_str().unwrap();
            assert!(text.as_str().unwrap().starts_with(&format!("# {title}")));
        }
        let templates = ask("resources/templates/list", json!({})).await.result();
        let template = &templates["resourceTemplates"][0]["uriTemplate"];
        assert_eq!(template, "brightwater://handbook/{page}");
    }

    #[tokio::test]
    async fn a_prompt_is_filled_in() {
        let listed = ask("prompts/list", json!({})).await.result();
        assert_eq!(listed["prompts"].as_array().unwrap().len(), 2);
        let params = json!({"name": "hand_over_shift", "arguments": {"shop": "station"}});
        let filled = ask("prompts/get", params).await.result();
        let text = filled["messages"][0]["content"]["text"].clone();
        assert!(text.as_str().unwrap().contains("today in the station shop"));
    }

    #[tokio::test]
    async fn what_is_not_there_is_invalid_params() {
        for (method, params) in [
            ("resources/read", json!({})),
            (
                "resources/read",
                json!({"uri": "brightwater://handbook/none"}),
            ),
            ("prompts/get", json!({"name": "none"})),
            ("prompts/get", json!({"name": "hand_over_shift"})),
        ] {
            let answer = ask(method, params).await;
            assert_eq!(answer.refusal(), (200, code::INVALID_PARAMS), "{method}");
        }
    }
}
