"""Holds documents of the corpus written as OBJ, STL and PLY against their .glb, as independent readers see them.

check_plain.py DAE CORPUS TOOLS [--all]: as check_glb.py beside it; the same triangles and the same box. Blender, which is
asked with --all, leaves out triangles without an area and those that are there twice.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
from check_glb import answers, documents, peers  # noqa: E402
from glb import GLB  # noqa: E402
from pose import Pose  # noqa: E402

FORMATS = ("obj", "stl", "ply")
# Of the box's size: places in the world are numbers of 32 bits, and so are the skins' that a reader computes.
SHARE = 1e-4


class Plain:
    def __init__(self, path, target):
        self.path, self.target = path, target


def convert(dae, source, target):
    done = subprocess.run([dae, "convert", "-q", source, "-o", target], capture_output=True, text=True)
    return None if done.returncode == 0 else f"dae convert ended with {done.returncode}: {done.stderr.strip()}"


def wanted(dae, source, target):
    """Triangles and box of the .glb; `None` for one that draws no triangle, or lines besides."""
    if convert(dae, source, target):
        return None
    file = GLB(target)
    modes = [part.get("mode", 4) for mesh in file.list("meshes") for part in mesh["primitives"]]
    if not file.triangles() or any(mode != 4 for mode in modes):
        return None
    pose = Pose(file)
    low, high = pose.bounds()
    return {"triangles": file.triangles(), "distinct": distinct(file, pose, low, high), "min": low, "max": high}


def distinct(file, pose, low, high):
    """Triangles of three places that no other has: at least so many are left of them."""
    size = max(b - a for a, b in zip(low, high)) or 1
    corners = [pose.positions(node, part)[file.indices(part)] for node, part in file.drawn()]
    places = numpy.round((numpy.concatenate(corners) - numpy.array(low)) / size * 1e5).astype(int).reshape(-1, 3, 3)
    faces = {tuple(sorted(map(tuple, face))) for face in places.tolist()}
    return sum(len(set(face)) == 3 for face in faces)


def differences(name, wanted, seen):
    if "error" in seen:
        return [seen["error"]]
    found = []
    least = wanted["distinct"] if name == "blender" else wanted["triangles"]
    if not least <= seen["triangles"] <= wanted["triangles"]:
        found.append(f"triangles: {seen['triangles']}, expected {wanted['triangles']}")
    numbers = wanted["min"] + wanted["max"]
    size = max(high - low for low, high in zip(wanted["min"], wanted["max"]))
    off = max(abs(a - b) for end in ("min", "max") for a, b in zip(wanted[end], seen[end]))
    if not off <= SHARE * size + 1e-6 * max(abs(number) for number in numbers):
        found.append(f"box: {seen['min']} to {seen['max']}, expected {wanted['min']} to {wanted['max']}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("tools", type=Path)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    is_wrong = False
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = {format: [] for format in FORMATS}
        boxes = {}
        for number, path in enumerate(documents(given.corpus, given.all)):
            box = wanted(given.dae, given.corpus / path, folder / f"{number}.glb")
            if box is None:
                continue
            boxes[path] = box
            for format in FORMATS:
                target = folder / f"{number}.{format}"
                failure = convert(given.dae, given.corpus / path, target)
                if failure:
                    print(f"{path}: {format}: {failure}", file=sys.stderr)
                    is_wrong = True
                else:
                    files[format].append(Plain(path, target))
        for name, command in peers(given.tools, given.all).items():
            if name == "pygltflib":
                continue
            if command is None:
                print(f"{name}: not installed")
                continue
            for format in FORMATS:
                wrong = 0
                for file, seen in zip(files[format], answers(command, files[format], folder)):
                    found = differences(name, boxes[file.path], seen)
                    wrong += bool(found)
                    for line in found:
                        print(f"{file.path}: {format}: {name}: {line}", file=sys.stderr)
                is_wrong = is_wrong or wrong > 0
                print(f"{name}: {len(files[format])} .{format} read, {wrong} otherwise than the .glb")
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()
