//! What it costs to turn a text into a vector.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use embedding::{Model, split_identifiers};

fn embed(criterion: &mut Criterion) {
    let model = Model::builtin();
    for (name, text) in TEXTS {
        criterion.bench_function(&format!("tokenize, {name}"), |bencher| {
            let mut tokens = Vec::new();
            bencher.iter(|| {
                tokens.clear();
                model.tokenize(black_box(text), &mut tokens);
            });
        });
        criterion.bench_function(&format!("split and embed, {name}"), |bencher| {
            bencher.iter(|| model.embed(&split_identifiers(black_box(text))));
        });
    }
    let [left, right] = ["create an issue", "ištrink failą"].map(|text| model.embed(text));
    criterion.bench_function("cosine", |bencher| {
        bencher.iter(|| Some(black_box(left.as_ref())?.cosine(black_box(right.as_ref())?)));
    });
}

const TEXTS: &[(&str, &str)] = &[
    (
        "English query",
        "which invoices of this customer are still unpaid at the end of the month",
    ),
    (
        "Lithuanian query",
        "kurios šio kliento sąskaitos mėnesio pabaigoje dar neapmokėtos",
    ),
    ("Chinese query", "这个客户到月底还有哪些发票没有付款"),
    ("keywords", "github createPullRequest list_review_comments"),
];

criterion_group!(benches, embed);
criterion_main!(benches);
