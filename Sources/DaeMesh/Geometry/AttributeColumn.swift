// Each element is turned into words once, however many corners use it.

import DaeCore
import DaeScene

/// The elements of one stream as the format has them.
struct AttributeColumn {
    /// Of each element, and behind them those of an element that the stream does not have.
    private(set) var words: [UInt32] = []
    let width: Int
    /// Elements that the stream has.
    private(set) var count = 0
    /// Elements that had to be changed: normals without a direction, colours beyond 0 to 1, positions and texture
    /// coordinates that are no numbers.
    private(set) var invalid = Set<Int32>()
    /// Whether an element that the stream does not have counts as changed.
    private(set) var isDefaultInvalid = false

    /// - Parameters:
    ///   - kind: Not a tangent, which hangs on other streams besides.
    ///   - matrix: Moves positions; `nil` to leave them where they are.
    ///   - normalMatrix: Moves normals.
    init(
        _ stream: Mesh.Stream, as kind: VertexAttribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?,
        _ conventions: ExportConventions
    ) {
        width = kind.width
        let conversion = ElementConversion(
            kind: kind, matrix: matrix, normalMatrix: normalMatrix, conventions: conventions)
        let elements = StreamReader(stream).count
        words.reserveCapacity((elements + 1) * width)
        let most = max(1, Self.partSize / max(1, stream.stride))
        for first in stride(from: 0, to: elements, by: most) {
            add(StreamReader(stream.part(first..<min(elements, first + most))), conversion)
        }
        stream.values.giveBack()
        let (word, isInvalid) = conversion.words(of: StreamReader.missing)
        for lane in 0..<width { words.append(word[lane]) }
        isDefaultInvalid = isInvalid
    }

    /// Numbers that are converted at a time, about.
    private static let partSize = 1 << 13

    /// Some elements of a stream by themselves.
    init(
        few stream: Mesh.Stream, as kind: VertexAttribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?,
        _ conventions: ExportConventions
    ) {
        width = kind.width
        add(
            StreamReader(stream),
            ElementConversion(kind: kind, matrix: matrix, normalMatrix: normalMatrix, conventions: conventions))
    }

    private mutating func add(_ part: StreamReader, _ conversion: ElementConversion) {
        var changed: [Int] = []
        let added = part.count * width
        words.append(addingCapacity: added) { words in
            words.withUnsafeMutableBufferPointer { words, filled in
                if !conversion.putPlain(part, into: words, &changed) { conversion.put(part, into: words, &changed) }
                filled = added
            }
        }
        for index in changed { invalid.insert(Int32(clamping: count + index)) }
        count += part.count
    }

    /// Whether an index leads to an element, and that to numbers.
    func has(_ index: Int32) -> Bool {
        index >= 0 && Int(index) < count && (invalid.isEmpty || !invalid.contains(index))
    }
}

/// How the elements of a stream become words.
private struct ElementConversion {
    let kind: VertexAttribute
    let matrix: Matrix4?
    let normalMatrix: Matrix4?
    let conventions: ExportConventions

    /// The words of an element, as many as are wanted, and whether it had to be changed.
    @inline(__always)
    func words(of element: SIMD4<Double>) -> (words: SIMD4<UInt32>, isInvalid: Bool) {
        switch kind {
        case .position, .tangent:
            let point = element.spatial
            let moved = matrix.map { $0.transform(point: point) } ?? point
            // Beyond what 32 bits reach there is no place either.
            let isPlace = Float(moved.x).isFinite && Float(moved.y).isFinite && Float(moved.z).isFinite
            return (Self.words(moved.x, moved.y, moved.z), !isPlace)
        case .normal:
            let direction = normalMatrix.map { $0.transform(point: element.spatial) } ?? element.spatial
            let unit = direction.unit
            let written = unit ?? [0, 0, 1]
            return (Self.words(written.x, written.y, written.z), unit == nil)
        case .texcoord:
            let height = conventions.height(element.y)
            return (Self.words(element.x, height), !(Float(element.x).isFinite && Float(element.y).isFinite))
        case .color:
            let clamped = element.clampedColor
            let color = conventions.color(clamped)
            return (Self.words(color.x, color.y, color.z, color.w), clamped != element)
        }
    }

    /// Puts the words of all elements of a part, and notes which of them had to be changed.
    func put(_ part: StreamReader, into words: UnsafeMutableBufferPointer<UInt32>, _ changed: inout [Int]) {
        let width = kind.width
        for index in 0..<part.count {
            let (word, isInvalid) = self.words(of: part[Int32(truncatingIfNeeded: index)])
            for lane in 0..<width { words[index * width + lane] = word[lane] }
            if isInvalid { changed.append(index) }
        }
    }

    /// The same for what nearly all elements are: nothing moves them, and their numbers stand as they are wanted.
    ///
    /// - Returns: Whether they are so; if not, nothing was put.
    func putPlain(
        _ part: StreamReader, into words: UnsafeMutableBufferPointer<UInt32>, _ changed: inout [Int]
    ) -> Bool {
        switch kind {
        case .position where matrix == nil:
            part.withPlainElements(of: 3) { numbers, step in
                for index in 0..<part.count {
                    let (x, y, z) = (numbers[index * step], numbers[index * step + 1], numbers[index * step + 2])
                    words[3 * index] = x.vertexWord
                    words[3 * index + 1] = y.vertexWord
                    words[3 * index + 2] = z.vertexWord
                    if !(Float(x).isFinite && Float(y).isFinite && Float(z).isFinite) { changed.append(index) }
                }
            }
        case .normal where normalMatrix == nil:
            part.withPlainElements(of: 3) { numbers, step in
                for index in 0..<part.count {
                    let unit =
                        SIMD3(numbers[index * step], numbers[index * step + 1], numbers[index * step + 2]).unit
                    if unit == nil { changed.append(index) }
                    let written = unit ?? [0, 0, 1]
                    words[3 * index] = written.x.vertexWord
                    words[3 * index + 1] = written.y.vertexWord
                    words[3 * index + 2] = written.z.vertexWord
                }
            }
        case .texcoord:
            part.withPlainElements(of: 2) { numbers, step in
                for index in 0..<part.count {
                    let (u, v) = (numbers[index * step], numbers[index * step + 1])
                    words[2 * index] = u.vertexWord
                    words[2 * index + 1] = conventions.height(v).vertexWord
                    if !(Float(u).isFinite && Float(v).isFinite) { changed.append(index) }
                }
            }
        case .position, .normal, .tangent, .color: false
        }
    }

