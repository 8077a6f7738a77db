#!/usr/bin/env python3
"""That the comparison of converted files with what other programs read in them finds what is wrong."""

import json
import struct
import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "Tests/Peers"))
import numpy  # noqa: E402
from check_glb import answers, differences, materials, own  # noqa: E402
from expected import expected, is_drawn  # noqa: E402
from glb import GLB  # noqa: E402
from pose import Pose  # noqa: E402


class File:
    """A .glb of one accessor after the other, and of what else is said."""

    def __init__(self):
        self.binary, self.json = b"", {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": []}

    def add(self, values, kind="VEC3", component=5126):
        packed = numpy.array(values, {5126: "<f4", 5123: "<u2"}[component]).tobytes()
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(packed)})
        self.json["accessors"].append(
            {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": component, "count": len(values), "type": kind}
        )
        self.binary += packed + bytes(-len(packed) % 4)
        return len(self.json["accessors"]) - 1

    def read(self, **lists):
        text = json.dumps(self.json | lists | {"buffers": [{"byteLength": len(self.binary)}]}).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(self.binary), b"BIN\0") + self.binary
        with tempfile.NamedTemporaryFile() as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
            file.flush()
            return GLB(file.name)


def triangle(file, **more):
    points = file.add([[0, 0, 0], [2, 0, 0], [0, 2, 0]])
    return {"attributes": {"POSITION": points, **more}, "indices": file.add([[0], [1], [2]], "SCALAR", 5123)}


def drawn(**node):
    """One triangle on one node, moved to 5 0 0."""
    file = File()
    primitive = triangle(file)
    nodes = [{"mesh": 0, "translation": [5, 0, 0], **node}]
    return file.read(scenes=[{"nodes": [0]}], nodes=nodes, meshes=[{"primitives": [primitive]}])


WANTED = {"triangles": 1, "min": [5, 0, 0], "max": [7, 2, 0], "nodes": 1, "skins": 0, "animations": 0, "materials": 0}


class Comparing(unittest.TestCase):
    def differences(self, seen, peer="the file", file=None):
        return differences(peer, types.SimpleNamespace(expected=dict(WANTED), file=file or drawn()), seen)

    def test_what_is_as_it_should_be_differs_in_nothing(self):
        self.assertEqual(self.differences(own(types.SimpleNamespace(file=drawn()))), [])

    def test_each_count_is_looked_at(self):
        for key in ("triangles", "nodes", "skins", "animations", "materials"):
            self.assertEqual(self.differences(WANTED | {key: 9}), [f"{key}: 9, expected {WANTED[key]}"])

    def test_a_corner_that_is_off_is_seen(self):
        self.assertEqual(len(self.differences(WANTED | {"max": [7, 2.0001, 0]})), 1)
        self.assertEqual(len(self.differences(WANTED | {"min": [float("nan"), 0, 0]})), 1)
        self.assertEqual(self.differences(WANTED | {"max": [7, 2.00001, 0]}), [])

    def test_a_file_that_a_peer_refuses_is_told(self):
        self.assertEqual(self.differences({"error": "no"}, "trimesh"), ["no"])

    def test_what_a_peer_adds_is_exact(self):
        self.assertEqual(self.differences(WANTED | {"materials": 1}, "assimp"), [])
        self.assertEqual(self.differences(WANTED, "assimp"), ["materials: 0, expected 1"])

    def test_a_peer_that_ends_early_has_read_nothing_of_the_rest(self):
        files = [types.SimpleNamespace(target="a"), types.SimpleNamespace(target="b")]
        with tempfile.TemporaryDirectory() as folder:
            said = answers(["sh", "-c", "echo '{}'; exit 3"], files, Path(folder))
        self.assertEqual(said[0], {})
        self.assertIn("ended with 3", said[1]["error"])


