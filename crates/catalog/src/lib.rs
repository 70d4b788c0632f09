//! A caller's tools: the immutable [`Catalog`], the [`Catalogs`] that keep one per caller, and what
//! may be done with a [`Tool`].

mod access;
mod arguments;
mod cache;
mod doubtful;
mod dump;
mod failure;
mod named;
mod names;
mod snapshot;
mod tool;
mod vectors;

pub use access::{InvalidPattern, ToolAccess, ToolPattern, WriteTools};
pub use arguments::{
    ArgumentProblem, Arguments, CheckLimits, UncheckedReason, object_in_text, prepare,
};
pub use cache::{CacheSettings, CacheStatus, CatalogView, Catalogs, Freshness, Lister, Missing};
pub use doubtful::DoubtfulTools;
pub use dump::{DumpError, read_dump};
pub use failure::LastFailure;
pub use named::{NamedIn, NamedTools, UnmatchedName};
pub use names::{near, without_client_prefix};
pub use snapshot::{Area, Catalog, CatalogNotes, Found, Ranked, Selection};
pub use tool::Tool;
pub use vectors::{
    QueryVectors, VectorService, VectorServiceStatus, VectorSettings, VectorSource, Vectors,
};
