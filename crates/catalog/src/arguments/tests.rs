mod budgets;
mod refusals;
mod repairs;
mod rounding;
mod schemas;

use std::time::Duration;

use super::*;
use crate::access::WriteTools;
use crate::snapshot::read_tools;

/// Nothing here is about time, and the machine may be busy.
const AMPLE: Duration = Duration::from_mins(1);

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn tool(schema: &str) -> Tool {
    let entry = raw(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#));
    let mut tools = read_tools(vec![entry], &WriteTools::default());
    tools.pop().unwrap()
}

fn examined(schema: &str, arguments: &str) -> Arguments {
    match meant_object(Some(&raw(arguments))) {
        Ok(object) => examine(&tool(schema), object, AMPLE),
        Err(problem) => Arguments::Refuse(vec![problem]),
    }
}

/// A schema of an object with these properties.
fn object(properties: &str) -> String {
    format!(r#"{{"type":"object","properties":{properties}}}"#)
}

fn check_passes(schema: &str, arguments: &str) {
    check_becomes(schema, arguments, arguments);
}

fn check_becomes(schema: &str, arguments: &str, expected: &str) {
    match examined(schema, arguments) {
        Arguments::Forward {
            arguments: sent,
            unchecked: None,
        } => assert_eq!(sent.get(), expected, "{schema} {arguments}"),
        other => panic!("{schema} {arguments}: {other:?}"),
    }
}

fn check_unchecked(schema: &str, arguments: &str, expected: UncheckedReason) {
    match examined(schema, arguments) {
        Arguments::Forward {
            arguments: sent,
            unchecked: Some(reason),
        } => {
            assert_eq!(reason, expected, "{schema}");
            assert_eq!(sent.get(), arguments, "{schema}");
        }
        other => panic!("{schema} {arguments}: {other:?}"),
    }
}

fn check_refused(schema: &str, arguments: &str, pointer: &str) {
    match examined(schema, arguments) {
        Arguments::Refuse(problems) => {
            assert!(
                problems.iter().any(|problem| problem.pointer == pointer),
                "{schema} {arguments}: {problems:?}"
            );
        }
        other @ Arguments::Forward { .. } => panic!("{schema} {arguments}: {other:?}"),
    }
}
