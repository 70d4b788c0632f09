use http::header::HOST;

use super::*;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn check_challenge(value: &'static str, expected: &str) {
    let public_url = url("https://us.example/mcp");
    let rewritten = challenge(&HeaderValue::from_static(value), Some(&public_url));
    assert_eq!(rewritten.to_str().unwrap(), expected, "{value}");
}

#[test]
fn only_the_address_of_the_metadata_changes() {
    let ours = "\"https://us.example/.well-known/oauth-protected-resource/mcp\"";
    check_challenge("Bearer", "Bearer");
    check_challenge(
        r#"Bearer error="invalid_token", resource_metadata="https://up.example/x", scope="a b""#,
        &format!(r#"Bearer error="invalid_token", resource_metadata={ours}, scope="a b""#),
    );
    check_challenge(
        "bearer Resource_Metadata = https://up.example/x, realm=r",
        &format!("bearer Resource_Metadata = {ours}, realm=r"),
    );
    let quoted = r#"Bearer error_description="say \"x\", resource_metadata=\"y\"""#;
    check_challenge(quoted, quoted);
    check_challenge(
        r#"Bearer xresource_metadata="https://up.example/x""#,
        r#"Bearer xresource_metadata="https://up.example/x""#,
    );
    check_challenge(
        r#"Bearer resource_metadata="https://up.example/x", DPoP algs="a", resource_metadata=https://up.example/y"#,
        &format!(r#"Bearer resource_metadata={ours}, DPoP algs="a", resource_metadata={ours}"#),
    );
    check_challenge(
        "Bearer resource_metadata=\"cut",
        &format!("Bearer resource_metadata={ours}"),
    );
}

#[test]
fn only_the_resource_changes_in_the_document() {
    let upstream = r#"{"resource":"https://up.example/mcp","scopes_supported":["a"],"signed_metadata":"e.y.J","x":1.0}"#;
    for (public_url, expected) in [
        ("https://us.example/mcp", "https://us.example/mcp"),
        ("https://us.example", "https://us.example"),
    ] {
        let document = RawValue::from_string(upstream.to_owned()).unwrap();
        assert_eq!(
            naming(&url(public_url), document).get(),
            format!(r#"{{"resource":"{expected}","scopes_supported":["a"],"x":1.0}}"#)
        );
    }
}

#[test]
fn without_a_public_url_it_is_where_we_were_asked() {
    let here = OauthMetadata::Rewrite { public_url: None };
    for (target, header, expected) in [
        ("/mcp", "localhost:8080", "http://localhost:8080/mcp"),
        ("/mcp/", "Tools.Example:80", "http://tools.example/mcp"),
        ("/x", "[::1]:9", "http://[::1]:9/mcp"),
        (
            "http://a.example:7/mcp",
            "b.example",
            "http://a.example:7/mcp",
        ),
        ("/mcp", "me:secret@a.example", "http://a.example/mcp"),
    ] {
        let headers = HeaderMap::from_iter([
            (HOST, HeaderValue::from_static(header)),
            (FORWARDED_PROTO, HeaderValue::from_static("https")),
        ]);
        let found = here.public_url(&target.parse().unwrap(), &headers);
        assert_eq!(found, Some(url(expected)), "{target} {header}");
    }
    let nowhere = OauthMetadata::Passthrough;
    assert_eq!(nowhere.public_url(&Uri::default(), &HeaderMap::new()), None);
}

#[test]
fn the_metadata_stands_at_our_endpoint_and_at_the_root() {
    let rewrite = |public_url| OauthMetadata::Rewrite { public_url };
    let public = rewrite(Some(url("https://us.example/tools/mcp")));
    for (path, by_default, with_public) in [
        ("", true, true),
        ("/", true, true),
        ("/mcp", true, true),
        ("/mcp/", true, true),
        ("/tools/mcp", false, true),
        ("/mcp/other", false, false),
        ("/other", false, false),
        ("mcp", false, false),
    ] {
        let path = format!("{WELL_KNOWN}{path}");
        assert_eq!(rewrite(None).is_served_at(&path), by_default, "{path}");
        assert_eq!(
            OauthMetadata::Passthrough.is_served_at(&path),
            by_default,
            "{path}"
        );
        assert_eq!(public.is_served_at(&path), with_public, "{path}");
        assert!(!OauthMetadata::Off.is_served_at(&path), "{path}");
    }
}

const FORWARDED_PROTO: http::HeaderName = http::HeaderName::from_static("x-forwarded-proto");
