use std::sync::atomic::{AtomicUsize, Ordering};

use ranking::{Document, Index, Mode, VectorCache};
use tokio::time::sleep;
use upstream::CallerKeys;

use super::*;

/// A service that answers by a script, and remembers what it was asked.
#[derive(Default)]
struct Script {
    answers: Mutex<Option<Answers>>,
    asked: Mutex<Vec<Vec<String>>>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

type Answers = Box<dyn Fn(usize, &[String]) -> Embedded + Send>;

impl Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Script")
    }
}

impl VectorSource for Script {
    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
        limit: Duration,
    ) -> Pin<Box<dyn Future<Output = Embedded> + Send + 'a>> {
        let texts: Vec<String> = texts.iter().copied().map(str::to_owned).collect();
        Box::pin(async move {
            let running = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(running, Ordering::SeqCst);
            let number = {
                let mut asked = self.asked.lock().unwrap();
                asked.push(texts.clone());
                asked.len()
            };
            sleep(TAKES.min(limit)).await;
            self.at_once.fetch_sub(1, Ordering::SeqCst);
            let answers = self.answers.lock().unwrap();
            match &*answers {
                Some(answers) => answers(number, &texts),
                None => well(&texts),
            }
        })
    }
}

impl Script {
    fn asked(&self) -> Vec<Vec<String>> {
        self.asked.lock().unwrap().clone()
    }

    fn requests(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Answers from now on with what `answers` makes of the request's number, from 1, and its texts.
    fn set(&self, answers: impl Fn(usize, &[String]) -> Embedded + Send + 'static) {
        *self.answers.lock().unwrap() = Some(Box::new(answers));
    }
}

/// A service, its script, and the tools that it makes vectors of.
struct Rig {
    service: Arc<VectorService>,
    script: Arc<Script>,
    cache: Arc<VectorCache>,
}

impl Rig {
    fn new() -> Self {
        let script = Arc::<Script>::default();
        let source: Arc<dyn VectorSource> = Arc::<Script>::clone(&script);
        let settings = VectorSettings {
            dimensions: 2,
            batch: 4,
            batch_timeout: Duration::from_mins(1),
            query_timeout: Duration::from_secs(1),
        };
        let service = Arc::new(VectorService::new(source, settings));
        let embedder = Vectors::Service(Arc::clone(&service)).embedder();
        Self {
            service,
            script,
            cache: Arc::new(VectorCache::new(embedder)),
        }
    }

    /// Indexes tools of these names, which have one text each.
    fn index(&self, names: &[&str]) -> Index {
        let documents: Vec<Document<'_>> = names
            .iter()
            .map(|&name| Document {
                name,
                ..Document::default()
            })
            .collect();
        Index::build(&documents, &self.cache)
    }

    fn start(&self) {
        self.service.start_filling(&self.cache);
    }

    async fn query(&self, query: &str) -> QueryVectors {
        self.service.of_queries(&caller(1), &[query]).await
    }

    fn status(&self) -> VectorServiceStatus {
        self.service.status(self.cache.waiting())
    }
}

fn caller(number: u8) -> CallerKey {
    CallerKeys::new([number; 32]).caller(None).key
}

#[expect(clippy::unnecessary_wraps, reason = "as a script answers")]
fn well(texts: &[String]) -> Embedded {
    let vector = |text: &String| match text.as_str() {
        "zero" => vec![0.0, 0.0],
        text => vec![text.len() as f32, 1.0],
    };
    Ok(texts.iter().map(vector).collect())
}

fn down<T>() -> Result<T, EmbeddingsError> {
    Err(EmbeddingsError::Status { status: 500 })
}

fn refused<T>() -> Result<T, EmbeddingsError> {
    Err(EmbeddingsError::Refused { status: 400 })
}

const TAKES: Duration = Duration::from_millis(10);
const NAMES: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

#[tokio::test(start_paused = true)]
async fn tools_are_asked_for_once_in_bounded_batches_one_after_another() {
    let rig = Rig::new();
    let index = rig.index(&NAMES);
    let same = rig.index(&NAMES);
    assert_eq!((rig.script.requests(), rig.cache.waiting()), (0, 10));
    assert_eq!(index.mode(), Mode::Words);
    rig.start();
    rig.start();
    sleep(TAKES * 10).await;
    assert_eq!((index.mode(), same.mode()), (Mode::Hybrid, Mode::Hybrid));
    let asked = rig.script.asked();
    let sizes: Vec<usize> = asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [4, 4, 2]);
    assert_eq!(asked.concat(), NAMES);
    assert_eq!(rig.script.most_at_once.load(Ordering::SeqCst), 1);
    let status = rig.status();
    assert_eq!((status.waiting, status.answered), (0, 3));

    let more = rig.index(&["a", "new"]);
    rig.start();
    sleep(TAKES * 2).await;
    assert_eq!(more.mode(), Mode::Hybrid);
    assert_eq!(rig.script.asked().last().unwrap(), &["new"]);
}

