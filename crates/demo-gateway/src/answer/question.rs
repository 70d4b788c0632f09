//! A confirmation that a call waits for (2026-07-28, multi round-trip requests).

use serde_json::json;
use serde_json::value::RawValue;
use wire::{RpcError, code, to_raw};

use crate::gateway::Exchange;

/// Asks whether the tool shall run.
pub(super) fn ask(tool: &str) -> Box<RawValue> {
    to_raw(&json!({
        "resultType": "input_required",
        "inputRequests": {"confirm": {
            "method": "elicitation/create",
            "params": {
                "message": format!("Run {tool} now?"),
                "requestedSchema": {
                    "type": "object",
                    "properties": {"sure": {"type": "boolean", "title": "Go on"}},
                    "required": ["sure"],
                },
            },
        }},
        "requestState": STATE,
    }))
}

/// The state must come back as it was given.
pub(super) fn check_state(exchange: &Exchange<'_>) -> Result<(), RpcError> {
    match exchange.text_param("requestState") {
        Some(state) if state == STATE => Ok(()),
        _ => Err(RpcError::new(
            code::INVALID_PARAMS,
            "`params.requestState` isn't what was given",
        )),
    }
}

/// Opaque to clients; spelt so that careless decoding or re-encoding shows.
const STATE: &str = "b3BhcXVl+/=:1.0e+2 ž";
