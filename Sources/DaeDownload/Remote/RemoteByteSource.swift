package import DaeCore
import Synchronization

/// A file on a server, of which only the parts that are read are fetched, each once.
///
/// What was fetched lies in one file without a name. A class because all readers share it.
package final class RemoteByteSource: ByteSource {
    /// Fetches a range, in pieces from its front on; some of it may have come when it throws.
    typealias Fetch =
        @Sendable (
            Range<Int64>, _ receive: (UnsafeRawBufferPointer) throws(ByteSourceError) -> Void
        ) throws(ByteSourceError) -> Void

    /// How much of a file was needed.
    package struct Usage: Sendable, Hashable {
        /// Bytes that were fetched, without headers; at least 0.
        package var bytes: Int64 = 0
        /// Of the whole file.
        package var size: Int64
        package var requests = 0
    }

    private struct State {
        var present = ByteRanges()
        var ahead = ReadAhead()
        var usage: Usage
        /// What ended the reading: whoever reads on gets it again, without another wait for the server.
        var failure: ByteSourceError?
    }

    package let size: Int64
    private let name: String
    private let file: TemporaryFile
    private let fetch: Fetch
    /// Held for short only, so that who asks how far it has come never waits for the server.
    private let state: Mutex<State>
    /// Held by the one reader who waits for the server: whoever comes next may find that its bytes have come.
    private let turn = Mutex(())

    /// - Parameters:
    ///   - name: What errors call it: the address, fit to be shown.
    ///   - start: The bytes at the front that are there already, if any.
    init(name: String, size: Int64, start: [UInt8], fetch: @escaping Fetch) throws(ByteSourceError) {
        (self.name, self.size, self.fetch) = (name, size, fetch)
        file = try TemporaryFile()
        var state = State(usage: Usage(size: size))
        if !start.isEmpty {
            let file = file
            try start.span.withUnsafeBytes { bytes throws(ByteSourceError) in try file.write(bytes, at: 0) }
            state.present.insert(0..<min(Int64(start.count), size))
            state.usage.requests = 1
            state.usage.bytes = Int64(start.count)
        }
        self.state = Mutex(state)
    }

    package var distance: ByteDistance { .far }

    package var usage: Usage { state.withLock { $0.usage } }

    /// Why nothing more can be fetched; `nil` as long as the server gives what it is asked for.
    package var failure: ByteSourceError? { state.withLock { $0.failure } }

    package func willRead(_ range: Range<Int64>) { state.withLock { $0.ahead.announce(range) } }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
        let wanted = min(Int64(buffer.count), size - offset)
        let present = state.withLock { $0.present.end(of: offset) }
        let end: Int64
        if let present {
            end = present
        } else {
            end = try turn.withLock { _ throws(ByteSourceError) in try fetchMissing(at: offset, wanted: wanted) }
        }
        let count = Int(min(end - offset, wanted))
        return try file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }

    private enum Plan {
        /// The end of the run that holds what is wanted.
        case present(Int64)
        case fetch(Range<Int64>)
    }

    private func plan(at offset: Int64, wanted: Int64) throws(ByteSourceError) -> Plan {
        try state.withLock { state throws(ByteSourceError) in
            if let end = state.present.end(of: offset) { return .present(end) }
            if let failure = state.failure { throw failure }
            state.usage.requests += 1
            return .fetch(state.ahead.request(at: offset, wanted: wanted, present: state.present, size: size))
        }
    }

    /// Gives the end of the run that then holds `offset`.
    private func fetchMissing(at offset: Int64, wanted: Int64) throws(ByteSourceError) -> Int64 {
        let range: Range<Int64>
        switch try plan(at: offset, wanted: wanted) {
        case .present(let end): return end
        case .fetch(let missing): range = missing
        }
        var end = range.lowerBound
        var failure: ByteSourceError?
        do throws(ByteSourceError) {
            try fetch(range) { piece throws(ByteSourceError) in
                let room = min(Int64(piece.count), range.upperBound - end)
                try file.write(UnsafeRawBufferPointer(rebasing: piece[..<Int(room)]), at: end)
                end += room
            }
        } catch { failure = error }
        let (come, fault) = (range.lowerBound..<end, failure)
        state.withLock { state in
            state.usage.bytes += Int64(come.count)
            state.present.insert(come)
            if let fault { state.failure = fault }
        }
        if let fault { throw fault }
        guard end > offset else {
            throw ByteSourceError(
                operation: "read", subject: name, reason: "the server sent no bytes from \(offset) on")
        }
        return end
    }
}

/// Decides which bytes are asked for when some are missing: few requests, and few bytes that nobody reads.
struct ReadAhead: Sendable, Hashable {
    /// What is asked for at least, and the step at which requests begin and end.
    static let block: Int64 = 32 << 10
    /// What one request asks for at most.
    static let most: Int64 = 4 << 20

    /// What the reader said it was going to read, or a beginning of; `nil` where it said nothing.
    private var announced: Range<Int64>?
    /// Where the last request ended, and how much the next will ask for if the reader goes on there.
    private var front: Int64 = -1
    private var stride = block

    /// The reader will read this from front to back: nothing behind it is asked for in advance.
    mutating func announce(_ range: Range<Int64>) { announced = range }

    /// What is to be asked for so that `position` can be read. It may begin earlier, as those who look for something look
    /// around; not before what was announced.
    ///
    /// - Parameters:
    ///   - wanted: Bytes the reader has room for, at least 1.
    ///   - present: What need not be asked for; `position` is not in it.
    ///   - size: Of the whole.
    mutating func request(
        at position: Int64, wanted: Int64, present: ByteRanges, size: Int64
    ) -> Range<Int64> {
        let isGoingOn = position == front
        stride = isGoingOn ? min(stride * 4, Self.most) : Self.block
        let isAnnounced = announced?.contains(position) ?? false
        var start = isGoingOn || isAnnounced ? position : position / Self.block * Self.block
        let least = max(start + stride, position + min(wanted, Self.most))
        var end = min((least + Self.block - 1) / Self.block * Self.block, size)
        if let announced, isAnnounced { end = min(end, max(announced.upperBound, position + min(wanted, Self.most))) }
        if let next = present.next(from: position) { end = min(end, next) }
        if let last = present.end(before: position) { start = max(start, last) }
        front = end
        return start..<max(end, position + 1)
    }
}

/// A set of byte positions, kept as ranges that neither touch nor overlap, in order.
struct ByteRanges: Sendable, Hashable {
    private(set) var ranges: [Range<Int64>] = []

    /// How many positions are in it.
    var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// The place of the first range that ends behind `position`.
    private func place(of position: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The end of the run that holds `position`; `nil` where it is not in the set.
    func end(of position: Int64) -> Int64? {
        let place = place(of: position)
        guard place < ranges.count, ranges[place].lowerBound <= position else { return nil }
        return ranges[place].upperBound
    }

    /// The first position from `position` on that is in the set; `nil` where there is none.
    func next(from position: Int64) -> Int64? {
        let place = place(of: position)
        return place < ranges.count ? max(position, ranges[place].lowerBound) : nil
    }

    /// The end of the last range that ends at `position` or before; `nil` where there is none.
    func end(before position: Int64) -> Int64? {
        let place = place(of: position)
        return place > 0 ? ranges[place - 1].upperBound : nil
    }

    mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Ranges that touch become one.
        let first = place(of: range.lowerBound - 1)
        var (last, whole) = (first, range)
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            whole = min(whole.lowerBound, ranges[last].lowerBound)..<max(whole.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: [whole])
    }
}
