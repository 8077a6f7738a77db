"""What OpenUSD reads in a .usdz, in the terms of a .glb: nodes, what they draw, and where its corners are at a time.

- Source: OpenUSD's Python modules, of the package usd-core.
"""

import zipfile

import numpy
from pxr import Gf, Usd, UsdGeom, UsdShade, UsdSkel


class USDZ:
    def __init__(self, path):
        with zipfile.ZipFile(path) as package:
            self.files = package.namelist()
        self.stage = Usd.Stage.Open(str(path))
        self.root = self.stage.GetDefaultPrim()
        self.prims = list(Usd.PrimRange.Stage(self.stage, Usd.TraverseInstanceProxies()))
        self.meshes = [UsdGeom.Mesh(prim) for prim in self.prims if prim.IsA(UsdGeom.Mesh)]
        self.rate = self.stage.GetTimeCodesPerSecond()

    def triangles(self):
        counts = [numpy.array(mesh.GetFaceVertexCountsAttr().Get()) for mesh in self.meshes]
        if any((count != 3).any() for count in counts):
            raise ValueError("a face that is no triangle")
        return sum(len(count) for count in counts)

    def nodes(self):
        """Prims that stand for nodes: neither the root nor what stands for a mesh that several show."""
        return sum(
            prim.IsA(UsdGeom.Xform) and prim != self.root and not prim.IsInstance() and not prim.IsInstanceProxy()
            for prim in self.prims
        )

    def materials(self):
        """Their ids, where they have some."""
        shown = [prim for prim in self.prims if prim.IsA(UsdShade.Material)]
        return len(shown), {prim.GetCustomDataByKey("id") for prim in shown} - {None}

    def clips(self):
        """The beginning and the end of each animation, in the layer's times."""
        clips = self.stage.GetRootLayer().customLayerData.get("clips")
        if clips:
            return sorted((clip["start"], clip["end"]) for clip in clips.values())
        layer = self.stage.GetRootLayer()
        return [(layer.startTimeCode, layer.endTimeCode)] if layer.HasEndTimeCode() else []

    def joints(self):
        """Of each node that shows a skin, how many joints it has."""
        found = {}
        for mesh in self.meshes:
            joints = UsdSkel.BindingAPI(mesh).GetJointsAttr().Get()
            if joints:
                found[mesh.GetPath().GetParentPath()] = len(joints)
        return sorted(found.values())

    def corners(self, time=None):
        """Of each node that draws, in their order, the places of the corners of its triangles in the world."""
        session = self.stage.GetSessionLayer()
        self.stage.SetEditTarget(session)
        try:
            self.hold(Usd.TimeCode.Default() if time is None else time)
            self.bake()
            return self.placed()
        finally:
            session.Clear()

    def hold(self, time):
        """Keeps everything as it is at one time."""
        moving = [attribute for prim in self.stage.Traverse() for attribute in prim.GetAuthoredAttributes()]
        held = [(attribute, attribute.Get(time)) for attribute in moving if attribute.GetNumTimeSamples() > 0]
        for attribute, value in held:
            attribute.Set(value)

    def bake(self):
        """Moves the points that skeletons and shapes move."""
        if self.root.IsA(UsdSkel.Root) and not UsdSkel.BakeSkinning(UsdSkel.Root(self.root), Gf.Interval.GetFullInterval()):
            raise ValueError("UsdSkel cannot bake it")

    def placed(self):
        cache, found = UsdGeom.XformCache(), {}
        for mesh in self.meshes:
            points = numpy.array(mesh.GetPointsAttr().Get(), float).reshape(-1, 3)
            matrix = numpy.array(cache.GetLocalToWorldTransform(mesh.GetPrim()))
            points = points @ matrix[:3, :3] + matrix[3, :3]
            # Of a shared mesh, the prim around the one that stands for it.
            node = mesh.GetPrim().GetParent()
            while node.IsInstance() or node.IsInstanceProxy():
                node = node.GetParent()
            corners = points[numpy.array(mesh.GetFaceVertexIndicesAttr().Get())]
            found.setdefault(str(node.GetPath()), []).append(corners)
        return [numpy.concatenate(parts) for parts in found.values()]
