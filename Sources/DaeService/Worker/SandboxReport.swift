import DaeCore
import Daedalus

/// What holds on this machine, as workers found that do nothing else.
struct SandboxReport: Sendable {
    private let support: SandboxSupport
    private let trial: Trial

    private enum Trial: Sendable {
        /// What succeeded, with the network or without.
        case tried([SandboxProbe.Attempt])
        /// No worker could be had to try it, as none can for work.
        case notStarted(String)
    }

    /// Starts a worker of each kind, and has it try all.
    static func tried(_ settings: ServiceSettings) async throws -> SandboxReport {
        var succeeded: Set<SandboxProbe.Attempt> = []
        for network in Sandbox.Network.allCases {
            switch try await attempts(network, settings) {
            case .tried(let attempts): succeeded.formUnion(attempts)
            case .notStarted(let reason): return SandboxReport(support: .here, trial: .notStarted(reason))
            }
        }
        let all = SandboxProbe.Attempt.allCases.filter(succeeded.contains)
        return SandboxReport(support: .here, trial: .tried(all))
    }

    private static func attempts(_ network: Sandbox.Network, _ settings: ServiceSettings) async throws -> Trial {
        let folder = "\(TemporaryFile.folder)/daed-\(AssetID.random().text)"
        let order = WorkerOrder(
            task: .probe(network), asset: .random(), source: "", file: nil, data: settings.data,
            folder: WorkerFolder(path: folder), downloads: folder, limits: settings.worker, fileLimit: 1 << 30,
            contentLimit: settings.contentLimit, allowedBlocks: settings.allowedBlocks)
        var answer: [SandboxProbe.Attempt]?
        return try await WorkerProcess.run(order) { message in
            if case .probed(let attempts) = message { answer = attempts }
        } finish: { end, complaint in
            if let answer { return .tried(answer) }
            let words = complaint.split(separator: "\n").joined(separator: " ")
            return .notStarted(end.phrase(order.limits) + (words.isEmpty ? "" : " (\(words))"))
        }
    }

    /// What is wrong; empty where all holds.
    var faults: [String] {
        switch trial {
        case .tried(let attempts): support.missing + attempts.map { "a worker \($0.rawValue)" }
        case .notStarted(let reason): support.missing + ["a worker \(reason)"]
        }
    }

    var text: String {
        guard !faults.isEmpty else { return "Sandbox: holds (Landlock \(support.landlock), seccomp).\n" }
        return faults.map { "Sandbox: \($0).\n" }.joined()
    }

    /// `succeeded` is null where nothing could be tried.
    var json: JSONValue {
        let succeeded: JSONValue =
            switch trial {
            case .tried(let attempts): .array(attempts.map { .string("\($0)") })
            case .notStarted: .null
            }
        return [
            "landlock": .integer(Int64(support.landlock)), "seccomp": .bool(support.filtersCalls),
            "succeeded": succeeded, "faults": .array(faults.map { .string($0) }),
        ]
    }
}
