"""What trimesh makes of .glb files: peer_trimesh.py FILE…; a line of JSON for each."""

import itertools
import sys

import numpy
import trimesh
from told import tell

# It names a mesh's primitives by six random hexadecimal digits; where two get one name, the first is lost.
numbers = itertools.count()
trimesh.util.unique_id = lambda length=12: f"{next(numbers):0{length}x}"


def look(path):
    scene = trimesh.load(path, force="scene", process=False)
    triangles, points = 0, []
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        shape = scene.geometry[name]
        if len(shape.vertices):
            moved = trimesh.transform_points(shape.vertices, matrix)
            points.append((moved.min(axis=0), moved.max(axis=0)))
        if isinstance(shape, trimesh.Trimesh):
            triangles += len(shape.faces)
    lows, highs = zip(*points)
    return {
        "triangles": triangles,
        "min": numpy.min(lows, axis=0).tolist(),
        "max": numpy.max(highs, axis=0).tolist(),
    }


tell(look, sys.argv[1:])
