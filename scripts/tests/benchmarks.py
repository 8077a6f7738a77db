#!/usr/bin/env python3
"""The parts of scripts/benchmark that are no measurement: what it makes, reckons and writes."""

import argparse
import json
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts/benchmarks"))
import inputs  # noqa: E402
import instructions  # noqa: E402
import report  # noqa: E402
import suite  # noqa: E402
from runs import Run, Runner, measurement, ratio  # noqa: E402

# Of the documents of 1 MB. Whoever changes one changes what all figures so far were measured on.
SHA256 = {
    "mesh": "f7375192f68214e217cfede269c1ead619f66f021a7f95a4f8f4cded598cf762",
    "scene": "9f2adefa4aacbbc35554564e9c736ead842ece27651bfb9db47cee42084c54f9",
    "anim": "558653e9cd5da5b365a5f8977897f3348ec32433dc95ba33ea394631f0776792",
}


def run(cpu, peak=1, code=0):
    return Run({"cpu": cpu, "wall": cpu, "peak": peak, "code": code}, "")


class Costs:
    """Stands for the runner: each program's runs cost what was said."""

    def __init__(self, costs):
        self.costs, self.asked = costs, {}

    def rounds(self, commands, count, patience, all_cores=()):
        self.asked |= commands
        return {name: [run(*self.costs[name])] for name in commands}


class Validators(unittest.TestCase):
    def ratios(self, size, costs, peers=("slow", "fast")):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("suite.GOAL_SIZE", 0.1):
            options = argparse.Namespace(peers=list(peers), runs=1, patience=1)
            programs = {"dae": "dae", "validators": {"slow": ["slow"], "fast": ["fast", "--schema"]}}
            made = suite.Suite(options, Costs(costs), programs, Path(folder), lambda _: None)
            made.validators("mesh", size)
            return {(row["peer"], row["ratio"], row["must"]) for row in made.ratios}

    def test_only_the_faster_one_must_be_beaten(self):
        costs = {"validate": (1,), "validate-json": (2,), "slow": (9,), "fast": (3,)}
        self.assertEqual(self.ratios(0.1, costs), {("slow", 9, None), ("fast", 3, 1.4)})

    def test_only_documents_of_the_size_that_the_goals_speak_of_are_held_to_them(self):
        costs = {"validate": (1,), "validate-json": (2,), "slow": (9,), "fast": (3,)}
        self.assertEqual(self.ratios(0.2, costs), {("slow", 9, None), ("fast", 3, None)})

    def test_one_that_failed_is_not_the_faster(self):
        costs = {"validate": (1,), "validate-json": (2,), "slow": (9,), "fast": (3, 1, 1)}
        self.assertEqual(self.ratios(0.1, costs), {("slow", 9, 1.4)})

    def test_none_that_was_not_asked_for_runs(self):
        self.assertEqual(self.ratios(0.1, {}, peers=()), set())


class Conversions(unittest.TestCase):
    def made(self, kind, costs, load=1.0, exporter="assimp", size=0.1):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("suite.GOAL_SIZE", 0.1):
            Path(folder, "converted.glb").write_bytes(bytes(1000))
            options = argparse.Namespace(peers=["assimp"], runs=1, patience=1)
            programs = {"dae": "dae", "exporter": exporter}
            made = suite.Suite(options, Costs(costs), programs, Path(folder), lambda _: None)
            made.ours[kind, "dae", size] = {"load": [run(load)]}
            made.convert(kind, size)
            return made

    def test_a_mesh_is_held_against_the_other_exporter(self):
        made = self.made("mesh", {"convert": (2,), "assimp-export": (7,)})
        self.assertEqual([(row["what"], row["ratio"], row["must"]) for row in made.ratios], [("convert", 3.5, 3)])
        self.assertIsNone(made.conversions[0]["mustOfLoad"])

    def test_what_the_other_does_not_end_with_is_held_against_our_load(self):
        made = self.made("anim", {"convert": (9, 1500)}, load=2)
        self.assertEqual(made.ratios, [])
        row = made.conversions[0]
        self.assertEqual((row["ofLoad"], row["mustOfLoad"]), (4.5, 4))
        self.assertEqual((row["bytes"], row["peakBytes"], row["mustBytes"]), (1000, 1500, 2000))
        table = report.conversions({"conversions": [row]})
        self.assertIn("as it must be", table)
        self.assertIn("MISSED", table)

    def test_only_documents_of_the_size_that_the_goals_speak_of_are_held_to_them(self):
        row = self.made("anim", {"convert": (9, 1500)}, size=0.2).conversions[0]
        self.assertEqual((row["mustBytes"], row["mustOfLoad"], row["ofLoad"]), (None, None, 9))

    def test_one_that_failed_has_no_row(self):
        made = self.made("mesh", {"convert": (2, 1, 1), "assimp-export": (7,)})
        self.assertEqual((made.ratios, made.conversions), ([], []))

    def test_without_the_other_exporter_our_own_is_measured(self):
        made = self.made("mesh", {"convert": (2,)}, exporter=None)
        self.assertEqual((made.ratios, len(made.conversions)), ([], 1))

    def test_pictures_stand_beside_those_of_another_program(self):
        with tempfile.TemporaryDirectory() as folder:
            options = argparse.Namespace(peers=["blender"], runs=1, patience=1)
            programs = {"dae": "dae", "renderers": {"blender": ["blender", "--"]}}
            made = suite.Suite(options, Costs({"render": (2,), "blender": (9,)}), programs, Path(folder), lambda _: None)
            made.render("mesh", 0.1)
            self.assertEqual([(row["what"], row["peer"], row["ratio"]) for row in made.ratios], [("render", "blender", 4.5)])
            self.assertIn("dae render", report.measured({"measurements": made.measurements}))

    def test_longer_documents_cost_as_much_a_megabyte(self):
        made = self.made("scene", {"convert": (1,)})
        made.options.kinds, made.options.sizes = ["scene"], [0.1, 1]
        made.inputs = [{"kind": "scene", "megabytes": size, "bytes": bytes} for size, bytes in ((0.1, 100), (1, 1000))]
        made.ours["scene", "convert", 1] = {"convert": [run(12)]}
        rows = [row for row in made.linearity() if row["what"] == "convert"]
        self.assertEqual([(row["ratio"], row["must"]) for row in rows], [(1.2, 1.1)])


