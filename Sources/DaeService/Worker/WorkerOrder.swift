// What one process tells the other stands on one line each, so that a worker that dies in the middle of one has said
// nothing wrong.

import Daedalus
import Glibc
import Synchronization

/// What a worker is asked to do; the first line that it reads.
struct WorkerOrder: Codable, Sendable {
    enum Task: Codable, Sendable {
        /// Takes an asset from the beginning of an attempt to its end.
        case process(AssetState.Download)
        /// Makes the reports of a file.
        case report
        case model
        /// Copies one entry of the file.
        case entry(path: String)
    }

    var task: Task
    var asset: AssetID
    /// What the state machine calls the asset.
    var source: String
    /// The file; `nil` where it has to be downloaded.
    var file: SourceFile?
    /// The folder of all that is kept.
    var folder: String
    /// Whose uploads what is handed over lies among.
    var owner: String?
    /// Where what is made goes to.
    var output: String?
    /// A folder of its own, where that lies until it is whole; its parent makes and removes it.
    var scratch: String
    var limits: WorkerLimits
    /// Bytes of one file at most.
    var fileLimit: Int64
    var contentLimit: Int64
    var allowedBlocks: [String]

    struct SourceFile: Codable, Sendable {
        var path: String
        var name: String
        var bytes: Int64
        var sha256: String
        /// Of its ``ContentKey``.
        var key: String
    }
}

/// What a worker says.
enum WorkerMessage: Codable, Sendable {
    /// The asset's new state; a settled one comes when all that was read of it is in its place.
    case state(AssetState)
    /// The bytes are here, in a file that is the reader's to move; its word to go on is waited for.
    case content(file: String, sha256: String, bytes: Int64, name: String)
    /// What was asked for is in its place.
    case made
    case failed(code: String, message: String)
}

/// How a worker ended.
enum WorkerEnd: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// By its parent, since it took too long.
    case overdue
    case notStarted(String)

    /// Of the status that `waitpid` gives.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

extension WorkerOrder.SourceFile {
    var content: StoredContent? {
        guard let digest = SHA256Digest(hex: sha256), let key = ContentKey(digest: digest, text: key) else {
            return nil
        }
        return StoredContent(digest: digest, bytes: bytes, name: name, key: key)
    }
}

/// What a worker says, to its parent on standard output. A class because it knows what it said last.
final class WorkerReport: Sendable {
    private let last = Mutex<(state: AssetState, at: Int64)?>(nil)
    /// Milliseconds between two states of one stage.
    private static let pause: Int64 = 100

    /// Says a new state; counts that come fast are left out, and so is what lies behind the last one.
    func tell(_ state: AssetState) {
        let now = AssetOperations.Instant.systemTime()
        last.withLock { last in
            if let before = last {
                guard state != before.state, Self.rank(state) >= Self.rank(before.state) else { return }
                let isSameStage = Self.rank(state) == Self.rank(before.state)
                guard !isSameStage || now - before.at >= Self.pause else { return }
            }
            last = (state, now)
            write(.state(state))
        }
    }

    func tell(_ message: WorkerMessage) { last.withLock { _ in write(message) } }

    private static func rank(_ state: AssetState) -> Int {
        switch state {
        case .downloading: state.attempt.number * 8
        case .unzipping: state.attempt.number * 8 + 1
        case .parsing: state.attempt.number * 8 + 2
        case .ready, .failed: state.attempt.number * 8 + 3
        }
    }

    private func write(_ message: WorkerMessage) {
        guard let text = try? StateText.text(message) else { return }
        do { try WholeFile.write(Array((text + "\n").utf8)[...], to: STDOUT_FILENO, "standard output") } catch {
            // Who was to read it is gone.
            _exit(75)
        }
    }
}
