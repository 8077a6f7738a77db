import DaeCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CacheConcurrencyTests {
    /// Locks do not tell threads from processes: each use opens the files anew.
    @Test func sixteenThreadsShareACacheThatIsPrunedMeanwhile() async throws {
        let fixture = try CacheFixture(sizeLimit: .bytes(60_000))
        // Half of it is there and may be removed any moment until it is used.
        for number in 0..<10 { try Self.use(fixture, number: number) { _ in } }
        fixture.clock.advance(3600)
        let failures = Mutex<[String]>([])
        let fetches = Mutex<Set<Int>>([])
        await Self.onThreads(16) { thread in
            do {
                for round in 0..<12 {
                    try Self.use(fixture, number: (thread + round * 5) % 20) { number in
                        _ = fetches.withLock { $0.insert(number) }
                    }
                    if thread == 1 { _ = try fixture.cache.prune(to: 20_000) }
                    if thread == 2, try !fixture.cache.verify().damaged.isEmpty { throw Wrong.damage }
                    if thread == 3 { _ = try fixture.cache.contents() }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(fetches.withLock { $0 }.isSuperset(of: 10..<20))
        #expect(try fixture.cache.verify().damaged == [])
        _ = try fixture.cache.clear()
        #expect(fixture.files == [])
    }

    /// Ten that ask for one address at once make one download.
    @Test func oneFetchesAndTheOthersFindIt() async throws {
        let fixture = try CacheFixture()
        let fetches = Mutex(0)
        let failures = Mutex<[String]>([])
        await Self.onThreads(10) { _ in
            do {
                try Self.use(fixture, number: 1) { _ in fetches.withLock { $0 += 1 } }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(fetches.withLock { $0 } == 1)
    }

    /// Runs `body` on so many threads at once.
    private static func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
        await withTaskGroup { group in
            for thread in 0..<count {
                group.addTask {
                    let isRun: Void? = try? await TransferThread.run("http://host/") { _ in body(thread) }
                    #expect(isRun != nil)
                }
            }
        }
    }

    private enum Wrong: Error {
        case damage, bytes
    }

    /// What a downloader does: looks, waits for the lock, looks again, and only then fetches.
    private static func use(_ fixture: CacheFixture, number: Int, fetch: (Int) -> Void) throws {
        let url = "http://host/\(number)"
        let bytes = sampleBytes(4000 + number, seed: UInt64(number))
        let lock = try fixture.lock(url)
        if let reference = fixture.cache.reference(for: lock.key) {
            guard content(of: fixture.cache.path(of: reference.sha256)) == bytes else { throw Wrong.bytes }
            return
        }
        fetch(number)
        let file = PartialFile(holding: lock, checkpoint: 1000)
        if file.kept != nil {
            try file.resume { false }
        } else {
            try file.begin(url: url, validators: Validators(etag: "\"\(number)\""), total: nil)
        }
        try file.write(Array(bytes[Int(file.size)...]))
        _ = try file.commit(verifying: [SHA256Digest(hashing: bytes)])
        try fixture.cache.store(fixture.reference(to: bytes, url: url), holding: lock)
    }
}
