//! How answers of our own are put together.

use serde::Serialize;
use serde_json::value::RawValue;
use wire::to_raw;

use super::{Outcome, ReplyBody, ToolReply};

impl ToolReply {
    /// A successful answer: `json` as text and as structured content, the same bytes, because each
    /// client shows its model one of the two (field case 5).
    pub(super) fn json(json: &RawValue) -> Self {
        let result = CallResult {
            content: &[TextBlock::new(json.get())],
            structured_content: Some(json),
            is_error: false,
        };
        Self::own(Outcome::Ok, &result)
    }

    /// An `isError` answer that says what to do next.
    pub(super) fn error(outcome: Outcome, text: &str) -> Self {
        Self::new(outcome, ReplyBody::Own(error_result(text)))
    }

    /// Arguments of a meta-tool, or of the tool it was to call, that don't fit.
    pub(super) fn refused(text: &str) -> Self {
        Self::error(Outcome::Refused, text)
    }

    /// The same answer, known to be about the upstream tool `name`.
    pub(super) fn about(mut self, name: &str) -> Self {
        self.target = Some(name.to_owned());
        self
    }

    pub(super) fn own(outcome: Outcome, result: &impl Serialize) -> Self {
        Self::new(outcome, ReplyBody::Own(to_raw(result)))
    }

    /// An answer about no tool in particular.
    pub(super) fn new(outcome: Outcome, body: ReplyBody) -> Self {
        Self {
            body,
            outcome,
            target: None,
            searched: Vec::new(),
            unchecked: Vec::new(),
            upstream_time: None,
            failure: None,
            retry_after: None,
        }
    }
}

/// The result of a call that failed, with `text` for the model.
pub(crate) fn error_result(text: &str) -> Box<RawValue> {
    to_raw(&CallResult {
        content: &[TextBlock::new(text)],
        structured_content: None,
        is_error: true,
    })
}

/// A text block of a result's `content`.
#[derive(Debug, Serialize)]
pub(super) struct TextBlock<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl<'a> TextBlock<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            r#type: "text",
            text,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    content: &'a [TextBlock<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    is_error: bool,
}
