#!/usr/bin/env python3
"""Feeds both gates small trees: each bad line is caught on its own line, each good one passes."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GATES = Path(__file__).resolve().parents[1] / "gates"

BAD = [
    ("default", "enum A { func f() { switch x { case .a: 1\n default: 2\n } } }", 2),
    ("default", "func f() { switch x { case .a: 1; default: 2 } }", 1),
    ("default", "func f() { switch (x, y) {\n case (_, .a): 1\n default: 2 } }", 3),
    ("default", "func f() { switch x {\n case nil, .a?: 1\n default: 2 } }", 3),
    ("default", "func f() { switch x {\n case let (.a(b), c) where b > c: 1\n default: 2 } }", 3),
    ("default", "func f() {\n switch x {\n case let .a(b): 1\n @unknown default: 2\n } }", 4),
    ("default", "func f() {\n switch x {\n case .a: 1\n default:  // everything else\n 2 } }", 4),
    ("try!", "let a = try! f()", 1),
    ("as!", "let a = b as! C", 1),
    ("force unwrap", "let a = b!", 1),
    ("force unwrap", "let a = b()!.c", 1),
    ("force unwrap", "let a = b[0]!", 1),
    ("force unwrap", "var a: B!", 1),
    ("force unwrap", "var a: [B]!", 1),
    ("force unwrap", 'let a = "\\(b!)"', 1),
    ("force unwrap", 'let a = """\n  "quoted" \\(b!)\n  """', 2),
    ("force unwrap", "let a = b!  // allowed:", 1),
    ("trap", 'fatalError("no")', 1),
    ("trap", "preconditionFailure()", 1),
    ("unowned", "unowned let a: B", 1),
    ("unchecked", "final class A: @unchecked Sendable {}", 1),
    ("unchecked", "nonisolated(unsafe) var a = 1", 1),
    ("unchecked", "/// A handle.\nfinal class A: @unchecked Sendable {}", 2),
    ("unchecked", "/// Unchecked because one lock guards it.\n\nfinal class A: @unchecked Sendable {}", 3),
    ("default", "func f() { switch x { case .a: 1\n default: 2  // element names\n } }", 2),
    ("machine path", 'let a = "/home/somebody/x"', 1),
    ("machine path", "// see /root/notes", 1),
    ("unfinished", "// TODO: later", 1),
    ("unfinished", "/* FIXME */", 1),
]

GOOD = [
    "func f() { switch x { case 1: 1\n default: 2\n } }",
    "func f() { switch x { case Self.a, 1...b, ..<c.d: 1\n default: 2\n } }",
    "func f() { switch x { case A: if case .b = c { d }\n default: return nil\n } }",
    "func f() { switch x { case .a: 1\n default: return nil  // allowed: a pair of flags, both sides open\n } }",
    "let a = b[c, default: 0]",
    "func f() { switch x { case .a: 1\n default: 2  // element names: the others carry no values\n } }",
    "/// Unchecked because C's pointers are:\n/// one lock guards it.\nfinal class A: @unchecked Sendable {}",
    "f(\n    default: 1)",
    "// default: no",
    "struct A {\n    var isReady: Bool\n}",
    "if a != b, !c, !(d) || x !== y {}",
    "#if !os(Linux)\n#endif",
    "let a = try f() as? C // really!",
    'let a = "stop!" + "\\"!" + #"a"!"# + "b\\(c)!"',
    '"""\n  it\'s "default:" and b! and fatalError(\n  """',
    "/* a! /* b! */ c! */",
    "let a = b!  // allowed: the literal above is never empty",
    'fatalError("no")  // allowed: only our own caller can reach this',
    "final class A: @unchecked Sendable {  // allowed: one owner, guarded by the mutex below\n}",
    "/// Like `file:///Users` or ../work/a",
    "let methods = [fatalErrors, TODOs]",
]

TABLE = """\
| module | job |
|---|---|
| `CLib` | a C library |
| `Low`, `Wrap` | the bottom |
| `High` | on top |
| `tool` | a program |
"""


def run(name, root, *arguments):
    return subprocess.run(
        [sys.executable, str(GATES / name), "--root", str(root), *arguments], capture_output=True, text=True
    )


def write(root, path, text):
    path = root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


class Style(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), "Sources/A/A.swift", text + "\n")
            return run("check-style", folder)

    def test_each_bad_line_is_caught(self):
        for kind, text, line in BAD:
            with self.subTest(kind=kind, text=text):
                result = self.check(text)
                self.assertEqual(result.returncode, 1, result.stderr)
                lines = result.stdout.splitlines()
                self.assertEqual(len(lines), 2, lines)
                self.assertTrue(lines[0].startswith(f"Sources/A/A.swift:{line}: {kind}: "), lines)
                self.assertTrue(lines[1].startswith(f"{kind}: "), lines)

    def test_each_good_text_passes(self):
        for text in GOOD:
            with self.subTest(text=text):
                result = self.check(text)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))


