"""What pygltflib makes of .glb files: peer_pygltflib.py FILE…; a line of JSON for each."""

import sys

import numpy
import pygltflib
from told import tell

TRIANGLES = 4


def matrix(node):
    if node.matrix is not None:
        return numpy.array(node.matrix).reshape(4, 4).T
    made = numpy.eye(4)
    x, y, z, w = node.rotation or [0, 0, 0, 1]
    # The turn of a quaternion as two reflections: v + 2w(q × v) + 2q × (q × v).
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    made[:3, :3] = (numpy.eye(3) + 2 * w * cross + 2 * cross @ cross) * (node.scale or [1, 1, 1])
    made[:3, 3] = node.translation or [0, 0, 0]
    return made


def points(file, index):
    accessor = file.accessors[index]
    view = file.bufferViews[accessor.bufferView]
    start, stride = (view.byteOffset or 0) + (accessor.byteOffset or 0), view.byteStride or 12
    return numpy.ndarray((accessor.count, 3), "<f4", file.binary_blob(), start, (stride, 4)).astype(float)


def look(path):
    file = pygltflib.GLTF2.load(path)
    lows, highs, triangles = [], [], 0
    stack = [(root, numpy.eye(4)) for root in file.scenes[file.scene].nodes]
    while stack:
        index, around = stack.pop()
        node = file.nodes[index]
        world = around @ matrix(node)
        stack += [(child, world) for child in node.children]
        for primitive in [] if node.mesh is None else file.meshes[node.mesh].primitives:
            moved = points(file, primitive.attributes.POSITION) @ world[:3, :3].T + world[:3, 3]
            lows.append(moved.min(axis=0))
            highs.append(moved.max(axis=0))
            if primitive.mode == TRIANGLES:
                triangles += file.accessors[primitive.indices].count // 3
    return {
        "triangles": triangles,
        "min": numpy.min(lows, axis=0).tolist(),
        "max": numpy.max(highs, axis=0).tolist(),
        "nodes": len(file.nodes),
        "skins": len(file.skins),
        "animations": len(file.animations),
        "materials": len(file.materials),
    }


tell(look, sys.argv[1:])
