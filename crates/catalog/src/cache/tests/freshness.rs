use super::*;

#[tokio::test(start_paused = true)]
async fn concurrent_first_requests_share_a_listing_per_caller() {
    for (callers, expected) in [(1, 1), (20, 20)] {
        let rig = Arc::new(Rig::new(|_, _| lists(&["a"])));
        let requests: Vec<_> = (0..200)
            .map(|request| {
                let rig = Arc::clone(&rig);
                let caller = caller(&format!("Bearer {}", request % callers));
                tokio::spawn(async move { rig.names(&caller).await })
            })
            .collect();
        for request in requests {
            assert_eq!(request.await.unwrap().0, ["a"]);
        }
        assert_eq!(rig.listings(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_due_catalog_is_served_while_one_refresh_runs() {
    let rig = Rig::new(|number, _| lists(&[["a", "b"][number - 1]]));
    let alice = caller("alice");
    assert_eq!(
        rig.names(&alice).await,
        (vec!["a".to_owned()], Freshness::Fresh)
    );
    pass(TTL).await;
    for _ in 0..50 {
        assert_eq!(
            rig.names(&alice).await,
            (vec!["a".to_owned()], Freshness::Stale)
        );
    }
    settle().await;
    assert_eq!(
        rig.names(&alice).await,
        (vec!["b".to_owned()], Freshness::Fresh)
    );
    assert_eq!(rig.listings(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_upstream_may_shorten_the_time_but_not_to_nothing() {
    for (ttl, fresh_for, stale_after) in [
        (Some(0), 800, 1_200),
        (Some(60), 59_000, 61_000),
        (Some(7_200), 599_000, 601_000),
        (None, 599_000, 601_000),
    ] {
        let rig = Rig::new(move |_, _| {
            let mut listing = listing(&["a"]);
            listing.ttl = ttl.map(Duration::from_secs);
            answers(Ok(listing))
        });
        let alice = caller("alice");
        rig.names(&alice).await;
        pass(Duration::from_millis(fresh_for)).await;
        assert_eq!(rig.names(&alice).await.1, Freshness::Fresh, "{ttl:?}");
        pass(Duration::from_millis(stale_after - fresh_for)).await;
        assert_eq!(rig.names(&alice).await.1, Freshness::Stale, "{ttl:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_first_listing_goes_on_without_its_waiters() {
    let rig = Rig::new(|_, _| Answer {
        after: Duration::from_secs(25),
        result: Ok(listing(&["a"])),
    });
    let alice = caller("alice");
    assert!(matches!(rig.get(&alice).await, Err(Missing::Loading)));
    let impatient = rig.catalogs.get(&alice, Duration::ZERO).await;
    assert!(matches!(impatient, Err(Missing::Loading)));
    pass_secs(20).await;
    assert_eq!(rig.names(&alice).await.0, ["a"]);
    assert_eq!(rig.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_first_waiter_may_go_without_harm_to_the_others() {
    let rig = Arc::new(Rig::new(|_, _| lists(&["a"])));
    let alice = caller("alice");
    let request = || {
        let (rig, alice) = (Arc::clone(&rig), alice.clone());
        tokio::spawn(async move { rig.names(&alice).await.0 })
    };
    let (first, second) = (request(), request());
    tokio::task::yield_now().await;
    first.abort();
    assert_eq!(second.await.unwrap(), ["a"]);
    assert_eq!(rig.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_name_brings_a_listing_forward_but_not_too_often() {
    let rig = Rig::new(|number, _| lists(&["a", "b", "c"][..number.min(3)]));
    let alice = caller("alice");
    rig.names(&alice).await;
    let too_soon = rig.catalogs.refresh_now(&alice, WAIT).await.unwrap();
    assert_eq!(names(&too_soon), ["a"]);
    pass_secs(5).await;
    let refreshed = rig.catalogs.refresh_now(&alice, WAIT).await.unwrap();
    assert_eq!(names(&refreshed), ["a", "b"]);
    pass_secs(5).await;
    let impatient = rig
        .catalogs
        .refresh_now(&alice, Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(names(&impatient), ["a", "b"]);
    let joined = rig.catalogs.refresh_now(&alice, WAIT).await.unwrap();
    assert_eq!(names(&joined), ["a", "b", "c"]);
    assert_eq!(rig.listings(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_first_request_for_an_unknown_name_lists_once() {
    let rig = Rig::new(|_, _| lists(&["a"]));
    let view = rig
        .catalogs
        .refresh_now(&caller("alice"), WAIT)
        .await
        .unwrap();
    assert_eq!(names(&view), ["a"]);
    assert_eq!(rig.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_look_starts_nothing_and_ages_are_told() {
    let rig = Rig::new(|_, _| lists(&["a"]));
    let alice = caller("alice");
    assert!(rig.catalogs.peek(&alice.key).is_none());
    rig.names(&alice).await;
    pass_secs(30).await;
    let view = rig.catalogs.peek(&alice.key).unwrap();
    assert_eq!(view.age, Duration::from_secs(30));
    pass(TTL).await;
    let view = rig.catalogs.peek(&alice.key).unwrap();
    assert_eq!(view.freshness, Freshness::Stale);
    assert_eq!(rig.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn no_catalog_is_fresh_for_longer_than_it_is_kept() {
    let rig = Rig::with(settings(Duration::MAX, usize::MAX), |number, _| {
        let mut listing = listing(&[&format!("v{number}")]);
        listing.ttl = Some(Duration::MAX);
        answers(Ok(listing))
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(Duration::from_hours(23)).await;
    assert_eq!(
        rig.names(&alice).await,
        (vec!["v1".to_owned()], Freshness::Fresh)
    );
    pass(Duration::from_hours(2)).await;
    assert_eq!(
        rig.names(&alice).await,
        (vec!["v2".to_owned()], Freshness::Fresh)
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_operator_outdates_is_listed_anew_with_the_next_request() {
    let rig = Rig::new(|number, _| lists(&[["a", "b", "c"][number - 1]]));
    let alice = caller("alice");
    assert_eq!(rig.catalogs.outdate(), 0);
    rig.names(&alice).await;
    assert_eq!(rig.catalogs.outdate(), 1);
    assert_eq!(rig.listings(), 1);
    assert!(rig.catalogs.status().last_outdated.is_some());
    let (names, freshness) = rig.names(&alice).await;
    assert_eq!((names, freshness), (vec!["a".to_owned()], Freshness::Stale));
    settle().await;
    assert_eq!(rig.names(&alice).await.0, ["b"]);
    assert_eq!(rig.names(&alice).await.1, Freshness::Fresh);
    assert_eq!(rig.listings(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_listing_begun_before_it_was_outdated_is_not_the_last() {
    let rig = Rig::new(|number, _| lists(&[["a", "b"][number - 1]]));
    let alice = caller("alice");
    let first = rig.catalogs.get(&alice, WAIT);
    let outdated = async {
        pass(Duration::from_millis(50)).await;
        assert_eq!(rig.catalogs.status().builds_running, 1);
        assert_eq!(rig.catalogs.outdate(), 1);
    };
    let (first, ()) = tokio::join!(first, outdated);
    assert_eq!(names(&first.unwrap()), ["a"]);
    rig.names(&alice).await;
    settle().await;
    assert_eq!(
        rig.names(&alice).await,
        (vec!["b".to_owned()], Freshness::Fresh)
    );
}

#[tokio::test(start_paused = true)]
async fn outdating_ends_the_pause_after_a_failure() {
    let rig = Rig::new(|number, _| if number == 1 { down() } else { lists(&["a"]) });
    let alice = caller("alice");
    assert!(rig.get(&alice).await.is_err());
    assert!(rig.get(&alice).await.is_err());
    assert_eq!(rig.listings(), 1);
    rig.catalogs.outdate();
    assert_eq!(rig.names(&alice).await.0, ["a"]);
}
