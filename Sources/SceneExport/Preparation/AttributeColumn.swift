// Each element is turned into words once, however many corners use it.

import Glibc
import SceneModel

/// The elements of one stream as the file will have them.
struct AttributeColumn {
    /// Of each element, and behind them those of an element that the stream does not have.
    let words: [UInt32]
    let width: Int
    /// Elements that the stream has.
    let count: Int
    /// Elements that had to be changed: normals without a direction, colours beyond 0 to 1, positions that are no numbers.
    let odd: Set<Int32>
    /// Whether an element that the stream does not have counts as changed.
    let isDefaultOdd: Bool  // a fact about the kind

    /// - Parameters:
    ///   - kind: Not a tangent, which hangs on other streams besides.
    ///   - matrix: Moves positions; `nil` to leave them where they are.
    ///   - normalMatrix: Moves normals.
    init(_ stream: Mesh.Stream, as kind: VertexLayout.Attribute.Kind, _ matrix: Matrix4?, _ normalMatrix: Matrix4?) {
        let reader = StreamReader(stream)
        width = kind.width
        count = reader.count
        var odd = Set<Int32>()
        var isDefaultOdd = false
        var words: [UInt32] = []
        words.reserveCapacity((count + 1) * width)
        func put(_ value: Double) {
            let number = Float(value)
            // −0 and 0 are one place, and two records; what is no number has no place.
            words.append(number.isFinite ? (number + 0).bitPattern : 0)
        }
        for index in 0...count {
            let element = reader[Int32(clamping: index)]
            var isOdd = false
            switch kind {
            case .position, .tangent:
                let point = element.spatial
                let moved = matrix.map { $0.transform(point: point) } ?? point
                put(moved.x)
                put(moved.y)
                put(moved.z)
                // Beyond what the file's numbers reach there is no place either.
                isOdd = !(Float(moved.x).isFinite && Float(moved.y).isFinite && Float(moved.z).isFinite)
            case .normal:
                let direction = normalMatrix.map { $0.transform(point: element.spatial) } ?? element.spatial
                let unit = direction.unit
                isOdd = unit == nil
                let written = unit ?? [0, 0, 1]
                put(written.x)
                put(written.y)
                put(written.z)
            case .texcoord:
                put(element.x)
                // Images hang from the top there.
                put(1 - element.y)
            case .color:
                let color = element.clampedColor
                isOdd = color != element
                put(color.x.linearFromSRGB)
                put(color.y.linearFromSRGB)
                put(color.z.linearFromSRGB)
                put(color.w)
            }
            guard isOdd else { continue }
            if index == count { isDefaultOdd = true } else { odd.insert(Int32(clamping: index)) }
        }
        self.words = words
        self.odd = odd
        self.isDefaultOdd = isDefaultOdd
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
