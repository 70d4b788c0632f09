//! One tool of a catalog.

mod param_headers;
mod signature;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::value::RawValue;
use wire::{ToolView, span_in};

use crate::access::{ToolAccess, WriteTools};
use crate::arguments::{Checker, UncheckedReason};

pub(crate) use param_headers::{InvalidParamHeader, ParamHeader};

/// A tool as it was listed, and what was read of it.
#[derive(Debug)]
pub struct Tool {
    access: ToolAccess,
    /// Shared with the same tool of another access.
    listed: Arc<Listed>,
}

/// What doesn't depend on the operator's lists.
#[derive(Debug)]
struct Listed {
    facts: ToolFacts,
    raw: Box<RawValue>,
    signature: OnceLock<String>,
    checker: OnceLock<Checker>,
    compiled: Compiled,
}

/// What compiling the schemas of a catalog's tools came to so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compiled(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// About what they take.
    bytes: AtomicUsize,
    /// Tools whose schema can't be used.
    unchecked: Mutex<BTreeMap<UncheckedReason, usize>>,
}

/// Where a tool's parts stand in its text.
#[derive(Debug, Clone)]
pub(crate) struct Spans {
    input_schema: Option<Range<usize>>,
    output_schema: Option<Range<usize>>,
    annotations: Option<Range<usize>>,
}

/// What was read of a tool, and what the catalog decides about it.
#[derive(Debug)]
pub(crate) struct ToolFacts {
    /// The name, exactly as listed.
    pub(crate) name: String,
    /// Of the text that the facts were read from.
    pub(crate) spans: Spans,
    /// The description without hidden characters.
    pub(crate) description: String,
    /// The title without hidden characters.
    pub(crate) title: Option<String>,
    /// What calling it may do by its listing alone.
    pub(crate) hinted: ToolAccess,
    /// From the input schema's `x-mcp-header` annotations.
    pub(crate) param_headers: Vec<ParamHeader>,
    /// Whether another tool of this name has another input schema.
    pub(crate) schemas_differ: bool,
}

impl Tool {
    /// The tool listed as `raw`, which `facts` were read from; what compiling its schema comes to
    /// counts in `compiled`.
    pub(crate) fn new(raw: Box<RawValue>, facts: ToolFacts, compiled: &Compiled) -> Self {
        Self {
            access: facts.hinted,
            listed: Arc::new(Listed {
                facts,
                raw,
                signature: OnceLock::new(),
                checker: OnceLock::new(),
                compiled: compiled.clone(),
            }),
        }
    }

    /// The same, with the access that `write_tools` leaves it.
    pub(crate) fn under(&self, write_tools: &WriteTools) -> Self {
        Self {
            access: write_tools.access(self.name(), self.listed.facts.hinted),
            listed: Arc::clone(&self.listed),
        }
    }

    /// The name, exactly as listed.
    pub fn name(&self) -> &str {
        &self.listed.facts.name
    }

    /// `title`, else `annotations.title`; without the characters that the description lacks too.
    pub fn title(&self) -> Option<&str> {
        self.listed.facts.title.as_deref()
    }

    /// The description as listed, but for invisible characters and direction overrides (field
    /// case 95); empty where there is none.
    pub fn description(&self) -> &str {
        &self.listed.facts.description
    }

    /// What calling it may do.
    pub fn access(&self) -> ToolAccess {
        self.access
    }

    /// The whole tool as listed, byte for byte.
    pub fn raw(&self) -> &RawValue {
        &self.listed.raw
    }

    /// The input schema, byte for byte; `{"type":"object"}` where the listing had none.
    pub fn input_schema(&self) -> &RawValue {
        self.part(self.listed.facts.spans.input_schema.as_ref())
            .unwrap_or(&ANY_OBJECT)
    }

    /// The output schema, byte for byte.
    pub fn output_schema(&self) -> Option<&RawValue> {
        self.part(self.listed.facts.spans.output_schema.as_ref())
    }

    /// The annotations, byte for byte.
    pub fn annotations(&self) -> Option<&RawValue> {
        self.part(self.listed.facts.spans.annotations.as_ref())
    }

    /// One line such as `create_issue(owner: string, repo: string, labels?: string[])`: required
    /// parameters first, in the schema's order. At most a few hundred characters.
    pub fn signature(&self) -> &str {
        self.listed
            .signature
            .get_or_init(|| signature::signature(&self.listed.facts.name, self.input_schema()))
    }

    /// `Mcp-Param-*` headers that a modern upstream wants mirrored for `arguments`: the part after
    /// the prefix and the value's text, not yet encoded.
    pub fn param_headers(&self, arguments: &RawValue) -> Vec<(String, String)> {
        self.listed
            .facts
            .param_headers
            .iter()
            .filter_map(|header| header.mirrored(arguments))
            .collect()
    }

    /// Several tools of this name were listed, with different input schemas.
    pub(crate) fn schemas_differ(&self) -> bool {
        self.listed.facts.schemas_differ
    }

    /// What checks arguments; compiled by the first use, which may take its time.
    pub(crate) fn checker(&self) -> &Checker {
        self.listed.checker.get_or_init(|| {
            let schema = self.input_schema();
            let checker = Checker::compile(schema);
            self.listed
                .compiled
                .add(schema.get().len() * COMPILED_SIZE, checker.unchecked());
            checker
        })
    }

    /// Why its arguments can't be checked; known once it was called.
    pub(crate) fn unchecked(&self) -> Option<UncheckedReason> {
        self.listed.checker.get()?.unchecked()
    }

    /// An estimate of the memory it holds, in bytes, but for a compiled schema.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<Listed>()
            + self.listed.facts.name.capacity()
            + self.listed.facts.title.as_ref().map_or(0, String::capacity)
            + self.listed.facts.description.capacity()
            + self.listed.raw.get().len()
            + self.listed.facts.param_headers.len() * size_of::<ParamHeader>()
    }

    fn part(&self, span: Option<&Range<usize>>) -> Option<&RawValue> {
        let text = self.listed.raw.get().get(span?.clone())?;
        serde_json::from_str(text).ok()
    }
}

impl Compiled {
    fn add(&self, bytes: usize, unchecked: Option<UncheckedReason>) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Some(reason) = unchecked {
            *self.lock().entry(reason).or_default() += 1;
        }
    }

    /// In bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Tools whose schema can't be used, by reason.
    pub(crate) fn unchecked(&self) -> BTreeMap<UncheckedReason, usize> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<UncheckedReason, usize>> {
        // No code under the lock leaves a count half changed.
        let counts = &self.0.unchecked;
        counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spans {
    /// Where the parts that `view` found stand in `raw`, which it was read from.
    pub(crate) fn of(view: &ToolView<'_>, raw: &RawValue) -> Self {
        let span = |part: Option<&RawValue>| span_in(raw.get(), part?.get());
        Self {
            input_schema: span(view.input_schema),
            output_schema: span(view.output_schema),
            annotations: span(view.annotations),
        }
    }
}

/// How much more a compiled schema takes than its text: the mean of 3,800 real ones.
const COMPILED_SIZE: usize = 16;

static ANY_OBJECT: LazyLock<Box<RawValue>> =
    LazyLock::new(|| wire::to_raw(&serde_json::json!({"type": "object"})));
