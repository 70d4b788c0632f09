//! The safetensors format: a header that tells where each tensor lies, then their bytes.
//!
//! A file is eight bytes with the header's length, the header as a JSON object, and the rest, of
//! which `data_offsets` name the parts. All numbers are little-endian.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fs_err as fs;
use memmap2::Mmap;
use serde::Deserialize;
use serde_json::Value;

use super::invalid::InvalidModel;

/// A file's tensors by name.
pub(super) struct Tensors {
    path: PathBuf,
    map: Mmap,
    /// Where the tensors' bytes begin.
    start: usize,
    header: Header,
}

/// Where a tensor lies and how to read it.
#[derive(Debug, Clone)]
pub(super) struct Tensor {
    pub(super) kind: Kind,
    pub(super) shape: Vec<usize>,
    /// In the whole file.
    pub(super) bytes: Range<usize>,
}

/// The type of a tensor's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Kind {
    F16,
    F32,
    F64,
    I8,
    I32,
    I64,
    U32,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Header {
    embeddings: Option<Entry>,
    mapping: Option<Entry>,
    weights: Option<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: Kind,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

impl Tensors {
    /// Maps the file and reads its header.
    pub(super) fn open(path: &Path) -> Result<Self, InvalidModel> {
        let damaged = |found: String| InvalidModel::damaged(path, found);
        let file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        if length < LENGTH_BYTES as u64 {
            let found = format!("it has {length} bytes, too few for a safetensors file");
            return Err(damaged(found));
        }
        #[expect(unsafe_code, reason = "there is no other way to map a file")]
        // SAFETY: the bytes are only read, as numbers for which every pattern is valid. Who opens a
        // model has promised that nobody changes the file in place.
        let map = unsafe { Mmap::map(file.file()) }?;
        #[cfg(unix)]
        // Rows are read here and there: what stands beside them isn't wanted. Only a hint.
        map.advise(memmap2::Advice::Random).ok();
        let Some((head, rest)) = map.split_first_chunk::<LENGTH_BYTES>() else {
            return Err(damaged("it was cut off while it was read".to_owned()));
        };
        let wanted = u64::from_le_bytes(*head);
        let header = usize::try_from(wanted)
            .ok()
            .filter(|length| *length <= MAX_HEADER_BYTES)
            .and_then(|length| rest.get(..length));
        let Some(header) = header else {
            return Err(damaged(format!(
                "its header would have {wanted} bytes, where the file has {length} and a header at \
                 most {MAX_HEADER_BYTES}: it is cut off or no safetensors file"
            )));
        };
        let start = LENGTH_BYTES + header.len();
        let header = read_header(header).map_err(damaged)?;
        Ok(Self {
            path: path.to_owned(),
            header,
            start,
            map,
        })
    }

    /// What is wrong with the file.
    pub(super) fn damaged(&self, found: impl Into<String>) -> InvalidModel {
        InvalidModel::damaged(&self.path, found)
    }

    /// The vectors.
    pub(super) fn embeddings(&self) -> Result<Tensor, InvalidModel> {
        let tensor = self.tensor("embeddings", self.header.embeddings.as_ref())?;
        tensor.ok_or_else(|| {
            self.damaged(format!(
                "it has no tensor `embeddings`, but {}",
                self.names()
            ))
        })
    }

    /// Which row is whose, if tokens share rows.
    pub(super) fn mapping(&self) -> Result<Option<Tensor>, InvalidModel> {
        self.tensor("mapping", self.header.mapping.as_ref())
    }

    /// What each token's row is multiplied with, if anything.
    pub(super) fn weights(&self) -> Result<Option<Tensor>, InvalidModel> {
        self.tensor("weights", self.header.weights.as_ref())
    }

    /// The bytes of a tensor.
    pub(super) fn bytes(&self, tensor: &Tensor) -> &[u8] {
        self.map.get(tensor.bytes.clone()).unwrap_or_default()
    }

    fn tensor(&self, name: &str, entry: Option<&Entry>) -> Result<Option<Tensor>, InvalidModel> {
        let Some(entry) = entry else { return Ok(None) };
        let wanted = entry
            .shape
            .iter()
            .try_fold(entry.dtype.bytes(), |product, side| {
                product.checked_mul(*side)
            });
        let [from, to] = entry.data_offsets;
        let bytes = self.start.checked_add(from).zip(self.start.checked_add(to));
        match bytes {
            // Whoever wants the numbers refuses another type by its name.
            Some((from, to))
                if to <= self.map.len()
                    && (to.checked_sub(from) == wanted || entry.dtype == Kind::Other) =>
            {
                Ok(Some(Tensor {
                    kind: entry.dtype,
                    shape: entry.shape.clone(),
                    bytes: from..to,
                }))
            }
            Some((_, to)) if to > self.map.len() => Err(self.damaged(format!(
                "`{name}` ends at byte {to}, and the file has {}: it is cut off",
                self.map.len()
            ))),
            _ => Err(self.damaged(format!(
                "`{name}` lies at {from} to {to}, which isn't what its shape {:?} takes",
                entry.shape
            ))),
        }
    }

    /// The names of all tensors.
    fn names(&self) -> String {
        let header = self.map.get(LENGTH_BYTES..self.start).unwrap_or_default();
        let header: BTreeMap<String, Value> = serde_json::from_slice(header).unwrap_or_default();
        let names: Vec<String> = header
            .keys()
            .filter(|name| !name.starts_with("__"))
            .take(MAX_NAMES)
            .map(|name| format!("`{}`", name.escape_debug()))
            .collect();
        if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        }
    }
}

impl Kind {
    /// How many bytes a number takes; 0 where that isn't known.
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::F16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 => 8,
            Self::Other => 0,
        }
    }
}

fn read_header(header: &[u8]) -> Result<Header, String> {
    serde_json::from_slice(header).map_err(|error| format!("its header can't be read: {error}"))
}

const LENGTH_BYTES: usize = 8;
/// A header of three tensors has some hundred bytes, and the format allows a hundred million.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// Enough to see what file it is.
const MAX_NAMES: usize = 5;
