import DaeCore
import DaeDiagnostics
import DaeMesh
import DaeScene

/// Brings numbers into few bits, and notes by how much they are off.
///
/// - Source: Khronos, KHR_mesh_quantization, EXT_meshopt_compression.
struct GLTFCompactor {
    /// The greatest differences of one mesh.
    struct Errors {
        /// In the mesh's own units: of base and targets, each by itself.
        var position = 0.0
        /// In degrees.
        var direction = 0.0
        /// Of the range of 0 to 1.
        var share = 0.0
    }
    private(set) var errors = Errors()
    let optimizer: MeshOptimizer
    /// Whether streams are compressed, so that filters and fewer bits count.
    let compresses: Bool
    /// What of the scene's size a moved place may be off.
    static let tolerance = 1.0 / 20_000

    /// - Returns: `nil` where nothing is to be compact.
    /// - Throws: Where the library is not installed.
    init?(_ compaction: ExportOptions.Compaction) throws(SceneExportError) {
        switch compaction {
        case .none: return nil
        case .quantized: compresses = false
        case .meshopt: compresses = true
        }
        optimizer = try MeshOptimizer()
    }

    /// What was off since it was asked before.
    mutating func takeErrors() -> Errors {
        defer { errors = Errors() }
        return errors
    }

    func ordered(_ packed: PackedPrimitive) -> PackedPrimitive {
        optimizer.ordered(packed, isForCompression: compresses)
    }

    /// The grid of a mesh. Sixteen bits are there in any case; compressed, each one takes room, and 14 are as many as it
    /// takes to stay within 1/20,000.
    func grid(of primitives: [PackedPrimitive]) -> VertexGrid? {
        VertexGrid(of: primitives, bits: compresses ? 14 : 16)
    }

    // MARK: - Attributes

    mutating func elements(
        of attribute: PackedPrimitive.Attribute, vertices: Int, _ grid: VertexGrid?
    ) -> CompactElements {
        var values: [Float] = []
        attribute.put(0..<vertices, into: &values)
        switch attribute.kind {
        case .position: return grid.map { places(values, in: $0) } ?? Self.bounded(values)
        case .normal, .tangent: return directions(values, width: attribute.width)
        case .texcoord: return coordinates(values)
        case .color: return colors(values)
        }
    }

    /// What a target adds to an attribute.
    mutating func difference(
        of attribute: PackedPrimitive.Attribute, vertices: Int, _ grid: VertexGrid?
    ) -> CompactElements {
        var values: [Float] = []
        attribute.put(0..<vertices, into: &values)
        switch attribute.kind {
        case .position:
            guard let grid else { return Self.bounded(values) }
            return whole(values, Int16.self, .short) { grid.steps(of: $0) }
        case .normal where values.allSatisfy { abs($0) <= 1 }:
            var numbers: [Int16] = []
            numbers.reserveCapacity(vertices * 4)
            for start in stride(from: 0, to: values.count - 2, by: 3) {
                for lane in 0..<3 { numbers.append(Self.signed(values[start + lane])) }
                numbers.append(0)
            }
            return CompactElements(numbers, count: vertices, width: 3, .short, isNormalized: true)
        case .normal, .tangent, .texcoord, .color:
            return CompactElements(floats: values, width: attribute.width)
        }
    }

    private static func bounded(_ values: [Float]) -> CompactElements {
        var bounds = NumberBounds(width: 3)
        bounds.add(values)
        var elements = CompactElements(floats: values, width: 3)
        elements.bounds = (bounds.least, bounds.most)
        return elements
    }

    private mutating func places(_ values: [Float], in grid: VertexGrid) -> CompactElements {
        whole(values, UInt16.self, .unsignedShort) { grid.place(of: $0) }
    }

    /// Three whole numbers an element, and one that fills it up.
    private mutating func whole<Number: FixedWidthInteger & BitwiseCopyable>(
        _ values: [Float], _: Number.Type, _ component: GLTFBuffer.Component,
        _ nearest: (SIMD3<Double>) -> (numbers: SIMD3<Double>, error: Double)
    ) -> CompactElements {
        let count = values.count / 3
        var (least, most) = (SIMD3<Double>(repeating: .infinity), SIMD3<Double>(repeating: -.infinity))
        var numbers: [Number] = []
        numbers.reserveCapacity(count * 4)
        for start in stride(from: 0, to: count * 3, by: 3) {
            let value = SIMD3(Double(values[start]), Double(values[start + 1]), Double(values[start + 2]))
            let (place, error) = nearest(value)
            errors.position = max(errors.position, error)
            (least, most) = (pointwiseMin(least, place), pointwiseMax(most, place))
            for lane in 0..<3 { numbers.append(Self.whole(place[lane])) }
            numbers.append(0)
        }
        var elements = CompactElements(numbers, count: count, width: 3, component)
        elements.bounds = ([least.x, least.y, least.z], [most.x, most.y, most.z])
        return elements
    }

