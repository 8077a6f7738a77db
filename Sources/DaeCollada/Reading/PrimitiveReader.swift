import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads the primitives of meshes with their lists of indices.
enum PrimitiveReader {
    // Made in its list: one that is handed back is copied, with all it holds.
    static func appendPrimitive(
        _ view: ElementView, _ kind: ColladaDocument.Primitive.Kind, to primitives: inout [ColladaDocument.Primitive],
        _ context: inout ReadingContext
    ) {
        primitives.append(
            .init(
                position: view.position, material: context.common(.material, of: view),
                count: context.integer(view, .count), kind: kind, inputs: DataFlowReader.inputs(of: view, &context),
                indices: [], cornerCounts: [], holeCounts: []))
        readLists(of: view, into: &primitives[primitives.count - 1], &context)
    }

    /// Whether a list is passed over since there is one already; reported where it is read all the same.
    private static func isFurther(_ view: ElementView, behind first: Bool, _ context: inout ReadingContext) -> Bool {
        guard first else { return false }
        guard context.repairs else { return true }
        let (list, parent) = (view.name.rawValue, view.parent?.name.rawValue ?? "")
        context.log.add(
            .quirkSeveralIndexLists, at: view.place,
            "<\(parent)> has a further <\(list)>; expected one; it was read on from the first",
            arguments: [.init("element", list), .init("parent", parent)])
        return false
    }

    private static func readLists(
        of view: ElementView, into primitive: inout ColladaDocument.Primitive, _ context: inout ReadingContext
    ) {
        var lists = PrimitiveLists(stride: primitive.stride, kind: primitive.kind)
        if !context.repairs, !context.isVersion13 { primitive.inputs.removeAll { $0.semantic == "POSITION" } }
        for child in view.children {
            switch child.name {
            case .p: add(child, to: &lists, &context)
            case .ph: addHoled(child, to: &lists)
            case .vcount where primitive.kind == .polylist:
                guard !isFurther(child, behind: !lists.counts.allSatisfy(\.isEmpty), &context) else { continue }
                lists.counts.append(child.takeIntegers())
            default: break  // element names: inputs were read, extras are not
            }
        }
        primitive.indices = joined(lists.indices, &context)
        primitive.cornerCounts =
            lists.rings.isEmpty ? joined(lists.counts, &context) : context.numbers.keep(lists.rings.fitted())
        primitive.holeCounts = lists.holeCounts.fitted()
    }

    private static func joined(_ lists: [NumberArray<Int32>], _ context: inout ReadingContext) -> NumberArray<Int32> {
        // Nearly always there is one, which is kept as it is.
        lists.count < 2 ? lists.first ?? [] : context.numbers.joined(lists)
    }

    private static func add(_ view: ElementView, to lists: inout PrimitiveLists, _ context: inout ReadingContext) {
        let hasOne = lists.kind.hasOneIndexList && !lists.indices.allSatisfy(\.isEmpty)
        guard !isFurther(view, behind: hasOne, &context) else { return }
        let indices = view.takeIntegers()
        var left = 0
        switch lists.kind {
        case .triangles, .lines, .polylist: break
        case .polygons, .tristrips, .trifans, .linestrips:
            lists.rings.append(Int32(clamping: indices.count / lists.stride))
            if !lists.holeCounts.isEmpty { lists.holeCounts.append(0) }
            left = indices.count % lists.stride
            guard left > 0 else { break }
            context.log.add(
                .primitiveIndexCount, at: view.place,
                "<p> has \(indices.count) indices; expected a multiple of \(lists.stride)",
                arguments: [.init("indices", "\(indices.count)"), .init("stride", "\(lists.stride)")])
        }
        lists.indices.append(indices.part(0..<indices.count - left))
    }

    private static func addHoled(_ view: ElementView, to lists: inout PrimitiveLists) {
        guard lists.kind == .polygons, let outer = view.first(.p) else { return }
        if lists.holeCounts.isEmpty { lists.holeCounts = [Int32](repeating: 0, count: lists.rings.count) }
        // A hole without a corner is none.
        let holes = view.all(.h).map { $0.takeIntegers() }.filter { $0.count >= lists.stride }
        lists.holeCounts.append(Int32(clamping: holes.count))
        for indices in [outer.takeIntegers()] + holes {
            lists.rings.append(Int32(clamping: indices.count / lists.stride))
            lists.indices.append(indices.part(0..<indices.count - indices.count % lists.stride))
        }
    }
}

/// The lists of a primitive as its elements have them.
private struct PrimitiveLists {
    let stride: Int
    let kind: ColladaDocument.Primitive.Kind
    /// One of each `<p>` and `<h>`.
    var indices: [NumberArray<Int32>] = []
    /// One of each `<vcount>`.
    var counts: [NumberArray<Int32>] = []
    /// Corners of each `<p>` and `<h>`, where those are polygons or strips.
    var rings: [Int32] = []
    var holeCounts: [Int32] = []
}

extension ColladaDocument.Primitive.Kind {
    /// Whether all its indices stand in one `<p>`.
    var hasOneIndexList: Bool {
        switch self {
        case .triangles, .lines, .polylist: true
        case .polygons, .tristrips, .trifans, .linestrips: false
        }
    }
}

extension ElementName {
    var primitive: ColladaDocument.Primitive.Kind? {
        switch self {
        case .triangles: .triangles
        case .polylist: .polylist
        case .polygons: .polygons
        case .tristrips: .tristrips
        case .trifans: .trifans
        case .lines: .lines
        case .linestrips: .linestrips
        default: nil  // element names: every other one is no primitive
        }
    }
}

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