class Arrows(unittest.TestCase):
    DEPENDS = {"CLib": [], "Low": [], "Wrap": ["CLib"], "High": ["Low", "Wrap"], "tool": ["High"]}
    FILES = {
        "Sources/CLib/module.modulemap": "",
        "Sources/Low/A.swift": "import Glibc\n// import High\nlet a = \"import High\"\n",
        "Sources/Wrap/A.swift": "internal import CLib\nimport FoundationEssentials\n",
        "Sources/High/A.swift": "@_exported public import Low\npublic import struct Wrap.Thing\n",
        "Sources/tool/A.swift": "import High; import ArgumentParser\n",
        "Tests/HighTests/A.swift": "@testable import High\nimport Testing\n",
    }

    def check(self, files, table=TABLE, depends=None, products=None):
        products = {"tool": ["ArgumentParser"]} | (products or {})
        targets = [
            {
                "name": name,
                "type": {"tool": "executable", "CLib": "system"}.get(name, "regular"),
                "dependencies": [{"byName": [other, None]} for other in names]
                + [{"product": [other, "package", None, None]} for other in products.get(name, [])],
            }
            for name, names in (self.DEPENDS | (depends or {})).items()
        ]
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in (self.FILES | files).items():
                write(root, path, text)
            write(root, "README.md", table)
            manifest = write(root, "manifest.json", json.dumps({"targets": targets}))
            return run("check-arrows", root, "--manifest", str(manifest))

    def assertCaught(self, part, files, **more):
        result = self.check(files, **more)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        self.assertIn(part, result.stdout)

    def test_allowed_imports_pass(self):
        result = self.check({})
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_an_import_that_is_not_declared_is_caught(self):
        self.assertCaught("A.swift:2: import High: Package.swift does not say", {"Sources/Low/A.swift": "\nimport High\n"})
        self.assertCaught("that Low depends on New", {"Sources/Low/A.swift": "import New\n"})

    def test_an_arrow_that_nothing_uses_is_caught(self):
        self.assertCaught("Wrap depends on CLib, which none", {"Sources/Wrap/A.swift": "import Glibc\n"})

    def test_every_form_of_import_is_read(self):
        for form in [
            "public import High",
            "@testable import High",
            "@_spi(X) import High",
            "import struct High.A",
            "import Glibc; import High",
            "#if canImport(High)\n    import High\n#endif",
        ]:
            with self.subTest(form=form):
                self.assertCaught("that Low depends on High", {"Sources/Low/A.swift": form + "\n"})

    def test_foundation_is_caught(self):
        self.assertCaught("FoundationEssentials at most", {"Sources/Low/A.swift": "import Foundation\n"})

    def test_a_library_has_one_importer(self):
        high = self.FILES["Sources/High/A.swift"]
        self.assertCaught(
            "CLib is imported by High and Wrap",
            {"Sources/High/A.swift": high + "import CLib\n"},
            depends={"High": ["Low", "Wrap", "CLib"]},
        )
        self.assertCaught(
            "Server is imported by High and Low",
            {"Sources/High/A.swift": high + "import Server\n", "Sources/Low/A.swift": "import Server\n"},
            products={"High": ["Server"], "Low": ["Server"]},
        )
        self.assertCaught("its one module only", {"Tests/WrapTests/A.swift": "import CLib\n"})

    def test_nothing_imports_a_program(self):
        self.assertCaught("a test starts it", {"Tests/toolTests/A.swift": "@testable import tool\n"})
        self.assertCaught(
            "High depends on tool, which is a program",
            {"Sources/High/A.swift": self.FILES["Sources/High/A.swift"] + "import tool\n"},
            depends={"High": ["Low", "Wrap", "tool"], "tool": ["High"]},
            table=TABLE.replace("| `High` | on top |\n| `tool` | a program |", "| `High`, `tool` | on top |"),
        )

    def test_a_folder_without_a_target_is_caught(self):
        self.assertCaught("Sources/New: Package.swift has no such target", {"Sources/New/A.swift": "import Low\n"})

    def test_the_table_is_held_against_the_manifest(self):
        self.assertCaught("High is in Package.swift alone", {}, table=TABLE.replace("| `High` | on top |\n", ""))
        self.assertCaught("tool stands above High", {}, table=TABLE.replace("| `CLib` |", "| `CLib`, `tool` |").replace("| `tool` | a program |\n", ""))

    def test_xctest_is_caught(self):
        self.assertCaught("Swift Testing", {"Tests/LowTests/A.swift": "import XCTest\n"})


unittest.main()
