//! Which spellings meet.

use crate::{by_words, names, tool};

/// `query` finds the tool called `name`, and not the one that shares nothing.
#[track_caller]
fn check_name(name: &str, query: &str) {
    let tools = [tool(name, ""), tool("zebra_crossing", "Paints stripes.")];
    assert_eq!(names(&tools, query), [name], "{query:?}");
}

/// `query` finds the tool described so.
#[track_caller]
fn check_description(description: &str, query: &str) {
    let tools = [
        tool("it", description),
        tool("zebra_crossing", "Paints stripes."),
    ];
    assert_eq!(names(&tools, query), ["it"], "{query:?}");
}

/// All `queries` give the same names and the same scores.
#[track_caller]
fn check_same(queries: &[&str]) {
    let tools = [
        tool("ieškoti_sąskaitų", "Randa sąskaitą pagal numerį."),
        tool("mokėti", "Apmoka sąskaitas."),
        tool(
            "strasse_finden",
            "Findet eine Straße in Łódź oder København, auch im Büro.",
        ),
        tool("file", "Reads and copies office files."),
        tool("search", "Busca en el menú de España."),
    ];
    let index = by_words(&tools);
    let first = index.search(queries[0], 5).hits;
    assert!(!first.is_empty(), "{:?} finds nothing", queries[0]);
    for query in queries {
        assert_eq!(index.search(query, 5).hits, first, "{query:?}");
    }
}

#[test]
fn identifiers_are_found_by_their_parts() {
    for name in [
        "sendMail",
        "send-mail",
        "send.mail",
        "SEND_MAIL",
        "send/mail",
        "Send mail",
    ] {
        check_name(name, "send");
        check_name(name, "a mail");
        check_name(name, "sending mails");
    }
    check_name("HTTPServerList", "http");
    check_name("HTTPServerList", "server");
    check_name("HTTPServerList", "lists");
    check_name("s3Upload2", "s3");
    check_name("s3Upload2", "upload");
    check_name("github__create_issue", "issue");
    check_name("ÄhnlicheDateien", "dateien");
}

#[test]
fn identifiers_meet_however_they_are_joined() {
    for name in [
        "createPullRequest",
        "createpullrequest",
        "create_pull_request",
    ] {
        for query in [
            "createPullRequest",
            "createpullrequest",
            "CREATE-PULL-REQUEST",
        ] {
            check_name(name, query);
        }
    }
    check_name("createPullRequest", "pull-request");
    check_name("create_pull_request", "open a pull request");
    check_name("keyvault_list", "key vault");
    check_name("key_vault_list", "keyvault");
}

#[test]
fn names_written_as_one_word_come_apart_by_the_words_of_the_catalog() {
    let tools = [
        tool("createpullrequest", ""),
        tool("merge", "Merges a pull request."),
        tool(
            "close",
            "Closes a pull request, or creates what a request asks for.",
        ),
        tool("create", "Creates a file."),
    ];
    assert!(names(&tools, "pull-request").contains(&"createpullrequest"));
    assert_eq!(
        names(&tools, "create a pull request")[0],
        "createpullrequest"
    );
}

#[test]
fn scripts_without_spaces_are_found_by_their_middle() {
    check_description("日本の法令を検索します", "法令を調べて");
    check_description("カレンダーに予定を追加する", "予定の追加");
    check_description("이메일을 보냅니다", "이메일 보내기");
    check_description("ค้นหาเอกสารในระบบ", "เอกสาร");
    check_description("解析pdf文件", "pdf");
    check_description("Parses PDF files", "解析pdf");
    check_description("图", "图");
}

#[test]
fn composed_and_decomposed_and_plain_letters_rank_alike() {
    check_same(&[
        "ieškoti sąskaitų",
        "ies\u{30c}koti sa\u{328}skaitu\u{328}",
        "ieskoti saskaitu",
        "IEŠKOTI SĄSKAITŲ",
        "IESKOTI SASKAITU",
    ]);
    check_same(&["straße", "STRASSE", "Straße", "STRAẞE"]);
    check_same(&["Łódź", "lodz", "ŁÓDŹ", "Lo\u{301}dz\u{301}"]);
    check_same(&["København", "kobenhavn"]);
    check_same(&["menú españa", "menu espana", "men\u{fa} espan\u{303}a"]);
}

#[test]
fn compatibility_forms_fold() {
    check_same(&[
        "office files",
        "oﬃce ﬁles",
        "ｏｆｆｉｃｅ　ｆｉｌｅｓ",
        "𝐨𝐟𝐟𝐢𝐜𝐞 files",
    ]);
}

#[test]
fn voicing_marks_are_letters_of_their_own() {
    let tools = [tool("a", "かき"), tool("b", "がぎ")];
    assert_eq!(names(&tools, "がぎ"), ["b"]);
}

#[test]
fn points_of_arabic_and_hebrew_are_optional() {
    check_description("אֶת הַקּוֹבֶץ", "הקובץ את");
    check_description("كِتَابٌ جديد", "كتاب");
    check_description("ابحث عن file", "file");
}

#[test]
fn hidden_characters_split_nothing() {
    let soft = "of\u{ad}fice";
    let zero = "off\u{200b}ice f\u{2060}iles";
    let tags = "office\u{e0041}\u{e007f} files";
    let turned = "\u{202e}office\u{202c} files";
    check_same(&["office files", zero, tags, turned]);
    check_same(&["office", soft]);
    check_description("Sends inv\u{200b}oices", "invoices");
}

#[test]
fn contractions_leave_their_word() {
    check_description("Shows a user's permissions", "user");
    check_description("Lists l’utilisateur", "utilisateur");
}
