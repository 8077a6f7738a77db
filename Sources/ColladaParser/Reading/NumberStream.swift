// Where only figures are wanted, no array of a mesh is ever in memory as a whole: numbers go to a store as they are
// decoded, and are had back from there piece by piece when the geometry is at its end. Then its sources, its vertices and
// its primitives are all known, in whatever order they came.

import Diagnostics
import NumberDecoding
import SceneModel
import XMLReader

/// Numbers of one array in the store of the document being read.
package struct StoredNumbers: Sendable, Equatable {
    /// The first one's byte.
    let start: Int
    package internal(set) var count: Int
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
    private var state = State.passing

    /// What becomes of the numbers of a list.
    enum Fate {
        /// They are left to the decoder.
        case kept
        case stored
        /// Corners of polygons; packed in memory.
        case packed
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
        case packing(CornerCounts)
    }

    /// Text decoded before its numbers are stored.
    private static let pieceSize = 1 << 16

    init(spool: NumberSpool?, for use: Use) {
        self.use = use
        archive = NumberStore(spool: spool, memoryBlocks: NumberStore.archiveBlocks)
        switch use {
        case .figures:
            geometry = NumberStore(
                spool: spool, memoryBlocks: (spool?.memoryBytes ?? 0) / NumberStore.blockSize)
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

    /// Begins a list of numbers.
    mutating func begin(_ fate: Fate) {
        switch fate {
        case .kept: state = .passing
        case .stored: state = .storing(StoredNumbers(start: geometry.count, count: 0))
        case .packed: state = .packing(CornerCounts())
        }
    }

    /// Whether the numbers now arriving are left to the decoder.
    var areKept: Bool {
        switch state {
        case .passing: true
        case .storing, .packing: false
        }
    }

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
        case .passing: break
        case .storing(let run): state = .storing(store(values, run))
        case .packing(var counts):
            // So that there is one of them, which is not copied.
            state = .passing
            if let values = values as? [Int32] { counts.append(contentsOf: values) }
            state = .packing(counts)
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
        case .storing(let stored): run = stored
        case .packing(var counts):
            state = .passing
            counts.pack()
            cornerCounts.set(counts, at: record)
            decoder.removeValues()
            return decoder.count
        }
        decoder.removeValues()
        runs.set(run, at: record)
        state = .passing
        return run.count
    }

    func run(of view: ElementView) -> StoredNumbers? { runs[view.index] }

    /// Forgets the numbers of a geometry, which was read.
    mutating func endGeometry() {
        if !cornerCounts.isEmpty { cornerCounts.removeAll() }
        guard !runs.isEmpty else { return }
        runs.removeAll()
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
        return MeshNumbers(geometry: geometry, positions: positions, archive: kept)
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
