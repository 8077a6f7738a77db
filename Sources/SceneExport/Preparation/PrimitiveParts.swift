import SceneModel

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
