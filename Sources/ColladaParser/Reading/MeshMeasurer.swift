// Counts a mesh and checks its numbers against each other: every index and every position is looked at once.

import Diagnostics
import SceneModel
import XMLReader

struct MeshMeasurer {
    private typealias Document = ColladaDocument

    enum Completeness {
        case complete
        /// Numbers that were not kept would be needed: the figures are not right.
        case lacking
    }

    private let mesh: ColladaDocument.Mesh
    private let element: ElementView
    private let geometryID: String?
    private var figures = MeshMeasure.Figures()
    var measure: MeshMeasure { MeshMeasure(figures) }
    private(set) var usedPositions: [Double] = []
    /// The positions in use of an array that is stored.
    private(set) var storedPositions: StoredPositions?
    private let numbers: MeshNumbers
    private let habits: Habits
    private(set) var completeness = Completeness.complete
    private var isUsed = UsedPositions(count: 0)
    private let sources: SourcePlaces
    /// Elements of the sources that were asked for so far, else -1: several inputs may read one.
    private var knownElements: [Int]

    /// What is known of who wrote the document.
    struct Habits {
        /// SketchUp, whose counts of lines are others than there are.
        var miscountsLines = false  // a fact about the document
        /// As 1.3 has it, where that is told.
        var putsPositionsInPrimitives = false  // a fact about the document
    }

    init(
        mesh: ColladaDocument.Mesh, element: ElementView, geometryID: String?, numbers: MeshNumbers, habits: Habits
    ) {
        self.habits = habits
        self.mesh = mesh
        self.element = element
        self.geometryID = geometryID
        self.numbers = numbers
        sources = SourcePlaces(mesh.sources)
        knownElements = Array(of: mesh.sources.count, each: -1)
    }

    mutating func run(_ log: inout FindingLog) {
        let positions = positionSource(&log)
        for index in mesh.vertices.indices where mesh.vertices[index].semantic != "POSITION" {
            _ = source(mesh.vertices, index, &log)
        }
        let count = positions.map { elements(of: $0, &log) } ?? 0
        figures.positions = count
        isUsed = UsedPositions(count: count, among: numbers.used)
        // In a span: what is taken out of a list would be copied.
        let all = mesh.primitives
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
        let watch = watch(of: primitive, shape)
        shape.check(primitive, miscounted: habits.miscountsLines, at: place(of: position), &log)
        figures.triangles += shape.triangles
        figures.faceCorners += shape.faceCorners
        figures.lines += shape.lines
        guard !shape.isEmpty else {
            return log.add(.primitiveEmpty, at: place(of: position), "<\(kind.rawValue)> is empty")
        }
        figures.submeshes += 1
        if let watch {
            checkPassed(primitive, shape, watch, positions: count, &log)
        } else {
            checkIndices(of: primitive, shape, positions: count, &log)
        }
    }

