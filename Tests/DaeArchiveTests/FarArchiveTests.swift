import DaeCore
import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeArchive

/// Archives whose bytes come from far away: headers are read with their entries, everything else as ever.
@Suite struct FarArchiveTests {
    /// Opens where the archive would be refused if it were near: what is wrong is in a header of an entry that was not
    /// read, and reading that entry says so.
    private static let seenWithTheEntry: Set<String> = ["overlap-by-local-extra.zip"]

    @Test(.enabled(if: Program.isInstalled("python3")))
    func hostileArchivesAreRefusedWithTheSameCodes() throws {
        let folder = try TemporaryFolder()
        let made = try Program.run([folder.path], program: Repository.root + "/scripts/tools/make-hostile")
        #expect(made.code == 0, "\(made.errors)")
        var late: Set<String> = []
        for row in try Repository.table(folder.path + "/EXPECT.tsv") {
            let name = try #require(row["file"])
            let path = folder.path + "/" + name
            let near = code { () throws(CodedFailure) in try Self.read(Bundle.open(path: path)) }
            let source = try FarSource(FileByteSource(path: path))
            let far = code { () throws(CodedFailure) in try Self.read(Bundle.open(source, name: name)) }
            #expect(source.bytesRead <= 3 * source.size + (2 << 20), "\(name): \(source.bytesRead) bytes read")
            guard near != far else { continue }
            late.insert(name)
            #expect(far == nil, "\(name)")
            let all = code { () throws(CodedFailure) in
                let bundle = try Bundle.open(source, name: name)
                for entry in bundle.entries { _ = try bundle.prefix(of: entry, count: 1) }
            }
            #expect(all == near, "\(name)")
        }
        #expect(late == Self.seenWithTheEntry)
    }

    /// As a pipeline does: the first document.
    private static func read(_ bundle: Bundle) throws(CodedFailure) {
        guard
            let document = bundle.entry(at: "model.dae") ?? bundle.entries.first(where: { $0.path.hasSuffix(".dae") })
        else { return }
        _ = try bundle.bytes(of: document, limit: 1 << 20)
    }

    @Test func openingReadsTheEndsAndTheDirectoryOnly() throws {
        var builder = ZipBuilder()
        for index in 0..<100 { builder.add("\(index).bin", sampleBytes(20_000, seed: UInt64(index))) }
        let source = FarSource(MemoryByteSource(builder.bytes()))
        let bundle = try Bundle.open(source, name: "a.zip")
        #expect(bundle.entries.count == 100)
        #expect(source.reads.allSatisfy { $0.upperBound <= 4096 || $0.lowerBound >= source.size - 100_000 })
        #expect(try bundle.contents("50.bin") == sampleBytes(20_000, seed: 50))
        // Each entry is announced before it is read, and its bytes lie within.
        let announced = try #require(source.announced.last)
        #expect(announced.count <= 20_100)
        #expect(source.announced.count == 1)
    }

    @Test func aFailureOfTheSourceKeepsItsCode() throws {
        let failures: [(RemoteFailure, FindingCode)] = [
            (.changed, .downloadValidatorChanged), (.refused, .downloadHTTPStatus),
            (.wrongBytes, .downloadTruncated), (.tooSlow, .downloadTimeout), (.hostNotFound, .downloadHostNotFound),
            (.noConnection, .downloadConnectionFailed), (.noEncryption, .downloadTLSFailed),
            (.forbidden, .downloadBlockedAddress), (.redirectedTooOften, .downloadTooManyRedirects),
            (.cancelled, .assetCancelled),
        ]
        var builder = ZipBuilder()
        builder.add("a.dae", "<COLLADA/>")
        builder.addDeflated("b.dae", Array("<COLLADA/>".utf8))
        for (failure, expected) in failures {
            // Wherever it fails: in the probe, the directory, a header, the bytes.
            var opened = 0
            for allowed in 0..<20 {
                let source = FarSource(MemoryByteSource(builder.bytes()), failing: failure, after: allowed)
                let found = code { () throws(CodedFailure) in
                    let bundle = try Bundle.open(source, name: "a.zip")
                    for entry in bundle.entries { _ = try bundle.bytes(of: entry, limit: 100) }
                }
                if found == nil { opened += 1 } else { #expect(found == expected, "after \(allowed) reads") }
            }
            #expect((1..<20).contains(opened))
        }
    }
}

/// Bytes that count as far away, with a log of what was read.
private final class FarSource: ByteSource {
    private struct Log {
        var reads: [Range<Int64>] = []
        var announced: [Range<Int64>] = []
    }

    private let source: any ByteSource
    private let failure: RemoteFailure?
    private let allowed: Int
    private let log = Mutex(Log())

    init(_ source: any ByteSource, failing failure: RemoteFailure? = nil, after allowed: Int = .max) {
        (self.source, self.failure, self.allowed) = (source, failure, allowed)
    }

    var size: Int64 { source.size }
    var distance: ByteDistance { .far }
    var reads: [Range<Int64>] { log.withLock(\.reads) }
    var announced: [Range<Int64>] { log.withLock(\.announced) }
    var bytesRead: Int64 { reads.reduce(0) { $0 + Int64($1.count) } }

    func willRead(_ range: Range<Int64>) { log.withLock { $0.announced.append(range) } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
        if let failure, reads.count >= allowed {
            throw ByteSourceError(operation: "read", subject: "a test", reason: "it failed", cause: .remote(failure))
        }
        let count = try source.read(at: offset, into: buffer)
        log.withLock { $0.reads.append(offset..<offset + Int64(count)) }
        return count
    }
}
