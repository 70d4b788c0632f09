//! What a result gains or loses on its way to a caller of the other era. Everything else in it
//! keeps its bytes.

use serde::Serialize;
use serde_json::value::RawValue;
use wire::{Era, RawObject, meta_key, to_raw};

use crate::tools::quoted;

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

/// Why a legacy caller can't have a result of the upstream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Uncarried(pub(super) String);

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
/// What isn't complete has no form in that era: without its type it would look like a success.
pub(super) fn upstream(
    result: Box<RawValue>,
    upstream: Era,
    era: Era,
    hints: CacheHints,
) -> Result<Box<RawValue>, Uncarried> {
    if era == Era::Legacy && upstream == Era::Legacy {
        return Ok(result);
    }
    let Some(object) = RawObject::read(&result) else {
        return Ok(result);
    };
    if era == Era::Legacy {
        return match object.get(RESULT_TYPE) {
            Some(kind) if !is_complete(&object) => Err(Uncarried::of_type(kind)),
            _ => Ok(object.rewrite(&[RESULT_TYPE, TTL_MS, CACHE_SCOPE], &[])),
        };
    }
    Ok(modern(&object, hints).unwrap_or(result))
}

/// `object` with what a modern result must have; `None` if it has all of it, or isn't complete, so
/// that it is between the upstream and its caller.
fn modern(object: &RawObject<'_>, hints: CacheHints) -> Option<Box<RawValue>> {
    if !is_complete(object) {
        return None;
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
    (!missing.is_empty()).then(|| object.rewrite(&[], &missing))
}

/// Whether it is a result as the earlier revisions know it.
fn is_complete(object: &RawObject<'_>) -> bool {
    object
        .get(RESULT_TYPE)
        .is_none_or(|kind| kind.get() == r#""complete""#)
}

impl Uncarried {
    fn of_type(kind: &RawValue) -> Self {
        Self(if kind.get() == r#""input_required""# {
            "The upstream asks back before it answers, which this client's protocol version can't \
             carry: nothing ran to completion. A client of MCP 2026-07-28 can answer."
                .to_owned()
        } else {
            format!(
                "The upstream answered with a result of the type {}, which this client's protocol \
                 version can't carry. What it began may still be running.",
                quoted(kind.get().trim_matches('"'))
            )
        })
    }
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
