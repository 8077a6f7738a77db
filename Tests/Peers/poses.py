"""Holds animated .glb files against positions that were reckoned without them: poses.py FOLDER.

The folder has `poses.json`, a list: `file` of the .glb, `size` of its scene, `animation` by its place, `times` in it, and
`positions`, a file of doubles: for each time x y z of every corner of every triangle that is drawn, in the file's order.
A line of JSON for each: how far the worst corner is off, as a share of the size.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import numpy  # noqa: E402
from glb import GLB, TRIANGLES  # noqa: E402
from pose import Pose  # noqa: E402

folder = Path(sys.argv[1])
for request in json.loads((folder / "poses.json").read_text()):
    file, worst, corners, moved = GLB(folder / request["file"]), 0.0, 0, 0.0
    expected = numpy.fromfile(folder / request["positions"], "<f8").reshape(len(request["times"]), -1, 3)
    for time, wanted in zip(request["times"], expected):
        pose = Pose(file, request["animation"], time)
        shown = [
            pose.positions(node, primitive)[file.indices(primitive)]
            for node, primitive in file.drawn()
            if primitive.get("mode", TRIANGLES) == TRIANGLES
        ]
        found = numpy.concatenate(shown)
        corners = len(found)
        if found.shape != wanted.shape:
            worst = float("inf")
            break
        worst = max(worst, float(numpy.abs(found - wanted).max()) / request["size"])
        moved = max(moved, float(numpy.abs(wanted - expected[0]).max()) / request["size"])
    # JSON has no infinity.
    print(json.dumps({"worst": min(worst, 1e9), "corners": corners, "expected": expected.shape[1], "moved": moved}))
