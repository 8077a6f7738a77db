import CLibMeshOptimizer
import DaeDiagnostics
import DaeMesh

/// meshoptimizer, which is loaded when it is first needed.
struct MeshOptimizer {
    /// Why it cannot be used.
    private static let trouble = dae_meshopt_load().map { String(cString: $0) }

    /// Bits of a normal's or tangent's numbers, and of a quaternion's: the errors are 0.2° and 0.01°.
    private static let (octahedralBits, quaternionBits) = (10, 14)

    /// - Throws: Where it is not installed.
    init() throws(SceneExportError) {
        guard let trouble = Self.trouble else { return }
        throw SceneExportError(
            .convertLibraryMissing,
            "a compact file needs meshoptimizer, which cannot be loaded (\(trouble)); on Debian it is the package libmeshoptimizer2d"
        )
    }

    // MARK: - Order

    /// Triangles in an order in which few vertices are worked out twice, and vertices in that of their use.
    ///
    /// - Parameter isForCompression: Whether the order is rather one that is compressed well.
    func ordered(_ packed: PackedPrimitive, isForCompression: Bool) -> PackedPrimitive {
        switch packed.mode {
        case .lines, .lineStrip: return packed
        case .triangles: break
        }
        guard let indices = packed.indices.first, packed.indices.count == 1, !indices.isEmpty else { return packed }
        var ordered = [UInt32](repeating: 0, count: indices.count)
        dae_meshopt_order_triangles(
            &ordered, indices, indices.count, packed.vertexCount, isForCompression ? 1 : 0)
        var places = [UInt32](repeating: .max, count: packed.vertexCount)
        let used = dae_meshopt_order_vertices(&places, ordered, ordered.count, packed.vertexCount)
        var vertices = [UInt32](repeating: 0, count: used)
        for (vertex, place) in places.enumerated() where place != .max {
            vertices[Int(place)] = UInt32(truncatingIfNeeded: vertex)
        }
        for index in ordered.indices { ordered[index] = places[Int(ordered[index])] }
        return packed.ordered(vertices, indices: [ordered])
    }

    // MARK: - Streams

    /// - Parameter indices: Of whole triangles, below `vertices`.
    func stream(triangles indices: [UInt32], vertices: Int) -> [UInt8] {
        let room = dae_meshopt_triangles_bound(indices.count, vertices)
        return [UInt8](unsafeUninitializedCapacity: room) { stream, count in
            count = dae_meshopt_encode_triangles(stream.baseAddress, room, indices, indices.count)
        }
    }

    /// - Parameter elements: At least one; of a multiple of 4 bytes each, at most 256.
    func stream(_ elements: CompactElements) -> [UInt8] {
        let room = dae_meshopt_elements_bound(elements.count, elements.stride)
        return [UInt8](unsafeUninitializedCapacity: room) { stream, count in
            count = dae_meshopt_encode_elements(
                stream.baseAddress, room, elements.bytes, elements.count, elements.stride)
        }
    }

    // MARK: - Filters

    /// Directions of length 1, each with a fourth number of −1...1, as four numbers of 16 bits.
    ///
    /// - Returns: Also what becomes of them.
    func octahedral(_ directions: [Float]) -> (words: [Int16], decoded: [Int16]) {
        var words = [Int16](repeating: 0, count: directions.count)
        dae_meshopt_encode_octahedral(&words, words.count / 4, Int32(Self.octahedralBits), directions)
        var decoded = words
        dae_meshopt_decode_octahedral(&decoded, decoded.count / 4)
        return (words, decoded)
    }

    /// The same for quaternions of length 1.
    func quaternions(_ quaternions: [Float]) -> (words: [Int16], decoded: [Int16]) {
        var words = [Int16](repeating: 0, count: quaternions.count)
        dae_meshopt_encode_quaternions(&words, words.count / 4, Int32(Self.quaternionBits), quaternions)
        var decoded = words
        dae_meshopt_decode_quaternions(&decoded, decoded.count / 4)
        return (words, decoded)
    }

    /// Numbers of which those of one element have one exponent: 24 bits of a whole number, and 8 of the power of 2 that
    /// it is multiplied with.
    ///
    /// - Parameter bits: Of the whole number that are used, 1...24.
    func exponential(_ numbers: [Float], width: Int, bits: Int) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: numbers.count)
        dae_meshopt_encode_exponential(&words, numbers.count / width, width * 4, Int32(bits), numbers)
        return words
    }

    /// What becomes of one of ``exponential(_:width:bits:)``.
    static func number(of word: UInt32) -> Double {
        let (digits, power) = (Int32(bitPattern: word << 8) >> 8, Int32(bitPattern: word) >> 24)
        return Double(sign: .plus, exponent: Int(power), significand: Double(digits))
    }
}
