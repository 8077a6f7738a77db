// A large mesh is packed a part at a time, so that its numbers need not be in memory beside what is made of them.

import Diagnostics
import SceneModel

/// The numbers of a mesh, wherever they lie.
enum MeshNumbers {
    case memory(Mesh)
    case archive(ArchivedMesh)

    /// The mesh, without numbers where they are archived.
    var outline: Mesh {
        switch self {
        case .memory(let mesh): mesh
        case .archive(let archived): archived.outline
        }
    }

    /// Elements that a stream says it has.
    func elements(of stream: Int) -> Int {
        switch self {
        case .memory(let mesh): mesh.streams[stream].count
        case .archive(let archived): archived.elements(of: stream)
        }
    }

    /// Whole corners of a primitive.
    func corners(of primitive: Int) -> Int {
        switch self {
        case .memory(let mesh): mesh.primitives[primitive].corners
        case .archive(let archived):
            archived.indexCount(of: primitive) / max(1, archived.outline.primitives[primitive].stride)
        }
    }

    /// A stream with all its numbers.
    func stream(_ place: Int) throws(SceneExportError) -> Mesh.Stream {
        switch self {
        case .memory(let mesh): mesh.streams[place]
        case .archive(let archived): try had(archived.stream(place))
        }
    }

    /// Some elements of a stream by themselves; `nil` where all are at hand anyway.
    func stream(_ place: Int, _ elements: Range<Int>) throws(SceneExportError) -> Mesh.Stream? {
        switch self {
        case .memory: nil
        case .archive(let archived): try had(archived.stream(place, elements))
        }
    }

    /// The indices of some corners of a primitive.
    func indices(of primitive: Int, _ corners: Range<Int>) throws(SceneExportError) -> [Int32] {
        let stride = max(1, outline.primitives[primitive].stride)
        let range = corners.lowerBound * stride..<corners.upperBound * stride
        switch self {
        case .memory(let mesh):
            let all = mesh.primitives[primitive].indices
            return range.count == all.count ? all : Array(all[range])
        case .archive(let archived): return try had(archived.indices(of: primitive, range))
        }
    }

    /// Calls `body` with all elements of a stream, one part after the other.
    func forEachPart(of place: Int, _ body: (StreamReader) -> Void) throws(SceneExportError) {
        switch self {
        case .memory(let mesh): body(StreamReader(mesh.streams[place]))
        case .archive(let archived):
            let count = archived.elements(of: place)
            let most = max(1, Self.partSize / max(1, archived.outline.streams[place].stride))
            for first in stride(from: 0, to: count, by: most) {
                body(StreamReader(try had(archived.stream(place, first..<min(count, first + most)))))
            }
        }
    }

    /// Numbers that are had back at a time, about.
    private static let partSize = 1 << 13

    private func had<Numbers>(_ numbers: Numbers?) throws(SceneExportError) -> Numbers {
        guard let numbers else { throw SceneExportError(.ioError, "the numbers of a mesh cannot be read back") }
        return numbers
    }
}

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

extension Scene {
    /// The scene as its channels have it at one moment, in seconds, and without them: nodes, weights of morphs, materials,
    /// cameras and lights.
    ///
    /// - Returns: The scene, and for each channel of a material that moves nothing in it, that material: one that leads
    ///   into another profile, or does not fit what the material has.
    func posed(at time: Double) -> (scene: Scene, left: [SceneIndex<Material>]) {
        let channels = channels
        var pose = PoseEvaluator(scene: self, channels: channels)
        pose.move(to: time)
        var scene = self
        scene.animations = []
        scene.clips = []
        var moved = Set<Int>()
        var left: [SceneIndex<Material>] = []
        for (index, channel) in channels.enumerated() {
            switch channel.target {
            case .transform(let node, at: _, _): moved.insert(node.value)
            case .material(let material, let parameter, let member):
                guard scene.materials.indices.contains(material.value) else { continue }
                let values = pose.values(ofChannel: index) ?? []
                if !scene.materials[material.value].set(parameter, member, to: values) { left.append(material) }
            case .morphWeight, .camera, .light: break
            }
        }
        for node in moved where scene.nodes.indices.contains(node) {
            scene.nodes[node].transforms = [.matrix(pose.locals[node])]
            scene.nodes[node].transformSIDs = []
        }
        for index in scene.controllers.indices {
            guard case .morph(var morph) = scene.controllers[index].kind else { continue }
            morph.weights = pose.morphWeights(of: SceneIndex(index))
            scene.controllers[index].kind = .morph(morph)
        }
        for index in scene.cameras.indices { scene.cameras[index] = pose.camera(SceneIndex(index), in: self) }
        for index in scene.lights.indices { scene.lights[index] = pose.light(SceneIndex(index), in: self) }
        return (scene, left)
    }
}

extension Material {
    /// - Returns: Whether there is such a value, and the new one fits it.
    fileprivate mutating func set(
        _ parameter: AnimationTarget.MaterialParameter, _ member: AnimationMember, to values: ArraySlice<Double>
    ) -> Bool {
        guard case .property(let property) = parameter, values.allSatisfy(\.isFinite) else { return false }
        switch properties[property] {
        case .number:
            guard let value = values.first, values.count == 1 else { return false }
            properties[property] = .number(value)
        case .color(var color):
            // The alpha may be left out.
            guard let range = member.range(inVectorOf: 4), range.count == values.count || values.count == 3 else {
                return false
            }
            for (lane, value) in zip(range, values) { color[lane] = value }
            properties[property] = .color(color)
        case .texture, nil: return false
        }
        opacity = Opacity(
            transparent: properties[.transparent], transparency: properties[.transparency]?.number, mode: opacityMode)
        return true
    }
}
