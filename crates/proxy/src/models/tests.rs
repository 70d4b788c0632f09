//! Against servers that do what networks do (field cases 99 and 100).

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use embedding::Model;
use fs_err as fs;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

use super::fault::FetchError;
use super::pinned::{PinnedFile, PinnedModel};
use super::verify::{Unverified, Verified, verify};
use super::{Download, Fetched, Remote, digest};

/// A request's path, and the `Range` it had.
type Asked = (String, Option<String>);

/// A server that gives each request in turn the next of its answers, and the last one for good.
struct Server {
    url: Url,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    async fn start(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let seen = Arc::clone(&asked);
        tokio::spawn(async move {
            for number in 0.. {
                let (mut connection, _) = listener.accept().await.unwrap();
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(connection.read_u8().await.unwrap());
                }
                let head = String::from_utf8(head).unwrap();
                let path = head.split(' ').nth(1).unwrap().to_owned();
                let range = head.lines().find_map(|line| line.strip_prefix("range: "));
                seen.lock().unwrap().push((path, range.map(str::to_owned)));
                let answer = answers.get(number).or_else(|| answers.last()).unwrap();
                connection.write_all(answer).await.unwrap();
            }
        });
        Self {
            url: Url::parse(&format!("http://{address}/mirror")).unwrap(),
            asked,
        }
    }

    fn ranges(&self) -> Vec<Option<String>> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, range)| range.clone()).collect()
    }
}

/// An answer with `status` and `headers`, of which the body may be too short.
fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn whole(body: &[u8]) -> Vec<u8> {
    answer(
        "200 OK",
        &format!("content-length: {}\r\n", body.len()),
        body,
    )
}

/// The bytes of `of` from `start` to `end`, in an answer that promises the rest.
fn part(of: &[u8], start: usize, end: usize) -> Vec<u8> {
    let (length, last) = (of.len() - start, of.len() - 1);
    let headers = format!(
        "content-length: {length}\r\ncontent-range: bytes {start}-{last}/{}\r\n",
        of.len()
    );
    answer("206 Partial Content", &headers, &of[start..end])
}

fn sha256(bytes: &[u8]) -> String {
    digest::hex(Sha256::new_with_prefix(bytes))
}

struct Here(TempDir);

impl Here {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// What lies in it.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(self.path())
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    /// Fetches the file `x` of these bytes.
    async fn fetch(&self, url: &Url, bytes: &[u8]) -> Result<Fetched, FetchError> {
        let remote = Remote::new(url.clone()).unwrap();
        let download = Download {
            remote: &remote,
            directory: self.path(),
            pause: Duration::ZERO,
        };
        let file = PinnedFile {
            name: "x",
            bytes: bytes.len() as u64,
            sha256: &sha256(bytes),
        };
        let mut last = 0;
        let fetched = download.fetch(&file, |bytes| last = bytes).await;
        if matches!(fetched, Ok(Fetched::Now)) {
            assert_eq!(last, file.bytes);
        }
        fetched
    }
}

/// More than a buffer's worth.
fn bytes() -> Vec<u8> {
    (0..300_000_u32).flat_map(u32::to_le_bytes).collect()
}

fn x(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    vec![("x".to_owned(), bytes.to_vec())]
}

#[tokio::test]
async fn a_file_is_fetched_once() {
    let bytes = bytes();
    let server = Server::start(vec![whole(&bytes)]).await;
    let here = Here::new();
    assert_eq!(here.fetch(&server.url, &bytes).await.unwrap(), Fetched::Now);
    assert_eq!(here.files(), x(&bytes));
    let again = here.fetch(&server.url, &bytes).await.unwrap();
    assert_eq!(again, Fetched::Before);
    let asked = server.asked.lock().unwrap();
    assert_eq!(*asked, [("/mirror/x".to_owned(), None)]);
}

