public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Animation: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Into ``ColladaDocument/animations``: those within it.
        public var children: [Int]
        /// The ids of its own sources; their numbers are in the samplers' curves. Empty when only figures were asked for.
        public var sources: [String]
        public var samplers: [Sampler]
        public var channels: [Channel]

        /// First and last key of its own samplers in seconds; `nil` without keys.
        public var span: ClosedRange<Double>? {
            samplers.compactMap(\.span).reduce(nil) { all, one in
                all.map { min($0.lowerBound, one.lowerBound)...max($0.upperBound, one.upperBound) } ?? one
            }
        }
    }

    /// How values follow from times.
    public struct Sampler: Sendable {
        public var id: String?
        public var position: XMLPosition
        /// Without those that lead to their animation's own sources, when only figures were asked for.
        public var inputs: [Input]
        /// `nil` when it has no usable keys, and when only figures were asked for.
        public var curve: AnimationCurve?
        /// First and last key in seconds; `nil` without keys.
        public var span: ClosedRange<Double>?
        /// Numbers of a key; `nil` without keys.
        public var width: Int?
        /// Whether every input leads to a source of its own animation.
        var readsOwnSources = false
    }

    /// What a sampler moves.
    public struct Channel: Sendable {
        /// Of the sampler.
        public var source: Reference
        public var target: Reference
    }

    public struct AnimationClip: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Seconds; 0 unless the file says otherwise.
        public var start: Double
        /// Seconds; `nil` where the file leaves it to the animations.
        public var end: Double?
        /// The animations it plays, as written.
        public var animations: [Reference]
    }
}

extension ColladaDocument {
    /// Puts animations in the file's order; they were read at their end tags, children first.
    mutating func orderAnimations() {
        let isOrdered = animations.indices.dropFirst().allSatisfy {
            animations[$0 - 1].position.byte < animations[$0].position.byte
        }
        if isOrdered { return }
        let order = animations.indices.sorted { animations[$0].position.byte < animations[$1].position.byte }
        var places = [Int](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { places[index] = place }
        animations = order.map { index in
            var animation = animations[index]
            animation.children = animation.children.map { places[$0] }
            return animation
        }
    }
}

extension ColladaDocument {
    public struct Controller: Sendable {
        public enum Kind: Sendable {
            case skin(Skin)
            case morph(Morph)
            /// Neither within.
            case empty
        }
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var kind: Kind
    }

    /// Binds the vertices of a mesh to joints.
    public struct Skin: Sendable {
        public var source: Reference
        /// `nil` where the file leaves it out: then the identity.
        public var bindShape: Matrix4?
        public var sources: [Source]
        /// JOINT and INV_BIND_MATRIX.
        public var joints: [Input]
        public var weights: VertexWeights?
        /// As many as are written; some may not be finite. There also where only figures are wanted.
        var inverseBinds: [Matrix4] = []

        /// What the joints are called, in the order that indices count them; empty where their source is missing.
        public var jointNames: [String] { jointWords.words }

        var jointWords: SourceReader.Words { SourceReader(sources).words(of: jointInput) }

        /// Of `<joints>`, or where that has none, of the weights.
        var jointInput: Input? { (joints + (weights?.inputs ?? [])).first { $0.semantic == "JOINT" } }

        var inverseBindInput: Input? { joints.first { $0.semantic == "INV_BIND_MATRIX" } }
    }

    /// Which joints move each vertex, and how much.
    public struct VertexWeights: Sendable {
        public var position: XMLPosition
        /// The `count` attribute; `nil` when missing or no number.
        public var count: Int?
        /// JOINT and WEIGHT, with their offsets.
        public var inputs: [Input]
        /// How many vertices it has influences for.
        public var vertices: Int
        /// Influences of each vertex; empty when only figures were asked for, as is ``indices``.
        public var influenceCounts: [Int32]
        /// For each influence one index an offset; a joint of −1 is the bind shape itself.
        public var indices: [Int32]
        /// The influences where only figures were asked for.
        var archived: ArchivedInfluences?

        /// Indices of an influence: the largest offset of an input and one.
        public var stride: Int { (inputs.map(\.offset).max() ?? 0) + 1 }

        func input(_ semantic: String) -> Input? { inputs.first { $0.semantic == semantic } }
    }

    /// Blends a mesh with others of the same vertices.
    public struct Morph: Sendable {
        public var source: Reference
        public var method: SceneModel.Morph.Method
        public var sources: [Source]
        /// MORPH_TARGET and MORPH_WEIGHT.
        public var targets: [Input]
        /// As many as are written; some may not be finite. There also where only figures are wanted.
        var weights = NumberList([])

        /// The ids of the target geometries, in order; empty where their source is missing.
        var targetWords: SourceReader.Words { SourceReader(sources).words(of: input("MORPH_TARGET")) }

        func input(_ semantic: String) -> Input? { targets.first { $0.semantic == semantic } }
    }

    /// The source that an input refers to, among those of the same element.
    public static func source(of input: Input, in sources: [Source]) -> Source? {
        let id = input.source.withoutHash
        return sources.first { $0.id == id } ?? sources.first { $0.id == id.percentDecoded }
    }
}
