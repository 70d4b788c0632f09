//! What is read of a tool that an upstream lists, beside its raw JSON.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::object::{RawObject, as_str};

/// The members of a tool that are used. The tool itself stays raw.
#[derive(Debug, Clone)]
pub struct ToolView<'a> {
    /// The name, exactly as listed.
    pub name: Cow<'a, str>,
    /// `title`, else `annotations.title`.
    pub title: Option<Cow<'a, str>>,
    /// The description; `None` where absent.
    pub description: Option<Cow<'a, str>>,
    /// The input schema; `None` where it had to be repaired to "any object".
    pub input_schema: Option<&'a RawValue>,
    /// The output schema as it came.
    pub output_schema: Option<&'a RawValue>,
    /// The annotations as they came; an object.
    pub annotations: Option<&'a RawValue>,
    /// `annotations.readOnlyHint`; unsaid where it is said in two ways.
    pub read_only: Hint,
    /// `annotations.destructiveHint`; true where it is said in two ways.
    pub destructive: Hint,
    /// `_meta.ui.visibility` is `["app"]`: made for a host's user interface, not for a model.
    pub app_only: bool,
}

/// A boolean annotation, of which only the literals count (field case 93).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// The JSON literal `true`.
    True,
    /// The JSON literal `false`.
    False,
    /// Absent, or anything but a boolean.
    Unsaid,
}

/// Something wrong with a tool that was read as if it weren't there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolRepair {
    /// No `inputSchema`, or `null`, or no object: the tool takes any object.
    InputSchemaMissing,
    /// `description` is neither a string nor absent.
    DescriptionNotText,
    /// `title` is neither a string nor absent.
    TitleNotText,
    /// `annotations` is neither an object nor absent.
    AnnotationsNotAnObject,
    /// `outputSchema` is neither an object nor absent.
    OutputSchemaNotAnObject,
    /// A hint is neither a boolean nor absent.
    HintNotBoolean,
    /// A hint, or `annotations`, stands twice with different values: the tool is taken as one that
    /// changes things.
    HintContradicted,
}

/// Why an entry of a listing can't be a tool at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolSkip {
    /// The entry isn't an object.
    NotAnObject,
    /// There is no `name`, or it isn't a string, or it is empty.
    NoName,
}

impl<'a> ToolView<'a> {
    /// Reads `raw` leniently: one odd member never costs the tool (field case 8).
    pub fn read(raw: &'a RawValue) -> Result<(Self, Vec<ToolRepair>), ToolSkip> {
        let tool = RawObject::read(raw).ok_or(ToolSkip::NotAnObject)?;
        let name = tool
            .get_str("name")
            .filter(|name| !name.is_empty())
            .ok_or(ToolSkip::NoName)?;
        let mut repairs = Vec::new();
        let annotations = object(
            &tool,
            "annotations",
            ToolRepair::AnnotationsNotAnObject,
            &mut repairs,
        );
        let hints = annotations.and_then(RawObject::read);
        let (read_only, destructive) = match &hints {
            Some(_) if tool.contradicts("annotations") => {
                repairs.push(ToolRepair::HintContradicted);
                (Hint::Unsaid, Hint::True)
            }
            Some(hints) => (
                hint(hints, "readOnlyHint", Hint::Unsaid, &mut repairs),
                hint(hints, "destructiveHint", Hint::True, &mut repairs),
            ),
            None => (Hint::Unsaid, Hint::Unsaid),
        };
        let input_schema = present(&tool, "inputSchema").filter(|schema| is_object(schema));
        if input_schema.is_none() {
            repairs.push(ToolRepair::InputSchemaMissing);
        }
        let view = Self {
            title: text(&tool, "title", ToolRepair::TitleNotText, &mut repairs)
                .or_else(|| hints.as_ref().and_then(|hints| hints.get_str("title"))),
            description: text(
                &tool,
                "description",
                ToolRepair::DescriptionNotText,
                &mut repairs,
            ),
            input_schema,
            output_schema: object(
                &tool,
                "outputSchema",
                ToolRepair::OutputSchemaNotAnObject,
                &mut repairs,
            ),
            annotations,
            read_only,
            destructive,
            app_only: is_app_only(&tool),
            name,
        };
        Ok((view, repairs))
    }
}

fn present<'a>(tool: &RawObject<'a>, key: &str) -> Option<&'a RawValue> {
    tool.get(key).filter(|value| value.get() != "null")
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

fn object<'a>(
    tool: &RawObject<'a>,
    key: &str,
    repair: ToolRepair,
    repairs: &mut Vec<ToolRepair>,
) -> Option<&'a RawValue> {
    let value = present(tool, key)?;
    if !is_object(value) {
        repairs.push(repair);
        return None;
    }
    Some(value)
}

fn text<'a>(
    tool: &RawObject<'a>,
    key: &str,
    repair: ToolRepair,
    repairs: &mut Vec<ToolRepair>,
) -> Option<Cow<'a, str>> {
    let value = present(tool, key)?;
    let text = as_str(value);
    if text.is_none() {
        repairs.push(repair);
    }
    text
}

