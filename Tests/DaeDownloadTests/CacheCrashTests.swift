// Every call that changes the disk is the last one in some run here; what is left then has to be sound.

import DaeCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DaeDownload

// One at a time and in small pieces, as other tests wait for their turn meanwhile.
@Suite(.serialized) struct CacheCrashTests {
    typealias End = Machine.End

    private static let isFull = ProcessInfo.processInfo.environment["DAE_TEST_FULL"] != nil

    @Test(arguments: End.allCases, 0..<(isFull ? 400 : 10))
    func whateverCallIsTheLastTheCacheIsSound(end: End, part: Int) throws {
        let seed = part / 10
        let count = try forEachLastCall(from: part % 10 + 1, by: 10) { machine, last in
            machine.live(lastCall: last, seed: UInt64(seed), end) { $0.run(operations: 14) }
            try expectSound(machine, "seed \(seed), call \(last), \(end)")
        }
        #expect(count > 10)
    }

    /// A version of which a part was kept, and then another, or the same again, of the same address.
    @Test(arguments: End.allCases, 0..<16)
    func whateverCallOfASecondTransferIsTheLastTheCacheIsSound(end: End, pair: Int) throws {
        // The first has a strong tag or a date alone; the second is each kind.
        let (kept, next) = (ServedVersion.all[pair / 4 % 2 * 2], ServedVersion.all[pair % 4])
        let first = End.allCases[pair / 8]
        let count = try forEachLastCall { machine, last in
            machine.live(seed: 3, first) { $0.run(kept, upTo: 800) }
            machine.live(lastCall: last, seed: UInt64(last), end) { $0.run(next, upTo: nil) }
            try expectSound(machine, "\(pair), call \(last), \(first), \(end)")
        }
        #expect(count > 10)
    }

    @Test(arguments: 0..<(isFull ? 1000 : 30))
    func aCacheThatManyProcessesDiedInIsSound(seed: Int) throws {
        let machine = try Machine()
        var numbers = SeededNumbers(seed: UInt64(seed) &+ 1_000_000)
        for number in 0..<8 {
            let end = End.allCases.randomElement(using: &numbers) ?? .kill
            let last = Int.random(in: 1...250, using: &numbers)
            machine.live(lastCall: last, seed: UInt64(seed * 100 + number), end) { $0.run(operations: 14) }
            expectWholeBlobs(DownloadCache(folder: machine.folder), "seed \(seed), life \(number), \(end)")
        }
        try expectSound(machine, "seed \(seed)")
    }

    /// Runs with each number of a last call until the process lives on; gives how many there were.
    private func forEachLastCall(
        from first: Int = 1, by step: Int = 1, _ run: (Machine, Int) throws -> Void
    ) throws -> Int {
        var count = 0
        while true {
            let machine = try Machine()
            try run(machine, first + count * step)
            count += 1
            guard machine.hasSeenDeath else { return count }
        }
    }

    private func expectSound(_ machine: Machine, _ history: Comment) throws {
        machine.system.start()
        let cache = DownloadCache(folder: machine.folder, sizeLimit: .unlimited, files: machine.system.files)
        expectWholeBlobs(cache, history)
        for key in Set(ServedVersion.all.map(\.key)) {
            if let reference = cache.reference(for: key) {
                #expect(content(of: cache.path(of: reference.sha256)).count == reference.size, history)
                #expect(ServedVersion.all.contains { $0.key == key && $0.reference == reference }, history)
            }
            try finish(key, cache, history)
        }
        expectWholeBlobs(cache, history)
        #expect(try cache.verify().damaged == [], history)
        let again = try cache.verify()
        #expect(again.isSound && again.staleFiles == 0, history)
        let names = files(in: cache.folder).filter { $0.contains("/partial/") || $0.hasSuffix(".new") }
        #expect(names == [], history)
        _ = try cache.clear()
        #expect(try cache.contents().size == 0, history)
    }

    /// Goes on from what was kept, and comes to the right bytes.
    private func finish(_ key: CacheKey, _ cache: DownloadCache, _ history: Comment) throws {
        try cache.prepare()
        // Not at once: a program that another test is just starting holds copies of this process's descriptors for a moment.
        var looks = 0
        let lock = try CacheLock.acquire(
            key, in: cache,
            isStopped: {
                looks += 1
                return looks > 200
            }, onWait: {})
        let file = PartialFile(holding: lock, checkpoint: 700)
        guard let kept = file.kept else { return }
        let version = try #require(
            ServedVersion.all.first { $0.validators == kept.validators && $0.key == key }, history)
        try expectBeginning(kept, of: version, in: cache, history)
        try file.resume { false }
        #expect(file.size == kept.bytes, history)
        try file.write(Array(version.content.dropFirst(Int(kept.bytes))))
        let (path, _) = try file.commit(verifying: [version.digest])
        #expect(content(of: path) == version.content, history)
    }

    private func expectWholeBlobs(_ cache: DownloadCache, _ history: Comment) {
        for path in files(in: cache.folder + "/blobs") {
            #expect(path.hasSuffix("/" + SHA256Digest(hashing: content(of: path)).hex), history)
        }
    }
}
