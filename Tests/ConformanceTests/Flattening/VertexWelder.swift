import Daedalus

/// Gives vertices that lie within a tolerance of each other the same number, so that surfaces can be held against each
/// other by numbers alone. Two scenes that are compared go through one welder.
struct VertexWelder {
    /// Of each coordinate, in metres.
    let tolerance: Double
    /// Of each part of a normal: where none are written they follow from corners that were rounded to six digits.
    private static let normalTolerance = 5e-3
    private static let attributeTolerance = 2e-4
    private(set) var vertices: [FlatVertex] = []
    private var cells: [SIMD3<Int64>: [Int]] = [:]

    init(tolerance: Double) {
        self.tolerance = tolerance
    }

    mutating func number(of vertex: FlatVertex) -> Int {
        for cell in cells(around: vertex.position) {
            if let known = cells[cell]?.first(where: { matches(vertices[$0], vertex) }) { return known }
        }
        vertices.append(vertex)
        cells[cell(of: vertex.position), default: []].append(vertices.count - 1)
        return vertices.count - 1
    }

    private func matches(_ one: FlatVertex, _ other: FlatVertex) -> Bool {
        (one.position - other.position).largest <= tolerance
            && (one.normal - other.normal).largest <= Self.normalTolerance
            && one.attributes.count == other.attributes.count
            && zip(one.attributes, other.attributes).allSatisfy { abs($0 - $1) <= Self.attributeTolerance }
    }

    // Cells are many times the tolerance, so that a vertex nearly always has to look into its own alone.

    private func cell(of point: SIMD3<Double>) -> SIMD3<Int64> {
        func place(_ value: Double) -> Int64 { Int64(exactly: (value / (64 * tolerance)).rounded(.down)) ?? .max }
        return SIMD3(place(point.x), place(point.y), place(point.z))
    }

    private func cells(around point: SIMD3<Double>) -> [SIMD3<Int64>] {
        let low = cell(of: point - SIMD3(repeating: tolerance))
        let high = cell(of: point + SIMD3(repeating: tolerance))
        if low == high { return [low] }
        var cells: [SIMD3<Int64>] = []
        for x in Set([low.x, high.x]) {
            for y in Set([low.y, high.y]) {
                for z in Set([low.z, high.z]) { cells.append(SIMD3(x, y, z)) }
            }
        }
        return cells
    }
}
