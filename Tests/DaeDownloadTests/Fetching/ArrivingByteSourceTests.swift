// A reader here waits for bytes that a server holds back, so that a test that ends has read them as they came.

import DaeCore
import DaeDiagnostics
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

/// Files that are read while they arrive, over a real socket.
@Suite(.timeLimit(.minutes(10))) struct ArrivingByteSourceTests {
    @Test func whatHasComeIsReadAndTheRestIsWaitedFor() async throws {
        let bytes = sampleBytes(300_000)
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        let gate = FaultGate()
        server.play([.stall(after: 200_000, until: gate)], at: "/a.dae")
        let readers = Readers { if $0 == 200_000 { gate.open() } }
        let file = try await Fetch(server).file(readers)
        let read = try #require(readers.all.first)
        #expect(readers.all.count == 1)
        #expect(await read.bytes.value == .success(bytes))
        #expect(read.source.size == 300_000)
        #expect(read.source.sha256 == file.sha256)
        #expect(read.verifiedAtStart == nil)
        #expect(read.name == file.suggestedName)
    }

    @Test func readersGoOnBehindACut() async throws {
        let bytes = sampleBytes(300_000)
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        server.play([.cut(after: 70_000), .cut(after: 1), .cut(after: 100_000, by: .reset)], at: "/a.dae")
        let readers = Readers()
        let file = try await Fetch(server).file(readers)
        #expect(file.origin == .server(resumedAt: 170_001))
        let read = try #require(readers.all.first)
        #expect(readers.all.count == 1)
        #expect(await read.bytes.value == .success(bytes))
        #expect(read.source.sha256 == file.sha256)
    }

    @Test func anotherDownloadOffersWhatAFailedOneLeft() async throws {
        let bytes = sampleBytes(300_000)
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        server.play([.cut(after: 70_000)], at: "/a.dae")
        let fetch = try Fetch(server)
        let (first, second) = (Readers(), Readers())
        await #expect(throws: DownloadError.self) { try await fetch.file(first, retries: .never) }
        let file = try await fetch.file(second)
        #expect(await first.all.first?.bytes.value.isFailure == true)
        #expect(first.all.first?.source.sha256 == nil)
        #expect(await second.all.first?.bytes.value == .success(bytes))
        #expect(second.all.first?.source.sha256 == file.sha256)
    }

    @Test func aFileThatChangedIsOfferedAgainAndTheOldOneEnds() async throws {
        let (old, new) = (sampleBytes(300_000), sampleBytes(250_000, seed: 9))
        let server = try FaultServer(["/a.dae": FaultResource(old, tag: .strong("old"))])
        server.play([.cut(after: 70_000), .replaced(by: FaultResource(new, tag: .strong("new")))], at: "/a.dae")
        let readers = Readers()
        let file = try await Fetch(server).file(readers)
        #expect(file.sha256 == SHA256Digest(hashing: new))
        #expect(readers.all.map(\.source.size) == [300_000, 250_000])
        #expect(readers.all.map(\.source.sha256) == [nil, file.sha256])
        #expect(await readers.all.first?.bytes.value.isFailure == true)
        #expect(await readers.all.last?.bytes.value == .success(new))
    }

    @Test func bytesWithAnotherDigestAreNeverVerified() async throws {
        let server = try FaultServer(["/a.dae": FaultResource(sampleBytes(300_000))])
        let readers = Readers()
        let fetch = try Fetch(server)
        let error = await #expect(throws: DownloadError.self) {
            try await fetch.file(readers, sha256: SHA256Digest(hashing: [1, 2, 3]))
        }
        #expect(error?.code == .downloadChecksumMismatch)
        let source = try #require(readers.all.first?.source)
        #expect(source.sha256 == nil)
        #expect(throws: ByteSourceError.self) { try source.bytes(at: 0, count: 10) }
    }

    @Test(arguments: [Fault.chunked(5000), .encoded(["gzip"]), .length(.missing)])
    func withoutASizeNothingIsOffered(fault: Fault) async throws {
        let bytes = sampleBytes(300_000)
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        server.play([fault], at: "/a.dae")
        let readers = Readers()
        #expect(try await Fetch(server).file(readers).sha256 == SHA256Digest(hashing: bytes))
        #expect(readers.all.isEmpty)
    }

    @Test func aReaderThatIsStoppedLeavesTheDownloadAlone() async throws {
        let bytes = sampleBytes(300_000)
        let server = try FaultServer(["/a.dae": FaultResource(bytes)])
        let gate = FaultGate()
        server.play([.stall(after: 1000, until: gate)], at: "/a.dae")
        let readers = Readers()
        let fetch = try Fetch(server)
        async let file = fetch.file(readers)
        gate.waitForArrival()
        let read = await readers.first()
        read.source.stop()
        #expect(await read.bytes.value.isFailure)
        gate.open()
        #expect(try await file.sha256 == SHA256Digest(hashing: bytes))
        #expect(read.source.sha256 == nil)
    }

    @Test func cancellingADownloadEndsItsReaders() async throws {
        let server = try FaultServer(["/a.dae": FaultResource(sampleBytes(300_000))])
        server.play([.stall(after: 1000)], at: "/a.dae")
        let readers = Readers()
        let fetch = try Fetch(server)
        let task = Task { try await fetch.file(readers) }
        let read = await readers.first()
        task.cancel()
        #expect(await read.bytes.value.isFailure)
        await #expect(throws: DownloadError.self) { try await task.value }
        #expect(throws: ByteSourceError.self) { try read.source.bytes(at: 0, count: 10) }
    }
}

