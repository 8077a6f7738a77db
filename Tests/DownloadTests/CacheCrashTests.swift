// Every call that changes the disk is the last one in some run here; what is left then has to be sound.

import ContentHash
import FoundationEssentials
import TestSupport
import Testing

@testable import Download

@Suite struct CacheCrashTests {
    enum End: CaseIterable {
        case kill, powerCut
    }

    private static let isFull = ProcessInfo.processInfo.environment["DAE_TEST_FULL"] != nil

    @Test(arguments: End.allCases, 0..<(isFull ? 40 : 3))
    func whateverCallIsTheLastTheCacheIsSound(end: End, seed: Int) throws {
        var last = 0
        var isAlive = false
        while !isAlive {
            last += 1
            let place = try TemporaryFolder()
            let system = try live(place, end, seed: UInt64(seed), boot: 0, lastCall: last)
            isAlive = !system.isDead
            try expectSound(
                place, clock: system.clock, boot: end == .kill ? 0 : 1, "seed \(seed), call \(last), \(end)")
        }
        #expect(last > 100)
    }

    @Test(arguments: 0..<(isFull ? 1000 : 60))
    func aCacheThatManyProcessesDiedInIsSound(seed: Int) throws {
        let place = try TemporaryFolder()
        var numbers = SeededNumbers(seed: UInt64(seed) &+ 1_000_000)
        var boots = 0
        for number in 0..<8 {
            let end = End.allCases.randomElement(using: &numbers) ?? .kill
            _ = try live(
                place, end, seed: UInt64(seed * 100 + number), boot: boots,
                lastCall: Int.random(in: 1...250, using: &numbers))
            if end == .powerCut { boots += 1 }
            expectWholeBlobs(DownloadCache(folder: place.path + "/cache"), "seed \(seed), life \(number), \(end)")
        }
        try expectSound(place, clock: 1_000_000, boot: boots, "seed \(seed)")
    }

    /// One process's life, to its end or its death.
    private func live(
        _ place: TemporaryFolder, _ end: End, seed: UInt64, boot: Int, lastCall: Int
    ) throws -> DyingSystem {
        let system = DyingSystem(
            lastCall: lastCall, graveyard: place.path + "/graves", boot: "boot \(boot)", clock: 1_000_000)
        var life = CacheLife(place.path + "/cache", system, seed: seed)
        life.run(operations: 14)
        switch end {
        case .kill: break
        case .powerCut:
            var numbers = SeededNumbers(seed: seed &+ UInt64(lastCall))
            system.cutPower(files: { files(in: place.path + "/cache") }, using: &numbers)
        }
        system.buryForGood()
        return system
    }

    private func expectSound(_ place: TemporaryFolder, clock: Int64, boot: Int, _ history: Comment) throws {
        let system = DyingSystem(graveyard: place.path + "/graves", boot: "boot \(boot)", clock: clock)
        let cache = DownloadCache(folder: place.path + "/cache", sizeLimit: .unlimited, files: system.files)
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
        system.buryForGood()
    }

    /// Goes on from what was kept, and comes to the right bytes.
    private func finish(_ key: CacheKey, _ cache: DownloadCache, _ history: Comment) throws {
        try cache.prepare()
        let lock = try #require(try CacheLock.attempt(key, in: cache), history)
        let file = PartialFile(holding: lock, checkpoint: 700)
        guard let kept = file.kept else { return }
        let version = try #require(
            ServedVersion.all.first { $0.validators == kept.validators && $0.key == key }, history)
        try expectBeginning(kept, of: version, in: cache, history)
        try file.resume { false }
        #expect(file.size == kept.bytes, history)
        try file.write(Array(version.content.dropFirst(Int(kept.bytes))))
        let (path, _) = try file.commit(verifying: version.digest)
        #expect(content(of: path) == version.content, history)
    }

    private func expectWholeBlobs(_ cache: DownloadCache, _ history: Comment) {
        for path in files(in: cache.folder + "/blobs") {
            #expect(path.hasSuffix("/" + SHA256Digest(hashing: content(of: path)).hex), history)
        }
    }

    private func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.map { folder + "/" + $0 }.filter { FileSystem().linkStatus(of: $0)?.kind == .file }
    }
}
