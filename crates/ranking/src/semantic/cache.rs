//! Vectors by the text they come from, for every index that holds it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use embedding::Model;
use sha2::{Digest, Sha256};

use super::fields::{Field, fields};
use super::meaning::Meaning;
use super::shared::SharedMeaning;
use super::wanted::Wanted;
use crate::{Document, Mode};

/// What turns texts into vectors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Embedder {
    /// The multilingual model that is compiled in.
    #[default]
    Builtin,
    /// A model from a directory.
    Directory(Model),
    /// A service, asked by whoever holds the [`VectorCache`]: here is no network.
    Service {
        /// How many numbers its vectors have.
        dimensions: usize,
    },
    /// Nothing: search by words alone.
    None,
}

impl Embedder {
    /// Its name in settings and in what the program tells of itself.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Directory(_) => "directory",
            Self::Service { .. } => "openai",
            Self::None => "none",
        }
    }

    /// How an index with its vectors is searched.
    pub const fn mode(&self) -> Mode {
        match self {
            Self::Builtin | Self::Directory(_) | Self::Service { .. } => Mode::Hybrid,
            Self::None => Mode::Words,
        }
    }

    /// The model in this process that makes its vectors, if there is one.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Self::Builtin => Some(Model::builtin()),
            Self::Directory(model) => Some(model),
            Self::Service { .. } | Self::None => None,
        }
    }
}

/// The vectors of tools, made once for all indexes that hold a tool of that text.
///
/// They are kept as long as one such index lives. Whoever is given an index learns nothing of
/// others: a text's vectors are the same whether they were there or not.
///
/// With [`Embedder::Service`] they come later: [`wanted`](Self::wanted) says for what.
#[derive(Debug, Default)]
pub struct VectorCache {
    embedder: Embedder,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    by_text: HashMap<TextDigest, Weak<SharedMeaning>>,
    /// First in, first out.
    wanted: VecDeque<Wanted>,
    /// At how many entries those that nobody holds any more are taken out.
    sweep_at: usize,
}

type TextDigest = [u8; 32];

impl VectorCache {
    /// An empty cache.
    pub fn new(embedder: Embedder) -> Self {
        Self {
            embedder,
            known: Mutex::default(),
        }
    }

    /// What makes the vectors.
    pub fn embedder(&self) -> &Embedder {
        &self.embedder
    }

    /// Takes tools out that have no vectors yet, longest waiting first: of about `texts` texts
    /// together, and at least one tool if there is any.
    pub fn wanted(&self, texts: usize) -> Vec<Wanted> {
        self.with_known(|known| {
            let mut taken = Vec::new();
            let mut count = 0;
            while let Some(next) = known.wanted.front() {
                let more = if next.is_held() { next.len() } else { 0 };
                if count > 0 && count + more > texts {
                    break;
                }
                count += more;
                taken.extend(known.wanted.pop_front().filter(Wanted::is_held));
            }
            taken
        })
    }

    /// Puts tools back for which there was no answer, before all others.
    pub fn put_back(&self, tools: Vec<Wanted>) {
        self.with_known(|known| {
            for tool in tools.into_iter().rev() {
                known.wanted.push_front(tool);
            }
        });
    }

    /// How many tools have no vectors yet, those that were taken out among them. Reads all tools.
    pub fn waiting(&self) -> usize {
        let is_unknown = |meaning: &&Weak<SharedMeaning>| {
            let meaning = meaning.upgrade();
            meaning.is_some_and(|meaning| meaning.get().is_none())
        };
        self.with_known(|known| known.by_text.values().filter(is_unknown).count())
    }

    /// What `document` means, if not now, then once its vectors have come.
    pub(super) fn meaning(&self, document: &Document<'_>) -> Arc<SharedMeaning> {
        let fields = fields(document);
        let digest = digest(&fields);
        if let Some(known) = self.with_known(|known| known.get(&digest)) {
            return known;
        }
        let new = Arc::new(match (&self.embedder, self.embedder.model()) {
            (_, Some(model)) => SharedMeaning::known(Meaning::of(&fields, model)),
            (Embedder::Service { dimensions }, None) if !fields.is_empty() => {
                SharedMeaning::expected(fields.len(), *dimensions)
            }
            (_, None) => SharedMeaning::known(Meaning::default()),
        });
        self.with_known(|known| known.insert(digest, new, fields))
    }

    fn with_known<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        // No code under the lock leaves it half changed.
        work(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Known {
    fn get(&self, digest: &TextDigest) -> Option<Arc<SharedMeaning>> {
        self.by_text.get(digest)?.upgrade()
    }

    /// The meaning in force: `new`, which is that of `fields`, or one that was made meanwhile.
    fn insert(
        &mut self,
        digest: TextDigest,
        new: Arc<SharedMeaning>,
        fields: Vec<Field>,
    ) -> Arc<SharedMeaning> {
        if let Some(known) = self.get(&digest) {
            return known;
        }
        if self.by_text.len() >= self.sweep_at {
            self.by_text.retain(|_, meaning| meaning.strong_count() > 0);
            self.wanted.retain(Wanted::is_held);
            self.sweep_at = (2 * self.by_text.len()).max(FIRST_SWEEP);
        }
        self.by_text.insert(digest, Arc::downgrade(&new));
        if new.get().is_none() {
            self.wanted.push_back(Wanted::new(fields, &new));
        }
        new
    }
}

/// Texts come from strangers, so nobody may be able to make two of one digest.
fn digest(fields: &[Field]) -> TextDigest {
    let mut hasher = Sha256::new();
    for field in fields {
        hasher.update(field.weight.to_le_bytes());
        hasher.update(field.text.len().to_le_bytes());
        hasher.update(&field.text);
    }
    hasher.finalize().into()
}

const FIRST_SWEEP: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    fn document(name: &str) -> Document<'_> {
        Document {
            name,
            ..Document::default()
        }
    }

    #[test]
    fn equal_texts_share_their_vectors_and_others_do_not() {
        let cache = VectorCache::new(Embedder::Builtin);
        let meaning = |name| cache.meaning(&document(name));
        let first = meaning("send_mail");
        assert!(Arc::ptr_eq(&first, &meaning("send_mail")));
        assert!(!Arc::ptr_eq(&first, &meaning("send_mails")));
    }

    #[test]
    fn what_nobody_holds_is_forgotten() {
        let cache = VectorCache::new(Embedder::Builtin);
        let kept = cache.meaning(&document("kept"));
        for number in 0..3 * FIRST_SWEEP {
            drop(cache.meaning(&document(&format!("tool {number}"))));
        }
        let entries = cache.with_known(|known| known.by_text.len());
        assert!(entries <= FIRST_SWEEP, "{entries}");
        let again = cache.meaning(&document("kept"));
        assert!(Arc::ptr_eq(&kept, &again));
    }

    #[test]
    fn borders_between_texts_count() {
        let field = |text: &str| Field {
            text: text.to_owned(),
            weight: 1.0,
        };
        assert_ne!(
            digest(&[field("ab"), field("c")]),
            digest(&[field("a"), field("bc")])
        );
    }
}
