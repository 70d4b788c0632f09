//! A bound for what is done about one tool.

use serde_json::Value;

/// How many more values of JSON may be copied for one definition. References let a small schema unfold
/// without end.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    pub(super) const fn new() -> Self {
        Self { left: VALUES }
    }

    /// Whether there is room to copy `value`, which is then taken.
    pub(super) fn takes(&mut self, value: &Value) -> bool {
        if let Some(size) = size_within(value, self.left) {
            self.left -= size;
            true
        } else {
            self.left = 0;
            false
        }
    }

    /// How many values were copied.
    pub(super) const fn done(&self) -> usize {
        VALUES - self.left
    }
}

/// How many values `value` holds, itself among them, unless that is more than `limit`.
pub(super) fn size_within(value: &Value, limit: usize) -> Option<usize> {
    let mut size = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        size += 1;
        if size > limit {
            return None;
        }
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(map) => open.extend(map.values()),
            _ => {}
        }
    }
    Some(size)
}

/// Far above real schemas: the largest of some thousand takes a tenth.
const VALUES: usize = 200_000;
