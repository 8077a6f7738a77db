import DaeCore
import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeArchive

/// Where the archive lies in its source, and its entries in it.
@Suite struct DirectoryTests {
    private func zip(_ change: (inout ZipBuilder.Entry) -> Void = { _ in }) -> ZipBuilder {
        var zip = ZipBuilder()
        zip.add("first.txt", "harmless")
        zip.addDeflated("model.dae", Array("<COLLADA/>".utf8), change)
        zip.add("last.txt", "harmless too")
        return zip
    }

    @Test func anArchiveBehindOtherBytesOpensWithAWarning() throws {
        for countsPrefix in [true, false] {
            for long in [nil, 3] as [UInt64?] {
                var zip = zip()
                zip.prefix = Array("#!/bin/sh\nexec unzip $0\n".utf8)
                zip.countsPrefix = countsPrefix
                zip.claimedLongEntries = long
                let bundle = try Bundle.open(zip)
                #expect(bundle.findings.map(\.code) == [.archiveExtraBytes])
                #expect(bundle.findings.first?.arguments == [.init("before", "24"), .init("after", "0")])
                #expect(try bundle.contents("model.dae") == Array("<COLLADA/>".utf8))
                #expect(bundle.size == Int64(zip.bytes().count))
            }
        }
    }

    @Test(arguments: [1, 40, 70_000, 1 << 20])
    func anArchiveBeforeOtherBytesOpensWithAWarning(count: Int) throws {
        let bundle = try Bundle.open(zip().bytes() + [UInt8](repeating: 0x0A, count: count))
        #expect(bundle.findings.map(\.code) == [.archiveExtraBytes])
        #expect(bundle.findings.first?.arguments == [.init("before", "0"), .init("after", "\(count)")])
        #expect(try bundle.contents("last.txt") == Array("harmless too".utf8))
    }

