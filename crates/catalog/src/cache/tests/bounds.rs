use super::*;

/// A listing that is its caller's own, and of a weight worth counting.
fn own(key: CallerKey) -> Answer {
    let number: String = [caller("a"), caller("b"), caller("c"), caller("d")]
        .iter()
        .position(|caller| caller.key == key)
        .unwrap_or_default()
        .to_string();
    let name = format!("t{number}{}", "x".repeat(10_000));
    lists(&[&name])
}

#[tokio::test(start_paused = true)]
async fn the_least_recently_used_catalogs_go_first() {
    let probe = Rig::new(|_, key| own(*key));
    probe.names(&caller("a")).await;
    let one = probe.catalogs.status().bytes;
    assert!(one > 10_000, "{one}");

    let rig = Rig::bounded(one * 2 + one / 2, |_, key| own(*key));
    for token in ["a", "b", "a", "c"] {
        rig.names(&caller(token)).await;
    }
    let held = ["a", "b", "c"].map(|token| rig.catalogs.peek(&caller(token).key).is_some());
    assert_eq!(held, [true, false, true]);
    let status = rig.catalogs.status();
    assert_eq!((status.callers, status.bytes), (2, one * 2));
}

#[tokio::test(start_paused = true)]
async fn a_catalog_larger_than_the_bound_is_kept_alone() {
    let rig = Rig::bounded(1, |_, key| own(*key));
    for token in ["a", "b"] {
        rig.names(&caller(token)).await;
        rig.names(&caller(token)).await;
    }
    assert_eq!(rig.listings(), 2);
    assert_eq!(rig.catalogs.status().callers, 1);
}

#[tokio::test(start_paused = true)]
async fn callers_with_the_same_tools_share_one_catalog() {
    let rig = Rig::new(|_, _| lists(&["a", "b"]));
    let first = rig.get(&caller("0")).await.unwrap();
    let alone = rig.catalogs.status().bytes;
    for token in 1..100 {
        let view = rig.get(&caller(&token.to_string())).await.unwrap();
        assert!(Arc::ptr_eq(&first.catalog, &view.catalog));
    }
    let status = rig.catalogs.status();
    assert_eq!((status.callers, status.bytes), (100, alone));
    for token in 0..100 {
        rig.catalogs.forget(&caller(&token.to_string()).key);
    }
    let status = rig.catalogs.status();
    assert_eq!((status.callers, status.bytes), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn callers_who_list_at_once_share_one_catalog_too() {
    let rig = Arc::new(Rig::new(|_, _| lists(&["a", "b"])));
    let callers: Vec<Caller> = (0..20).map(|token| caller(&token.to_string())).collect();
    let mut requests = tokio::task::JoinSet::new();
    for caller in callers.clone() {
        let rig = Arc::clone(&rig);
        requests.spawn(async move { rig.names(&caller).await });
    }
    requests.join_all().await;
    let held: Vec<_> = callers
        .iter()
        .filter_map(|caller| rig.catalogs.peek(&caller.key))
        .collect();
    assert_eq!(held.len(), 20);
    assert!(
        held.iter()
            .all(|view| Arc::ptr_eq(&view.catalog, &held[0].catalog))
    );
    assert_eq!(rig.catalogs.status().bytes, held[0].catalog.heap_bytes());
}

#[tokio::test(start_paused = true)]
async fn a_refresh_with_the_same_tools_keeps_the_catalog() {
    let rig = Rig::new(|_, _| lists(&["a"]));
    let alice = caller("alice");
    let before = rig.get(&alice).await.unwrap();
    pass(TTL).await;
    rig.names_after_refresh(&alice).await;
    let after = rig.get(&alice).await.unwrap();
    assert!(Arc::ptr_eq(&before.catalog, &after.catalog));
    assert!(after.age < TTL);
    assert_eq!(rig.catalogs.status().bytes, before.catalog.heap_bytes());
}

#[tokio::test(start_paused = true)]
async fn many_tokens_leave_no_endless_trace() {
    let mut state = state::State::new(usize::MAX, NamedTools::default());
    for token in 0..10_100 {
        state.slot(caller(&token.to_string()).key, Instant::now());
    }
    assert_eq!(state.slots(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn making_room_takes_only_what_frees_something() {
    let probe = Rig::new(|_, key| own(*key));
    probe.names(&caller("a")).await;
    let one = probe.catalogs.status().bytes;
    let shared = caller("a").key;
    let down_for = caller("down").key;
    let of = move |key: &CallerKey| match *key {
        key if key == down_for => down(),
        key if [caller("b").key, caller("c").key, caller("d").key].contains(&key) => own(key),
        _ => own(shared),
    };
    let rig = Rig::bounded(one * 2 + one / 2, move |_, key| of(key));
    rig.get(&caller("down")).await.unwrap_err();
    for token in ["s1", "s2", "b", "s3", "c"] {
        rig.names(&caller(token)).await;
    }
    let held = |token: &str| rig.catalogs.peek(&caller(token).key).is_some();
    // `b` is older than the last use of the shared one.
    assert_eq!(
        ["s1", "s2", "b", "s3", "c"].map(held),
        [true, true, false, true, true]
    );
    // A caller who holds nothing is still remembered: their failure forbids another try for now.
    rig.get(&caller("down")).await.unwrap_err();
    assert_eq!(rig.listings(), 6);
    // The shared one goes as a whole.
    rig.names(&caller("d")).await;
    assert_eq!(
        ["s1", "s2", "b", "s3", "c", "d"].map(held),
        [false, false, false, false, true, true]
    );
    assert_eq!(rig.catalogs.status().bytes, one * 2);
}

async fn ask_without_waiting(rig: &Rig, token: usize) {
    let caller = caller(&token.to_string());
    let answer = rig.catalogs.get(&caller, Duration::ZERO).await;
    assert!(matches!(answer, Err(Missing::Loading)));
}

#[tokio::test(start_paused = true)]
async fn only_so_many_ask_the_upstream_at_a_time() {
    let rig = Rig::new(|_, _| Answer {
        after: Duration::from_secs(1),
        ..lists(&["a"])
    });
    for token in 0..100 {
        ask_without_waiting(&rig, token).await;
    }
    for asked in [32, 64, 96, 100] {
        pass(Duration::from_millis(900)).await;
        assert_eq!(rig.listings(), asked);
        pass(Duration::from_millis(100)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_listing_ends_with_its_callers_place() {
    let rig = Rig::new(|_, _| Answer {
        after: Duration::from_secs(1),
        ..lists(&["a"])
    });
    // One caller more than are remembered: the first gives way, and so does their listing.
    for token in 0..10_001 {
        ask_without_waiting(&rig, token).await;
    }
    pass(Duration::from_millis(500)).await;
    assert_eq!(rig.listings(), 32 + 1);
    pass(Duration::from_mins(9)).await;
    assert!(rig.catalogs.peek(&caller("0").key).is_none());
    assert_eq!(rig.catalogs.status().callers, 10_000);
}

#[tokio::test(start_paused = true)]
async fn compiled_schemas_count() {
    let rig = Rig::new(|_, _| lists(&["a"]));
    let view = rig.get(&caller("a")).await.unwrap();
    let before = rig.catalogs.status().bytes;
    for _ in 0..2 {
        view.catalog.get("a").unwrap().checker();
        let schema = r#"{"type":"object"}"#;
        assert_eq!(rig.catalogs.status().bytes, before + schema.len() * 16);
    }
}
