"""Holds compact files against those that are not, which check_glb.py holds against the documents.

check_compact.py DAE CORPUS TOOLS [--all]: converts the documents of sample.txt, or all, in each way of --compact, and reads
them by glb.py, with the decoder of libmeshoptimizer; quantised ones by trimesh, and all by Blender, too. One line a way on standard output; what
differs on standard error.
"""

import argparse
import collections
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from check_glb import answers, documents, peers  # noqa: E402
from glb import GLB  # noqa: E402
from pose import Pose  # noqa: E402
from rules import distinct_triangles  # noqa: E402

WAYS = ("quantized", "meshopt")
# Of the size: positions are off by 1/20,000 at most, along each of three axes; weights in bytes bend a little more.
RIGID, SKINNED = 1e-4, 4e-3


def convert(dae, source, target, *more):
    done = subprocess.run([dae, "convert", "-q", source, "-o", target, *more], capture_output=True, text=True)
    return None if done.returncode == 0 else f"dae convert ended with {done.returncode}: {done.stderr.strip()}"


def labels(file, name):
    return collections.Counter((one.get("name"), str(one.get("extras"))) for one in file.list(name) if one.get("extras"))


def grids(file):
    """Nodes that take whole numbers out of a grid."""
    kinds = file.list("accessors")
    first = lambda node: file.list("meshes")[node["mesh"]]["primitives"][0]["attributes"]["POSITION"]  # noqa: E731
    nodes = [node for node in file.list("nodes") if "mesh" in node and "skin" not in node]
    return sum(node.keys() <= {"mesh", "translation", "scale"} and kinds[first(node)]["componentType"] != 5126 for node in nodes)


def off(one, other):
    """By how much two boxes differ, of the size of the first."""
    size = max(high - low for low, high in zip(*one)) or 1
    return max(abs(a - b) for end, twin in zip(one, other) for a, b in zip(end, twin)) / size


def differences(plain, compact):
    found = []
    counts = {name: (len(plain.list(name)), len(compact.list(name))) for name in ("meshes", "materials", "skins", "animations", "images")}
    counts["triangles"] = plain.triangles(), compact.triangles()
    counts["nodes"] = len(plain.list("nodes")) + grids(compact), len(compact.list("nodes"))
    found += [f"{name}: {two}, expected {one}" for name, (one, two) in counts.items() if one != two]
    found += [f"{name}: names or extras" for name in ("nodes", "meshes", "materials") if labels(plain, name) != labels(compact, name)]
    share = off(Pose(plain).bounds(), Pose(compact).bounds())
    if not share <= (SKINNED if plain.list("skins") else RIGID) + 1e-6:
        found.append(f"bounds: off by {share} of the size")
    return found


class Pair:
    def __init__(self, plain, target):
        self.plain, self.target = plain, target


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("tools", type=Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        plain = {}
        for place, path in enumerate(documents(options.corpus, options.all)):
            target = folder / f"{place:03}.glb"
            if convert(options.dae, options.corpus / path, target) is None and any(GLB(target).drawn()):
                plain[path] = target
        readers = {name: command for name, command in peers(options.tools, options.all).items() if name in ("trimesh", "blender")}
        plainly = {name: answers(command, [Pair(None, path) for path in plain.values()], folder) for name, command in readers.items() if command}
        plainly = {name: dict(zip(plain.values(), said)) for name, said in plainly.items()}
        for way in WAYS:
            pairs, found = [], []
            for path, target in plain.items():
                compact = target.with_suffix(f".{way}.glb")
                failure = convert(options.dae, options.corpus / path, compact, "--compact", way)
                if failure:
                    found.append((path, failure))
                    continue
                pairs.append(Pair(target, compact))
                try:
                    found += [(path, text) for text in differences(GLB(target), GLB(compact))]
                except ValueError as error:
                    found.append((path, str(error)))
            others = 0
            for name, known in plainly.items() if way == "quantized" else ():
                for pair, two in zip(pairs, answers(readers[name], pairs, folder)):
                    one = known[pair.plain]
                    # Some leave skinned meshes where they stand, which says nothing of whole numbers.
                    if "error" in one or GLB(pair.plain).list("skins"):
                        continue
                    others += 1
                    # Corners that fall together in fewer bits make more triangles of the same vertices.
                    triangles = distinct_triangles(GLB(pair.target)) if name == "blender" else one["triangles"]
                    is_same = "error" not in two and two["triangles"] == triangles
                    if not is_same or not off((one["min"], one["max"]), (two["min"], two["max"])) <= RIGID * 2:
                        found.append((pair.target.name, f"{name}: {two}, expected {one}"))
            for path, text in found:
                print(f"{way}: {path}: {text}", file=sys.stderr)
            sizes = [sum(path.stat().st_size for path in paths) for paths in ((pair.plain for pair in pairs), (pair.target for pair in pairs))]
            print(f"{way}: {len(pairs)} files, {others} read by others, {len(found)} differences, {sizes[1]:,} bytes of {sizes[0]:,}")
            is_good &= not found and len(pairs) == len(plain) and len(pairs) > 0
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
