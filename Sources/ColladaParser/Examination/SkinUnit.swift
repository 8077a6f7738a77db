public import Diagnostics
public import SceneModel

/// A skin with its matrices and influences, at its controller's end tag. Valid during the call that hands it over.
public struct SkinUnit {
    /// `nil` where the file leaves it out.
    public let bindShape: Matrix4?
    /// As many as the document has, which need not be one a joint; not all of them need be finite.
    public let inverseBinds: [Matrix4]
    public let joints: Int
    public let influences: SkinInfluences
    private let element: ElementView

    /// - Parameter element: The `<skin>`.
    init(_ skin: ColladaDocument.Skin, element: ElementView) {
        let reader = SourceReader(skin.sources)
        bindShape = skin.bindShape
        joints = reader.words(of: skin.jointInput).words.count
        inverseBinds = reader.matrices(of: skin.inverseBindInput) ?? []
        influences = SkinInfluences(skin.weights, reader)
        self.element = element
    }

    public enum Part: Sendable {
        case bindShape, joints, weights
    }

    /// The skin's own where it lacks the part.
    public func place(of part: Part) -> Place {
        switch part {
        case .bindShape: (element.first(.bindShapeMatrix) ?? element).place
        case .joints: (element.first(.joints) ?? element).place
        case .weights: (element.first(.vertexWeights) ?? element).place
        }
    }
}

extension SkinInfluences {
    init(_ weights: ColladaDocument.VertexWeights?, _ reader: SourceReader) {
        guard let weights else {
            self = .none
            return
        }
        self.init(
            counts: weights.influenceCounts, indices: weights.indices, stride: weights.stride,
            jointOffset: weights.input("JOINT")?.offset, weightOffset: weights.input("WEIGHT")?.offset,
            weights: reader.numbers(of: weights.input("WEIGHT")) ?? NumberList([]))
    }
}
