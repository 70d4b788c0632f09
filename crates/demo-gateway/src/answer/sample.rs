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
        let seed = [
            tool.to_owned(),
            Value::Object(arguments.clone()).to_string(),
        ]
        .iter()
        .fold(FNV_START, |hash, text| fnv(hash, text));
        Self { arguments, seed }
    }

    /// A few records and how many there are in all.
    pub(super) fn list(&self, fields: &[Field]) -> Value {
        let asked = self.arguments.get("limit").and_then(Value::as_u64);
        let shown = asked.unwrap_or(LISTED).clamp(1, LISTED);
        let items: Vec<_> = (0..shown).map(|place| self.record(fields, place)).collect();
        json!({"total": shown, "items": items})
    }

    /// One record; `place` tells it from its neighbours. A member that bears an argument's name has
    /// the argument's value.
    pub(super) fn record(&self, fields: &[Field], place: u64) -> Value {
        let members = fields.iter().map(|field| {
            let value = match self.arguments.get(&field.name) {
                Some(given) if fits(&field.kind, given) => given.clone(),
                _ => self.value(field, place),
            };
            (field.name.clone(), value)
        });
        Value::Object(members.collect())
    }

    fn value(&self, field: &Field, place: u64) -> Value {
        let number = fnv(self.seed, &field.name).wrapping_add(place);
        self.of_kind(&field.kind, field, number)
    }

    fn of_kind(&self, kind: &Kind, field: &Field, number: u64) -> Value {
        if let Some(sample) = pick(&field.samples, number)
            && !matches!(kind, Kind::Array(_))
        {
            return typed(kind, sample);
        }
        let (least, most) = field.range.unwrap_or((1, 90));
        let in_range = least.saturating_add_unsigned(number % most.abs_diff(least).max(1));
        match kind {
            Kind::Integer => json!(in_range),
            Kind::Number => json!(in_range as f64 + 0.5),
            Kind::Boolean => json!(number.is_multiple_of(2)),
            Kind::Choice(words) => json!(pick(words, number)),
            Kind::Array(item) => {
                let items =
                    (0..2).map(|place| self.of_kind(item, field, number.wrapping_add(place)));
                Value::Array(items.collect())
            }
            Kind::Object(fields) => Value::Object(
                fields
                    .iter()
                    .map(|member| (member.name.clone(), self.value(member, number % 97)))
                    .collect(),
            ),
            Kind::Format("date") => json!(date(number)),
            Kind::Format("date-time") => {
                json!(format!("{}T{:02}:30:00Z", date(number), number % 24))
            }
            Kind::Format("time") => json!(format!("{:02}:{:02}:00", number % 24, number % 4 * 15)),
            Kind::Format("email") => json!(format!("person{}@brightwater.example", number % 100)),
            Kind::Format("uri") => {
                json!(format!(
                    "https://brightwater.example/{}/{}",
                    field.name,
                    number % 1000
                ))
            }
            Kind::Format(_) => json!(format!(
                "00000000-0000-4000-8000-{:012x}",
                number % (1 << 48)
            )),
            Kind::Text | Kind::Pattern(_) => json!(format!("{} {}", field.name, number % 100)),
        }
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

fn typed(kind: &Kind, sample: &str) -> Value {
    match kind {
        Kind::Integer | Kind::Number | Kind::Boolean => {
            serde_json::from_str(sample).unwrap_or_else(|_| json!(sample))
        }
        _ => json!(sample),
    }
}

fn pick(from: &[String], number: u64) -> Option<&str> {
    let length = u64::try_from(from.len())
        .ok()
        .filter(|length| *length > 0)?;
    let position = usize::try_from(number % length).ok()?;
    from.get(position).map(String::as_str)
}

fn date(number: u64) -> String {
    format!("2026-{:02}-{:02}", number % 12 + 1, number % 28 + 1)
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
