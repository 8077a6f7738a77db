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
        let key = Self.key(of: attribute)
        if let column = known[key] { return column }
        let column = try AttributeColumn(
            attribute.source, of: numbers, as: attribute.kind, matrix, normalMatrix)
        known[key] = column
        return column
    }

    /// Those elements alone, where they can be had without all others and nobody needed all so far.
    func few(
        _ elements: Range<Int>, of attribute: VertexLayout.Attribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?
    ) throws(SceneExportError) -> AttributeColumn? {
        guard known[Self.key(of: attribute)] == nil else { return nil }
        guard let stream = try numbers.stream(attribute.source, elements) else { return nil }
        return AttributeColumn(few: stream, as: attribute.kind, matrix, normalMatrix)
    }

    private static func key(of attribute: VertexLayout.Attribute) -> Key {
        let meaning =
            switch attribute.kind {
            case .position: 0
            case .normal: 1
            case .tangent: 2
            case .texcoord: 3
            case .color: 4
            }
        return Key(source: attribute.source, meaning: meaning)
    }
}
