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
    let mut state = state::State::new(usize::MAX);
    for token in 0..10_100 {
        state.slot(caller(&token.to_string()).key, Instant::now());
    }
    assert_eq!(state.slots(), 10_000);
}