    @inline(__always)
    private static func words(_ x: Double, _ y: Double, _ z: Double = 0, _ w: Double = 0) -> SIMD4<UInt32> {
        SIMD4(x.vertexWord, y.vertexWord, z.vertexWord, w.vertexWord)
    }
}

extension Double {
    /// A word of a vertex: the bits of the nearest `Float`, 0 for what is none.
    @inline(__always)
    var vertexWord: UInt32 {
        let number = Float(self)
        // −0 and 0 are one place, and two records.
        return number.isFinite ? (number + 0).bitPattern : 0
    }
}

extension SIMD4<Double> {
    /// Within 0 to 1; numbers that are none count as 0.
    var clampedColor: SIMD4<Double> {
        var clamped = clamped(lowerBound: .zero, upperBound: .one)
        for lane in 0..<4 where !self[lane].isFinite { clamped[lane] = 0 }
        return clamped
    }
}

/// The columns of one mesh, which its primitives share.
struct AttributeColumns {
    private struct Key: Hashable {
        let source: Int
        /// Streams of one meaning are alike whatever their number in the file.
        let meaning: Int
    }
    private var known: [Key: AttributeColumn] = [:]
    private let mesh: Mesh
    private let conventions: ExportConventions

    init(of mesh: Mesh, _ conventions: ExportConventions) {
        self.mesh = mesh
        self.conventions = conventions
    }

    mutating func removeAll() { known = [:] }

    mutating func column(
        of attribute: VertexLayout.Attribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?
    ) -> AttributeColumn {
        let key = Self.key(of: attribute)
        if let column = known[key] { return column }
        let column = AttributeColumn(
            mesh.streams[attribute.source], as: attribute.kind, matrix, normalMatrix, conventions)
        known[key] = column
        return column
    }

    /// Those elements alone, where nobody needed all so far.
    func few(
        _ elements: Range<Int>, of attribute: VertexLayout.Attribute, _ matrix: Matrix4?, _ normalMatrix: Matrix4?
    ) -> AttributeColumn? {
        guard known[Self.key(of: attribute)] == nil else { return nil }
        let stream = mesh.streams[attribute.source].part(elements)
        return AttributeColumn(few: stream, as: attribute.kind, matrix, normalMatrix, conventions)
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

/// The elements of one stream, four numbers each; those that it does not have are 0, and the fourth is 1.
struct StreamReader {
    private let values: NumberArray<Double>
    private let offset: Int
    private let stride: Int
    /// Elements that the array really holds.
    let count: Int
    /// Places of the numbers in an element; −1 for one that it does not have.
    private let lanes: SIMD4<Int>

    init(_ stream: Mesh.Stream) {
        values = stream.values
        offset = stream.offset
        stride = stream.stride
        var lanes = SIMD4(repeating: -1)
        for (place, lane) in stream.lanes.prefix(4).enumerated() { lanes[place] = lane }
        self.lanes = lanes
        // What the array really holds decides, whatever was counted.
        let reach = (stream.lanes.max() ?? 0) + 1
        let room = stream.values.count - stream.offset - reach
        count = room < 0 ? 0 : min(stream.count, room / max(1, stream.stride) + 1)
    }

    /// An element that the stream does not have.
    static let missing = SIMD4<Double>(0, 0, 0, 1)

    func has(_ index: Int32) -> Bool { index >= 0 && Int(index) < count }

    subscript(index: Int32) -> SIMD4<Double> {
        var element = Self.missing
        guard has(index) else { return element }
        let values = values.span
        let start = offset + Int(index) * stride
        if lanes.x >= 0 { element.x = values[start + lanes.x] }
        if lanes.y >= 0 { element.y = values[start + lanes.y] }
        if lanes.z >= 0 { element.z = values[start + lanes.z] }
        if lanes.w >= 0 { element.w = values[start + lanes.w] }
        return element
    }

    /// Calls `body` with the memory of all elements where each has so many numbers one after the other: the first of
    /// element i stands at i × step.
    ///
    /// - Returns: Whether they stand so; if not, `body` was not called.
    func withPlainElements(of width: Int, _ body: (_ numbers: UnsafePointer<Double>, _ step: Int) -> Void) -> Bool {
        guard count > 0, offset >= 0, stride >= 0, (0..<width).allSatisfy({ lanes[$0] == $0 }) else { return false }
        values.span.withUnsafeBufferPointer { values in
            if let numbers = values.baseAddress { body(numbers + offset, stride) }
        }
        return true
    }
}

extension Mesh.Stream {
    /// Some elements by themselves, of those that the array really holds; at least one.
    func part(_ elements: Range<Int>) -> Mesh.Stream {
        let (reach, step) = ((lanes.max() ?? 0) + 1, max(1, stride))
        let first = offset + elements.lowerBound * step
        var part = self
        part.values = values.part(first..<first + (elements.count - 1) * step + reach)
        part.offset = 0
        part.count = elements.count
        return part
    }
}
