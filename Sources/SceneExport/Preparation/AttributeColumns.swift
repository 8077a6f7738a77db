import SceneModel

/// The columns of one mesh, which its primitives share.
struct AttributeColumns {
    private struct Key: Hashable {
        let source: Int
        /// Streams of one meaning are alike whatever their number in the file.
        let meaning: Int
    }
    private var known: [Key: AttributeColumn] = [:]
    private let numbers: MeshNumbers

    init(of numbers: MeshNumbers) { self.numbers = numbers }

    mutating func removeAll() { known = [:] }

    mutating func column(
        of attribute: VertexLayout.Attribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?
    ) throws(SceneExportError) -> AttributeColumn {
        let meaning =
            switch attribute.kind {
            case .position: 0
            case .normal: 1
            case .tangent: 2
            case .texcoord: 3
            case .color: 4
            }
        let key = Key(source: attribute.source, meaning: meaning)
        if let column = known[key] { return column }
        let column = try AttributeColumn(
            attribute.source, of: numbers, as: attribute.kind, matrix, normalMatrix)
        known[key] = column
        return column
    }
}
