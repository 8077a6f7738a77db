package import DaeDiagnostics

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
        /// What was done.
        public var change: Change
        /// What it was done to.
        public var subject: FidelitySubject
        /// How many, at least 1.
        public var count: Int
        /// Ids or names of the first few that it was done to.
        public var places: [String]
        /// The largest difference, in the terms of the subject's title; `nil` where there is none to report.
        public var deviation: Double?
    }

    /// What stands in the file that was written; all 0 where none was.
    package struct Contents: Sendable, Equatable {
        /// Of all files together.
        package var bytes = 0
        package var nodes = 0
        package var meshes = 0
        /// What is drawn at once: of each mesh, one for each material.
        package var primitives = 0
        package var materials = 0
        package var images = 0
        package var skins = 0
        package var animations = 0
        package var cameras = 0
        package var lights = 0

        package init() {}
    }

    package var contents = Contents()
    /// Of what was written, all files together.
    public var bytes: Int { contents.bytes }
    /// In the order in which they were first met.
    public private(set) var entries: [Entry] = []

    /// Places kept of each entry.
    package static let placeLimit = 10

    package init() {}

    /// Those that cannot be undone.
    public var losses: [Entry] { entries.filter(\.change.isLoss) }

    /// Those of some classes.
    package func losses(of classes: Set<FidelityClass>) -> [Entry] {
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

    /// Adds what became of a part, or of the subjects in it that are wanted.
    package mutating func add(_ other: FidelityReport, where isWanted: (FidelitySubject) -> Bool = { _ in true }) {
        for entry in other.entries where isWanted(entry.subject) {
            let others = max(0, entry.count - entry.places.count)
            for place in entry.places { add(entry.change, entry.subject, at: place, deviation: entry.deviation) }
            add(entry.change, entry.subject, count: others, deviation: entry.deviation)
        }
    }
}

extension FidelityReport {
    package var json: JSONValue {
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
    package var fidelityClass: FidelityClass {
        switch self {
        case .polygons, .vertices, .lineStrips, .corners, .normals, .winding, .tangents, .vertexColors, .customInputs,
            .otherGeometry, .emptyMeshes, .missingMeshes, .influences, .weights, .joints, .morphTargets, .morphNormals,
            .morphTangents,
            .morphColors, .controllerChains, .textureCoordinateNumbers, .attributes, .lines, .deformers,
            .roundedPositions, .roundedDirections, .roundedAttributes, .unusedCoordinates, .primitives:
            .geometry
        case .shear, .instancedNodes, .missingNodes, .lastRows, .visibility, .hierarchy: .node
        case .curves, .matrixKeys, .farMotion, .jointScales, .animations, .channels, .unresolvedChannels,
            .unplayedAnimations,
            .behaviors, .keyTimes, .moment, .roundedTranslations, .roundedRotations:
            .animation
        case .shading, .specular, .reflection, .opacity, .diffuseAlpha, .ambient, .diffuse, .textures, .textureTurns,
            .textureCoordinates, .samplers, .sides, .materialExtras, .unboundMaterials, .materials:
            .material
        case .images: .image
        case .lights, .lightFalloff, .spotFalloff, .missingLights: .light
        case .cameras, .missingCameras: .camera
        case .physics, .kinematics: .metadata
        }
    }
}

/// What a conversion can change; the raw value is the stable name in reports.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FidelitySubject: String, Sendable, CaseIterable {
    // Meshes.
    case polygons
    case vertices
    case lineStrips = "line-strips"
    case corners
    case normals
    case winding
    case tangents
    case vertexColors = "vertex-colors"
    case customInputs = "custom-inputs"
    case otherGeometry = "other-geometry"
    case emptyMeshes = "empty-meshes"
    case missingMeshes = "missing-meshes"
    case attributes
    case lines
    case roundedPositions = "rounded-positions"
    case roundedDirections = "rounded-directions"
    case roundedAttributes = "rounded-attributes"
    case unusedCoordinates = "unused-coordinates"
    case primitives

    // Controllers.
    case influences
    case weights
    case joints
    case morphTargets = "morph-targets"
    case morphNormals = "morph-normals"
    case morphTangents = "morph-tangents"
    case morphColors = "morph-colors"
    case controllerChains = "controller-chains"
    case deformers

    // Nodes.
    case shear
    case instancedNodes = "instanced-nodes"
    case missingNodes = "missing-nodes"
    case lastRows = "last-rows"
    case visibility
    case hierarchy

