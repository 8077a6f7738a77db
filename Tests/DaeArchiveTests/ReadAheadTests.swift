import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

@Suite struct ReadAheadTests {
    private static let contents = sampleBytes(400_000)

    private static func bundle(_ change: (inout ZipBuilder.Entry) -> Void = { _ in }) throws -> Bundle {
        var zip = ZipBuilder()
        zip.addDeflated("a.dae", contents, change)
        return try Bundle.open(zip)
    }

    /// What reading gives: the bytes before its end, and the code of what ended it.
    private struct Outcome: Equatable {
        var bytes: [UInt8] = []
        var code: FindingCode?
        var largest = 0

        init(_ read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
            do {
                try read { chunk in
                    bytes.append(contentsOf: chunk)
                    largest = max(largest, chunk.count)
                }
            } catch let error as CodedFailure { code = error.code }
        }
    }

    private static func ahead(
        _ bundle: Bundle, _ ahead: Bundle.ReadAhead, chunkSize: Int = 65_536
    ) throws -> Outcome {
        try Outcome { body in
            let entry = try #require(bundle.entries.first)
            #expect(try bundle.read(ahead: ahead, entry, chunkSize: chunkSize, body))
        }
    }

    @Test func anEntryIsTheSameAtAnySizeOfBlocks() throws {
        let bundle = try Self.bundle()
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<40 {
            let ahead = Bundle.ReadAhead(
                blockBytes: .random(in: 1...90_000, using: &numbers), blocks: .random(in: 2...5, using: &numbers))
            let chunkSize = Int.random(in: 200...100_000, using: &numbers)
            let outcome = try Self.ahead(bundle, ahead, chunkSize: chunkSize)
            #expect(outcome.bytes == Self.contents, "\(ahead), \(chunkSize)")
            #expect(outcome.code == nil)
            #expect(outcome.largest <= min(chunkSize, ahead.blockBytes))
        }
    }

    @Test func aLargeEntryIsReadToItsEnd() throws {
        let contents = sampleBytes(3 << 20)
        var zip = ZipBuilder()
        zip.addDeflated("a.dae", contents)
        #expect(try Bundle.open(zip).contents("a.dae") == contents)
    }

    @Test func whatEndsReadingComesBehindTheBytesBeforeIt() throws {
        let changes: [(inout ZipBuilder.Entry) -> Void] = [
            { $0.crc ^= 1 }, { $0.size -= 1 }, { $0.size += 1 }, { $0.payload[$0.payload.count / 2] ^= 0xFF },
            { $0.payload[0] = 0xFF },
            {
                $0.payload.removeLast($0.payload.count / 3)
                $0.compressedSize = UInt32($0.payload.count)
            },
        ]
        for (number, change) in changes.enumerated() {
            let bundle = try Self.bundle(change)
            let reader = try bundle.reader(for: bundle.entries[0])
            let plain = try Outcome { body in
                let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 5000, alignment: 1)
                defer { chunk.deallocate() }
                while case let count = try reader.read(into: chunk), count > 0 {
                    try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                }
            }
            let ahead = try Self.ahead(bundle, .init(blockBytes: 10_000, blocks: 3))
            #expect(ahead.code != nil)
            #expect(ahead.code == plain.code, "change \(number)")
            // How many bytes are out before a damage shows depends on the room for them.
            #expect(plain.bytes.starts(with: ahead.bytes) || ahead.bytes.starts(with: plain.bytes), "change \(number)")
        }
    }

    @Test func whatCannotBeReadIsToldBeforeAThreadIsMade() throws {
        var zip = ZipBuilder()
        zip.addDeflated("a.dae", Self.contents) { $0.method = 97 }
        let bundle = try Bundle.open(zip)
        let outcome = try Outcome { body in
            _ = try bundle.read(ahead: .standard, bundle.entries[0], chunkSize: 100, body)
        }
        #expect(outcome.code == bundle.refusal(of: bundle.entries[0])?.code)
        #expect(outcome.code != nil)
    }

    /// The call returns, so both threads have ended: the one that unpacks is joined.
    @Test(arguments: [0, 1, 2, 3, 10, 39])
    func anErrorOfTheOneWhoReadsEndsBoth(after calls: Int) throws {
        struct Stop: Error {}
        let bundle = try Self.bundle()
        var left = calls
        #expect(throws: Stop.self) {
            _ = try bundle.read(ahead: .init(blockBytes: 10_000, blocks: 3), bundle.entries[0], chunkSize: 10_000) {
                _ in
                if left == 0 { throw Stop() }
                left -= 1
            }
        }
        #expect(left == 0)
    }

    @Test func theSideAndTheBodyRunAtOnceAndBothResultsCome() throws {
        let ring = BlockRing(blockBytes: 16, blocks: 2)
        let bundle = try Self.bundle()
        var count = 0
        let both = try SideThread.run {
            ring.fill { () throws(CodedFailure) in try bundle.reader(for: bundle.entries[0]) }
            return "filled"
        } beside: {
            try ring.drain { count += $0.count }
            return "drained"
        }
        let results = try #require(both)
        #expect(results.side == "filled")
        #expect(results.value == "drained")
        #expect(count == Self.contents.count)
    }
}
