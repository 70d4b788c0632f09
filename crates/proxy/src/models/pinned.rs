//! The one model that is fetched, to the byte.

/// A model's files as they are published. What comes under their names must be these, whoever sends
/// it.
#[derive(Debug)]
pub(crate) struct PinnedModel<'a> {
    /// What people call it.
    pub(crate) name: &'a str,
    /// Where it is published unless somebody names another place.
    pub(crate) url: &'a str,
    /// The smallest first, so that most faults show before much was sent.
    pub(crate) files: &'a [PinnedFile<'a>],
}

/// One of them.
#[derive(Debug)]
pub(crate) struct PinnedFile<'a> {
    /// Its name, there and here.
    pub(crate) name: &'a str,
    /// Its length.
    pub(crate) bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub(crate) sha256: &'a str,
}

/// One revision, since a model's page may change.
pub(crate) const PINNED: PinnedModel<'static> = PinnedModel {
    name: "potion-multilingual-128M",
    url: "https://huggingface.co/minishlab/potion-multilingual-128M/resolve/\
          73908c3438cf03b6a01bcb9611d62b23d0726f08",
    files: &[
        PinnedFile {
            name: "config.json",
            bytes: 271,
            sha256: "595e4cab2093732efd5dbe084fd5c1826b5eea693b73b4c1fd971672867d2e54",
        },
        PinnedFile {
            name: "tokenizer.json",
            bytes: 18_616_131,
            sha256: "19f1909063da3cfe3bd83a782381f040dccea475f4816de11116444a73e1b6a1",
        },
        PinnedFile {
            name: "model.safetensors",
            bytes: 512_361_560,
            sha256: "14b5eb39cb4ce5666da8ad1f3dc6be4346e9b2d601c073302fa0a31bf7943397",
        },
    ],
};
