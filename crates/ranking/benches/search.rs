//! Building and searching an index of made-up tools: `cargo bench -p ranking`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ranking::{Document, Embedder, Index, Parameter, VectorCache};

criterion_group!(benches, build, search);
criterion_main!(benches);

fn build(criterion: &mut Criterion) {
    for (mode, embedder) in MODES {
        let mut group = criterion.benchmark_group(format!("build, {mode}"));
        group
            .sample_size(10)
            .measurement_time(Duration::from_secs(5));
        for tools in SIZES {
            let catalog = Catalog::new(tools);
            let documents = catalog.documents();
            group.throughput(Throughput::Elements(tools as u64));
            group.bench_function(BenchmarkId::from_parameter(tools), |bencher| {
                bencher.iter(|| {
                    Index::build(black_box(&documents), &VectorCache::new(embedder.clone()))
                });
            });
        }
    }
}

fn search(criterion: &mut Criterion) {
    for (mode, embedder) in MODES {
        let mut group = criterion.benchmark_group(format!("search, {mode}"));
        for tools in SIZES {
            let catalog = Catalog::new(tools);
            let index = Index::build(&catalog.documents(), &VectorCache::new(embedder.clone()));
            let mut words = Words::new();
            let queries: Vec<String> = (0..QUERIES).map(|_| words.phrase(QUERY_WORDS)).collect();
            let mut queries = queries.iter().cycle();
            group.bench_function(BenchmarkId::from_parameter(tools), |bencher| {
                bencher.iter(|| {
                    queries
                        .next()
                        .map(|query| index.search(black_box(query), 8))
                });
            });
        }
    }
}

/// Tools with the sizes that real ones have: a name of three words, a description of thirty, five
/// parameters of seven.
struct Catalog {
    tools: Vec<Tool>,
}

struct Tool {
    name: String,
    description: String,
    parameters: Vec<(String, String)>,
}

impl Catalog {
    fn new(tools: usize) -> Self {
        let mut words = Words::new();
        let tool = |number: usize| Tool {
            name: format!(
                "server{}__{}",
                number % 100,
                words.phrase(3).replace(' ', "_")
            ),
            description: words.phrase(30),
            parameters: (0..5).map(|_| (words.phrase(1), words.phrase(6))).collect(),
        };
        Self {
            tools: (0..tools).map(tool).collect(),
        }
    }

    fn documents(&self) -> Vec<Document<'_>> {
        self.tools.iter().map(Tool::document).collect()
    }
}

impl Tool {
    fn document(&self) -> Document<'_> {
        let parameters = self.parameters.iter();
        Document {
            name: &self.name,
            description: &self.description,
            parameters: parameters
                .map(|(name, description)| Parameter {
                    name,
                    description,
                    values: Vec::new(),
                })
                .collect(),
            ..Document::default()
        }
    }
}

/// Made-up words, a few of them common and most of them rare, always in the same order.
struct Words {
    state: u64,
}

impl Words {
    fn new() -> Self {
        Self {
            state: 0x9E37_79B9_7F4A_7C15,
        }
    }

    fn phrase(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word()).collect();
        words.join(" ")
    }

    /// The n-th most common word comes up about in proportion to 1/n, as in any language.
    fn word(&mut self) -> String {
        let [magnitude, low, high, ..] = self.next().to_le_bytes();
        let mask = (1 << (magnitude % MAGNITUDES)) - 1;
        let mut rank = usize::from(u16::from_le_bytes([low, high]) & mask);
        let mut word = String::from("a");
        while rank > 0 {
            word.push_str(SYLLABLES[rank % SYLLABLES.len()]);
            rank /= SYLLABLES.len();
        }
        word
    }

    /// Marsaglia's xorshift.
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }
}

const MODES: [(&str, Embedder); 2] = [("words", Embedder::None), ("hybrid", Embedder::Builtin)];
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const QUERIES: usize = 500;
const QUERY_WORDS: usize = 8;
/// Two to this power is how many words there are.
const MAGNITUDES: u8 = 15;
const SYLLABLES: [&str; 12] = [
    "ba", "cor", "den", "fi", "gal", "hem", "ist", "jo", "kur", "lan", "mo", "res",
];
