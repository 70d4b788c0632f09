//! What the references in a schema lead to.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

/// A whole input schema, in which references are looked up.
#[derive(Debug)]
pub(super) struct Document<'a> {
    root: &'a Value,
    anchors: HashMap<&'a str, &'a Value>,
    /// Schemas inside with an `$id`, to which the references in them are relative.
    parts: HashMap<&'a str, &'a Value>,
}

/// Where a reference leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target<'a> {
    Found(&'a Value),
    /// To nothing in the document.
    Nowhere,
    /// Perhaps to something: what it is relative to isn't followed.
    Unclear,
}

impl<'a> Document<'a> {
    pub(super) fn of(root: &'a Value) -> Self {
        let mut document = Self {
            root,
            anchors: HashMap::new(),
            parts: HashMap::new(),
        };
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(values) => open.extend(values),
                Value::Object(map) => {
                    document.index(value);
                    open.extend(map.values());
                }
                _ => {}
            }
        }
        document
    }

    pub(super) const fn root(&self) -> &'a Value {
        self.root
    }

    /// Where `reference` leads.
    pub(super) fn target(&self, reference: &str) -> Target<'a> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.root.get("$id").and_then(Value::as_str);
        let own = own.map(|id| id.trim_end_matches('#'));
        let base = if uri.is_empty() || own == Some(uri) {
            Some(self.root)
        } else {
            self.parts.get(uri).copied()
        };
        match base.and_then(|base| self.within(base, fragment)) {
            Some(found) if found.is_object() || found.is_boolean() => Target::Found(found),
            None if !self.parts.is_empty() => Target::Unclear,
            _ => Target::Nowhere,
        }
    }

    fn within(&self, base: &'a Value, fragment: &str) -> Option<&'a Value> {
        let decoded = decoded(fragment);
        if fragment.is_empty() {
            Some(base)
        } else if decoded.starts_with('/') {
            // Not everybody encodes.
            let found = base.pointer(&decoded);
            found.or_else(|| base.pointer(fragment))
        } else {
            self.anchors.get(&*decoded).copied()
        }
    }

    fn index(&mut self, schema: &'a Value) {
        let text = |key: &str| schema.get(key).and_then(Value::as_str);
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = text(key) {
                self.anchors.entry(name).or_insert(schema);
            }
        }
        if let Some(id) = text("$id").or_else(|| text("id")) {
            match id.strip_prefix('#') {
                // What an anchor was before 2019-09.
                Some(name) if !name.is_empty() => {
                    self.anchors.entry(name).or_insert(schema);
                }
                _ if std::ptr::eq(schema, self.root) || text("$id").is_none() => {}
                _ => {
                    self.parts.entry(id.trim_end_matches('#')).or_insert(schema);
                }
            }
        }
    }
}

/// `fragment` without its percent-encoding (RFC 6901 §6).
fn decoded(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let encoded = tail.split_first_chunk().filter(|_| *first == b'%');
        let decoded = encoded.and_then(|(digits, tail)| Some((byte(*digits)?, tail)));
        let (byte, tail) = decoded.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = tail;
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(fragment), Cow::Owned)
}

fn byte([high, low]: [u8; 2]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
