/// What a node does of the work; several nodes may part it among them.
enum WorkerTask: String, Sendable, CaseIterable {
    /// Brings the bytes of links here: the one task that goes to strangers' hosts.
    case download
    /// Reads bytes that are here.
    case process
    /// Makes what is asked for: models, pictures, reports, files of bundles.
    case derive
}

extension Set<WorkerTask> {
    static let all = Set(WorkerTask.allCases)

    init(_ settings: ServiceSettings) throws(ServiceStartError) {
        let words = settings.workerTasks.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        self = Set(words.compactMap { WorkerTask(rawValue: String($0)) })
        guard words == ["none"] || !words.isEmpty && count == Set<Substring>(words).count else {
            let known = WorkerTask.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceStartError(
                description: "--worker-tasks is '\(words.joined(separator: ",").prefix(80))'; "
                    + "expected some of \(known), with commas between them, or none",
                exitCode: 78)
        }
    }
}
