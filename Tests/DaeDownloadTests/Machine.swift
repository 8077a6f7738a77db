import DaeCore
import FoundationEssentials
import TestSupport

@testable import DaeDownload

/// A machine with one cache, on which processes live and die one after the other.
final class Machine {
    /// How a process that has come to its last call ends, and one that has not.
    enum End: CaseIterable {
        case kill, powerCut
    }

    private let place: ScratchFolder
    private var boots = 0
    private(set) var system: DyingSystem
    private(set) var hasSeenDeath = false
    var folder: String { place.path + "/cache" }

    init() throws {
        place = try ScratchFolder()
        system = DyingSystem(graveyard: place.path + "/graves", boot: "boot 0", clock: 1_000_000, survivors: [])
    }

    func live(lastCall: Int = .max, seed: UInt64, _ end: End, _ work: (inout CacheLife) -> Void) {
        system.start(lastCall: lastCall)
        var life = CacheLife(folder, system, seed: seed)
        work(&life)
        hasSeenDeath = hasSeenDeath || system.isDead
        guard end == .powerCut else { return }
        var numbers = SeededNumbers(seed: seed &+ UInt64(lastCall == .max ? 0 : lastCall))
        system.cutPower(files: { files(in: folder) }, using: &numbers)
        system.buryForGood()
        boots += 1
        system = DyingSystem(
            graveyard: place.path + "/graves", boot: "boot \(boots)", clock: system.clock,
            survivors: files(in: folder))
    }
}

/// The regular files below a folder.
func files(in folder: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.map { folder + "/" + $0 }.filter { FileSystem().linkStatus(of: $0)?.kind == .file }
}