    /// Normals, and tangents with their side.
    private mutating func directions(_ values: [Float], width: Int) -> CompactElements {
        let count = values.count / width
        if compresses {
            var fours: [Float] = []
            fours.reserveCapacity(count * 4)
            for start in stride(from: 0, to: count * width, by: width) {
                fours += values[start..<start + 3]
                fours.append(width == 4 ? values[start + 3] : 0)
            }
            let (words, decoded) = optimizer.octahedral(fours)
            note(directions: values, width, decoded)
            return CompactElements(words, count: count, width: width, .short, isNormalized: true, .octahedral)
        }
        var numbers: [Int8] = []
        numbers.reserveCapacity(count * 4)
        for start in stride(from: 0, to: count * width, by: width) {
            for lane in 0..<4 { numbers.append(lane < width ? Self.signed(values[start + lane]) : 0) }
        }
        note(directions: values, width, numbers)
        return CompactElements(numbers, count: count, width: width, .byte, isNormalized: true)
    }

    /// - Parameter decoded: Four an element.
    private mutating func note(directions: [Float], _ width: Int, _ decoded: [some BinaryInteger]) {
        var greatest = 0.0
        for (element, start) in stride(from: 0, to: directions.count - 2, by: width).enumerated() {
            let meant = SIMD3(
                Double(directions[start]), Double(directions[start + 1]), Double(directions[start + 2]))
            let first = element * 4
            let found = SIMD3(Double(decoded[first]), Double(decoded[first + 1]), Double(decoded[first + 2]))
            let angle = atan2(meant.cross(found).size, (meant * found).sum())
            greatest = max(greatest, angle.isFinite ? angle : 0)
        }
        errors.direction = max(errors.direction, greatest * 180 / .pi)
    }

    /// Those of one picture have 16 bits; those beyond stay floats, which compressed lose their last bits.
    private mutating func coordinates(_ values: [Float]) -> CompactElements {
        let count = values.count / 2
        if values.allSatisfy({ $0 >= 0 && $0 <= 1 }) {
            let numbers: [UInt16] = values.map { Self.whole(Double($0) * Double(UInt16.max)) }
            note(share: values, numbers.lazy.map { Double($0) / Double(UInt16.max) })
            return CompactElements(numbers, count: count, width: 2, .unsignedShort, isNormalized: true)
        }
        return floats(values, width: 2, bits: 16, within: 1 / 16_384) ?? CompactElements(floats: values, width: 2)
    }

    private mutating func colors(_ values: [Float]) -> CompactElements {
        let numbers: [UInt8] = values.map { Self.whole(Double($0) * Double(UInt8.max)) }
        note(share: values, numbers.lazy.map { Double($0) / Double(UInt8.max) })
        return CompactElements(numbers, count: values.count / 4, width: 4, .unsignedByte, isNormalized: true)
    }

    private mutating func note(share values: [Float], _ decoded: some Sequence<Double>) {
        for (value, found) in zip(values, decoded) {
            errors.share = max(errors.share, abs(Double(value) - found))
        }
    }

    /// Floats without their last bits, where these are not missed.
    private mutating func floats(_ values: [Float], width: Int, bits: Int, within: Double) -> CompactElements? {
        guard let (elements, error) = shortened(values, width: width, bits: bits), error <= within else { return nil }
        errors.share = max(errors.share, error)
        return elements
    }

    private func shortened(_ values: [Float], width: Int, bits: Int) -> (CompactElements, error: Double)? {
        guard compresses else { return nil }
        let words = optimizer.exponential(values, width: width, bits: bits)
        let error = zip(values, words).reduce(0) { max($0, abs(Double($1.0) - MeshOptimizer.number(of: $1.1))) }
        return (CompactElements(words, count: values.count / width, width: width, .float, .exponential), error)
    }

