public import DaeDiagnostics

/// What became of a scene on its way into another format: nothing is changed in silence.
public struct FidelityReport: Sendable, Equatable {
    /// What was done to something.
    public enum Change: String, Sendable, CaseIterable {
        /// Polygons became triangles; the surface is the same.
        case triangulated
        /// Equal things became one.
        case merged
        /// The same, bit for bit, in another coding.
        case recoded
        /// A curve that the format does not have became keys, closer to it than the tolerance.
        case sampled
        /// The format says it in other terms, and what is shown may differ.
        case approximated
        /// The format has no place for it.
        case dropped

        /// Whether the way back is closed.
        public var isLoss: Bool {
            switch self {
            case .triangulated, .merged, .recoded: false
            case .sampled, .approximated, .dropped: true
            }
        }
    }

    /// What was done to one kind of thing.
    public struct Entry: Sendable, Equatable {
        public var change: Change
        public var subject: FidelitySubject
        /// How many, at least 1.
        public var count: Int
        /// Ids or names of the first few that it was done to.
        public var places: [String]
        /// The largest difference, in the terms of ``FidelitySubject/measure``; `nil` where there is none to report.
        public var deviation: Double?
    }

    /// What stands in the file that was written; all 0 where none was.
    public struct Contents: Sendable, Equatable {
        /// Of all files together.
        public var bytes = 0
        public var nodes = 0
        public var meshes = 0
        /// What is drawn at once: of each mesh, one for each material.
        public var primitives = 0
        public var materials = 0
        public var images = 0
        public var skins = 0
        public var animations = 0
        public var cameras = 0
        public var lights = 0

        package init() {}
    }

    public package(set) var contents = Contents()
    /// In the order in which they were first met.
    public private(set) var entries: [Entry] = []

    /// Places kept of each entry.
    public static let placeLimit = 10

    package init() {}

    /// Those that cannot be undone.
    public var losses: [Entry] { entries.filter(\.change.isLoss) }

    /// Those of some classes.
    public func losses(of classes: Set<FidelityClass>) -> [Entry] {
        losses.filter { classes.contains($0.subject.fidelityClass) }
    }

    package mutating func add(
        _ change: Change, _ subject: FidelitySubject, count: Int = 1, at place: String? = nil, deviation: Double? = nil
    ) {
        guard count > 0 else { return }
        let index =
            entries.firstIndex { $0.change == change && $0.subject == subject }
            ?? {
                entries.append(Entry(change: change, subject: subject, count: 0, places: []))
                return entries.count - 1
            }()
        entries[index].count += count
        if let place, entries[index].places.count < Self.placeLimit, !entries[index].places.contains(place) {
            entries[index].places.append(place)
        }
        if let deviation { entries[index].deviation = max(deviation, entries[index].deviation ?? 0) }
    }

    /// Adds what became of a part.
    package mutating func add(_ other: FidelityReport) {
        for entry in other.entries {
            let others = max(0, entry.count - entry.places.count)
            for place in entry.places { add(entry.change, entry.subject, at: place, deviation: entry.deviation) }
            add(entry.change, entry.subject, count: others, deviation: entry.deviation)
        }
    }
}

extension FidelityReport {
    public var json: JSONValue {
        [
            "schemaVersion": 1,
            "isLossless": .bool(losses.isEmpty),
            "contents": [
                "bytes": JSONValue(contents.bytes), "nodes": JSONValue(contents.nodes),
                "meshes": JSONValue(contents.meshes), "primitives": JSONValue(contents.primitives),
                "materials": JSONValue(contents.materials), "images": JSONValue(contents.images),
                "skins": JSONValue(contents.skins), "animations": JSONValue(contents.animations),
                "cameras": JSONValue(contents.cameras), "lights": JSONValue(contents.lights),
            ],
            "changes": .array(
                entries.map { entry in
                    [
                        "change": .string(entry.change.rawValue), "subject": .string(entry.subject.rawValue),
                        "class": .string(entry.subject.fidelityClass.rawValue),
                        "title": .string(entry.subject.title(of: entry.change)), "isLoss": .bool(entry.change.isLoss),
                        "count": JSONValue(entry.count), "places": JSONValue(entry.places),
                        "deviation": JSONValue(entry.deviation), "deviationOf": JSONValue(entry.subject.measure),
                    ]
                }),
        ]
    }
}

/// What a change is about, in the terms of who cares; the raw value is the name in reports and on the command line.
public enum FidelityClass: String, Sendable, CaseIterable {
    /// What meshes are made of, and what bends them.
    case geometry
    case node
    case animation
    /// How surfaces look, but for the images themselves.
    case material
    case image
    case light
    case camera
    /// Physics, kinematics, and whatever else is no part of what is shown.
    case metadata
}

extension FidelitySubject {
    public var fidelityClass: FidelityClass {
        switch self {
        case .polygons, .vertices, .lineStrips, .corners, .normals, .winding, .tangents, .vertexColors, .customInputs,
            .otherGeometry, .emptyMeshes, .missingMeshes, .influences, .weights, .joints, .morphTargets, .morphNormals,
            .morphTangents,
            .morphColors, .controllerChains, .textureCoordinateNumbers:
            .geometry
        case .shear, .instancedNodes, .missingNodes, .lastRows, .visibility: .node
        case .curves, .matrixKeys, .farMotion, .animations, .channels, .unresolvedChannels, .unplayedAnimations,
            .behaviors, .keyTimes, .moment:
            .animation
        case .shading, .specular, .reflection, .opacity, .diffuseAlpha, .ambient, .diffuse, .textures, .textureTurns,
            .textureCoordinates, .samplers, .materialExtras, .unboundMaterials:
            .material
        case .images: .image
        case .lights, .lightFalloff, .spotFalloff, .missingLights: .light
        case .cameras, .missingCameras: .camera
        case .physics, .kinematics: .metadata
        }
    }
}
