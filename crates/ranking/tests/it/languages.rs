//! Tools and queries in many languages.

use crate::{names, tool};

/// Each query, which has another form of a word of its description, finds the tool described so, and
/// not the one in English.
#[track_caller]
fn check(rows: &[(&str, &str, &str)]) {
    let finds = |description, query| {
        let tools = [
            tool("target", description),
            tool("zebra_crossing", "Paints the stripes of a street."),
        ];
        names(&tools, query) == ["target"]
    };
    let missed: Vec<_> = rows
        .iter()
        .filter(|(_, description, query)| !finds(description, query))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn forms_of_a_word_meet_in_the_languages_of_the_tools() {
    check(FORMS);
}

#[test]
fn forms_meet_without_their_accents() {
    check(WITHOUT_ACCENTS);
}

#[test]
fn a_language_of_two_scripts_meets_in_both() {
    check(&[
        ("Serbian", "Kreira račun za kupca i šalje ga", "рачуни"),
        ("Serbian", "Креира рачун за купца и шаље га", "racuni"),
    ]);
}

#[test]
fn every_tool_is_stemmed_as_its_own_language() {
    let tools = [
        tool("create_invoice", "Creates an invoice for the customer."),
        tool("list_customers", "Lists all customers of the company."),
        tool("rechnung_anlegen", "Legt eine Rechnung für den Kunden an."),
        tool("удалить", "Удаляет файл, если он есть в папке."),
    ];
    for (query, expected) in [
        ("invoices", &["create_invoice"][..]),
        ("Rechnungen", &["rechnung_anlegen"]),
        ("файлов", &["удалить"]),
        ("customer", &["create_invoice", "list_customers"]),
    ] {
        assert_eq!(names(&tools, query), expected, "{query}");
    }
}

#[test]
fn identifiers_are_english_in_other_scripts() {
    check(&[(
        "Russian",
        "Создаёт issue для клиента, если его ещё нет",
        "issues",
    )]);
}

#[test]
fn a_word_that_many_know_is_not_rare_in_another_language() {
    let reader = |name| tool(name, "Reads a token, or several tokens, of the user.");
    let tools = [
        reader("a"),
        reader("b"),
        reader("c"),
        reader("d"),
        tool(
            "e",
            "Liest das Token, oder die Tokens, von einem Kunden oder für ihn.",
        ),
        tool("f", "Paints the stripes of a street."),
    ];
    assert_eq!(names(&tools, "token"), ["a", "b", "c", "d", "e"]);
    assert_eq!(names(&tools, "tokens"), ["a", "b", "c", "d", "e"]);
}

/// The language, a description in it, and another form of one of its words.
#[rustfmt::skip]
const FORMS: &[(&str, &str, &str)] = &[
    ("Arabic", "ينشئ فاتورة من أجل العميل الذي تم اختياره", "الفاتورة"),
    ("Armenian", "Ստեղծում է հաշիվ հաճախորդի համար և ուղարկում է", "հաճախորդներ"),
    ("Basque", "Bezeroaren fitxategia sortzen du eta gero bidaltzen du", "fitxategien"),
    ("Catalan", "Crea una factura per al client i els envia amb un enllaç", "factures"),
    ("Czech", "Vytvoří fakturu pro zákazníka a odešle ji", "faktury"),
    ("Danish", "Opretter en faktura til kunden og sender den", "fakturaer"),
    ("Dutch", "Maakt een rekening voor de klant", "rekeningen"),
    ("Esperanto", "Kreas fakturon por la kliento kaj sendas ĝin", "fakturoj"),
    ("Estonian", "Koostab kliendile arve ja saadab selle", "arved"),
    ("Finnish", "Luo asiakkaalle laskun ja lähettää sen", "laskut"),
    ("French", "Envoie un message à un utilisateur du canal", "utilisateurs"),
    ("German", "Erstellt eine Rechnung für den Kunden", "Rechnungen"),
    ("Greek", "Δημιουργεί ένα αρχείο για τον πελάτη", "αρχεία"),
    ("Hindi", "ग्राहक के लिए एक किताब बनाता है", "किताबें"),
    ("Hungarian", "Elkészíti a számlát és elküldi az ügyfélnek", "ügyfélhez"),
    ("Indonesian", "Membuat tagihan untuk pelanggan dan mengirimnya", "tagihannya"),
    ("Irish", "Cruthaíonn sé sonrasc don chustaiméir agus seolann sé é", "custaiméir"),
    ("Italian", "Cancella un appuntamento dal calendario di un utente", "appuntamenti"),
    ("Lithuanian", "Sukuria sąskaitą, kurią siunčia klientui", "sąskaitomis"),
    ("Nepali", "ग्राहकको लागि किताब बनाउँछ र पठाउँछ", "किताबहरू"),
    ("Norwegian", "Sender en melding til brukeren og viser den", "meldinger"),
    ("Persian", "یک کتاب برای مشتری ایجاد می‌کند", "کتاب‌ها"),
    ("Polish", "Tworzy fakturę dla klienta i wysyła ją", "faktury"),
    ("Portuguese", "Cria uma reunião no calendário do usuário", "usuários"),
    ("Romanian", "Creează o factură pentru client și o trimite", "facturi"),
    ("Russian", "Создаёт новый файл для клиента", "файлов"),
    ("Serbian", "Kreira račun za kupca i šalje ga", "računi"),
    ("Spanish", "Busca una canción en la biblioteca del usuario", "canciones"),
    ("Swedish", "Skapar en faktura åt kunden och skickar den", "fakturor"),
    ("Tamil", "வாடிக்கையாளருக்கு ஒரு புத்தகம் மற்றும் அட்டை", "புத்தகங்கள்"),
    ("Turkish", "Kullanıcı için bir görev oluşturur ve gönderir", "görevler"),
    ("Ukrainian", "Створює рахунок для клієнта", "клієнтів"),
    ("Yiddish", "שיקט די ביכער צו דעם קליענט און צו אַלע", "קליענטן"),
];

/// The same, in letters of ASCII or without the marks on them.
#[rustfmt::skip]
const WITHOUT_ACCENTS: &[(&str, &str, &str)] = &[
    ("Czech", "Vyřídí žádost pro zákazníka a odešle ji", "zadosti"),
    ("French", "Supprime une catégorie de la liste des produits créés", "creer"),
    ("Hungarian", "Elkészíti a számlát és elküldi az ügyfélnek", "ugyfelhez"),
    ("Lithuanian", "Sukuria sąskaitą, kurią siunčia klientui", "saskaitomis"),
    ("Polish", "Wyświetla wiadomość dla użytkownika, który ją wysłał", "wiadomosci"),
    ("Portuguese", "Cria uma reunião no calendário do usuário", "usuarios"),
    ("Russian", "Создаёт счёт для нового клиента", "счета"),
    ("Turkish", "Kullanıcı için yeni bir görev oluşturur", "gorevler"),
];
