import DaeCollada
import DaeDiagnostics
import DaeScene

/// Normals that are no directions, or not of length 1. Only those that a corner uses count: exporters put a zero where
/// nothing leads to.
enum NormalRules {
    /// By which a length may miss 1: numbers of two digits behind the point miss it by up to 0.0087.
    static let tolerance = 0.01
    /// Shorter ones have no direction: what a `Float` cannot tell from 0 beside 1.
    static let shortest = 0x1p-24

    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        var last: Int?
        var seen: Set<Int> = []
        for index in mesh.primitives.indices {
            for input in mesh.primitives[index].inputs where input.stream != last {
                guard case .normal = mesh.streams[input.stream].semantic else { continue }
                // Mostly there is but one.
                if let last { seen.insert(last) }
                last = input.stream
                guard !seen.contains(input.stream) else { continue }
                var invalid = InvalidNormals(mesh.streams[input.stream])
                guard !invalid.isEmpty else { continue }
                invalid.keepUsed(of: input.stream, in: mesh)
                report(invalid, at: unit.place(ofSource: .normal, inPrimitive: index), &log)
            }
        }
    }

    private static func report(_ invalid: InvalidNormals, at place: @autoclosure () -> Place, _ log: inout FindingLog) {
        if invalid.zero.count > 0 {
            log.add(
                .normalZero, at: place(),
                "\(invalid.zero.count) of \(invalid.count) normals have no length; the first is normal \(invalid.zero.first)",
                arguments: [
                    .init("count", "\(invalid.zero.count)"), .init("normals", "\(invalid.count)"),
                    .init("first", "\(invalid.zero.first)"),
                ])
        }
        if invalid.nonUnit.count > 0 {
            log.add(
                .normalNonUnit, at: place(),
                "\(invalid.nonUnit.count) of \(invalid.count) normals are not of length 1; the first is normal \(invalid.nonUnit.first) with \(invalid.length(of: invalid.nonUnit.first)), expected 1 ± \(tolerance)",
                arguments: [
                    .init("count", "\(invalid.nonUnit.count)"), .init("normals", "\(invalid.count)"),
                    .init("first", "\(invalid.nonUnit.first)"),
                    .init("length", "\(invalid.length(of: invalid.nonUnit.first))"),
                ])
        }
    }
}

/// The normals of one stream that have another length than 1.
struct InvalidNormals {
    private let stream: Mesh.Stream
    /// Elements of the stream.
    let count: Int
    /// In their order, each once.
    private var invalid: [Int32] = []
    private(set) var zero = Tally()
    private(set) var nonUnit = Tally()

    var isEmpty: Bool { invalid.isEmpty }

    init(_ stream: Mesh.Stream) {
        self.stream = stream
        count = stream.count
        guard stream.isPlainTriples else {
            for element in 0..<count where Self.isInvalid(squaredLength(of: element)) { add(element) }
            return
        }
        stream.values.forEachPart(of: 3 << 12) { part, first in
            for element in 0..<part.count / 3 {
                let (x, y, z) = (part[3 * element], part[3 * element + 1], part[3 * element + 2])
                if Self.isInvalid(x * x + y * y + z * z) { add(first / 3 + element) }
            }
        }
    }

    /// Not of what is not finite, which is reported as such.
    private static func isInvalid(_ squared: Double) -> Bool {
        let (low, high) = (1 - NormalRules.tolerance, 1 + NormalRules.tolerance)
        return squared < low * low || (squared > high * high && squared.isFinite)
    }

    private mutating func add(_ element: Int) { invalid.append(Int32(clamping: element)) }

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
        for element in invalid where isUsed[Int(element)] {
            if length(of: Int(element)) < NormalRules.shortest {
                zero.add(Int(element))
            } else {
                nonUnit.add(Int(element))
            }
        }
    }
}

/// What inputs of a primitive are worth without others.
enum TangentRules {
    static func check(
        _ primitive: Mesh.Primitive, of mesh: Mesh, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        guard !primitive.indices.isEmpty else { return }
        var first: Mesh.Semantic?
        for input in primitive.inputs {
            switch mesh.streams[input.stream].semantic {
            case .normal: return
            case .tangent, .binormal, .textangent, .texbinormal: first = first ?? mesh.streams[input.stream].semantic
            case .position, .texcoord, .color, .custom: break
            }
        }
        guard let tangent = first else { return }
        log.add(
            .tangentWithoutNormal, at: place(),
            "<\(primitive.kind.rawValue)> has \(tangent.name) and no NORMAL, which it is laid out around",
            arguments: [.init("semantic", tangent.name)])
    }
}

/// Vertex colours that are none to show: all of them black, or beyond what a colour can be.
enum VertexColorRules {
    /// By which a number may miss 0 to 1: programs write few digits.
    private static let tolerance = 1e-3

    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        var seen: Set<Int> = []
        for index in mesh.primitives.indices {
            for input in mesh.primitives[index].inputs {
                guard case .color = mesh.streams[input.stream].semantic, seen.insert(input.stream).inserted else {
                    continue
                }
                check(mesh.streams[input.stream], at: unit.place(ofSource: .color, inPrimitive: index), &log)
            }
        }
    }

    private static func check(_ colors: Mesh.Stream, at place: @autoclosure () -> Place, _ log: inout FindingLog) {
        var (isBlack, beyond, first) = (true, 0, 0)
        for index in 0..<colors.count {
            if index.isMultiple(of: 1 << 16) { colors.values.giveBack() }
            var isWithin = true
            for lane in 0..<min(3, colors.lanes.count) {
                let value = colors.value(index, lane: lane)
                if value != 0 { isBlack = false }
                if !(value >= -tolerance && value <= 1 + tolerance) { isWithin = false }
            }
            if !isWithin {
                if beyond == 0 { first = index }
                beyond += 1
            }
        }
        if colors.count > 0, !colors.lanes.isEmpty, isBlack {
            log.add(
                .meshColorsBlack, at: place(), "all \(colors.count) vertex colours are black",
                arguments: [.init("count", "\(colors.count)")])
        }
        if beyond > 0 {
            log.add(
                .meshColorsRange, at: place(),
                "\(beyond) of \(colors.count) vertex colours are not between 0 and 1; the first is colour \(first)",
                arguments: [
                    .init("count", "\(beyond)"), .init("colors", "\(colors.count)"), .init("first", "\(first)"),
                ])
        }
    }
}
