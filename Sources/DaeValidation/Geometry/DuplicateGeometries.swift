import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

/// Finds meshes of the same numbers; of each only a hash and its place are kept.
struct DuplicateGeometries {
    private struct First {
        let id: String?
        let position: XMLPosition

        var name: String { id ?? "without an id" }
        var place: Place { Place(position, of: id) }
    }

    private var firsts: [First] = []
    /// Into ``firsts``, which are too large to be moved each time that this grows.
    private var known: [ContentHash: Int32] = [:]
    /// Geometries remembered at most: a document that has more is not for people to mend.
    private static let most = 1 << 16

    mutating func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        guard unit.measure.triangles > 0 || unit.measure.lines > 0 else { return }
        let hash = ContentHash(of: unit.mesh)
        let this = First(id: unit.id, position: unit.position)
        guard let place = known[hash] else {
            guard firsts.count < Self.most else { return }
            known[hash] = Int32(truncatingIfNeeded: firsts.count)
            firsts.append(this)
            return
        }
        let first = firsts[Int(place)]
        log.add(
            .perfDuplicateGeometry, at: unit.place,
            "the geometry \(this.name.quoted()) has the same numbers as \(first.name.quoted()); one could be instanced twice",
            arguments: [.init("geometry", this.name), .init("first", first.name)], related: [first.place])
    }
}

extension ContentHash {
    /// Of all that a mesh shows, whatever its sources and materials are called.
    fileprivate init(of mesh: Mesh) {
        // By index: what is taken out of its list would be copied.
        for index in mesh.streams.indices {
            add(mesh.streams[index].semantic)
            add(mesh.streams[index].offset)
            add(mesh.streams[index].stride)
            add(mesh.streams[index].count)
            for lane in mesh.streams[index].lanes { add(lane) }
            add(mesh.streams[index].values)
        }
        for index in mesh.primitives.indices {
            add(mesh.primitives[index].kind.rawValue)
            add(mesh.primitives[index].stride)
            for input in mesh.primitives[index].inputs {
                add(input.stream)
                add(input.offset)
                add(input.set ?? -1)
            }
            add(mesh.primitives[index].indices)
            add(mesh.primitives[index].cornerCounts)
            add(NumberArray(mesh.primitives[index].holeCounts))
        }
    }

    private mutating func add(_ semantic: Mesh.Semantic) {
        switch semantic {
        case .position: add(0)
        case .normal: add(1)
        case .texcoord: add(2)
        case .color: add(3)
        case .tangent: add(4)
        case .binormal: add(5)
        case .textangent: add(6)
        case .texbinormal: add(7)
        case .custom(let name):
            add(8)
            add(name)
        }
    }
}

/// 128 bits that tell arrays apart; not made to withstand who looks for two alike.
struct ContentHash: Hashable {
    private(set) var low: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var high: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    @inline(__always)
    mutating func add(_ word: UInt64) {
        Self.mix(&low, word)
        high = (high &+ word) &* 0xD6E8_FEB8_6659_FD93
        high = high << 31 | high >> 33
    }

    mutating func add(_ number: Int) { add(UInt64(truncatingIfNeeded: number)) }

    mutating func add(_ text: String) {
        add(text.utf8.count)
        for byte in text.utf8 { add(UInt64(byte)) }
    }

    mutating func add(_ values: NumberArray<Double>) {
        add(values.count)
        values.forEachPart(of: Self.partSize) { part, _ in add(words: part.count) { part[$0].bitPattern } }
    }

    mutating func add(_ values: NumberArray<Int32>) {
        add(values.count)
        values.forEachPart(of: Self.partSize) { part, _ in
            part.withUnsafeBytes { bytes in
                add(words: bytes.count / 8) { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
            }
        }
        if values.count % 2 == 1, let last = values.last { add(UInt64(UInt32(bitPattern: last))) }
    }

    /// Numbers that are hashed at a time; even, so that two of 32 bits make one word.
    private static let partSize = 1 << 16

    /// Four in turn are hashed side by side: a processor multiplies for all of them at once, where one would have to wait
    /// for itself.
    @inline(__always)
    private mutating func add(words count: Int, _ word: (Int) -> UInt64) {
        var lanes = (low, high, ~low, ~high)
        let even = count & ~3
        var index = 0
        while index < even {
            Self.mix(&lanes.0, word(index))
            Self.mix(&lanes.1, word(index + 1))
            Self.mix(&lanes.2, word(index + 2))
            Self.mix(&lanes.3, word(index + 3))
            index += 4
        }
        if even > 0 {
            add(lanes.0)
            add(lanes.1)
            add(lanes.2)
            add(lanes.3)
        }
        while index < count {
            add(word(index))
            index += 1
        }
    }

    /// No two words lead from one state to the same.
    @inline(__always)
    private static func mix(_ state: inout UInt64, _ word: UInt64) {
        state = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
        state ^= state >> 29
    }
}
