import Daedalus
import Glibc

extension WorkerEnd {
    /// Why an asset failed whose worker ended before the asset did.
    func reason(_ limits: WorkerLimits) -> AssetState.Reason {
        AssetState.Reason(code, "The process that worked on it \(phrase(limits)).")
    }

    /// Each kind of end has a code of its own: what helps is another each time.
    var code: FindingCode {
        switch self {
        case .exited(MemoryTrap.exitCode): .workerOutOfMemory
        case .exited, .notStarted: .workerLost
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
        case .exited(let code): "ended by itself with code \(code)"
        case .killed(SIGXCPU): "took more than \(limits.processorSeconds) s of processor time"
        case .killed(SIGXFSZ): "wrote a file for which there is no room"
        case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP): "was killed from outside"
        case .killed(let signal): "crashed (signal \(signal))"
        case .overdue: "took longer than \(limits.wallSeconds) s"
        case .notStarted(let reason): "could not be started: \(reason)"
        }
    }
}
