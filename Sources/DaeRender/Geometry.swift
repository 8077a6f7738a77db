import DaeMesh
import DaeScene

/// One part of a mesh where an instance shows it.
struct Draw: Sendable {
    let part: DrawnPart
    /// Into the looks.
    let look: Int
    let isClear: Bool
    /// From the part to the world.
    let toWorld: Matrix4
    /// From the part to x, y in pixels, depth and w, the first three times w.
    let toScreen: Matrix4
    /// Whether its triangles are clockwise seen from where their normals point to.
    let isMirrored: Bool
    /// Into the screen's vertices.
    let firstVertex: Int
    /// The number of its first triangle or line in the picture.
    let firstFace: Int
    /// The columns of what turns its normals into the world, but for their length.
    let normals: (x: Vector, y: Vector, z: Vector)

    init(
        _ part: DrawnPart, look: Int, isClear: Bool, toWorld: Matrix4, projection: Matrix4, firstVertex: Int,
        firstFace: Int
    ) {
        self.part = part
        self.look = look
        self.isClear = isClear
        self.toWorld = toWorld
        toScreen = projection * toWorld
        self.firstVertex = firstVertex
        self.firstFace = firstFace
        let (x, y, z) = (toWorld.columns.0.xyz, toWorld.columns.1.xyz, toWorld.columns.2.xyz)
        let determinant = x.dot(y.cross(z))
        isMirrored = determinant < 0
        let sign: Double = isMirrored ? -1 : 1
        // Scaled first: products of very large or very small numbers leave the range of a float.
        let largest = max(x.dot(x), y.dot(y), z.dot(z)).squareRoot()
        let scale = largest > 0 && largest.isFinite ? sign / (largest * largest) : sign
        normals = (
            Vector(narrowing: y.cross(z) * scale), Vector(narrowing: z.cross(x) * scale),
            Vector(narrowing: x.cross(y) * scale)
        )
    }

    var faces: Int {
        switch part.topology {
        case .triangles: part.indices.count / 3
        case .lines: part.indices.count / 2
        }
    }
}

/// Where a vertex is on the screen.
struct ScreenVertex: Sendable {
    /// In 256ths of a pixel, from the upper left.
    let x: Int32
    let y: Int32
    let depth: Float

    /// Not within what can be drawn without being cut.
    static let outside = ScreenVertex(x: .min, y: 0, depth: 0)

    var isOutside: Bool { x == .min }

    /// 256ths of a pixel beyond which edges would leave the range of a 64-bit number.
    static let guardBand = 536_870_912.0

    init(x: Int32, y: Int32, depth: Float) {
        (self.x, self.y, self.depth) = (x, y, depth)
    }

    /// - Parameter point: x, y, depth and w, the first three times w.
    @inline(__always)
    init(_ point: SIMD4<Double>) {
        // Behind the near plane, no number, or too far to the side.
        guard point.w > 0, point.z <= point.w else {
            self = .outside
            return
        }
        let scale = 1 / point.w
        let (x, y) = (point.x * scale * 256, point.y * scale * 256)
        guard abs(x) < Self.guardBand, abs(y) < Self.guardBand else {
            self = .outside
            return
        }
        self.init(
            x: Int32(x.rounded(.toNearestOrEven)), y: Int32(y.rounded(.toNearestOrEven)), depth: Float(point.z * scale))
    }
}

/// A triangle of the screen that is no triangle of a part: what is left of one that was cut, or half of a line.
struct Piece: Sendable {
    /// The triangle or line that it is of.
    let face: UInt32
    let a: ScreenVertex
    let b: ScreenVertex
    let c: ScreenVertex
}

extension Matrix4 {
    /// x, y, z and w of a point that is moved.
    @inline(__always)
    func homogeneous(_ point: SIMD3<Float>) -> SIMD4<Double> {
        let (x, y, z) = (Double(point.x), Double(point.y), Double(point.z))
        return columns.0 * x + columns.1 * y + columns.2 * z + columns.3
    }
}

extension [Float] {
    @inline(__always)
    func triple(_ vertex: Int) -> Vector { Vector(self[3 * vertex], self[3 * vertex + 1], self[3 * vertex + 2]) }
}

/// Cuts what reaches behind the near plane or far beyond the picture.
enum Clipper {
    private static let most = ScreenVertex.guardBand / 256 / 2

    /// The corners that are left of a triangle or line, each x, y, depth and w, the first three times w.
    static func clip(_ corners: [SIMD4<Double>]) -> [SIMD4<Double>] {
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite && $0.w.isFinite }) else {
            return []
        }
        // Each 0 or more where a point is to be kept.
        let planes: [(SIMD4<Double>) -> Double] = [
            { $0.w - $0.z }, { $0.w * most - $0.x }, { $0.w * most + $0.x }, { $0.w * most - $0.y },
            { $0.w * most + $0.y },
        ]
        var left = corners
        for plane in planes {
            left = cut(left, plane)
            if left.isEmpty { return [] }
        }
        return left.filter { $0.w > 0 }
    }

    private static func cut(_ corners: [SIMD4<Double>], _ plane: (SIMD4<Double>) -> Double) -> [SIMD4<Double>] {
        var kept: [SIMD4<Double>] = []
        let isLine = corners.count == 2
        for (index, here) in corners.enumerated() {
            let there = corners[(index + 1) % corners.count]
            let (one, other) = (plane(here), plane(there))
            if one >= 0 { kept.append(here) }
            // A line has no way back.
            if isLine, index == 1 { break }
            if (one >= 0) != (other >= 0) {
                let share = one / (one - other)
                kept.append(here + (there - here) * share)
            }
        }
        return kept
    }
}
