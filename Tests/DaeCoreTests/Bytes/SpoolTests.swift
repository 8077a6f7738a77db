import TestSupport
import Testing

@testable import DaeCore

@Suite struct SpoolTests {
    /// A source that is pulled `step` bytes at a time.
    private func spool(_ bytes: [UInt8], step: Int, limit: Int64, memory: Int) throws -> SpooledByteSource {
        var position = 0
        return try SpooledByteSource(name: "test", limit: limit, memoryLimit: memory) { buffer in
            let count = min(step, buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }

    @Test(arguments: [0, 1, 99, 100, 101, 70_000, 200_000])
    func whatWasPulledIsReadBackFromMemoryOrAFile(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        for step in [1, 64, 65_536, 100_000] where step > 1 || size < 1000 {
            let spool = try spool(bytes, step: step, limit: 200_000, memory: 100)
            #expect(spool.isInMemory == (size <= 100))
            #expect(spool.size == Int64(size))
            #expect(try spool.bytes(at: 0, count: size + 1) == bytes)
            #expect(try spool.bytes(at: Int64(size / 2), count: size) == Array(bytes[(size / 2)...]))
        }
    }

    @Test func oneByteBeyondTheLimitIsAnError() throws {
        let bytes = [UInt8](repeating: 1, count: 1000)
        #expect(try spool(bytes, step: 64, limit: 1000, memory: 100).size == 1000)
        let error = #expect(throws: ByteSourceError.self) { try spool(bytes, step: 64, limit: 999, memory: 100) }
        #expect(error?.cause == .overLimit)
    }

    @Test func anErrorOfThePullComesThrough() {
        let expected = ByteSourceError(operation: "read", subject: "wire", reason: "cut")
        #expect(throws: expected) {
            try SpooledByteSource(name: "test", limit: 10) { _ throws(ByteSourceError) in throw expected }
        }
    }

    @Test func aPipeIsDrainedToItsEnd() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        let spool = try SpooledByteSource(draining: ends[0], name: "-", limit: 1 << 20)
        close(ends[0])
        #expect(try spool.bytes(at: 0, count: 5000) == bytes)
    }

    @Test func theTemporaryFileHasNoName() throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile(in: folder.path)
        try [UInt8]("abc".utf8).withUnsafeBytes { try file.append($0) }
        let source = try file.source(name: "spool")
        #expect(try source.bytes(at: 0, count: 9) == Array("abc".utf8))
        #expect(rmdir(folder.path) == 0, "the folder is still empty")
    }
}
