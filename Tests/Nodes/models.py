"""What is sent: models of several kinds, each with bytes that no other has, and the ways on which they come."""

import functools
import io
import random
import zipfile
from pathlib import Path

BUNDLES = Path(__file__).resolve().parents[2] / "Fixtures/bundles"
NAMES = ["chair.zip", "house.kmz", "lamp.zae", "walker.zip"]
# How many of a hundred.
KINDS = {"bundle": 65, "document": 10, "broken document": 10, "half of a bundle": 10, "long mesh": 5}
WAYS = {"whole": 60, "in pieces": 25, "link": 15}
REMOVED = 0.06
HEAD = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><created>2026-01-01T00:00:00Z</created>\
<modified>2026-01-01T00:00:00Z</modified></asset>"""
SCENE = """<library_visual_scenes><visual_scene id="s"><node id="n{}">{}</node></visual_scene></library_visual_scenes>\
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""


class Model:
    """The one of a number, which says all of it: the same in each process, and in each run."""

    def __init__(self, number, triangles):
        chance = random.Random(number)
        self.number, self.triangles = number, triangles
        self.way, = chance.choices(list(WAYS), WAYS.values())
        kind, = chance.choices(list(KINDS), KINDS.values())
        bundle = chance.choice(NAMES)
        stem, ending = {"document": ("tiny", "dae"), "broken document": ("broken", "dae"),
                        "long mesh": ("mesh", "zip")}.get(kind, bundle.split("."))
        self.kind, self.bundle = kind.replace("a bundle", bundle).replace("bundle", bundle), bundle
        self.name = f"{stem}-{number}.{ending}"
        # Some time after it was accepted.
        self.is_removed = chance.random() < REMOVED

    @property
    def body(self):
        match self.kind:
            case "document": return self.document.encode()
            case "broken document": return self.document.encode()[:-20]
            case "long mesh": return commented(long_mesh(self.triangles), self.number)
        file = (BUNDLES / self.bundle).read_bytes()
        if self.kind.startswith("half"):
            return file[: len(file) // 2] + f"{self.number:08}".encode()
        return commented(file, self.number)

    @property
    def document(self):
        return HEAD + SCENE.format(self.number, "")


def commented(archive, number):
    """The archive with the number as its comment."""
    assert archive[-22:-18] == b"PK\5\6" and archive[-2:] == b"\0\0"
    comment = f"{number:08}".encode()
    return archive[:-2] + len(comment).to_bytes(2, "little") + comment


@functools.cache
def long_mesh(triangles):
    """An archive with a mesh of so many triangles, that keeps a worker busy."""
    chance = random.Random(triangles)
    rows = [" ".join(f"{chance.uniform(-9, 9):.5f}" for _ in range(9)) for _ in range(100)]
    positions = " ".join(rows[at % 100] for at in range(triangles))
    # Those of the same ones again and again, so that the archive is small.
    corners = " ".join(str(at % 300) for at in range(3 * triangles))
    mesh = f"""<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="{9 * triangles}">{positions}\
</float_array><technique_common><accessor source="#a" count="{3 * triangles}" stride="3"><param name="X" type="float"/>\
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">\
<input semantic="POSITION" source="#p"/></vertices><triangles count="{triangles}"><input semantic="VERTEX" source="#v" \
offset="0"/><p>{corners}</p></triangles></mesh></geometry></library_geometries>"""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        # Of one time, so that each process makes the same.
        archive.writestr(zipfile.ZipInfo("mesh.dae"), HEAD + mesh + SCENE.format(0, '<instance_geometry url="#g"/>'),
                         zipfile.ZIP_DEFLATED, 1)
    return file.getvalue()