    private func place(of position: XMLPosition) -> Place {
        var place = element.place
        place.elementID = geometryID
        (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
        return place
    }

    // MARK: - Sources

    private func positionSource(_ log: inout FindingLog) -> Int? {
        if let place = mesh.vertices.firstIndex(where: { $0.semantic == "POSITION" }) {
            return source(mesh.vertices, place, &log)
        }
        // 1.3 lets a primitive name its positions without a <vertices> between.
        guard let input = mesh.primitives.lazy.flatMap(\.inputs).first(where: { $0.semantic == "POSITION" }) else {
            if !mesh.primitives.isEmpty {
                log.add(.inputNoPosition, at: element.place, "the mesh has no POSITION input")
            }
            return nil
        }
        if habits.putsPositionsInPrimitives {
            log.add(
                .quirkPositionInPrimitive, at: place(of: input.source.position),
                "the positions are an input of a primitive; expected one of <vertices>")
        }
        return source([input], 0, &log)
    }

    /// That of one of some inputs.
    private func source(_ inputs: [ColladaDocument.Input], _ index: Int, _ log: inout FindingLog) -> Int? {
        // By index: what is taken out of its list would be copied.
        let id = inputs[index].source.withoutHash
        if let found = sources.source(id) ?? sources.source(id.percentDecoded) {
            if !inputs[index].source.isLocal { tellMissingHash(of: inputs[index], &log) }
            return found
        }
        let input = inputs[index]
        guard !input.source.isAbsent else { return nil }
        let text = input.source.text
        log.add(
            .accessorNoSource, at: place(of: input.source.position),
            "the \(input.semantic) input's source \(text.quoted()) is not in this mesh",
            arguments: [.init("reference", text)])
        return nil
    }

    private func tellMissingHash(of input: ColladaDocument.Input, _ log: inout FindingLog) {
        let text = input.source.text
        log.add(
            .refMissingHash, at: place(of: input.source.position),
            "the source \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
    }

    /// A mesh has one `<vertices>`, so a reference that misses it is told and read as if it did not.
    private func checkVertices(
        _ inputs: [ColladaDocument.Input], _ index: Int, _ log: inout FindingLog
    ) {
        let id = inputs[index].source.withoutHash
        guard let own = mesh.verticesID, id == own || id.percentDecoded == own else {
            let input = inputs[index]
            guard !input.source.isAbsent else { return }
            let text = input.source.text
            log.add(
                .accessorNoSource, at: place(of: input.source.position),
                "the VERTEX input's source \(text.quoted()) is not this mesh's <vertices>",
                arguments: [.init("reference", text)])
            return
        }
        if !inputs[index].source.isLocal { tellMissingHash(of: inputs[index], &log) }
    }

    /// What a source's accessor reads: the array it names, in whatever source of the mesh, else its own.
    private func array(of index: Int) -> ColladaDocument.Source.Values {
        mesh.sources[holder(of: index)].array
    }

    /// The source in which the array of a source's accessor is.
    private func holder(of index: Int) -> Int {
        switch mesh.sources[index].accessor?.array {
        case nil, .own: index
        case .at(let text): sources.holder(addressedBy: text) ?? index
        }
    }

    /// How many elements of a source can be read; what is wrong with it is told the first time.
    private mutating func elements(of index: Int, _ log: inout FindingLog) -> Int {
        if knownElements[index] >= 0 { return knownElements[index] }
        let count = countedElements(of: index, &log)
        knownElements[index] = count
        return count
    }

    /// Counts and indices have 32 bits.
    private static let largestArray = Int(Int32.max)

    /// Never more than the array holds.
    private func countedElements(of index: Int, _ log: inout FindingLog) -> Int {
        let values = array(of: index)
        if case .none = values { return 0 }
        guard let accessor = mesh.sources[index].accessor else { return values.count / 3 }
        let width = accessor.params.isEmpty ? min(3, accessor.stride) : accessor.params.count
        guard accessor.count > 0 else { return 0 }
        let needed = accessor.neededValues ?? .max
        if needed > Self.largestArray {
            log.add(
                .accessorOverflow, at: place(of: mesh.sources[index].position),
                "a count of \(Self.shown(accessor.count)) and a stride of \(Self.shown(accessor.stride)) make more values than the \(Self.largestArray) an array can have",
                arguments: [
                    .init("count", "\(accessor.count)"), .init("stride", "\(accessor.stride)"),
                    .init("limit", "\(Self.largestArray)"),
                ])
        } else if needed <= values.count {
            return accessor.count
        } else {
            // An array of its own that should have been long enough was cut off, and told.
            let isCut =
                holder(of: index) == index && declaredCount(of: mesh.sources[index]).map { $0 >= needed } ?? false
            if !isCut {
                log.add(
                    .accessorOutOfRange, at: place(of: mesh.sources[index].position),
                    "the accessor needs \(needed) values; its array has \(values.count)",
                    arguments: [.init("needed", "\(needed)"), .init("values", "\(values.count)")])
            }
        }
        let available = values.count - accessor.offset
        return available < width ? 0 : min(accessor.count, (available - width) / accessor.stride + 1)
    }

    /// What the array in a source says of its length.
    private func declaredCount(of source: ColladaDocument.Source) -> Int? {
        let element = element.all(.source).first { $0.position.byte == source.position.byte }
        return element?.first(.floatArray)?.integer(.count)
    }

    // MARK: - Indices

    /// One input's own indices, and what was odd about where they lead.
    private struct InputCheck {
        let semantic: String
        let limit: Int
        let isPosition: Bool  // among the kinds of input
        /// `nil` where nothing was.
        let told: FindingLog?
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
        let rings = primitive.rings
        // What was told so far, of inputs that are not looked at.
        var told = FindingLog()
        // By index: what is taken out of its list would be copied.
        for index in primitive.inputs.indices {
            let isPosition = readsPositions(primitive.inputs, index, &told)
            hasVertex = hasVertex || isPosition
            let offset = primitive.inputs[index].offset
            let limit: Int
            if isPosition {
                guard let positions, seen.insert(.init(source: nil, offset: offset)) else { continue }
                limit = positions
            } else {
                guard let source = source(primitive.inputs, index, &told),
                    seen.insert(.init(source: source, offset: offset))
                else { continue }
                limit = elements(of: source, &told)
            }
            let stream = IndexStream(
                offset: offset, stride: stride, limit: limit,
                faces: isPosition ? .init(of: primitive.kind, cornerCounts: rings) : .none)
            let hasTold = !told.counts.isEmpty
            checks.append(
                InputCheck(
                    semantic: primitive.inputs[index].semantic, limit: limit, isPosition: isPosition,
                    told: hasTold ? told : nil,
                    stream: stream))
            if hasTold { told = FindingLog() }
        }
        pass(primitive, corners: shape.corners, &checks)
        for place in checks.indices {
            if let told = checks[place].told { log.merge(told) }
            tell(checks[place].stream.faults, checks[place].semantic, checks[place].limit, primitive, &log)
            tell(checks[place].stream.degenerateFaces, of: shape.primitives, in: primitive, &log)
        }
        if !told.counts.isEmpty { log.merge(told) }
        if !hasVertex { tellNoVertex(primitive, &log) }
    }

    /// Whether an input's indices are those of positions; tells where it is not of the mesh's vertices.
    private func readsPositions(
        _ inputs: [ColladaDocument.Input], _ index: Int, _ log: inout FindingLog
    ) -> Bool {
        guard inputs[index].semantic == "VERTEX" else { return inputs[index].semantic == "POSITION" }
        checkVertices(inputs, index, &log)
        return true
    }

    private func tellNoVertex(_ primitive: ColladaDocument.Primitive, _ log: inout FindingLog) {
        log.add(
            .inputNoVertex, at: place(of: primitive.position), "<\(primitive.kind.rawValue)> has no VERTEX input")
    }

    private mutating func pass(
        _ primitive: ColladaDocument.Primitive, corners: Int, _ checks: inout [InputCheck]
    ) {
        guard !checks.isEmpty else { return }
        let list = IndexList(primitive, corners: corners, store: numbers.geometry)
        list.forEachPiece(of: 3 * primitive.stride) { piece in
            for index in checks.indices {
                if checks[index].isPosition {
                    checks[index].stream.mark(piece, in: &isUsed)
                } else {
                    checks[index].stream.check(piece)
                }
            }
        }
    }

    private mutating func tell(
        _ count: Int, of faces: Int, in primitive: ColladaDocument.Primitive, _ log: inout FindingLog
    ) {
        guard count > 0 else { return }
        figures.degenerateFaces += count
        log.add(
            .triangleDegenerate, at: place(of: primitive.position),
            "\(count) of \(faces) faces of <\(primitive.kind.rawValue)> have a corner twice in a row",
            arguments: [.init("count", "\(count)"), .init("faces", "\(faces)")])
    }

    /// Larger numbers than that are not told apart.
    private static func shown(_ number: Int) -> String {
        number == ElementView.largestInteger ? "\(number) or more" : "\(number)"
    }

    private func tell(
        _ faults: IndexStream.Faults, _ semantic: String, _ limit: Int, _ primitive: ColladaDocument.Primitive,
        _ log: inout FindingLog
    ) {
        if let first = faults.outOfBounds {
            log.add(
                .primitiveIndexOutOfBounds, at: place(of: primitive.position),
                "\(faults.outOfBoundsCount) \(semantic) indices are too large, the first is \(Self.shown(Int(first))); expected below \(limit)",
                arguments: [
                    .init("semantic", semantic), .init("index", "\(first)"), .init("limit", "\(limit)"),
                    .init("count", "\(faults.outOfBoundsCount)"),
                ])
        }
        if let first = faults.negative {
            log.add(
                .primitiveIndexNegative, at: place(of: primitive.position),
                "\(faults.negativeCount) \(semantic) indices are negative, the first is \(first)",
                arguments: [.init("semantic", semantic), .init("index", "\(first)")])
        }
    }

    // MARK: - What passed

    /// What was noted of a primitive's indices, which are not at hand; `nil` where they are.
    private mutating func watch(of primitive: ColladaDocument.Primitive, _ shape: PrimitiveShape) -> IndexWatch? {
        guard primitive.stored.contains(where: { $0.start == nil }) else { return nil }
        guard let watch = numbers.watch(at: primitive.position), primitive.stored.allSatisfy({ $0.start == nil }),
            watch.stride == primitive.stride, watch.corners == shape.corners,
            watch.cornerCounts == (primitive.kind == .polylist ? primitive.rings : CornerCounts())
        else {
            completeness = .lacking
            return nil
        }
        return watch
    }

    /// Holds what was noted of a primitive's indices against what its inputs read.
    private mutating func checkPassed(
        _ primitive: ColladaDocument.Primitive, _ shape: PrimitiveShape, _ watch: IndexWatch, positions: Int?,
        _ log: inout FindingLog
    ) {
        var hasVertex = false
        var isTold = false
        // By index: what is taken out of its list would be copied.
        for index in primitive.inputs.indices {
            let isPosition = readsPositions(primitive.inputs, index, &log)
            hasVertex = hasVertex || isPosition
            let offset = primitive.inputs[index].offset
            let limit: Int
            if isPosition {
                guard let positions else { continue }
                // Beyond those there was room for, no position was noted to be in use.
                limit = min(positions, numbers.used.count)
            } else {
                guard let source = source(primitive.inputs, index, &log) else { continue }
                limit = elements(of: source, &log)
            }
            if !watch.isBelow(limit, at: offset) || isPosition && offset != watch.positionOffset {
                completeness = .lacking
            }
            if isPosition, !isTold {
                isTold = true
                tell(watch.degenerateFaces, of: shape.primitives, in: primitive, &log)
            }
        }
        if !hasVertex { tellNoVertex(primitive, &log) }
    }

    // MARK: - Positions

    /// Keeps the positions in use and their box. A source narrower than three values has zeros for the rest.
    private mutating func collect(_ index: Int) {
        var collector = PositionCollector(PositionLayout(mesh.sources[index].accessor), used: isUsed)
        switch array(of: index) {
        case .reals(let values):
            usedPositions = collector.pass(values)
        case .stored(let run):
            guard run.start != nil else {
                completeness = .lacking
                return
            }
            if collector.isWhole(run.count), let stored = numbers.positions(run) {
                collector.pass(run, of: numbers.geometry) { _ in }
                storedPositions = stored
                break
            }
            let start = numbers.positions.count
            collector.pass(run, of: numbers.geometry) { numbers.positions.append($0) }
            storedPositions = numbers.positions.positions(from: start)
        case .names, .idrefs, .sidrefs, .none: return
        }
        figures.bounds = collector.bounds
    }
}