class Expecting(unittest.TestCase):
    def inspected(self, **more):
        scene = {"triangles": 1, "instances": 1, "nodes": 1, "bounds": {"min": [0, 0, 0], "max": [100, 200, 300]}}
        counts = {"skins": 0, "lines": 0}
        document = {"unit": {"meter": 0.01}, "upAxis": "Z_UP"}
        return {"scene": scene, "counts": counts, "document": document, "animations": [], "animationClips": [], "materials": [], "linked": None} | more

    def test_bounds_are_metres_with_y_up(self):
        wanted = expected("a.dae", self.inspected(), {"changes": []}, drawn())
        self.assertEqual((wanted["min"], wanted["max"]), ([0, 0, -2], [1, 3, 0]))
        self.assertEqual(wanted["nodes"], 2)

    def test_nothing_is_drawn_without_positions(self):
        inspected = self.inspected()
        self.assertTrue(is_drawn("a.dae", inspected))
        inspected["scene"]["bounds"] = None
        self.assertFalse(is_drawn("a.dae", inspected))

    def test_channels_without_keys_make_no_animation(self):
        rows = [{"channels": 1, "end": None}]
        self.assertEqual(expected("a", self.inspected(animations=rows), {"changes": []}, drawn())["animations"], 0)
        rows = [{"channels": 1, "end": 2}]
        self.assertEqual(expected("a", self.inspected(animations=rows), {"changes": []}, drawn())["animations"], 1)


    def test_materials_are_those_in_use_of_all_documents(self):
        rows = [{"id": "a", "used": True}, {"id": "b", "used": False}]
        count = lambda **more: expected("a", self.inspected(materials=rows, **more), {"changes": []}, drawn())["materials"]
        self.assertEqual(count(), 1)
        self.assertEqual(count(linked={"materials": rows}), 2)


class Counting(unittest.TestCase):
    def count(self, *rows):
        return materials(types.SimpleNamespace(list=lambda name: [dict(row) for row in rows]))

    def test_a_material_of_two_uses_is_one(self):
        a = {"extras": {"id": "a"}}
        self.assertEqual(self.count(a, a | {"doubleSided": True}, {"extras": {"id": "b"}}), 2)

    def test_one_that_is_written_twice_is_seen(self):
        self.assertEqual(self.count({"extras": {"id": "a"}}, {"extras": {"id": "a"}}), 2)

    def test_one_of_no_document_is_none(self):
        self.assertEqual(self.count({"doubleSided": True}), 0)


class Posing(unittest.TestCase):
    def moved(self, kind, keys, path="translation", time=0.25):
        file = File()
        primitive = triangle(file)
        sampler = {"input": file.add([[0], [1]], "SCALAR"), "output": file.add(keys, f"VEC{len(keys[0])}"), "interpolation": kind}
        animation = {"samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}]}
        lists = {"nodes": [{"mesh": 0}], "meshes": [{"primitives": [primitive]}], "animations": [animation]}
        file = file.read(scenes=[{"nodes": [0]}], **lists)
        return Pose(file, 0, time).positions(0, primitive)

    def test_keys_are_passed_as_each_interpolation_says(self):
        self.assertEqual(self.moved("LINEAR", [[0, 0, 0], [4, 0, 0]])[0].tolist(), [1, 0, 0])
        self.assertEqual(self.moved("STEP", [[3, 0, 0], [4, 0, 0]])[0].tolist(), [3, 0, 0])
        # In-tangent, value, out-tangent: 4t³ − 6t² + 3t from 0 to 1 with slopes of 3.
        cubic = [[0, 0, 0], [0, 0, 0], [3, 0, 0], [3, 0, 0], [1, 0, 0], [0, 0, 0]]
        self.assertAlmostEqual(self.moved("CUBICSPLINE", cubic)[0][0], 4 / 64 - 6 / 16 + 3 / 4)

    def test_a_turn_goes_evenly_along_the_shorter_way(self):
        half = numpy.sqrt(0.5)
        for sign in (1, -1):
            turned = self.moved("LINEAR", [[0, 0, 0, 1], [0, 0, sign * half, sign * half]], "rotation", 1 / 3)
            numpy.testing.assert_allclose(turned[1], [2 * numpy.cos(numpy.pi / 6), 1, 0], atol=1e-6)

    def test_a_skin_follows_its_joints_and_not_its_node(self):
        file = File()
        joints = file.add([[0, 1, 0, 0]] * 3, "VEC4", 5123)
        weights = file.add([[0.5, 0.5, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]], "VEC4")
        primitive = triangle(file, JOINTS_0=joints, WEIGHTS_0=weights)
        away = numpy.eye(4)
        away[3, 0] = -1
        inverse = file.add([numpy.eye(4).flatten(), away.flatten()], "MAT4")
        nodes = [{"mesh": 0, "skin": 0, "translation": [50, 0, 0]}, {"translation": [0, 0, 4]}, {"translation": [0, 0, 8]}]
        file = file.read(
            scenes=[{"nodes": [0, 1, 2]}], nodes=nodes, meshes=[{"primitives": [primitive]}],
            skins=[{"joints": [1, 2], "inverseBindMatrices": inverse}],
        )
        self.assertEqual(Pose(file).positions(0, primitive).tolist(), [[-0.5, 0, 6], [2, 0, 4], [-1, 2, 8]])


if __name__ == "__main__":
    unittest.main()
