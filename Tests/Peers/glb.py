"""A reader of .glb by struct, json and numpy alone: it shares nothing with what wrote the file, nor with the peers.

- Source: Khronos glTF 2.0 specification, sections 3 and 4. Views of EXT_meshopt_compression are decompressed by the decoder
  of the library libmeshoptimizer.so.2d.
"""

import ctypes
import json
import struct

import numpy

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
TRIANGLES = 4
DECODERS = {"ATTRIBUTES": "VertexBuffer", "TRIANGLES": "IndexBuffer", "INDICES": "IndexSequence"}
FILTERS = {"OCTAHEDRAL": "Oct", "QUATERNION": "Quat", "EXPONENTIAL": "Exp"}


class GLB:
    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        magic, version, length = struct.unpack_from("<4sII", content)
        if (magic, version, length) != (b"glTF", 2, len(content)):
            raise ValueError(f"{path}: not a .glb of version 2, or not whole")
        (size, kind), self.binary = struct.unpack_from("<I4s", content, 12), b""
        if kind != b"JSON":
            raise ValueError(f"{path}: its first chunk is no JSON")
        self.json = json.loads(content[20 : 20 + size])
        if 20 + size < length:
            length, kind = struct.unpack_from("<I4s", content, 20 + size)
            if kind != b"BIN\0":
                raise ValueError(f"{path}: its second chunk holds no numbers")
            self.binary = content[28 + size : 28 + size + length]
        self.known, self.views = {}, {}

    def list(self, name):
        return self.json.get(name, [])

    def accessor(self, index):
        """Its elements, one a row, as doubles."""
        if index not in self.known:
            self.known[index] = self.read(self.list("accessors")[index])
        return self.known[index]

    def read(self, accessor):
        width, kind = WIDTHS[accessor["type"]], numpy.dtype(TYPES[accessor["componentType"]])
        if "sparse" in accessor or "bufferView" not in accessor:
            raise ValueError("an accessor without a buffer view of its own")
        view = self.list("bufferViews")[accessor["bufferView"]]
        content, start = self.view(accessor["bufferView"]), accessor.get("byteOffset", 0)
        stride = view.get("byteStride", width * kind.itemsize)
        rows = numpy.ndarray((accessor["count"], width), kind, content, start, (stride, kind.itemsize)).astype(float)
        if accessor.get("normalized"):
            rows = numpy.maximum(rows / numpy.iinfo(kind).max, -1)
        return rows

    def view(self, index):
        """Its bytes, decompressed."""
        view = self.list("bufferViews")[index]
        compression = view.get("extensions", {}).get("EXT_meshopt_compression")
        if compression is None:
            start = view.get("byteOffset", 0)
            return self.binary[start : start + view["byteLength"]]
        if index not in self.views:
            self.views[index] = decompressed(self.binary, compression)
        return self.views[index]

    # MARK: Nodes

    def locals(self):
        """From each node to the one around it, as the file has them at rest."""
        return [local(node) for node in self.list("nodes")]

    def worlds(self, matrices=None):
        """From each node to the world; `None` for a node outside the scene."""
        matrices = self.locals() if matrices is None else matrices
        worlds = [None] * len(matrices)
        stack = [(root, numpy.eye(4)) for root in self.list("scenes")[self.json.get("scene", 0)].get("nodes", [])]
        while stack:
            node, around = stack.pop()
            worlds[node] = around @ matrices[node]
            stack += [(child, worlds[node]) for child in self.list("nodes")[node].get("children", [])]
        return worlds

    def drawn(self):
        """Each primitive that is drawn, with its node: a mesh that two nodes show comes twice."""
        reached = [world is not None for world in self.worlds()]
        for index, node in enumerate(self.list("nodes")):
            if reached[index] and "mesh" in node:
                for primitive in self.list("meshes")[node["mesh"]]["primitives"]:
                    yield index, primitive

    def indices(self, primitive):
        if "indices" in primitive:
            return self.accessor(primitive["indices"])[:, 0].astype(int)
        return numpy.arange(self.list("accessors")[primitive["attributes"]["POSITION"]]["count"])

    def triangles(self):
        drawn = [primitive for _, primitive in self.drawn() if primitive.get("mode", TRIANGLES) == TRIANGLES]
        return sum(len(self.indices(primitive)) // 3 for primitive in drawn)

    def bounds(self):
        """The lowest and the highest corner of what is drawn, as if there were no skins."""
        worlds, boxes = self.worlds(), []
        for node, primitive in self.drawn():
            points = moved(worlds[node], self.accessor(primitive["attributes"]["POSITION"]))
            boxes.append((points.min(axis=0), points.max(axis=0)))
        lows, highs = zip(*boxes)
        return numpy.min(lows, axis=0).tolist(), numpy.max(highs, axis=0).tolist()


def decompressed(binary, compression):
    library = ctypes.CDLL("libmeshoptimizer.so.2d")
    count, stride = compression["count"], compression["byteStride"]
    stream = binary[compression.get("byteOffset", 0) :][: compression["byteLength"]]
    room = ctypes.create_string_buffer(count * stride)
    size, each = ctypes.c_size_t(count), ctypes.c_size_t(stride)
    decode = getattr(library, "meshopt_decode" + DECODERS[compression["mode"]])
    if decode(room, size, each, stream, ctypes.c_size_t(len(stream))) != 0:
        raise ValueError("a view that cannot be decompressed")
    if compression.get("filter", "NONE") != "NONE":
        getattr(library, "meshopt_decodeFilter" + FILTERS[compression["filter"]])(room, size, each)
    return room.raw


def moved(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def local(node):
    if "matrix" in node:
        return numpy.array(node["matrix"]).reshape(4, 4).T
    return composed(node.get("translation", [0, 0, 0]), node.get("rotation", [0, 0, 0, 1]), node.get("scale", [1, 1, 1]))


def composed(translation, rotation, scale):
    x, y, z, w = rotation
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix = numpy.eye(4)
    matrix[:3, :3] = numpy.array(turn) * scale
    matrix[:3, 3] = translation
    return matrix