#[tokio::test]
async fn a_broken_connection_goes_on_where_it_stopped() {
    let bytes = bytes();
    let cut = &whole(&bytes)[..500_000];
    let sent = cut.len() - (whole(&bytes).len() - bytes.len());
    let server = Server::start(vec![
        cut.to_vec(),
        part(&bytes, sent, 900_000),
        part(&bytes, 900_000, bytes.len()),
    ])
    .await;
    let here = Here::new();
    assert_eq!(here.fetch(&server.url, &bytes).await.unwrap(), Fetched::Now);
    assert_eq!(here.files(), x(&bytes));
    let ranges = [
        None,
        Some(format!("bytes={sent}-")),
        Some("bytes=900000-".to_owned()),
    ];
    assert_eq!(server.ranges(), ranges);
}

#[tokio::test]
async fn a_later_try_goes_on_with_what_is_there() {
    let bytes = bytes();
    for (left, answers, ranges) in [
        (
            &bytes[..7],
            vec![part(&bytes, 7, bytes.len())],
            vec![Some("bytes=7-")],
        ),
        // A server that knows no ranges sends all of it.
        (&bytes[..7], vec![whole(&bytes)], vec![Some("bytes=7-")]),
        (&bytes[..], vec![], vec![]),
        (
            &[&bytes[..], b"more"].concat(),
            vec![whole(&bytes)],
            vec![None],
        ),
    ] {
        let server = Server::start(answers).await;
        let here = Here::new();
        here.write("x.part", left);
        assert_eq!(here.fetch(&server.url, &bytes).await.unwrap(), Fetched::Now);
        assert_eq!(here.files(), x(&bytes));
        let asked = server.ranges();
        assert_eq!(
            asked.iter().map(Option::as_deref).collect::<Vec<_>>(),
            ranges
        );
    }
}

#[tokio::test]
async fn a_connection_that_brings_nothing_is_given_up_and_the_part_is_kept() {
    let bytes = bytes();
    let server = Server::start(vec![whole(&bytes)[..400_000].to_vec(), Vec::new()]).await;
    let here = Here::new();
    let error = here.fetch(&server.url, &bytes).await.unwrap_err();
    assert!(error.to_string().contains("can't be reached"), "{error}");
    let files = here.files();
    assert_eq!(files.len(), 1);
    assert!(files[0].0 == "x.part" && bytes.starts_with(&files[0].1));

    let nothing_more = vec![part(&bytes, files[0].1.len(), files[0].1.len())];
    let server = Server::start(nothing_more).await;
    let error = here.fetch(&server.url, &bytes).await.unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("the connection broke after"), "{said}");
    assert!(said.ends_with("run it again to go on from there"), "{said}");
    assert_eq!(server.ranges().len(), 1);
    assert_eq!(here.files(), files);
}

/// What a server may send instead of the file: nothing is stored, and the reason is said.
async fn check_refused(sent: Vec<u8>, expected: &str) {
    let server = Server::start(vec![sent]).await;
    let here = Here::new();
    let error = here.fetch(&server.url, b"the file").await.unwrap_err();
    let said = error.to_string();
    assert!(said.contains(expected), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("/mirror/x"), "{said}");
    assert_eq!(here.files(), []);
    assert_eq!(server.ranges().len(), 1);
}

#[tokio::test]
async fn another_thing_than_the_file_is_refused_and_not_stored() {
    let page = answer(
        "200 OK",
        "content-type: text/HTML; charset=utf-8\r\ncontent-length: 8\r\n",
        b"<html />",
    );
    check_refused(page, "answers with a web page").await;
    check_refused(whole(b"the files"), "is a file of 9 bytes, wanted 8 bytes").await;
    check_refused(whole(b""), "is a file of 0 bytes").await;
    let endless = answer("200 OK", "", &b"the file, and more".repeat(100_000));
    check_refused(endless, "is a file of more, wanted 8").await;
    let encoded = "content-encoding: br\r\ncontent-length: 8\r\n";
    check_refused(answer("200 OK", encoded, b"12345678"), "encoded").await;
    let wrong = sha256(b"the fill");
    check_refused(
        whole(b"the fill"),
        &format!("its sha256 is {wrong}, wanted"),
    )
    .await;
    for (status, expected) in [
        (
            "404 Not Found",
            "answers 404 Not Found: there is no such file; is --model-url",
        ),
        ("401 Unauthorized", "wants a sign-in"),
        ("503 Service Unavailable", "try again later"),
        ("206 Partial Content", "answers 206"),
    ] {
        check_refused(answer(status, "content-length: 0\r\n", b""), expected).await;
    }
}

