//! Templates and prompts by plain HTTP.

use axum::body::Body;
use demo_gateway::{DemoCaller, DemoSettings, Effect, Fault, RawReply, Target};
use http::{Request, StatusCode};
use serde_json::json;

use super::{CLOSING, File, gateway, names, tool};
use crate::proxied::{Answer, Proxied, Proxy, message};

fn callers() -> DemoSettings {
    let caller = |token: &str, names: &[&str]| DemoCaller {
        token: token.to_owned(),
        tools: names.iter().copied().map(tool).collect(),
    };
    DemoSettings {
        callers: vec![
            caller("clerk", &["invoices_open", "mail"]),
            caller("chief", &["invoices_open", "mail", "secret_ledger"]),
        ],
        ..DemoSettings::default()
    }
}

async fn get(proxy: &Proxy, path: &str, token: &str) -> Answer {
    let request = Request::get(path)
        .header("host", "localhost")
        .header("authorization", format!("Bearer {token}"));
    proxy.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_missing_tool_is_told_without_its_name_and_whether_others_have_it() {
    let page = "/mcp/prompts/close_month";
    let hidden = File::new(CLOSING);
    let nowhere = File::new(&CLOSING.replace("secret_ledger", "no_such_tool"));
    let mut seen_by_clerk = Vec::new();
    for file in [&hidden, &nowhere] {
        let proxied = Proxied::start(callers(), &[&file.flag()]).await;
        let proxy = &proxied.proxy;
        let chief = get(proxy, page, "chief").await.json();
        let has_all = std::ptr::eq(file, &raw const hidden);
        assert_eq!(chief["missing"], i32::from(!has_all), "{chief}");
        let answer = get(proxy, page, "clerk").await;
        assert_eq!(names(&answer.json()["tools"]), ["invoices_open", "mail"]);
        assert_eq!(answer.json()["missing"], 1);
        let status = get(proxy, "/mcp/tool-search/status", "clerk").await.json();
        assert_eq!(status["caller"]["missing_from_templates"], 1);
        assert_eq!(status["named_tools"]["templates"], 1);
        let named = status["named_tools"].as_object().unwrap();
        assert!(!named.contains_key("unmatched"), "{status}");
        let prompt = message("prompts/get", json!({"name": "close_month"}));
        let headers = [("authorization", "Bearer clerk")];
        let prompt = proxy.post(&headers, prompt).await;
        let all = [&answer.body[..], &prompt.body].concat();
        seen_by_clerk.push(String::from_utf8_lossy(&all).into_owned());
    }
    assert_eq!(seen_by_clerk[0], seen_by_clerk[1]);
}

#[tokio::test]
async fn a_page_has_the_template_and_the_upstreams_prompt() {
    let file =
        File::new(&(CLOSING.to_owned() + &CLOSING.replace("close_month", "hand_over_shift")));
    let proxied = Proxied::start(gateway(&["mail"]), &[&file.flag()]).await;
    let proxy = &proxied.proxy;
    let ours = proxy.get("/mcp/prompts/close%5Fmonth").await.json();
    assert_eq!(ours["title"], "Close the month");
    assert_eq!(ours["tools"][0]["inputSchema"]["type"], "object");
    assert_eq!(ours["tools"][0]["call"], "call_read_tool");
    assert_eq!(ours.get("prompt"), None);
    let both = proxy.get("/mcp/prompts/hand_over_shift?shop=station").await;
    let both = both.json();
    assert_eq!(names(&both["tools"]), ["mail"]);
    let text = both["prompt"]["messages"][0]["content"]["text"].as_str();
    assert!(text.unwrap().contains("station shop"), "{both}");
    let unfilled = proxy.get("/mcp/prompts/hand_over_shift").await.json();
    assert_eq!(unfilled["promptError"]["code"], -32602);
    let theirs = proxy.get("/mcp/prompts/chase_late_invoices").await.json();
    assert_eq!(
        (theirs.get("tools"), theirs["prompt"].is_object()),
        (None, true)
    );
    for (path, status) in [
        ("/mcp/prompts/none", 404),
        ("/mcp/prompts/", 404),
        ("/mcp/prompts/%ff", 400),
    ] {
        let answer = proxy.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.json()["error"]["message"].is_string(), "{path}");
    }
}

#[tokio::test]
async fn a_page_has_the_status_of_what_went_wrong() {
    let file = File::new(CLOSING);
    let flag = file.flag();
    let page = "/mcp/prompts/close_month";
    let gone = Proxy::before("http://127.0.0.1:1/mcp", &[&flag]);
    assert_eq!(gone.get(page).await.status, StatusCode::BAD_GATEWAY);
    let proxied = Proxied::start(callers(), &[&flag]).await;
    let refused = get(&proxied.proxy, page, "stranger").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert!(refused.header("www-authenticate").is_some());
    let proxied = Proxied::start(gateway(&["mail"]), &[&flag]).await;
    let broken = RawReply::new(StatusCode::BAD_GATEWAY, "text/html", "<p>");
    let fault = Fault::new(Target::method("prompts/list"), Effect::Reply(broken));
    proxied.gateway.set_faults(vec![fault]);
    let answer = proxied.proxy.get(page).await;
    assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
    let list = proxied.proxy.legacy("prompts/list", json!({})).await;
    assert_eq!(list.error(), (200, -32603));
}
