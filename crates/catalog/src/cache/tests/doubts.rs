use super::*;

#[tokio::test(start_paused = true)]
async fn an_empty_list_is_believed_only_after_it_repeats() {
    let rig = Rig::new(|number, _| {
        if number == 1 {
            lists(&["a"])
        } else {
            lists(&[])
        }
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    let kept = (vec!["a".to_owned()], Freshness::StaleAfterFailure);
    for (seconds, listings) in [(0, 2), (4, 2), (1, 3), (14, 3), (1, 4), (59, 4)] {
        pass_secs(seconds).await;
        assert_eq!(rig.names_after_refresh(&alice).await, kept);
        assert_eq!(rig.listings(), listings);
    }
    pass_secs(1).await;
    assert_eq!(
        rig.names_after_refresh(&alice).await,
        (vec![], Freshness::Fresh)
    );
    assert_eq!(rig.listings(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_comes_back_ends_the_doubt() {
    let rig = Rig::new(|number, _| {
        if number % 2 == 1 {
            lists(&["a"])
        } else {
            lists(&[])
        }
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    for _ in 0..10 {
        pass(TTL).await;
        assert_eq!(
            rig.names_after_refresh(&alice).await.1,
            Freshness::StaleAfterFailure
        );
        pass_secs(5).await;
        assert_eq!(rig.names_after_refresh(&alice).await.1, Freshness::Fresh);
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_empty_list_is_usable_for_seconds() {
    let rig = Rig::new(|number, _| {
        if number == 1 {
            lists(&[])
        } else {
            lists(&["a"])
        }
    });
    let alice = caller("alice");
    assert_eq!(rig.names(&alice).await, (vec![], Freshness::Fresh));
    pass_secs(5).await;
    assert_eq!(rig.names(&alice).await, (vec![], Freshness::Stale));
    settle().await;
    assert_eq!(rig.names(&alice).await.0, ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_list_cut_short_never_replaces_a_longer_one() {
    let rig = Rig::new(|number, _| {
        let mut listing = listing(&["a", "b", "c"][..[2, 1, 3][number - 1]]);
        listing.cut_short = (number > 1).then_some("its cursor repeats");
        answers(Ok(listing))
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    pass(TTL).await;
    assert_eq!(
        rig.names_after_refresh(&alice).await,
        (
            vec!["a".to_owned(), "b".to_owned()],
            Freshness::StaleAfterFailure
        )
    );
    pass_secs(1).await;
    assert_eq!(rig.names_after_refresh(&alice).await.0.len(), 3);
    assert_eq!(
        rig.catalogs.status().notes.cut_short,
        Some("its cursor repeats")
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_changes_sides_is_counted() {
    let rig = Rig::new(|number, _| {
        let tool = |name: &str, reads: bool| {
            let text = format!(
                r#"{{"name":"{name}","inputSchema":{{}},"annotations":{{"readOnlyHint":{reads}}}}}"#
            );
            RawValue::from_string(text).unwrap()
        };
        let mut listing = listing(&[]);
        listing.tools = vec![
            tool("a", number == 1),
            tool("b", number != 1),
            tool("c", true),
        ];
        answers(Ok(listing))
    });
    let alice = caller("alice");
    rig.names(&alice).await;
    assert_eq!(rig.catalogs.status().access_flips, 0);
    pass(TTL).await;
    rig.names_after_refresh(&alice).await;
    assert_eq!(rig.catalogs.status().access_flips, 2);
}
