use std::time::Duration;

use demo_gateway::{DemoSettings, Effect, Fault, RawReply, Target};
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    ask, company, faulty, names, pass_some_time, reading, refusal, structured, tool, with_tools,
};
use crate::proxied::{Proxied, Proxy};

#[tokio::test]
async fn one_answer_says_what_to_call_next_and_how() {
    let proxied = company().await;
    let query = json!({"query": "which invoices are overdue", "limit": 5});
    let answer = structured(&proxied.proxy, "search_tools", query).await;
    assert_eq!(answer["total"], 500);
    let tools = answer["tools"].as_array().unwrap();
    assert_eq!(tools[0]["name"], "invoices__list_overdue_invoices");
    assert_eq!(tools[0]["readOnly"], true);
    assert_eq!(tools[0]["call"], "call_read_tool");
    for (rank, tool) in tools.iter().enumerate() {
        assert_eq!(tool.get("inputSchema").is_some(), rank < 3, "{tool}");
        assert_eq!(tool.get("signature").is_some(), rank >= 3, "{tool}");
        let dispatcher = if tool["readOnly"] == true {
            "call_read_tool"
        } else {
            "call_write_tool"
        };
        assert_eq!(tool["call"], dispatcher);
    }
}

#[tokio::test]
async fn without_schemas_every_hit_has_its_signature() {
    let proxied = company().await;
    let query = json!({"query": "overdue invoices", "schemas": false});
    let answer = structured(&proxied.proxy, "search_tools", query).await;
    for tool in answer["tools"].as_array().unwrap() {
        assert!(tool.get("inputSchema").is_none(), "{tool}");
        let start = format!("{}(", tool["name"].as_str().unwrap());
        assert!(
            tool["signature"].as_str().unwrap().starts_with(&start),
            "{tool}"
        );
    }
}

#[tokio::test]
async fn several_queries_are_answered_in_order_and_each_schema_once() {
    let proxied = company().await;
    let queries =
        json!({"queries": ["overdue invoices", "send a mail", "overdue invoices"], "limit": 3});
    let answer = structured(&proxied.proxy, "search_tools", queries).await;
    let results = answer["results"].as_array().unwrap();
    let asked: Vec<_> = results
        .iter()
        .map(|result| result["query"].as_str().unwrap())
        .collect();
    assert_eq!(
        asked,
        ["overdue invoices", "send a mail", "overdue invoices"]
    );
    assert_eq!(names(&results[0]["tools"]), names(&results[2]["tools"]));
    assert!(results[0]["tools"][0].get("inputSchema").is_some());
    for repeated in results[2]["tools"].as_array().unwrap() {
        let keys: Vec<_> = repeated.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "readOnly", "call", "signature"]);
    }
}

#[tokio::test]
async fn what_cannot_be_searched_is_refused_with_the_fix() {
    let proxied = company().await;
    let mut refusals = Vec::new();
    for arguments in [
        json!({}),
        json!({"query": "a", "queries": ["b"]}),
        json!({"queries": []}),
        json!({"queries": ["1", "2", "3", "4", "5", "6"]}),
        json!({"query": " "}),
        json!({"query": "a", "limit": "5"}),
        json!("overdue invoices"),
    ] {
        refusals.push(refusal(&proxied.proxy, "search_tools", arguments).await);
    }
    insta::assert_snapshot!(refusals.join("\n"));
}

#[tokio::test]
async fn limits_outside_the_range_are_clamped_and_said() {
    let proxied = company().await;
    for (limit, count, note) in [
        (
            json!(100),
            25,
            Some("`limit` goes from 1 to 25: 25 is used."),
        ),
        (json!(0), 1, Some("`limit` goes from 1 to 25: 1 is used.")),
        (json!(2.0), 2, None),
        (Value::Null, 8, None),
    ] {
        let query = json!({"query": "list search find get the an of", "limit": limit});
        let answer = structured(&proxied.proxy, "search_tools", query).await;
        assert_eq!(names(&answer["tools"]).len(), count, "{limit}");
        assert_eq!(answer.get("note").and_then(Value::as_str), note);
    }
}

