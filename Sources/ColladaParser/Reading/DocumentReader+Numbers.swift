// What becomes of the numbers of a list is settled at its start tag, by what stands before it.

import SceneModel
import XMLReader

extension DocumentReader {
    /// What becomes of an element's numbers: those of a mesh that are not to stay in memory are stored, in elements that
    /// there is one of for many numbers.
    func fate(of view: ElementView) -> NumberStream.Fate {
        switch options.retention {
        case .everything: guard options.archivesMeshes else { return .kept }
        case .figures:
            // An examiner wants all of them at hand.
            guard !isExamined else { return .kept }
            if view.name == .vcount, view.parent?.name == .polylist { return .packed }
            if options.canReadAgain, isOfCurve(view) { return .passed }
        }
        guard let parent = view.parent, let mesh = parent.parent, mesh.name == .mesh || mesh.name == .convexMesh,
            mesh.parent?.name == .geometry
        else { return .kept }
        // What is kept of everything needs all of it.
        let canReadAgain = options.canReadAgain && options.retention == .figures
        if canReadAgain, !numbers.belongs(to: mesh.index) {
            // What was noted is of one mesh; a geometry has no second one, but for a file that is wrong.
            completeness = .lacking
            return .stored
        }
        switch view.name {
        case .floatArray, .intArray:
            guard parent.name == .source else { return .kept }
            guard canReadAgain else { return .stored }
            return numbers.firstCount == 0 ? .positions : .counted
        case .p:
            guard let kind = parent.name.primitive, kind != .polygons else { return .kept }
            // A further list that nobody reads must not be noted either.
            if !mends, kind.hasOneIndexList, parent.first(.p)?.index != view.index { return .kept }
            guard canReadAgain, numbers.firstCount > 0 else { return .stored }
            if numbers.isWatched(at: parent.position) { return .watched(parent.position.byte, nil) }
            return watch(of: parent, kind).map { .watched(parent.position.byte, $0) } ?? .stored
        default: return .kept  // element names: other numbers are few
        }
    }

    /// Whether numbers are likely to be a curve's values or tangents, of which nothing but how many they are is told:
    /// what they are is known behind them, so that is taken from their ids, as exporters name them. Where it turns out to
    /// be wrong the document is read again.
    private func isOfCurve(_ view: ElementView) -> Bool {
        guard view.name == .floatArray, let source = view.parent, source.name == .source,
            let animation = source.parent, animation.name == .animation,
            animation.first(.source)?.index != source.index, let id = source.bytes(of: .id)
        else { return false }
        return id.ends(within: 32, with: ["output", "tangent"])
    }

    /// How many numbers an element's list should have; `nil` where nothing says so.
    func announcedCount(of view: ElementView) -> Int? {
        switch view.name {
        case .floatArray, .intArray: return view.integer(.count)
        case .vcount: return view.parent?.integer(.count)
        case .p, .v: return view.parent.flatMap(indexCount)
        default: return nil  // element names: other numbers are few
        }
    }

    /// The indices that an element's attributes and the corners of its polygons ask for.
    private func indexCount(of view: ElementView) -> Int? {
        guard let count = view.integer(.count) else { return nil }
        var stride = 1
        var corners = 0
        for child in view.children {
            switch child.name {
            case .input: stride = max(stride, (child.integer(.offset) ?? 0) + 1)
            case .vcount: corners = child.integers.reduce(0) { $0 &+ Int(max(0, $1)) }
            default: continue  // element names: nothing else says how many indices there are
            }
        }
        switch view.name {
        case .triangles: corners = 3 * count
        case .lines: corners = 2 * count
        case .polylist, .vertexWeights: break
        default: return nil  // element names: nothing else announces its indices
        }
        let (indices, isTooMany) = corners.multipliedReportingOverflow(by: stride)
        return isTooMany ? nil : indices
    }

    /// `nil` where the indices cannot be told apart before their primitive is at its end.
    private func watch(of primitive: ElementView, _ kind: ColladaDocument.Primitive.Kind) -> IndexWatch? {
        var stride = 1
        var positions: Int?
        var cornerCounts = CornerCounts()
        for child in primitive.children {
            switch child.name {
            case .input:
                let written = child.integer(.offset) ?? (mends || isVersion13 ? child.integer(.idx) : nil) ?? 0
                let offset = (0...Self.largestOffset).contains(written) ? written : 0
                stride = max(stride, offset + 1)
                guard child.has(.semantic, "VERTEX") || child.has(.semantic, "POSITION") else { continue }
                guard positions == nil || positions == offset else { return nil }
                positions = offset
            case .vcount where kind == .polylist:
                cornerCounts.append(contentsOf: numbers.cornerCounts(of: child))
            default: continue  // element names: nothing else says what indices are
            }
        }
        return IndexWatch(
            kind, stride: stride, positionOffset: positions, positions: numbers.firstCount, cornerCounts: cornerCounts)
    }
}

extension ColladaOptions {
    /// Whether the numbers of meshes go out of memory as they are decoded. An examiner wants all of them at hand.
    var archivesMeshes: Bool {
        switch (retention, arrays) {
        case (.everything, .archive): examiner == nil
        case (.everything, .memory), (.figures, .memory), (.figures, .archive): false
        }
    }
}
