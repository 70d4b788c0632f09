//! Which listings are the same, so that callers with the same tools share one catalog.

use sha2::{Digest, Sha256};
use upstream::{Handshake, Listing};
use wire::Era;

/// A digest of all that a catalog is built from. Collision-resistant, because an upstream's tools
/// may come from people who would like one caller to get another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of `listing`. Reads all of it: run it off the async threads.
    pub(super) fn of(listing: &Listing) -> Self {
        let mut digest = Sha256::new();
        let Handshake {
            era,
            instructions,
            capabilities,
        } = &listing.handshake;
        digest.update([u8::from(*era == Era::Modern)]);
        update(&mut digest, instructions.as_deref());
        update(&mut digest, capabilities.as_ref().map(|raw| raw.get()));
        update(&mut digest, listing.cut_short);
        for tool in &listing.tools {
            update(&mut digest, Some(tool.get()));
        }
        Self(digest.finalize().into())
    }
}

/// Adds `part` with its length, so that no two sequences of parts read alike.
fn update(digest: &mut Sha256, part: Option<&str>) {
    match part {
        Some(text) => {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        None => digest.update(u64::MAX.to_le_bytes()),
    }
}
