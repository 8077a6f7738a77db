import DaeDiagnostics
import DaeSchema
import DaeXML

// Finds what the inputs of a mesh read and how much of it is there, and reports what is wrong with it.

/// The sources of one mesh, as its inputs ask for them.
struct MeshSources {
    let mesh: ColladaDocument.Mesh
    private let element: ElementView
    private let geometryID: String?
    private let table: SourceTable
    /// Sources by the ids of their arrays; empty where there are few, which are sooner looked through.
    private let holders: [String: Int]
    /// Elements of the sources that were asked for so far, else -1: several inputs may read one.
    private var knownElements: [Int]

    init(mesh: ColladaDocument.Mesh, element: ElementView, geometryID: String?) {
        self.mesh = mesh
        self.element = element
        self.geometryID = geometryID
        table = SourceTable(mesh.sources)
        holders = mesh.sources.count > Self.mostFew ? SourceTable.holders(of: mesh.sources) : [:]
        knownElements = Array(of: mesh.sources.count, each: -1)
    }

    /// Where something of the mesh is.
    func place(of position: XMLPosition) -> Place {
        var place = element.place
        place.elementID = geometryID
        (place.line, place.column, place.byte) = (position.line, position.column, position.byte)
        return place
    }

    // MARK: - What an input reads

    /// The source the mesh's positions are in.
    func positionSource(_ habits: MeshMeasurer.Habits, _ log: inout FindingLog) -> Int? {
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

    /// The source that one of some inputs reads.
    func source(_ inputs: [ColladaDocument.Input], _ index: Int, _ log: inout FindingLog) -> Int? {
        // By index: what is taken out of its list would be copied.
        if let found = table.place(of: inputs[index]) {
            if !inputs[index].source.isLocal { reportMissingHash(of: inputs[index], &log) }
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

    private func reportMissingHash(of input: ColladaDocument.Input, _ log: inout FindingLog) {
        let text = input.source.text
        log.add(
            .refMissingHash, at: place(of: input.source.position),
            "the source \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
    }

    /// A mesh has one `<vertices>`, so a reference that misses it is reported and read as if it did not.
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
                "the VERTEX input's source \(text.quoted()) is not this mesh's <vertices>, which were taken",
                arguments: [.init("reference", text)], severity: .warning)
            return
        }
        if !inputs[index].source.isLocal { reportMissingHash(of: inputs[index], &log) }
    }

    /// Whether an input's indices are those of positions; reports where it is not of the mesh's vertices.
    func readsPositions(
        _ inputs: [ColladaDocument.Input], _ index: Int, _ log: inout FindingLog
    ) -> Bool {
        guard inputs[index].semantic == "VERTEX" else { return inputs[index].semantic == "POSITION" }
        checkVertices(inputs, index, &log)
        return true
    }

    // MARK: - How much of it is there

    /// What a source's accessor reads: the array it names, in whatever source of the mesh, else its own.
    func array(of index: Int) -> ColladaDocument.Source.Values {
        mesh.sources[holder(of: index)].array
    }

    /// The source in which the array of a source's accessor is.
    private func holder(of index: Int) -> Int {
        switch mesh.sources[index].accessor?.array {
        case nil, .own: index
        case .at(let text): holder(addressedBy: text) ?? index
        }
    }

    /// The first source whose array a text is the address of.
    private func holder(addressedBy text: String) -> Int? {
        guard text.utf8.first == UInt8(ascii: "#") else { return nil }
        let id = String(text.dropFirst())
        guard mesh.sources.count <= Self.mostFew else { return holders[id] }
        return mesh.sources.indices.first { mesh.sources[$0].arrayID == id }
    }

    private static let mostFew = 16

    /// How many elements of a source can be read; what is wrong with it is reported the first time.
    mutating func elements(of index: Int, _ log: inout FindingLog) -> Int {
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
                "a count of \(ElementView.shown(accessor.count)) and a stride of \(ElementView.shown(accessor.stride)) make more values than the \(Self.largestArray) an array can have",
                arguments: [
                    .init("count", "\(accessor.count)"), .init("stride", "\(accessor.stride)"),
                    .init("limit", "\(Self.largestArray)"),
                ])
        } else if needed <= values.count {
            return accessor.count
        } else {
            // An array of its own that should have been long enough was cut off, and reported.
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
        return (element?.first(.floatArray) ?? element?.first(.intArray))?.integer(.count)
    }
}

/// Sources by their ids, for where many inputs look among many sources: each look takes the same time.
struct SourceTable {
    private let sources: [ColladaDocument.Source]
    /// Empty where there are few: they are looked through one by one, which is quicker than to put them into a table.
    private var byID: [String: Int] = [:]

    private static let mostFew = 6

    /// Of sources with the same id the first is meant.
    init(_ sources: [ColladaDocument.Source]) {
        self.sources = sources
        guard sources.count > Self.mostFew else { return }
        for (place, source) in sources.enumerated() {
            if let id = source.id, byID[id] == nil { byID[id] = place }
        }
    }

    /// Sources by the ids of their arrays; of several with the same id the first is meant.
    static func holders(of sources: [ColladaDocument.Source]) -> [String: Int] {
        Dictionary(
            sources.indices.lazy.compactMap { place in sources[place].arrayID.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// As ``ColladaDocument/source(of:in:)`` finds it.
    func source(of input: ColladaDocument.Input) -> ColladaDocument.Source? { place(of: input).map { sources[$0] } }

    /// Of one of the sources, which is not copied for it.
    func array(at place: Int) -> ColladaDocument.Source.Values { sources[place].array }

    /// Of one of the sources, which is not copied for it.
    func accessor(at place: Int) -> ColladaDocument.Accessor? { sources[place].accessor }

    /// Which of the sources it is.
    func place(of input: ColladaDocument.Input) -> Int? {
        let id = input.source.withoutHash
        return place(id) ?? place(id.percentDecoded)
    }

    private func place(_ id: String) -> Int? {
        sources.count > Self.mostFew ? byID[id] : sources.firstIndex { $0.id == id }
    }
}