#[tokio::test]
async fn a_part_of_something_else_is_refused() {
    let bytes = bytes();
    for (range, expected) in [
        ("", "an unknown part"),
        ("content-range: bytes 0-6/7\r\n", "`bytes 0-6/7`"),
        ("content-range: bytes 8-1199999/1200000\r\n", "`bytes 8-"),
        ("content-range: bytes 7-1199999/*\r\n", "/*`"),
    ] {
        let sent = answer(
            "206 Partial Content",
            &format!("{range}content-length: 3\r\n"),
            b"abc",
        );
        let server = Server::start(vec![sent]).await;
        let here = Here::new();
        here.write("x.part", &bytes[..7]);
        let error = here.fetch(&server.url, &bytes).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(here.files(), [("x.part".to_owned(), bytes[..7].to_vec())]);
    }
}

#[tokio::test]
async fn a_damaged_part_is_found_out_by_its_digest_and_removed() {
    let bytes = bytes();
    let server = Server::start(vec![part(&bytes, 7, bytes.len())]).await;
    let here = Here::new();
    here.write("x.part", b"damaged");
    let error = here.fetch(&server.url, &bytes).await.unwrap_err();
    assert!(matches!(error, FetchError::Digest { .. }), "{error}");
    assert_eq!(here.files(), []);
}

#[tokio::test]
async fn a_redirect_to_another_host_is_followed_with_its_range() {
    let bytes = bytes();
    let store = Server::start(vec![part(&bytes, 7, bytes.len())]).await;
    let location = store.url.join("/blob?signature=secret").unwrap();
    let headers = format!("location: {location}\r\ncontent-length: 0\r\n");
    let hub = Server::start(vec![answer("302 Found", &headers, b"")]).await;
    let here = Here::new();
    here.write("x.part", &bytes[..7]);
    assert_eq!(here.fetch(&hub.url, &bytes).await.unwrap(), Fetched::Now);
    assert_eq!(store.ranges(), [Some("bytes=7-".to_owned())]);
    assert_eq!(here.files(), x(&bytes));
}

