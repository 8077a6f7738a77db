// The inputs of meshes, skins, samplers and splines, and the primitives of meshes with their lists of indices.

import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    // MARK: - Inputs

    mutating func decodeInput(_ view: ElementView) -> ColladaDocument.Input {
        // 1.3 calls the offset idx.
        let offset = integer(view, .offset) ?? (repairs || isVersion13 ? integer(view, .idx) : nil) ?? 0
        let semantic = view.attribute(.semantic) ?? ""
        if semantic.isEmpty { reportMissing(.semantic, of: view) }
        if !(0...Self.largestOffset).contains(offset) {
            // The number itself may be cut.
            let written = view.trimmedAttribute(.offset) ?? view.trimmedAttribute(.idx) ?? "\(offset)"
            log.add(
                .inputOffsetTooLarge, at: view.place,
                "an input's offset is \(written.prefix(40)); expected 0 to \(Self.largestOffset); read as 0",
                arguments: [.init("offset", written), .init("largest", "\(Self.largestOffset)")])
        }
        return ColladaDocument.Input(
            semantic: semantic, source: requiredReference(view, .source),
            offset: (0...Self.largestOffset).contains(offset) ? offset : 0, set: integer(view, .set))
    }

    /// Larger offsets are absurd, and the product of offset and corners is what a reader has to hold.
    static let largestOffset = 64

    // MARK: - Primitives

    // Made in its list: one that is handed back is copied, with all it holds.
    mutating func appendPrimitive(
        _ view: ElementView, _ kind: ColladaDocument.Primitive.Kind, to primitives: inout [ColladaDocument.Primitive]
    ) {
        primitives.append(
            .init(
                position: view.position, material: common(.material, of: view), count: integer(view, .count),
                kind: kind, inputs: view.all(.input).map { decodeInput($0) }, indices: [], cornerCounts: [],
                holeCounts: []))
        readLists(of: view, into: &primitives[primitives.count - 1])
    }

    /// Whether a list is passed over since there is one already; reported where it is read all the same.
    private mutating func isFurther(_ view: ElementView, behind first: Bool) -> Bool {
        guard first else { return false }
        guard repairs else { return true }
        let (list, parent) = (view.name.rawValue, view.parent?.name.rawValue ?? "")
        log.add(
            .quirkSeveralIndexLists, at: view.place,
            "<\(parent)> has a further <\(list)>; expected one; it was read on from the first",
            arguments: [.init("element", list), .init("parent", parent)])
        return false
    }

    private mutating func readLists(of view: ElementView, into primitive: inout ColladaDocument.Primitive) {
        var lists = PrimitiveLists(stride: primitive.stride, kind: primitive.kind)
        if !repairs, !isVersion13 { primitive.inputs.removeAll { $0.semantic == "POSITION" } }
        for child in view.children {
            switch child.name {
            case .p: add(child, to: &lists)
            case .ph: addHoled(child, to: &lists)
            case .vcount where primitive.kind == .polylist:
                guard !isFurther(child, behind: !lists.counts.allSatisfy(\.isEmpty)) else { continue }
                lists.counts.append(child.takeIntegers())
            default: break  // element names: inputs were read, extras are not
            }
        }
        primitive.indices = joined(lists.indices)
        primitive.cornerCounts =
            lists.rings.isEmpty ? joined(lists.counts) : numbers.keep(lists.rings.fitted())
        primitive.holeCounts = lists.holeCounts.fitted()
    }

    private mutating func joined(_ lists: [NumberArray<Int32>]) -> NumberArray<Int32> {
        // Nearly always there is one, which is kept as it is.
        lists.count < 2 ? lists.first ?? [] : numbers.joined(lists)
    }

    private mutating func add(_ view: ElementView, to lists: inout PrimitiveLists) {
        let hasOne = lists.kind.hasOneIndexList && !lists.indices.allSatisfy(\.isEmpty)
        guard !isFurther(view, behind: hasOne) else { return }
        let indices = view.takeIntegers()
        var left = 0
        switch lists.kind {
        case .triangles, .lines, .polylist: break
        case .polygons, .tristrips, .trifans, .linestrips:
            lists.rings.append(Int32(clamping: indices.count / lists.stride))
            if !lists.holeCounts.isEmpty { lists.holeCounts.append(0) }
            left = indices.count % lists.stride
            guard left > 0 else { break }
            log.add(
                .primitiveIndexCount, at: view.place,
                "<p> has \(indices.count) indices; expected a multiple of \(lists.stride)",
                arguments: [.init("indices", "\(indices.count)"), .init("stride", "\(lists.stride)")])
        }
        lists.indices.append(indices.part(0..<indices.count - left))
    }

    private mutating func addHoled(_ view: ElementView, to lists: inout PrimitiveLists) {
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
