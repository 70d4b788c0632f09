import io
import random
import struct
import tempfile
import unittest
import zipfile
from pathlib import Path

from toolsearch_model.extract import extract, read_rows, write_rows
from toolsearch_model.fetch import Wanted, read_list
from toolsearch_model.operations import operations_of, pairs
from toolsearch_model.sources.catalogues import mo_messages, po_messages, qt_messages
from toolsearch_model.sources.dictionaries import articles
from toolsearch_model.sources.help_pages import paragraphs
from toolsearch_model.sources.keyed import flat, fluent_texts, php_texts
from toolsearch_model.sources.skills import wordings
from toolsearch_model.sources.unicode_names import names
from toolsearch_model.summaries import debian_summaries, listed_summaries


class Formats(unittest.TestCase):
    def test_po(self):
        text = (
            'msgid ""\nmsgstr "header"\n\n'
            'msgctxt "menu"\nmsgid "Open "\n"file"\nmsgstr "Atidaryti "\n"failą"\n\n'
            'msgid "%d \\"file\\""\nmsgid_plural "%d files"\nmsgstr[0] "%d failas"\nmsgstr[1] "%d failai"\n'
        )
        expected = [
            ("", "header"),
            ("Open file", "Atidaryti failą"),
            ('%d "file"', "%d failas"),
        ]
        self.assertEqual(po_messages(text), expected)

    def test_mo(self):
        english, text = b"Open", b"Atidaryti"
        head = struct.pack("<7I", 0x950412DE, 0, 1, 28, 36, 0, 0)
        first = 44
        table = struct.pack("<4I", len(english), first, len(text), first + len(english) + 1)
        file = head + table + english + b"\0" + text + b"\0"
        self.assertEqual(mo_messages(file), [("Open", "Atidaryti")])
        self.assertEqual(mo_messages(file[:30]), [])
        self.assertEqual(mo_messages(b"no catalogue at all"), [])

    def test_qt(self):
        def field(tag: int, value: bytes) -> bytes:
            return struct.pack(">BI", tag, len(value)) + value

        message = field(3, "Ištrinti".encode("utf-16-be")) + field(6, b"Delete") + b"\x01"
        magic = b"\x3c\xb8\x64\x18" + bytes(12)
        file = magic + field(0x42, b"index") + field(0x69, message)
        self.assertEqual(qt_messages(file), [("Delete", "Ištrinti")])
        self.assertEqual(qt_messages(b"something else"), [])

    def test_fluent(self):
        text = (
            "# Comment = no\n"
            "open = Open { $file }\n"
            "    .tooltip = Opens a file\n"
            "count =\n"
            "    { $n ->\n"
            "        [one] One file\n"
            "       *[other] Many files\n"
            "    }\n"
        )
        found = fluent_texts(text)
        self.assertEqual(found["open"], "Open")
        self.assertEqual(found["open.tooltip"], "Opens a file")
        self.assertNotIn("# Comment", found)

    def test_keyed(self):
        self.assertEqual(flat({"a": {"b": "c"}, "d": ["e", 1]}), {"/a/b": "c", "/d/0": "e"})
        self.assertEqual(php_texts(r"$labels['ok'] = 'It\'s fine';"), {"ok": "It's fine"})

    def test_dictionary(self):
        body = "dog /dɒg/ <n>\n1. šuo, (tarm.) šunelis\n".encode()
        index = (
            "00-database-info\tA\tB\ndog\tA\t"
            + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[len(body)]
        )
        self.assertEqual(articles(index, body), [("dog", ["šuo", "šunelis"])])

    def test_help_page(self):
        page = "<page><info><title>x</title></info><title>Open <gui>a</gui></title><p>Press\n it.</p></page>"
        self.assertEqual(paragraphs(page), ["Open a", "Press it."])

    def test_templates_of_skills(self):
        found = wordings("(turn|switch) on [the] {lamp}", random.Random(0))
        every = {"turn on", "switch on", "turn on the", "switch on the"}
        self.assertLessEqual(set(found), every)
        self.assertGreater(len(found), 0)

    def test_unicode_names(self):
        dates = {"/months/format/wide/1": "January", "/months/format/abbreviated/1": "Jan"}
        self.assertEqual(names("ca-gregorian", dates), {"/months/format/wide/1": "January"})
        words = {"/dog/default/0": "dog", "/dog/default/1": "pet"}
        self.assertEqual(names("annotations", words), {"/dog/default": "dog pet"})


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def wheel(self, name: str, files: dict[str, str]) -> Path:
        path = self.folder / name
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for member, text in files.items():
                archive.writestr(member, text)
        path.write_bytes(content.getvalue())
        return path

    def test_a_package_is_read_by_all_readers(self):
        package = self.wheel(
            "two-1.0-py3-none-any.whl",
            {
                "two/locale/lt/LC_MESSAGES/two.po": 'msgid "Open file"\nmsgstr "Atidaryti failą"\n',
                "two/locale/en_GB/LC_MESSAGES/two.po": 'msgid "Open file"\nmsgstr "Open the file"\n',
                "two/web/en.json": '{"close": "Close window"}',
                "two/web/lt.json": '{"close": "Užverti langą"}',
                "two/web/de.json": '{"close": "Fenster schließen", "more": "Mehr"}',
                "two/locale/en-us/stop.intent": "stop it now\n",
                "two/locale/lt-lt/stop.intent": "tuoj pat sustok\n",
            },
        )
        expected = [
            ("en", "Open file", "lt", "Atidaryti failą"),
            ("en", "stop it now", "lt-lt", "tuoj pat sustok"),
            ("en", "Close window", "lt", "Užverti langą"),
            ("en", "Close window", "de", "Fenster schließen"),
        ]
        self.assertEqual(extract(package), expected)

    def test_two_files_called_by_a_language_are_no_translations(self):
        package = self.wheel(
            "x-1.whl", {"x/en.json": '{"a": "Word"}', "x/is.json": '{"a": "Other"}'}
        )
        self.assertEqual(extract(package), [])

    def test_rows_are_read_as_they_were_written(self):
        rows = [("en", "a\tb", "lt", "vienas\ndu"), ("de", "x", "en", "y")]
        write_rows(self.folder / "rows.tsv", rows)
        expected = [("en", "a b", "lt", "vienas du"), ("de", "x", "en", "y")]
        self.assertEqual(read_rows(self.folder / "rows.tsv"), expected)

    def test_lists_of_packages(self):
        path = self.folder / "packages.txt"
        path.write_text(
            "# comment\ndebian adduser\n\npypi django==5.2.19\nnpm @uppy/locales@5.2.0\n"
        )
        found = read_list(path)
        self.assertEqual(found[0], Wanted("debian", "adduser"))
        self.assertEqual([one.name for one in found], ["adduser", "django", "@uppy/locales"])
        path.write_text("debian adduser\ncargo serde\n")
        with self.assertRaisesRegex(ValueError, "packages.txt:2: `cargo serde`"):
            read_list(path)

    def test_summaries(self):
        index = self.folder / "index.txt"
        index.write_text(
            "Package: ls-tools\nVersion: 1\nDescription: Lists things\n\nPackage: none\n"
        )
        self.assertEqual(debian_summaries(index), [("ls tools", "Lists things")])
        listed = self.folder / "listed.tsv"
        listed.write_text("@a/left-pad\tPads a text on its left side\nshort\tToo short\n")
        expected = [("a left pad", "Pads a text on its left side")]
        self.assertEqual(listed_summaries(listed), expected)


class Operations(unittest.TestCase):
    def test_both_versions_of_openapi(self):
        document = {
            "info": {"title": "Shop"},
            "paths": {
                "/orders": {
                    "parameters": [{"name": "shopId", "description": "which shop"}],
                    "get": {
                        "operationId": "listOrders",
                        "summary": "Lists orders",
                        "description": "All.",
                    },
                    "post": {
                        "summary": "Creates an order",
                        "requestBody": {
                            "content": {
                                "application/json": {"schema": {"properties": {"total": {}}}}
                            }
                        },
                    },
                    "put": {"description": "short"},
                    "x-note": "no operation",
                },
            },
        }
        listed, created = operations_of(document)
        self.assertEqual((listed.name, listed.service), ("listOrders", "Shop"))
        self.assertEqual(listed.description, "Lists orders. All.")
        self.assertEqual(listed.parameters, [("shopId", "which shop")])
        self.assertEqual(created.name, "post/orders")
        self.assertEqual([name for name, _ in created.parameters], ["shopId", "total"])
        self.assertEqual(pairs(listed, random.Random(0))[0], ("list Orders", "Lists orders. All."))
