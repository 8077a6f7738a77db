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

    @Test(arguments: End.allCases, 0..<(isFull ? 40 : 1))
    func whateverCallIsTheLastTheCacheIsSound(end: End, seed: Int) throws {
        let count = try forEachLastCall { place, last in
            let system = try live(place, end, seed: UInt64(seed), boot: 0, lastCall: last) { $0.run(operations: 14) }
            try expectSound(place, system, after: [end], "seed \(seed), call \(last), \(end)")
            return system
        }
        #expect(count > 100)
    }

    /// A version of which a part was kept, and then another, or the same again, of the same address.
    @Test(arguments: End.allCases, End.allCases)
    func whateverCallOfASecondTransferIsTheLastTheCacheIsSound(first: End, second: End) throws {
        // The first has a strong tag or a date alone; the second is each kind.
        for number in 0..<8 {
            let (kept, next) = (ServedVersion.all[number / 4 * 2], ServedVersion.all[number % 4])
            let count = try forEachLastCall { place, last in
                _ = try live(place, first, seed: 3, boot: 0) { $0.run(kept, upTo: 800) }
                let system = try live(place, second, seed: UInt64(last), boot: first == .kill ? 0 : 1, lastCall: last) {
                    $0.run(next, upTo: nil)
                }
                try expectSound(place, system, after: [first, second], "\(number), call \(last), \(first), \(second)")
                return system
            }
            #expect(count > 10)
        }
    }

    @Test(arguments: 0..<(isFull ? 1000 : 40))
    func aCacheThatManyProcessesDiedInIsSound(seed: Int) throws {
        let place = try ScratchFolder()
        var numbers = SeededNumbers(seed: UInt64(seed) &+ 1_000_000)
        var ends: [End] = []
        for number in 0..<8 {
            let end = End.allCases.randomElement(using: &numbers) ?? .kill
            let last = Int.random(in: 1...250, using: &numbers)
            let system = try live(
                place, end, seed: UInt64(seed * 100 + number), boot: boot(after: ends), lastCall: last
            ) { $0.run(operations: 14) }
            ends.append(end)
            expectWholeBlobs(DownloadCache(folder: place.path + "/cache"), "seed \(seed), life \(number), \(end)")
            if number == 7 { try expectSound(place, system, after: ends, "seed \(seed)") }
        }
    }

    /// Runs with each number of a last call until the process lives on; gives how many there were.
    private func forEachLastCall(_ run: (ScratchFolder, Int) throws -> DyingSystem) throws -> Int {
        var last = 1
        while try run(try ScratchFolder(), last).isDead { last += 1 }
        return last
    }

    private func boot(after ends: [End]) -> Int { ends.count { $0 == .powerCut } }

    /// One process's life, to its end or its death, and then perhaps the machine's.
    private func live(
        _ place: ScratchFolder, _ end: End, seed: UInt64, boot: Int, lastCall: Int = .max,
        _ work: (inout CacheLife) -> Void
    ) throws -> DyingSystem {
        let system = DyingSystem(
            lastCall: lastCall, graveyard: place.path + "/graves", boot: "boot \(boot)", clock: 1_000_000)
        var life = CacheLife(place.path + "/cache", system, seed: seed)
        work(&life)
        switch end {
        case .kill: break
        case .powerCut:
            var numbers = SeededNumbers(seed: seed &+ UInt64(lastCall == .max ? 0 : lastCall))
            system.cutPower(files: { files(in: place.path + "/cache") }, using: &numbers)
        }
        system.buryForGood()
        return system
    }

    private func expectSound(
        _ place: ScratchFolder, _ old: DyingSystem, after ends: [End], _ history: Comment
    ) throws {
        let system = DyingSystem(
            graveyard: place.path + "/graves", boot: "boot \(boot(after: ends))", clock: old.clock)
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
