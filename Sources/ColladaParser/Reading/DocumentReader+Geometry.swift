import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeGeometry(_ view: ElementView) -> ColladaDocument.Geometry {
        let id = common(.id, of: view)
        var geometry = ColladaDocument.Geometry(
            id: id, name: name(of: view, id: id), position: view.position, kind: .empty)
        if let element = view.first(.mesh) {
            let mesh = decodeMesh(element)
            measure(mesh, of: element, into: &geometry)
            examine(mesh, of: element, &geometry)
            geometry.kind = .mesh(kept(mesh, of: &geometry))
        } else if let element = view.first(.convexMesh) {
            let mesh = decodeMesh(element)
            measure(mesh, of: element, into: &geometry)
            examine(mesh, of: element, &geometry)
            geometry.kind = .convexMesh(kept(mesh, of: &geometry), hullOf: reference(element, .convexHullOf))
        } else if let other = view.children.first(where: { $0.name == .spline || $0.name == .brep }) {
            geometry.kind = other.name == .spline ? .spline(decodeSpline(other)) : .brep(decodeBrep(other))
            log.add(
                .geometryUnsupportedKind, at: other.place,
                "<\(other.name.rawValue)> is kept as structure, but nothing of it is drawn")
        }
        numbers.endGeometry()
        return geometry
    }

    private func measure(
        _ mesh: ColladaDocument.Mesh, of element: ElementView, into geometry: inout ColladaDocument.Geometry
    ) {
        var measurer = MeshMeasurer(
            mesh: mesh, element: element, geometryID: geometry.id, numbers: numbers, habits: habits(element))
        measurer.run(&log.findings)
        switch measurer.completeness {
        case .complete: break
        case .lacking: completeness = .lacking
        }
        geometry.measure = measurer.measure
        geometry.usedPositions = measurer.usedPositions
        geometry.storedPositions = measurer.storedPositions
    }

    /// Hands a mesh over while it is whole; then what is kept of it leaves memory where only figures are wanted.
    private func examine(
        _ mesh: ColladaDocument.Mesh, of element: ElementView, _ geometry: inout ColladaDocument.Geometry
    ) {
        guard examiner != nil else { return }
        if let unit = GeometryUnit(geometry, mesh: mesh, element: element) { examiner?.examine(unit, &log.findings) }
        switch options.retention {
        case .everything: break
        case .figures:
            let start = numbers.positions.count
            numbers.positions.append(geometry.usedPositions)
            geometry.storedPositions = numbers.positions.positions(from: start)
            geometry.usedPositions = []
        }
    }

    private func kept(
        _ mesh: ColladaDocument.Mesh, of geometry: inout ColladaDocument.Geometry
    ) -> ColladaDocument.Mesh {
        switch (options.retention, options.arrays) {
        case (.everything, .memory): return mesh
        case (.everything, .archive):
            if options.archivesMeshes {
                geometry.archivedMesh = MeshBuilder(mesh, positions: [], options.sceneMemory)
                    .archived(in: numbers.archive, &lists)
            } else {
                let built = MeshBuilder(mesh, positions: geometry.usedPositions, options.sceneMemory).build()
                (geometry.archivedMesh, geometry.storedPositions) = numbers.archive.archive(
                    built.mesh, positions: built.positions)
                geometry.usedPositions = []
            }
            return bare(mesh)
        case (.figures, .memory), (.figures, .archive): return bare(mesh)
        }
    }

    private func bare(_ mesh: ColladaDocument.Mesh) -> ColladaDocument.Mesh {
        var bare = mesh
        if examiner == nil {
            // Nobody looks at more of it than what it asks of its instances.
            document.sourceIDs.append(mesh.sources.lazy.compactMap(\.id))
            bare.sources = []
            bare.verticesID = nil
            bare.vertices = lists.bare(mesh.vertices)
            for index in bare.primitives.indices {
                bare.primitives[index].inputs = lists.bare(mesh.primitives[index].inputs)
            }
        }
        for index in bare.sources.indices { bare.sources[index].array = .none }
        for index in bare.primitives.indices {
            bare.primitives[index].indices = []
            bare.primitives[index].stored = []
            bare.primitives[index].cornerCounts = []
            bare.primitives[index].packedCounts = CornerCounts()
            bare.primitives[index].holeCounts = []
        }
        return bare
    }

    private func decodeMesh(_ view: ElementView) -> ColladaDocument.Mesh {
        checkArrays(in: view)
        var mesh = ColladaDocument.Mesh()
        mesh.sources = decodeSources(in: view)
        if hasShortArrays { tellShortArrays(of: mesh.sources, in: view) }
        for child in view.children {
            if let kind = child.name.primitive {
                mesh.primitives.append(decodePrimitive(child, kind))
            } else if child.name == .vertices {
                mesh.verticesID = common(.id, of: child)
                mesh.vertices = child.all(.input).map(decodeInput)
            }
        }
        return mesh
    }

    /// Whether a list is passed over since there is one already; told where it is read all the same.
    private func isFurther(_ view: ElementView, behind first: Bool) -> Bool {
        guard first else { return false }
        guard mends else { return true }
        let (list, parent) = (view.name.rawValue, view.parent?.name.rawValue ?? "")
        log.add(
            .quirkSeveralIndexLists, at: view.place,
            "<\(parent)> has a further <\(list)>; expected one; it was read on from the first",
            arguments: [.init("element", list), .init("parent", parent)])
        return false
    }

    // MARK: - Sources

    /// An accessor whose count cannot be read reads all of its array, which may be another source's.
    func decodeSources(in view: ElementView) -> [ColladaDocument.Source] {
        let elements = view.all(.source)
        var sources: [ColladaDocument.Source] = []
        sources.reserveCapacity(elements.underestimatedCount)
        var uncounted: [Int] = []
        for element in elements {
            sources.append(decodeSource(element))
            guard let accessor = accessor(of: element), !tellCount(of: accessor) else { continue }
            uncounted.append(sources.count - 1)
        }
        guard !uncounted.isEmpty else { return sources }
        let holders = Dictionary(
            sources.indices.lazy.compactMap { place in sources[place].arrayID.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        for place in uncounted {
            guard let accessor = sources[place].accessor else { continue }
            let holder: Int?
            switch accessor.array {
            case .own: holder = nil
            case .at(let text): holder = text.hasPrefix("#") ? holders[String(text.dropFirst())] : nil
            }
            let held = accessor.elements(in: sources[holder ?? place].array)
            sources[place].accessor?.count = held
        }
        return sources
    }

    /// The one that ``decodeSource(_:)`` takes.
    private func accessor(of source: ElementView) -> ElementView? {
        source.children.reduce(nil) { found, child in
            child.name == .techniqueCommon || child.name == .technique ? child.first(.accessor) ?? found : found
        }
    }

    /// Whether an accessor's count can be used; tells when not.
    private func tellCount(of accessor: ElementView) -> Bool {
        if let count = accessor.integer(.count), count >= 0 { return true }
        if let text = accessor.attribute(.count) {
            log.add(
                .schemaInvalidNumber, at: accessor.place,
                "the count is \(text.prefix(40).debugDescription); expected a number from 0; all of the array is read",
                arguments: [.init("attribute", "count"), .init("text", text)])
        } else {
            log.add(
                .schemaMissingAttribute, at: accessor.place, "<accessor> has no count; all of the array is read",
                arguments: [.init("attribute", "count")])
        }
        return false
    }

    private func decodeSource(_ view: ElementView) -> ColladaDocument.Source {
        checkParams(of: view)
        var source = ColladaDocument.Source(id: common(.id, of: view), position: view.position, array: .none)
        for child in view.children {
            switch child.name {
            case .floatArray:
                source.array = numbers.run(of: child).map { .stored($0) } ?? .reals(child.takeReals())
                source.arrayID = child.attribute(.id)
            case .nameArray:
                source.array = .names(words(in: child))
                source.arrayID = child.attribute(.id)
            case .idrefArray:
                source.array = .idrefs(words(in: child))
                source.arrayID = child.attribute(.id)
            case .sidrefArray:
                source.array = .sidrefs(words(in: child))
                source.arrayID = child.attribute(.id)
            case .techniqueCommon, .technique:
                source.accessor = child.first(.accessor).map { decodeAccessor($0, of: view) } ?? source.accessor
            default: break  // element names: the other elements of a source carry no values that are read
            }
        }
        return source
    }

    /// All that there are: how many were meant is not compared, since names with spaces are torn apart.
    private func words(in view: ElementView) -> [String] {
        _ = integer(view, .count)
        return view.words
    }

    /// Tells of accessors whose reference leads to no array among the sources of `view`; their own source's is read.
    func checkArrays(in view: ElementView) {
        let sources = view.all(.source)
        var others: Set<String>?
        // Arrays that are not read have no place here.
        for source in sources where source.children.contains(where: { $0.name.isArray }) {
            guard let accessor = source.first(.techniqueCommon, .accessor), !readsOwnArray(accessor, of: source),
                let text = reference(accessor, .source)?.text
            else { continue }
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            let held = others ?? arrayIDs(of: sources)
            others = held
            if held.contains(id) || held.contains(id.percentDecoded), tellMissingHash(text, at: accessor) { continue }
            log.add(
                .accessorNoSource, at: accessor.place,
                "the accessor's source \(text.prefix(200).debugDescription) is no array here",
                arguments: [.init("reference", text)])
        }
    }

    /// What nearly every accessor does; told without a text being made of it.
    private func readsOwnArray(_ accessor: ElementView, of source: ElementView) -> Bool {
        guard let address = accessor.bytes(of: .source)?.trimmed, address.first == UInt8(ascii: "#") else {
            return false
        }
        for child in source.children where child.name.isArray {
            guard let id = child.bytes(of: .id), id.count == address.count - 1 else { continue }
            if id.isSame(as: UnsafeRawBufferPointer(rebasing: address[1...])) { return true }
        }
        return false
    }

    /// Whether an address that leads to something can be used; told where that is only as it has no `#`.
    private func tellMissingHash(_ text: String, at accessor: ElementView) -> Bool {
        guard !text.hasPrefix("#") else { return true }
        guard mends else { return false }
        log.add(
            .refMissingHash, at: accessor.place,
            "the accessor's source \(text.prefix(200).debugDescription) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
        return true
    }

    private func arrayIDs(of sources: ElementList) -> Set<String> {
        Set(sources.flatMap { $0.children.filter { $0.name.isArray } }.compactMap { $0.attribute(.id) })
    }

    private func decodeAccessor(_ view: ElementView, of source: ElementView) -> ColladaDocument.Accessor {
        var params = lists.params(view.all(.param))
        let stride = integer(view, .stride) ?? 1
        if stride < max(1, params.count) {
            log.add(
                .accessorStrideTooSmall, at: view.place,
                "the stride is \(stride); expected at least \(max(1, params.count)), one value for each param",
                arguments: [.init("stride", "\(stride)"), .init("params", "\(params.count)")])
        }
        // A param of a matrix stands for all of its values.
        var count = max(0, view.integer(.count) ?? 0)
        if params.count == 1, let type = view.first(.param)?.attribute(.type), let width = Self.widths[type] {
            if width <= stride {
                params = [String?](repeating: params[0], count: width)
            } else if !hasRoom(stride, for: width, type, in: view) {
                count = 0
            }
        }
        let isOwn = readsOwnArray(view, of: source)
        return ColladaDocument.Accessor(
            array: isOwn ? .own : view.attribute(.source).map { .at($0) } ?? .own, count: count,
            offset: max(0, integer(view, .offset) ?? 0),
            stride: max(1, stride), params: params)
    }

    /// Whether an accessor whose stride leaves no room for its param is read by the param's own length.
    private func hasRoom(_ stride: Int, for width: Int, _ type: String, in view: ElementView) -> Bool {
        let arguments = [Finding.Argument("stride", "\(stride)"), .init("expected", "\(width)")]
        guard mends, stride == 1, type == "float4x4" else {
            if stride > 0 {
                log.add(
                    .accessorStrideTooSmall, at: view.place,
                    "the stride is \(stride); expected at least \(width), the values of a \(type)", arguments: arguments
                )
            }
            return mends
        }
        log.add(
            .quirkMatrixStride, at: view.place, "the stride is 1; \(width) was taken, the values of a \(type)",
            arguments: arguments, fix: "write stride=\"\(width)\"")
        return true
    }

    /// Values of the types that one param may have beside single numbers.
    private static let widths = [
        "float2": 2, "float3": 3, "float4": 4, "float2x2": 4, "float3x3": 9, "float4x4": 16,
    ]

    func decodeInput(_ view: ElementView) -> ColladaDocument.Input {
        // 1.3 calls the offset idx.
        let offset = integer(view, .offset) ?? (mends || isVersion13 ? integer(view, .idx) : nil) ?? 0
        let semantic = view.attribute(.semantic) ?? ""
        if semantic.isEmpty { tellMissing(.semantic, of: view) }
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

    private func decodePrimitive(
        _ view: ElementView, _ kind: ColladaDocument.Primitive.Kind
    ) -> ColladaDocument.Primitive {
        var primitive = ColladaDocument.Primitive(
            kind: kind, position: view.position, material: common(.material, of: view), count: integer(view, .count),
            inputs: view.all(.input).map(decodeInput), indices: [], cornerCounts: [], holeCounts: [])
        let stride = primitive.stride
        if !mends, !isVersion13 { primitive.inputs.removeAll { $0.semantic == "POSITION" } }
        for child in view.children {
            switch child.name {
            case .p: add(child, to: &primitive, stride)
            case .ph: addHoled(child, to: &primitive, stride)
            case .vcount where kind == .polylist:
                guard !isFurther(child, behind: primitive.hasRings) else { continue }
                primitive.packedCounts.append(contentsOf: numbers.cornerCounts(of: child))
                let counts = child.takeIntegers()
                if primitive.cornerCounts.isEmpty {
                    primitive.cornerCounts = counts
                } else {
                    primitive.cornerCounts.append(contentsOf: counts)
                }
            default: break  // element names: inputs were read, extras are not
            }
        }
        switch options.retention {
        case .figures: break
        case .everything:
            // Many <p> were put together.
            primitive.indices = primitive.indices.fitted()
            primitive.cornerCounts = primitive.cornerCounts.fitted()
            primitive.holeCounts = primitive.holeCounts.fitted()
        }
        return primitive
    }

    private func add(_ view: ElementView, to primitive: inout ColladaDocument.Primitive, _ stride: Int) {
        let hasOne = primitive.kind.hasOneIndexList && !(primitive.indices.isEmpty && primitive.stored.isEmpty)
        guard !isFurther(view, behind: hasOne) else { return }
        let stored = numbers.run(of: view)
        var indices = view.takeIntegers()
        let count = stored?.count ?? indices.count
        var left = 0
        switch primitive.kind {
        case .triangles, .lines, .polylist: break
        case .polygons, .tristrips, .trifans, .linestrips:
            primitive.cornerCounts.append(Int32(clamping: count / stride))
            if !primitive.holeCounts.isEmpty { primitive.holeCounts.append(0) }
            left = count % stride
            guard left > 0 else { break }
            log.add(
                .primitiveIndexCount, at: view.place,
                "<p> has \(count) indices; expected a multiple of \(stride)",
                arguments: [.init("indices", "\(count)"), .init("stride", "\(stride)")])
        }
        if var stored {
            stored.count -= left
            primitive.stored.append(stored)
            return
        }
        if left > 0 { indices.removeLast(left) }
        if primitive.indices.isEmpty {
            primitive.indices = indices
        } else {
            primitive.indices.append(contentsOf: indices)
        }
    }

    private func addHoled(_ view: ElementView, to primitive: inout ColladaDocument.Primitive, _ stride: Int) {
        guard primitive.kind == .polygons, let outer = view.first(.p) else { return }
        if primitive.holeCounts.isEmpty {
            primitive.holeCounts = [Int32](repeating: 0, count: primitive.cornerCounts.count)
        }
        // A hole without a corner is none.
        let holes = view.all(.h).map { $0.takeIntegers() }.filter { $0.count >= stride }
        primitive.holeCounts.append(Int32(clamping: holes.count))
        for indices in [outer.takeIntegers()] + holes {
            primitive.cornerCounts.append(Int32(clamping: indices.count / stride))
            primitive.indices.append(contentsOf: indices.dropLast(indices.count % stride))
        }
    }
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

    /// Whether it is an array whose values are read.
    fileprivate var isArray: Bool {
        switch self {
        case .floatArray, .nameArray, .idrefArray, .sidrefArray: true
        default: false  // element names: every other one is no array, or not read
        }
    }
}
