"""What another reader found of a model, as a picture of `dae render`: its corners become a document of triangles alone."""

import subprocess
from pathlib import Path

import numpy
from PIL import Image

SIZE = "640x480"
DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="{numbers}">{positions}</float_array><technique_common>
<accessor source="#a" count="{corners}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{triangles}"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


def silhouette(dae, document, picture):
    """Of all of a document, whatever it is made of; `None` where nothing is drawn."""
    command = [dae, "render", "-q", document, "-o", picture, "--camera", "fit", "--size", SIZE]
    subprocess.run([*command, "--style", "normals", "--background", "transparent"], capture_output=True)
    return numpy.asarray(Image.open(picture).convert("RGBA").getchannel("A")) > 127 if picture.exists() else None


def agreement(dae, document, corners, place):
    """How far the silhouette of a document and that of corners agree, three for each triangle, in metres with Y up."""
    again = Path(place).with_suffix(".again.dae")
    count = len(corners)
    again.write_text(
        DOCUMENT.format(
            numbers=3 * count, corners=count, triangles=count // 3,
            positions=" ".join(repr(float(number)) for number in corners.reshape(-1)),
            indices=" ".join(map(str, range(count))),
        )
    )
    ours, theirs = (silhouette(dae, path, again.with_suffix(f".{name}.png")) for name, path in (("a", document), ("b", again)))
    again.unlink()
    if ours is None or theirs is None:
        return 0.0
    return (ours & theirs).sum() / max(1, (ours | theirs).sum())
