// A large mesh is packed a part at a time, so that its numbers need not be in memory beside what is made of them.

import Diagnostics
import SceneModel

/// The numbers of a mesh, wherever they lie.
enum MeshNumbers {
    case memory(Mesh)
    case archive(ArchivedMesh)

    /// The mesh, without numbers where they are archived.
    var outline: Mesh {
        switch self {
        case .memory(let mesh): mesh
        case .archive(let archived): archived.outline
        }
    }

    /// Elements that a stream says it has.
    func elements(of stream: Int) -> Int {
        switch self {
        case .memory(let mesh): mesh.streams[stream].count
        case .archive(let archived): archived.elements(of: stream)
        }
    }

    /// Whole corners of a primitive.
    func corners(of primitive: Int) -> Int {
        switch self {
        case .memory(let mesh): mesh.primitives[primitive].corners
        case .archive(let archived):
            archived.indexCount(of: primitive) / max(1, archived.outline.primitives[primitive].stride)
        }
    }

    /// A stream with all its numbers.
    func stream(_ place: Int) throws(SceneExportError) -> Mesh.Stream {
        switch self {
        case .memory(let mesh): mesh.streams[place]
        case .archive(let archived): try had(archived.stream(place))
        }
    }

    /// Some elements of a stream by themselves; `nil` where all are at hand anyway.
    func stream(_ place: Int, _ elements: Range<Int>) throws(SceneExportError) -> Mesh.Stream? {
        switch self {
        case .memory: nil
        case .archive(let archived): try had(archived.stream(place, elements))
        }
    }

    /// The indices of some corners of a primitive.
    func indices(of primitive: Int, _ corners: Range<Int>) throws(SceneExportError) -> [Int32] {
        let stride = max(1, outline.primitives[primitive].stride)
        let range = corners.lowerBound * stride..<corners.upperBound * stride
        switch self {
        case .memory(let mesh):
            let all = mesh.primitives[primitive].indices
            return range.count == all.count ? all : Array(all[range])
        case .archive(let archived): return try had(archived.indices(of: primitive, range))
        }
    }

    /// Calls `body` with all elements of a stream, one part after the other.
    func forEachPart(of place: Int, _ body: (StreamReader) -> Void) throws(SceneExportError) {
        switch self {
        case .memory(let mesh): body(StreamReader(mesh.streams[place]))
        case .archive(let archived):
            let count = archived.elements(of: place)
            let most = max(1, Self.partSize / max(1, archived.outline.streams[place].stride))
            for first in stride(from: 0, to: count, by: most) {
                body(StreamReader(try had(archived.stream(place, first..<min(count, first + most)))))
            }
        }
    }

    /// Numbers that are had back at a time, about.
    private static let partSize = 1 << 13

    private func had<Numbers>(_ numbers: Numbers?) throws(SceneExportError) -> Numbers {
        guard let numbers else { throw SceneExportError(.ioError, "the numbers of a mesh cannot be read back") }
        return numbers
    }
}
