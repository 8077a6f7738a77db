import DaeCore
import Daedalus

/// What was read of contents, so that nothing is read twice that gives the same.
struct ResultStore: Sendable {
    let objects: any ObjectStore

    private func state(_ key: ContentKey) -> ObjectKey { .result("state.json", of: key) }

    /// The outcome of bytes that were read before; `nil` where reading them again may give another.
    func state(of content: StoredContent) async throws -> AssetState? {
        guard let bytes = try await objects.bytes(state(content.key)) else { return nil }
        return try? StateText.read(AssetState.self, String(decoding: bytes, as: UTF8.self))
    }

    /// The same as the outcome of the attempt that is being made, behind the first of some states that it can follow: a later
    /// attempt's state never follows an earlier one's.
    func state(of content: StoredContent, after states: [AssetState], source: String) async throws -> AssetState? {
        guard let known = try await state(of: content) else { return nil }
        return try states.lazy.compactMap { try Self.state(known, of: content, after: $0, source: source) }.first
    }

    private static func state(
        _ known: AssetState, of content: StoredContent, after state: AssetState, source: String
    ) throws -> AssetState? {
        guard case .downloading = state else { return nil }
        var machine = AssetStateMachine(source: .url(source), state: state)
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

    func keep(_ outcome: AssetState, of key: ContentKey) async throws {
        guard Self.isLasting(outcome) else { return }
        try await objects.put(Array(try StateText.text(outcome).utf8), at: state(key))
    }

    /// Whether reading the same bytes again would give no other.
    static func isLasting(_ state: AssetState) -> Bool {
        state.isSettled && !state.canRetry && !state.isCancelled
    }

    /// Puts what a worker made, once it is gone: all or none of it.
    ///
    /// - Parameter needed: How many of the task's products, from the first on, have to be there.
    /// - Throws: Also for what no worker leaves, as of ``WorkerFolder/left(of:limit:needed:)``.
    func keep(_ order: WorkerOrder, _ place: ResultPlace, needed: Int) async throws {
        for name in try order.folder.left(of: order.task.products, limit: order.fileLimit, needed: needed) {
            try await objects.put(localFile: order.folder.file(name), at: place.key(name))
        }
    }

    /// Forgets all that was made of some bytes.
    func remove(_ digest: SHA256Digest) async throws { try await objects.removeAll(ObjectKey.results(of: digest)) }
}

/// Where results are that a task makes: beside all others of a content, or in a folder among them.
struct ResultPlace: Sendable {
    let content: ContentKey
    var folder: String?

    func key(_ name: String) -> ObjectKey { .result((folder.map { $0 + "/" } ?? "") + name, of: content) }
}
