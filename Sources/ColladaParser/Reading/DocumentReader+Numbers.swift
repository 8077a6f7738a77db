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
        }
        guard let parent = view.parent, let mesh = parent.parent, mesh.name == .mesh || mesh.name == .convexMesh,
            mesh.parent?.name == .geometry
        else { return .kept }
        switch view.name {
        case .floatArray, .intArray: return parent.name == .source ? .stored : .kept
        case .p:
            guard let kind = parent.name.primitive, kind != .polygons else { return .kept }
            return .stored
        default: return .kept  // element names: other numbers are few
        }
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
