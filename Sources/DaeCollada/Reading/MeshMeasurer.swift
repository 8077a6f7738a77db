// Counts a mesh and checks its numbers against each other: every index and every position is looked at once.

import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

struct MeshMeasurer {
    private typealias Document = ColladaDocument

    private var sources: MeshSources
    private var figures = MeshMeasure.Figures()
    var measure: MeshMeasure { MeshMeasure(figures) }
    private(set) var positions: NumberArray<Double> = []
    private(set) var usedPositions: [UInt64] = []
    private let habits: Habits
    private var isUsed = UsedPositions(count: 0)

    /// What is known of who wrote the document.
    struct Habits {
        /// SketchUp, whose counts of lines are others than there are.
        var miscountsLines = false
        /// As 1.3 has it, where that is reported.
        var putsPositionsInPrimitives = false
    }

    init(mesh: ColladaDocument.Mesh, element: ElementView, geometryID: String?, habits: Habits) {
        self.habits = habits
        sources = MeshSources(mesh: mesh, element: element, geometryID: geometryID)
    }

    mutating func run(_ log: inout FindingLog) {
        let positions = sources.positionSource(habits, &log)
        for index in sources.mesh.vertices.indices where sources.mesh.vertices[index].semantic != "POSITION" {
            _ = sources.source(sources.mesh.vertices, index, &log)
        }
        let count = positions.map { sources.elements(of: $0, &log) } ?? 0
        figures.positions = count
        isUsed = UsedPositions(count: count)
        // In a span: what is taken out of a list would be copied.
        let all = sources.mesh.primitives
        let primitives = all.span
        for index in primitives.indices {
            measure(primitives[index], positions: positions == nil ? nil : count, &log)
        }
        if let positions { collect(positions) }
    }

    private mutating func measure(
        _ primitive: ColladaDocument.Primitive, positions count: Int?, _ log: inout FindingLog
    ) {
        // A place that is made later would take a copy of all of the primitive.
        let (kind, position) = (primitive.kind, primitive.position)
        let shape = PrimitiveShape(primitive)
        shape.check(primitive, miscounted: habits.miscountsLines, at: sources.place(of: position), &log)
        figures.triangles += shape.triangles
        figures.faceCorners += shape.faceCorners
        figures.lines += shape.lines
        guard !shape.isEmpty else {
            return log.add(.primitiveEmpty, at: sources.place(of: position), "<\(kind.rawValue)> is empty")
        }
        figures.submeshes += 1
        checkIndices(of: primitive, shape, positions: count, &log)
    }

    // MARK: - Indices

    /// One input's own indices, and what was wrong with where they lead.
    private struct InputCheck {
        let semantic: String
        let limit: Int
        let isPosition: Bool
        /// `nil` where nothing was.
        let reported: FindingLog?
        var stream: IndexStream
    }

    private mutating func checkIndices(
        of primitive: ColladaDocument.Primitive, _ shape: PrimitiveShape, positions: Int?, _ log: inout FindingLog
    ) {
        var checks: [InputCheck] = []
        checks.reserveCapacity(primitive.inputs.count)
        // Inputs of the same source and offset say the same of every index; of positions the source is the mesh's.
        var seen = IndexPairings(capacity: primitive.inputs.count)
        var hasVertex = false
        let stride = primitive.stride
        // What was reported so far, of inputs that are not looked at.
        var reported = FindingLog()
        // By index: what is taken out of its list would be copied.
        for index in primitive.inputs.indices {
            let isPosition = sources.readsPositions(primitive.inputs, index, &reported)
            hasVertex = hasVertex || isPosition
            let offset = primitive.inputs[index].offset
            let limit: Int
            if isPosition {
                guard let positions, seen.insert(.init(source: nil, offset: offset)) else { continue }
                limit = positions
            } else {
                guard let source = sources.source(primitive.inputs, index, &reported),
                    seen.insert(.init(source: source, offset: offset))
                else { continue }
                limit = sources.elements(of: source, &reported)
            }
            let stream = IndexStream(
                offset: offset, stride: stride, limit: limit,
                faces: isPosition ? .init(of: primitive) : .none)
            let hasReported = !reported.counts.isEmpty
            checks.append(
                InputCheck(
                    semantic: primitive.inputs[index].semantic, limit: limit, isPosition: isPosition,
                    reported: hasReported ? reported : nil,
                    stream: stream))
            if hasReported { reported = FindingLog() }
        }
        pass(primitive, corners: shape.corners, &checks)
        for place in checks.indices {
            if let reported = checks[place].reported { log.merge(reported) }
            report(checks[place].stream.faults, checks[place].semantic, checks[place].limit, primitive, &log)
            report(checks[place].stream.degenerateFaces, of: shape.primitives, in: primitive, &log)
        }
        if !reported.counts.isEmpty { log.merge(reported) }
        if !hasVertex { reportNoVertex(primitive, &log) }
    }

