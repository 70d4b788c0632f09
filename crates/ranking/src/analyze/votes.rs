//! Guesses a text's language by what its words show.

use super::language::{Language, Languages};
use super::lexicon::Signs;

/// Signs of the languages of one text.
///
/// A sign counts the less the more languages it fits. Texts of tools are short and full of names,
/// so that a language needs two signs against those that are expected anyway: one word such as
/// `die` or `visa` shows nothing.
#[derive(Debug)]
pub(crate) struct LanguageVotes {
    /// What the text is in if nothing says otherwise.
    expected: Language,
    points: [u32; Languages::CAPACITY],
    /// Signs that fit neither the expected language nor English.
    foreign: u32,
}

impl LanguageVotes {
    pub(crate) fn new(expected: Language) -> Self {
        Self {
            expected,
            points: [0; Languages::CAPACITY],
            foreign: 0,
        }
    }

    /// Counts what a distinct word of the text shows.
    pub(crate) fn add(&mut self, signs: Signs) {
        for languages in [signs.grammar, signs.letters] {
            let Some(share) = SIGN.checked_div(languages.len()) else {
                continue;
            };
            for language in languages.iter() {
                self.points[language.index()] += share;
            }
            let at_home = Languages::from_iter([self.expected, Language::ENGLISH]);
            self.foreign += u32::from(!languages.meets(at_home));
        }
    }

    pub(crate) fn winner(&self) -> Language {
        let home = self.better(self.expected, Language::ENGLISH);
        let best = Language::all().fold(home, |best, other| self.better(best, other));
        let is_sure = self.foreign >= LEAST_SIGNS && self.points(best) >= 2 * self.points(home);
        if is_sure { best } else { home }
    }

    /// The one with more points, `first` if they have the same.
    fn better(&self, first: Language, second: Language) -> Language {
        if self.points(second) > self.points(first) {
            second
        } else {
            first
        }
    }

    fn points(&self, language: Language) -> u32 {
        self.points[language.index()]
    }
}

/// What a sign of one language alone counts; divisible by how many languages share most signs.
const SIGN: u32 = 60;

const LEAST_SIGNS: u32 = 2;

#[cfg(test)]
mod tests {
    use super::LanguageVotes;
    use crate::analyze::{Language, Signs, terms};

    #[track_caller]
    fn check_among(expected: &str, text: &str, language: &str) {
        let mut votes = LanguageVotes::new(named(expected));
        terms(text, |term| votes.add(Signs::of(term.text, term.written)));
        assert_eq!(votes.winner().name(), language, "{text}");
    }

    fn named(name: &str) -> Language {
        Language::named(name).unwrap_or(Language::ENGLISH)
    }

    /// `text` is of this language, with nothing expected but English.
    #[track_caller]
    fn check(text: &str, language: &str) {
        check_among("English", text, language);
    }

    #[test]
    fn descriptions_and_queries_show_their_language() {
        for (text, language) in [
            ("list the files in a folder", "English"),
            ("Erstellt eine Rechnung für den Kunden", "German"),
            ("Crée une facture pour le client", "French"),
            ("Crea una factura para el cliente", "Spanish"),
            ("Cria uma fatura para o cliente", "Portuguese"),
            ("Crea una fattura per il cliente", "Italian"),
            ("Maakt een factuur voor de klant", "Dutch"),
            ("Tworzy fakturę dla klienta i wysyła ją", "Polish"),
            ("Vytvoří fakturu pro zákazníka a odešle ji", "Czech"),
            ("Luo laskun asiakkaalle ja lähettää sen", "Finnish"),
            ("Skapar en faktura åt kunden och skickar den", "Swedish"),
            (
                "Opretter en faktura til kunden og sender den af sted",
                "Danish",
            ),
            ("Létrehoz egy számlát és elküldi az ügyfélnek", "Hungarian"),
            ("Creează o factură pentru client și o trimite", "Romanian"),
            ("Müşteri için bir fatura oluşturur", "Turkish"),
            (
                "Membuat faktur untuk pelanggan dan mengirimnya",
                "Indonesian",
            ),
            ("Создаёт счёт для клиента", "Russian"),
            ("Створює рахунок для клієнта", "Ukrainian"),
            ("Kreira račun za kupca i šalje ga", "Serbian"),
            ("Δημιουργεί ένα τιμολόγιο για τον πελάτη", "Greek"),
            ("ينشئ فاتورة للعميل", "Arabic"),
            ("یک فاکتور برای مشتری ایجاد می‌کند", "Persian"),
            ("ग्राहक के लिए एक चालान बनाता है", "Hindi"),
            ("வாடிக்கையாளருக்கு ஒரு விலைப்பட்டியல் உருவாக்கும்", "Tamil"),
            ("Sukuria sąskaitą, kurią siunčia klientui", "Lithuanian"),
            ("rasti failus kurie yra aplanke", "Lithuanian"),
            ("Izveido rēķinu klientam un nosūta to", "Latvian"),
            ("Koostab kliendile arve ja saadab selle", "Estonian"),
            (
                "Crea una factura per al client i l'envia amb un enllaç",
                "Catalan",
            ),
            ("Tạo hóa đơn cho khách hàng", "Vietnamese"),
            ("צור חשבונית עבור הלקוח", "Hebrew"),
            ("список файлов", "Russian"),
        ] {
            check(text, language);
        }
    }

    #[test]
    fn one_sign_shows_nothing() {
        for text in [
            "",
            "github",
            "die",
            "roll die",
            "list per node",
            "visa for Zürich",
            "mit license",
            "café menu",
            "日本の法令",
        ] {
            check(text, "English");
        }
    }

    #[test]
    fn english_with_names_and_values_stays_english() {
        for text in [
            "Lists pods per node in a namespace",
            "Finds hotels near a place, for example the Plaza de la Constitución",
            "Values: da, de, en, no or on",
            "Translates text to German (de), such as 'die Straße'",
        ] {
            check(text, "English");
        }
    }

    #[test]
    fn what_is_expected_needs_no_second_sign() {
        check_among("German", "die Rechnung", "German");
        check_among("German", "Rechnung", "German");
        check_among("German", "what is in the house", "English");
        check_among("German", "rasti failus kurie yra aplanke", "Lithuanian");
        check_among("Lithuanian", "per", "Lithuanian");
    }
}
