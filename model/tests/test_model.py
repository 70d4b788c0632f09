import tempfile
import unittest
from pathlib import Path

import numpy as np

from toolsearch_model.check import Embedder, same_everywhere
from toolsearch_model.export import export
from toolsearch_model.finish import move_rare_rows
from toolsearch_model.kernels import Adam, Kernels
from toolsearch_model.model_file import ModelFile
from toolsearch_model.pieces import XLMR_UNKNOWN, xlmr_pieces
from toolsearch_model.quantise import LIMIT, dequantise, quantise
from toolsearch_model.ragged import Ragged
from toolsearch_model.start import from_model
from toolsearch_model.tokenizer import UNKNOWN, WORD_MARK, build
from toolsearch_model.training import Schedule
from toolsearch_model.vocabulary import Sizes, choose, words_of

OWN_MODEL = Path(__file__).resolve().parents[2] / "crates/embedding/assets/model.bin"


class Raggeds(unittest.TestCase):
    lists = Ragged.of([[1, 2, 3], [], [4], [5, 6]])

    def as_lists(self, ragged: Ragged) -> list[list[int]]:
        offsets = ragged.offsets
        return [ragged.tokens[start:end].tolist() for start, end in zip(offsets, offsets[1:])]

    def test_lists_are_taken_cut_and_joined(self):
        taken = self.lists.take(np.array([3, 0, -1, 1]), 2)
        self.assertEqual(self.as_lists(taken), [[5, 6], [1, 2], [], []])
        joined = self.lists.joined(Ragged.of([[7], [8, 9], [], [10]]))
        self.assertEqual(self.as_lists(joined), [[1, 2, 3, 7], [8, 9], [4], [5, 6, 10]])
        both = self.lists.followed_by(Ragged.of([[7]]))
        self.assertEqual(self.as_lists(both), [[1, 2, 3], [], [4], [5, 6], [7]])

    def test_a_thinned_list_keeps_a_token(self):
        for seed in range(20):
            thinned = self.as_lists(self.lists.thinned(0.9, np.random.default_rng(seed)))
            self.assertEqual([len(one) > 0 for one in thinned], [True, False, True, True])
            self.assertEqual(thinned[2], [4])
            self.assertLessEqual(set(thinned[0]), {1, 2, 3})
        self.assertEqual(
            self.as_lists(self.lists.thinned(0.0, np.random.default_rng(0))),
            self.as_lists(self.lists),
        )

    def test_unknown_tokens_are_left_out(self):
        pieces = [(UNKNOWN, 0.0), (WORD_MARK, -3.0), (WORD_MARK + "file", -2.0)]
        encoded = Ragged.encode(build(pieces), ["File, file!", "日本", ""], 64)
        self.assertEqual(self.as_lists(encoded), [[2, 2], [1], []])


class Vocabulary(unittest.TestCase):
    xlmr = [
        ("<s>", 0.0),
        ("<pad>", 0.0),
        ("</s>", 0.0),
        (UNKNOWN, 0.0),
        (WORD_MARK, -4.0),
        (WORD_MARK + "delete", -8.0),
        (WORD_MARK + "web", -9.0),
        ("hook", -10.0),
        (WORD_MARK + "Delete", -9.0),
        *[(letter, -12.0) for letter in "abcdehklotwąš删除"],
    ]

    def everyday(self, language: str) -> dict[str, float]:
        return {"zh": {"删除": 1e-3}}.get(language, {})

    texts = {"en": ["delete webhook"] * 20 + ["oak"], "zh": ["删除 delete"] * 20}

    def choose(self, sizes: Sizes, languages: str = "en zh") -> list[tuple[str, float]]:
        texts = {language: self.texts[language] for language in languages.split()}
        return choose(texts, self.xlmr, self.everyday, sizes)

    def test_used_pieces_and_words_that_would_be_cut(self):
        chosen = dict(self.choose(Sizes(pieces=50, words=10, characters=0)))
        self.assertEqual(list(chosen)[:2], [UNKNOWN, WORD_MARK])
        # One point likelier than its two parts.
        self.assertAlmostEqual(chosen[WORD_MARK + "webhook"], -9.0 - 10.0 + 1.0)
        # A word of a script without blanks has no mark in front.
        self.assertIn("删除", chosen)
        self.assertIn(WORD_MARK + "delete", chosen)
        self.assertNotIn(WORD_MARK + "Delete", chosen, "capitals are never seen")
        self.assertNotIn("<s>", chosen)
        self.assertNotIn("ą", chosen, "it is in no text")
        self.assertNotIn(WORD_MARK + "oak", chosen, "it is too rare")

    def test_the_most_used_pieces_win(self):
        chosen = dict(self.choose(Sizes(pieces=1, words=0, characters=2), "en"))
        self.assertIn(WORD_MARK + "delete", chosen)
        self.assertNotIn(WORD_MARK + "web", chosen)
        self.assertEqual(len(chosen), 2 + 1 + 2, "with two of the letters of oak")

    def test_words_are_small_and_keep_their_marks(self):
        self.assertEqual(
            words_of("Delete_file 'Ąžuolas' हिन्दी"), ["delete", "file", "ąžuolas", "हिन्दी"]
        )

    def test_the_encoders_pieces_are_read(self):
        pieces = xlmr_pieces()
        self.assertEqual(len(pieces), 250_002)
        self.assertEqual(pieces[XLMR_UNKNOWN][0], UNKNOWN)
        self.assertEqual(pieces[4], (",", pieces[4][1]))
        self.assertIn(WORD_MARK, [piece for piece, _ in pieces[:10]])