    private func reportNoVertex(_ primitive: ColladaDocument.Primitive, _ log: inout FindingLog) {
        log.add(
            .inputNoVertex, at: sources.place(of: primitive.position),
            "<\(primitive.kind.rawValue)> has no VERTEX input")
    }

    /// Indices of a part that is looked at, about; few enough to stay in the processor's cache while every input looks at
    /// its own.
    private static let partSize = 1 << 13

    /// - Parameter corners: Corners that belong to a primitive; what is behind them is not looked at.
    private mutating func pass(
        _ primitive: ColladaDocument.Primitive, corners: Int, _ checks: inout [InputCheck]
    ) {
        guard !checks.isEmpty else { return }
        let triangle = 3 * primitive.stride
        let size = max(1, Self.partSize / triangle) * triangle
        primitive.indices.forEachPart(of: size, upTo: corners * primitive.stride) { piece, _ in
            for index in checks.indices {
                if checks[index].isPosition {
                    checks[index].stream.mark(piece, in: &isUsed)
                } else {
                    checks[index].stream.check(piece)
                }
            }
        }
    }

    private mutating func report(
        _ count: Int, of faces: Int, in primitive: ColladaDocument.Primitive, _ log: inout FindingLog
    ) {
        guard count > 0 else { return }
        figures.degenerateFaces += count
        log.add(
            .triangleDegenerate, at: sources.place(of: primitive.position),
            "\(count) of \(faces) faces of <\(primitive.kind.rawValue)> have a corner twice in a row",
            arguments: [.init("count", "\(count)"), .init("faces", "\(faces)")])
    }

    private func report(
        _ faults: IndexStream.Faults, _ semantic: String, _ limit: Int, _ primitive: ColladaDocument.Primitive,
        _ log: inout FindingLog
    ) {
        if let first = faults.outOfBounds {
            log.add(
                .primitiveIndexOutOfBounds, at: sources.place(of: primitive.position),
                "\(faults.outOfBoundsCount) \(semantic) indices are too large, the first is \(ElementView.shown(Int(first))); expected below \(limit)",
                arguments: [
                    .init("semantic", semantic), .init("index", "\(first)"), .init("limit", "\(limit)"),
                    .init("count", "\(faults.outOfBoundsCount)"),
                ])
        }
        if let first = faults.negative {
            log.add(
                .primitiveIndexNegative, at: sources.place(of: primitive.position),
                "\(faults.negativeCount) \(semantic) indices are negative, the first is \(first)",
                arguments: [.init("semantic", semantic), .init("index", "\(first)")])
        }
    }

    // MARK: - Positions

    /// Keeps the positions and the box of those in use. A source narrower than three values has zeros for the rest.
    private mutating func collect(_ index: Int) {
        var collector = PositionCollector(PositionLayout(sources.mesh.sources[index].accessor), used: isUsed)
        switch sources.array(of: index) {
        case .reals(let values): positions = collector.pass(values)
        case .names, .idrefs, .sidrefs, .none: return
        }
        usedPositions = isUsed.bits
        figures.bounds = collector.bounds
    }
}

/// Which sources the inputs of a primitive read at which offset, as far as they were met: several may read the same.
///
/// Mostly they are so few that they are sooner looked through than hashed.
private struct IndexPairings {
    struct Pairing: Hashable {
        /// `nil` for the positions.
        let source: Int?
        let offset: Int
    }

    private var few: [Pairing] = []
    private var many: Set<Pairing> = []
    private static let mostFew = 16

    init(capacity: Int) {
        few.reserveCapacity(min(capacity, Self.mostFew))
    }

    /// Whether it is met for the first time.
    mutating func insert(_ pairing: Pairing) -> Bool {
        guard !few.contains(pairing) else { return false }
        guard few.count == Self.mostFew else {
            few.append(pairing)
            return true
        }
        return many.insert(pairing).inserted
    }
}
