//! Protocol revisions and the two eras they fall into.

use std::fmt;

/// A published MCP revision that this project speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProtocolRevision {
    /// 2024-11-05, the first published one.
    V2024_11_05,
    /// 2025-03-26, which brought streamable HTTP; assumed where a legacy request names none.
    V2025_03_26,
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25, the last with a handshake.
    V2025_11_25,
    /// 2026-07-28, the first without a handshake or sessions.
    V2026_07_28,
}

/// How a hop talks: with a handshake and maybe a session, or with each request on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2024-11-05 to 2025-11-25: `initialize`, optional sessions.
    Legacy,
    /// 2026-07-28: every request carries its version and capabilities in `_meta`.
    Modern,
}

impl ProtocolRevision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// The newest revision with a handshake: what `initialize` falls back to.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;
    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The revision spelt `text`, if it is one of [`Self::ALL`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
    }

    /// The spelling used on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era the revision belongs to.
    pub const fn era(self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// Whether `text` has the form of a revision (`YYYY-MM-DD`), known or not.
    pub fn is_well_formed(text: &str) -> bool {
        text.len() == 10
            && text
                .bytes()
                .enumerate()
                .all(|(position, byte)| match position {
                    4 | 7 => byte == b'-',
                    _ => byte.is_ascii_digit(),
                })
    }
}

impl fmt::Display for ProtocolRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_parses_back() {
        for revision in ProtocolRevision::ALL {
            assert_eq!(ProtocolRevision::parse(revision.as_str()), Some(revision));
            assert!(ProtocolRevision::is_well_formed(revision.as_str()));
        }
        assert_eq!(ProtocolRevision::parse("2027-01-01"), None);
    }

    #[test]
    fn form_is_checked_apart_from_knowledge() {
        assert!(ProtocolRevision::is_well_formed("2027-01-01"));
        for malformed in ["", "2027-1-1", "2027/01/01", "latest", "2027-01-01 "] {
            assert!(
                !ProtocolRevision::is_well_formed(malformed),
                "{malformed:?}"
            );
        }
    }
}
