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

/// Parts of a primitive, each a primitive of its own that no face is cut by.
struct PrimitiveParts {
    enum Size {
        case whole
        /// A few thousand corners, where the kind can be parted.
        case few
    }

    /// The primitive, maybe without its indices.
    private let primitive: Mesh.Primitive
    /// Into the mesh's primitives.
    private let index: Int
    private let numbers: MeshNumbers
    private let corners: Int
    private let most: Int
    private var corner = 0
    private var ring = 0
    private var polygon = 0

    /// Corners of a part, about.
    private static let fewCorners = 3072

    init(_ index: Int, of numbers: MeshNumbers, _ size: Size) {
        self.index = index
        self.numbers = numbers
        primitive = numbers.outline.primitives[index]
        corners = numbers.corners(of: index)
        switch (size, primitive.kind) {
        case (.whole, _), (.few, .lines), (.few, .linestrips): most = .max
        case (.few, .triangles), (.few, .polylist), (.few, .polygons), (.few, .tristrips), (.few, .trifans):
            most = Self.fewCorners
        }
    }

    /// Corners of all triangles that its faces are cut into, about.
    var triangleCorners: Int {
        let (rings, faces) = (primitive.cornerCounts.count, primitive.holeCounts.count)
        switch primitive.kind {
        case .triangles: return corners
        case .polylist, .polygons, .tristrips, .trifans, .lines, .linestrips:
            return 3 * max(0, corners + (faces == 0 ? -2 * rings : 2 * (rings - 2 * faces)))
        }
    }

    /// The next part; `nil` behind the last. Polygons and strips that the indices end before are left out.
    mutating func next() throws(SceneExportError) -> Mesh.Primitive? {
        var part = primitive
        let start = corner
        if most == .max {
            guard corner == 0, corners > 0 else { return nil }
            corner = corners
        } else {
            takeFaces(&part)
            guard corner > start else { return nil }
        }
        part.indices = try numbers.indices(of: index, start..<corner)
        return part
    }

    private mutating func takeFaces(_ part: inout Mesh.Primitive) {
        switch primitive.kind {
        case .triangles: corner = min(corners / 3 * 3, corner + most / 3 * 3)
        case .lines: corner = min(corners / 2 * 2, corner + most / 2 * 2)
        case .polylist, .polygons, .tristrips, .trifans, .linestrips:
            let (firstRing, firstPolygon, start) = (ring, polygon, corner)
            while ring < primitive.cornerCounts.count, corner - start < most, takeFace() {}
            part.cornerCounts = Array(primitive.cornerCounts[firstRing..<ring])
            let holes = primitive.holeCounts
            part.holeCounts = Array(holes[min(firstPolygon, holes.count)..<min(polygon, holes.count)])
        }
    }

    /// Takes the next polygon with its holes, or the next strip; says whether the indices reach so far.
    private mutating func takeFace() -> Bool {
        let holes = polygon < primitive.holeCounts.count ? max(0, Int(primitive.holeCounts[polygon])) : 0
        let last = min(primitive.cornerCounts.count, ring + 1 + holes)
        var end = corner
        for size in primitive.cornerCounts[ring..<last] {
            end += max(0, Int(size))
            guard end <= corners else { return false }
        }
        (ring, polygon, corner) = (last, polygon + 1, end)
        return true
    }
}
