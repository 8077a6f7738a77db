import DaeSchema
import DaeXML

extension DocumentReader {
    /// How many numbers an element's list should have; `nil` where nothing says so.
    mutating func announcedCount(of view: ElementView) -> Int? {
        switch view.name {
        case .floatArray, .intArray: return view.integer(.count)
        case .vcount: return view.parent?.integer(.count)
        case .p, .v: return view.parent.flatMap { indexCount(of: $0) }
        default: return nil  // element names: other numbers are few
        }
    }

    /// The indices that an element's attributes and the corners of its polygons ask for.
    private mutating func indexCount(of view: ElementView) -> Int? {
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
    /// Whether very many numbers go into a file.
    var isOutOfMemory: Bool {
        switch (retention, arrays) {
        case (.everything, .memory): false
        case (.everything, .archive), (.figures, .memory), (.figures, .archive): true
        }
    }
}
