// Where only figures are wanted, no array of a mesh is ever in memory as a whole: numbers go to a store as they are
// decoded, and are had back from there piece by piece when the geometry is at its end. Then its sources, its vertices and
// its primitives are all known, in whatever order they came.

import Diagnostics
import NumberDecoding
import SceneModel

/// Numbers of one array in the store of the document being read.
public struct StoredNumbers: Sendable, Equatable {
    /// The first one's byte.
    let start: Int
    public internal(set) var count: Int
}

struct NumberStream {
    /// What belongs to the geometry being read.
    let geometry: NumberStore
    /// Positions in use of all geometries so far.
    let positions: NumberStore
    /// By the records of the elements that had them.
    private var runs: [Int: StoredNumbers] = [:]
    private var state = State.passing

    private enum State {
        /// The numbers now arriving are left to the decoder.
        case passing
        case storing(StoredNumbers)
    }

    /// Text decoded before its numbers are stored.
    private static let pieceSize = 1 << 16

    init(spool: NumberSpool?) {
        geometry = NumberStore(spool: spool)
        positions = NumberStore(spool: spool)
    }

    /// Why numbers could not be stored; `nil` when all were.
    var failure: ColladaError? {
        (geometry.failure ?? positions.failure).map {
            ColladaError(.ioError, "numbers could not be put out of memory: \($0)")
        }
    }

    /// Begins a list of numbers.
    mutating func begin(isStored: Bool) {
        state = isStored ? .storing(StoredNumbers(start: geometry.count, count: 0)) : .passing
    }

    mutating func decode<Number>(_ text: UnsafeRawBufferPointer, by decoder: inout NumberDecoder<Number>) {
        switch state {
        case .passing: decoder.decode(text)
        case .storing(let run):
            var run = run
            var rest = text
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
                rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
                decoder.decode(piece)
                store(&decoder, &run)
            }
            state = .storing(run)
        }
    }

    private func store<Number>(_ decoder: inout NumberDecoder<Number>, _ run: inout StoredNumbers) {
        geometry.append(decoder.values)
        run.count += decoder.values.count
        decoder.removeValues()
    }

    /// Ends a list whose text was; gives how many numbers were stored, `nil` where they are left to it.
    mutating func end<Number>(_ decoder: inout NumberDecoder<Number>, of record: Int) -> Int? {
        switch state {
        case .passing: return nil
        case .storing(let run):
            var run = run
            store(&decoder, &run)
            runs[record] = run
            state = .passing
            return run.count
        }
    }

    func run(of view: ElementView) -> StoredNumbers? { runs[view.index] }

    /// Forgets the numbers of a geometry, which was read.
    mutating func endGeometry() {
        guard !runs.isEmpty else { return }
        runs.removeAll(keepingCapacity: true)
        geometry.removeAll()
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
