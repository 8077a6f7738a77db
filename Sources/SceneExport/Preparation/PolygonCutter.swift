import SceneModel

/// Cuts the parts of primitives into triangles, with no more positions at hand than those need.
struct PolygonCutter {
    private let numbers: MeshNumbers
    /// All positions of the stream that was cut by last, where they were wanted.
    private var whole: (stream: Int, positions: Mesh.Stream)?

    init(of numbers: MeshNumbers) { self.numbers = numbers }

    /// Positions that are read for one corner, at most; where more would have to be, all are.
    private static let mostRead = 4

    /// The corners of all triangles, as places in the part.
    mutating func corners(
        of part: Mesh.Primitive, using triangulator: inout Triangulator
    ) throws(SceneExportError) -> [Int32] {
        let outline = numbers.outline
        switch part.kind {
        case .triangles, .tristrips, .trifans, .lines, .linestrips:
            return outline.triangles(of: part, using: &triangulator).corners
        case .polylist, .polygons: break
        }
        guard let input = outline.positionInput(of: part) else { return [] }
        var polygons = part
        polygons.inputs = [Mesh.Primitive.Input(stream: 0, offset: 0, set: nil)]
        polygons.stride = 1
        polygons.indices = (0..<part.corners).map { part.indices[$0 * part.stride + input.offset] }
        let positions: Mesh.Stream
        if let elements = elements(of: polygons, in: input.stream),
            let few = try numbers.stream(input.stream, elements)
        {
            positions = few.tripled
            let first = Int32(clamping: elements.lowerBound)
            for place in polygons.indices.indices { polygons.indices[place] -= first }
        } else {
            positions = try allPositions(of: input.stream)
        }
        let mesh = Mesh(streams: [positions], primitives: [])
        return mesh.triangles(of: polygons, using: &triangulator).corners
    }

    /// Those that indices lead to; `nil` where some lead nowhere, or they are far apart.
    private func elements(of polygons: Mesh.Primitive, in stream: Int) -> Range<Int>? {
        guard let least = polygons.indices.min(), let most = polygons.indices.max(), least >= 0,
            Int(most) < numbers.elements(of: stream), Int(most) - Int(least) < Self.mostRead * polygons.indices.count
        else { return nil }
        return Int(least)..<Int(most) + 1
    }

    private mutating func allPositions(of stream: Int) throws(SceneExportError) -> Mesh.Stream {
        if let whole, whole.stream == stream { return whole.positions }
        let positions = try numbers.stream(stream).tripled
        whole = (stream, positions)
        return positions
    }
}
