//! Where each term stands.

/// One list of postings a term, all in one piece of memory.
#[derive(Debug)]
pub(super) struct Postings {
    postings: Vec<Posting>,
    /// By list: where it begins; and at last where all end.
    starts: Vec<usize>,
}

/// A position among the lists.
pub(super) type ListId = u32;

/// That a document has a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub(super) document: u32,
    /// The score it earns by that.
    pub(super) impact: f32,
}

impl Postings {
    pub(super) fn new(lists: Vec<Vec<Posting>>) -> Self {
        let mut postings = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        let mut starts = Vec::with_capacity(lists.len() + 1);
        for list in lists {
            starts.push(postings.len());
            postings.extend(list);
        }
        starts.push(postings.len());
        Self { postings, starts }
    }

    /// The postings of one list, by document.
    pub(super) fn list(&self, list: ListId) -> &[Posting] {
        let list = list as usize;
        &self.postings[self.starts[list]..self.starts[list + 1]]
    }

    /// An estimate of the memory it holds, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&self.postings[..]) + size_of_val(&self.starts[..])
    }
}
