import DaeDiagnostics
import DaePipeline
import Glibc
import TestSupport
import Testing

/// Of where bytes lie and of what is asked of assets.
extension RuleScenario {
    static let sources: [RuleScenario] = [
        RuleScenario(.ioError) {
            try await Act().codes(of: "/\(String(repeating: "n", count: 256)).dae")
        } near: {
            let act = try Act()
            let name = String(repeating: "n", count: 251) + ".dae"
            return try await act.codes(of: act.folder.write(Act.tile(), to: name))
        },
        RuleScenario(.sourceNotFound) {
            let act = try Act()
            return try await act.codes(of: act.folder.path + "/a tile.dae")
        } near: {
            let act = try Act()
            return try await act.codes(of: act.folder.write(Act.tile(), to: "a tile.dae"))
        },
        RuleScenario(.assetCancelled) {
            try await cancelled { true }
        } near: {
            try await cancelled { false }
        },
        RuleScenario(.assetUnknown) {
            try await withReadyAsset { pipeline, _ in try await pipeline.perform(.remove(.random())) }
        } near: {
            try await withReadyAsset { pipeline, asset in try await pipeline.perform(.remove(asset)) }
        },
        RuleScenario(.assetActionRefused) {
            try await withReadyAsset { pipeline, asset in try await pipeline.perform(.retry(asset)) }
        } near: {
            try await withReadyAsset { pipeline, asset in try await pipeline.perform(.cancel(asset)) }
        },
    ]

    private static func withReadyAsset(
        _ action: (AssetPipeline, AssetID) async throws -> Void
    ) async throws -> Set<FindingCode> {
        let act = try Act()
        let pipeline = AssetPipeline(operations: .live(act.options()))
        let asset = try await pipeline.perform(.add(source: act.folder.write(Act.tile(), to: "tile.dae")))
        _ = await pipeline.outcome(of: asset)
        let codes = try await Act.code { try await action(pipeline, asset) }
        await pipeline.end()
        return codes
    }

    /// An asset whose server stands still, until it is let go or cancelled.
    private static func cancelled(_ isWanted: () -> Bool) async throws -> Set<FindingCode> {
        let act = try Act()
        let gate = FaultGate()
        let server = try FaultServer(["/tile.dae": FaultResource(Act.tile())])
        server.play([.stall(after: 100, until: gate)], at: "/tile.dae")
        let pipeline = AssetPipeline(operations: .live(act.options()))
        let asset = try await pipeline.perform(.add(source: server.url("/tile.dae")))
        if isWanted() { try await pipeline.perform(.cancel(asset)) } else { gate.open() }
        let failure = await pipeline.outcome(of: asset)?.failure
        gate.open()
        await pipeline.end()
        return failure.map { [$0.code] } ?? []
    }
}