class Inputs(unittest.TestCase):
    def test_documents_are_the_same_bytes_everywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind, expected in SHA256.items():
                self.assertEqual(inputs.sha256(inputs.document(Path(folder), kind, 1)), expected, kind)

    def test_an_archive_is_packed(self):
        with tempfile.TemporaryDirectory() as folder:
            document = inputs.document(Path(folder), "mesh", 0.1)
            packed, _ = inputs.archive(document)
            self.assertLess(packed.stat().st_size, document.stat().st_size / 2)

    def test_what_memory_may_grow_with_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            text = inputs.document(Path(folder), "scene", 0.1).read_bytes()
            ids, nodes = inputs.ids_and_nodes(Path(folder, "scene-0.1.dae"))
        self.assertEqual((ids, nodes), (text.count(b' id="'), text.count(b"<node ")))
        self.assertGreater(nodes, 10)

    def test_an_archive_is_the_same_bytes_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            packed, zae = inputs.archive(inputs.document(Path(folder), "mesh", 0.1))
            first = packed.read_bytes()
            self.assertEqual(zae.read_bytes(), first)
            packed.unlink()
            os.utime(Path(folder, "mesh-0.1.dae"), (1e9, 1e9))
            self.assertEqual(inputs.archive(Path(folder, "mesh-0.1.dae"))[0].read_bytes(), first)


class Reckoning(unittest.TestCase):
    def test_a_ratio_is_the_median_of_the_rounds(self):
        self.assertEqual(ratio([run(4), run(9), run(2)], [run(2), run(3), run(2)]), (2, 1, 3))

    def test_a_reader_that_ran_once_is_held_against_the_median(self):
        self.assertEqual(ratio([run(30)], [run(2), run(3), run(9)]), (10, 10, 10))

    def test_what_failed_has_no_ratio(self):
        self.assertIsNone(ratio([run(1), run(1, code=-9)], [run(1), run(1)]))
        self.assertIsNone(ratio([], [run(1)]))

    def test_a_failed_run_has_no_rate(self):
        row = measurement("a.dae", 5_000_000, "load", [run(1), run(3), run(2)])
        self.assertEqual((row["cpuSeconds"], row["cpuLeast"], row["cpuMost"]), (2, 1, 3))
        self.assertEqual((row["megabytesPerSecond"], row["failure"]), (2.5, None))
        row = measurement("a.dae", 5_000_000, "load", [run(1, code=-9)])
        self.assertEqual((row["megabytesPerSecond"], row["failure"]), (None, -9))


class Touching(unittest.TestCase):
    def test_as_much_as_any_of_the_readers_took_for_all_of_them(self):
        peaks, asked = {"small": 10 << 20, "large": 1000 << 20}, []

        class Peaks(Runner):
            def __init__(self):
                pass

            def run(self, command, all_cores=False, touched=0):
                asked.append((command, touched))
                return run(1, peaks[command])

        Peaks().rounds({name: name for name in peaks}, 2, 10)
        self.assertEqual(asked, [("small", 256), ("large", 256)] + 2 * [("small", 1250), ("large", 1250)])


class Guard(unittest.TestCase):
    def test_more_than_the_tolerance_fails(self):
        lines, grown = instructions.compare({"a": 1000, "b": 1000, "c": 1000}, {"a": 1051, "b": 1049, "c": 900})
        self.assertEqual(grown, ["a"])
        self.assertIn("TOO MANY", lines[0])
        self.assertIn("may be lowered", lines[2])

    def test_what_the_baseline_does_not_have_fails(self):
        self.assertEqual(instructions.compare({}, {"a": 1})[1], ["a"])

    def test_other_circumstances_are_told(self):
        here = {"swift": "6.3", "architecture": "x86_64", "libxml2": "2", "glibc": "2", "documents": {}}
        self.assertEqual(instructions.differences(here | {"instructions": {}}, here), [])
        self.assertEqual(instructions.differences(here | {"swift": "6.2"}, here), ["swift was 6.2 and is 6.3"])

    def test_the_baseline_is_of_these_documents(self):
        baseline = json.loads(instructions.BASELINE.read_text())
        self.assertEqual(baseline["documents"], SHA256)
        self.assertEqual(sorted(baseline["instructions"]), ["anim", "mesh", "scene", "start"])


class Report(unittest.TestCase):
    def test_verdicts(self):
        self.assertEqual(report.verdict(2, 3, 4), "MISSED")
        self.assertEqual(report.verdict(3, 3, 4), "as it must be")
        self.assertEqual(report.verdict(4, 3, 4), "goal reached")
        self.assertEqual(report.verdict(2, 1, smaller=True), "MISSED")
        self.assertEqual(report.verdict(2, None), "")

    def test_the_page_is_what_was_measured(self):
        result = json.loads((TOP / "scripts/benchmarks/benchmark.json").read_text())
        docc = TOP / "Sources/Daedalus/Daedalus.docc"
        self.assertEqual((docc / "Benchmarks.md").read_text(), report.page(result), "run scripts/benchmark --page")
        self.assertEqual((docc / "Resources/benchmarks.svg").read_text(), report.plot(result))


if __name__ == "__main__":
    unittest.main()
