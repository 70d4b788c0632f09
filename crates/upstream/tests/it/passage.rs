//! JSON of others passes through with its bytes unchanged.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use upstream::{Effect, Forward, Listing, Upstream};
use wire::RawObject;

use crate::scripted::{Scripted, Seen, call, caller, stream, text};

/// JSON text spelt in every way that a parser would tidy.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1.0e+2".to_owned()),
        Just("-0".to_owned()),
        Just("12345678901234567890123".to_owned()),
        Just("0.1000000000000000055511151231257827".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        string(),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let member = (string(), blank(), inner.clone());
        prop_oneof![
            (proptest::collection::vec(inner, 0..5), blank())
                .prop_map(|(items, blank)| format!("[{blank}{}]", items.join(","))),
            proptest::collection::vec(member, 0..5).prop_map(|members| object(&members)),
        ]
    })
}

fn object(members: &[(String, String, String)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(key, blank, value)| format!("{key}{blank}:{blank}{value}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{0,6}".prop_map(|text| format!("\"{text}\"")),
        "\\PC{0,8}".prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just(r#""\u0061\/\ud83d\ude00\u0000""#.to_owned()),
    ]
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just(" "), Just("\t "), Just("\n  ")].prop_map(str::to_owned)
}

/// How a body travels.
#[derive(Debug, Clone, Default)]
struct Way {
    as_events: bool,
    cuts: Vec<prop::sample::Index>,
}

fn way() -> impl Strategy<Value = Way> {
    let cuts = proptest::collection::vec(any::<prop::sample::Index>(), 0..4);
    (any::<bool>(), cuts).prop_map(|(as_events, cuts)| Way { as_events, cuts })
}

impl Way {
    fn answer(&self, body: &str) -> axum::response::Response {
        let (content_type, body) = if self.as_events {
            let lines = body.replace('\n', "\ndata: ");
            ("text/event-stream", format!("data: {lines}\n\n"))
        } else {
            ("application/json", body.to_owned())
        };
        let mut ends: Vec<usize> = self.cuts.iter().map(|cut| cut.index(body.len())).collect();
        ends.push(body.len());
        ends.sort_unstable();
        let mut chunks = Vec::new();
        let mut begin = 0;
        for end in ends {
            chunks.push(body.as_bytes()[begin..end].to_vec());
            begin = end;
        }
        stream(content_type, chunks)
    }
}

/// The result to answer with, and how.
type Given = Arc<Mutex<(String, Way)>>;

/// An upstream that answers with what it is given, and its client.
fn passage(runtime: &Runtime) -> (Scripted, Upstream, Given) {
    let given = Given::default();
    let script = Arc::clone(&given);
    let answer = move |seen: &Seen| {
        let (result, way) = script.lock().unwrap().clone();
        let body = match seen.rpc_method().as_str() {
            "server/discover" => return seen.modern().unwrap(),
            "tools/list" => seen.result_text(&format!("{{\"tools\": [ {result} ,1]}}")),
            _ => seen.result_text(&result),
        };
        way.answer(&body)
    };
    let upstream = runtime.block_on(Scripted::start(answer));
    let client = upstream.client();
    (upstream, client, given)
}

fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: 150,
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn results_and_tools_pass() {
    let runtime = Runtime::new().unwrap();
    let (_upstream, client, given) = passage(&runtime);
    runner()
        .run(&(json(), way()), |(value, way)| {
            *given.lock().unwrap() = (value.clone(), way);
            let reply = runtime.block_on(call(&client, Effect::Write)).unwrap();
            prop_assert_eq!(text(&reply), value.as_str());
            let listing = runtime.block_on(client.list(&caller(""))).unwrap();
            let tools: Vec<&str> = listing.tools.iter().map(|tool| tool.get()).collect();
            prop_assert_eq!(tools, [value.as_str(), "1"]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn arguments_pass() {
    let runtime = Runtime::new().unwrap();
    let (upstream, client, given) = passage(&runtime);
    *given.lock().unwrap() = ("1".to_owned(), Way::default());
    runner()
        .run(&json(), |value| {
            let arguments = RawValue::from_string(value.clone()).unwrap();
            let request = Forward {
                method: "tools/call",
                params: vec![("name", &arguments), ("arguments", &arguments)],
                meta: None,
                name: None,
                param_headers: Vec::new(),
                effect: Effect::Write,
            };
            runtime
                .block_on(client.forward(&caller(""), request))
                .unwrap();
            let sent = upstream.last();
            let expected = format!("\"params\":{{\"name\":{value},\"arguments\":{value},\"_meta\"");
            prop_assert!(sent.text.contains(&expected), "{}", sent.text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn real_tools_pass() {
    let Some(folder) = std::env::var_os("TOOLSEARCH_TEST_DUMPS") else {
        println!("skipped: TOOLSEARCH_TEST_DUMPS names no folder of dumps");
        return;
    };
    let runtime = Runtime::new().unwrap();
    let mut passed = 0;
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let dump = fs_err::read_to_string(path).unwrap();
        let dump: Box<RawValue> = serde_json::from_str(&dump).unwrap();
        let tools = RawObject::read(&dump).and_then(|dump| dump.get("tools"));
        let Some(tools) = tools.map(ToOwned::to_owned) else {
            continue;
        };
        let expected: Vec<Box<RawValue>> = serde_json::from_str(tools.get()).unwrap();
        passed += expected.len();
        let listing = runtime.block_on(listed(tools)).tools;
        let texts = |tools: &[Box<RawValue>]| -> Vec<String> {
            tools.iter().map(|tool| tool.get().to_owned()).collect()
        };
        assert_eq!(texts(&listing), texts(&expected));
    }
    println!("{passed} tools passed unchanged");
    assert!(passed > 0);
}

/// What becomes of `tools` on their way through an event stream.
async fn listed(tools: Box<RawValue>) -> Listing {
    let upstream = Scripted::start(move |seen| match seen.rpc_method().as_str() {
        "tools/list" => {
            let body = seen.result_text(&format!("{{\"tools\":{tools}}}"));
            Way {
                as_events: true,
                cuts: Vec::new(),
            }
            .answer(&body)
        }
        _ => seen.modern().unwrap(),
    })
    .await;
    let mut config = upstream.config();
    config.max_listing_bytes = 64 << 20;
    let client = Upstream::new(config).unwrap();
    client.list(&caller("")).await.unwrap()
}
