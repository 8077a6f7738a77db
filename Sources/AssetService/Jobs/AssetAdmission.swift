import Daedalus
import Hummingbird

/// The way in for new assets: kept with a job, or turned away.
struct AssetAdmission: Sendable {
    let tools: ServiceTools

    /// An asset of a file that lies among the uploads; what was read of equal bytes before is its state at once.
    func admit(_ upload: Upload, name: String, id: AssetID = .random()) async throws -> AssetRecord {
        let content = StoredContent(digest: upload.digest, bytes: upload.bytes, name: name, in: upload.path)
        let now = AssetOperations.Instant.systemTime()
        let isHere = try tools.blobs.file(upload.digest) != nil
        if !isHere { try await tools.disk.check(adding: upload.bytes) }
        let state = AssetState.downloading(.init(source: name))
        let known = isHere ? try tools.results.state(of: content, after: state, source: name) : nil
        let asset = AssetRecord(
            id: id, name: name, origin: .upload, content: content,
            state: known ?? state, created: now, changed: now)
        let blobs = tools.blobs
        try await admit(asset) { try blobs.adopt(upload.path, as: upload.digest) }
        return asset
    }

    func admit(_ asset: AssetRecord, storing: @escaping @Sendable () throws -> Void) async throws {
        switch try await tools.store.add(asset, queueLimit: tools.settings.queueLimit, storing: storing) {
        case .added: tools.bell.ring()
        case .queueIsFull:
            throw Problem(
                .tooManyRequests, nil, "\(tools.settings.queueLimit) assets wait already.", retryAfter: 10)
        }
    }
}
