"""What Blender makes of .glb, .obj, .stl and .ply files: blender --background --factory-startup --python peer_blender.py -- FILE…

A line of JSON for each, in a file: Blender itself speaks on standard output. The first argument names it.
"""

import json
import sys

import bpy
import numpy

# Debian's Blender 3.4 says `numpy.bool`, which Debian's numpy 1.24 has no more.
if not hasattr(numpy, "bool"):
    numpy.bool = bool


READERS = {
    "glb": lambda: bpy.ops.import_scene.gltf,
    "obj": lambda: bpy.ops.wm.obj_import,
    "stl": lambda: bpy.ops.import_mesh.stl,
    "ply": lambda: bpy.ops.import_mesh.ply,
}


def look(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    ending = path.rsplit(".", 1)[-1]
    READERS[ending]()(filepath=path)
    bpy.context.scene.frame_set(0)
    lows, highs, triangles = [float("inf")] * 3, [float("-inf")] * 3, 0
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        # With its armature at rest and its shapes as they are in the file.
        shown = thing.evaluated_get(graph)
        mesh = shown.to_mesh()
        mesh.calc_loop_triangles()
        triangles += len(mesh.loop_triangles)
        for vertex in mesh.vertices:
            # Its Z is up, and it takes an STL or a PLY as it is; the file's own axes are asked for.
            x, y, z = shown.matrix_world @ vertex.co
            for axis, value in enumerate((x, y, z) if ending in ("stl", "ply") else (x, z, -y)):
                lows[axis], highs[axis] = min(lows[axis], value), max(highs[axis], value)
        shown.to_mesh_clear()
    return {
        "triangles": triangles,
        "min": lows,
        "max": highs,
        "animations": len(clips()),
        "materials": len(bpy.data.materials),
        "nodes": len(bpy.context.scene.objects),
    }


def clips():
    """Names: an animation of the file becomes a track of that name on everything that it moves."""
    moved = [thing.animation_data for thing in [*bpy.context.scene.objects, *bpy.data.shape_keys] if thing.animation_data]
    return {track.name for data in moved for track in data.nla_tracks}


target, *paths = sys.argv[sys.argv.index("--") + 1 :]
with open(target, "w") as answers:
    for path in paths:
        try:
            answer = look(path)
        except Exception as error:  # whatever it is, it is what the peer says of the file
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)
