"""Imports a COLLADA document in Blender, and draws it as Workbench does, 512 x 512, from where all of it is seen.

blender --background --factory-startup --python blender_render.py -- DOCUMENT PICTURE
"""

import math
import sys

import bpy
from mathutils import Vector

document, picture = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.collada_import(filepath=document)
scene = bpy.context.scene
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.rotation_euler = (math.radians(70), 0, math.radians(30))
scene.collection.objects.link(camera)
scene.camera = camera
bpy.context.view_layer.update()
shown = [thing for thing in scene.objects if thing.type == "MESH"]
corners = [thing.matrix_world @ Vector(corner) for thing in shown for corner in thing.bound_box]
camera.location, _ = camera.camera_fit_coords(
    bpy.context.evaluated_depsgraph_get(), [number for corner in corners for number in corner]
)
scene.render.engine = "BLENDER_WORKBENCH"
scene.render.resolution_x = scene.render.resolution_y = 512
scene.render.filepath = picture
if bpy.ops.render.render(write_still=True) != {"FINISHED"}:
    sys.exit("no picture was made")
