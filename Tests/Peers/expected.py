"""What a .glb must hold, by what `dae inspect` says of the document: figures of ours that the writer does not make."""

# Metres and Y up: the axes right, up and inwards as COLLADA 1.4.1, chapter 5, `up_axis` has them.
TURNS = {
    "X_UP": lambda x, y, z: (-y, x, z),
    "Y_UP": lambda x, y, z: (x, y, z),
    "Z_UP": lambda x, y, z: (x, z, -y),
}
# What `dae inspect` cannot say: geometry in units or axes of its own stands on a node that takes it into the others.
INNER_SYSTEMS = {
    "khronos-cts/1_5/collada/library_geometries/geometry/asset/coverage/geographic_location/absolute/absolute.dae": 1,
    "khronos-cts/collada/library_geometries/geometry/asset/up_axis/up_axis.dae": 1,
}
# It counts the skins of the document's own libraries; here one comes from another document.
FOREIGN_SKINS = {"khronos-cts/xml/uri/external_references/controller/controller.dae": 1}
# It calls a material used that is bound to a symbol which no primitive has; the file has no use for it.
UNDRAWN_MATERIALS = {"pycollada/examples/daeview/data/cockpit.zip": {"gray-material"}}

# Its only channel leads to nothing that can be moved, as `dae validate` says.
LOST_CHANNELS = {"gz-common/box_with_default_stride.dae": 1}
# Its only triangles have corners without a position.
UNDRAWABLE = {"gz-common/malformed_p_negative_index.dae"}


def is_drawn(path, inspected):
    """Whether there is something to convert: triangles or lines whose corners have positions."""
    scene = inspected.get("scene")
    if path in UNDRAWABLE or not scene or not scene["instances"] or not scene["bounds"]:
        return False
    return scene["triangles"] + inspected["counts"]["lines"] > 0


def expected(path, inspected, report, file):
    scene, counts = inspected["scene"], inspected["counts"]
    changes = {(row["subject"], row["change"]): row["count"] for row in report["changes"]}
    unit, axis = inspected["document"]["unit"]["meter"], inspected["document"]["upAxis"]
    ends = [TURNS[axis](*(unit * value for value in scene["bounds"][end])) for end in ("min", "max")]
    low, high = [min(pair) for pair in zip(*ends)], [max(pair) for pair in zip(*ends)]
    converting = INNER_SYSTEMS.get(path, 0) + (unit != 1 or axis != "Y_UP")
    # An animation without an end has no keys.
    channels = sum(row["channels"] for row in inspected["animations"] if row["end"] is not None)
    channels -= changes.get(("channels", "dropped"), 0) + LOST_CHANNELS.get(path, 0)
    # Those of documents that this one refers to may have the same ids.
    rows = inspected["materials"] + (inspected["linked"] or {"materials": []})["materials"]
    materials = [row for row in rows if row["used"] and row["id"] not in UNDRAWN_MATERIALS.get(path, set())]
    return {
        "triangles": scene["triangles"],
        "min": low,
        "max": high,
        # Of its size; a skin that loses influences is drawn a little otherwise, and says so.
        "deviation": 0.01 if ("influences", "dropped") in changes else 0,
        # A sheared transform is written as two nodes.
        "nodes": scene["nodes"] + converting + changes.get(("shear", "merged"), 0) + holders(file) + stand_ins(file)
        + frames(file),
        "skins": counts["skins"] + FOREIGN_SKINS.get(path, 0),
        "animations": len(inspected["animationClips"]) or int(channels > 0),
        "materials": len(materials),
    }


def holders(file):
    """Nodes that only carry what their parent had no place for, since a node of glTF shows one mesh."""
    nodes, carried = file.list("nodes"), {"mesh", "camera", "skin", "extensions"}
    return sum(
        carried & nodes[child].keys() == nodes[child].keys() != set()
        for node in nodes
        if carried & node.keys()
        for child in node.get("children", [])
    )


def frames(file):
    """Nodes that undo what scales the camera on them."""
    return sum("scale" in node and node.keys() <= {"scale", "camera"} for node in file.list("nodes"))


def stand_ins(file):
    """Empty nodes within a joint that a skin has more than once: one of glTF names a node once."""
    nodes = file.list("nodes")
    return sum(not nodes[joint] for joint in {joint for skin in file.list("skins") for joint in skin["joints"]})
