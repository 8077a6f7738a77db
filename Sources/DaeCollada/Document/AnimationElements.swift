package import DaeScene
package import DaeXML

extension ColladaDocument {
    package struct Animation: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// Into ``ColladaDocument/animations``: those within it.
        package var children: [Int]
        /// The ids of its own sources; their numbers are in the samplers' curves. Empty when only figures were asked for.
        package var sources: [String]
        package var samplers: [Sampler]
        package var channels: [Channel]

        /// First and last key of its own samplers in seconds; `nil` without keys.
        package var span: ClosedRange<Double>? {
            samplers.compactMap(\.span).reduce(nil) { all, one in
                all.map { min($0.lowerBound, one.lowerBound)...max($0.upperBound, one.upperBound) } ?? one
            }
        }
    }

    /// How values follow from times.
    package struct Sampler: Sendable {
        package var id: String?
        package var position: XMLPosition
        /// Without those that lead to their animation's own sources, when only figures were asked for.
        package var inputs: [Input]
        /// `nil` when it has no usable keys, and when only figures were asked for.
        package var curve: AnimationCurve?
        /// First and last key in seconds; `nil` without keys.
        package var span: ClosedRange<Double>?
        /// Numbers of a key; `nil` without keys.
        package var width: Int?
        /// Whether every input leads to a source of its own animation.
        var readsOwnSources = false
    }

    /// What a sampler moves.
    package struct Channel: Sendable {
        /// Of the sampler.
        package var source: Reference
        package var target: Reference
    }

    package struct AnimationClip: Sendable {
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        /// Seconds; 0 unless the file says otherwise.
        package var start: Double
        /// Seconds; `nil` where the file leaves it to the animations.
        package var end: Double?
        /// The animations it plays, as written.
        package var animations: [Reference]
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
    package struct Controller: Sendable {
        package enum Kind: Sendable {
            case skin(Skin)
            case morph(Morph)
            /// Neither within.
            case empty
        }
        package var id: String?
        package var name: String?
        package var position: XMLPosition
        package var kind: Kind
    }

    /// Binds the vertices of a mesh to joints.
    package struct Skin: Sendable {
        package var source: Reference
        /// `nil` where the file leaves it out: then the identity.
        package var bindShape: Matrix4?
        package var sources: [Source]
        /// JOINT and INV_BIND_MATRIX.
        package var joints: [Input]
        package var weights: VertexWeights?
        /// As many as are written; some may not be finite. There also where only figures are wanted.
        var inverseBinds: [Matrix4] = []

        /// What the joints are called, in the order that indices count them; empty where their source is missing.
        package var jointNames: [String] { jointWords.words }

        var jointWords: SourceReader.Words { SourceReader(sources).words(of: jointInput) }

        /// Of `<joints>`, or where that has none, of the weights.
        var jointInput: Input? { (joints + (weights?.inputs ?? [])).first { $0.semantic == "JOINT" } }

        var inverseBindInput: Input? { joints.first { $0.semantic == "INV_BIND_MATRIX" } }
    }

    /// Which joints move each vertex, and how much.
    package struct VertexWeights: Sendable {
        package var position: XMLPosition
        /// The `count` attribute; `nil` when missing or no number.
        package var count: Int?
        /// JOINT and WEIGHT, with their offsets.
        package var inputs: [Input]
        /// How many vertices it has influences for.
        package var vertices: Int
        /// Influences of each vertex; empty when only figures were asked for, as is ``indices``.
        package var influenceCounts: NumberArray<Int32>
        /// For each influence one index an offset; a joint of −1 is the bind shape itself.
        package var indices: NumberArray<Int32>
        /// The same with its weights, where only figures were asked for.
        var influences: SkinInfluences?

        /// Indices of an influence: the largest offset of an input and one.
        package var stride: Int { (inputs.map(\.offset).max() ?? 0) + 1 }

        func input(_ semantic: String) -> Input? { inputs.first { $0.semantic == semantic } }
    }

    /// Blends a mesh with others of the same vertices.
    package struct Morph: Sendable {
        package var source: Reference
        package var method: DaeScene.Morph.Method
        package var sources: [Source]
        /// MORPH_TARGET and MORPH_WEIGHT.
        package var targets: [Input]
        /// As many as are written; some may not be finite. There also where only figures are wanted.
        var weights = NumberList([])

        /// The ids of the target geometries, in order; empty where their source is missing.
        var targetWords: SourceReader.Words { SourceReader(sources).words(of: input("MORPH_TARGET")) }

        func input(_ semantic: String) -> Input? { targets.first { $0.semantic == semantic } }
    }

    /// The source that an input refers to, among those of the same element.
    package static func source(of input: Input, in sources: [Source]) -> Source? {
        let id = input.source.withoutHash
        return sources.first { $0.id == id } ?? sources.first { $0.id == id.percentDecoded }
    }
}
