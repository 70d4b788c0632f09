//! A trie over byte strings as one array of 32-bit units.
//!
//! A node is known by its base. Its child for byte `b` is the unit at `base ^ b`, if that unit's low
//! eight bits are `b`; the other 24 bits are then the child's own base. No piece holds a zero byte,
//! so the child for 0 is where a piece ends, and its 24 bits are the piece's id. The root's base is
//! 0. Every node has a base of its own, or a neighbour's children would be taken for its own.

/// A piece's bytes and its id.
pub(crate) type Piece<'a> = (&'a [u8], u32);

/// The units of a trie over `pieces`, which are sorted, distinct and free of zero bytes.
pub(crate) fn units(pieces: &[Piece<'_>]) -> Vec<u32> {
    let mut array = DoubleArray::default();
    array.grow();
    array.take(ROOT, &labels(pieces, 0));
    let mut open = vec![Node {
        pieces,
        depth: 0,
        base: ROOT,
    }];
    while let Some(Node {
        pieces,
        depth,
        base,
    }) = open.pop()
    {
        for pieces in pieces.chunk_by(|left, right| label(left, depth) == label(right, depth)) {
            let label = label(&pieces[0], depth);
            if label == END {
                array.set(base, END, pieces[0].1);
                continue;
            }
            let depth = depth + 1;
            let child = Node {
                pieces,
                depth,
                base: array.place(&labels(pieces, depth)),
            };
            array.set(base, label, child.base);
            open.push(child);
        }
    }
    array.units
}

/// The pieces that share their first `depth` bytes, and where their children are.
struct Node<'a> {
    pieces: &'a [Piece<'a>],
    depth: usize,
    base: u32,
}

fn label((piece, _): &Piece<'_>, depth: usize) -> u8 {
    piece.get(depth).copied().unwrap_or(END)
}

fn labels(pieces: &[Piece<'_>], depth: usize) -> Vec<u8> {
    let mut labels: Vec<u8> = pieces.iter().map(|piece| label(piece, depth)).collect();
    labels.dedup();
    labels
}

#[derive(Default)]
struct DoubleArray {
    units: Vec<u32>,
    /// How many units there are.
    end: u32,
    is_base: Vec<bool>,
    free: Free,
}

/// Unused slots that are still tried for new nodes, in ascending order: each knows its neighbours.
struct Free {
    /// By slot: the one before and the one after; none for a slot that isn't among them.
    neighbours: Vec<Option<(u32, u32)>>,
    first: u32,
    last: u32,
    count: usize,
}

impl DoubleArray {
    /// Finds and takes a base under which there is a free slot for each of the labels.
    fn place(&mut self, labels: &[u8]) -> u32 {
        loop {
            let first = labels.first().copied().unwrap_or(END);
            let base = self
                .free
                .iter()
                .map(|slot| slot ^ u32::from(first))
                .find(|&base| {
                    !self.is_base[base as usize]
                        && labels
                            .iter()
                            .all(|&label| self.free.contains(base ^ u32::from(label)))
                });
            if let Some(base) = base {
                self.take(base, labels);
                return base;
            }
            self.grow();
        }
    }

    fn take(&mut self, base: u32, labels: &[u8]) {
        self.is_base[base as usize] = true;
        for &label in labels {
            self.free.remove(base ^ u32::from(label));
        }
    }

    /// Adds a block of free slots, in which every set of labels fits, and gives up the oldest ones.
    fn grow(&mut self) {
        while self.free.count > MAX_FREE {
            self.free.remove(self.free.first);
        }
        let start = self.end;
        self.end += BLOCK;
        self.units.resize(self.end as usize, NO_UNIT);
        self.is_base.resize(self.end as usize, false);
        for slot in start..self.end {
            self.free.push(slot);
        }
    }

    fn set(&mut self, base: u32, label: u8, value: u32) {
        self.units[(base ^ u32::from(label)) as usize] = value << 8 | u32::from(label);
    }
}

impl Free {
    fn iter(&self) -> impl Iterator<Item = u32> {
        let exists = |slot: u32| (slot != NO_SLOT).then_some(slot);
        std::iter::successors(exists(self.first), move |&slot| {
            let (_, after) = self.neighbours[slot as usize]?;
            exists(after)
        })
    }

    fn contains(&self, slot: u32) -> bool {
        self.neighbours[slot as usize].is_some()
    }

    /// Adds the slot after the last one there ever was.
    fn push(&mut self, slot: u32) {
        let last = std::mem::replace(&mut self.last, slot);
        self.neighbours.push(Some((last, NO_SLOT)));
        *self.after(last) = slot;
        self.count += 1;
    }

    fn remove(&mut self, slot: u32) {
        let Some((before, after)) = self.neighbours[slot as usize].take() else {
            return;
        };
        *self.after(before) = after;
        *self.before(after) = before;
        self.count -= 1;
    }

    /// What says which comes after `slot`; the first one comes after none.
    fn after(&mut self, slot: u32) -> &mut u32 {
        match self.neighbours.get_mut(slot as usize) {
            Some(Some((_, after))) => after,
            _ => &mut self.first,
        }
    }

    fn before(&mut self, slot: u32) -> &mut u32 {
        match self.neighbours.get_mut(slot as usize) {
            Some(Some((before, _))) => before,
            _ => &mut self.last,
        }
    }
}

impl Default for Free {
    fn default() -> Self {
        Self {
            neighbours: Vec::new(),
            first: NO_SLOT,
            last: NO_SLOT,
            count: 0,
        }
    }
}

const NO_SLOT: u32 = u32::MAX;
/// More can't be told apart by 24 bits.
pub(crate) const MAX_UNITS: usize = 1 << 24;
const ROOT: u32 = 0;
/// The label of the end of a piece.
const END: u8 = 0;
/// All slots of a base lie in one block.
const BLOCK: u32 = 256;
/// Bounds the search for a base; four times as many make the array 1 % smaller.
const MAX_FREE: usize = 256;
/// What an unused slot holds: its label is no byte of UTF-8.
const NO_UNIT: u32 = 0xFF;