/// Downloads of one address into a cache of their own, without pauses.
private struct Fetch {
    let fixture: DownloadFixture
    private let downloader: Downloader
    private let url: String

    init(_ server: FaultServer) throws {
        fixture = try DownloadFixture()
        downloader = Downloader(cache: fixture.cache, limits: .forTests)
        url = server.url("/a.dae")
    }

    func file(
        _ readers: Readers, sha256: SHA256Digest? = nil, retries: RetryPolicy = RetryPolicy()
    ) async throws -> DownloadedFile {
        var request = DownloadRequest(url, sha256: sha256)
        request.retries = retries
        request.retries.firstPause = 0
        return try await downloader.download(request, arriving: { readers.read($0) })
    }
}

/// Reads each file that it is offered from front to back, on a thread for each.
private final class Readers: Sendable {
    struct Read: Sendable {
        let source: ArrivingByteSource
        let name: String
        /// The digest that was there when the file was offered.
        let verifiedAtStart: SHA256Digest?
        let bytes: Task<Result<[UInt8], ByteSourceError>, Never>
    }

    private let reads = Mutex<[Read]>([])
    private let onRead: @Sendable (Int) -> Void
    private let began = AsyncStream.makeStream(of: Read.self)

    /// - Parameter onRead: Called with the bytes that a reader has so far.
    init(_ onRead: @escaping @Sendable (Int) -> Void = { _ in }) { self.onRead = onRead }

    var all: [Read] { reads.withLock { $0 } }

    /// Waits for the first file.
    func first() async -> Read {
        for await read in began.stream { return read }
        preconditionFailure("the stream has no end")
    }

    func read(_ file: ArrivingFile) {
        let (source, onRead) = (file.source, onRead)
        let task = Task {
            await withCheckedContinuation { continuation in
                BackgroundThread.start {
                    continuation.resume(
                        returning: Result { () throws(ByteSourceError) in try Self.bytes(of: source, onRead) })
                }
            }
        }
        let read = Read(
            source: source, name: file.suggestedName, verifiedAtStart: source.sha256, bytes: task)
        reads.withLock { $0.append(read) }
        began.continuation.yield(read)
    }

    private static func bytes(
        of source: ArrivingByteSource, _ onRead: (Int) -> Void
    ) throws(ByteSourceError) -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 10_000))
        while true {
            var span = buffer.mutableSpan
            let count = try span.withUnsafeMutableBytes { piece throws(ByteSourceError) in
                try source.read(at: Int64(bytes.count), into: piece)
            }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            onRead(bytes.count)
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        switch self {
        case .success: false
        case .failure: true
        }
    }
}
