import Synchronization

@testable import DaePipeline

extension AssetOperations {
    /// Every stage succeeds at once; names are `asset-1`, `asset-2`, …; the clock stands at 1000.
    static func succeeding() -> AssetOperations {
        let count = IDs()
        return AssetOperations(
            stages: Stages(
                download: { _, _, _ in Sample.file("duck.zip") },
                unzip: { _, _, _ in try Sample.bundle() },
                parse: { _, _, _, _ in try Sample.product() }),
            instant: Instant(now: { 1000 }, makeID: { count.next() }))
    }

    /// As ``succeeding()``, but one stage stands still between `entered` and `door`.
    static func holding(_ stage: AssetStage, entered: Door, door: Door) -> AssetOperations {
        var operations = succeeding()
        let stages = operations.stages
        switch stage {
        case .download:
            operations.stages.download = { source, download, report in
                entered.open()
                try await door.pass()
                return try await stages.download(source, download, report)
            }
        case .unzip:
            operations.stages.unzip = { unzip, file, report in
                entered.open()
                try await door.pass()
                return try await stages.unzip(unzip, file, report)
            }
        case .parse:
            operations.stages.parse = { parse, file, bundle, report in
                entered.open()
                try await door.pass()
                return try await stages.parse(parse, file, bundle, report)
            }
        }
        return operations
    }
}

private final class IDs: Sendable {
    private let count = Mutex(0)

    func next() -> AssetID {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return AssetID("asset-\(number)") ?? .random()
    }
}
