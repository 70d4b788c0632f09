//! Values made up from a record's fields.

use serde_json::{Map, Value, json};

use crate::catalog::{Field, Kind};

/// Makes values up. The same tool and arguments give the same values.
#[derive(Debug)]
pub(super) struct Sampler<'a> {
    arguments: &'a Map<String, Value>,
    seed: u64,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(tool: &str, arguments: &'a Map<String, Value>) -> Self {
        let seed = fnv(fnv(FNV_START, tool), &json!(arguments).to_string());
        Self { arguments, seed }
    }

    /// A few records and how many there are in all.
    pub(super) fn list(&self, fields: &[Field]) -> Value {
        let asked = self.arguments.get("limit").and_then(Value::as_u64);
        let shown = asked.unwrap_or(LISTED).clamp(1, LISTED);
        let first = self.row(fields);
        let items = (0..shown).map(|place| self.record(fields, first.wrapping_add(place)));
        json!({"total": shown, "items": items.collect::<Vec<_>>()})
    }

    /// The one record that is asked for.
    pub(super) fn one(&self, fields: &[Field]) -> Value {
        self.record(fields, self.row(fields))
    }

    /// The row of samples that an argument mentions, else any.
    fn row(&self, fields: &[Field]) -> u64 {
        let texts = self.arguments.values().filter_map(Value::as_str);
        texts
            .filter(|text| !text.is_empty())
            .find_map(|text| {
                let text = text.to_lowercase();
                let mentions = |sample: &String| sample.to_lowercase().contains(&text);
                let row = |field: &Field| field.samples.iter().position(mentions);
                fields.iter().find_map(row)
            })
            .and_then(|row| u64::try_from(row).ok())
            .unwrap_or(self.seed)
    }

    /// A record of samples from one row. A member that bears an argument's name has its value.
    fn record(&self, fields: &[Field], row: u64) -> Value {
        let members = fields.iter().map(|field| {
            let value = match self.arguments.get(&field.name) {
                Some(given) if fits(&field.kind, given) => given.clone(),
                _ => self.of_kind(&field.kind, field, row),
            };
            (field.name.clone(), value)
        });
        Value::Object(members.collect())
    }

    fn of_kind(&self, kind: &Kind, field: &Field, row: u64) -> Value {
        match (kind, pick(&field.samples, row)) {
            (Kind::Array(item), _) => {
                let items = (0..2).map(|place| self.of_kind(item, field, row.wrapping_add(place)));
                return Value::Array(items.collect());
            }
            (Kind::Object(members), _) => return self.record(members, row),
            (Kind::Integer | Kind::Number | Kind::Boolean, Some(sample)) => return literal(sample),
            (_, Some(sample)) => return json!(sample),
            (_, None) => {}
        }
        let any = fnv(self.seed, &field.name).wrapping_add(row);
        let (least, most) = field.range.unwrap_or((1, 90));
        let in_range = least.saturating_add_unsigned(any % most.abs_diff(least).max(1));
        match kind {
            Kind::Integer => json!(in_range),
            Kind::Number => json!(in_range as f64 + 0.5),
            Kind::Boolean => json!(any.is_multiple_of(2)),
            Kind::Choice(words) => json!(pick(words, any)),
            Kind::Format(format) => json!(formatted(format, &field.name, any)),
            _ => json!(format!("{} {}", field.name, any % 100)),
        }
    }
}

/// A text of one of the catalog's formats.
fn formatted(format: &str, name: &str, any: u64) -> String {
    let date = format!("2026-{:02}-{:02}", any % 12 + 1, any % 28 + 1);
    let time = format!("{:02}:{:02}:00", any % 24, any % 4 * 15);
    match format {
        "date" => date,
        "date-time" => format!("{date}T{time}Z"),
        "time" => time,
        "email" => format!("person{}@brightwater.example", any % 100),
        "uri" => format!("https://brightwater.example/{name}/{}", any % 1000),
        _ => format!("00000000-0000-4000-8000-{:012x}", any % (1 << 48)),
    }
}

/// Whether an argument can stand as a member of this kind.
fn fits(kind: &Kind, given: &Value) -> bool {
    match kind {
        Kind::Integer | Kind::Number => given.is_number(),
        Kind::Boolean => given.is_boolean(),
        Kind::Choice(words) => given
            .as_str()
            .is_some_and(|word| words.iter().any(|w| w == word)),
        Kind::Text | Kind::Format(_) | Kind::Pattern(_) => given.is_string(),
        Kind::Array(_) | Kind::Object(_) => false,
    }
}

fn literal(sample: &str) -> Value {
    serde_json::from_str(sample).unwrap_or_else(|_| json!(sample))
}

fn pick(from: &[String], number: u64) -> Option<&str> {
    let length = u64::try_from(from.len())
        .ok()
        .filter(|length| *length > 0)?;
    let position = usize::try_from(number % length).ok()?;
    from.get(position).map(String::as_str)
}

/// FNV-1a, which unlike the standard library's hash stays the same with every release.
fn fnv(start: u64, text: &str) -> u64 {
    text.bytes().fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
/// How many records a list shows at most.
const LISTED: u64 = 3;