    // Animation.
    case curves
    case matrixKeys = "matrix-keys"
    case farMotion = "far-motion"
    case jointScales = "joint-scales"
    case animations
    case channels
    case unresolvedChannels = "unresolved-channels"
    case unplayedAnimations = "unplayed-animations"
    case behaviors
    case keyTimes = "key-times"
    case moment
    case roundedTranslations = "rounded-translations"
    case roundedRotations = "rounded-rotations"

    // Looks.
    case shading
    case specular
    case reflection
    case opacity
    case diffuseAlpha = "diffuse-alpha"
    case ambient
    case diffuse
    case textures
    case textureTurns = "texture-turns"
    case textureCoordinates = "texture-coordinates"
    case textureCoordinateNumbers = "texture-coordinate-numbers"
    case samplers
    case sides
    case images
    case materialExtras = "material-extras"
    case unboundMaterials = "unbound-materials"
    case materials

    // Optics.
    case cameras
    case lights
    case lightFalloff = "light-falloff"
    case spotFalloff = "spot-falloff"
    case missingCameras = "missing-cameras"
    case missingLights = "missing-lights"

    // The rest of a document.
    case physics
    case kinematics

    /// What happened to it, in words; `change` decides between losses and other changes.
    public func title(of change: FidelityReport.Change) -> String {
        switch self {
        case .polygons: "polygons cut into triangles"
        case .vertices: "corners that share a vertex"
        case .lineStrips:
            switch change {
            case .dropped: "lines and line strips"
            case .approximated, .merged, .recoded, .sampled, .triangulated: "line strips written as single lines"
            }
        case .corners: "corners without a position, with the faces they belong to"
        case .normals: "normals without a direction, replaced"
        case .winding: "triangles turned to the side that their normals point to"
        case .tangents:
            switch change {
            case .dropped: "tangents, which the format takes from texture coordinates"
            case .approximated, .merged, .recoded, .sampled, .triangulated: "tangents whose side had to be guessed"
            }
        case .vertexColors:
            switch change {
            case .dropped: "vertex colours beside a texture or a colour, which the format cannot multiply"
            case .approximated, .merged, .recoded, .sampled, .triangulated: "vertex colours beyond 0 to 1, cut off"
            }
        case .customInputs: "inputs of a primitive that the format has no name for"
        case .otherGeometry: "splines and other geometry that is no mesh"
        case .emptyMeshes: "meshes in which nothing is drawn"
        case .missingMeshes: "instances of geometries or controllers that are not there, or lead to no mesh"
        case .attributes: "normals, colours or texture coordinates of vertices that the format has no place for"
        case .lines: "parts of meshes that are lines"
        case .roundedPositions: "places at which a mesh stands with its positions rounded to a grid"
        case .roundedDirections: "meshes whose normals and tangents are rounded"
        case .roundedAttributes: "meshes whose texture coordinates, colours or weights of joints are rounded"
        case .unusedCoordinates: "meshes whose texture coordinates no texture uses, left out"
        case .primitives: "primitives of one material, joined"
        case .influences: "influences of a joint beyond the strongest ones of a vertex"
        case .weights: "vertices whose weights were brought to a sum of 1"
        case .joints:
            switch change {
            case .approximated: "joints whose bind matrix cannot be undone"
            case .dropped, .merged, .recoded, .sampled, .triangulated: "joints that no node stands for"
            }
        case .morphTargets: "morph targets that do not fit their mesh"
        case .morphNormals: "normals of morph targets whose corners are not those of their mesh"
        case .morphTangents: "tangents of morph targets"
        case .morphColors: "morph targets with colours or texture coordinates whose corners are not those of their mesh"
        case .controllerChains: "controllers below a skin or over one, other than a skin over morphs"
        case .deformers: "skins and morphs, written in one pose"
        case .shear: "transforms with shear, split over two nodes or straightened where they move"
        case .instancedNodes: "nodes written again for each place where they stand"
        case .missingNodes: "instances of nodes that are not there"
        case .lastRows: "last rows of matrices that are not 0 0 0 1, as where they are written column by column"
        case .visibility:
            switch change {
            case .dropped: "hidden nodes, left out with what is below them"
            case .approximated, .merged, .recoded, .sampled, .triangulated:
                "nodes that appear or vanish, shown all the time"
            }
        case .hierarchy: "nodes, whose meshes are written where they stand"
        case .curves: "animation curves turned into keys"
        case .matrixKeys: "animated matrices: between keys they turn instead of passing straight"
        case .farMotion: "nodes that move further away than numbers of 32 bits keep places apart"
        case .jointScales: "scales of moving joints, of which the format keeps three digits"
        case .animations:
            switch change {
            case .approximated: "animations, written one after the other"
            case .dropped, .merged, .recoded, .sampled, .triangulated: "animations, for the pose at one moment"
            }
        case .channels: "channels whose target the format cannot move, or that do not fit it"
        case .unresolvedChannels: "channels that lead to nothing that can be moved"
        case .unplayedAnimations: "animations that no clip plays"
        case .behaviors: "curves that go on before or behind their keys"
        case .keyTimes: "animations that begin before 0 s, moved so that they begin there"
        case .moment: "moments that lie beyond all keys: the pose of the nearest one was taken"
        case .roundedTranslations: "tracks of places and scales that are rounded"
        case .roundedRotations: "tracks of rotations that are rounded"
        case .shading:
            switch change {
            case .dropped: "materials without a common profile that says how they look, written white"
            case .approximated, .merged, .recoded, .sampled, .triangulated:
                "materials translated from COLLADA's models of light to metal and roughness"
            }
        case .specular: "specular colours"
        case .reflection: "reflections"
        case .opacity:
            switch change {
            case .dropped: "opacity that is left out"
            case .approximated, .merged, .recoded, .sampled, .triangulated:
                "opacity written otherwise than the document has it"
            }
        case .diffuseAlpha: "alphas of diffuse colours, which say nothing of opacity in COLLADA"
        case .ambient: "ambient colours"
        case .diffuse: "diffuse colours that are not given, written black beside an emission or a highlight"
        case .textures:
            switch change {
            case .dropped: "textures of properties that the format cannot texture"
            case .approximated, .merged, .recoded, .sampled, .triangulated:
                "bump textures that do not say whether they hold normals, taken as such"
            }
        case .textureTurns: "turns and frames of textures that the format cannot make together"
        case .textureCoordinates: "textures whose coordinates the mesh lacks, or had to be guessed"
        case .textureCoordinateNumbers: "texture coordinates that are no numbers, written as 0"
        case .samplers: "sampler settings"
        case .sides: "meshes with parts that are seen from one side, all seen from both"
        case .images:
            switch change {
            case .dropped: "images that are missing, or that cannot be read"
            case .recoded: "images written as PNG, pixel for pixel"
            case .merged: "images that are the same file byte for byte, written once"
            case .approximated, .sampled, .triangulated: "images written as PNG, or as the options ask for"
            }
        case .materialExtras: "what exporters added to materials"
        case .unboundMaterials: "parts of meshes whose material is not bound, written without one"
        case .materials: "materials with their textures"
        case .cameras:
            switch change {
            case .dropped: "cameras that the format does not have, or whose projection it does not"
            case .approximated, .merged, .recoded, .sampled, .triangulated:
                "cameras whose near or far plane the format does not take"
            }
        case .lights: "ambient lights, lights without a technique, and those that the format has no place for"
        case .lightFalloff: "lights that do not fall off by the square of the distance, as bright at the scene's middle"
        case .spotFalloff: "spot lights that fade towards their rim by an exponent, which the format does not have"
        case .missingCameras: "instances of cameras that are not there"
        case .missingLights: "instances of lights that are not there"
        case .physics: "physics"
        case .kinematics: "kinematics"
        }
    }

