"""Where the vertices of a .glb are at a time: nodes, samplers, skins and morphs as the specification has them.

- Source: Khronos glTF 2.0 specification, 3.7 "Concepts" (skins, morph targets), 3.11 "Animations" and appendix C.
"""

import numpy
from glb import composed, local, moved

REST = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}


class Pose:
    """A file at one time of one of its animations; at rest without."""

    def __init__(self, file, animation=None, time=0.0):
        self.file = file
        moving = {}
        if animation is not None:
            animation = file.list("animations")[animation]
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                if "node" in target:
                    moving.setdefault(target["node"], {})[target["path"]] = sampled(file, sampler, target["path"], time)
        matrices, self.weights = [], []
        for index, node in enumerate(file.list("nodes")):
            moves = moving.get(index, {})
            parts = {path: moves.get(path, node.get(path, rest)) for path, rest in REST.items()}
            # A node of a matrix is moved by no channel.
            matrices.append(local(node) if not moves.keys() & REST.keys() else composed(*parts.values()))
            mesh = file.list("meshes")[node["mesh"]] if "mesh" in node else {}
            self.weights.append(moves.get("weights", node.get("weights", mesh.get("weights", []))))
        self.worlds = file.worlds(matrices)

    def positions(self, node, primitive):
        """The primitive's vertices in the world, one a row."""
        file, attributes = self.file, primitive["attributes"]
        points = file.accessor(attributes["POSITION"])
        for weight, target in zip(self.weights[node], primitive.get("targets", [])):
            if weight != 0:
                points = points + weight * file.accessor(target["POSITION"])
        skin = file.list("nodes")[node].get("skin")
        if skin is None or "JOINTS_0" not in attributes:
            return moved(self.worlds[node], points)
        bones, sum_of_all = self.bones(file.list("skins")[skin]), numpy.zeros_like(points)
        for number in range(8):
            if f"JOINTS_{number}" not in attributes:
                break
            joints = file.accessor(attributes[f"JOINTS_{number}"]).astype(int)
            weights = file.accessor(attributes[f"WEIGHTS_{number}"])
            for column in range(4):
                by = bones[joints[:, column]]
                turned = numpy.einsum("nij,nj->ni", by[:, :3, :3], points) + by[:, :3, 3]
                sum_of_all += weights[:, column : column + 1] * turned
        return sum_of_all

    def bones(self, skin):
        """From the mesh to the world by each joint; where the skinned node itself stands does not count."""
        inverse = [numpy.eye(4)] * len(skin["joints"])
        if "inverseBindMatrices" in skin:
            inverse = self.file.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        return numpy.array([self.worlds[joint] @ inverse[place] for place, joint in enumerate(skin["joints"])])

    def bounds(self):
        """The lowest and the highest corner of what is drawn."""
        shown = [self.positions(node, primitive) for node, primitive in self.file.drawn()]
        lows, highs = [points.min(axis=0) for points in shown], [points.max(axis=0) for points in shown]
        return numpy.min(lows, axis=0).tolist(), numpy.max(highs, axis=0).tolist()


def sampled(file, sampler, path, time):
    times = file.accessor(sampler["input"])[:, 0]
    kind = sampler.get("interpolation", "LINEAR")
    # Each key in a row: of a cubic spline its in-tangent, value and out-tangent one after the other.
    values = file.accessor(sampler["output"]).reshape(len(times), -1)
    width = values.shape[1] // 3 if kind == "CUBICSPLINE" else values.shape[1]
    value = values[:, width : 2 * width] if kind == "CUBICSPLINE" else values
    if time <= times[0] or len(times) == 1:
        return value[0]
    if time >= times[-1]:
        return value[-1]
    after = int(numpy.searchsorted(times, time, side="right"))
    before, step = after - 1, times[after] - times[after - 1]
    share = (time - times[before]) / step
    if kind == "STEP":
        return value[before]
    if kind == "LINEAR":
        start, end = value[before], value[after]
        return turned(start, end, share) if path == "rotation" else start + (end - start) * share
    leaving, arriving = step * values[before, 2 * width :], step * values[after, :width]
    square, cube = share**2, share**3
    mixed = (
        (2 * cube - 3 * square + 1) * value[before]
        + (cube - 2 * square + share) * leaving
        + (3 * square - 2 * cube) * value[after]
        + (cube - square) * arriving
    )
    return mixed / numpy.linalg.norm(mixed) if path == "rotation" else mixed


def turned(start, end, share):
    """From one quaternion to another by the shorter way."""
    cosine = float(start @ end)
    end, cosine = (end, cosine) if cosine >= 0 else (-end, -cosine)
    if cosine > 1 - 1e-12:
        mixed = start + (end - start) * share
    else:
        angle = numpy.arccos(min(1.0, cosine))
        mixed = (start * numpy.sin((1 - share) * angle) + end * numpy.sin(share * angle)) / numpy.sin(angle)
    return mixed / numpy.linalg.norm(mixed)