    @Test func tooManyBytesBehindTheArchiveHideIt() {
        let bytes = zip().bytes() + [UInt8](repeating: 0, count: 1 << 20 + 1 << 17)
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(bytes) } == .archiveInvalid)
    }

    @Test func twoArchivesInARowAreRefused() {
        let bytes = zip().bytes()
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(bytes + bytes) } == .archiveInvalid)
    }

    @Test func anArchiveThatEndsWithinAStoredArchiveIsNotTakenForThatOne() {
        var outer = ZipBuilder()
        outer.add("a.txt", "harmless")
        outer.add("inner.zip", zip().bytes())
        let bytes = Array(outer.bytes()[..<(30 + 5 + 8 + 30 + 9 + zip().bytes().count)])
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(bytes) } == .archiveInvalid)
    }

    @Test func aStoredArchiveAtTheEndDoesNoHarm() throws {
        var outer = ZipBuilder()
        outer.add("a.txt", "harmless")
        outer.add("inner.zip", zip().bytes())
        #expect(try Bundle.open(outer).entries.map(\.path) == ["a.txt", "inner.zip"])
    }

    @Test func entriesThatShareBytesAreRefused() {
        #expect(code(opening: zip { $0.offset = 0 }) == .archiveOverlap)
        #expect(code(opening: zip { $0.offset = 10 }) == .archiveOverlap)
        #expect(code(opening: zip { ($0.compressedSize, $0.offset) = ($0.compressedSize + 1, nil) }) == .archiveOverlap)
        // Only the entry's own header says that its bytes begin later.
        let late: @Sendable (inout ZipBuilder.Entry) -> Void = { $0.extra = [0xCA, 0xFE, 0, 0] }
        var zip = zip { ($0.local, $0.payload) = (late, Array($0.payload.dropLast(4))) }
        #expect(code(opening: zip) == .archiveOverlap)
        zip.entries[1].payload += [0, 0, 0, 0]
        #expect(code(opening: zip) == nil)
    }

    @Test func entriesInAnyOrderAreNoOverlap() throws {
        var zip = zip()
        let offsets: [UInt32] = zip.entries.reduce(into: [0]) { $0.append($0[$0.count - 1] + size(of: $1)) }
        zip.entries.swapAt(0, 2)
        // The directory tells them backwards, as they lie forwards.
        let bytes = zip.bytes()
        #expect(try Bundle.open(bytes).entries.map(\.path) == ["last.txt", "model.dae", "first.txt"])
        #expect(offsets.count == 4)
    }

    private func size(of entry: ZipBuilder.Entry) -> UInt32 { UInt32(30 + entry.name.count + entry.payload.count) }

    @Test func anEntryBeyondTheDirectoryIsRefused() {
        for offset: UInt32 in [1 << 20, .max - 1, 1 << 31] {
            #expect(code(opening: zip { $0.offset = offset }) == .archiveInvalid, "\(offset)")
        }
    }

    @Test func bothHeadersMustTellTheSame() throws {
        let changes: [(String, @Sendable (inout ZipBuilder.Entry) -> Void)] = [
            ("name", { $0.name[0] ^= 1 }), ("name", { $0.name += [0x61] }), ("method", { $0.method = 0 }),
            ("CRC-32", { $0.crc ^= 1 }), ("size", { $0.size += 1 }), ("size", { $0.compressedSize += 1 }),
            ("flags", { $0.flags = 1 }), ("flags", { $0.flags = 8 }),
        ]
        for (what, change) in changes {
            let error = #expect(throws: CodedFailure.self) { try Bundle.open(zip { $0.local = change }) }
            #expect(error?.code == .archiveInvalid)
            #expect(error?.message.contains("another \(what) than") == true, "\(what): \(String(describing: error))")
        }
        #expect(code(opening: zip { $0.local = { ($0.time, $0.flags) = (0, 0x800) } }) == nil)
    }

    @Test func sizesThatStandBehindTheBytesMayBeMissingBeforeThem() throws {
        func descriptor(_ local: @escaping @Sendable (inout ZipBuilder.Entry) -> Void) -> ZipBuilder {
            zip { ($0.flags, $0.local) = (8, local) }
        }
        let none = descriptor { ($0.crc, $0.size, $0.compressedSize) = (0, 0, 0) }
        #expect(try Bundle.open(none).contents("model.dae") == Array("<COLLADA/>".utf8))
        #expect(code(opening: descriptor { _ in }) == nil)
        #expect(code(opening: descriptor { $0.size = 1 }) == .archiveInvalid)
    }

    @Test func sizesOf64BitsAreRead() throws {
        func long(_ values: UInt64...) -> [UInt8] {
            let body = values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
            return [1, 0, UInt8(body.count), 0] + body
        }
        let honest = zip { ($0.extra, $0.size) = (long(UInt64($0.size)), .max) }
        #expect(try Bundle.open(honest).contents("model.dae") == Array("<COLLADA/>".utf8))
        for size: UInt64 in [1 << 63, .max, 1 << 40] {
            #expect(code(opening: zip { ($0.extra, $0.size) = (long(size), .max) }) == .archiveRatioExceeded)
            #expect(code(opening: zip { ($0.extra, $0.compressedSize) = (long(size), .max) }) == .archiveInvalid)
        }
        #expect(code(opening: zip { $0.size = .max }) == .archiveInvalid)
        #expect(code(opening: zip { ($0.extra, $0.size) = ([1, 0, 4, 0, 1, 2, 3, 4], .max) }) == .archiveInvalid)
    }

    @Test func theDirectoryAsAWholeIsBounded() {
        #expect(code(opening: zip(), limits: .init(directoryBytes: 3 * 46 + 26)) == nil)
        #expect(code(opening: zip(), limits: .init(directoryBytes: 3 * 46 + 25)) == .archiveTotalSizeExceeded)
    }

    /// A server far away could otherwise have itself asked a hundred thousand times.
    @Test func amongManyEndsThatAreNoneTheSearchIsGivenUp() {
        var bytes: [UInt8] = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 1 << 16)
        for index in 0..<2000 {
            let claimed = UInt16(index * 32)
            bytes += [
                0x50, 0x4B, 6, 7, 0, 0, 0, 0, UInt8(claimed & 0xFF), UInt8(claimed >> 8), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
            ]
            bytes += [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 60, 0, 0, 0, 7, 0, 0, 0, 0, 0]
        }
        let source = CountingSource(bytes: MemoryByteSource(bytes))
        #expect(code { () throws(CodedFailure) in _ = try Bundle.open(source, name: "a.zip") } == .archiveInvalid)
        #expect(source.reads.withLock { $0 } < 1500)
        // As many before the true end change nothing.
        let behind = MemoryByteSource(Array("MZ".utf8 + bytes[4...]) + zip().bytes())
        #expect(throws: Never.self) { try DirectoryEnd.find(in: behind) }
    }
}

/// A class because it counts.
private final class CountingSource: ByteSource {
    let bytes: MemoryByteSource
    let reads = Mutex(0)

    init(bytes: MemoryByteSource) { self.bytes = bytes }

    var size: Int64 { bytes.size }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        reads.withLock { $0 += 1 }
        return bytes.read(at: offset, into: buffer)
    }
}
