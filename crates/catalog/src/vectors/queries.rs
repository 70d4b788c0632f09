//! The vectors of queries that were asked lately.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use ranking::Vector;
use upstream::CallerKey;

/// Vectors by query and caller: whether somebody else asked the same can't be told by how long an
/// answer takes. Queries stand here as hashes with random keys.
#[derive(Debug)]
pub(super) struct KnownQueries {
    keys: [RandomState; 2],
    /// What was asked since `older` was put aside.
    newer: HashMap<QueryKey, Arc<Vector>>,
    older: HashMap<QueryKey, Arc<Vector>>,
    /// How many each of the two holds at most.
    room: usize,
}

type QueryKey = [u64; 2];

impl KnownQueries {
    /// Room for vectors of so many numbers.
    pub(super) fn new(dimensions: usize) -> Self {
        let bytes = size_of::<f32>() * dimensions.max(1);
        Self {
            keys: [RandomState::new(), RandomState::new()],
            newer: HashMap::new(),
            older: HashMap::new(),
            room: (MAX_BYTES / 2 / bytes).max(1),
        }
    }

    /// The vectors of `texts`, as far as `caller` had them lately.
    pub(super) fn get(&mut self, caller: &CallerKey, texts: &[String]) -> Vec<Option<Arc<Vector>>> {
        let mut found = Vec::with_capacity(texts.len());
        for text in texts {
            let key = self.key(caller, text);
            let known = self.newer.get(&key).or_else(|| self.older.get(&key));
            let known = known.map(Arc::clone);
            if let Some(vector) = &known {
                self.insert(key, Arc::clone(vector));
            }
            found.push(known);
        }
        found
    }

    /// Keeps the vectors of `texts`, as far as there are any.
    pub(super) fn put(
        &mut self,
        caller: &CallerKey,
        texts: &[String],
        vectors: &[Option<Arc<Vector>>],
    ) {
        for (text, vector) in texts.iter().zip(vectors) {
            if let Some(vector) = vector {
                self.insert(self.key(caller, text), Arc::clone(vector));
            }
        }
    }

    fn insert(&mut self, key: QueryKey, vector: Arc<Vector>) {
        if self.newer.len() >= self.room && !self.newer.contains_key(&key) {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, vector);
    }

    fn key(&self, caller: &CallerKey, text: &str) -> QueryKey {
        [0, 1].map(|at: usize| self.keys[at].hash_one((caller, text)))
    }
}

/// Some 680 queries at 1,536 dimensions.
const MAX_BYTES: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use upstream::CallerKeys;

    use super::*;

    #[test]
    fn each_caller_has_their_own_and_the_latest_stay() {
        let vector = |number: f32| Vector::from_sum(vec![1.0, number]).map(Arc::new);
        let [alice, bob] = [[1; 32], [2; 32]].map(|key| CallerKeys::new(key).caller(None).key);
        let text = |number: usize| [format!("query {number}")];
        let mut known = KnownQueries::new(MAX_BYTES / 80);
        assert_eq!(known.room, 10);
        known.put(&alice, &text(0), &[vector(0.5)]);
        assert_eq!(known.get(&alice, &text(0)), [vector(0.5)]);
        assert_eq!(known.get(&bob, &text(0)), [None]);
        known.put(&alice, &text(1), &[None]);
        assert_eq!(known.get(&alice, &text(1)), [None]);
        for number in 2..100 {
            known.put(&alice, &text(number), &[vector(0.0)]);
            assert_eq!(
                known.get(&alice, &text(0)),
                [vector(0.5)],
                "used all the time"
            );
        }
        assert_eq!(known.get(&alice, &text(2)), [None], "not used for long");
        assert_eq!(known.get(&alice, &text(99)), [vector(0.0)]);
        assert!(known.newer.len() <= 10 && known.older.len() <= 10);
    }
}
