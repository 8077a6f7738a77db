import Daedalus
import Glibc

/// What was read of contents, so that equal ones are read once.
struct KnownResults: Sendable {
    let folder: ServiceFolder

    /// The outcome of bytes that were read before; `nil` where reading them again may give another.
    func state(of content: StoredContent) -> AssetState? {
        guard let text = try? TextFile.read(path(content)) else { return nil }
        return try? StateText.read(AssetState.self, text)
    }

    /// The same as the outcome of the attempt that is being made: a later attempt's state never follows an earlier one's.
    func state(of content: StoredContent, after state: AssetState, source: String) throws -> AssetState? {
        guard let known = self.state(of: content), case .downloading = state else { return nil }
        var machine = AssetStateMachine(source: source, state: state)
        let attempt = state.attempt
        if known.failure?.stage != .download {
            _ = try machine.handle(.downloaded(archive: content.name, attempt: attempt))
        }
        switch known {
        case .ready(let ready):
            _ = try machine.handle(.unzipped(document: content.name, bytes: nil, attempt: attempt))
            _ = try machine.handle(.parsed(ready.summary, attempt: attempt))
        case .failed(let failure):
            if failure.stage == .parse {
                _ = try machine.handle(.unzipped(document: content.name, bytes: nil, attempt: attempt))
            }
            _ = try machine.handle(.failed(failure.reason, .nothing, attempt: attempt))
        case .downloading, .unzipping, .parsing: return nil
        }
        return machine.state
    }

    func keep(_ state: AssetState, of content: StoredContent) throws {
        guard state.isSettled, !state.canRetry, !state.isCancelled else { return }
        try ServiceFolder.make(folder.results(content.key))
        try WholeFile.write(Array(try StateText.text(state).utf8), to: path(content))
    }

    /// Forgets all that was made of some bytes.
    func remove(_ digest: SHA256Digest) {
        let group = folder.results(of: digest)
        for name in ServiceFolder.names(in: group) where ContentKey(digest: digest, text: name) != nil {
            ServiceFolder.remove("\(group)/\(name)")
        }
    }

    private func path(_ content: StoredContent) -> String { folder.results(content.key) + "/state.json" }
}

enum TextFile {
    /// The whole of a file that this program wrote.
    static func read(_ path: String) throws(StorageError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) throws(StorageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}
