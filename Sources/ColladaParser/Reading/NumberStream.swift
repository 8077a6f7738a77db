// Where only figures are wanted, no array of a mesh is ever in memory as a whole: numbers go to a store as they are
// decoded, and are had back from there piece by piece when the geometry is at its end. Then its sources, its vertices and
// its primitives are all known, in whatever order they came.
//
// Where the document can be read again, only what is likely to be needed is stored: the first array of a mesh, which
// nearly always is its positions, and what is short. All else is counted, and indices are looked at as they pass.

import Diagnostics
import NumberDecoding
import SceneModel
import XMLReader

/// Numbers of one array in the store of the document being read.
public struct StoredNumbers: Sendable, Equatable {
    /// The first one's byte; `nil` where they were only counted.
    let start: Int?
    public internal(set) var count: Int
}

struct NumberStream {
    /// What belongs to the geometry being read.
    let geometry: NumberStore
    /// Positions in use of all geometries so far.
    let positions: NumberStore
    /// By the records of the elements that had them.
    private var runs = RisingTable<StoredNumbers>()
    /// By the records of their `<vcount>`s.
    private var cornerCounts = RisingTable<CornerCounts>()
    /// By the bytes at which their primitives begin.
    private var watches = RisingTable<IndexWatch>()
    /// Positions in use, by indices that passed; none before any did.
    private var used = UsedPositions(count: 0)
    /// The record of the mesh that the numbers are of; `nil` before the first.
    private var mesh: Int?
    /// Values of the first array of the mesh.
    private(set) var firstCount = 0
    private var state = State.passing

    /// What becomes of the numbers of a list.
    enum Fate {
        /// They are left to the decoder.
        case kept
        case stored
        /// They are the mesh's first; stored where they are likely to be its positions.
        case positions
        /// Stored as long as there are few of them in the geometry, else counted.
        case counted
        /// Only counted.
        case passed
        /// Corners of polygons; packed in memory.
        case packed
        /// Indices, looked at as they pass; the watch is that of the primitive that begins at a byte.
        case watched(Int64, IndexWatch?)
    }

    /// What is kept of everything, out of memory.
    let archive: NumberStore
    private let use: Use

    /// What the numbers of meshes are stored for.
    enum Use {
        /// For the figures of their geometry, at whose end they are forgotten.
        case figures
        /// To be had back from the archive as long as the document is there, so that is where they go at once.
        case archive
    }

    private enum State {
        /// The numbers now arriving are left to the decoder.
        case passing
        case storing(StoredNumbers)
        case storingPositions(StoredNumbers)
        case storingFew(StoredNumbers)
        case counting
        case packing(CornerCounts)
        case watching(Int64, count: Int)
    }

    /// Bytes of a geometry that are stored without need.
    private static let fewBytes = 1 << 20

    /// Text decoded before its numbers are stored.
    private static let pieceSize = 1 << 16

    init(spool: NumberSpool?, for use: Use) {
        self.use = use
        archive = NumberStore(spool: spool, memoryBlocks: NumberStore.archiveBlocks)
        switch use {
        case .figures:
            geometry = NumberStore(spool: spool)
            positions = NumberStore(spool: spool)
        case .archive: (geometry, positions) = (archive, archive)
        }
    }

    /// Why numbers could not be stored; `nil` when all were.
    var failure: ColladaError? {
        (geometry.failure ?? positions.failure ?? archive.failure).map {
            ColladaError(.ioError, "numbers could not be put out of memory: \($0)")
        }
    }

    /// Whether the numbers so far are of this mesh, or there are none.
    mutating func belongs(to mesh: Int) -> Bool {
        let known = self.mesh ?? mesh
        self.mesh = known
        return known == mesh
    }

    /// Begins a list of numbers.
    mutating func begin(_ fate: Fate) {
        switch fate {
        case .kept: state = .passing
        case .stored: state = .storing(StoredNumbers(start: geometry.count, count: 0))
        case .positions: state = .storingPositions(StoredNumbers(start: geometry.count, count: 0))
        case .counted: state = .storingFew(StoredNumbers(start: geometry.count, count: 0))
        case .passed: state = .counting
        case .packed: state = .packing(CornerCounts())
        case .watched(let primitive, let watch):
            if let watch { watches.set(watch, at: Int(primitive)) }
            if used.count == 0 { used = UsedPositions(count: firstCount) }
            state = .watching(primitive, count: 0)
        }
    }

    /// Whether the numbers now arriving are left to the decoder.
    var areKept: Bool {
        switch state {
        case .passing: true
        case .storing, .storingPositions, .storingFew, .counting, .packing, .watching: false
        }
    }

