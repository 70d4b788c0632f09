//! What became of searches, counted.

/// How well an answer fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answered {
    /// With a hit that isn't weak.
    Hits,
    /// With weak hits alone.
    Weak,
    /// With none.
    Empty,
}

/// What its caller did after a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// Called a tool that it found.
    Call,
    /// Searched in other words: for what shares one of its first hits, or after it found none.
    Reworded,
    /// Searched the same again.
    Repeated,
    /// Searched for something else.
    OtherSearch,
    /// None of these in ten minutes.
    Nothing,
}

/// Searches by how they were answered and what came after, and the ranks of tools called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TrailCounts {
    ends: [[u64; SearchEnd::ALL.len()]; Answered::ALL.len()],
    ranks: [u64; RANKS.len() + 1],
    rank_sum: u64,
}

impl Answered {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Hits, Self::Weak, Self::Empty];

    /// Its name in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hits => "hits",
            Self::Weak => "weak",
            Self::Empty => "empty",
        }
    }
}

impl SearchEnd {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [
        Self::Call,
        Self::Reworded,
        Self::Repeated,
        Self::OtherSearch,
        Self::Nothing,
    ];

    /// Its name in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Reworded => "reworded",
            Self::Repeated => "repeated",
            Self::OtherSearch => "other_search",
            Self::Nothing => "nothing",
        }
    }
}

impl TrailCounts {
    pub(super) fn count_end(&mut self, answered: Answered, end: SearchEnd) {
        let row = self.ends.get_mut(answered as usize);
        if let Some(count) = row.and_then(|row| row.get_mut(end as usize)) {
            *count += 1;
        }
    }

    /// Counts a call of the tool at `rank`, from 1.
    pub(super) fn count_rank(&mut self, rank: u8) {
        let within = RANKS.iter().position(|bound| rank <= *bound);
        if let Some(count) = self.ranks.get_mut(within.unwrap_or(RANKS.len())) {
            *count += 1;
        }
        self.rank_sum += u64::from(rank);
    }

    /// Searches that are over, by answer and end.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (Answered, SearchEnd, u64)> {
        Answered::ALL
            .into_iter()
            .zip(&self.ends)
            .flat_map(|(answered, row)| {
                let ends = SearchEnd::ALL.into_iter().zip(row);
                ends.map(move |(end, count)| (answered, end, *count))
            })
    }

    /// Calls of tools that a search had found, by its upper bound in [`RANKS`]; the last are those
    /// beyond.
    pub(crate) fn ranks(&self) -> &[u64] {
        &self.ranks
    }

    /// The sum of the ranks.
    pub(crate) fn rank_sum(&self) -> u64 {
        self.rank_sum
    }
}

/// Upper bounds of the ranks that are told apart.
pub(crate) const RANKS: [u8; 7] = [1, 2, 3, 5, 8, 10, 25];
