public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Controller: Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
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
    public struct Skin: Sendable, Hashable {
        public var source: Reference
        /// `nil` where the file leaves it out: then the identity.
        public var bindShape: Matrix4?
        public var sources: [Source]
        /// JOINT and INV_BIND_MATRIX.
        public var joints: [Input]
        public var weights: VertexWeights?

        /// What the joints are called, in the order that indices count them; empty where their source is missing.
        public var jointNames: [String] { names(of: "JOINT", in: joints, sources) }
    }

    /// Which joints move each vertex, and how much.
    public struct VertexWeights: Sendable, Hashable {
        public var position: XMLPosition
        /// The `count` attribute; `nil` when missing or no number.
        public var count: Int?
        /// JOINT and WEIGHT, with their offsets.
        public var inputs: [Input]
        /// Influences of each vertex; empty when only figures were asked for, as is ``indices``.
        public var influenceCounts: [Int32]
        /// For each influence one index an offset; a joint of −1 is the bind shape itself.
        public var indices: [Int32]
    }

    /// Blends a mesh with others of the same vertices.
    public struct Morph: Sendable, Hashable {
        public enum Method: String, Sendable, CaseIterable {
            /// (1 − Σw) × base + Σ w × target.
            case normalized = "NORMALIZED"
            /// Base + Σ w × target.
            case relative = "RELATIVE"
        }
        public var source: Reference
        public var method: Method
        public var sources: [Source]
        /// MORPH_TARGET and MORPH_WEIGHT.
        public var targets: [Input]

        /// The ids of the target geometries, in order; empty where their source is missing.
        public var targetNames: [String] { names(of: "MORPH_TARGET", in: targets, sources) }
    }

    /// The source that an input refers to, among those of the same element.
    public static func source(of input: Input, in sources: [Source]) -> Source? {
        let text = input.source.text
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        return sources.first { $0.id == id } ?? sources.first { $0.id == id.percentDecoded }
    }

    fileprivate static func names(of semantic: String, in inputs: [Input], _ sources: [Source]) -> [String] {
        guard let input = inputs.first(where: { $0.semantic == semantic }),
            case .names(let names)? = source(of: input, in: sources)?.array
        else { return [] }
        return names
    }
}

private func names(
    of semantic: String, in inputs: [ColladaDocument.Input], _ sources: [ColladaDocument.Source]
) -> [String] {
    ColladaDocument.names(of: semantic, in: inputs, sources)
}