#[tokio::test]
async fn where_nothing_fits_the_answer_is_empty_and_says_so() {
    for (embedder, query) in [("builtin", "🫠🫠"), ("none", "xylophone")] {
        let proxied = Proxied::start(DemoSettings::default(), &["--embedder", embedder]).await;
        let answer = structured(&proxied.proxy, "search_tools", json!({"query": query})).await;
        assert_eq!(answer["tools"], json!([]));
        assert_eq!(answer["closest"], json!([]));
        insta::assert_snapshot!(
            format!("nothing_fits_{embedder}"),
            answer["note"].as_str().unwrap()
        );
    }
}

#[tokio::test]
async fn where_some_query_finds_nothing_the_note_says_which() {
    let proxied = company().await;
    let queries = json!({"queries": ["overdue invoices", "🫠🫠"]});
    let answer = structured(&proxied.proxy, "search_tools", queries).await;
    let note = answer["note"].as_str().unwrap();
    assert!(
        note.starts_with("Where `tools` is empty: No tool fits: "),
        "{note}"
    );
}

#[tokio::test]
async fn a_query_that_the_model_knows_nothing_of_loses_nothing_and_is_told_nothing() {
    let tool = json!({"name": "draw", "description": "Draws a 𓀀.", "inputSchema": {}});
    let settings = DemoSettings {
        tools: vec![wire::to_raw(&tool)],
        ..DemoSettings::default()
    };
    let proxied = Proxied::start(settings, &[]).await;
    let answer = structured(&proxied.proxy, "search_tools", json!({"query": "𓀀"})).await;
    assert_eq!(names(&answer["tools"]), ["draw"]);
    assert_eq!(answer.get("note"), None);
}

#[tokio::test]
async fn a_search_by_words_alone_says_so() {
    let proxied = Proxied::start(DemoSettings::default(), &["--embedder", "none"]).await;
    let query = json!({"query": "overdue invoices"});
    let answer = structured(&proxied.proxy, "search_tools", query).await;
    assert_eq!(answer["note"], "Searched by words only, not by meaning.");
    let other_language = json!({"query": "kas rytoj dirba parduotuvėje"});
    let answer = structured(&proxied.proxy, "search_tools", other_language).await;
    assert_eq!(answer["tools"], json!([]));
}

#[tokio::test]
async fn a_query_in_another_language_finds_tools() {
    let proxied = company().await;
    for (query, expected) in [
        ("kas rytoj dirba parduotuvėje", "shifts__list_shifts"),
        ("rask darbuotoją pagal vardą", "people__find_employee"),
        ("eine Nachricht senden", "mail__send_message"),
    ] {
        let answer = structured(&proxied.proxy, "search_tools", json!({"query": query})).await;
        assert_eq!(answer["tools"][0]["name"], expected, "{query}");
        assert_eq!(answer.get("note"), None, "{query}");
    }
}

#[tokio::test]
async fn odd_queries_are_answered_too() {
    let proxied = company().await;
    for query in [
        "!!!",
        "🫠🫠",
        "\u{0}",
        "\u{200b}",
        "法令を調べて",
        &"long ".repeat(20_000),
    ] {
        let answer = structured(&proxied.proxy, "search_tools", json!({"query": query})).await;
        assert!(answer["tools"].is_array(), "{query:.20}");
    }
}

