import Daedalus
import Glibc

/// What was read of contents, so that nothing is read twice that gives the same.
struct KnownResults: Sendable {
    let folder: ServiceFolder

    // MARK: - Where results are

    /// The file of this name among what was read under a key.
    func path(_ name: String, of key: ContentKey) -> String { "\(folder.results(key))/\(name)" }

    private func state(_ key: ContentKey) -> String { path("state.json", of: key) }

    // MARK: - Outcomes

    /// The outcome of bytes that were read before; `nil` where reading them again may give another.
    func state(of content: StoredContent) -> AssetState? {
        (try? TextFile.read(state(content.key))).flatMap { try? StateText.read(AssetState.self, $0) }
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

    func keep(_ outcome: AssetState, of key: ContentKey) throws {
        guard Self.isLasting(outcome) else { return }
        try ServiceFolder.make(folder.results(key))
        try WholeFile.write(Array(try StateText.text(outcome).utf8), to: state(key), by: folder.place(of: state(key)))
    }

    /// Whether reading the same bytes again would give no other.
    static func isLasting(_ state: AssetState) -> Bool {
        state.isSettled && !state.canRetry && !state.isCancelled
    }

    /// The bytes of all that was made, by digest.
    func digests() -> [SHA256Digest] {
        var digests: Set<SHA256Digest> = []
        for group in ServiceFolder.names(in: folder.results) {
            for name in ServiceFolder.names(in: "\(folder.results)/\(group)") {
                if let digest = SHA256Digest(hex: String(name.prefix { $0 != "." })) { digests.insert(digest) }
            }
        }
        return Array(digests)
    }

    /// Forgets all that was made of some bytes.
    func remove(_ digest: SHA256Digest) {
        for folder in folders(of: digest) { ServiceFolder.remove(folder) }
    }

    /// The folders of all that was made of some bytes.
    func folders(of digest: SHA256Digest) -> [String] {
        let group = folder.results(of: digest)
        return ServiceFolder.names(in: group).filter { ContentKey(digest: digest, text: $0) != nil }
            .map { "\(group)/\($0)" }
    }
}

enum TextFile {
    /// The whole of a file that this program wrote.
    static func read(_ path: String) throws(StorageError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) throws(StorageError) -> [UInt8] {
        var bytes: [UInt8] = []
        try FilePieces.read(path) { bytes += $0 }
        return bytes
    }
}
