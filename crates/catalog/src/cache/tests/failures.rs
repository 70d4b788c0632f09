use super::*;

#[tokio::test(start_paused = true)]
async fn a_failed_refresh_keeps_the_catalog_and_backs_off() {
    let rig = Rig::new(|number, _| if number == 1 { lists(&["a"]) } else { down() });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    let kept = (vec!["a".to_owned()], Freshness::StaleAfterFailure);
    assert_eq!(rig.names_after_refresh(&alice).await, kept);
    // One request a second for two minutes: tries after 1, 2, 4, 8, 16, 32 s, then each minute.
    for _ in 0..120 {
        assert_eq!(rig.names(&alice).await, kept);
        pass_secs(1).await;
    }
    assert_eq!(rig.listings(), 8);
    let status = rig.catalogs.status();
    assert_eq!(status.build_attempts, 8);
    assert_eq!(status.build_failures, 7);
    let error = status.last_error.unwrap();
    assert_eq!(error.message, "the upstream answered with HTTP status 503");
}

#[tokio::test(start_paused = true)]
async fn a_first_failure_is_told_without_listing_for_every_request() {
    let rig = Rig::new(|number, _| if number < 4 { down() } else { lists(&["a"]) });
    let alice = caller("alice");
    for _ in 0..100 {
        let failed = rig.get(&alice).await;
        assert!(matches!(failed, Err(Missing::Failed(_))));
    }
    assert_eq!(rig.listings(), 1);
    for listings in 2..4 {
        pass_secs(5).await;
        assert!(rig.get(&alice).await.is_err());
        assert_eq!(rig.listings(), listings);
    }
    pass_secs(5).await;
    assert_eq!(rig.names(&alice).await.1, Freshness::Fresh);
}

#[tokio::test(start_paused = true)]
async fn a_hanging_refresh_blocks_nobody_and_ends() {
    let rig = Rig::new(|number, _| match number {
        2 => Answer {
            after: Duration::from_hours(10),
            result: Ok(listing(&[])),
        },
        _ => lists(&["a"]),
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    assert_eq!(rig.names(&alice).await.1, Freshness::Stale);
    pass_secs(601).await;
    assert_eq!(rig.names(&alice).await.1, Freshness::StaleAfterFailure);
    pass_secs(2).await;
    assert_eq!(rig.names_after_refresh(&alice).await.1, Freshness::Fresh);
    assert_eq!(rig.listings(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_lister_that_panics_frees_its_slot() {
    let rig = Rig::new(|number, _| {
        assert!(number > 1, "the first listing breaks");
        lists(&["a"])
    });
    let alice = caller("alice");
    assert!(matches!(rig.get(&alice).await, Err(Missing::Loading)));
    assert_eq!(rig.names(&alice).await.0, ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_is_respected() {
    let rig = Rig::new(|number, _| match number {
        2 => fails(UpstreamError::RateLimited {
            retry_after: Some(Duration::from_secs(7)),
        }),
        _ => lists(&["a"]),
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    rig.names_after_refresh(&alice).await;
    pass_secs(6).await;
    assert_eq!(
        rig.names_after_refresh(&alice).await.1,
        Freshness::StaleAfterFailure
    );
    let asked = rig.catalogs.refresh_now(&alice, WAIT).await.unwrap();
    assert_eq!(asked.freshness, Freshness::StaleAfterFailure);
    assert_eq!(rig.listings(), 2);
    pass_secs(1).await;
    assert_eq!(rig.names_after_refresh(&alice).await.1, Freshness::Fresh);
}

#[tokio::test(start_paused = true)]
async fn a_challenge_on_refresh_drops_the_catalog_and_is_not_remembered() {
    let rig = Rig::new(|number, _| {
        if (2..5).contains(&number) {
            challenge()
        } else {
            lists(&["a"])
        }
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    assert_eq!(rig.names(&alice).await.1, Freshness::Stale);
    settle().await;
    assert!(rig.catalogs.peek(&alice.key).is_none());
    for _ in 0..2 {
        assert!(is_challenge(&rig.get(&alice).await));
    }
    assert_eq!(rig.listings(), 4);
    assert_eq!(rig.names(&alice).await.1, Freshness::Fresh);
}

#[tokio::test(start_paused = true)]
async fn a_challenge_reaches_who_asked_for_the_refresh() {
    let rig = Rig::new(|number, _| {
        if number == 1 {
            lists(&["a"])
        } else {
            challenge()
        }
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass_secs(5).await;
    assert!(is_challenge(&rig.catalogs.refresh_now(&alice, WAIT).await));
    assert_eq!(rig.listings(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_caller_is_listed_anew_and_a_late_listing_is_not_kept() {
    let rig = Rig::new(|number, _| lists(&[["a", "b", "c"][number - 1]]));
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    rig.names(&alice).await;
    rig.catalogs.forget(&alice.key);
    settle().await;
    assert!(rig.catalogs.peek(&alice.key).is_none());
    assert_eq!(rig.names(&alice).await.0, ["c"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_older_than_a_day_is_served() {
    let rig = Rig::new(|number, _| if number == 1 { lists(&["a"]) } else { down() });
    let alice = caller("alice");
    rig.names(&alice).await;
    for _ in 0..23 {
        pass(Duration::from_hours(1)).await;
        assert_eq!(rig.names_after_refresh(&alice).await.0, ["a"]);
    }
    pass(Duration::from_hours(1)).await;
    assert!(rig.catalogs.peek(&alice.key).is_none());
    assert!(matches!(rig.get(&alice).await, Err(Missing::Failed(_))));
}

#[tokio::test(start_paused = true)]
async fn the_status_is_whole_before_the_first_success() {
    let rig = Rig::new(|_, _| down());
    let status = rig.catalogs.status();
    assert_eq!(
        (status.callers, status.bytes, status.build_attempts),
        (0, 0, 0)
    );
    assert!(rig.get(&caller("alice")).await.is_err());
    let status = rig.catalogs.status();
    assert_eq!((status.callers, status.build_failures), (0, 1));
    assert!(status.last_success.is_none() && status.last_duration.is_none());
}
