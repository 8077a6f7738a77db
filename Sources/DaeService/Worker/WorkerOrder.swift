// What one process tells the other stands on one line each, so that a worker that dies in the middle of one has said
// nothing wrong.

import DaeCore
import Daedalus

/// What a worker is asked to do; the first line that it reads.
struct WorkerOrder: Codable, Sendable {
    enum Task: Codable, Sendable {
        /// Brings an asset's bytes here: the one task that has the network, and no other file of the service.
        case download(AssetState.Download)
        /// Reads an asset's bytes, from the beginning of an attempt to its end.
        case process(AssetState.Download)
        /// Makes the reports of a file.
        case report
        case model(ModelForm)
        /// Draws a picture of so many pixels a side.
        case picture(side: Int)
        /// Copies one entry of the file.
        case entry(path: String)
        /// Tries what a worker for such a task must not be able to do.
        case probe(Sandbox.Network)
    }

    var task: Task
    var asset: AssetID
    /// What the state machine calls the asset.
    var source: String
    /// The file; `nil` where it has to be downloaded.
    var file: SourceFile?
    /// The folder of all that is kept, to be left out of what is told.
    var data: String
    /// The worker's own folder, which its parent makes and removes.
    var folder: WorkerFolder
    /// Where an unfinished download is kept for the next attempt.
    var downloads: String
    var limits: WorkerLimits
    /// Bytes of one file at most.
    var fileLimit: Int64
    var contentLimit: Int64
    var allowedBlocks: [String]
    /// Beside the address of what has to be downloaded.
    var download: DownloadDetails?

    struct SourceFile: Codable, Sendable {
        var path: String
        var name: String
        var bytes: Int64
        var sha256: String
    }
}

extension WorkerOrder.Task {
    /// For logs and figures.
    var name: String {
        switch self {
        case .download: "download"
        case .process: "read"
        case .report: "report"
        case .model: "model"
        case .picture: "picture"
        case .entry: "entry"
        case .probe: "probe"
        }
    }

    /// The names of the files that it may leave in the worker's folder; its parent takes no others.
    var products: [String] {
        switch self {
        case .download: [WorkerFolder.content]
        case .process: ResultName.readings
        case .report: ReportForm.allCases.map(\.fileName)
        // In this order: where the model is, what it changed is.
        case .model(let form): [ModelForm.changes(of: form.rawValue), form.rawValue]
        case .picture(let side): [ResultName.thumbnail(side: side)]
        case .entry(let path): [ResultName.entry(path)]
        case .probe: []
        }
    }

    /// Whether an asset can come to a state by it.
    func mayLead(to state: AssetState) -> Bool {
        switch (self, state) {
        case (.process, _), (.download, .downloading), (.download, .failed): true
        case (.download, .unzipping), (.download, .parsing), (.download, .ready): false
        case (.report, _), (.model, _), (.picture, _), (.entry, _), (.probe, _): false
        }
    }

    var network: Sandbox.Network {
        switch self {
        case .download: .internet
        case .probe(let network): network
        case .process, .report, .model, .picture, .entry: .none
        }
    }
}

/// What a worker says.
enum WorkerMessage: Codable, Sendable {
    /// The asset's new state; behind a settled one nothing more is said of it.
    case state(AssetState)
    /// The bytes are in the worker's folder, under this name of theirs.
    case content(name: String)
    /// What was asked for is in the worker's folder.
    case made
    case failed(code: String, message: String)
    /// What of a probe's attempts succeeded.
    case probed([SandboxProbe.Attempt])
}

extension AssetState {
    /// Grows with each attempt and each stage of it: of two states the later has no smaller one.
    var rank: Int {
        switch self {
        case .downloading: attempt.number * 8
        case .unzipping: attempt.number * 8 + 1
        case .parsing: attempt.number * 8 + 2
        case .ready, .failed: attempt.number * 8 + 3
        }
    }
}

/// How a worker ended.
enum WorkerEnd: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// By its parent, since it took too long.
    case overdue
    /// By its parent, since it said more than any worker has to say.
    case talkative
    case notStarted(String)

    /// Of the status that `waitpid` gives.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

extension WorkerEnd {
    /// Why an asset failed whose worker ended before the asset did.
    func reason(_ limits: WorkerLimits) -> AssetState.Reason {
        AssetState.Reason(code, "The process that worked on it \(phrase(limits)).")
    }

    /// Each kind of end has a code of its own: what helps is another each time.
    var code: FindingCode {
        switch self {
        case .exited(MemoryTrap.exitCode): .workerOutOfMemory
        case .exited, .notStarted, .talkative: .workerLost
        case .killed(SIGXCPU): .workerProcessorTimeExceeded
        case .killed(SIGXFSZ): .storageFull
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP): .workerKilled
        case .killed: .workerCrashed
        case .overdue: .workerTimeExceeded
        }
    }

    func phrase(_ limits: WorkerLimits) -> String {
        switch self {
        case .exited(MemoryTrap.exitCode): "needed more than \(limits.memory >> 20) MiB of memory"
        case .exited(Sandbox.exitCode): "could not give up what it must not have"
        case .exited(let code): "ended by itself with code \(code)"
        case .killed(SIGXCPU): "took more than \(limits.processorSeconds) s of processor time"
        case .killed(SIGXFSZ): "wrote a file for which there is no room"
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP): "was killed from outside"
        case .killed(let signal): "crashed (signal \(signal))"
        case .overdue: "took longer than \(limits.wallSeconds) s"
        case .talkative: "said more than a worker has to say"
        case .notStarted(let reason): "could not be started: \(reason)"
        }
    }
}
