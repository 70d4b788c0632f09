//! The model that can be fetched: which files it has, how they come here, and whether a directory
//! holds them.

mod digest;
mod download;
mod fault;
mod part;
mod pinned;
mod remote;
mod verify;

pub(crate) use download::{Download, Fetched};
pub(crate) use pinned::{PINNED, PinnedFile};
pub(crate) use remote::Remote;
pub(crate) use verify::{Verified, verify};

#[cfg(test)]
mod tests;
