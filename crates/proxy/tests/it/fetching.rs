//! `fetch-model` and `verify-model` on networks that get in between (field case 99).

use std::process::Command;
use std::sync::Arc;

use fs_err as fs;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Runs a command with nothing in its environment but `variables`: its exit code, and what it says
/// on standard error or, where that is nothing, on standard output.
async fn run(args: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-toolsearch-proxy"));
    command
        .args(args)
        .env_clear()
        .envs(variables.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let output = output.await.unwrap();
    let [said, told] = [output.stderr, output.stdout].map(|text| String::from_utf8(text).unwrap());
    (
        output.status.code(),
        if said.is_empty() { told } else { said },
    )
}

/// Runs `fetch-model`, which must fail in one line and leave nothing behind.
async fn check_fails(url: &str, variables: &[(&str, &str)], expected: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model");
    let args = ["fetch-model", "--model-url", url, path.to_str().unwrap()];
    let (code, said) = run(&args, variables).await;
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    for expected in expected {
        assert!(said.contains(expected), "{said}");
    }
    let left = fs::read_dir(path).unwrap().count();
    assert_eq!(left, 0);
}

/// A port that gives every request the same answer.
struct Port(u16);

impl Port {
    async fn plain(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(say(connection, answer));
            }
        });
        Self(port)
    }

    /// The same over TLS, and the authority that it is signed by.
    async fn secure(answer: &'static str) -> (Self, String) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                if let Ok(connection) = acceptor.accept(connection).await {
                    tokio::spawn(say(connection, answer));
                }
            }
        });
        (Self(port), made.cert.pem())
    }

    /// One that nobody listens at.
    async fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self(listener.local_addr().unwrap().port())
    }

    fn http(&self) -> String {
        format!("http://127.0.0.1:{}", self.0)
    }
}

async fn say(mut connection: impl AsyncRead + AsyncWrite + Unpin, answer: &'static str) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match connection.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_closed) => return,
        }
    }
    connection.write_all(answer.as_bytes()).await.unwrap();
    connection.shutdown().await.ok();
}

const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn an_authority_that_is_not_trusted_is_named_and_one_of_the_environment_is_trusted() {
    let (port, authority) = Port::secure(NOT_FOUND).await;
    let url = format!("https://localhost:{}/mirror", port.0);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), authority).unwrap();
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let others = tempfile::NamedTempFile::new().unwrap();
    fs::write(others.path(), other.cert.pem()).unwrap();
    let others = others.path().to_str().unwrap();
    let expected =
        format!("error: {url}/config.json can't be reached: certificate not trusted (proxy?)");
    let not_trusted = [&*expected, "SSL_CERT_FILE: "];
    check_fails(&url, &[("SSL_CERT_FILE", others)], &not_trusted).await;
    let trusted = [("SSL_CERT_FILE", file.path().to_str().unwrap())];
    check_fails(&url, &trusted, &["config.json answers 404"]).await;
}

#[tokio::test]
async fn a_redirect_out_of_tls_is_not_followed() {
    let (port, authority) = Port::secure(
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/x\r\ncontent-length: 0\r\n\r\n",
    )
    .await;
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), authority).unwrap();
    let url = format!("https://localhost:{}", port.0);
    let variables = [("SSL_CERT_FILE", file.path().to_str().unwrap())];
    check_fails(
        &url,
        &variables,
        &["answers 302 Found: a redirect that isn't followed"],
    )
    .await;
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named() {
    let closed = Port::closed().await.http();
    let hub = "https://models.example/mirror";
    let reached = "models.example/mirror/config.json can't be reached: ";
    check_fails(
        hub,
        &[("HTTPS_PROXY", &closed)],
        &[reached, "proxy", "refused"],
    )
    .await;
    let forbids = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n";
    let proxy = Port::plain(forbids).await.http();
    let refuses = [
        reached,
        "the network's proxy refuses: see HTTPS_PROXY and NO_PROXY",
    ];
    check_fails(hub, &[("https_proxy", &proxy)], &refuses).await;
    let sign_in = "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n";
    let proxy = Port::plain(sign_in).await.http();
    let plain = "http://models.example/mirror";
    let wants = ["answers 407", "the network's proxy wants a sign-in"];
    check_fails(plain, &[("HTTP_PROXY", &proxy)], &wants).await;
}

#[tokio::test]
async fn wrong_bytes_of_the_right_length_are_removed() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 271\r\nconnection: close\r\n\r\n";
    let answer = format!("{head}{}", "x".repeat(271)).leak();
    let port = Port::plain(answer).await;
    let expected = [
        "/config.json isn't the model's file: its sha256 is ",
        "wanted 595e4cab",
    ];
    check_fails(&port.http(), &[], &expected).await;
}

fn written(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    directory
}

#[tokio::test]
async fn a_directory_is_verified_without_a_network() {
    let header = br#"{"embeddings":{"dtype":"I8","shape":[1,2],"data_offsets":[0,2]}}"#;
    let matrix = [&(header.len() as u64).to_le_bytes(), &header[..], &[1, 2]].concat();
    let tokenizer = br#"{"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"}}"#;
    let files: [(&str, &[u8]); 3] = [
        ("config.json", b"{}"),
        ("tokenizer.json", tokenizer),
        ("model.safetensors", &matrix),
    ];
    let whole = written(&files);
    let path = whole.path().to_str().unwrap();
    let (code, said) = run(&["verify-model", path], &[]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("can be used: 1 pieces, 2 dimensions"),
        "{said}"
    );
    let from_variable = run(&["verify-model"], &[("TOOLSEARCH_MODEL_DIR", path)]).await;
    assert_eq!(from_variable, (code, said));

    let cut = written(&[files[0], files[1], ("model.safetensors.part", &matrix[..9])]);
    let path = cut.path().to_str().unwrap();
    let part = "model.safetensors.part` is part of a file: run fetch-model again";
    let (code, said) = run(&["verify-model", path], &[]).await;
    assert!(code == Some(1) && said.contains(part), "{said}");
    // And a proxy doesn't start with it.
    let serve = ["--upstream", "http://127.0.0.1:1/mcp", "--model-dir", path];
    let (code, said) = run(&serve, &[]).await;
    assert!(code == Some(2) && said.contains(part), "{said}");
}
