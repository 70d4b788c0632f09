//! Another model than the one inside.

use std::process::Command;

use demo_gateway::DemoSettings;
use fs_err as fs;
use proxy::{App, Listeners};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::proxied::{Proxied, config};

/// A model of three words, of which the first two say the same.
fn model() -> TempDir {
    let directory = tempfile::Builder::new()
        .prefix("modelis ąž ")
        .tempdir()
        .unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
    write("config.json", br#"{"model_type": "model2vec"}"#);
    let tokenizer = json!({
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {
            "type": "WordLevel",
            "vocab": {"shifts": 0, "zuzuzu": 1, "mail": 2},
            "unk_token": "[UNK]",
        },
    });
    write("tokenizer.json", tokenizer.to_string().as_bytes());
    let header = r#"{"embeddings":{"dtype":"I8","shape":[3,2],"data_offsets":[0,6]}}"#;
    let mut matrix = (header.len() as u64).to_le_bytes().to_vec();
    matrix.extend_from_slice(header.as_bytes());
    matrix.extend_from_slice(&[9, 0, 7, 0, 0, 5]);
    write("model.safetensors", &matrix);
    directory
}

#[test]
fn a_search_knows_the_words_of_the_model_it_is_given() {
    let directory = model();
    let found = |flags: &[&str]| -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"))
            .args(["search", "--demo", "--json", "zuzuzu"])
            .args(flags)
            .output()
            .unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["tools"][0]["name"].clone()
    };
    let path = directory.path().to_str().unwrap();
    let name = found(&["--model-dir", path]);
    assert!(name.as_str().unwrap().contains("shift"), "{name}");
    let name = found(&[]);
    assert!(!name.to_string().contains("shift"), "{name}");
}

#[tokio::test]
async fn the_status_names_the_model_and_its_directory_only_to_the_operator() {
    let directory = model();
    let path = directory.path().to_str().unwrap();
    let proxied = Proxied::start(DemoSettings::default(), &["--model-dir", path]).await;
    let told = proxied.proxy.get("/mcp/tool-search/status").await.json();
    let unnamed = json!({"dimensions": 2, "pieces": 3, "digest": null});
    assert_eq!(
        (&told["mode"], &told["embedder"], &told["model"]),
        (&json!("hybrid"), &json!("directory"), &unnamed)
    );
    assert!(!told.to_string().contains("modelis"), "{told}");

    let flags = ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let config = config(
        "http://127.0.0.1:1/mcp",
        &[&flags[..], &["--model-dir", path]].concat(),
    );
    let listeners = Listeners::bind(&config).await.unwrap();
    let admin = listeners.admin.as_ref().unwrap().local_addr().unwrap();
    let app = App::build(config).unwrap();
    let serving = tokio::spawn(app.serve(listeners, std::future::pending()));
    let client = reqwest::Client::builder().build().unwrap();
    let url = format!("http://{admin}/mcp/tool-search/status");
    let told = client.get(url).send().await.unwrap().text().await.unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    let name = directory.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(told["model"]["name"], name);
    assert!(!told.to_string().contains(path), "{told}");
    serving.abort();
}

#[tokio::test]
async fn the_status_says_which_model_is_inside() {
    let proxied = Proxied::start(DemoSettings::default(), &[]).await;
    let told = proxied.proxy.get("/mcp/tool-search/status").await.json();
    let model = &told["model"];
    assert_eq!(model["name"], "toolsearch-embed");
    assert_eq!(model["digest"].as_str().unwrap().len(), 64);
    let without = Proxied::start(DemoSettings::default(), &["--embedder", "none"]).await;
    let told = without.proxy.get("/mcp/tool-search/status").await.json();
    assert_eq!(told["model"], Value::Null);
}
