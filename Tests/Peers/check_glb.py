"""Holds converted documents of the corpus against `dae inspect`, as independent readers of .glb see them.

check_glb.py DAE CORPUS TOOLS [--all]: converts the documents of sample.txt, or all, and gives the files of all of them to
one process of each peer that lies in the folder TOOLS, as scripts/gates/check-glb puts it there; Blender, which takes long,
only with --all. One line a peer on standard output; what differs on standard error.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import rules  # noqa: E402
from expected import expected, is_drawn  # noqa: E402
from glb import GLB  # noqa: E402
from pose import Pose  # noqa: E402

HERE = Path(__file__).resolve().parent

class Converted:
    """A document, its file, and what the file must hold; `None` for a document that draws nothing."""

    def __init__(self, dae, corpus, path, target):
        self.path, self.target = path, target
        said = subprocess.run([dae, "inspect", "-q", "--format", "json", corpus / path], capture_output=True, text=True)
        inspected = json.loads(said.stdout) if said.stdout.startswith("{") else {}
        self.is_drawn = is_drawn(path, inspected)
        if not self.is_drawn:
            return
        report = target.with_suffix(".json")
        command = [dae, "convert", "-q", corpus / path, "-o", target, "--report", report]
        done = subprocess.run(command, capture_output=True, text=True)
        self.failure = None if done.returncode == 0 else f"dae convert ended with {done.returncode}: {done.stderr.strip()}"
        if self.failure is None:
            self.file = GLB(target)
            self.expected = expected(path, inspected, json.loads(report.read_text()), self.file)


def documents(corpus, is_all):
    if not is_all:
        return (HERE / "sample.txt").read_text().splitlines()
    with open(corpus / "MANIFEST.tsv") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row["path"] for row in rows if row["expect"] != "fails"]


def own(converted):
    """The file as it is, without any peer."""
    low, high = Pose(converted.file).bounds()
    lists = {name: len(converted.file.list(name)) for name in ("nodes", "skins", "animations")}
    return {"triangles": converted.file.triangles(), "min": low, "max": high, "materials": materials(converted.file), **lists}


def materials(file):
    """Those of the document: one is written again where geometries want other sides or sets of coordinates of it."""
    forms = {}
    for material in file.list("materials"):
        # One without an id makes a geometry double-sided that has no material.
        if material.get("extras", {}).get("id") is not None:
            form = json.dumps(without_uses(material), sort_keys=True)
            forms.setdefault(form, []).append(json.dumps(material, sort_keys=True))
    # The same twice to the letter is none written again.
    return sum(len(written) - len(set(written)) + 1 for written in forms.values())


def without_uses(value):
    if not isinstance(value, dict):
        return value
    return {key: without_uses(part) for key, part in value.items() if key not in ("doubleSided", "texCoord")}


def peers(tools, is_all):
    """Commands that take files, by the peer's name; `None` for one that is not installed."""
    python, assimp, blender = tools / "venv/bin/python", tools / "peer_assimp", shutil.which("blender")
    has_python = python.exists()
    found = {name: [python, HERE / f"peer_{name}.py"] if has_python else None for name in ("trimesh", "pygltflib")}
    found["assimp"] = [assimp] if assimp.exists() else None
    if is_all:
        script = ["--background", "--factory-startup", "--python", HERE / "peer_blender.py", "--", "{answers}"]
        found["blender"] = [blender, *script] if blender else None
    return found


def answers(command, files, folder):
    """One process over all files; a peer that ends early has said nothing of the rest."""
    target = folder / "answers"
    done = subprocess.run(
        [target if word == "{answers}" else word for word in command] + [file.target for file in files],
        capture_output=True, text=True,
    )
    said = [json.loads(line) for line in (target.read_text() if target.exists() else done.stdout).splitlines()]
    target.unlink(missing_ok=True)
    missing = {"error": f"the peer ended with {done.returncode}: {done.stderr.strip()[-300:]}"}
    return said + [missing] * (len(files) - len(said))


def differences(peer, converted, seen):
    wanted = rules.adjusted(peer, converted)
    if "error" in seen:
        return [] if wanted is None else [seen["error"]]
    # A peer that has no word for something, as trimesh for skins, says nothing of it.
    counts = [key for key in ("triangles", "nodes", "skins", "animations", "materials") if key in wanted and key in seen]
    found = [f"{key}: {seen[key]}, expected {wanted[key]}" for key in counts if seen[key] != wanted[key]]
    size = max(high - low for low, high in zip(wanted["min"], wanted["max"]))
    off = max(abs(a - b) for end in ("min", "max") for a, b in zip(wanted[end], seen[end]))
    share = max(rules.tolerance(peer, converted.file), wanted.get("deviation", 0))
    if not off <= share * size + rules.rounding(wanted):
        found.append(f"bounds: {seen['min']} to {seen['max']}, expected {wanted['min']} to {wanted['max']}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dae")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("tools", type=Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        paths = documents(options.corpus, options.all)
        all_files = [Converted(options.dae, options.corpus, path, folder / f"{place:03}.glb") for place, path in enumerate(paths)]
        drawn = [file for file in all_files if file.is_drawn]
        files = [file for file in drawn if file.failure is None]
        is_good = len(files) == len(drawn)
        for file in drawn:
            if file.failure:
                print(f"{file.path}: {file.failure}", file=sys.stderr)
        seen = {"the file": [own(file) for file in files]}
        for name, command in peers(options.tools, options.all).items():
            if command is None:
                print(f"{name}: not installed, skipped")
            else:
                seen[name] = answers(command, files, folder)
        for name, said in seen.items():
            found = [(file.path, difference) for file, one in zip(files, said) for difference in differences(name, file, one)]
            for path, difference in found:
                print(f"{name}: {path}: {difference}", file=sys.stderr)
            compared = sum("error" not in one for one in said)
            is_good &= not found and compared > 0.9 * len(files)  # a peer that reads nothing has shown nothing
            print(f"{name}: {compared} of {len(files)} files, {len(found)} differences")
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
