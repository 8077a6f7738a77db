/// A mesh whose numbers lie outside of the scene.
public struct ArchivedMesh: Sendable, Equatable {
    /// The mesh but for its numbers: no stream has elements, no primitive indices.
    public let outline: Mesh
    /// Elements of each stream, and its array.
    private let streams: [(elements: Int, run: ArchivedRun)]
    /// Of each primitive.
    private let indices: [ArchivedRun]
    private let archive: any NumberArchive

    /// - Parameters:
    ///   - put: Puts numbers into the archive.
    public init(
        _ mesh: Mesh, in archive: any NumberArchive, reals put: ([Double]) -> ArchivedRun,
        integers: ([Int32]) -> ArchivedRun
    ) {
        var outline = mesh
        var streams: [(elements: Int, run: ArchivedRun)] = []
        // Several streams may read one array, which is told by its memory.
        var known: [UnsafePointer<Double>: ArchivedRun] = [:]
        for place in mesh.streams.indices {
            let values = mesh.streams[place].values
            let memory = values.withUnsafeBufferPointer(\.baseAddress)
            let run = memory.flatMap { known[$0] } ?? put(values)
            if let memory { known[memory] = run }
            streams.append((mesh.streams[place].count, run))
            outline.streams[place].values = []
            outline.streams[place].count = 0
        }
        indices = mesh.primitives.map { integers($0.indices) }
        for place in outline.primitives.indices { outline.primitives[place].indices = [] }
        self.outline = outline
        self.streams = streams
        self.archive = archive
    }

    /// The mesh with its numbers; `nil` where they cannot be read.
    public func loaded() -> Mesh? {
        var mesh = outline
        for place in mesh.streams.indices {
            guard let values = archive.reals(streams[place].run) else { return nil }
            mesh.streams[place].values = values
            mesh.streams[place].count = streams[place].elements
        }
        for place in mesh.primitives.indices {
            guard let numbers = archive.integers(indices[place]) else { return nil }
            mesh.primitives[place].indices = numbers
        }
        return mesh
    }

    /// The array of a stream that has nothing but this in its array.
    package func run(holding values: [Double], of mesh: Mesh) -> ArchivedRun? {
        let place = mesh.streams.firstIndex { $0.values.isSame(as: values) }
        return place.map { streams[$0].run }
    }

    public static func == (left: ArchivedMesh, right: ArchivedMesh) -> Bool {
        left.outline == right.outline && left.loaded() == right.loaded()
    }
}

extension [Double] {
    /// Whether both are the same memory.
    fileprivate func isSame(as other: [Double]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { ours in
                other.withUnsafeBufferPointer { ours.baseAddress == $0.baseAddress }
            }
    }
}
