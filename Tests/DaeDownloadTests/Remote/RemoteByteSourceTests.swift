import DaeCore
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct RemoteByteSourceTests {
    @Test func anySetOfRangesIsTheSameAsASetOfPositions() {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<300 {
            var (ranges, positions) = (ByteRanges(), Set<Int64>())
            for _ in 0..<Int.random(in: 0...12, using: &numbers) {
                let start = Int64.random(in: 0..<60, using: &numbers)
                let range = start..<(start + .random(in: 0..<12, using: &numbers))
                ranges.insert(range)
                positions.formUnion(range)
            }
            #expect(ranges.count == Int64(positions.count))
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            for position in 0..<Int64(80) {
                #expect((ranges.end(of: position) != nil) == positions.contains(position))
                #expect(ranges.next(from: position) == (position..<80).first(where: positions.contains))
                if !positions.contains(position) {
                    let last = (0..<position).last(where: positions.contains)
                    #expect(ranges.end(before: position) == last.map { $0 + 1 })
                }
            }
        }
    }

    @Test func whateverIsReadIsWhatTheServerHas() throws {
        let bytes = sampleBytes(3_000_000)
        let server = RangeLog(bytes)
        let source = try server.source()
        var numbers = SeededNumbers(seed: 3)
        for _ in 0..<400 {
            let offset = Int64.random(in: 0..<3_000_000, using: &numbers)
            let count = Int.random(in: 1...9000, using: &numbers)
            if Bool.random(using: &numbers) {
                source.willRead(offset..<(offset + .random(in: 1...99_999, using: &numbers)))
            }
            let end = min(Int(offset) + count, bytes.count)
            #expect(try source.bytes(at: offset, count: count) == Array(bytes[Int(offset)..<end]))
        }
        let asked = server.ranges
        #expect(asked.reduce(0) { $0 + Int64($1.count) } == source.usage.bytes)
        #expect(source.usage.bytes <= 3_000_000, "no byte is fetched twice")
        #expect(source.usage.requests == asked.count)
    }

    @Test func whoAsksHowFarItHasComeDoesNotWaitForTheServer() throws {
        let asked = Mutex<RemoteByteSource?>(nil)
        let usages = Mutex<[Int]>([])
        let source = try RemoteByteSource(name: "a", size: 100_000, start: []) {
            range, receive throws(ByteSourceError) in
            let source = asked.withLock { $0 }
            #expect(source?.failure == nil)
            usages.withLock { $0.append(source?.usage.requests ?? -1) }
            let sevens = [UInt8](repeating: 7, count: range.count)
            try sevens.span.withUnsafeBytes { bytes throws(ByteSourceError) in try receive(bytes) }
        }
        asked.withLock { $0 = source }
        #expect(try source.bytes(at: 0, count: 10) == [UInt8](repeating: 7, count: 10))
        #expect(usages.withLock { $0 } == [1])
        asked.withLock { $0 = nil }
    }

    @Test func readingOnAsksForMoreAtATime() throws {
        let server = RangeLog(sampleBytes(40_000_000))
        let source = try server.source()
        var (offset, buffer) = (Int64(0), [UInt8](repeating: 0, count: 1 << 16))
        while offset < source.size {
            var span = buffer.mutableSpan
            offset += Int64(
                try span.withUnsafeMutableBytes { bytes throws(ByteSourceError) in
                    try source.read(at: offset, into: bytes)
                })
        }
        #expect(server.ranges.count < 20)
        #expect(server.ranges.allSatisfy { $0.count <= ReadAhead.most })
        #expect(source.usage.bytes == 40_000_000)
    }

    @Test func nothingBehindWhatWasAnnouncedIsFetched() throws {
        let server = RangeLog(sampleBytes(5_000_000))
        let source = try server.source()
        source.willRead(1_000_003..<2_000_005)
        var (offset, buffer) = (Int64(1_000_003), [UInt8](repeating: 0, count: 1000))
        while offset < 2_000_005 {
            var span = buffer.mutableSpan
            offset += Int64(
                try span.withUnsafeMutableBytes { bytes throws(ByteSourceError) in
                    try source.read(at: offset, into: bytes)
                })
        }
        #expect(server.ranges.map(\.upperBound).max() == 2_000_005)
        #expect(source.usage.bytes == 1_000_002)
        #expect(server.ranges.count < 9)
    }

    @Test func whatCameBeforeAFailureIsNotAskedForAgain() throws {
        let server = RangeLog(sampleBytes(100_000), cutAfter: 1000)
        let source = try server.source()
        #expect(throws: ByteSourceError.self) { try source.bytes(at: 0, count: 2000) }
        #expect(try source.bytes(at: 0, count: 1000) == Array(sampleBytes(100_000)[..<1000]))
        #expect(server.ranges.count == 1)
        // Nobody waits for a server again that gave up.
        let failure = try #require(source.failure)
        #expect(throws: failure) { try source.bytes(at: 50_000, count: 1) }
        #expect(server.ranges.count == 1)
    }

    @Test func theTemporaryFileHoldsNoMoreThanWhatWasFetched() throws {
        let bytes = sampleBytes(3 << 20)
        let server = RangeLog(bytes)
        let source = try server.source()
        for offset: Int64 in [0, 1 << 20, (3 << 20) - 10] { _ = try source.bytes(at: offset, count: 10) }
        #expect(server.ranges.map(\.count) == [32 << 10, 32 << 10, 32 << 10])
        #expect(source.usage.bytes == 96 << 10)
    }

    @Test func theFrontThatIsThereIsNotAskedFor() throws {
        let bytes = sampleBytes(100_000)
        let server = RangeLog(bytes)
        let source = try server.source(start: Array(bytes[..<5000]))
        #expect(try source.bytes(at: 0, count: 5000) == Array(bytes[..<5000]))
        #expect(server.ranges == [])
        #expect(source.usage == RemoteByteSource.Usage(bytes: 5000, size: 100_000, requests: 1))
    }

    @Test func severalReadersGetTheirBytes() async throws {
        let bytes = sampleBytes(2_000_000)
        let server = RangeLog(bytes)
        let source = try server.source()
        await withTaskGroup { group in
            for reader in 0..<8 {
                group.addTask {
                    let offset = Int64(reader) * 200_000
                    let read = try? source.bytes(at: offset, count: 300_000)
                    #expect(read == Array(bytes[Int(offset)..<Int(offset) + 300_000]))
                }
            }
        }
        #expect(source.usage.bytes <= 2_000_000)
    }
}

/// Answers ranges out of memory, and keeps what it was asked for.
private final class RangeLog: Sendable {
    private let bytes: [UInt8]
    private let cut: Int?
    private let asked = Mutex<[Range<Int64>]>([])

    init(_ bytes: [UInt8], cutAfter cut: Int? = nil) { (self.bytes, self.cut) = (bytes, cut) }

    var ranges: [Range<Int64>] { asked.withLock { $0 } }

    func source(start: [UInt8] = []) throws -> RemoteByteSource {
        try RemoteByteSource(name: "a test", size: Int64(bytes.count), start: start) {
            range, receive throws(ByteSourceError) in
            self.asked.withLock { $0.append(range) }
            let whole = self.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
            let given = Array(self.cut.map { whole.prefix($0) } ?? whole)
            // In pieces as a network brings them.
            var rest = given[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(7001))
                try piece.span.withUnsafeBytes { buffer throws(ByteSourceError) in try receive(buffer) }
                rest = rest.dropFirst(7001)
            }
            guard self.cut == nil else {
                throw ByteSourceError(operation: "read", subject: "a test", reason: "it was cut")
            }
        }
    }
}
