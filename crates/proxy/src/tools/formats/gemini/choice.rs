//! Schemas that count their values.

use serde_json::{Map, Value, json};

use super::Subset;
use super::reading::is_of;
use super::writing::{allow_null, any_of, describe};

impl Subset<'_> {
    /// One of `values`, of which `types` say which are taken at all unless there are none: an `enum`
    /// where they are text, else words.
    pub(super) fn choice(
        &mut self,
        map: &Map<String, Value>,
        values: &[Value],
        types: &[&str],
        at: &str,
    ) -> Value {
        let fits = |value: &Value| types.is_empty() || types.iter().any(|kind| is_of(value, kind));
        let (fitting, others): (Vec<&Value>, Vec<&Value>) =
            values.iter().partition(|value| fits(value));
        if !others.is_empty() {
            self.changes
                .at(at, "values that its type doesn't take are left out");
        }
        let (null, fitting): (Vec<&Value>, Vec<&Value>) =
            fitting.into_iter().partition(|value| value.is_null());
        let takes_null = !null.is_empty() || map.get("nullable") == Some(&Value::Bool(true));
        let each = self.groups(map, &fitting, at);
        let mut schema = match (each.is_empty(), takes_null) {
            (false, _) => any_of(each),
            (true, true) => return self.null(map, at),
            (true, false) => return self.nothing(map, at),
        };
        if takes_null {
            allow_null(&mut schema);
        }
        schema
    }

    /// A schema for the values of each type among `values`.
    fn groups(&mut self, map: &Map<String, Value>, values: &[&Value], at: &str) -> Vec<Value> {
        let of = |is_in: fn(&Value) -> bool| -> Vec<&Value> {
            values
                .iter()
                .copied()
                .filter(|value| is_in(value))
                .collect()
        };
        let [texts, truths, numbers] = [
            of(Value::is_string),
            of(Value::is_boolean),
            of(Value::is_number),
        ];
        let nested = of(|value| value.is_array() || value.is_object());
        let mut each = Vec::new();
        // An empty text isn't taken.
        let is_enum = !texts.is_empty() && texts.iter().all(|text| **text != "");
        if is_enum {
            let mut schema = json!({"type": "STRING", "enum": texts});
            describe(&mut schema, map, "");
            each.push(schema);
        }
        let number = if numbers.iter().all(|value| is_of(value, "integer")) {
            "INTEGER"
        } else {
            "NUMBER"
        };
        let told = [
            ("STRING", if is_enum { &[][..] } else { &texts[..] }),
            ("BOOLEAN", &truths[..]),
            (number, &numbers[..]),
        ];
        for (kind, values) in told.into_iter().filter(|(_, values)| !values.is_empty()) {
            self.changes.at(at, "its values stand in its description");
            let mut schema = json!({"type": kind});
            describe(&mut schema, map, &one_of(values));
            each.push(schema);
        }
        if nested.is_empty() {
        } else if texts.is_empty() {
            each.push(self.text(map, at, &one_of(&nested), "has lists or objects as values"));
        } else {
            // Beside text, what is written as text stays text.
            self.changes
                .at(at, "values that are lists or objects are left out");
        }
        each
    }
}

/// Whatever is told is whole: a value that is cut is another one.
fn one_of(values: &[&Value]) -> String {
    let mut bytes = 0;
    let texts = values.iter().map(ToString::to_string);
    let told: Vec<String> = texts
        .enumerate()
        .take(VALUES)
        .take_while(|(position, text)| {
            bytes += text.len();
            bytes <= BYTES || *position == 0
        })
        .map(|(_, text)| text)
        .collect();
    let all = told.join(", ");
    match values.len() - told.len() {
        0 => format!("One of {all}."),
        more => format!("One of {all} and {more} more."),
    }
}

/// How many values a description counts.
const VALUES: usize = 50;
const BYTES: usize = 2_000;
