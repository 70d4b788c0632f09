//! Tools that a server lists, and searches through a running proxy.

use std::time::Duration;

use demo_gateway::{DemoCaller, DemoGateway, DemoSettings, Effect, Fault, Target};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Library, questions, report, text, tools};
use crate::command_line::Running;

/// A gateway with the library's tools.
fn gateway() -> DemoSettings {
    let tools = tools()
        .into_iter()
        .map(|tool| RawValue::from_string(tool.to_string()).unwrap());
    DemoSettings {
        tools: tools.collect(),
        ..DemoSettings::default()
    }
}

/// Starts a gateway, and does `what` with its URL where waiting is allowed.
pub(super) async fn before<T: Send + 'static>(
    settings: DemoSettings,
    what: impl FnOnce(String) -> T + Send + 'static,
) -> T {
    let gateway = DemoGateway::start(settings).await.unwrap();
    let url = gateway.url();
    tokio::task::spawn_blocking(move || what(url))
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_of_an_upstream_are_measured() {
    before(gateway(), |url| {
        let library = Library::new();
        let of_upstream = library.eval(&format!("--upstream {url} --queries questions.jsonl"));
        assert_eq!(report(&of_upstream), report(&library.measure("")));
        let of_both = library.measure(&format!("--compare upstream={url}"));
        assert_eq!(
            report(&of_both),
            report(&library.measure("--compare tools=tools.json"))
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_proxy_is_asked_as_a_model_asks_it() {
    before(gateway(), |url| {
        let library = Library::new();
        let gone = questions()[0]
            .replace("\"find_book\"", "\"gone\"")
            .replace("\"find\"", "\"gone\"");
        let questions = [questions(), vec![gone]].concat();
        library.write("questions.jsonl", &questions.join("\n"));
        let proxy = Running::before(&url, &["--embedder", "none", "--pin", "add_reader"]);
        let through = format!("--through {} --queries questions.jsonl", proxy.url());
        let measured = report(&library.eval(&format!("{through} --json --by lang")));
        let here = report(&library.measure("--json --by lang"));
        assert_eq!(measured.replace("\"proxy\"", "\"words\""), here);

        let compared = format!("{through} --compare upstream={url}");
        let tables = report(&library.eval(&compared));
        let heading =
            "7 questions before (6 tools, words only) and now (6 tools, through a running proxy)";
        assert!(tables.contains(heading), "{tables}");
        assert!(
            !tables.contains("better now") && !tables.contains("worse now"),
            "{tables}"
        );
        let mirrored = library.measure(&format!("--compare through={}", proxy.url()));
        assert!(report(&mirrored).contains("before (6 tools, through a running proxy)"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_is_still_listing_is_waited_for() {
    let settings = DemoSettings {
        faults: vec![Fault::new(
            Target::method("tools/list"),
            Effect::Delay(Duration::from_millis(300)),
        )],
        ..gateway()
    };
    before(settings, |url| {
        let library = Library::new();
        let proxy = Running::before(&url, &["--first-listing-wait", "1ms"]);
        let through = format!("--through {} --queries questions.jsonl", proxy.url());
        let measured: Value =
            serde_json::from_str(&report(&library.eval(&format!("{through} --json")))).unwrap();
        assert_eq!(measured["tools"], 6);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_proxy_gets_the_callers_token() {
    let settings = DemoSettings {
        callers: vec![DemoCaller {
            token: "reader".to_owned(),
            tools: gateway().tools,
        }],
        ..gateway()
    };
    before(settings, |url| {
        let library = Library::new();
        let proxy = Running::before(&url, &[]);
        let through = format!("--through {} --queries questions.jsonl", proxy.url());
        let refused = library.eval(&through);
        assert_eq!(refused.status.code(), Some(2));
        let error = text(&refused.stderr);
        assert!(
            error.contains("question find: the proxy doesn't answer: "),
            "{error}"
        );
        let mut command = library.command(&through);
        command.env("TOOLSEARCH_AUTHORIZATION", "Bearer reader");
        assert!(report(&command.output().unwrap()).contains("6 questions to 6 tools"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_and_a_plain_server_are_not_taken_for_each_other() {
    before(gateway(), |url| {
        let library = Library::new();
        let proxy = Running::before(&url, &[]);
        for (arguments, said) in [
            (
                format!("--upstream {}", proxy.url()),
                "error: these are the tools of a mcp-toolsearch-proxy: ",
            ),
            (
                format!("--through {url}"),
                "error: question find: no answer of a mcp-toolsearch-proxy, ",
            ),
        ] {
            let output = library.eval(&format!("{arguments} --queries questions.jsonl"));
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.starts_with(said), "{error}");
        }
    })
    .await;
}

/// The gates are a little below what was measured, so that a change of the ranking is noticed here.
/// That a search here does the same is held on every tenth question.
#[tokio::test(flavor = "multi_thread")]
async fn the_companys_tools_are_found_as_well_as_ever_through_a_running_proxy() {
    before(DemoSettings::default(), |url| {
        let questions = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/data/questions.jsonl");
        let library = Library::new();
        let proxy = Running::before(&url, &[]).unwatched();
        let through = format!(
            "--through {} --queries {questions} --json --gate \
             lang=en:recall@5=0.84,lang=lt:recall@5=0.77,lang=ar+de+es+ja+pl+zh:recall@5=0.67",
            proxy.url()
        );
        let measured: Value = serde_json::from_str(&report(&library.eval(&through))).unwrap();
        assert_eq!(measured["absent"], json!([]), "every right tool exists");

        let lines = fs_err::read_to_string(questions).unwrap();
        let few: Vec<&str> = lines.lines().step_by(10).collect();
        library.write("few.jsonl", &few.join("\n"));
        let here = report(&library.eval_with("builtin", "--demo --queries few.jsonl --json"));
        let here: Value = serde_json::from_str(&here).unwrap();
        let answers = measured["answers"].as_array().unwrap();
        let few: Vec<&Value> = answers.iter().step_by(10).collect();
        assert_eq!(json!(few), here["answers"]);
    })
    .await;
}
