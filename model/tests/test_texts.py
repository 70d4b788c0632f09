import random
import unittest

from toolsearch_model.languages import canonical, is_english, shares
from toolsearch_model.sources.pairs import clean, is_pair
from toolsearch_model.texts import (
    first_sentence,
    normal_form,
    with_typing_error,
    without_marks,
    words_of_name,
)


class Texts(unittest.TestCase):
    def check(self, function, cases: dict) -> None:
        for given, expected in cases.items():
            with self.subTest(given):
                self.assertEqual(function(given), expected)

    def test_what_nobody_says_is_cleaned_away(self):
        self.check(
            clean,
            {
                "_Open file…": "Open file",
                "Save &amp; close": "Save close",
                "Delete <b>%s</b>?": "Delete ?",
                "context\x04Open": "Open",
                "%d file\x00%d files": "file",
                "Hello {name}, {{count}} new": "Hello , new",
                "  two \n lines: ": "two lines",
                "snake_case": "snakecase",
                "": "",
            },
        )

    def test_pairs_that_teach_nothing_are_no_pairs(self):
        self.check(
            lambda pair: is_pair(*pair),
            {
                ("Delete file", "Ištrinti failą"): True,
                ("Delete file", "删除文件"): True,
                ("Delete file", "Delete file"): False,
                ("12", "zwölf"): False,
                ("42%!", "keturiasdešimt"): False,
                ("see http://example.com", "žr. http://example.com"): False,
                ("ab c", "x" * 47): False,
                ("x" * 301, "y" * 301): False,
            },
        )
        self.assertTrue(
            is_pair("šuo", "koira", "lt"), "a head that isn't English needs no letters of it"
        )

    def test_languages_have_one_code(self):
        self.check(
            canonical,
            {
                "pt_BR": "pt",
                "zh-Hant": "zh_tw",
                "zh_TW": "zh_tw",
                "zh_HK": "zh_tw",
                "zh_CN": "zh",
                "sr@latin": "sr",
                "no": "nb",
                "ca@valencia": "ca",
                "lt-lt": "lt",
                "iw": "he",
            },
        )
        self.check(
            is_english, {"en": True, "en_GB": True, "en-us": True, "enm": False, "de": False}
        )

    def test_shares_add_up_and_favour_languages_that_are_spoken(self):
        found = shares({"en": 1_000_000, "de": 300_000, "xh": 300_000, "tlh": 300_000, "lt": 1_000})
        self.assertAlmostEqual(sum(found.values()), 1)
        self.assertEqual(found["tlh"], 0)
        self.assertGreater(found["de"], found["xh"])
        self.assertGreater(found["lt"], found["xh"])
        # Eight hundredths of the sum that English itself is in by its size.
        self.assertTrue(0.05 < found["en"] < 0.15, found["en"])

    def test_normal_forms(self):
        self.check(
            normal_form,
            {
                "What's the TIME?": "what s the time",
                "  delete_file ": "delete file",
                "Ištrinti FAILĄ!": "ištrinti failą",
                "?!": "",
            },
        )

    def test_marks_are_left_out(self):
        self.check(
            without_marks,
            {
                "ištrinti": "istrinti",
                "łódź": "lodz",
                "Straße": "Strase",
                "плохой": "плохои",
                "ok": "ok",
            },
        )

    def test_names_are_words(self):
        self.check(
            words_of_name,
            {
                "getUserInfo": "get User Info",
                "get_user-info": "get user info",
                "parseHTMLPage": "parse HTML Page",
                "a.b/c:d": "a b c d",
            },
        )

    def test_first_sentences(self):
        self.check(
            first_sentence,
            {
                "Lists files. With sizes.": "Lists files.",
                "Version 1.2 is out": "Version 1.2 is out",
                "one\ntwo": "one",
                "": "",
            },
        )

    def test_a_typing_error_is_one_letter_inside(self):
        for seed in range(50):
            wrong = with_typing_error("reminder", random.Random(seed))
            self.assertEqual((wrong[0], wrong[-1]), ("r", "r"))
            self.assertLessEqual(abs(len(wrong) - 8), 1)
            self.assertLessEqual(set(wrong), set("reminder"))
        self.assertEqual(with_typing_error("file", random.Random(0)), "file")
