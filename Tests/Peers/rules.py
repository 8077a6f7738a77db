"""Where a peer is known to differ for a reason of its own, and exactly how."""

import numpy
from glb import TRIANGLES
from pose import Pose

LINE_STRIP = 3
# What the peers give in floats is that near to what they were given, far from the origin.
FLOAT = 2e-7


def adjusted(peer, converted):
    """What a file must hold as this peer counts; `None` where it cannot hold anything for it."""
    wanted = dict(converted.expected)
    if peer in RULES:
        # Each that is there, of one id or not.
        wanted["materials"] = len(converted.file.list("materials"))
    return RULES.get(peer, unchanged)(wanted, converted.file)


def unchanged(wanted, file):
    return wanted


def unposed(wanted, file):
    # It leaves meshes where their nodes stand, whatever bends them.
    if file.list("skins") or any("weights" in mesh for mesh in file.list("meshes")):
        wanted["min"], wanted["max"] = file.bounds()
    return wanted


def trimesh(wanted, file):
    # It reads triangles, lines and points, and skips line strips: of a file that has no more nothing is left.
    is_read = any(primitive.get("mode", TRIANGLES) != LINE_STRIP for _, primitive in file.drawn())
    return unposed(wanted, file) if is_read else None


def assimp(wanted, file):
    # It adds a material for primitives without one to every file, and a root where a scene has several.
    wanted["materials"] += 1
    wanted["nodes"] += len(file.list("scenes")[0]["nodes"]) > 1
    return unposed(wanted, file)


def blender(wanted, file):
    # Its meshes cannot hold a triangle that has a vertex twice, nor a second triangle of the same vertices.
    wanted["triangles"] = distinct_triangles(file)
    # It poses what it reads, by the first animation at its beginning, with the weights of morphs.
    if file.list("animations") or file.list("skins") or any("weights" in mesh for mesh in file.list("meshes")):
        wanted["min"], wanted["max"] = Pose(file, 0 if file.list("animations") else None).bounds()
    # A skin's nodes become bones of an armature, which takes the place of a node or stands beside them.
    if file.list("skins"):
        del wanted["nodes"]
    return wanted


def distinct_triangles(file):
    drawn = [primitive for _, primitive in file.drawn() if primitive.get("mode", TRIANGLES) == TRIANGLES]
    return sum(distinct(file.indices(primitive)) for primitive in drawn)


def distinct(indices):
    corners = numpy.sort(indices[: len(indices) // 3 * 3].reshape(-1, 3), axis=1)
    whole = corners[(corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2])]
    return len(numpy.unique(whole, axis=0))


RULES = {"trimesh": trimesh, "pygltflib": unposed, "assimp": assimp, "blender": blender}


def tolerance(peer, file):
    """How far bounds may be off, as a share of the size."""
    # Its bones are heads, tails and rolls in floats, from which it makes the matrices anew.
    return 1e-4 if peer == "blender" and file.list("skins") else 1e-5


def rounding(wanted):
    return FLOAT * max(abs(value) for end in ("min", "max") for value in wanted[end])
