import Daedalus
import Hummingbird

/// The way in for new assets: kept with a job, or turned away.
struct AssetAdmission: Sendable {
    let tools: ServiceTools
    /// Whose it is, by the client's ``Client/owner``; `nil` where that is not known.
    var addedBy: String?
    /// Of the request that brings it.
    var key: RequestKey?

    /// What a request brought.
    struct Outcome {
        let asset: AssetRecord
        let novelty: Novelty
    }

    enum Novelty {
        case added
        /// By the same request, when it was sent before.
        case wasAdded
    }

    /// Whether the request was sent before, and only has to be answered.
    var isRepeated: Bool {
        get async throws {
            guard let key else { return false }
            return try await tools.store.isKnown(key)
        }
    }

    /// An asset of a file that lies among the uploads; what was read of equal bytes before is its state at once.
    func admit(_ upload: Upload, name: String, id: AssetID = .random()) async throws -> Outcome {
        let (blobs, results, state) = (tools.blobs, tools.results, AssetState.downloading(.first))
        let isHere = try blobs.file(upload.digest) != nil
        let (content, known) = try await Thread.run {
            let content = StoredContent(digest: upload.digest, bytes: upload.bytes, name: name, in: upload.path)
            return (content, isHere ? try results.state(of: content, after: state, source: name) : nil)
        }
        if !isHere, try await !isRepeated { try await tools.disk.check(adding: upload.bytes - upload.counted) }
        let now = AssetOperations.Instant.systemTime()
        let asset = AssetRecord(
            id: id, name: name, origin: .upload, content: content,
            state: known ?? state, created: now, changed: now, addedBy: addedBy)
        return try await admit(asset) { try blobs.adopt(upload.path, as: upload.digest) }
    }

    func admit(_ asset: AssetRecord, storing: @escaping @Sendable () throws -> Void) async throws -> Outcome {
        let limit = tools.settings.queueLimit
        switch try await tools.store.add(asset, key: key, queueLimit: limit, storing: storing) {
        case .added:
            tools.changes.notify()
            return Outcome(asset: asset, novelty: .added)
        case .wasAdded(let known): return Outcome(asset: known, novelty: .wasAdded)
        case .queueIsFull:
            throw Problem(
                .tooManyRequests, nil, "\(limit) assets wait already.", retryAfter: 10)
        }
    }
}
