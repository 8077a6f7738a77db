import DaeScene

/// Cuts the parts of primitives into triangles, with no more positions at hand than those need.
struct PolygonCutter {
    private let mesh: Mesh
    /// All positions of the stream that was cut by last, where they were wanted.
    private var whole: (stream: Int, positions: Mesh.Stream)?

    init(of mesh: Mesh) { self.mesh = mesh }

    /// Positions that are read for one corner, at most; where more would have to be, all are.
    private static let mostRead = 4

    /// The corners of all triangles, as places in the part.
    mutating func corners(of part: Mesh.Primitive, using triangulator: inout Triangulator) -> [Int32] {
        switch part.kind {
        case .triangles, .tristrips, .trifans, .lines, .linestrips:
            return mesh.triangles(of: part, using: &triangulator).corners
        case .polylist, .polygons: break
        }
        guard let input = part.input(of: .position, in: mesh) else { return [] }
        var polygons = part
        polygons.inputs = [Mesh.Primitive.Input(stream: 0, offset: 0, set: nil)]
        polygons.stride = 1
        let all = part.indices.span
        var indices = (0..<part.corners).map { all[$0 * part.stride + input.offset] }
        let positions: Mesh.Stream
        if let elements = elements(of: indices, in: mesh.streams[input.stream]) {
            positions = mesh.streams[input.stream].part(elements).tripled
            let first = Int32(clamping: elements.lowerBound)
            for place in indices.indices { indices[place] -= first }
        } else {
            positions = allPositions(of: input.stream)
        }
        polygons.indices = NumberArray(indices)
        let mesh = Mesh(streams: [positions], primitives: [])
        return mesh.triangles(of: polygons, using: &triangulator).corners
    }

    /// Those that indices lead to; `nil` where some lead nowhere, or they are far apart.
    private func elements(of indices: [Int32], in stream: Mesh.Stream) -> Range<Int>? {
        guard let least = indices.min(), let most = indices.max(), least >= 0,
            Int(most) < StreamReader(stream).count, Int(most) - Int(least) < Self.mostRead * indices.count
        else { return nil }
        return Int(least)..<Int(most) + 1
    }

    private mutating func allPositions(of stream: Int) -> Mesh.Stream {
        if let whole, whole.stream == stream { return whole.positions }
        let positions = mesh.streams[stream].tripled
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

    private let primitive: Mesh.Primitive
    private let corners: Int
    private let most: Int
    private var corner = 0
    private var ring = 0
    private var polygon = 0

    /// Corners that were given since the memory of a file's pages was given back.
    private var seen = 0

    /// Corners of a part, about.
    private static let fewCorners = 3072
    private static let mostSeen = 1 << 17

    init(_ primitive: Mesh.Primitive, _ size: Size) {
        self.primitive = primitive
        corners = primitive.corners
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
    mutating func next() -> Mesh.Primitive? {
        var part = primitive
        let start = corner
        if most == .max {
            guard corner == 0, corners > 0 else { return nil }
            corner = corners
        } else {
            takeFaces(&part)
            guard corner > start else { return nil }
        }
        seen += corner - start
        if seen >= Self.mostSeen {
            primitive.indices.giveBack()
            seen = 0
        }
        let stride = max(1, primitive.stride)
        part.indices = primitive.indices.part(start * stride..<corner * stride)
        return part
    }

    private mutating func takeFaces(_ part: inout Mesh.Primitive) {
        switch primitive.kind {
        case .triangles: corner = min(corners / 3 * 3, corner + most / 3 * 3)
        case .lines: corner = min(corners / 2 * 2, corner + most / 2 * 2)
        case .polylist, .polygons, .tristrips, .trifans, .linestrips:
            let (firstRing, firstPolygon, start) = (ring, polygon, corner)
            while ring < primitive.cornerCounts.count, corner - start < most, takeFace() {}
            part.cornerCounts = primitive.cornerCounts.part(firstRing..<ring)
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
