//! What a called tool answers: made up, but the same record has the same values whoever shows it.

mod question;
mod sample;
mod showcase;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use wire::{RawObject, RpcError, code, to_raw};

use crate::catalog::{self, Answer, Count, Published};
use crate::fault::Effect;
use crate::gateway::Exchange;
use crate::methods::required;
use sample::Sampler;

/// The result of `tools/call`.
pub(crate) fn call(exchange: &Exchange<'_>) -> Result<Box<RawValue>, RpcError> {
    let name = required(exchange, "name")?;
    let tool = exchange
        .visitor
        .tools
        .get(&name)
        .ok_or_else(|| RpcError::new(code::INVALID_PARAMS, format!("Unknown tool: {name}")))?;
    let given = exchange.param("arguments");
    let arguments = read_arguments(&name, given)?;
    check_required(&name, tool, &arguments)?;
    if let Some(result) = departure(exchange, &name)? {
        return Ok(result);
    }
    if let Some(missing) = arguments.values().find_map(nobody) {
        return Ok(failure(&format!("There is no {missing}.")));
    }
    if let Some(result) = showcase::result(&name) {
        return Ok(result);
    }
    Ok(match catalog::company().answer(&name) {
        Some(answer) => made_up(answer, arguments),
        None => echo(&name, given),
    })
}

/// What a script wants answered instead.
fn departure(exchange: &Exchange<'_>, name: &str) -> Result<Option<Box<RawValue>>, RpcError> {
    for effect in exchange.effects {
        match effect {
            Effect::HugeText(bytes) => return Ok(Some(text(&"x".repeat(*bytes)))),
            Effect::AskFirst if exchange.param("inputResponses").is_none() => {
                return Ok(Some(question::ask(name)));
            }
            Effect::AskFirst => question::check_state(exchange)?,
            _ => {}
        }
    }
    Ok(None)
}

fn read_arguments(name: &str, given: Option<&RawValue>) -> Result<Map<String, Value>, RpcError> {
    let Some(given) = given else {
        return Ok(Map::new());
    };
    serde_json::from_str(given.get()).map_err(|_kind| {
        let message = format!("Invalid arguments for tool {name}: wanted an object");
        RpcError::new(code::INVALID_PARAMS, message)
    })
}

/// SDK servers check more than this, but this is what models most often get wrong.
fn check_required(
    name: &str,
    tool: &RawValue,
    arguments: &Map<String, Value>,
) -> Result<(), RpcError> {
    let required = RawObject::read(tool)
        .and_then(|tool| RawObject::read(tool.get("inputSchema")?))
        .and_then(|schema| serde_json::from_str::<Vec<String>>(schema.get("required")?.get()).ok());
    let missing = required
        .unwrap_or_default()
        .into_iter()
        .find(|key| !arguments.contains_key(key));
    match missing {
        None => Ok(()),
        Some(key) => Err(RpcError::new(
            code::INVALID_PARAMS,
            format!("Invalid arguments for tool {name}: `{key}` is required"),
        )),
    }
}

/// The id, if its number is zero: a documented way to ask for what doesn't exist.
fn nobody(argument: &Value) -> Option<&str> {
    let id = argument.as_str()?;
    let (letters, number) = id.split_once('-')?;
    let shaped = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    (shaped && !number.is_empty() && number.bytes().all(|byte| byte == b'0')).then_some(id)
}

fn made_up(answer: &Answer, mut arguments: Map<String, Value>) -> Box<RawValue> {
    arguments.extend(answer.fixed.clone());
    let sampler = Sampler::new(&answer.kind, &answer.record, &arguments);
    let value = match answer.count {
        Count::One => sampler.one(),
        Count::Many => sampler.list(),
    };
    let content = json!([{"type": "text", "text": value.to_string()}]);
    to_raw(&match answer.published {
        Published::Yes => json!({"content": content, "structuredContent": value}),
        Published::No => json!({"content": content}),
    })
}

/// The answer of a tool that this gateway knows nothing about.
fn echo(name: &str, arguments: Option<&RawValue>) -> Box<RawValue> {
    let arguments = arguments.map_or("{}", RawValue::get);
    text(&format!(
        "This is a demo: {name} was called and nothing else happened. Its arguments: {arguments}"
    ))
}

fn text(text: &str) -> Box<RawValue> {
    to_raw(&json!({"content": [{"type": "text", "text": text}]}))
}

fn failure(text: &str) -> Box<RawValue> {
    to_raw(&json!({"content": [{"type": "text", "text": text}], "isError": true}))
}

#[cfg(test)]
mod tests;
