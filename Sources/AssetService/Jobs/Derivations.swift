import Daedalus
import Hummingbird

/// What can be made of an asset again at any time: made when it is first asked for, once for all who ask at once.
actor Derivations {
    enum Outcome: Sendable {
        case made
        case failed(FindingCode?, String)
        /// The worker ended before it was done.
        case died(String)
        case queueIsFull
    }

    private let tools: ServiceTools
    private var running: [String: Task<Outcome, Never>] = [:]
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ tools: ServiceTools) {
        self.tools = tools
        free = tools.settings.workers
    }

    /// Whether what is asked for now would be made.
    var hasRoom: Bool { waiting.count < tools.settings.queueLimit }

    /// Lets a worker make something.
    ///
    /// - Parameters:
    ///   - key: Names what is made.
    ///   - output: Where it goes to; its folder is made.
    func make(_ key: String, _ task: WorkerOrder.Task, of asset: AssetRecord, output: String) async throws -> Outcome {
        if let other = running[key] { return await other.value }
        guard hasRoom else { return .queueIsFull }
        let order = try tools.order(task, asset, output: output)
        // Not the caller's task: who asked first may leave, and others still wait.
        let work = Task {
            await take()
            let outcome = await Self.work(order, tools.settings.worker)
            give()
            return outcome
        }
        running[key] = work
        let outcome = await work.value
        running[key] = nil
        return outcome
    }

    private func take() async {
        if free > 0 {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }

    private static func work(_ order: WorkerOrder, _ limits: WorkerLimits) async -> Outcome {
        let worker: WorkerProcess
        do { worker = try WorkerProcess(order) } catch { return .died(error.description) }
        let deadline = worker.deadline(limits)
        defer { deadline.cancel() }
        var outcome: Outcome?
        for await event in worker.events {
            switch event {
            case .message(.made): outcome = .made
            case .message(.failed(let code, let message)): outcome = .failed(FindingCode(rawValue: code), message)
            case .message(.state), .message(.content): break
            case .ended(let end): return outcome ?? .died(end.reason(limits).message)
            }
        }
        return .died("It said nothing.")
    }
}

extension Derivations.Outcome {
    /// Throws unless what was asked for is there.
    func check() throws(Problem) {
        switch self {
        case .made: break
        case .failed(.sourceNotFound, let message): throw Problem(.notFound, .sourceNotFound, message)
        case .failed(let code, let message): throw Problem(.unprocessableContent, code, message)
        case .died(let message): throw Problem(.internalServerError, .ioError, message)
        case .queueIsFull: throw Problem(.tooManyRequests, nil, "Too many wait for a worker already.", retryAfter: 5)
        }
    }
}
