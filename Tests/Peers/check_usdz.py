"""Holds converted documents against OpenUSD, and what it reads in them against `dae inspect` and the same as .glb.

check_usdz.py DAE CORPUS NEWEST [--all]: converts the documents of sample.txt, or all, and those of Fixtures. Each is read by
the usd-core that runs this, which must know Apple's rules (ComplianceChecker with `arkit`), and validated by NEWEST, the
Python of another environment. Of the documents in pictures.txt the silhouette of what was read is held against that of
`dae render`, too. What differs is on standard error.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
import second_path  # noqa: E402
from check_glb import documents  # noqa: E402
from expected import expected, is_drawn  # noqa: E402
from glb import GLB, TRIANGLES  # noqa: E402
from pose import Pose  # noqa: E402
from pxr import Usd, UsdLux, UsdUtils  # noqa: E402
from usdz import USDZ  # noqa: E402

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parents[1] / "Fixtures"
# Where in an animation corners are compared: at its ends, in its middle, and twice where few keys are.
SHARES = (0, 0.23, 0.5, 0.71, 1)
# Of the scene's size.
TOLERANCE = 1e-4
# Of the pixels that either picture covers, those that both do.
LEAST_AGREEMENT = 0.98


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


class Converted:
    """A document as both formats; without a file where it draws nothing."""

    def __init__(self, dae, path, name, folder, number):
        self.name, self.path, self.failure, self.agreed = name, folder / f"{number:03}.usdz", None, None
        said = run(dae, "inspect", "-q", "--format", "json", path)
        inspected = json.loads(said.stdout) if said.stdout.startswith("{") else {}
        self.is_drawn = inspected.get("scene") is not None and is_drawn(name, inspected)
        if not self.is_drawn:
            return
        self.reports = {}
        for file in (self.path, self.path.with_suffix(".glb")):
            report = file.with_suffix(file.suffix + ".json")
            done = run(dae, "convert", "-q", path, "-o", file, "--report", report)
            if done.returncode != 0:
                self.failure = f"dae convert to {file.suffix} ended with {done.returncode}: {done.stderr.strip()}"
                return
            self.reports[file.suffix] = json.loads(report.read_text())
        self.glb = GLB(self.path.with_suffix(".glb"))
        self.expected = expected(name, inspected, self.reports[".glb"], self.glb)

    def differences(self, dae, source, is_pictured):
        try:
            file = USDZ(self.path)
            silhouettes = self.silhouettes(file, dae, source) if is_pictured else []
            return [*compliance(self.path), *self.counts(file), *self.places(file), *silhouettes]
        except Exception as error:  # whatever it is, it is what OpenUSD says of the file
            return [f"{type(error).__name__}: {error}"]

    def counts(self, file):
        glb, contents = self.glb, self.reports[".usdz"]["contents"]
        materials, ids = file.materials()
        seen = {
            "triangles": (file.triangles(), glb.triangles()),
            "nodes": (file.nodes(), len(glb.list("nodes")) - has_root(glb)),
            "nodes said": (contents["nodes"], len(glb.list("nodes"))),
            "materials said": (contents["materials"], materials),
            "ids of materials": (ids, {row["extras"]["id"] for row in drawn_materials(glb) if "id" in row.get("extras", {})}),
            "images": (len(file.files) - 1, contents["images"]),
            "animations": (len(file.clips()), len(glb.list("animations"))),
            "animations said": (contents["animations"], len(glb.list("animations"))),
            "joints": (file.joints(), joints(glb)),
            "bytes said": (contents["bytes"], self.path.stat().st_size),
        }
        if all(primitive.get("mode", TRIANGLES) == TRIANGLES for _, primitive in glb.drawn()):
            seen["images of the .glb"] = (len(file.files) - 1, len(glb.list("images")))
        # Of triangles without positions nothing is drawn.
        if not {row["subject"] for row in self.reports[".usdz"]["changes"]} & {"corners", "empty-meshes"}:
            seen["triangles of the scene"] = (file.triangles(), self.expected["triangles"])
        return [f"{name}: {found}, expected {wanted}" for name, (found, wanted) in seen.items() if found != wanted]

    def silhouettes(self, file, dae, source):
        # Quick Look takes no lines, which is told.
        if any(primitive.get("mode", TRIANGLES) != TRIANGLES for _, primitive in self.glb.drawn()):
            return
        agreed = second_path.agreement(dae, source, numpy.concatenate(file.corners(None)), self.path)
        self.agreed = agreed
        if agreed < LEAST_AGREEMENT:
            yield f"silhouettes agree in {agreed:.4f}"

    def places(self, file):
        """What the corners of all triangles are off, at rest and at times of the first and the last animation."""
        poses = [(None, Pose(self.glb))]
        clips = file.clips()
        for number in sorted({0, len(clips) - 1}) if clips else []:
            start, end = clips[number]
            for share in SHARES:
                time = start + (end - start) * share
                poses.append((time, Pose(self.glb, number, (time - start) / file.rate)))
        for time, pose in poses:
            wanted, seen = corners(pose), file.corners(time)
            if [len(one) for one in wanted] != [len(one) for one in seen]:
                yield f"corners at {time}: of {len(seen)} nodes, expected those of {len(wanted)}"
                return
            if not wanted:
                continue
            wanted, seen = numpy.concatenate(wanted), numpy.concatenate(seen)
            size = max((wanted.max(axis=0) - wanted.min(axis=0)).max(), 1e-30)
            off = numpy.abs(wanted - seen).max() / size
            # Far from the origin numbers of 32 bits are further apart.
            if not off <= TOLERANCE + 4e-7 * numpy.abs(wanted).max() / size:
                yield f"corners at {time}: off by {off:.2g} of the size"


def lights(dae, folder):
    """What lights are otherwise than in the .glb, of the file that is not for Quick Look."""
    source, path = FIXTURES / "documents" / "lights.dae", folder / "lights.usdz"
    run(dae, "convert", "-q", source, "-o", path, "--profile", "usd")
    run(dae, "convert", "-q", source, "-o", path.with_suffix(".glb"))
    glb, wanted = GLB(path.with_suffix(".glb")), []
    strengths = {"directional": ("DistantLight", 1), "point": ("SphereLight", 4), "spot": ("SphereLight", 4)}
    for node in glb.list("nodes"):
        place = node.get("extensions", {}).get("KHR_lights_punctual", {}).get("light")
        if place is not None:
            light = glb.json["extensions"]["KHR_lights_punctual"]["lights"][place]
            kind, factor = strengths[light["type"]]
            cone = round(math.degrees(light["spot"]["outerConeAngle"]), 3) if "spot" in light else None
            wanted.append((kind, round(factor * light["intensity"], 3), cone, [round(float(one), 4) for one in light["color"]]))
    found = []
    stage = Usd.Stage.Open(str(path))
    for prim in stage.Traverse():
        if prim.HasAPI(UsdLux.LightAPI):
            light, shaping = UsdLux.LightAPI(prim), UsdLux.ShapingAPI(prim)
            cone = round(shaping.GetShapingConeAngleAttr().Get(), 3) if prim.HasAPI(UsdLux.ShapingAPI) else None
            color = [round(one, 4) for one in light.GetColorAttr().Get()]
            found.append((prim.GetTypeName(), round(light.GetIntensityAttr().Get(), 3), cone, color))
    return [] if sorted(map(str, found)) == sorted(map(str, wanted)) and found else [f"lights: {found}, expected {wanted}"]


def compliance(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker = UsdUtils.ComplianceChecker(arkit=True)
    checker.CheckCompliance(str(path))
    return checker.GetErrors() + checker.GetFailedChecks()


def has_root(glb):
    """Whether one node is above all and stands for nothing else: it is the root prim."""
    roots = glb.list("scenes")[0]["nodes"]
    return len(roots) == 1 and glb.list("nodes")[roots[0]].keys() <= {"matrix", "children"} and "children" in glb.list("nodes")[roots[0]]


def drawn_materials(glb):
    used = {
        primitive.get("material") for _, primitive in glb.drawn() if primitive.get("mode", TRIANGLES) == TRIANGLES
    }
    return [row for place, row in enumerate(glb.list("materials")) if place in used]


def joints(glb):
    skins = [
        glb.list("nodes")[node]["skin"]
        for node in {node for node, primitive in glb.drawn() if primitive.get("mode", TRIANGLES) == TRIANGLES}
        if "skin" in glb.list("nodes")[node]
    ]
    return sorted(len(glb.list("skins")[skin]["joints"]) for skin in skins)


def corners(pose):
    """As `USDZ.corners` has them: node after node, each before those below it."""
    file, found = pose.file, {}
    shown = {}
    for node, primitive in file.drawn():
        if primitive.get("mode", TRIANGLES) == TRIANGLES:
            shown.setdefault(node, []).append(primitive)
    stack = list(reversed(file.list("scenes")[0]["nodes"]))
    while stack:
        node = stack.pop()
        for primitive in shown.get(node, []):
            indices = file.indices(primitive)
            points = pose.positions(node, primitive)[indices[: len(indices) // 3 * 3]]
            found.setdefault(node, []).append(points)
        stack += reversed(file.list("nodes")[node].get("children", []))
    return [numpy.concatenate(parts) for parts in found.values()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("newest")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    sources = [(path.name, path) for path in sorted(FIXTURES.glob("documents/*.dae")) + sorted(FIXTURES.glob("bundles/*.[zk]??"))]
    sources += [(name, options.corpus / name) for name in documents(options.corpus, options.all)]
    found, files = [], []
    pictured = {line.split("\t")[0] for line in (HERE / "pictures.txt").read_text().splitlines()}
    sources += [(name, options.corpus / name) for name in sorted(pictured - {name for name, _ in sources})]
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, path) in enumerate(sources):
            converted = Converted(options.dae, path, name, Path(folder), number)
            if not converted.is_drawn:
                continue
            files.append(converted)
            differences = [converted.failure] if converted.failure else converted.differences(options.dae, path, name in pictured)
            found += [(name, difference) for difference in differences]
            converted.path.with_suffix(".glb").unlink(missing_ok=True)
            converted.glb = None
        found += [("lights.dae", difference) for difference in lights(options.dae, Path(folder))]
        whole = [file for file in files if file.failure is None]
        done = run(options.newest, HERE / "peer_usd_validation.py", *(file.path for file in whole))
        said = [json.loads(line) for line in done.stdout.splitlines()]
        said += [{"error": done.stderr.strip()[-300:]}] * (len(whole) - len(said))
        for file, answer in zip(whole, said):
            found += [(file.name, error) for error in answer.get("errors", [answer.get("error")])]
    for name, difference in found:
        print(f"{name}: {difference}", file=sys.stderr)
    agreed = [file.agreed for file in files if file.agreed is not None]
    print(f"OpenUSD: {len(whole)} of {len(files)} files, {len(found)} differences; {len(agreed)} silhouettes, the least {min(agreed):.4f}")
    sys.exit(bool(found) or not whole)


if __name__ == "__main__":
    main()
