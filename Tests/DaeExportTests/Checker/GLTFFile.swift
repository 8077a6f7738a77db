import TestSupport

/// A `.glb` taken apart without any of the code that writes one.
struct GLTFFile {
    var root: JSONNode
    var binary: [UInt8]
    /// Of each buffer view, decompressed where it is compressed; `nil` for one that is not whole.
    private(set) var views: [[UInt8]?] = []

    /// - Parameter found: Gets what is wrong with the container.
    init?(glb bytes: [UInt8], _ found: (GLTFFault, String) -> Void) {
        func word(_ at: Int) -> Int {
            guard at + 4 <= bytes.count else { return -1 }
            return (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
        }
        guard word(0) == 0x4654_6C67 else {
            found(.glbInvalidMagic, "\(word(0))")
            return nil
        }
        if word(4) != 2 { found(.glbInvalidVersion, "\(word(4))") }
        if word(8) != bytes.count { found(.glbLengthMismatch, "\(word(8)) of \(bytes.count)") }
        var at = 12
        var chunks: [(type: Int, bytes: [UInt8])] = []
        while at + 8 <= bytes.count {
            let (length, type) = (word(at), word(at + 4))
            if length % 4 != 0 { found(.glbChunkLengthUnaligned, "\(length)") }
            guard at + 8 + length <= bytes.count else {
                found(.glbChunkTooBig, "\(length)")
                return nil
            }
            if type != 0x4E4F_534A && type != 0x004E_4942 { found(.glbUnknownChunkType, "\(type)") }
            chunks.append((type, Array(bytes[at + 8..<at + 8 + length])))
            at += 8 + length
        }
        guard let first = chunks.first, first.type == 0x4E4F_534A else {
            found(.glbUnexpectedFirstChunk, "\(chunks.first?.type ?? -1)")
            return nil
        }
        guard let root = try? JSONNode(parsing: first.bytes) else {
            found(.invalidJSON, "")
            return nil
        }
        self.root = root
        binary = chunks.dropFirst().first?.bytes ?? []
        views = list("bufferViews").map { view in
            if let compression = view["extensions"]?["EXT_meshopt_compression"] {
                return MeshoptViews.bytes(compression, in: binary)
            }
            let (start, length) = (view["byteOffset"]?.int ?? 0, view["byteLength"]?.int ?? 0)
            return start + length <= binary.count ? Array(binary[start..<start + length]) : nil
        }
    }

    func list(_ key: String) -> [JSONNode] { root[key]?.elements ?? [] }
}

extension JSONNode {
    var int: Int? { number.flatMap { Int(exactly: $0) } }
    var members: [String: JSONNode] { if case .object(let members) = self { members } else { [:] } }
    var numbers: [Double] { elements.compactMap(\.number) }
}

/// The numbers of one accessor.
struct GLTFAccessor {
    let values: [Double]
    let width: Int
    let component: Int
    let count: Int
    let view: Int
    let hasBounds: Bool
    /// Whether the greatest whole number stands for 1.
    let isNormalized: Bool

    static let widths = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16]
    static let sizes = [5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4]

    func row(_ index: Int) -> ArraySlice<Double> { values[index * width..<(index + 1) * width] }
}
