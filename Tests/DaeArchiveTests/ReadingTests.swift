import DaeCore
import DaeDiagnostics
import TestSupport
import Testing

@testable import DaeArchive

@Suite struct ReadingTests {
    private static let contents = sampleBytes(150_000)

    private static func bundle(_ change: (inout ZipBuilder.Entry) -> Void = { _ in }) throws(CodedFailure) -> Bundle {
        var zip = ZipBuilder()
        zip.addDeflated("runs", contents, change)
        zip.add("blocks", contents) { entry in
            entry.method = 8
            entry.payload = Deflate.storedBlocks(contents)
            entry.compressedSize = UInt32(entry.payload.count)
            change(&entry)
        }
        zip.add("stored", contents, change)
        zip.add("empty", "")
        zip.addDeflated("empty deflated", [])
        return try Bundle.open(zip)
    }

    @Test(arguments: [1, 7, 64, 4096, 65_536, 1 << 20])
    func anEntryIsTheSameAtAnyChunkSize(chunkSize: Int) throws {
        let bundle = try Self.bundle()
        for path in ["runs", "blocks", "stored"] {
            #expect(try bundle.contents(path, chunkSize: chunkSize) == Self.contents)
        }
        #expect(try bundle.contents("empty", chunkSize: chunkSize) == [])
        #expect(try bundle.contents("empty deflated", chunkSize: chunkSize) == [])
    }

    @Test(arguments: ["runs", "blocks", "stored"])
    func moreBytesThanDeclaredAreRefusedAtThatByte(path: String) throws {
        let bundle = try Self.bundle { $0.size -= 1 }
        let reader = try bundle.reader(for: try #require(bundle.entry(at: path)))
        let error = #expect(throws: CodedFailure.self) { try drain(reader) }
        #expect(error?.code == .archiveSizeMismatch)
        #expect(error?.place.entry == path)
        #expect(reader.position == 149_999)
    }

    @Test(arguments: ["runs", "blocks", "stored"])
    func fewerBytesThanDeclaredAreRefused(path: String) throws {
        let bundle = try Self.bundle { $0.size += 1 }
        let reader = try bundle.reader(for: try #require(bundle.entry(at: path)))
        let error = #expect(throws: CodedFailure.self) { try drain(reader) }
        #expect(error?.code == .archiveSizeMismatch, "\(String(describing: error))")
        #expect(reader.position == 150_000)
    }

    @Test func aBombThatLiesStopsAtItsDeclaredSize() throws {
        var zip = ZipBuilder()
        zip.addDeflated("bomb", [UInt8](repeating: 0, count: 10 << 20)) { $0.size = 1000 }
        let bundle = try Bundle.open(zip)
        let reader = try bundle.reader(for: bundle.entries[0])
        #expect(code { () throws(CodedFailure) in _ = try drain(reader) } == .archiveSizeMismatch)
        #expect(reader.position == 1000)
    }

    @Test(arguments: ["runs", "blocks", "stored"])
    func aWrongChecksumIsRefusedAtTheEnd(path: String) throws {
        let bundle = try Self.bundle { $0.crc ^= 1 }
        let reader = try bundle.reader(for: try #require(bundle.entry(at: path)))
        #expect(code { () throws(CodedFailure) in _ = try drain(reader) } == .archiveInvalid)
        #expect(code { () throws(CodedFailure) in _ = try drain(reader) } == .archiveInvalid)
        #expect(reader.position == 150_000)
    }

    @Test func damagedDeflateIsRefused() throws {
        var zip = ZipBuilder()
        zip.addDeflated("a", Self.contents) { $0.payload[0] = 0xFF }
        let bundle = try Bundle.open(zip)
        #expect(
            code { () throws(CodedFailure) in _ = try bundle.bytes(of: bundle.entries[0], limit: .max) }
                == .archiveInvalid)
    }

    @Test func aSmallEntryIsHadAsAWholeOrByItsStart() throws {
        let bundle = try Self.bundle()
        let entry = try #require(bundle.entry(at: "runs"))
        #expect(try bundle.bytes(of: entry, limit: 150_000) == Self.contents)
        #expect(try bundle.prefix(of: entry, count: 10) == Array(Self.contents[..<10]))
        #expect(try bundle.prefix(of: entry, count: 70_000) == Array(Self.contents[..<70_000]))
        #expect(try bundle.prefix(of: entry, count: .max) == Self.contents)
        #expect(try bundle.prefix(of: entry, count: 0) == [])
        #expect(
            code { () throws(CodedFailure) in _ = try bundle.bytes(of: entry, limit: 149_999) }
                == .archiveTotalSizeExceeded)
    }

    @Test func anErrorOfTheCallersOwnEndsTheReading() throws {
        struct Enough: Error {}
        let bundle = try Self.bundle()
        let entry = try #require(bundle.entry(at: "runs"))
        var calls = 0
        #expect(throws: Enough.self) {
            try bundle.read(entry, chunkSize: 10) { _ in
                calls += 1
                throw Enough()
            }
        }
        #expect(calls == 1)
    }

