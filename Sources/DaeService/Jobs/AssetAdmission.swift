import Daedalus
import Hummingbird

/// The way in for new assets: kept with a job, or turned away.
struct AssetAdmission: Sendable {
    let tools: ServiceTools
    /// Whose it is, by the client's ``Client/owner``; `nil` where that is not known.
    var addedBy: String?
    /// Of the request that brings it.
    var once: OnceID?

    /// Whether the request was done already, and only has to be answered.
    var isDone: Bool {
        get async throws {
            guard let once else { return false }
            return try await tools.store.isDone(once)
        }
    }

    /// An asset of a file that lies among the uploads; what was read of equal bytes before is its state at once.
    func admit(_ upload: Upload, name: String, id: AssetID = .random()) async throws -> AssetRecord {
        let content = StoredContent(digest: upload.digest, bytes: upload.bytes, name: name, in: upload.path)
        let now = AssetOperations.Instant.systemTime()
        let isHere = try tools.blobs.file(upload.digest) != nil
        if !isHere, try await !isDone { try await tools.disk.check(adding: upload.bytes - upload.counted) }
        let state = AssetState.downloading(.first)
        let known = isHere ? try tools.results.state(of: content, after: state, source: name) : nil
        let asset = AssetRecord(
            id: id, name: name, origin: .upload, content: content,
            state: known ?? state, created: now, changed: now, addedBy: addedBy)
        let blobs = tools.blobs
        return try await admit(asset) { try blobs.adopt(upload.path, as: upload.digest) }
    }

    /// - Returns: The asset; the one of before where the same request has brought it already.
    func admit(_ asset: AssetRecord, storing: @escaping @Sendable () throws -> Void) async throws -> AssetRecord {
        let limit = tools.settings.queueLimit
        switch try await tools.store.add(asset, once: once, queueLimit: limit, storing: storing) {
        case .added:
            tools.bell.ring()
            return asset
        case .wasAdded(let known):
            guard known.isOf(asset) else { throw OnceError.anotherRequest }
            return known
        case .queueIsFull:
            throw Problem(
                .tooManyRequests, nil, "\(limit) assets wait already.", retryAfter: 10)
        }
    }
}

extension AssetRecord {
    /// Whether the request that brought this one is one that brings the other.
    fileprivate func isOf(_ other: AssetRecord) -> Bool {
        name == other.name && origin == other.origin
            && (other.content == nil || content?.digest == other.content?.digest)
    }
}