class Quantised(unittest.TestCase):
    vectors = np.random.default_rng(0).normal(size=(50, 32)).astype(np.float32)

    def test_a_round_trip_loses_less_than_a_step(self):
        codes, scales = quantise(self.vectors)
        self.assertTrue((np.abs(codes) <= LIMIT).all())
        back = dequantise(codes, scales)
        cosines = (back * self.vectors).sum(1)
        cosines /= np.linalg.norm(back, axis=1) * np.linalg.norm(self.vectors, axis=1)
        self.assertGreater(cosines.min(), 0.98)
        self.assertTrue((scales == scales.astype(np.float16)).all(), "the file has float16")

    def test_codes_and_scales_give_themselves_again(self):
        scales = np.array([0.5, 2.0], np.float32)
        codes = np.array([[-7, 3, 0, 7], [7, -1, 2, -7]], np.int8)
        again = quantise(dequantise(codes, scales))
        self.assertEqual(again[0].tolist(), codes.tolist())
        self.assertEqual(again[1].tolist(), scales.tolist())

    def test_a_row_of_zeros_stays_one(self):
        codes, _ = quantise(np.zeros((1, 4), np.float32))
        self.assertEqual(codes.tolist(), [[0, 0, 0, 0]])


class Files(unittest.TestCase):
    pieces = [(UNKNOWN, 0.0), (WORD_MARK, -3.002), (WORD_MARK + "failą", -7.5), ("删除", -9.0)]
    codes = np.array([[0] * 4, [1, -1, 0, 0], [-7, 7, 2, 3], [4, 0, 0, -4]], np.int8)
    scales = np.array([1.0, 0.5, 0.25, 2.0], np.float32)

    def test_the_bytes_are_those_that_the_program_reads(self):
        file = ModelFile(self.pieces, self.codes, self.scales).to_bytes()
        self.assertEqual(file[:16], b"TSE1" + bytes([4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]))
        self.assertEqual(np.frombuffer(file, "<i2", 4, 16).tolist(), [0, -1501, -3750, -4500])
        self.assertEqual(list(file[24:28]), [5, 3, 9, 6])
        self.assertEqual(file[28:51].decode(), "<unk>\u2581\u2581failą删除")
        self.assertEqual(np.frombuffer(file, "<f2", 4, 51).tolist(), [1.0, 0.5, 0.25, 2.0])
        # Plus eight each, the even dimension in the low half.
        self.assertEqual(file[59:].hex(), "88887988f1ba8c48")

    def test_a_file_is_read_as_it_was_written(self):
        again = ModelFile.from_bytes(ModelFile(self.pieces, self.codes, self.scales).to_bytes())
        self.assertEqual(again.pieces, self.pieces)
        self.assertEqual(again.codes.tolist(), self.codes.tolist())
        self.assertEqual(again.scales.tolist(), self.scales.tolist())

    def test_another_file_is_refused(self):
        file = ModelFile(self.pieces, self.codes, self.scales).to_bytes()
        for damaged, message in {
            b"PK" + file[2:]: "not a model.bin",
            file[:-1]: "where its head means",
            file[:12] + b"\x08" + file[13:]: "8 bits a dimension",
        }.items():
            with self.assertRaisesRegex(ValueError, message):
                ModelFile.from_bytes(damaged)

    def test_what_the_program_could_not_read_is_told(self):
        good = ModelFile(self.pieces, self.codes, self.scales)
        self.assertEqual(good.breaches(), [])
        swapped = [self.pieces[0], *self.pieces[2:], self.pieces[1]]
        for model, fragment in (
            (ModelFile(swapped, self.codes, self.scales), "rows 0 and 1"),
            (ModelFile(self.pieces, self.codes[:, :3], self.scales), "odd number"),
            (ModelFile([*self.pieces[:3], self.pieces[2]], self.codes, self.scales), "twice"),
        ):
            self.assertIn(fragment, " ".join(model.breaches()))

    def test_the_programs_own_model_is_read_and_written_to_the_byte(self):
        file = OWN_MODEL.read_bytes()
        model = ModelFile.from_bytes(file)
        self.assertEqual(model.breaches(), [])
        self.assertEqual(model.to_bytes(), file)

    def test_an_exported_model_is_the_same_for_all_who_read_it(self):
        letters = "abcdefghijklmnopqrstuvwxyz"
        pieces = [(UNKNOWN, 0.0), (WORD_MARK, -3.0), *[(letter, -6.0) for letter in letters]]
        pieces += [(WORD_MARK + "file", -5.0), (WORD_MARK + "delete", -5.5)]
        vectors = np.random.default_rng(1).normal(size=(len(pieces), 16)).astype(np.float32)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            model = export(pieces, vectors, out)
            self.assertEqual(same_everywhere(out), [])
            again = ModelFile.read(out / "model.bin")
            self.assertEqual(again.codes.tolist(), model.codes.tolist())
            embed = Embedder(again)
            file, files, other = embed(["file", "file file", "delete"])
            self.assertAlmostEqual(float(file @ files), 1.0, places=5)
            self.assertLess(float(file @ other), 0.9)

    def test_a_start_from_a_model_keeps_what_it_has_and_adds_up_the_rest(self):
        model = ModelFile(self.pieces, self.codes, self.scales)
        wanted = [*self.pieces, (WORD_MARK + "failą删除", -5.0)]
        vectors = from_model(wanted, model)
        self.assertEqual(vectors[2].tolist(), model.vectors()[2].tolist())
        parts = model.vectors()[2] + model.vectors()[3]
        np.testing.assert_allclose(vectors[4], parts / 2**0.5, rtol=1e-6)


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kernels = Kernels(Path(folder.name))

    def test_the_rate_depends_on_the_step_alone(self):
        schedule = Schedule(steps=1000, seed=1, rate=0.01)
        rates = [schedule.rate_at(step) for step in range(1000)]
        self.assertAlmostEqual(rates[0], 0.01 / 100)
        self.assertAlmostEqual(rates[99], 0.01 * (1 - 99 / 1000))
        self.assertAlmostEqual(rates[-1], 0.01 * 0.02)
        self.assertEqual(max(rates), rates[99])

    def test_pooled_texts_have_length_one(self):
        table = np.array([[0, 0], [3, 0], [0, 4], [1, 1]], np.float32)
        vectors, lengths = self.kernels.pool(table, Ragged.of([[1, 2], [3]]), 0)
        np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.70711, 0.70711]], rtol=1e-4)
        np.testing.assert_allclose(lengths, [5.0, 2**0.5], rtol=1e-5)
        rounded, _ = self.kernels.pool(np.array([[7.0, 3.4]], np.float32), Ragged.of([[0]]), 7)
        np.testing.assert_allclose(rounded[0] / rounded[0][0], [1, 3 / 7], rtol=1e-5)

    def test_the_gradient_is_that_of_the_loss(self):
        chance = np.random.default_rng(0)
        cosines = chance.uniform(-1, 1, (6, 6)).astype(np.float32)
        gradient = cosines.copy()
        loss = self.kernels.contrast(gradient, 0.2)

        def plain(scores: np.ndarray) -> float:
            scores = scores.astype(np.float64) / 0.2
            rows = np.log(np.exp(scores).sum(1)) - np.diag(scores)
            columns = np.log(np.exp(scores).sum(0)) - np.diag(scores)
            return float((rows + columns).mean() / 2)

        self.assertAlmostEqual(loss, plain(cosines), places=4)
        for place in ((0, 0), (2, 5), (4, 1)):
            moved = cosines.astype(np.float64)
            moved[place] += 1e-4
            slope = (plain(moved) - plain(cosines)) / 1e-4
            self.assertAlmostEqual(gradient[place], slope, places=2)

    def test_steps_bring_what_belongs_together_together(self):
        table = np.random.default_rng(0).normal(size=(9, 16)).astype(np.float32)
        untouched = table[0].copy()
        queries, documents = Ragged.of([[1], [2], [3], [4]]), Ragged.of([[5], [6], [7], [8]])
        texts = queries.followed_by(documents)
        adam = Adam(self.kernels, table)
        losses = []
        for _ in range(50):
            pooled = self.kernels.pool(table, texts, 0)
            asked, answered = pooled[0][:4], pooled[0][4:]
            cosines = asked @ answered.T
            losses.append(self.kernels.contrast(cosines, 0.1))
            gradient = np.concatenate([cosines @ answered, cosines.T @ asked])
            adam.step(texts, pooled, gradient, 0.05)
        self.assertLess(losses[-1], losses[0] / 10)
        self.assertEqual(table[0].tolist(), untouched.tolist())

    def test_rare_rows_are_moved_as_training_moved_the_others(self):
        chance = np.random.default_rng(0)
        start = chance.normal(size=(60, 4)).astype(np.float32)
        turn = np.linalg.qr(chance.normal(size=(4, 4)))[0].astype(np.float32)
        trained = start @ turn
        trained[50:] = start[50:]
        counts = np.full(60, 1000)
        counts[50:] = 0
        finished = move_rare_rows(start, trained, counts)
        for row in range(50, 60):
            wanted = start[row] @ turn
            cosine = finished[row] @ wanted / np.linalg.norm(finished[row]) / np.linalg.norm(wanted)
            self.assertGreater(cosine, 0.99)
        self.assertEqual(finished[1:50].tolist(), trained[1:50].tolist())
        self.assertEqual(finished[0].tolist(), [0, 0, 0, 0])
