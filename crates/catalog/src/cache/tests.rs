mod bounds;
mod doubts;
mod failures;
mod freshness;
mod isolation;
mod named;

use std::sync::Mutex;

use http::HeaderValue;
use serde_json::value::RawValue;
use upstream::{Authorization, CallerKeys, Challenge, ChallengeStatus, Handshake, Presented};

use super::*;

/// An upstream that answers by a script.
struct Script {
    answers: Answers,
    calls: Mutex<Vec<CallerKey>>,
}

type Answers = Box<dyn Fn(usize, &CallerKey) -> Answer + Send + Sync>;

/// One listing: how long it takes and what comes.
struct Answer {
    after: Duration,
    result: Result<Listing, UpstreamError>,
}

impl Lister for Script {
    fn list(
        self: Arc<Self>,
        caller: Caller,
    ) -> Pin<Box<dyn Future<Output = Result<Listing, UpstreamError>> + Send>> {
        let number = {
            let mut calls = self.calls.lock().unwrap();
            calls.push(caller.key);
            calls.len()
        };
        Box::pin(async move {
            let answer = (self.answers)(number, &caller.key);
            tokio::time::sleep(answer.after).await;
            answer.result
        })
    }
}

/// A cache and the script behind it.
struct Rig {
    catalogs: Arc<Catalogs>,
    script: Arc<Script>,
}

impl Rig {
    /// Answers listing number n, counted from 1, with `answers(n, who)`.
    fn new(answers: impl Fn(usize, &CallerKey) -> Answer + Send + Sync + 'static) -> Self {
        Self::with(settings(TTL, usize::MAX), answers)
    }

    fn bounded(
        max_bytes: usize,
        answers: impl Fn(usize, &CallerKey) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::with(settings(TTL, max_bytes), answers)
    }

    fn with(
        settings: CacheSettings,
        answers: impl Fn(usize, &CallerKey) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let script = Arc::new(Script {
            answers: Box::new(answers),
            calls: Mutex::new(Vec::new()),
        });
        let lister: Arc<dyn Lister> = Arc::<Script>::clone(&script);
        Self {
            catalogs: Arc::new(Catalogs::new(lister, settings, NamedTools::default())),
            script,
        }
    }

    fn listings(&self) -> usize {
        self.script.calls.lock().unwrap().len()
    }

    async fn get(&self, caller: &Caller) -> Result<CatalogView, Missing> {
        self.catalogs.get(caller, WAIT).await
    }

    /// The names in the caller's catalog, which must be there, and how fresh it is.
    async fn names(&self, caller: &Caller) -> (Vec<String>, Freshness) {
        let view = self.get(caller).await.unwrap();
        (names(&view), view.freshness)
    }

    /// Asks, so that a due refresh starts, lets it end, and asks again.
    async fn names_after_refresh(&self, caller: &Caller) -> (Vec<String>, Freshness) {
        self.get(caller).await.unwrap();
        settle().await;
        self.names(caller).await
    }
}

fn settings(ttl: Duration, max_bytes: usize) -> CacheSettings {
    CacheSettings {
        ttl,
        max_bytes,
        vectors: Vectors::Here(Embedder::None),
    }
}

fn names(view: &CatalogView) -> Vec<String> {
    let tools = view.catalog.tools().iter();
    tools.map(|tool| tool.name().to_owned()).collect()
}

fn caller(token: &str) -> Caller {
    let value = HeaderValue::from_str(token).unwrap();
    let authorization = Authorization::parse([value].iter()).unwrap();
    CallerKeys::new([7; 32]).caller(authorization)
}

fn listing(names: &[&str]) -> Listing {
    let tool = |name: &&str| {
        let text = format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
        RawValue::from_string(text).unwrap()
    };
    Listing {
        handshake: Handshake::default(),
        tools: names.iter().map(tool).collect(),
        pages: 1,
        bytes: 0,
        ttl: None,
        cut_short: None,
        took: Duration::ZERO,
    }
}

fn lists(names: &[&str]) -> Answer {
    answers(Ok(listing(names)))
}

fn fails(error: UpstreamError) -> Answer {
    answers(Err(error))
}

fn answers(result: Result<Listing, UpstreamError>) -> Answer {
    Answer {
        after: Duration::from_millis(100),
        result,
    }
}

fn down() -> Answer {
    fails(UpstreamError::Status { status: 503 })
}

fn challenge() -> Answer {
    fails(UpstreamError::Challenge(Challenge {
        status: ChallengeStatus::Unauthorized,
        presented: Presented::Authorization,
        www_authenticate: Vec::new(),
    }))
}

fn is_challenge(result: &Result<CatalogView, Missing>) -> bool {
    let Err(Missing::Failed(error)) = result else {
        return false;
    };
    matches!(**error, UpstreamError::Challenge(_))
}

/// Lets everything that was started come to its end.
async fn settle() {
    pass(Duration::from_millis(200)).await;
}

async fn pass(time: Duration) {
    tokio::time::sleep(time).await;
}

async fn pass_secs(seconds: u64) {
    pass(Duration::from_secs(seconds)).await;
}

const TTL: Duration = Duration::from_mins(10);
const WAIT: Duration = Duration::from_secs(10);
