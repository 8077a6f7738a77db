import Diagnostics
import SceneModel

extension Geometry {
    /// Its mesh with all numbers; `nil` without one.
    func loadedMesh() throws(SceneExportError) -> Mesh? {
        if let mesh { return mesh }
        guard let archivedMesh else { return nil }
        guard let mesh = archivedMesh.loaded() else {
            throw SceneExportError(
                .ioError, "the numbers of the geometry \(id ?? name ?? "without a name") cannot be read back")
        }
        return mesh
    }

    var hasMesh: Bool { mesh != nil || archivedMesh != nil }
}

extension AnimationChannel {
    /// The channel with all numbers of its curve.
    func loaded() throws(SceneExportError) -> AnimationChannel {
        guard let curve = curve.loaded() else {
            throw SceneExportError(.ioError, "the numbers of an animation curve cannot be read back")
        }
        return AnimationChannel(target: target, curve: curve)
    }
}
