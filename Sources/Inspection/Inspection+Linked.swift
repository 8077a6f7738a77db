// Documents beside the one that was chosen: those it refers to, and those that a manifest shows with it.

import ColladaParser
import Diagnostics
import SceneModel

extension Inspection {
    /// What the documents hold that are read beside the chosen one.
    ///
    /// Their rows stand behind those of the chosen document in the lists of ``Inspection``.
    public struct Linked: Sendable, Equatable {
        /// Their paths, as far as they are known, in the order in which they were met.
        public var documents: [String]
        /// Their elements; what is counted of geometries in use is counted of all documents in ``Inspection/counts``.
        public var counts: Counts
        /// How many rows of each list are the chosen document's own.
        var own: Counts
    }
}

extension Inspection.Counts {
    /// The elements that stand in a document.
    ///
    /// - Parameter nodes: Of the document, which may have forgotten them.
    init(elementsOf document: ColladaDocument, nodes: NodeCount) {
        geometries = document.geometries.count
        materials = document.materials.count
        effects = document.effects.count
        images = document.images.count
        cameras = document.cameras.count
        lights = document.lights.count
        controllers = document.controllers.count
        for index in document.controllers.indices {
            switch document.controllers[index].kind {
            case .skin: skins += 1
            case .morph: morphs += 1
            case .empty: break
            }
        }
        joints = nodes.joints
        animations = document.animations.count
        animationChannels = document.animations.indices.reduce(0) { $0 + document.animations[$1].channels.count }
        animationClips = document.animationClips.count
        self.nodes = nodes.all
        visualScenes = document.visualScenes.count
        physicsScenes = document.physicsScenes.count
        kinematicsScenes = document.kinematicsScenes.count
    }

    private static var elements: [WritableKeyPath<Self, Int>] {
        [
            \.geometries, \.materials, \.effects, \.images, \.cameras, \.lights, \.controllers, \.skins, \.morphs,
            \.joints, \.animations, \.animationChannels, \.animationClips, \.nodes, \.visualScenes, \.physicsScenes,
            \.kinematicsScenes,
        ]
    }

    /// Those of two documents together; what is counted of geometries in use stays.
    public func with(elementsOf other: Self) -> Self {
        var sum = self
        for element in Self.elements { sum[keyPath: element] += other[keyPath: element] }
        return sum
    }

    /// The elements without those of a part; what is counted of geometries in use is left out.
    func without(_ part: Self) -> Self {
        var rest = Self()
        for element in Self.elements {
            rest[keyPath: element] = max(0, self[keyPath: element] - part[keyPath: element])
        }
        return rest
    }
}

extension Inspection {
    /// The elements of all documents, and what is counted of geometries in use.
    public var allCounts: Counts { linked.map { counts.with(elementsOf: $0.counts) } ?? counts }

    /// Of a list's rows those of the chosen document.
    func own<Row>(_ rows: [Row], _ count: KeyPath<Counts, Int>) -> ArraySlice<Row> {
        linked.map { rows.prefix($0.own[keyPath: count]) } ?? rows[...]
    }

    private func others<Row>(_ rows: [Row], _ count: KeyPath<Counts, Int>) -> ArraySlice<Row> {
        linked.map { rows.dropFirst($0.own[keyPath: count]) } ?? []
    }

    /// `null` where one document was read.
    var linkedJSON: JSONValue {
        guard let linked else { return .null }
        return [
            "documents": JSONValue(linked.documents), "counts": linked.counts.json,
            "geometries": .array(others(geometries, \.geometries).map(\.row.json)),
            "materials": .array(others(materials, \.materials).map(\.row.json)),
            "images": .array(others(images, \.images).map(\.row.json)),
            "animations": .array(others(animations, \.animations).map(\.json)),
            "animationClips": .array(others(animationClips, \.animationClips).map(\.json)),
            "cameras": .array(others(cameras, \.cameras).map(\.json)),
            "lights": .array(others(lights, \.lights).map(\.json)),
            "controllers": .array(others(controllers, \.controllers).map(\.json)),
        ]
    }
}