    /// What a deviation of it is measured in; `nil` where it has none.
    package var measure: String? {
        switch self {
        case .curves, .matrixKeys, .farMotion, .roundedPositions, .roundedTranslations: "of the scene's size"
        case .roundedDirections, .roundedRotations: "degrees"
        case .roundedAttributes: "of the range of 0 to 1"
        case .keyTimes, .moment: "seconds"
        case .polygons, .vertices, .lineStrips, .corners, .normals, .winding, .tangents, .vertexColors, .customInputs,
            .otherGeometry, .emptyMeshes, .missingMeshes, .missingNodes, .missingCameras, .missingLights, .influences,
            .weights, .joints, .morphTargets, .morphNormals, .morphTangents,
            .morphColors, .controllerChains, .shear, .instancedNodes, .lastRows, .visibility,
            .jointScales, .animations, .channels, .unresolvedChannels, .unplayedAnimations, .behaviors, .shading,
            .specular,
            .reflection, .opacity, .diffuseAlpha,
            .ambient, .diffuse, .textures, .textureTurns,
            .textureCoordinates, .textureCoordinateNumbers, .samplers, .sides,
            .images, .materialExtras, .unboundMaterials, .cameras, .lights, .lightFalloff, .spotFalloff, .physics,
            .kinematics, .attributes, .lines, .deformers, .hierarchy, .materials, .unusedCoordinates, .primitives:
            nil
        }
    }
}