    private static func signed<Number: FixedWidthInteger & SignedNumeric>(_ value: Float) -> Number {
        // The least of all numbers has no counterpart above 0.
        max(whole(Double(value) * Double(Number.max)), -Number.max)
    }

    /// The nearest whole number that there is; 0 for what is no number.
    private static func whole<Number: FixedWidthInteger>(_ value: Double) -> Number {
        Number(exactly: min(max(value.rounded(), Double(Number.min)), Double(Number.max))) ?? 0
    }

    // MARK: - Influences

    /// Joints in bytes where they go, and weights in bytes whose sum is 255.
    mutating func influences(
        of packed: PackedPrimitive
    ) -> (joints: [CompactElements], weights: [CompactElements]) {
        let count = packed.vertexCount
        var weights = packed.weights.map { [UInt8](repeating: 0, count: $0.count) }
        var joints = packed.joints
        for vertex in 0..<count { bring(vertex, of: packed, to: &weights, &joints) }
        return (
            joints.map { joints in
                joints.allSatisfy { $0 <= UInt8.max }
                    ? CompactElements(joints.map { UInt8($0) }, count: count, width: 4, .unsignedByte)
                    : CompactElements(joints, count: count, width: 4, .unsignedShort)
            },
            weights.map { CompactElements($0, count: count, width: 4, .unsignedByte, isNormalized: true) }
        )
    }

    /// What rounding down leaves goes to the weights that lost most by it.
    private mutating func bring(
        _ vertex: Int, of packed: PackedPrimitive, to weights: inout [[UInt8]], _ joints: inout [[UInt16]]
    ) {
        var shares: [(set: Int, place: Int, wanted: Float)] = []
        var rest = 255
        for set in packed.weights.indices {
            for place in vertex * 4..<vertex * 4 + 4 {
                let wanted = min(max(packed.weights[set][place], 0), 1) * 255
                weights[set][place] = UInt8(exactly: wanted.rounded(.down)) ?? 0
                rest -= Int(weights[set][place])
                shares.append((set, place, wanted))
            }
        }
        if rest > 0 {
            shares.sort { $0.wanted - $0.wanted.rounded(.down) > $1.wanted - $1.wanted.rounded(.down) }
            for share in shares.prefix(rest) where weights[share.set][share.place] < UInt8.max {
                weights[share.set][share.place] += 1
            }
        }
        for share in shares {
            let given = weights[share.set][share.place]
            errors.share = max(errors.share, Double(abs(Float(given) - share.wanted)) / 255)
            if given == 0 { joints[share.set][share.place] = 0 }
        }
    }

    // MARK: - Keys

    /// Values of a track, where they take fewer bits: rotations, and what is near enough in floats without their last bits.
    ///
    /// - Parameter size: Of the scene, in the units of the track.
    /// - Returns: `nil` for those that are written as they are; else also by how much they are off: degrees of rotations,
    ///   else of the scene's size.
    func keys(of track: PreparedTrack, size: Double) -> (elements: CompactElements, error: Double)? {
        guard compresses, track.times.count > 1 else { return nil }
        switch (track.path, track.interpolation) {
        case (.rotation, .linear), (.rotation, .step):
            let (words, decoded) = optimizer.quaternions(track.values)
            var greatest = 0.0
            for start in stride(from: 0, to: decoded.count - 3, by: 4) {
                let found = SIMD4((0..<4).map { Double(decoded[start + $0]) })
                let meant = SIMD4((0..<4).map { Double(track.values[start + $0]) })
                let length = (found * found).sum().squareRoot() * (meant * meant).sum().squareRoot()
                greatest = max(greatest, 2 * acos(min(1, abs((found * meant).sum()) / length)) * 180 / .pi)
            }
            let elements = CompactElements(
                words, count: words.count / 4, width: 4, .short, isNormalized: true, .quaternion)
            return greatest.isFinite ? (elements, greatest) : nil
        case (.translation, .linear), (.translation, .step), (.translation, .cubic):
            guard let (elements, error) = shortened(track.values, width: 3, bits: 16),
                error <= size * Self.tolerance
            else { return nil }
            return (elements, error / size)
        case (.scale, .linear), (.scale, .step), (.scale, .cubic):
            // As much as it moves what is as far from the node as the scene is large.
            guard let (elements, error) = shortened(track.values, width: 3, bits: 16), error <= Self.tolerance else {
                return nil
            }
            return (elements, error)
        case (.rotation, .cubic), (.weights, _): return nil
        }
    }
}
