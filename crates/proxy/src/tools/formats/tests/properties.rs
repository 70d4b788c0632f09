//! What holds of any schema whatever.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::rules::{APIS, check_json_schema, check_subset, make, names};
use super::*;

fn reference() -> impl Strategy<Value = Value> {
    select(vec![
        "#",
        "#/$defs/A",
        "#/$defs/B",
        "#/$defs/List%3Cstring%3E",
        "#anchor",
        "#/properties/x[y]",
        "#/allOf/0",
        "#/oneOf/0/properties/b",
        "#/$defs/Gone",
        "https://example.com/other",
    ])
    .prop_map(|to| json!({"$ref": to}))
}

fn name() -> impl Strategy<Value = &'static str> + Clone {
    select(vec!["a", "b", "x[y]", "x_y_", "c d", "é", "$top"])
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => reference(),
        4 => select(vec![
            json!(true), json!(false), json!({}), json!(7), json!(null),
            json!({"type": "String"}), json!({"type": "integer", "minimum": "1"}),
            json!({"type": ["string", "null"], "$anchor": "anchor"}),
            json!({"const": "k"}), json!({"enum": [1, null, {"a": 1}]}),
            json!({"type": "array"}), json!({"type": "object"}), json!({"required": true}),
            json!({"type": "array", "items": [{"type": "float"}]}),
        ]),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 60, 5, |inner| {
        let several = || vec(inner.clone(), 0..4);
        let named = vec((name(), inner.clone()), 1..4)
            .prop_map(|named| Value::Object(named.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()));
        let member = prop_oneof![
            3 => named.clone().prop_map(|map| ("properties", map)),
            2 => (select(vec!["allOf", "anyOf", "oneOf"]), several())
                .prop_map(|(key, list)| (key, Value::Array(list))),
            1 => (select(vec!["items", "not", "if", "then", "additionalProperties"]), inner.clone()),
            1 => reference().prop_map(|map| ("$ref", map["$ref"].clone())),
            1 => vec(name(), 0..3).prop_map(|names| ("required", json!(names))),
            1 => select(vec!["object", "array", "string", "Object"]).prop_map(|kind| ("type", json!(kind))),
            1 => named.prop_map(|map| ("dependentSchemas", map)),
            1 => several().prop_map(|list| ("prefixItems", Value::Array(list))),
        ];
        vec(member, 1..4)
            .prop_map(|members| Value::Object(members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()))
    })
}

fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema(), schema()).prop_map(|(root, a, b, list)| {
        let mut root = match root {
            Value::Object(root) => root,
            other => return other,
        };
        let definitions = json!({"A": a, "B": b, "List<string>": list});
        root.insert("$defs".to_owned(), definitions);
        root.insert(
            "$schema".to_owned(),
            json!("http://json-schema.org/draft-07/schema#"),
        );
        Value::Object(root)
    })
}

proptest! {
    #[test]
    fn any_schema_becomes_one_that_the_api_takes(schema in document()) {
        for format in APIS {
            let made = make(format, &schema);
            match format {
                Format::Gemini if made.schema.is_null() => {}
                Format::Gemini => check_subset(&made.schema, ""),
                _ => check_json_schema(format, &made.schema),
            }
            if let Some(rule) = format.parameters() {
                let properties = made.schema.get("properties").and_then(Value::as_object);
                for name in properties.into_iter().flat_map(Map::keys) {
                    prop_assert!(rule.takes(name), "{format:?}: {name}");
                }
            }
        }
    }

    #[test]
    fn no_parameter_is_lost(schema in document()) {
        let mut known = BTreeSet::new();
        names(&schema, &schema, &mut 500, &mut known);
        for format in APIS {
            let made = make(format, &schema);
            let properties = made.schema.get("properties").and_then(Value::as_object);
            let given: BTreeSet<String> = properties
                .into_iter()
                .flat_map(Map::keys)
                .map(|name| made.upstream.get(name).unwrap_or(name).clone())
                .collect();
            let is_told = made.changes.iter().any(|text| text.contains("too large"));
            let lost: Vec<_> = known.difference(&given).collect();
            prop_assert!(lost.is_empty() || is_told, "{format:?}: {lost:?} {schema} {}", made.schema);
            // Whatever isn't the same inside is told too.
            let text = made.schema.to_string();
            let is_whole = schema.to_string().matches("\"x[y]\":").count() == 0 || text.contains("x_y_") || text.contains("x[y]");
            prop_assert!(is_whole || !made.changes.is_empty(), "{format:?}: {schema} {text}");
        }
    }

    #[test]
    fn the_work_is_bounded_whatever_the_schema(schema in document()) {
        for format in APIS {
            prop_assert!(make(format, &schema).work <= 200_000);
        }
    }
}