#[tokio::test]
async fn redirects_in_a_circle_end_and_no_query_or_password_is_said() {
    let headers = "location: /mirror/x?signature=secret\r\ncontent-length: 0\r\n";
    let mut server = Server::start(vec![answer("302 Found", headers, b"")]).await;
    server.url.set_username("me").unwrap();
    server.url.set_password(Some("secret")).unwrap();
    let here = Here::new();
    let error = here.fetch(&server.url, b"the file").await.unwrap_err();
    let said = format!("{error} {error:?}");
    assert!(said.contains("a redirect that isn't followed"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    assert!(server.ranges().len() <= 7, "{:?}", server.ranges());
}

#[tokio::test]
async fn what_is_somebody_s_own_stays() {
    let here = Here::new();
    here.write("x", b"mine");
    let nowhere = Url::parse("http://127.0.0.1:1/").unwrap();
    let error = here.fetch(&nowhere, b"the file").await.unwrap_err();
    assert!(matches!(error, FetchError::Other { .. }), "{error}");
    assert_eq!(here.files(), x(b"mine"));
}

#[tokio::test]
async fn two_do_not_write_one_file() {
    let here = Here::new();
    here.write("x.part", b"the");
    let other = fs::File::open(here.path().join("x.part")).unwrap();
    other.file().lock().unwrap();
    let nowhere = Url::parse("http://127.0.0.1:1/").unwrap();
    let error = here.fetch(&nowhere, b"the file").await.unwrap_err();
    assert!(matches!(error, FetchError::Busy(_)), "{error}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_named_and_nothing_gets_the_file_s_name() {
    let server = Server::start(vec![whole(b"the file")]).await;
    let here = Here::new();
    std::os::unix::fs::symlink("/dev/full", here.path().join("x.part")).unwrap();
    let error = here.fetch(&server.url, b"the file").await.unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("x.part` can't be written: the disk is full"),
        "{said}"
    );
    assert!(!here.path().join("x").exists());
}

#[test]
fn faults_of_a_disk_say_what_to_do() {
    for (kind, expected) in [
        (std::io::ErrorKind::ReadOnlyFilesystem, "read-only"),
        (std::io::ErrorKind::PermissionDenied, "this user may not"),
        (std::io::ErrorKind::NotADirectory, "can be written"),
    ] {
        let said = FetchError::disk(Path::new("m/x"), kind.into()).to_string();
        assert!(
            said.starts_with("`m/x` can't be written: ") && said.contains(expected),
            "{said}"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/m", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let here = Here::new();
    let error = here.fetch(&url, b"the file").await.unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with(&format!("{url}/x can't be reached: ")),
        "{said}"
    );
    assert_eq!(here.files(), []);
}

/// A model's three files.
fn model() -> [(&'static str, Vec<u8>); 3] {
    let tokenizer = r#"{"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"}}"#;
    let header = r#"{"embeddings":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]}}"#;
    let matrix = [
        &(header.len() as u64).to_le_bytes(),
        header.as_bytes(),
        &[1],
    ]
    .concat();
    [
        ("config.json", b"{}".to_vec()),
        ("tokenizer.json", tokenizer.as_bytes().to_vec()),
        ("model.safetensors", matrix),
    ]
}

/// Verifies `here` against the pinned `model`.
fn check(here: &Here, model: &[(&'static str, Vec<u8>)]) -> Result<Verified, Unverified> {
    let digests: Vec<String> = model.iter().map(|(_, bytes)| sha256(bytes)).collect();
    let files: Vec<PinnedFile<'_>> = model
        .iter()
        .zip(&digests)
        .map(|((name, bytes), sha256)| PinnedFile {
            name,
            bytes: bytes.len() as u64,
            sha256,
        })
        .collect();
    let pinned = PinnedModel {
        name: "made",
        url: "",
        files: &files,
    };
    verify(here.path(), &pinned)
}

#[test]
fn a_directory_is_the_pinned_model_or_another_that_can_be_used() {
    let here = Here::new();
    let mut model = model();
    for (name, bytes) in &model {
        here.write(name, bytes);
    }
    assert!(matches!(check(&here, &model), Ok(Verified::Pinned(_))));
    for (_, bytes) in &mut model {
        bytes.push(b' ');
    }
    assert!(matches!(check(&here, &model), Ok(Verified::Other(_))));
}

#[test]
fn a_pinned_model_with_one_wrong_file_is_damaged() {
    let model = model();
    for wrong in 0..model.len() {
        let here = Here::new();
        for (name, bytes) in &model {
            here.write(name, bytes);
        }
        let (name, bytes) = &model[wrong];
        here.write(name, &bytes[1..]);
        let error = check(&here, &model).unwrap_err().to_string();
        assert!(
            error.contains(&format!("{name}` is damaged or of another model")),
            "{error}"
        );
        fs::remove_file(here.path().join(name)).unwrap();
        here.write(&format!("{name}.part"), &bytes[1..]);
        let error = check(&here, &model).unwrap_err().to_string();
        assert!(
            error.contains(&format!("{name}.part` is part of a file")),
            "{error}"
        );
        let opened = Model::open(here.path()).unwrap_err().to_string();
        assert_eq!(opened, error);
    }
}
