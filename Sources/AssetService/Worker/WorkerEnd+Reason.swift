import Daedalus
import Glibc

extension WorkerEnd {
    /// Why an asset failed whose worker ended before the asset did.
    func reason(_ limits: WorkerLimits) -> AssetState.Reason {
        AssetState.Reason(.ioError, "The process that worked on it \(phrase(limits)).")
    }

    private func phrase(_ limits: WorkerLimits) -> String {
        switch self {
        case .exited(let code): "ended by itself with code \(code)"
        case .killed(SIGXCPU): "took more than \(limits.processorSeconds) s of processor time"
        case .killed(SIGKILL): "was killed from outside"
        case .killed(let signal):
            "crashed (signal \(signal)), or needed more than \(limits.memory >> 20) MiB of memory"
        case .overdue: "took longer than \(limits.wallSeconds) s"
        case .notStarted(let reason): "could not be started: \(reason)"
        }
    }
}
