use proptest::prelude::*;

use super::{Form, fold, terms, visible};

/// `text` gives these terms; derived ones are marked, `+` for glued and `~` for pieces.
#[track_caller]
fn check(text: &str, expected: &str) {
    let mut found = Vec::new();
    terms(text, |term| {
        let mark = match term.form {
            Form::Word | Form::Gram => "",
            Form::Glued { .. } => "+",
            Form::Piece => "~",
        };
        found.push(format!("{mark}{}", term.text));
    });
    assert_eq!(found.join(" "), expected, "{text:?}");
}

#[test]
fn identifiers_come_apart_and_stay_whole() {
    check(
        "createPullRequest",
        "create pull request +createpullrequest",
    );
    check(
        "create_pull-request",
        "create pull request +createpullrequest",
    );
    check("createpullrequest", "createpullrequest");
    check("HTTPServerList", "http server list +httpserverlist");
    check("SEND_MAIL", "send mail +sendmail");
    check("send.mail", "send mail +sendmail");
    check("github__create_issue", "github create issue +createissue");
    check("a/b.c:d", "a b c +bc d");
    check("ŽinutėSiųsti", "zinute siusti +zinutesiusti");
}

#[test]
fn words_with_digits_give_pieces() {
    check("s3Upload2", "s3 ~3 upload2 ~upload ~2 +s3upload2");
    check("oauth2", "oauth2 ~oauth ~2");
    check("2024", "2024");
    check("top 10", "top 10");
}

#[test]
fn sentences_glue_nothing() {
    check("Reads a file. Writes one.", "reads a file writes one");
    check("… --- ...", "");
    check("user's", "user s");
    check(
        "one.two.three.four.five.six.seven",
        "one two three four five six seven",
    );
}

#[test]
fn unspaced_scripts_give_bigrams() {
    check("日本の法令", "日本 本の の法 法令");
    check("解析pdf", "解析 pdf");
    check("图", "图");
    check("ｶﾞｷﾞ", "ガギ");
    check("ค้น", "ค้ ้น");
}

#[test]
fn accents_case_and_compatibility_forms_fold() {
    for (word, expected) in [
        ("Sąskaitų", "saskaitu"),
        ("S\u{61}\u{328}skaitu\u{328}", "saskaitu"),
        ("STRAẞE", "strasse"),
        ("straße", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ("σίσυφος", "σισυφοσ"),
        ("İstanbul", "istanbul"),
        ("Ærøskøbing", "aeroskobing"),
        ("ёлка", "елка"),
        ("がぎ", "がぎ"),
        ("हिन्दी", "हिन्दी"),
    ] {
        assert_eq!(fold(word), expected, "{word}");
    }
    assert_eq!(visible("ｏﬃce\u{200b} \u{e0041}①"), "office 1");
}

proptest! {
    #[test]
    fn case_never_matters(word in "\\w{0,8}") {
        let word = visible(&word).into_owned();
        let (upper, lower) = (word.to_uppercase(), word.to_lowercase());
        prop_assert_eq!(fold(&upper), fold(&word));
        prop_assert_eq!(fold(&lower), fold(&word));
    }

    #[test]
    fn what_is_folded_stays_folded(word in any::<String>()) {
        let folded = fold(&visible(&word)).into_owned();
        let visible = visible(&folded);
        prop_assert_eq!(fold(&visible), folded.as_str());
    }

    #[test]
    fn terms_are_never_empty(text in any::<String>()) {
        terms(&text, |term| assert!(!term.text.is_empty()));
    }
}
