use http::HeaderValue;
use upstream::{Authorization, CallerKeys};

use super::*;

fn caller(token: Option<&str>) -> Caller {
    let value = token.map(|token| HeaderValue::from_str(token).unwrap());
    let authorization = Authorization::parse(value.iter()).unwrap();
    CallerKeys::new([7; 32]).caller(authorization)
}

/// Searches for `query` and finds `names`.
fn search(trails: &Trails, caller: &Caller, query: &str, names: &[&str]) -> Option<Duration> {
    answer(trails, caller, query, names, &names.join(" "))
}

/// The same, told in these words.
fn answer(
    trails: &Trails,
    caller: &Caller,
    query: &str,
    names: &[&str],
    answer: &str,
) -> Option<Duration> {
    let queries = [query.to_owned()];
    let searched = Searched {
        asked: Asked {
            queries: &queries,
            limit: 8,
            schemas: true,
        },
        found: vec![names.to_vec()],
        answered: if names.is_empty() {
            Answered::Empty
        } else {
            Answered::Hits
        },
        answer,
    };
    trails.search(caller, &searched)
}

async fn pass(time: Duration) {
    tokio::time::sleep(time).await;
}

/// What was counted, but for zeros.
fn ends(trails: &Trails) -> Vec<(&'static str, &'static str, u64)> {
    let counts = trails.counts();
    let ends = counts.ends().filter(|(_, _, count)| *count > 0);
    ends.map(|(answered, end, count)| (answered.name(), end.name(), count))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_search_ends_with_what_came_after() {
    let trails = Trails::new(RandomState::new());
    let alice = caller(Some("alice"));
    search(&trails, &alice, "invoices", &["a", "b", "c", "d"]);
    search(&trails, &alice, "bills", &["x", "c"]);
    search(&trails, &alice, "weather", &["w"]);
    search(&trails, &alice, "nothing of the kind", &[]);
    search(&trails, &alice, "rain", &["w"]);
    search(&trails, &alice, "rain", &["w"]);
    assert_eq!(ends(&trails), [], "nothing is over");
    pass(Duration::from_mins(10)).await;
    assert_eq!(
        ends(&trails),
        [
            ("hits", "reworded", 1),
            ("hits", "repeated", 1),
            ("hits", "other_search", 2),
            ("hits", "nothing", 1),
            ("empty", "reworded", 1),
        ]
    );
    assert!(trails.lock().callers.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_first_call_of_a_hit_counts_for_the_last_search_that_found_it() {
    let trails = Trails::new(RandomState::new());
    let (alice, bob) = (caller(Some("alice")), caller(Some("bob")));
    search(&trails, &alice, "one", &["a", "b", "c"]);
    search(&trails, &alice, "two", &["d", "b"]);
    trails.call(&bob, "b");
    trails.call(&alice, "unheard of");
    for name in ["b", "d", "c", "a"] {
        trails.call(&alice, name);
    }
    let counts = trails.counts();
    assert_eq!(
        counts.ranks(),
        [0, 1, 1, 0, 0, 0, 0, 0],
        "b of two, c of one"
    );
    assert_eq!(counts.rank_sum(), 5);
    pass(Duration::from_mins(9)).await;
    search(&trails, &alice, "three", &["a"]);
    pass(Duration::from_mins(1)).await;
    trails.call(&alice, "b");
    assert_eq!(ends(&trails), [("hits", "call", 2)]);
    assert_eq!(
        trails.counts().ranks(),
        [0, 1, 1, 0, 0, 0, 0, 0],
        "too late"
    );
}

#[tokio::test(start_paused = true)]
async fn a_repetition_is_the_same_question_with_the_same_answer_soon() {
    let trails = Trails::new(RandomState::new());
    let alice = caller(Some("alice"));
    assert_eq!(search(&trails, &alice, "one", &["a"]), None);
    assert_eq!(
        search(&trails, &alice, "one", &["a"]),
        None,
        "the first answer may be lost"
    );
    pass(Duration::from_mins(5)).await;
    assert_eq!(search(&trails, &alice, "two", &["a"]), None);
    let age = search(&trails, &alice, "one", &["a"]);
    assert_eq!(age, Some(Duration::from_mins(5)));
    for text in ["a, whose schema is another", "a, a write now"] {
        let told = || answer(&trails, &alice, "one", &["a"], text);
        assert_eq!((told(), told(), told()), (None, None, Some(Duration::ZERO)));
    }
    for _ in 0..2 {
        let bob = caller(Some("bob"));
        assert_eq!(search(&trails, &bob, "two", &["a"]), None);
    }
    pass(Duration::from_secs(301)).await;
    for _ in 0..2 {
        assert_eq!(search(&trails, &alice, "two", &["a"]), None, "too long ago");
    }
    for _ in 0..3 {
        assert_eq!(
            search(&trails, &alice, "none", &[]),
            None,
            "nothing to shorten"
        );
        assert_eq!(search(&trails, &caller(None), "one", &["a"]), None);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_repeated_was_whole_a_short_time_ago() {
    let trails = Trails::new(RandomState::new());
    let alice = caller(Some("alice"));
    let mut told = Vec::new();
    for _ in 0..8 {
        told.push(search(&trails, &alice, "one", &["a"]).map(|age| age.as_secs()));
        pass(Duration::from_secs(100)).await;
    }
    // Whole at 0 s and 100 s, short up to 400 s, then whole again.
    let (whole, short) = (None, Some);
    let expected = [
        whole,
        whole,
        short(100),
        short(200),
        short(300),
        whole,
        whole,
        short(100),
    ];
    assert_eq!(told, expected);
}

#[tokio::test(start_paused = true)]
async fn a_new_conversation_gets_whole_answers() {
    let trails = Trails::new(RandomState::new());
    let alice = caller(Some("alice"));
    let ask = || search(&trails, &alice, "one", &["a"]);
    assert_eq!((ask(), ask(), ask()), (None, None, Some(Duration::ZERO)));
    trails.begin(&alice);
    assert_eq!((ask(), ask(), ask()), (None, None, Some(Duration::ZERO)));
    trails.begin(&caller(Some("bob")));
    assert_eq!(ask(), Some(Duration::ZERO));
    // What becomes of searches is counted all the same.
    pass(Duration::from_mins(10)).await;
    assert_eq!(
        ends(&trails),
        [("hits", "repeated", 6), ("hits", "nothing", 1)]
    );
}

#[tokio::test(start_paused = true)]
async fn many_callers_and_searches_take_bounded_memory() {
    let trails = Trails::new(RandomState::new());
    let names: Vec<String> = (0..25).map(|number| format!("tool_{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for number in 0..MAX_CALLERS + 10 {
        let caller = caller(Some(&format!("token {number}")));
        search(&trails, &caller, "x", &names);
        pass(Duration::from_millis(1)).await;
    }
    assert_eq!(trails.lock().callers.len(), MAX_CALLERS);
    assert_eq!(ends(&trails), [("hits", "nothing", 10)]);
    let last = caller(Some("last"));
    for number in 0..20 {
        search(&trails, &last, &number.to_string(), &names);
    }
    assert_eq!(
        ends(&trails).iter().map(|(_, _, count)| count).sum::<u64>(),
        23
    );
}

#[test]
fn a_tool_of_several_queries_has_its_best_rank() {
    let found = [vec!["a", "b", "c"], vec!["b"], vec![]];
    let hash = |name: &str| u32::from(name.as_bytes()[0]);
    let ranks = ring::ranks(&found, hash);
    let expected = ring::ranks(&[vec!["a", "x", "c"]], hash);
    assert_eq!((ranks[0], ranks[2]), (expected[0], expected[2]));
    assert_eq!(ranks.len(), 3);
    let counted = ring::ranks(&[vec!["b"]], hash);
    assert_eq!(ranks[1], counted[0]);
}
