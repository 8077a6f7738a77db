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
        var readsOwnSources = false  // a fact about the document
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
