// Each element is turned into words once, however many corners use it.

import Glibc
import SceneModel

/// The elements of one stream as the file will have them.
struct AttributeColumn {
    /// Of each element, and behind them those of an element that the stream does not have.
    private(set) var words: [UInt32] = []
    let width: Int
    /// Elements that the stream has.
    private(set) var count = 0
    /// Elements that had to be changed: normals without a direction, colours beyond 0 to 1, positions that are no numbers.
    private(set) var odd = Set<Int32>()
    /// Whether an element that the stream does not have counts as changed.
    private(set) var isDefaultOdd = false  // a fact about the kind

    private let kind: VertexLayout.Attribute.Kind
    private let matrix: Matrix4?
    private let normalMatrix: Matrix4?

    /// - Parameters:
    ///   - kind: Not a tangent, which hangs on other streams besides.
    ///   - matrix: Moves positions; `nil` to leave them where they are.
    ///   - normalMatrix: Moves normals.
    init(
        _ stream: Int, of numbers: MeshNumbers, as kind: VertexLayout.Attribute.Kind, _ matrix: Matrix4?,
        _ normalMatrix: Matrix4?
    ) throws(SceneExportError) {
        width = kind.width
        self.kind = kind
        self.matrix = matrix
        self.normalMatrix = normalMatrix
        words.reserveCapacity((numbers.elements(of: stream) + 1) * width)
        try numbers.forEachPart(of: stream) { part in
            for index in 0..<part.count {
                if add(part[Int32(clamping: index)]) { odd.insert(Int32(clamping: count)) }
                count += 1
            }
        }
        isDefaultOdd = add(StreamReader.missing)
    }

    /// Says whether the element had to be changed.
    private mutating func add(_ element: SIMD4<Double>) -> Bool {
        switch kind {
        case .position, .tangent:
            let point = element.spatial
            let moved = matrix.map { $0.transform(point: point) } ?? point
            put(moved)
            // Beyond what the file's numbers reach there is no place either.
            return !(Float(moved.x).isFinite && Float(moved.y).isFinite && Float(moved.z).isFinite)
        case .normal:
            let direction = normalMatrix.map { $0.transform(point: element.spatial) } ?? element.spatial
            let unit = direction.unit
            put(unit ?? [0, 0, 1])
            return unit == nil
        case .texcoord:
            put(element.x)
            // Images hang from the top there.
            put(1 - element.y)
            return false
        case .color:
            let color = element.clampedColor
            put([color.x.linearFromSRGB, color.y.linearFromSRGB, color.z.linearFromSRGB])
            put(color.w)
            return color != element
        }
    }

    private mutating func put(_ vector: SIMD3<Double>) {
        put(vector.x)
        put(vector.y)
        put(vector.z)
    }

    @inline(__always)
    private mutating func put(_ value: Double) {
        let number = Float(value)
        // −0 and 0 are one place, and two records; what is no number has no place.
        words.append(number.isFinite ? (number + 0).bitPattern : 0)
    }

    /// Whether an index leads to an element, and that to numbers.
    func has(_ index: Int32) -> Bool {
        index >= 0 && Int(index) < count && (odd.isEmpty || !odd.contains(index))
    }
}

extension SIMD4<Double> {
    /// Within 0 to 1; numbers that are none count as 0.
    fileprivate var clampedColor: SIMD4<Double> {
        var clamped = clamped(lowerBound: .zero, upperBound: .one)
        for lane in 0..<4 where !self[lane].isFinite { clamped[lane] = 0 }
        return clamped
    }
}