    @Test func aFailureOfTheSourceIsNotTakenForADamagedArchive() throws {
        var zip = ZipBuilder()
        zip.add("stored", Self.contents)
        let source = FailingSource(contents: zip.bytes(), readable: 80_000..<200_000)
        let bundle = try Bundle.open(source, name: "a.zip")
        let error = #expect(throws: CodedFailure.self) { try bundle.bytes(of: bundle.entries[0], limit: .max) }
        #expect(error?.code == .ioError)
        #expect(error?.message == "wire: cannot read: cut")
    }

    @Test func eightTasksReadDifferentEntriesAtOnce() async throws {
        var zip = ZipBuilder()
        let contents = (0..<8).map { sampleBytes(300_000, seed: UInt64($0)) }
        for (index, bytes) in contents.enumerated() { zip.addDeflated("\(index)", bytes) }
        let bundle = try Bundle.open(zip)
        let read = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for index in 0..<8 {
                group.addTask { (index, try bundle.contents("\(index)", chunkSize: 1000 + index)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, bytes) in contents.enumerated() { #expect(read[index] == bytes) }
    }

    @Test func anArchiveWithinAnArchiveIsOpenedToTheBudgetsDepth() throws {
        var zip = ZipBuilder()
        zip.add("model.dae", "<COLLADA/>")
        for _ in 0..<4 {
            var outer = ZipBuilder()
            outer.addDeflated("inner.zip", zip.bytes())
            zip = outer
        }
        var bundle = try Bundle.open(zip)
        for _ in 0..<3 { bundle = try bundle.open(nested: try #require(bundle.entry(at: "inner.zip"))) }
        let deepest = try #require(bundle.entry(at: "inner.zip"))
        #expect(code { () throws(CodedFailure) in _ = try bundle.open(nested: deepest) } == .archiveDepthExceeded)
        var deeper = ArchiveLimits()
        deeper.nestingDepth = 4
        bundle = try Bundle.open(zip, limits: deeper)
        for _ in 0..<4 { bundle = try bundle.open(nested: try #require(bundle.entry(at: "inner.zip"))) }
        #expect(try bundle.contents("model.dae") == Array("<COLLADA/>".utf8))
    }

    @discardableResult
    private func drain(_ reader: EntryReader) throws(CodedFailure) -> Int64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        while try reader.read(into: buffer) > 0 {}
        return reader.position
    }
}

/// Bytes of which only some can be read, and the archive's first.
private struct FailingSource: ByteSource {
    let contents: [UInt8]
    let readable: Range<Int64>
    var size: Int64 { Int64(contents.count) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        guard readable.contains(offset) || offset == 0 || offset == size else {
            throw ByteSourceError(operation: "read", subject: "wire", reason: "cut")
        }
        let count = min(buffer.count, offset == 0 ? 4096 : contents.count - Int(offset))
        buffer.copyBytes(from: contents[Int(offset)..<Int(offset) + count])
        return count
    }
}
