//! Values made up from a record's fields.

use serde_json::{Map, Value, json};

use crate::catalog::{Field, Kind, literal};

/// Makes the records of one kind up. A record is a row of samples; the values that have none follow
/// from the kind and the row, so that one id has one set of values in every tool's answer.
#[derive(Debug)]
pub(super) struct Sampler<'a> {
    kind: &'a str,
    fields: &'a [Field],
    wanted: &'a Map<String, Value>,
}

impl<'a> Sampler<'a> {
    /// For records of `kind`. They show what `wanted` names; where no row has it, they are given it.
    pub(super) fn new(kind: &'a str, fields: &'a [Field], wanted: &'a Map<String, Value>) -> Self {
        Self {
            kind,
            fields,
            wanted,
        }
    }

    /// The first of the records that are asked for and how many there are in all.
    pub(super) fn list(&self) -> Value {
        let rows = self.rows();
        let limit = self.wanted.get("limit").and_then(Value::as_u64);
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        let shown = rows.iter().take(limit.unwrap_or(rows.len()));
        let items: Vec<_> = shown.map(|row| self.record(self.fields, *row)).collect();
        json!({"total": rows.len(), "items": items})
    }

    /// The one record that is asked for.
    pub(super) fn one(&self) -> Value {
        let row = self.rows().first().copied().unwrap_or_default();
        self.record(self.fields, row)
    }

    /// The rows that are asked for. What no row has rules none out.
    fn rows(&self) -> Vec<u64> {
        let columns = self.fields.iter().filter(|field| !is_array(&field.kind));
        let longest = columns.map(|field| field.samples.len()).max().unwrap_or(0);
        let count = if longest == 0 {
            UNSAMPLED
        } else {
            longest as u64
        };
        let mut rows: Vec<u64> = (0..count).collect();
        for (place, field) in self.fields.iter().enumerate() {
            let Some(given) = self.given(field) else {
                continue;
            };
            let agrees =
                |row: &u64| self.shows(field, &self.of_kind(&field.kind, field, *row), given);
            if !keep(&mut rows, agrees) && place == 0 {
                // A record beyond the samples: as good as any other, and always the same.
                let start = fnv(FNV_START, &given.to_string());
                rows = rows.iter().map(|row| start.wrapping_add(*row)).collect();
            }
        }
        let names_no_field = |name: &str| self.fields.iter().all(|field| field.name != name);
        for (_, words) in self.wanted.iter().filter(|(name, _)| names_no_field(name)) {
            keep(&mut rows, |row| {
                let mut samples = self.fields.iter().map(|field| pick(&field.samples, *row));
                samples.any(|sample| contains(&json!(sample), words))
            });
        }
        rows
    }

    /// A record of samples from one row, with what is wanted of it.
    fn record(&self, fields: &[Field], row: u64) -> Value {
        let members = fields.iter().map(|field| {
            let own = self.of_kind(&field.kind, field, row);
            let value = match self.given(field) {
                Some(given) if !self.shows(field, &own, given) => given.clone(),
                _ => own,
            };
            (field.name.clone(), value)
        });
        Value::Object(members.collect())
    }

    /// Whether a member has what is wanted of it: its value, or a part if it is a text and no id.
    fn shows(&self, field: &Field, own: &Value, given: &Value) -> bool {
        let is_id = self.fields.first().is_some_and(|id| id.name == field.name);
        own == given || !is_id && field.kind == Kind::Text && contains(own, given)
    }

    /// The value that is wanted of a field, if it can have that value.
    fn given(&self, field: &Field) -> Option<&'a Value> {
        let given = self.wanted.get(&field.name)?;
        fits(&field.kind, given).then_some(given)
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
        let any = [&row.to_string(), &field.name]
            .into_iter()
            .fold(fnv(FNV_START, self.kind), |seed, text| fnv(seed, text));
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

fn is_array(kind: &Kind) -> bool {
    matches!(kind, Kind::Array(_))
}

/// Drops the rows that don't agree, unless that would be all; says whether any does.
fn keep(rows: &mut Vec<u64>, agrees: impl Fn(&u64) -> bool) -> bool {
    let any = rows.iter().any(&agrees);
    if any {
        rows.retain(agrees);
    }
    any
}

/// Whether both are texts and `part` stands in `whole`, in whatever case.
fn contains(whole: &Value, part: &Value) -> bool {
    match (whole.as_str(), part.as_str()) {
        (Some(whole), Some(part)) => whole.to_lowercase().contains(&part.to_lowercase()),
        _ => false,
    }
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
/// How many records there are of a kind without samples.
const UNSAMPLED: u64 = 3;
