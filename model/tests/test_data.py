import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

from toolsearch_model import lithuanian, written
from toolsearch_model.exclusion import OWN_QUESTIONS, Exclusion
from toolsearch_model.extract import write_rows
from toolsearch_model.merge import Merged, merge
from toolsearch_model.steps import Step, run_steps
from toolsearch_model.texts import normal_form
from toolsearch_model.tokenizer import UNKNOWN, WORD_MARK, build
from toolsearch_model.tokens import collect, split_requests
from toolsearch_model.written import Line, read_lines


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Written(Folder):
    def test_every_file_of_data_is_well_formed(self):
        requests, sentences = written.requests(), written.sentences()
        self.assertGreater(len(requests), 500)
        self.assertGreater(len(sentences), 500)
        languages = {language for line in requests for language, _ in line.wordings}
        self.assertLessEqual(set("en lt de fr es pt pl uk tr zh ja ar".split()), languages)
        self.assertEqual(len(written.reference_texts()), 60)
        self.assertIn(("en", "please"), written.openers())

    def test_a_language_may_have_more_than_one_column_and_lines_may_end_early(self):
        path = self.folder / "one.psv"
        path.write_text(
            "en | nl | nl | da\nlist files | toon bestanden | welke bestanden\nx | | y\n"
        )
        expected = [
            Line("list files", [("nl", "toon bestanden"), ("nl", "welke bestanden")]),
            Line("x", [("nl", "y")]),
        ]
        self.assertEqual(read_lines(path), expected)

    def test_a_line_that_does_not_fit_is_named(self):
        path = self.folder / "bad.psv"
        for text, message in {
            "en | lt\na | b | c\n": "bad.psv:2: 3 fields",
            "en | lt\n | b\n": "bad.psv:2: 2 fields",
            "a | b\n": "bad.psv:1: the header",
        }.items():
            path.write_text(text)
            with self.subTest(text), self.assertRaisesRegex(ValueError, message):
                read_lines(path)

    def test_a_tenth_of_the_requests_is_held_out_whatever_else_there_is(self):
        lines = written.requests()
        kept, held = split_requests(lines)
        self.assertEqual(len(kept) + len(held), len(lines))
        self.assertTrue(0.05 < len(held) / len(lines) < 0.15, len(held))
        self.assertEqual(split_requests(held)[1], held)


class Lithuanian(unittest.TestCase):
    def test_declensions(self):
        table = {
            "failas": "failo failui failą failu faile failai failų",
            "žodis": "žodžio žodžiui žodį žodžiu žodyje žodžiai žodžių",
            "užduotis": "užduoties užduočiai užduotį užduotimi užduotyje užduotys užduočių",
            "kalendorius": "kalendoriaus kalendoriui kalendorių kalendoriumi kalendoriuje kalendoriai kalendorių",
            "lentelė": "lentelės lentelei lentelę lentele lentelėje lentelės lentelių",
            "žinutė": "žinutės žinutei žinutę žinute žinutėje žinutės žinučių",
            "vėjas": "vėjo vėjui vėją vėju vėjuje vėjai vėjų",
            "oro uostas": "oro uosto oro uostui oro uostą oro uostu oro uoste oro uostai oro uostų",
        }
        for noun, expected in table.items():
            forms = list(lithuanian.decline(noun).values())
            with self.subTest(noun):
                self.assertEqual(" ".join(forms[1:8]), expected)
        both = lithuanian.decline("sąskaita faktūra")
        self.assertEqual(both["plural genitive"], "sąskaitų faktūrų")
        only_plural = lithuanian.decline("atostogos")
        self.assertEqual(only_plural["plural accusative"], "atostogas")
        self.assertNotIn("nominative", only_plural)

    def test_verbs_and_plurals(self):
        for verb, expected in {"ištrinti": "ištrink", "siųsti": "siųsk", "sekti": "sek"}.items():
            self.assertEqual(lithuanian.imperative(verb), expected)
        for noun, expected in {
            "city": "cities",
            "day": "days",
            "box": "boxes",
            "news": "news",
        }.items():
            self.assertEqual(lithuanian.english_plural(noun), expected)

    def test_phrases_are_the_same_each_time(self):
        found = lithuanian.phrases()
        self.assertEqual(found, lithuanian.phrases())
        self.assertGreater(len(found), 15_000)
        self.assertIn(("file", "failą"), found)


