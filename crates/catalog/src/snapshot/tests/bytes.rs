//! What was listed is what is handed on, whatever it holds (field case 28).

use proptest::prelude::*;

use super::*;
use crate::arguments::{Arguments, examine};

/// JSON in spellings that no serialiser would choose.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("30.0".to_owned()),
        Just("-0".to_owned()),
        Just("1E+2".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        Just(r#""\u0061\/\"""#.to_owned()),
        "[a-zą日]{0,4}".prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[ {} ]", items.join(" ,"))),
            object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let keys = prop_oneof![
        Just("title".to_owned()),
        Just("\\u0074ype2".to_owned()),
        Just("default".to_owned()),
        "[a-c$]{0,2}",
    ];
    proptest::collection::vec((keys, inner), 0..4).prop_map(|members| {
        let members = members
            .iter()
            .map(|(key, value)| format!("\"{key}\" :{value}"));
        format!("{{{} }}", members.collect::<Vec<_>>().join(" , "))
    })
}

proptest! {
    #[test]
    fn a_tool_keeps_every_byte(schema in object(json()), output in object(json()), other in json()) {
        let text = format!(
            r#"{{ "x":{other}, "outputSchema" : {output},"name":"t","inputSchema": {schema} }}"#
        );
        let catalog = catalog(&[&text]);
        let tool = catalog.get("t").unwrap();
        prop_assert_eq!(tool.raw().get(), &text);
        prop_assert_eq!(tool.input_schema().get(), &schema);
        prop_assert_eq!(tool.output_schema().map(RawValue::get), Some(output.as_str()));
    }

    #[test]
    fn arguments_that_fit_keep_every_byte(given in object(json())) {
        let tool = read_tools(vec![raw(r#"{"name":"t"}"#)], &WriteTools::default()).pop().unwrap();
        let sent = examine(&tool, raw(&given), std::time::Duration::from_mins(1));
        let Arguments::Forward { arguments, unchecked: None } = sent else {
            return Err(TestCaseError::fail(format!("{sent:?}")));
        };
        prop_assert_eq!(arguments.get(), &given);
    }
}
