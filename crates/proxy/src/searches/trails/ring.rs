//! The last searches of one caller.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::{Answered, SearchEnd, TrailCounts};

/// At most [`SEARCHES`], none older than [`OPEN`]; the newest last.
#[derive(Debug, Default)]
pub(super) struct Ring(VecDeque<Search>);

/// A search, as hashes.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) at: Instant,
    pub(super) asked: u64,
    pub(super) answer: u64,
    pub(super) ranks: Vec<Ranked>,
    pub(super) answered: Answered,
    /// What its caller has of the answer.
    pub(super) told: Told,
    /// What came after, as far as is known.
    pub(super) end: SearchEnd,
}

/// What a caller has of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Nothing that counts: somebody new may ask in their name.
    Nothing,
    /// All of it, once. It may have been lost on its way, or gone to another who has the same token.
    Once,
    /// All of it, twice within a short time; the second time at this moment.
    Twice(Instant),
}

/// A tool that was found, and where, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranked {
    name: u32,
    rank: u8,
}

/// The best of what was found, by rank; a tool that several queries found by its best.
pub(super) fn ranks(found: &[Vec<&str>], hash: impl Fn(&str) -> u32) -> Vec<Ranked> {
    let mut ranks: Vec<Ranked> = Vec::new();
    let deepest = found.iter().map(Vec::len).max().unwrap_or_default();
    for (place, rank) in (0..deepest).zip(1_u8..) {
        for name in found.iter().filter_map(|names| names.get(place)) {
            let name = hash(name);
            if ranks.len() < NAMES && !ranks.iter().any(|other| other.name == name) {
                ranks.push(Ranked { name, rank });
            }
        }
    }
    ranks
}

impl Ring {
    /// Adds `search`. If its caller had the whole answer twice: how long ago the second time was, if
    /// that is short.
    pub(super) fn push(
        &mut self,
        mut search: Search,
        counts: &mut TrailCounts,
    ) -> Option<Duration> {
        let same = self
            .0
            .iter()
            .rev()
            .find(|other| other.asked == search.asked)
            .filter(|other| other.answer == search.answer && !search.ranks.is_empty());
        let recently = |whole_at: Instant| search.at - whole_at <= REPEATED_WITHIN;
        let (told, repeated) = match same.map(|other| (other.told, other.at)) {
            Some((Told::Once, at)) if recently(at) => (Told::Twice(search.at), None),
            Some((Told::Twice(at), _)) if recently(at) => (Told::Twice(at), Some(search.at - at)),
            _ => (Told::Once, None),
        };
        search.told = told;
        if let Some(last) = self
            .0
            .back_mut()
            .filter(|last| last.end == SearchEnd::Nothing)
        {
            last.end = last.followed_by(&search);
        }
        if self.0.len() >= SEARCHES
            && let Some(oldest) = self.0.pop_front()
        {
            oldest.count(counts);
        }
        self.0.push_back(search);
        repeated
    }

    /// Takes it that nobody has the answers so far.
    pub(super) fn begin_anew(&mut self) {
        for search in &mut self.0 {
            search.told = Told::Nothing;
        }
    }

    /// Notes a call of the tool whose name hashes to `name`, for the last search that found it: only
    /// its first call counts.
    pub(super) fn call(&mut self, name: u32, counts: &mut TrailCounts) {
        let found = self.0.iter_mut().rev().find_map(|search| {
            let rank = search.ranks.iter().find(|ranked| ranked.name == name)?.rank;
            Some((search, rank))
        });
        if let Some((search, rank)) = found
            && search.end != SearchEnd::Call
        {
            search.end = SearchEnd::Call;
            counts.count_rank(rank);
        }
    }

    /// Ends the searches that are too old.
    pub(super) fn expire(&mut self, now: Instant, counts: &mut TrailCounts) {
        while let Some(oldest) = self.0.pop_front_if(|oldest| now - oldest.at >= OPEN) {
            oldest.count(counts);
        }
    }

    /// Ends all searches.
    pub(super) fn end(self, counts: &mut TrailCounts) {
        for search in self.0 {
            search.count(counts);
        }
    }

    /// When the last search was.
    pub(super) fn last(&self) -> Option<Instant> {
        self.0.back().map(|search| search.at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Search {
    /// What `next`, the caller's next search, says of this one.
    fn followed_by(&self, next: &Self) -> SearchEnd {
        let firsts = |search: &Self| -> Vec<u32> {
            let first = search
                .ranks
                .iter()
                .filter(|ranked| ranked.rank <= FIRST_HITS);
            first.map(|ranked| ranked.name).collect()
        };
        let theirs = firsts(next);
        if self.asked == next.asked {
            SearchEnd::Repeated
        } else if self.ranks.is_empty() || firsts(self).iter().any(|name| theirs.contains(name)) {
            SearchEnd::Reworded
        } else {
            SearchEnd::OtherSearch
        }
    }

    fn count(self, counts: &mut TrailCounts) {
        counts.count_end(self.answered, self.end);
    }
}

/// How many searches of a caller are kept.
const SEARCHES: usize = 8;
/// How many names of a search are kept: all of five queries with the usual limit.
const NAMES: usize = 40;
/// How long a call counts as its consequence.
const OPEN: Duration = Duration::from_mins(10);
/// How long an answer counts as still known to its reader.
const REPEATED_WITHIN: Duration = Duration::from_mins(5);
/// Searches that share one of so many hits are about the same thing.
const FIRST_HITS: u8 = 3;