class Excluded(Folder):
    def questions(self, *queries: str) -> Exclusion:
        folder = self.folder / "sets" / "one"
        folder.mkdir(parents=True)
        rows = [json.dumps({"query": query, "relevant": []}) for query in queries]
        (folder / "queries.jsonl").write_text("\n".join([*rows, '{"name": "no query"}']) + "\n")
        return Exclusion.of_folders([self.folder / "sets"])

    def test_case_and_punctuation_do_not_hide_a_question(self):
        exclusion = self.questions("What's the time?", "Ištrinti failą")
        for text, expected in {
            "what s the TIME": True,
            "ištrinti failą!": True,
            "what's the time in Vilnius": False,
            "": False,
        }.items():
            self.assertEqual(exclusion.meets(text), expected, text)

    def test_the_projects_own_questions_are_kept_out(self):
        exclusion = Exclusion.of_folders([OWN_QUESTIONS])
        self.assertGreater(len(exclusion), 500)

    def test_a_merged_string_meets_no_question(self):
        exclusion = self.questions("delete the file", "Ištrinti!")
        file = self.folder / "a.tsv"
        write_rows(
            file,
            [
                ("en", "Delete the file", "de", "Datei löschen"),
                ("en", "Delete", "lt", "ištrinti"),
                ("en", "Delete", "lt_LT", "pašalinti"),
                ("en", "delete!", "lt", "Pašalinti"),
                ("en", "Delete", "pt_BR", "excluir"),
            ],
        )
        merged = merge([file], exclusion)
        self.assertEqual(merged.texts, ["Delete", "pašalinti", "excluir"])
        self.assertEqual([merged.languages[one] for one in merged.language], ["en", "lt", "pt"])
        self.assertEqual(merged.group.tolist(), [0, 0, 0])
        merged.save(self.folder / "merged")
        again = Merged.load(self.folder / "merged")
        self.assertEqual((again.texts, again.languages), (merged.texts, merged.languages))
        self.assertEqual(again.group.tolist(), merged.group.tolist())

    def test_no_string_of_a_corpus_meets_a_question(self):
        asked = written.sentences()[0].wordings[0][1]
        exclusion = self.questions(asked, "lists all things")
        file = self.folder / "a.tsv"
        write_rows(file, [("en", "Delete", "lt", "ištrinti")])
        letters = sorted({letter for letter in normal_form(asked) if letter != " "})
        vocabulary = [(UNKNOWN, 0.0), (WORD_MARK, -3.0)]
        vocabulary += [(letter, -5.0) for letter in letters]
        vocabulary.append((WORD_MARK + normal_form(asked).split()[0], -2.0))
        summaries = [("lister", "Lists all things"), ("other", "Does other things")]
        corpus = collect(merge([file], exclusion), vocabulary, summaries, [], exclusion)
        self.assertEqual(len(corpus.summaries), 1)
        ids = [row for row in build(vocabulary).encode(asked, add_special_tokens=False).ids if row]
        offsets = corpus.strings.offsets
        lists = [
            corpus.strings.tokens[start:end].tolist() for start, end in zip(offsets, offsets[1:])
        ]
        self.assertNotIn(ids, lists)
        self.assertTrue(all(corpus.heads >= 0))


class Resumed(Folder):
    def test_a_step_runs_again_only_when_it_or_one_before_it_changed(self):
        ran = []

        def run(first: object, second: object) -> list[str]:
            ran.clear()
            steps = [
                Step("first", lambda: ran.append("first"), first),
                Step("second", lambda: ran.append("second"), second),
            ]
            with contextlib.redirect_stdout(io.StringIO()):
                run_steps(steps, self.folder / "done")
            return list(ran)

        self.assertEqual(run(1, 1), ["first", "second"])
        self.assertEqual(run(1, 1), [])
        self.assertEqual(run(1, 2), ["second"])
        self.assertEqual(run(2, 2), ["first", "second"])
        (self.folder / "done" / "first").unlink()
        self.assertEqual(run(2, 2), ["first", "second"])

    def test_a_step_that_failed_is_not_done(self):
        def fail() -> None:
            raise RuntimeError("no")

        for _ in range(2):
            silent = contextlib.redirect_stdout(io.StringIO())
            with silent, self.assertRaises(RuntimeError):
                run_steps([Step("first", fail, None)], self.folder / "done")
