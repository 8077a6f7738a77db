// An array that has fewer values than it says is one fault, whether or not its accessor needs them.

import DaeDiagnostics
import DaeSchema

extension DocumentReader {
    mutating func reportCount(_ count: Int, of array: ElementView, found: Int) {
        let written = array.trimmedAttribute(.count) ?? "\(count)"
        // A number that no count can be was reported by the check against the schema.
        guard options.schema == .off || count != ElementView.largestInteger || UInt64(written) != nil else { return }
        log.add(
            .arrayCountMismatch, at: array.place,
            "count is \(written.prefix(40)), but the array has \(found) values",
            arguments: [.init("count", written), .init("values", "\(found)")])
    }

    /// Tells of the arrays of a mesh that have fewer values than they say.
    mutating func reportShortArrays(of sources: [ColladaDocument.Source], in mesh: ElementView) {
        hasShortArrays = false
        for (source, element) in zip(sources, mesh.all(.source)) {
            let found = source.array.count
            guard let array = element.first(.floatArray) ?? element.first(.intArray), let count = array.integer(.count),
                count > found
            else {
                continue
            }
            guard let needed = source.accessor?.neededValues, found < needed, needed <= count else {
                reportCount(count, of: array, found: found)
                continue
            }
            log.add(
                .arrayTruncated, at: array.place,
                "count is \(count) and the accessor needs \(needed) values, but the array has \(found)",
                arguments: [
                    .init("count", "\(count)"), .init("needed", "\(needed)"), .init("values", "\(found)"),
                ])
        }
    }
}

extension ElementView {
    /// Whether it is an array of a source of a mesh.
    var isMeshArray: Bool {
        guard let source = parent, source.name == .source, let mesh = source.parent else { return false }
        return mesh.name == .mesh || mesh.name == .convexMesh
    }
}