#[tokio::test(start_paused = true)]
async fn a_failing_service_is_left_alone_and_comes_back_by_itself() {
    let rig = Rig::new();
    rig.script.set(|_, _| down());
    let index = rig.index(&NAMES);
    rig.start();
    sleep(Duration::from_secs(30)).await;
    assert_eq!(index.mode(), Mode::Words);
    assert_eq!(rig.script.requests(), 5, "after 1, 2, 4 and 8 seconds");
    let status = rig.status();
    assert!(!status.is_well);
    assert_eq!(status.waiting, 10);
    assert_eq!(status.failed, BTreeMap::from([("status", 5)]));
    assert!(
        status
            .last_error
            .unwrap()
            .message
            .contains("HTTP status 500")
    );
    rig.script.set(|_, texts| well(texts));
    sleep(Duration::from_secs(20)).await;
    assert_eq!(index.mode(), Mode::Hybrid);
    assert!(rig.status().is_well);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_for_tools_that_nobody_has_any_more() {
    let rig = Rig::new();
    rig.script.set(|_, _| down());
    let index = rig.index(&NAMES);
    rig.start();
    sleep(Duration::from_millis(500)).await;
    drop(index);
    rig.script.set(|_, texts| well(texts));
    sleep(Duration::from_mins(5)).await;
    assert_eq!(rig.script.requests(), 1);
    assert_eq!(rig.status().waiting, 0);
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_is_kept() {
    let rig = Rig::new();
    rig.script.set(|number, texts| match number {
        1 => Err(EmbeddingsError::RateLimited {
            status: 429,
            retry_after: Some(Duration::from_secs(90)),
        }),
        _ => well(texts),
    });
    let index = rig.index(&NAMES);
    rig.start();
    sleep(Duration::from_secs(80)).await;
    assert!(rig.query("a query").await.is_lost(0), "queries keep it too");
    assert_eq!(rig.script.requests(), 1);
    sleep(Duration::from_secs(20)).await;
    assert_eq!(index.mode(), Mode::Hybrid);
    assert!(rig.query("a query").await.get(0).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_text_that_the_service_refuses_costs_one_tool_and_no_other() {
    let rig = Rig::new();
    rig.script.set(|_, texts| {
        if texts.iter().any(|text| text == "c") {
            refused()
        } else {
            well(texts)
        }
    });
    let index = rig.index(&NAMES);
    rig.start();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(index.mode(), Mode::Hybrid);
    let status = rig.status();
    assert_eq!((status.waiting, status.refused), (0, 1));
    assert!(status.is_well);
    let asked = rig.script.asked();
    assert!(asked.contains(&vec!["tool".to_owned()]), "{asked:?}");
    assert!(asked.len() <= 10, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_refuses_everything_costs_no_tool() {
    let rig = Rig::new();
    rig.script.set(|_, _| refused());
    let index = rig.index(&NAMES);
    rig.start();
    sleep(Duration::from_millis(500)).await;
    let status = rig.status();
    assert_eq!((status.waiting, status.refused), (10, 0));
    assert!(!status.is_well);
    rig.script.set(|_, texts| well(texts));
    sleep(Duration::from_secs(2)).await;
    assert_eq!(index.mode(), Mode::Hybrid);
    assert_eq!(rig.status().waiting, 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_of_which_nothing_is_made_is_found_by_words() {
    let rig = Rig::new();
    let index = rig.index(&["zero", "mail"]);
    rig.start();
    sleep(TAKES * 2).await;
    let vectors = rig.query("zero").await;
    assert!(vectors.is_lost(0), "a vector without direction is none");
    let vectors = rig.query("other").await;
    let ranking = index.search_with("zero", vectors.get(0), 5);
    assert_eq!((ranking.mode, ranking.hits.len()), (Mode::Hybrid, 2));
    assert_eq!(ranking.hits[0].document.0, 0);
}

#[tokio::test(start_paused = true)]
async fn the_queries_of_a_request_are_asked_for_together_and_remembered() {
    let rig = Rig::new();
    let queries = ["overdue_invoices", "?!", "mail"];
    let vectors = rig.service.of_queries(&caller(1), &queries).await;
    assert_eq!(rig.script.asked(), [["overdue invoices", "mail"]]);
    let told: Vec<_> = (0..4)
        .map(|place| (vectors.get(place).is_some(), vectors.is_lost(place)))
        .collect();
    assert_eq!(
        told,
        [(true, false), (false, false), (true, false), (false, false)]
    );

    rig.service.of_queries(&caller(1), &["mail", "new"]).await;
    assert_eq!(rig.script.asked()[1..], [["new"]]);
    rig.service.of_queries(&caller(1), &queries).await;
    assert_eq!(rig.script.requests(), 2);
    rig.service.of_queries(&caller(2), &["mail"]).await;
    assert_eq!(rig.script.requests(), 3, "somebody else's aren't known");
}

#[tokio::test(start_paused = true)]
async fn only_the_first_query_waits_for_a_service_that_fails() {
    let rig = Rig::new();
    rig.script.set(|_, _| {
        Err(EmbeddingsError::Timeout {
            limit: Duration::from_secs(1),
        })
    });
    for _ in 0..10 {
        assert!(rig.query("a").await.is_lost(0));
    }
    assert_eq!(rig.script.requests(), 1);
    sleep(Duration::from_secs(1)).await;
    rig.script.set(|_, texts| well(texts));
    let (first, second) = tokio::join!(rig.query("a"), rig.query("b"));
    assert!(first.get(0).is_some());
    assert!(second.is_lost(0), "one at a time until it is back");
    assert!(rig.query("b").await.get(0).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_command_has_everything_made_or_fails() {
    let rig = Rig::new();
    let index = rig.index(&NAMES);
    rig.service.fill(&rig.cache).await.unwrap();
    assert_eq!(index.mode(), Mode::Hybrid);
    let vectors = rig
        .service
        .of_many_queries(&["a", " ", "b", "c", "d", "e"])
        .await;
    let vectors = vectors.unwrap();
    let known = (0..6).map(|place| vectors.get(place).is_some());
    assert_eq!(
        known.collect::<Vec<_>>(),
        [true, false, true, true, true, true]
    );
    assert_eq!(rig.script.requests(), 5);
    rig.script.set(|_, _| down());
    let more = rig.index(&["new"]);
    assert!(rig.service.fill(&rig.cache).await.is_err());
    assert!(rig.service.of_many_queries(&["a"]).await.is_err());
    assert_eq!((more.mode(), rig.cache.waiting()), (Mode::Words, 1));
}
