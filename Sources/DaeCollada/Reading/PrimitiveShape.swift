import DaeDiagnostics
import DaeScene
import DaeSchema

/// What one primitive element comes to, by its indices: declared counts are only compared.
struct PrimitiveShape {
    private(set) var triangles = 0
    private(set) var faceCorners = 0
    private(set) var lines = 0
    /// Primitives found; what `count` should say.
    private(set) var primitives = 0
    /// Corners that belong to a primitive.
    private(set) var corners = 0
    private let available: Int
    private let leftOver: Int
    /// Polygons, strips or fans with too few corners to show.
    private var tooShort = 0
    /// Corners that `vcount` asks for beyond those there are.
    private var missing = 0

    var isEmpty: Bool { primitives == 0 }

    init(_ primitive: borrowing ColladaDocument.Primitive) {
        let (indices, stride) = (primitive.indices.count, primitive.stride)
        available = indices / stride
        leftOver = indices % stride
        switch primitive.kind {
        case .triangles:
            primitives = available / 3
            triangles = primitives
            corners = 3 * primitives
            faceCorners = corners
        case .lines:
            primitives = available / 2
            lines = primitives
            corners = 2 * primitives
        case .linestrips: lines = countStrips(primitive.cornerCounts, least: 2)
        case .tristrips, .trifans:
            triangles = countStrips(primitive.cornerCounts, least: 3)
            faceCorners = 3 * triangles
        case .polylist, .polygons: countPolygons(primitive.cornerCounts, holes: primitive.holeCounts)
        }
    }

    /// Segments or triangles of strips and fans: the first takes `least` corners, each further one more.
    private mutating func countStrips(_ list: NumberArray<Int32>, least: Int) -> Int {
        let counts = list.span
        var pieces = 0
        for index in counts.indices {
            let count = counts[index]
            primitives += 1
            corners += Int(count)
            if count < least { tooShort += 1 } else { pieces += Int(count) - least + 1 }
        }
        return pieces
    }

    /// A polygon of n corners gives n − 2 triangles, with h holes of m corners in all n + m + 2h − 2.
    private mutating func countPolygons(_ list: NumberArray<Int32>, holes: [Int32]) {
        let counts = list.span
        var ring = 0
        var polygon = 0
        while ring < counts.count {
            let holeCount = polygon < holes.count ? max(0, Int(holes[polygon])) : 0
            let outer = counts[ring]
            let last = min(counts.count, ring + 1 + holeCount)
            var size = 0
            while ring < last {
                size += max(0, Int(counts[ring]))
                ring += 1
            }
            polygon += 1
            guard addPolygon(of: size, outer: outer, holes: holeCount) else { break }
        }
    }

    /// - Parameters:
    ///   - size: Corners of all its rings.
    ///   - outer: Corners of the ring around it.
    /// - Returns: Whether there are that many.
    private mutating func addPolygon(of size: Int, outer: Int32, holes: Int) -> Bool {
        guard size <= available - corners else {
            missing = size - (available - corners)
            return false
        }
        primitives += 1
        corners += size
        faceCorners += size
        if outer < 3 { tooShort += 1 } else { triangles += size + 2 * holes - 2 }
        return true
    }

    // MARK: - Checks

    /// - Parameter miscounted: Whether the exporter is one that counts lines otherwise.
    func check(
        _ primitive: ColladaDocument.Primitive, miscounted: Bool = false, at place: @autoclosure () -> Place,
        _ log: inout FindingLog
    ) {
        var name: String { "<\(primitive.kind.rawValue)>" }
        if let count = primitive.count, count != primitives, missing == 0 {
            let code =
                miscounted && primitive.kind == .lines
                ? FindingCode.quirkSketchUpLinesCount : .primitiveCountMismatch
            log.add(
                code, at: place(), "\(name) says count \(count), but has \(primitives)",
                arguments: [.init("count", "\(count)"), .init("found", "\(primitives)")])
        }
        if missing > 0 {
            log.add(
                .primitiveVcountMismatch, at: place(),
                "\(name) asks for \(missing) corners more than the \(available) its indices make",
                arguments: [.init("missing", "\(missing)"), .init("corners", "\(available)")])
        } else if leftOver > 0 || corners < available {
            log.add(
                .primitiveIndexCount, at: place(),
                "\(name) has \(available) corners and \(leftOver) indices over; \(corners) corners make whole primitives",
                arguments: [.init("corners", "\(available)"), .init("used", "\(corners)")])
        }
        if tooShort > 0 {
            log.add(
                .primitiveTooFewVertices, at: place(), "\(tooShort) primitives of \(name) have too few corners",
                arguments: [.init("count", "\(tooShort)")])
        }
    }
}
