/// A mesh whose numbers lie outside of the scene.
public struct ArchivedMesh: Sendable, Equatable {
    private let content: Content

    /// A class since most geometries have none, and are to have room for no more than the reference.
    private final class Content: Sendable {
        let outline: Mesh
        /// Elements of each stream, and its array.
        let streams: [(elements: Int, run: ArchivedRun)]
        /// Of each primitive.
        let indices: [ArchivedRun]
        let archive: any NumberArchive

        init(
            _ outline: Mesh, _ streams: [(elements: Int, run: ArchivedRun)], _ indices: [ArchivedRun],
            in archive: any NumberArchive
        ) {
            self.outline = outline
            self.streams = streams
            self.indices = indices
            self.archive = archive
        }
    }

    /// The mesh but for its numbers: no stream has elements, no primitive indices.
    public var outline: Mesh { content.outline }
    private var streams: [(elements: Int, run: ArchivedRun)] { content.streams }
    private var indices: [ArchivedRun] { content.indices }
    private var archive: any NumberArchive { content.archive }

    /// - Parameters:
    ///   - put: Puts numbers into the archive.
    public init(
        _ mesh: Mesh, in archive: any NumberArchive, reals put: ([Double]) -> ArchivedRun,
        integers: ([Int32]) -> ArchivedRun
    ) {
        var streams: [(elements: Int, run: ArchivedRun)] = []
        // Several streams may read one array, which is told by its memory.
        var known: [UnsafePointer<Double>: ArchivedRun] = [:]
        for place in mesh.streams.indices {
            let values = mesh.streams[place].values
            let memory = values.withUnsafeBufferPointer(\.baseAddress)
            let run = memory.flatMap { known[$0] } ?? put(values)
            if let memory { known[memory] = run }
            streams.append((mesh.streams[place].count, run))
        }
        let indices = mesh.primitives.map { integers($0.indices) }
        content = Content(mesh.outline, streams, indices, in: archive)
    }

    /// - Parameters:
    ///   - outline: As ``Mesh/outline`` gives it.
    ///   - elements: Those of each stream.
    ///   - streams: The array of each stream.
    ///   - indices: Those of each primitive.
    package init(
        _ outline: Mesh, elements: [Int], streams: [ArchivedRun], indices: [ArchivedRun], in archive: any NumberArchive
    ) {
        content = Content(outline, zip(elements, streams).map { ($0, $1) }, indices, in: archive)
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

    /// The first stream of positions with its numbers; `nil` without one, and where they cannot be read.
    package var positions: Mesh.Stream? {
        outline.streams.firstIndex { $0.semantic == .position }.flatMap { stream($0) }
    }

    // MARK: - Parts

    /// Elements of a stream that its array really holds.
    package func elements(of stream: Int) -> Int {
        let shape = outline.streams[stream]
        let room = streams[stream].run.count - shape.offset - shape.reach
        return room < 0 ? 0 : min(streams[stream].elements, room / max(1, shape.stride) + 1)
    }

    /// A stream with all numbers of its array; `nil` where they cannot be read.
    package func stream(_ place: Int) -> Mesh.Stream? {
        guard let values = archive.reals(streams[place].run) else { return nil }
        var stream = outline.streams[place]
        stream.values = values
        stream.count = streams[place].elements
        return stream
    }

    /// Some elements of a stream, by themselves; `nil` where they cannot be read.
    ///
    /// - Parameter elements: Of those that ``elements(of:)`` counts; at least one.
    package func stream(_ place: Int, _ elements: Range<Int>) -> Mesh.Stream? {
        var stream = outline.streams[place]
        let step = max(1, stream.stride)
        let run = streams[place].run.part(
            from: stream.offset + elements.lowerBound * step, (elements.count - 1) * step + stream.reach,
            size: MemoryLayout<Double>.stride)
        guard let values = archive.reals(run) else { return nil }
        stream.values = values
        stream.offset = 0
        stream.count = elements.count
        return stream
    }

    package func indexCount(of primitive: Int) -> Int { indices[primitive].count }

    /// Some indices of a primitive; `nil` where they cannot be read.
    package func indices(of primitive: Int, _ range: Range<Int>) -> [Int32]? {
        archive.integers(
            indices[primitive].part(from: range.lowerBound, range.count, size: MemoryLayout<Int32>.stride))
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

extension Mesh {
    /// But for its numbers: no stream has elements, no primitive indices.
    package var outline: Mesh {
        var outline = self
        for place in outline.streams.indices {
            outline.streams[place].values = []
            outline.streams[place].count = 0
        }
        for place in outline.primitives.indices { outline.primitives[place].indices = [] }
        return outline
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

extension Mesh.Stream {
    /// Values from the first to the last lane of an element.
    fileprivate var reach: Int { (lanes.max() ?? 0) + 1 }
}

extension ArchivedRun {
    /// - Parameters:
    ///   - first: The place of a number in it.
    ///   - size: Bytes of a number.
    fileprivate func part(from first: Int, _ count: Int, size: Int) -> ArchivedRun {
        ArchivedRun(start: start + first * size, count: count)
    }
}
