//! What is asked of a caller's message beyond what makes it a message: that whoever else reads it,
//! before us or behind us, can read it and reads the same.

use std::collections::HashSet;

use super::{InvalidMessage, Message};
use crate::object::RawObject;

/// How many objects and arrays of a caller's message may stand within one another. Common parsers
/// give up between 128 and 1,000, and real arguments have a dozen (field case 80).
pub const MAX_NESTING: usize = 512;

impl<'a> Message<'a> {
    /// The one message that `body`, which a caller sent, holds. Beyond what [`Message::parse`] asks,
    /// it is nested at most [`MAX_NESTING`] levels deep, and no member of a request's `params` or
    /// `params._meta` stands twice: of two, one reader takes the first and another the last. What
    /// stands deeper belongs to whom it is for.
    pub fn parse_incoming(body: &'a [u8]) -> Result<Self, InvalidMessage> {
        let message = Self::parse(body)?;
        if is_nested_deeper(body, MAX_NESTING) {
            return Err(InvalidMessage::Shape("nested deeper than 512 levels"));
        }
        if let Self::Request(request) = &message
            && let Some(params) = request.params
        {
            let params = RawObject::read(params).ok_or(InvalidMessage::Shape(HALF_IN_PARAMS))?;
            check_twins(&params, "a member of `params` stands twice")?;
            if let Some(meta) = params.get("_meta").and_then(RawObject::read) {
                check_twins(&meta, "a member of `params._meta` stands twice")?;
            }
        }
        Ok(message)
    }
}

/// Whether more than `levels` objects and arrays stand within one another in `json`, which is valid.
pub fn is_nested_deeper(json: &[u8], levels: usize) -> bool {
    let mut depth = 0_usize;
    let mut is_in_string = false;
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'\\' if is_in_string => {
                bytes.next();
            }
            b'{' | b'[' if !is_in_string => {
                depth += 1;
                if depth > levels {
                    return true;
                }
            }
            b'}' | b']' if !is_in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

fn check_twins(object: &RawObject<'_>, fault: &'static str) -> Result<(), InvalidMessage> {
    let mut seen = HashSet::with_capacity(object.len());
    if object.iter().all(|(key, _)| seen.insert(key)) {
        Ok(())
    } else {
        Err(InvalidMessage::Shape(fault))
    }
}

const HALF_IN_PARAMS: &str =
    "a member's name in `params` holds half a character (a lone \\ud800 to \\udfff)";

#[cfg(test)]
mod tests {
    use super::*;

    fn check_params(params: &str, expected: Option<&str>) {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#);
        let fault = Message::parse_incoming(body.as_bytes()).err();
        let fault = fault.map(|fault| fault.to_string());
        let expected = expected.map(|fault| format!("not a JSON-RPC 2.0 message: {fault}"));
        assert_eq!(fault, expected, "{params}");
    }

    #[test]
    fn no_member_that_decides_stands_twice() {
        let in_params = Some("a member of `params` stands twice");
        let in_meta = Some("a member of `params._meta` stands twice");
        check_params(r#"{"name":"a","name":"b"}"#, in_params);
        check_params(r#"{"name":"a","na\u006de":"a"}"#, in_params);
        check_params(r#"{"_meta":{},"_meta":{}}"#, in_params);
        check_params(r#"{"_meta":{"a":1,"a":1}}"#, in_meta);
        check_params(
            r#"{"arguments":{"a":1,"a":2},"_meta":{"b":{"a":1,"a":2}}}"#,
            None,
        );
        check_params(r#"{"name":"a","Name":"b","_meta":{"name":1}}"#, None);
    }

    #[test]
    fn names_are_whole_characters() {
        check_params(r#"{"\ud83d":1}"#, Some(HALF_IN_PARAMS));
        check_params(r#"{"\ud83d\ude42":"\ud83d"}"#, None);
        let body = br#"{"jsonrpc":"2.0","id":1,"method":"x","\udc00":1}"#;
        let fault = Message::parse_incoming(body).unwrap_err().to_string();
        assert!(fault.contains("half a character"), "{fault}");
    }

    #[test]
    fn nesting_is_counted_outside_strings() {
        for (json, levels, expected) in [
            ("1", 0, false),
            ("[]", 0, true),
            ("[]", 1, false),
            (r#"[{"a":[]}]"#, 2, true),
            (r#"[{"a":[]}]"#, 3, false),
            ("[[],[],{},[]]", 2, false),
            (r#"["[[[["]"#, 1, false),
            (r#"["\"[[[[", "\\", {}]"#, 2, false),
            (r#"["\\", {}]"#, 1, true),
        ] {
            assert_eq!(
                is_nested_deeper(json.as_bytes(), levels),
                expected,
                "{json} {levels}"
            );
        }
    }

    #[test]
    fn a_message_is_nested_at_most_so_deep() {
        // The message and its `params` are two levels.
        for (arrays, is_taken) in [(MAX_NESTING - 2, true), (MAX_NESTING - 1, false)] {
            let (open, close) = ("[".repeat(arrays), "]".repeat(arrays));
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{open}{close}}}}}"#
            );
            let parsed = Message::parse_incoming(body.as_bytes());
            assert_eq!(parsed.is_ok(), is_taken, "{arrays}");
            if let Err(fault) = parsed {
                let limit = format!("nested deeper than {MAX_NESTING} levels");
                assert!(fault.to_string().ends_with(&limit), "{fault}");
            }
        }
    }
}
