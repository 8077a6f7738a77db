// The numbers of a geometry are measured, examined, built and packed at its end, when its sources, its vertices and its
// primitives are all known, in whatever order they came. Until then very many of them would take too much memory.

import DaeCore
import DaeDiagnostics
import DaeNumbers
import DaeScene

/// Files for numbers that would take too much memory: unnamed ones in `$TMPDIR`, else `/tmp`.
package struct NumberSpool: Sendable {
    /// Bytes of one file, at most: one more is an error.
    package var fileBytes: Int64
    /// Bytes of the numbers of one geometry that stay in memory; what is more goes into a file. Where everything is kept
    /// out of memory (``ColladaOptions/ArrayPlace/archive``), those of all.
    package var memoryBytes = 16 << 20

    package init(fileBytes: Int64) { self.fileBytes = fileBytes }
}

/// Where the numbers of lists are: in memory up to a bound, beyond it in a file.
struct NumberStorage {
    /// `nil` to keep all in memory.
    private let spool: NumberSpool?
    /// Bytes that may be in memory.
    private let bound: Int
    private var inMemory = 0
    private var file: TemporaryFile?
    /// The last one shows all that was written; lists may still be read in those before.
    private var mappings: [FileMapping] = []
    /// Bytes of the file that are in use.
    private var end = 0
    /// What went into the file of the list that is being decoded.
    private var written: Written?
    /// Why numbers could not be put into a file; those that came later are lost.
    private(set) var failure: CodedFailure?

    private struct Written {
        /// The first number's byte.
        let start: Int
        var count = 0
    }

    /// Bytes of text that are decoded before it is asked whether the numbers have to go.
    private static let pieceSize = 1 << 16
    private static let leastMapped = 1 << 26

    /// - Parameter bound: Bytes that may be in memory where there is a spool.
    init(_ spool: NumberSpool?, bound: Int) {
        self.spool = spool
        self.bound = spool == nil ? .max : bound
    }

    /// Whether so many more bytes may be in memory.
    private func hasRoom(for bytes: Int) -> Bool { bytes <= bound - inMemory }

    /// Forgets the lists so far; the file is used again unless one of them is still held.
    mutating func removeAll() {
        inMemory = 0
        guard end > 0 else { return }
        for place in mappings.indices where !isKnownUniquelyReferenced(&mappings[place]) { return }
        mappings.removeFirst(max(0, mappings.count - 1))
        mappings.last?.giveBack()
        end = 0
    }

    // MARK: - Lists

    /// Says how many numbers the list that is open is to have: what will not stay in memory goes into the file at once.
    mutating func announce<Number>(_ count: Int, to decoder: inout NumberDecoder<Number>) {
        let (bytes, isTooMany) = count.multipliedReportingOverflow(by: MemoryLayout<Number>.stride)
        if spool != nil, isTooMany || !hasRoom(for: bytes) {
            decoder.announce(0)
            if written == nil { written = beginFiling() }
        } else {
            decoder.announce(count)
        }
    }

    /// Decodes the next text of the list that is open.
    mutating func decode<Number>(_ text: UnsafeRawBufferPointer, by decoder: inout NumberDecoder<Number>) {
        var rest = text
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
            decoder.decode(piece)
            if written != nil || !hasRoom(for: decoder.values.count * MemoryLayout<Number>.stride) { spill(&decoder) }
        }
    }

    /// Ends the list that is open, whose text was.
    mutating func end<Number>(_ decoder: inout NumberDecoder<Number>) -> NumberArray<Number> {
        if written != nil { spill(&decoder) }
        let values = decoder.takeValues()
        guard let list = written else { return keep(values) }
        written = nil
        return stored(list)
    }

    private mutating func spill<Number>(_ decoder: inout NumberDecoder<Number>) {
        var list = written ?? beginFiling()
        write(decoder.values.span)
        list.count += decoder.values.count
        written = list
        decoder.removeValues()
    }

    /// Keeps numbers, which go into a file where there is no room for them in memory.
    mutating func keep<Number>(_ numbers: [Number]) -> NumberArray<Number> { keep(NumberArray(numbers)) }

    /// Keeps the numbers of a list that may lie elsewhere.
    mutating func keep<Number>(_ list: NumberArray<Number>) -> NumberArray<Number> {
        let bytes = list.count * MemoryLayout<Number>.stride
        guard !list.isInMemory || !hasRoom(for: bytes) else {
            inMemory += bytes
            return list
        }
        return joined([list])
    }

    /// Several lists as one.
    mutating func joined<Number>(_ lists: [NumberArray<Number>]) -> NumberArray<Number> {
        if lists.count > 1, lists.allSatisfy(\.isInMemory) {
            var all: [Number] = []
            all.reserveCapacity(lists.reduce(0) { $0 + $1.count })
            for list in lists { all.append(contentsOf: list.array) }
            return keep(all)
        }
        var list = beginFiling()
        for one in lists {
            one.forEachPart(of: Self.pieceSize) { part, _ in write(part) }
            list.count += one.count
        }
        return stored(list)
    }

    // MARK: - File

    private mutating func beginFiling() -> Written {
        end = (end + 7) & ~7
        return Written(start: end)
    }

    private mutating func write<Number: BitwiseCopyable>(_ numbers: Span<Number>) {
        guard failure == nil, let spool, !numbers.isEmpty else { return }
        numbers.withUnsafeBytes { bytes in
            do {
                guard bytes.count <= spool.fileBytes - Int64(end) else {
                    throw ByteSourceError(
                        operation: "write", subject: "a temporary file",
                        reason: "it would have more than \(spool.fileBytes) bytes", cause: .overLimit)
                }
                let file = try self.file ?? TemporaryFile()
                self.file = file
                try file.write(bytes, at: Int64(end))
                end += bytes.count
            } catch { fail(error) }
        }
    }

    /// A list that was written.
    private mutating func stored<Number>(_ list: Written) -> NumberArray<Number> {
        guard failure == nil, list.count > 0, let file else { return [] }
        do {
            let mapping: FileMapping
            if let last = mappings.last, last.count >= end {
                mapping = last
            } else {
                mapping = try file.mapped(max(Self.leastMapped, 2 * end))
                mappings.append(mapping)
            }
            return NumberArray(in: mapping, at: list.start, count: list.count)
        } catch {
            fail(error)
            return []
        }
    }

    private mutating func fail(_ error: any Error) {
        failure = CodedFailure(.ioError, "numbers could not be put out of memory: \(error)")
    }
}
