// Some faults are of no file that could lie in a repository: of servers, of the file system, of budgets in gigabytes.

import DaeDiagnostics
import DaeDownload
import DaePipeline
import TestSupport
import Testing

/// A fault of one code that is acted out, and what is nearly that and must not be.
struct RuleScenario: CustomTestStringConvertible, Sendable {
    /// What was told in the end, the failure's code too.
    typealias Play = @Sendable () async throws -> Set<FindingCode>

    let code: FindingCode
    let fault: Play
    let near: Play

    var testDescription: String { code.rawValue }

    static let all = sources + downloads + archives + resources + conversions + schemas

    init(_ code: FindingCode, fault: @escaping Play, near: @escaping Play) {
        self.code = code
        self.fault = fault
        self.near = near
    }
}

/// One source, taken the whole way by a pipeline with a cache of its own.
struct Act {
    typealias Options = AssetOperations.LiveOptions

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A document without a fault.
    static func tile() throws -> [UInt8] { try Repository.fixture("rules/PRIMITIVE_COUNT_MISMATCH.near.dae") }

    func options(_ change: (inout Options) -> Void = { _ in }) -> Options {
        var options = Options(cache: DownloadCache(folder: folder.path + "/cache"))
        options.validates = true
        options.web.retries = .never
        options.web.reading = .whole
        change(&options)
        return options
    }

    func codes(of source: String, _ change: (inout Options) -> Void = { _ in }) async throws -> Set<FindingCode> {
        let pipeline = AssetPipeline(operations: .live(options(change)))
        let asset = try await pipeline.perform(.add(source: source))
        let state = await pipeline.outcome(of: asset)
        let codes = Set(await pipeline.findings(of: asset).counts.keys)
        await pipeline.end()
        return codes.union(state?.failure.map { [$0.code] } ?? [])
    }

    /// What an action that is refused says.
    static func code(_ action: () async throws -> Void) async throws -> Set<FindingCode> {
        do { try await action() } catch let error as CodedFailure { return [error.code] }
        return []
    }
}