    /// Whether one was begun.
    func isWatched(at position: XMLPosition) -> Bool { watches.has(Int(position.byte)) }

    /// The numbers of a `<vcount>` that were packed; empty where they were not.
    func cornerCounts(of view: ElementView) -> CornerCounts { cornerCounts[view.index] ?? CornerCounts() }

    mutating func decode<Number>(_ text: UnsafeRawBufferPointer, by decoder: inout NumberDecoder<Number>) {
        if case .passing = state { return decoder.decode(text) }
        forEachPiece(of: text) { stream, piece in
            decoder.decode(piece)
            stream.pass(decoder.values)
            decoder.removeValues()
        }
    }

    /// Calls `body` with a little of a text at a time.
    private mutating func forEachPiece(
        of text: UnsafeRawBufferPointer, _ body: (inout NumberStream, UnsafeRawBufferPointer) -> Void
    ) {
        var rest = text
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
            body(&self, piece)
        }
    }

    private mutating func pass<Number: BitwiseCopyable>(_ values: [Number]) {
        guard !values.isEmpty else { return }
        switch state {
        case .passing, .counting: break
        case .storing(let run): state = .storing(store(values, run))
        case .storingPositions(let run): state = .storingPositions(store(values, run))
        case .storingFew(let run):
            if geometry.count + values.count * MemoryLayout<Number>.stride > Self.fewBytes {
                state = .counting
            } else {
                state = .storingFew(store(values, run))
            }
        case .packing(var counts):
            // So that there is one of them, which is not copied.
            state = .passing
            if let values = values as? [Int32] { counts.append(contentsOf: values) }
            state = .packing(counts)
        case .watching(let primitive, let count):
            state = .watching(primitive, count: count + values.count)
            guard let indices = values as? [Int32] else { break }
            watches.change(at: Int(primitive)) { $0.pass(indices, in: &used) }
        }
    }

    private func store<Number: BitwiseCopyable>(_ values: [Number], _ run: StoredNumbers) -> StoredNumbers {
        geometry.append(values)
        return StoredNumbers(start: run.start, count: run.count + values.count)
    }

    /// Ends a list whose text was; gives how many numbers were not left to it, `nil` where all are.
    mutating func end<Number>(_ decoder: inout NumberDecoder<Number>, of record: Int) -> Int? {
        pass(decoder.values)
        let run: StoredNumbers
        switch state {
        case .passing: return nil
        case .storing(let stored), .storingFew(let stored): run = stored
        case .storingPositions(let stored):
            run = stored
            firstCount = stored.count
        case .counting: run = StoredNumbers(start: nil, count: decoder.count)
        case .packing(var counts):
            state = .passing
            counts.pack()
            cornerCounts.set(counts, at: record)
            decoder.removeValues()
            return decoder.count
        case .watching(let primitive, let count):
            run = StoredNumbers(start: nil, count: count)
            watches.change(at: Int(primitive)) { $0.endList() }
        }
        decoder.removeValues()
        runs.set(run, at: record)
        state = .passing
        return run.count
    }

    func run(of view: ElementView) -> StoredNumbers? { runs[view.index] }

    /// Forgets which numbers were passed since a record, whose element was read.
    mutating func forgetRuns(since record: Int) { runs.removeAll(since: record) }

    /// Forgets the numbers of a geometry, which was read.
    mutating func endGeometry() {
        mesh = nil
        if !cornerCounts.isEmpty { cornerCounts.removeAll() }
        guard !runs.isEmpty else { return }
        runs.removeAll()
        watches.removeAll()
        used = UsedPositions(count: 0)
        firstCount = 0
        switch use {
        case .figures: geometry.removeAll()
        case .archive: break
        }
    }

    /// Those of the mesh that was read.
    var ofMesh: MeshNumbers {
        let kept: NumberStore? =
            switch use {
            case .figures: nil
            case .archive: archive
            }
        return MeshNumbers(geometry: geometry, positions: positions, used: used, watches: watches, archive: kept)
    }
}

extension NumberStore {
    /// What ``append(_:)`` added behind the byte at `start`, as positions.
    func positions(from start: Int) -> StoredPositions? {
        let size = 3 * MemoryLayout<Double>.stride
        let count = (self.count - start) / size
        guard count > 0 else { return nil }
        return StoredPositions(count: count) { positions, values in
            values.removeAll(keepingCapacity: true)
            return self.read(3 * positions.count, at: start + positions.lowerBound * size, into: &values)
        }
    }
}
