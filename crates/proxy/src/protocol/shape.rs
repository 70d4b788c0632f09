//! What a result gains or loses on its way to a caller of the other era. Everything else in it
//! keeps its bytes.

use serde::Serialize;
use serde_json::value::RawValue;
use wire::{Era, RawObject, meta_key, to_raw};

/// Who we are.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ServerInfo {
    name: &'static str,
    title: &'static str,
    version: &'static str,
}

/// Whether a result says how long it may be kept (2026-07-28, caching).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheHints {
    /// It must; filled in where the upstream's era has none.
    Required,
    /// Not part of this method's results.
    Absent,
}

/// A result that we wrote, for a caller of `era`.
pub(super) fn own(result: Box<RawValue>, era: Era, hints: CacheHints) -> Box<RawValue> {
    if era == Era::Legacy {
        return result;
    }
    let Some(object) = RawObject::read(&result) else {
        return result;
    };
    let [complete, private, ttl] = [to_raw("complete"), to_raw("private"), to_raw(&OWN_TTL_MS)];
    let meta = to_raw(&serde_json::json!({ meta_key::SERVER_INFO: SERVER_INFO }));
    let mut add: Vec<(&str, &RawValue)> = vec![(RESULT_TYPE, &complete)];
    if hints == CacheHints::Required {
        add.extend([(TTL_MS, &*ttl), (CACHE_SCOPE, &*private)]);
    }
    add.push(("_meta", &meta));
    object.rewrite(&[], &add)
}

/// The upstream's result, for a caller of `era`.
///
/// Where both hops are of one era it stays as it is. A modern caller of a legacy upstream gets
/// what the era requires, a legacy caller of a modern upstream loses what its era doesn't know.
pub(super) fn upstream(
    result: Box<RawValue>,
    upstream: Era,
    era: Era,
    hints: CacheHints,
) -> Box<RawValue> {
    if era == Era::Legacy && upstream == Era::Legacy {
        return result;
    }
    let Some(object) = RawObject::read(&result) else {
        return result;
    };
    if era == Era::Legacy {
        return object.rewrite(&[RESULT_TYPE, TTL_MS, CACHE_SCOPE], &[]);
    }
    let [complete, private, ttl] = [
        to_raw("complete"),
        to_raw("private"),
        to_raw(&FOREIGN_TTL_MS),
    ];
    let required: &[(&str, &RawValue)] = match hints {
        CacheHints::Required => &[
            (RESULT_TYPE, &complete),
            (TTL_MS, &ttl),
            (CACHE_SCOPE, &private),
        ],
        CacheHints::Absent => &[(RESULT_TYPE, &complete)],
    };
    let missing: Vec<_> = required
        .iter()
        .copied()
        .filter(|(key, _)| object.get(key).is_none())
        .collect();
    if missing.is_empty() {
        return result;
    }
    object.rewrite(&[], &missing)
}

pub(super) const SERVER_INFO: ServerInfo = ServerInfo {
    name: "mcp-toolsearch-proxy",
    title: "Tool search",
    version: env!("CARGO_PKG_VERSION"),
};
const RESULT_TYPE: &str = "resultType";
const TTL_MS: &str = "ttlMs";
const CACHE_SCOPE: &str = "cacheScope";
const OWN_TTL_MS: u64 = 60_000;
/// What a legacy upstream lists may change at any time.
const FOREIGN_TTL_MS: u64 = 0;
