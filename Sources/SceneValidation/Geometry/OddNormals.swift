import SceneModel

/// The normals of one stream that have another length than 1.
struct OddNormals {
    private let stream: Mesh.Stream
    /// Elements of the stream.
    let count: Int
    /// In their order, each once.
    private var odd: [Int32] = []
    private(set) var zero = Tally()
    private(set) var nonUnit = Tally()

    var isEmpty: Bool { odd.isEmpty }

    init(_ stream: Mesh.Stream) {
        self.stream = stream
        count = stream.count
        guard stream.isPlainTriples else {
            for element in 0..<count where Self.isOdd(squaredLength(of: element)) { add(element) }
            return
        }
        let values = stream.values.span
        for element in 0..<count {
            let (x, y, z) = (values[3 * element], values[3 * element + 1], values[3 * element + 2])
            if Self.isOdd(x * x + y * y + z * z) { add(element) }
        }
    }

    /// Not of what is not finite, which is told as such.
    private static func isOdd(_ squared: Double) -> Bool {
        let (low, high) = (1 - NormalRules.tolerance, 1 + NormalRules.tolerance)
        return squared < low * low || (squared > high * high && squared.isFinite)
    }

    private mutating func add(_ element: Int) { odd.append(Int32(clamping: element)) }

    func length(of element: Int) -> Double { squaredLength(of: element).squareRoot() }

    private func squaredLength(of element: Int) -> Double {
        let normal = SIMD3(
            stream.value(element, lane: 0), stream.value(element, lane: 1), stream.value(element, lane: 2))
        return (normal * normal).sum()
    }

    /// Counts those that a corner uses.
    mutating func keepUsed(of stream: Int, in mesh: Mesh) {
        var isUsed = IndexMarks(count: count)
        for primitive in mesh.primitives {
            let offsets = Set(primitive.inputs.lazy.filter { $0.stream == stream }.map(\.offset))
            for offset in offsets { isUsed.mark(primitive.indices, offset: offset, step: primitive.stride) }
        }
        for element in odd where isUsed[Int(element)] {
            if length(of: Int(element)) < NormalRules.shortest {
                zero.add(Int(element))
            } else {
                nonUnit.add(Int(element))
            }
        }
    }
}
