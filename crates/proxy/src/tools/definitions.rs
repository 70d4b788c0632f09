//! How the five present themselves in `tools/list`.
//!
//! Strict clients drop a whole server for one unusual schema, and others cut descriptions at 2,048
//! characters or refuse an object without `properties` (field cases 1, 2 and 4): the tests hold all
//! of that, and the size in tokens.

use std::sync::LazyLock;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use wire::to_raw;

use super::MetaTool;

/// The `tools` array of `tools/list`: the five definitions, the same for everyone.
pub(crate) fn definitions() -> &'static RawValue {
    static DEFINITIONS: LazyLock<Box<RawValue>> =
        LazyLock::new(|| to_raw(&MetaTool::ALL.map(definition)));
    &DEFINITIONS
}

fn definition(tool: MetaTool) -> Value {
    let title = title(tool);
    let mut definition = json!({
        "name": tool.name(),
        "title": title,
        "description": description(tool),
        "inputSchema": input_schema(tool),
    });
    if let Some(schema) = output_schema(tool) {
        definition["outputSchema"] = schema;
    }
    definition["annotations"] = annotations(tool, title);
    definition
}

fn title(tool: MetaTool) -> &'static str {
    match tool {
        MetaTool::Search => "Search tools",
        MetaTool::Describe => "Describe tools",
        MetaTool::CallRead => "Call a reading tool",
        MetaTool::CallReadMany => "Call several reading tools",
        MetaTool::CallWrite => "Call a writing tool",
    }
}

fn description(tool: MetaTool) -> &'static str {
    match tool {
        MetaTool::Search => {
            "Find tools by what you want to do. Many more tools exist than the five listed here: \
             search before you say that something can't be done, and before you call a tool you \
             haven't seen. Put one need per query, in a few words (`create an invoice`); use \
             `queries` for several. Changes nothing; finds only what this user may use. Returns \
             the best tools first: `name`, `description`, `inputSchema` or a one-line \
             `signature`, and `call`, the tool to run it with. `weak` marks a doubtful match. If \
             nothing fits, `tools` is empty and `note` says what to try. For the rest of a tool \
             use describe_tool."
        }
        MetaTool::Describe => {
            "Show tools in full: whole description, input and output schema, annotations. Use it \
             when search_tools gave only a `signature`, a description ends in `…`, or a call was \
             refused; to find tools use search_tools. Changes nothing; shows only what this user may \
             use. Names that don't exist come back in `unknown`, with close ones in `similar`; \
             tools that didn't fit in `omitted`: ask for those again."
        }
        MetaTool::CallRead => {
            "Run one tool that only reads: its `call` in search_tools is call_read_tool. Runs \
             with this user's rights. `arguments` must fit that tool's `inputSchema`. Returns the \
             tool's own result or error, unchanged. A wrong name, wrong arguments or a tool that \
             may write (use call_write_tool) runs nothing; the error says what to fix. For \
             several reads use call_read_tools."
        }
        MetaTool::CallReadMany => {
            "Run up to 10 independent reads at once, each as in call_read_tool and with this \
             user's rights. Returns for each, in order, a label (number, tool, ok or failed), \
             then its content. One failure stops no other. A read that needs another's result \
             comes after it, in call_read_tool."
        }
        MetaTool::CallWrite => {
            "Run one tool that may change things (create, send, delete, pay): its `call` in \
             search_tools is call_write_tool. Effects are real and happen with this user's \
             rights: call it only for what the user wants. `arguments` must fit that tool's \
             `inputSchema`. Returns the tool's own result or error, unchanged. Wrong arguments \
             run nothing; the error says what to fix. If it says `outcome unknown`, check before \
             you repeat."
        }
    }
}

fn input_schema(tool: MetaTool) -> Value {
    match tool {
        MetaTool::Search => json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "One need. Either this or `queries`."},
                "queries": {
                    "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5,
                    "description": "Several needs, answered one by one."
                },
                "limit": {
                    "type": "integer", "minimum": 1, "maximum": 25, "default": 8,
                    "description": "Tools per query."
                },
                "schemas": {
                    "type": "boolean", "default": true,
                    "description": "false: signatures only, shorter."
                },
            },
        }),
        MetaTool::Describe => json!({
            "type": "object",
            "properties": {
                "names": {
                    "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 10,
                    "description": "Exact names, from search_tools."
                },
            },
            "required": ["names"],
        }),
        MetaTool::CallRead | MetaTool::CallWrite => call_schema(),
        MetaTool::CallReadMany => json!({
            "type": "object",
            "properties": {
                "calls": {
                    "type": "array", "items": call_schema(), "minItems": 1, "maxItems": 10,
                    "description": "Each as call_read_tool takes it."
                },
            },
            "required": ["calls"],
        }),
    }
}

/// `arguments` has empty `properties` because some model APIs refuse an object without them.
fn call_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Exact name, from search_tools."},
            "arguments": {
                "type": "object", "properties": {}, "additionalProperties": true,
                "description": "As the tool's `inputSchema` wants them."
            },
        },
        "required": ["name"],
    })
}

/// Loose, so that every successful answer is valid against it (field case 6). The dispatchers have
/// none: their results are whatever the upstream's tools answer.
fn output_schema(tool: MetaTool) -> Option<Value> {
    match tool {
        MetaTool::Search => Some(json!({
            "type": "object",
            "properties": {
                "total": {"type": "integer"},
                "tools": {"type": "array"},
                "results": {"type": "array"},
                "note": {"type": "string"},
            },
        })),
        MetaTool::Describe => Some(json!({
            "type": "object",
            "properties": {
                "tools": {"type": "array"},
                "unknown": {"type": "array"},
                "omitted": {"type": "array"},
            },
            "required": ["tools"],
        })),
        MetaTool::CallRead | MetaTool::CallReadMany | MetaTool::CallWrite => None,
    }
}

fn annotations(tool: MetaTool, title: &str) -> Value {
    let writes = tool == MetaTool::CallWrite;
    let closed_world = matches!(tool, MetaTool::Search | MetaTool::Describe);
    json!({
        "title": title,
        "readOnlyHint": !writes,
        "destructiveHint": writes,
        "idempotentHint": !writes,
        "openWorldHint": !closed_world,
    })
}

#[cfg(test)]
mod tests;