/// The hint `key`; `in_doubt` where it is said in two ways.
fn hint(hints: &RawObject<'_>, key: &str, in_doubt: Hint, repairs: &mut Vec<ToolRepair>) -> Hint {
    if hints.contradicts(key) {
        repairs.push(ToolRepair::HintContradicted);
        return in_doubt;
    }
    match hints.get(key).map(RawValue::get) {
        Some("true") => Hint::True,
        Some("false") => Hint::False,
        None | Some("null") => Hint::Unsaid,
        Some(_) => {
            repairs.push(ToolRepair::HintNotBoolean);
            Hint::Unsaid
        }
    }
}

/// MCP Apps: a tool with this visibility is for the host alone.
fn is_app_only(tool: &RawObject<'_>) -> bool {
    let ui = tool
        .get("_meta")
        .and_then(RawObject::read)
        .and_then(|meta| meta.get("ui"));
    let visibility = ui
        .and_then(RawObject::read)
        .and_then(|ui| ui.get("visibility"));
    visibility
        .and_then(|value| serde_json::from_str::<Vec<String>>(value.get()).ok())
        .is_some_and(|visibility| visibility == ["app"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, read_only: Hint, expected: &[ToolRepair]) {
        let raw = RawValue::from_string(text.to_owned()).unwrap();
        let (view, repairs) = ToolView::read(&raw).unwrap();
        assert_eq!(
            (view.read_only, repairs.as_slice()),
            (read_only, expected),
            "{text}"
        );
    }

    #[test]
    fn only_a_literal_true_is_read_only() {
        for (hint, expected) in [
            ("true", Hint::True),
            ("false", Hint::False),
            ("null", Hint::Unsaid),
        ] {
            let tool = format!(
                r#"{{"name":"a","inputSchema":{{}},"annotations":{{"readOnlyHint":{hint}}}}}"#
            );
            check(&tool, expected, &[]);
        }
        let wrong_level = r#"{"name":"c","inputSchema":{},"readOnlyHint":true}"#;
        check(wrong_level, Hint::Unsaid, &[]);
        let text = r#"{"name":"b","inputSchema":{},"annotations":{"readOnlyHint":"true"}}"#;
        check(text, Hint::Unsaid, &[ToolRepair::HintNotBoolean]);
    }

    #[test]
    fn a_hint_said_in_two_ways_is_the_one_of_a_tool_that_changes_things() {
        let contradicted: &[_] = &[ToolRepair::HintContradicted];
        for (annotations, expected, repairs) in [
            (
                r#""annotations":{"readOnlyHint":false,"readOnlyHint":true}"#,
                (Hint::Unsaid, Hint::Unsaid),
                contradicted,
            ),
            (
                r#""annotations":{"readOnlyHint":true,"destructiveHint":true,"destructiveHint":false}"#,
                (Hint::True, Hint::True),
                contradicted,
            ),
            (
                r#""annotations":{"readOnlyHint":false},"annotations":{"readOnlyHint":true}"#,
                (Hint::Unsaid, Hint::True),
                contradicted,
            ),
            (
                r#""annotations":{"readOnlyHint":true,"readOnlyHint":true}"#,
                (Hint::True, Hint::Unsaid),
                &[],
            ),
        ] {
            let text = format!(r#"{{"name":"a","inputSchema":{{}},{annotations}}}"#);
            let raw = RawValue::from_string(text).unwrap();
            let (view, found) = ToolView::read(&raw).unwrap();
            assert_eq!(
                (view.read_only, view.destructive),
                expected,
                "{annotations}"
            );
            assert_eq!(found, repairs, "{annotations}");
        }
    }

    #[test]
    fn odd_members_are_repaired_one_by_one() {
        check(
            r#"{"name":"bare"}"#,
            Hint::Unsaid,
            &[ToolRepair::InputSchemaMissing],
        );
        check(
            r#"{"name":"nul","description":null,"inputSchema":null,"annotations":null}"#,
            Hint::Unsaid,
            &[ToolRepair::InputSchemaMissing],
        );
        check(
            r#"{"name":"odd","title":1,"description":{},"inputSchema":true,"outputSchema":true,"annotations":[]}"#,
            Hint::Unsaid,
            &[
                ToolRepair::AnnotationsNotAnObject,
                ToolRepair::InputSchemaMissing,
                ToolRepair::TitleNotText,
                ToolRepair::DescriptionNotText,
                ToolRepair::OutputSchemaNotAnObject,
            ],
        );
    }

    #[test]
    fn entries_without_a_name_are_skipped() {
        for (text, expected) in [
            (r#"{"description":"no name"}"#, ToolSkip::NoName),
            (r#"{"name":7}"#, ToolSkip::NoName),
            (r#"{"name":""}"#, ToolSkip::NoName),
            ("null", ToolSkip::NotAnObject),
        ] {
            let raw = RawValue::from_string(text.to_owned()).unwrap();
            assert_eq!(ToolView::read(&raw).unwrap_err(), expected, "{text}");
        }
    }

    #[test]
    fn tools_for_the_host_alone_are_recognised() {
        let app = r#"{"name":"a","inputSchema":{},"_meta":{"ui":{"visibility":["app"]}}}"#;
        let raw = RawValue::from_string(app.to_owned()).unwrap();
        assert!(ToolView::read(&raw).unwrap().0.app_only);
    }
}