#[tokio::test]
async fn a_schema_comes_byte_for_byte() {
    let schema = r#"{ "type":"object","properties":{"b":{"title":"B","default":1.50,"$comment":"é"},"a":{"x-odd":[1e3, 2]}}, "examples":[{}] }"#;
    let proxied = with_tools(vec![reading("odd_tool", schema)]).await;
    for (meta_tool, arguments) in [
        ("search_tools", json!({"query": "odd tool"})),
        ("describe_tool", json!({"names": ["odd_tool"]})),
    ] {
        let answer = ask(&proxied.proxy, meta_tool, arguments).await;
        let body = String::from_utf8(answer.body.to_vec()).unwrap();
        assert!(
            body.contains(&format!(r#""inputSchema":{schema}"#)),
            "{body}"
        );
        assert!(
            body.contains(
                &serde_json::to_string(schema)
                    .unwrap()
                    .trim_matches('"')
                    .to_owned()
            )
        );
    }
}

#[tokio::test]
async fn answers_stay_small_however_large_the_tools_are() {
    let schema = format!(r#"{{"type":"object","$comment":"{}"}}"#, "x".repeat(30_000));
    let tools = (0..125).map(|number| {
        tool(format!(
            r#"{{"name":"large_tool_{number}","description":"{}","inputSchema":{schema}}}"#,
            "Does something large. ".repeat(100)
        ))
    });
    let proxied = with_tools(tools.collect()).await;
    let queries = vec!["large tool"; 5];
    let result = ask(
        &proxied.proxy,
        "search_tools",
        json!({"queries": queries, "limit": 25}),
    )
    .await
    .result();
    assert!(result["content"][0]["text"].as_str().unwrap().len() <= 40_000);
    assert!(result["structuredContent"].to_string().len() <= 40_000);
    let note = result["structuredContent"]["note"].as_str().unwrap();
    assert!(note.contains("describe_tool has them whole"), "{note}");
}

#[tokio::test]
async fn while_the_first_listing_runs_a_search_says_so() {
    let hang = Fault::new(Target::method("tools/list"), Effect::Hang);
    let proxied = faulty(vec![hang], &["--first-listing-wait", "1ms"]).await;
    let answer = structured(&proxied.proxy, "search_tools", json!({"query": "invoices"})).await;
    let loading = "The list of tools is still loading: try again in a few seconds.";
    let note = format!("{loading} Until then nothing is found.");
    assert_eq!(answer, json!({"tools": [], "note": note}));
    let several = structured(
        &proxied.proxy,
        "search_tools",
        json!({"queries": ["a", "b"]}),
    )
    .await;
    assert!(several.get("total").is_none(), "{several}");
    assert_eq!(several["results"][1], json!({"query": "b", "tools": []}));
    assert_eq!(
        refusal(&proxied.proxy, "describe_tool", json!({"names": ["a"]})).await,
        format!("{loading} (request ID)")
    );
    assert_eq!(
        refusal(&proxied.proxy, "call_read_tool", json!({"name": "a"})).await,
        format!("{loading} (request ID)")
    );
}

#[tokio::test]
async fn an_old_list_is_used_and_said_to_be_old() {
    let proxied = Proxied::start(DemoSettings::default(), &["--catalog-ttl", "1s"]).await;
    let note = async || {
        let query = json!({"query": "invoices"});
        let answer = structured(&proxied.proxy, "search_tools", query).await;
        assert_eq!(answer["total"], 500);
        answer["note"].as_str().unwrap_or_default().to_owned()
    };
    note().await;
    let page = RawReply::html(StatusCode::BAD_GATEWAY);
    proxied
        .gateway
        .set_faults(vec![Fault::new(Target::Every, Effect::Reply(page))]);
    pass_some_time().await;
    let renewing = note().await;
    assert!(renewing.contains(" s old and being renewed."), "{renewing}");
    let failed = async {
        loop {
            let note = note().await;
            if !note.contains("being renewed") {
                break note;
            }
            tokio::task::yield_now().await;
        }
    };
    let failed = tokio::time::timeout(Duration::from_secs(20), failed)
        .await
        .unwrap();
    let said = " s old: the upstream couldn't be asked for a new one.";
    assert!(failed.contains(said), "{failed}");
}

#[tokio::test]
async fn tools_of_any_name_are_found_described_and_called() {
    let long = "n".repeat(300);
    let names = [
        "a/b.c:d",
        "файл-найти",
        "名前",
        "x y",
        "a\nb",
        "..",
        long.as_str(),
    ];
    let tools = names.map(|name| {
        tool(json!({
            "name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
        }).to_string())
    });
    let proxied = with_tools(tools.to_vec()).await;
    for name in names {
        let described = structured(&proxied.proxy, "describe_tool", json!({"names": [name]})).await;
        assert_eq!(described["tools"][0]["name"], name);
        let result = ask(&proxied.proxy, "call_read_tool", json!({"name": name}))
            .await
            .result();
        assert_ne!(result["isError"], true, "{name:?}: {result}");
        if name != ".." {
            let found = structured(&proxied.proxy, "search_tools", json!({"query": name})).await;
            assert_eq!(found["tools"][0]["name"], name);
        }
    }
}

#[tokio::test]
async fn without_an_upstream_a_search_says_what_is_wrong() {
    let proxy = Proxy::before("http://127.0.0.1:1/mcp", &[]);
    let text = refusal(&proxy, "search_tools", json!({"query": "invoices"})).await;
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn an_empty_list_is_said() {
    let proxied = with_tools(Vec::new()).await;
    let answer = structured(&proxied.proxy, "search_tools", json!({"query": "invoices"})).await;
    assert_eq!(answer["total"], 0);
    insta::assert_snapshot!(answer["note"].as_str().unwrap());
}
